"""Clearing up is no part of the game: nothing of it is inferred or written; it closes the game or goes back to it."""

import random

import pytest

from citytable.games.megacity.actions import EndTurn, SetUp, TakePieces
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import replayed
from citytable.journal.entry import (
    ActionConfirmed,
    ClearingBegun,
    Draft,
    FactNoted,
    GameEnded,
    GameStarted,
    Undone,
)
from citytable.journal.journal import Journal
from citytable.rehearsal.selfplay import Dealer
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table import spot as spots
from citytable.table.fact import MassSettled, TagCame, TagLeft
from citytable.table.plan import tag_uid
from citytable.umpire.clearing import FullBag
from citytable.views.clearing import ClearingWish

EMPTY_G, PIECE_G = 120.0, 5.0
TURNS = 8
TILE = "platform/7/public"


def bag_passed(game, seat):
    """What the sensors told when the bag came to the next cradle."""
    old, new = spots.bag(3 - seat), spots.bag(seat)
    mass_g = EMPTY_G + PIECE_G * game.position.bag
    return (
        TagLeft(t_us=0, spot=old, uid=tag_uid("bag"), thing="bag"),
        TagCame(t_us=0, spot=new, uid=tag_uid("bag"), thing="bag"),
        MassSettled(t_us=0, spot=old, mass_g=0.0, step_g=-mass_g, error_g=0.1),
        MassSettled(t_us=0, spot=new, mass_g=mass_g, step_g=mass_g, error_g=0.1),
    )


def turns(game):
    """The drafts of `TURNS` turns in which everybody takes pieces, as a hub writes them."""
    dealer = Dealer(random.Random(1))
    yield Draft(0, "system", GameStarted(game="megacity", options={"players": 2}, deck=HOUSE.name))
    wanted = [SetUp, *[kind for _ in range(TURNS) for kind in (TakePieces, EndTurn)]]
    for at_us, kind in enumerate(wanted, start=1):
        decision = next(one for one in game.legal_actions if isinstance(one, kind))
        game.push(dealer.outcome(game, decision))
        if kind is EndTurn:
            for fact in bag_passed(game, game.position.player):
                yield Draft(at_us, "sensor", FactNoted(fact=fact))
        yield Draft(at_us, "sensor", ActionConfirmed(action=str(game.actions[-1])))


@pytest.fixture
async def evening(tmp_path, table, no_wire):
    """A session in the middle of a game, what stations say to it, and its journal."""
    game, there = MegaCity(Options(players=2), HOUSE), table()
    async with Journal.open(tmp_path / "journal.sqlite3") as journal:
        await journal.commit("g", list(turns(game)))
        there.play = Play(there.play.game, there.play.plan, game.position, game.actions)
        session = Session(
            "g",
            there.play,
            no_wire,
            Safe(journal, patient=False),
            replayed=lambda entries: replayed(entries, HOUSE),
            now_us=int,
        )
        yield session, there, journal


async def written(journal):
    return [entry.body for entry in (await journal.entries("g")).entries]


async def test_while_it_is_cleared_up_what_is_read_is_counted_and_nothing_of_the_game_is_written(evening):
    session, there, journal = evening
    before = await written(journal)
    await session.clear_up(ClearingWish("begin", "host"))
    assert "platform/7" in session.view().clearing.unseen
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    view = session.view()
    assert "platform/7" not in view.clearing.unseen
    assert [(one.kind, one.spots) for one in view.status.disagreements] == [("unexpected", ("city/1/0",))]
    assert (view.questions, view.provisional, there.play.take_facts()) == ((), (), ())
    assert there.play.take_counted() == ("platform/7",)
    assert await written(journal) == [*before, ClearingBegun(by="host")]


async def test_it_is_stopped_and_the_table_is_put_back_as_after_an_undo(evening):
    session, there, journal = evening
    position = there.play.umpire.position
    await session.clear_up(ClearingWish("begin", "host"))
    await session.clear_up(ClearingWish("stop", "host"))
    assert session.view().clearing is None
    assert (there.play.umpire.restoring, there.play.umpire.position) == (True, position)
    assert isinstance((await written(journal))[-1], Undone)


async def test_it_is_closed_and_the_game_is_abandoned_once(evening):
    session, _, journal = evening
    await session.clear_up(ClearingWish("close", "host"))
    assert not any(isinstance(body, GameEnded) for body in await written(journal)), "nobody cleared up"
    await session.clear_up(ClearingWish("begin", "host"))
    for _ in range(2):
        await session.clear_up(ClearingWish("close", "host"))
    assert [body for body in await written(journal) if isinstance(body, GameEnded)] == [GameEnded("abandoned")]
    assert session.view().clearing.closed


def come_back(session, there, entries):
    """Another run of the hub, by the journal alone."""
    play = Play(there.play.game, there.play.plan, MegaCity(Options(players=2), HOUSE).position)
    recall(play, entries, session._replayed)
    return Session("g", play, session._link, session._journal, replayed=session._replayed, now_us=int)


@pytest.mark.parametrize("ended", [False, True])
async def test_a_hub_that_comes_back_goes_on_clearing_up_with_what_was_counted(evening, ended):
    session, there, journal = evening
    if ended:
        await journal.commit("g", [Draft(90, "sensor", GameEnded("final"))])
    await session.clear_up(ClearingWish("begin", "host"))
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    await journal.commit("g", session._drafts(()))
    again = come_back(session, there, (await journal.entries("g")).entries)
    unseen = set(again.view().clearing.unseen)
    assert set(session.view().clearing.unseen) - unseen == {"bag"}, "it lay there in the game"
    assert "platform/7" not in unseen
    assert again._play.clearing._full == there.play.clearing._full
    await again.clear_up(ClearingWish("close", "host"))
    at_last = come_back(again, there, (await journal.entries("g")).entries).view().clearing
    assert (at_last.closed, set(at_last.unseen)) == (True, unseen)


async def test_a_hub_that_comes_back_after_clearing_up_was_stopped_plays_on(evening):
    session, there, journal = evening
    for wish in ("begin", "stop"):
        await session.clear_up(ClearingWish(wish, "host"))
    again = come_back(session, there, (await journal.entries("g")).entries)
    assert again.view().clearing is None
    assert again._play.umpire.restoring


async def test_the_full_bag_is_known_from_the_game(evening):
    session, there, _ = evening
    await session.clear_up(ClearingWish("begin", "host"))
    full = there.play.clearing._full
    assert isinstance(full, FullBag)
    assert full.mass_g == pytest.approx(EMPTY_G + PIECE_G * HOUSE.all_pieces)
    assert full.piece_g == pytest.approx(PIECE_G)
