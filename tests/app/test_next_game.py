"""The next game in a hub that runs, as people begin it."""

import re
import signal

import pytest

from citytable.journal.store import Store

pytestmark = [pytest.mark.broker, pytest.mark.long(14)]


def test_a_hub_that_is_killed_comes_back_with_the_game_that_was_chosen_at_the_table(started, tmp_path):
    words = ("run", "--no-twin", "--no-open", "--port", "0", "--players", "3", "--serial", "")
    words += ("--journal", str(tmp_path / "journal.sqlite3"))
    running = started(*words)
    first = running.hosts()[0].begins(2)
    running.end(signal.SIGKILL)
    again = started(*words)
    second = again.says(r"going on with game (\S+) after 0 actions")[1]
    assert second != first
    assert len(again.view()["scene"]["players"]) == 2
    assert again.end(signal.SIGINT) == 0
    with Store.read(tmp_path / "journal.sqlite3") as store:
        assert [(row.id, row.over) for row in store.games()] == [(first, True), (second, False)]


def test_the_bots_of_a_virtual_table_play_the_next_game_too(started, until):
    running = started("run", "--no-open", "--port", "0", "--players", "3", "--seed", "4", "--speed", "20")
    (host,) = running.hosts()
    until(lambda: running.view()["scene"]["turn"] >= 1)
    host.begins(2)
    begun = running.view()
    assert begun["scene"]["turn"] == 0
    assert "sensed.game_began" in [line["key"] for line in begun["happened"]]
    until(lambda: running.view()["scene"]["turn"] >= 2)
    assert len(running.view()["scene"]["players"]) == 2
    assert running.end(signal.SIGINT) == 0
    assert not re.search(r"stopped|Traceback", running.said)
