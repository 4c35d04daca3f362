"""What is kept of a rehearsal is judged by the same senses as it was."""

import pytest

from citytable import app
from citytable.games.megacity.position import Options
from citytable.journal.entry import ActionConfirmed
from citytable.session.kept_game import kept_game
from citytable.settings import Settings

pytestmark = [pytest.mark.broker, pytest.mark.long(9)]

TURNS = 3


class EnoughTurns(Exception):
    """The rehearsal has gone on for long enough."""


async def test_what_is_kept_of_a_game_is_judged_again_as_it_was(tmp_path):
    settings = Settings(options=Options(players=2), seed=3, journal_path=tmp_path / "journal.sqlite3")
    turns = []

    def on_turn(_):
        turns.append(1)
        if len(turns) > TURNS:
            raise EnoughTurns

    async with app.running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        with pytest.raises(EnoughTurns):
            await app.company(settings, hub, twin, on_turn).play()
        entries = (await hub.journal.entries(hub.game_id)).entries
        actions = [entry.seq for entry in entries if isinstance(entry.body, ActionConfirmed)]
        drawn = [await hub.session.record.signal(seq) for seq in actions]
    assert any(curve.grams for one in drawn for curve in one.curves)
    with kept_game(tmp_path / "journal.sqlite3", hub.game_id) as kept:
        judged = {one.seq: one for one in kept.rejudged()}
    assert set(actions) <= judged.keys()
    assert [one for one in judged.values() if one.differences] == []
