"""Several tables in one process, as people start them."""

import json
import re
import signal
import urllib.request

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(6)]


def test_two_virtual_tables_run_beside_each_other_each_with_its_page_and_its_journal(started, tmp_path, until):
    words = ("--table", "salon", "--table", "terrace", "--journal", str(tmp_path / "evening"))
    running = started("run", "--no-open", "--port", "0", "--players", "2", "--seed", "4", *words)
    until(lambda: len(re.findall(r"display  http", running.said)) == 2)
    seen = {}
    for port in re.findall(r"display  http://127\.0\.0\.1:(\d+)/display", running.said):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/view") as answer:
            seen[json.load(answer)["data"]["table"]] = port
    assert seen.keys() == {"salon", "terrace"}
    assert len({*re.findall(r"broker   \S+:(\d+) ", running.said)}) == 1
    kept = {path.name for path in (tmp_path / "evening").iterdir()}
    assert {"salon.sqlite3", "terrace.sqlite3", "salon.keys", "terrace.keys"} <= kept
    links = [(note["key"], note["pin"]) for note in running.notes()]
    assert len(links) == len({*links}) == 2
    salon, terrace = sorted(running.hosts(), key=lambda host: host.view()["table"])
    salon.begins(2)
    lines = [[line["key"] for line in host.view()["happened"]] for host in (salon, terrace)]
    assert ["sensed.game_began" in keys for keys in lines] == [True, False], "the other table plays on"
    assert running.end(signal.SIGINT) == 0
    assert "Traceback" not in running.said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--table", "salon", "--table", "salon"), "two of the tables salon, salon have the same name"),
        (("--table", "salon", "--no-twin"), "--table names a virtual table"),
        (("--no-twin", "--plan", "a.json", "--plan", "b.json"), "several tables of your own need a common broker"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(citytable, words, why):
    done = citytable("run", "--no-open", *words)
    assert done.returncode == 2
    assert why in done.stderr
