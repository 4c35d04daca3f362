"""The record: what an action may have been, and who may put it right."""

import pytest

from citytable.rules.errors import Unfitting
from citytable.table.word import Amendment, GoBack, Insertion, Strike
from citytable.views.answers import other_way
from citytable.views.signal import NoEntry


async def drawn(session):
    """The first draw of the second player."""
    return next(one for one in await session.entries() if one.body.action.startswith("p2 take_pieces"))


async def test_the_ways_are_those_of_the_position_before_the_action(evening):
    session, _, _ = evening
    entry = await drawn(session)
    ways = await session.record.otherwise(entry.seq)
    assert other_way("strike", "") in ways
    assert {way.action.split()[0] for way in ways if way.action} == {"p2"}
    assert entry.body.action not in {way.action for way in ways if way.how == "amend"}


async def test_what_is_no_action_that_stands_has_no_ways(evening):
    session, _, _ = evening
    entry = await drawn(session)
    await session.say(Strike(entry=entry.seq, by="host"))
    for seq in (1, entry.seq, 9999):
        with pytest.raises(NoEntry):
            await session.record.otherwise(seq)


async def test_an_action_that_was_put_in_has_ways_under_its_own_number(evening):
    session, _, _ = evening
    entry = await drawn(session)
    way = next(one for one in await session.record.otherwise(entry.seq) if one.how == "insert")
    receipt = await session.say(Insertion(before=entry.seq, action=way.action, by="host"))
    assert other_way("strike", "") in await session.record.otherwise(receipt.was + 1)


async def test_a_player_puts_their_own_action_right_and_everybody_can_undo_it(evening):
    session, _, journal = evening
    entry = await drawn(session)
    way = next(one for one in await session.record.otherwise(entry.seq) if one.how == "amend")
    receipt = await session.say(Amendment(entry=entry.seq, action=way.action, by="seat 2"))
    assert way.action in {one.body.action for one in await session.entries()}
    last = (await journal.entries("g")).entries[receipt.was]
    assert (last.cause, last.body.by) == ("player", "seat 2")
    await session.say(GoBack(to=receipt.was, by="host"))
    assert entry in await session.entries()


async def test_players_put_nothing_right_that_another_did(evening):
    session, _, _ = evening
    before = await session.entries()
    with pytest.raises(Unfitting, match="not one of your actions"):
        await session.say(Strike(entry=(await drawn(session)).seq, by="seat 1"))
    assert await session.entries() == before


async def test_players_take_only_ways_that_are_offered_and_the_host_any(evening):
    session, _, _ = evening
    entry = await drawn(session)
    more = Amendment(entry=entry.seq, action="p2 take_pieces drawn=unknown:9", by="seat 2")
    with pytest.raises(Unfitting, match="not one of the corrections that are offered"):
        await session.say(more)
    fewer = Amendment(entry=entry.seq, action="p2 take_pieces drawn=unknown:2", by="host")
    await session.say(fewer)
    assert fewer.action in {one.body.action for one in await session.entries()}
