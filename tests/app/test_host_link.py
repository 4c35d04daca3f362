"""How the host of a running table gets in, and what of that is ever written down."""

import re
import signal

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(8)]

RUN = ("run", "--no-twin", "--no-open", "--port", "0", "--journal")


def test_a_service_prints_no_key_and_a_command_beside_it_does(started, citytable, tmp_path):
    journal = tmp_path / "salon.sqlite3"
    running = started(*RUN, str(journal), JOURNAL_STREAM="8:21")
    running.says("host     citytable host --journal ")
    running.says("Ctrl-C ends everything")
    told = citytable("host", "--journal", journal).stdout
    link = re.fullmatch(r"(http://\S+)/host#([0-9a-f]{32})   or \1/host with the PIN (\d{6})\n", told)
    assert link, told
    assert (journal.with_name("salon.host.json").stat().st_mode & 0o777) == 0o600
    assert running.end(signal.SIGINT) == 0
    assert link[2] not in running.said
    assert link[3] not in running.said


def test_the_pin_is_forgotten_once_a_device_is_the_hosts_and_is_another_one_next_time(
    started, citytable, tmp_path, until
):
    journal, pins = tmp_path / "salon.sqlite3", []
    for _ in range(2):
        running = started(*RUN, str(journal))
        pins.append(running.says(r"with the PIN (\d{6})")[1])
        running.hosts()
        until(lambda: "PIN" not in citytable("host", "--journal", journal).stdout)
        assert running.says("entered as host with the link")
        assert running.end(signal.SIGINT) == 0
    assert pins[0] != pins[1]


def test_without_a_running_hub_the_command_says_what_it_wants(citytable, tmp_path):
    done = citytable("host", "--journal", tmp_path / "none.sqlite3")
    assert done.returncode == 1
    assert "give the journal of a hub that is running" in done.stderr


def test_a_link_that_somebody_should_not_have_is_made_invalid(started, citytable, tmp_path):
    journal, links = tmp_path / "salon.sqlite3", []
    for _ in range(2):
        running = started(*RUN, str(journal))
        links.append(running.says(r"/host#([0-9a-f]{32})")[1])
        refused = citytable("host", "--new", "--journal", journal)
        assert (refused.returncode, "is in use by another citytable: stop that one" in refused.stderr) == (1, True)
        assert running.end(signal.SIGINT) == 0
        done = citytable("host", "--new", "--journal", journal)
        assert (done.returncode, "are no longer valid" in done.stdout) == (0, True)
        assert not journal.with_name("salon.host.json").exists()
        assert (journal.with_name("salon.keys").stat().st_mode & 0o777) == 0o600
    assert links[0] != links[1]


def test_where_no_hub_has_run_there_is_no_link_to_make_invalid(citytable, tmp_path):
    done = citytable("host", "--new", "--journal", tmp_path / "none.sqlite3")
    assert done.returncode == 1
    assert "give the journal of a hub that has run" in done.stderr
    assert not (tmp_path / "none.keys").exists()
