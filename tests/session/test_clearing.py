"""Clearing up is no part of the game: nothing of it is inferred or written; it closes the game or goes back to it."""

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.journal.entry import Draft, GameEnded
from citytable.session.calm import IN_HAND_US
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.session.session import Session
from citytable.table.plan import tag_uid
from citytable.table.word import Amendment, ClearUp, Strike, Undo, UndoReply, UndoRequest
from citytable.umpire.clearing import FullBag

TILE = "platform/7/public"


async def written(journal):
    return [entry.body for entry in (await journal.entries("g")).entries]


async def test_while_it_is_cleared_up_what_is_read_is_counted_and_nothing_of_the_game_is_written(evening):
    session, there, journal = evening
    before = await written(journal)
    await session.say(ClearUp(do="begin", by="host"))
    assert "platform/7" in session.view().clearing.unseen
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    view = session.view()
    assert "platform/7" not in view.clearing.unseen
    assert [(one.kind, one.spots) for one in view.status.disagreements] == [("unexpected", ("city/1/0",))]
    assert (view.questions, view.provisional, there.play.take_facts()) == ((), (), ())
    assert there.play.take_counted() == ("platform/7",)
    assert await written(journal) == [*before, ClearUp(do="begin", by="host")]


async def test_while_it_is_cleared_up_nothing_becomes_an_alarm_of_the_game(evening):
    session, there, _ = evening
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    assert [one.state for one in session.view().status.disagreements if one.spots] == ["settling"]
    await session.say(ClearUp(do="begin", by="host"))
    session.view()
    assert not session._display.ripened(IN_HAND_US)


async def test_it_is_stopped_and_the_table_is_put_back_as_after_an_undo(evening):
    session, there, journal = evening
    position = there.play.umpire.position
    await session.say(ClearUp(do="begin", by="host"))
    await session.say(ClearUp(do="stop", by="host"))
    assert session.view().clearing is None
    assert (there.play.umpire.restoring, there.play.umpire.position) == (True, position)
    assert isinstance((await written(journal))[-1], Undo)


async def test_it_is_closed_and_the_game_is_abandoned_once(evening):
    session, _, journal = evening
    await session.say(ClearUp(do="close", by="host"))
    assert not any(isinstance(body, GameEnded) for body in await written(journal)), "nobody cleared up"
    await session.say(ClearUp(do="begin", by="host"))
    for _ in range(2):
        await session.say(ClearUp(do="close", by="host"))
    assert [body for body in await written(journal) if isinstance(body, GameEnded)] == [GameEnded("abandoned")]
    assert session.view().clearing.closed


def come_back(session, there, entries):
    """Another run of the hub, by the journal alone."""
    play = Play(there.play.game, there.play.plan, MegaCity(Options(players=2), HOUSE).position)
    recall(play, entries, session._replay)
    return Session("g", play, session._link, session._journal, replay=session._replay, now_us=int)


@pytest.mark.parametrize("ended", [False, True])
async def test_a_hub_that_comes_back_goes_on_clearing_up_with_what_was_counted(evening, ended):
    session, there, journal = evening
    if ended:
        await journal.commit("g", [Draft(90, "sensor", GameEnded("final"))])
    await session.say(ClearUp(do="begin", by="host"))
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    await session._commit(session._drafts((), session.now_us()))
    again = come_back(session, there, (await journal.entries("g")).entries)
    unseen = set(again.view().clearing.unseen)
    assert set(session.view().clearing.unseen) - unseen == {"bag"}, "it lay there in the game"
    assert "platform/7" not in unseen
    assert again._play.clearing._full == there.play.clearing._full
    await again.say(ClearUp(do="close", by="host"))
    at_last = come_back(again, there, (await journal.entries("g")).entries).view().clearing
    assert (at_last.closed, set(at_last.unseen)) == (True, unseen)


async def test_what_was_moved_meanwhile_is_known_to_a_hub_that_comes_back_before_it_is_put_back(evening):
    session, there, journal = evening
    there.hear("sector-1", there.birth())
    await session.say(ClearUp(do="begin", by="host"))
    there.hear("sector-1", there.tag("city/1/0", tag_uid(TILE)))
    await session.say(ClearUp(do="stop", by="host"))
    assert there.play.umpire.restoring
    again = come_back(session, there, (await journal.entries("g")).entries)
    assert again._play.umpire.restoring
    assert again._play.umpire.observed.at("city/1/0") == {TILE}


async def test_a_hub_that_comes_back_after_clearing_up_was_stopped_plays_on(evening):
    session, there, journal = evening
    for wish in ("begin", "stop"):
        await session.say(ClearUp(do=wish, by="host"))
    again = come_back(session, there, (await journal.entries("g")).entries)
    assert again.view().clearing is None
    assert again._play.umpire.restoring


async def test_what_is_put_right_in_the_record_meanwhile_stops_nothing(evening):
    session, there, journal = evening
    await session.say(ClearUp(do="begin", by="host"))
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    last = (await session.entries())[-1]
    await session.say(Amendment(entry=last.seq, action=last.body.action, by="host", why=""))
    assert "platform/7" not in session.view().clearing.unseen
    again = come_back(session, there, (await journal.entries("g")).entries)
    assert again.view().clearing is not None
    await session.say(ClearUp(do="close", by="host"))
    await session.say(Strike(entry=last.seq, by="host", why=""))
    assert session.view().clearing.closed
    assert (await written(journal))[-2:] == [Strike(entry=last.seq, by="host", why=""), GameEnded("abandoned")]


async def test_a_player_cannot_take_back_that_the_table_is_cleared(evening):
    session, _, journal = evening
    mine = next(one for one in await session.entries() if one.body.action.startswith("p1"))
    await session.say(UndoRequest(by="seat 1", to=mine.seq - 1))
    assert session.view().undo.waiting == (2,)
    await session.say(ClearUp(do="begin", by="host"))
    assert session.view().undo is None
    for said in (UndoReply(by="seat 2", agrees=True), UndoRequest(by="seat 1", to=mine.seq - 1)):
        with pytest.raises(ValueError, match="only the host can go on"):
            await session.say(said)
    await session.say(ClearUp(do="close", by="host"))
    with pytest.raises(ValueError, match="only the host can go on"):
        await session.say(UndoRequest(by="seat 1", to=(await session.entries())[-2].seq))
    assert (await written(journal))[-1] == GameEnded("abandoned")


async def test_the_full_bag_is_known_from_the_game(evening, bag_g):
    session, there, _ = evening
    await session.say(ClearUp(do="begin", by="host"))
    full = there.play.clearing._full
    assert isinstance(full, FullBag)
    empty_g, piece_g = bag_g
    assert full.mass_g == pytest.approx(empty_g + piece_g * HOUSE.all_pieces)
    assert full.piece_g == pytest.approx(piece_g)


async def test_what_is_put_right_after_the_last_weighing_counts_for_the_full_bag(evening, bag_g):
    session, there, _ = evening
    drawn = [one for one in await session.entries() if " take_pieces" in one.body.action]
    await session.say(Strike(entry=drawn[4].seq, by="host", why="he only looked"))
    await session.say(ClearUp(do="begin", by="host"))
    between = 3 * (len(drawn) - 1)
    assert there.play.clearing._full.piece_g == pytest.approx(bag_g[1] * between / (between - 3))
