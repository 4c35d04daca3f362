"""How the host of a running table gets in, and what of that is ever written down."""

import os
import pty
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(8)]

RUN = ("run", "--no-twin", "--no-open", "--port", "0", "--journal")


def test_a_service_or_a_pipe_is_told_no_key_and_a_command_beside_it_is(started, citytable, tmp_path):
    journal = tmp_path / "salon.sqlite3"
    running = started(*RUN, str(journal))
    running.says("host     citytable host --journal ")
    running.says("Ctrl-C ends everything")
    told = citytable("host", "--journal", journal).stdout
    link = re.fullmatch(r"(http://\S+)/host#([0-9a-f]{32})   or \1/host with the PIN (\d{6})\n", told)
    assert link, told
    assert (journal.with_name("salon.host.json").stat().st_mode & 0o777) == 0o600
    assert running.end(signal.SIGINT) == 0
    assert link[2] not in running.said
    assert link[3] not in running.said


def test_a_pipe_is_told_no_key_of_a_virtual_table_whose_journal_nobody_keeps(started, citytable, tmp_path):
    running = started("run", "--no-open", "--port", "0", "--players", "2", TMPDIR=str(tmp_path))
    running.says("Ctrl-C ends everything")
    (note,) = running.notes()
    journal = re.search(r"citytable host --journal (\S+)", running.said)[1]
    told = citytable("host", "--journal", journal).stdout
    assert f"{note['page']}#{note['key']}   or" in told
    page = note["play"].partition("#")[0]
    assert f"\n{note['play']}   or {page} with the PIN {note['play_pin']}   (you take seat 1" in told
    assert (Path(journal).with_suffix(".host.json").stat().st_mode & 0o777) == 0o600
    running.hosts()[0].phone(1)
    assert running.end(signal.SIGINT) == 0
    assert [
        key
        for key in (note["key"], note["pin"], note["play"].partition("#")[2], note["play_pin"])
        if key in running.said
    ] == []
    assert re.findall(r"#[0-9a-f]{8}|PIN \d", running.said) == []
    assert list(tmp_path.iterdir()) == [], "it leaves no note behind"


def test_a_terminal_is_told_the_links(citytable_path):
    inside, outside = pty.openpty()
    command = [citytable_path, "run", "--no-open", "--port", "0", "--players", "2"]
    with subprocess.Popen(command, stdout=outside, stderr=outside, stdin=outside) as running:
        os.close(outside)
        said = ""
        while "phones " not in said:
            said += os.read(inside, 10_000).decode()
        running.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is gone
            while os.read(inside, 10_000):
                pass
    os.close(inside)
    assert running.returncode == 0
    assert re.search(r"host     http://\S+/host#[0-9a-f]{32}\s+or\s+http://\S+/host with the\s+PIN \d{6}", said)
    said = re.sub(r"\x1b\[\d*m", "", said)  # each line of it is bold
    assert re.search(r"play     (http://\S+/table)#[0-9a-f]{32}\s+or\s+\1\s+with\s+the\s+PIN\s+\d{6}", said)


def test_a_browser_opens_the_virtual_table_for_whoever_wants_to_play(started, tmp_path, until):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o700)
    running = started("run", "--port", "0", "--players", "2", BROWSER=str(browser), DISPLAY=":0")
    running.says("Ctrl-C ends everything")
    until(opened.exists)
    (note,) = running.notes()
    assert opened.read_text().strip() == note["play"]


def test_with_new_people_the_next_game_has_a_new_link_to_play_and_the_host_keeps_hers(started, until):
    running = started("run", "--no-open", "--port", "0", "--players", "2")
    running.says("Ctrl-C ends everything")
    (before,) = running.notes()
    host = running.hosts()[0]
    host.begins(2, same_people=True)
    assert running.notes()[0]["play"] == before["play"]
    host.begins(2, same_people=False)
    until(lambda: running.notes()[0]["play"] != before["play"])
    (now,) = running.notes()
    assert (now["key"], now["pin"]) == (before["key"], ""), "a device is the host's: the PIN stays closed"
    page, _, key = now["play"].partition("#")
    for word in (key, now["play_pin"]):
        type(host)(page.removesuffix("/table"), word, "seat/1")
    assert running.end(signal.SIGINT) == 0
    assert [word for word in (key, now["play_pin"]) if word in running.said] == []


def test_the_pin_is_forgotten_once_a_device_is_the_hosts_and_is_another_one_next_time(
    started, citytable, tmp_path, until
):
    journal, pins = tmp_path / "salon.sqlite3", []
    for _ in range(2):
        running = started(*RUN, str(journal))
        pins.append(running.notes()[0]["pin"])
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
        links.append(running.notes()[0]["key"])
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
