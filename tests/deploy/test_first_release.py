"""A table of version 0.1.0, whose hub was killed in the middle of a game, goes on with this version.

`release_0_1_0` holds what that version itself left (`made.sh`), and what it knew of its games.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from citytable.games.megacity.box import BOX
from citytable.games.megacity.old_options import position_of
from citytable.hub import replayed, running_hub
from citytable.journal.backup import back_up, restore
from citytable.journal.export import read_export
from citytable.journal.store import Store
from citytable.settings import Settings

pytestmark = pytest.mark.broker

FILES = {"journal": "journal.sqlite3", "log": "journal.sqlite3-wal", "plan": "plan.json", "whole": "whole.jsonl"}
LEFT = Path(__file__).parent / "release_0_1_0"
KNOWN = json.loads((LEFT / "known.json").read_text())


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """The folder of that table, as it was when its hub was killed."""
    for name, file in FILES.items():
        (tmp_path / file).write_bytes(lzma.decompress((LEFT / f"{name}.xz").read_bytes()))
    return tmp_path


def same(game: Any, known: dict[str, Any]) -> None:
    """Check that a game is the one that version 0.1.0 knew."""
    assert [str(action) for action in game.actions] == known["actions"]
    assert game.position == position_of(known["position"], game.position.options)
    assert {str(seat): score.total for seat, score in game.scores().items()} == known["prestige"]
    outcome = game.outcome()
    assert (None if outcome is None else list(outcome.winners)) == known["winners"]


async def test_a_hub_goes_on_with_the_game_that_was_on_the_table(left: Path) -> None:
    known = KNOWN["cut"]
    settings = Settings(
        options=BOX.options(2), twin=False, plan_path=left / "plan.json", journal_path=left / "journal.sqlite3"
    )
    async with running_hub(settings) as hub:
        assert hub.notices == (f"going on with game {known['id']} after {len(known['actions'])} actions",)
        assert [str(action) for action in hub.play.actions] == known["actions"]
        position = hub.play.umpire.position
        assert position == position_of(known["position"], position.options)


def test_its_journal_is_whole_and_can_be_backed_up(left: Path) -> None:
    journal = left / "journal.sqlite3"
    with Store.open(journal) as store:
        assert store.damage == ()
        assert [[*key, seq] for key, seq in sorted(store.marks().items())] == KNOWN["marks"]
        before = store.entries(KNOWN["cut"]["id"])
    assert len(before.entries) == KNOWN["cut"]["entries"]
    backup = back_up(journal, left / "backups", "before-update")
    journal.unlink()
    restore(journal, backup)
    with Store.read(journal) as store:
        assert store.entries(KNOWN["cut"]["id"]) == before


def test_a_game_that_it_exported_ends_as_it_did_and_joins_the_journal(left: Path) -> None:
    exported = read_export(left / "whole.jsonl")
    assert (exported.damage, len(exported.entries)) == ("", KNOWN["whole"]["entries"])
    same(replayed(exported.entries, BOX), KNOWN["whole"])
    with Store.open(left / "journal.sqlite3") as store:
        store.take_in(exported.game_id, exported.entries)
        assert {game.id: game.over for game in store.games()} == {KNOWN["cut"]["id"]: False, KNOWN["whole"]["id"]: True}
