"""A tap on what is under way: an entry of its own, and told again to a hub that comes back."""

import pytest

from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import replayed
from citytable.rules.errors import Unfitting
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.table.word import Approval, Statement

DRAWN = "p{seat} take_pieces drawn=unknown:3"


async def drawn(session) -> str:
    """Somebody says that pieces were taken: under way, and not confirmed."""
    text = DRAWN.format(seat=session.play.seat)
    await session.say(Statement(action=text, by="host"))
    return text


def final(play) -> list[bool]:
    """Whether what was said is over, too."""
    return [cue.final for cue in play.umpire._state.story.cues]


async def test_a_tap_is_written_down_also_while_the_table_differs(evening):
    session, there, journal = evening
    text = await drawn(session)
    before = (await journal.entries("g")).entries
    await session.say(Approval(actions=(text,), by="seat 2"))
    (written,) = (await journal.entries("g")).entries[len(before) :]
    assert (written.cause, written.body) == ("player", Approval(actions=(text,), by="seat 2"))
    assert final(there.play) == [True]


async def test_a_tap_on_what_is_no_longer_under_way_is_refused_and_not_written(evening):
    session, _, journal = evening
    before = (await journal.entries("g")).entries
    with pytest.raises(Unfitting, match="check again"):
        await session.say(Approval(actions=("p1 end_turn",), by="host"))
    assert (await journal.entries("g")).entries == before


async def test_a_hub_that_comes_back_is_told_of_the_tap_again(evening):
    session, there, journal = evening
    text = await drawn(session)
    await session.say(Approval(actions=(text,), by="host"))
    entries = (await journal.entries("g")).entries
    again = Play(there.play.game, there.play.plan, MegaCity(Options(players=2), HOUSE).start)
    recall(again, entries, lambda told: replayed(told, BOX))
    assert again.umpire.position == there.play.umpire.position
    assert [one.action for one in again.umpire.provisional] == [text]
    assert final(again) == [True]
