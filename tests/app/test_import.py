"""A game goes from one table's computer to another's while it is being played."""

import re
import signal

import pytest

from citytable.journal.sharing import without_tags
from citytable.journal.store import Store

pytestmark = pytest.mark.long(8)

RUN = ("run", "--no-open", "--port", "0", "--journal")


@pytest.mark.broker
@pytest.mark.parametrize(
    "whole", [pytest.param((), marks=pytest.mark.soak), ("--with-deck",)], ids=["with numbers for tags", "as it is"]
)
def test_a_game_in_progress_is_exported_beside_its_hub_and_played_on_elsewhere(
    started, citytable, tmp_path, until, whole
):
    here, there, file = tmp_path / "here.sqlite3", tmp_path / "there.sqlite3", tmp_path / "game.jsonl"
    running = started(*RUN, str(here), "--seed", "3", "--speed", "20", "--players", "2")
    until(lambda: running.view()["scene"]["turn"] > 1)
    with Store.read(here) as store:
        (game,) = store.games()
    done = citytable("export", game.id, "--journal", here, "--to", file, *whole)
    assert done.returncode == 0, done.stderr
    running.end(signal.SIGINT)
    done = citytable("import", file, "--journal", there)
    assert (done.returncode, re.match(rf"added {game.id} with \d+ entries", done.stdout) is not None) == (0, True)
    with Store.read(here) as before, Store.read(there) as after:
        copied = after.entries(game.id)
        assert copied.damage == ""
        told = before.entries(game.id).entries[: len(copied.entries)]
        assert copied.entries == (told if whole else without_tags(game.id, told))
        assert after.decks() == before.decks()
    again = started(*RUN, str(there), "--no-twin", "--players", "2", "--serial", "")
    again.says(f"going on with game {game.id}")
    assert again.end(signal.SIGINT) == 0


def test_what_cannot_be_imported_is_named(citytable, tmp_path):
    (tmp_path / "x.jsonl").write_text("no game\n")
    done = citytable("import", tmp_path / "x.jsonl", "--journal", tmp_path / "j.sqlite3")
    assert done.returncode == 1
    assert "is not an exported journal" in done.stderr
