"""A play on a full virtual table for two, told what its stations said."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from citytable.games.megacity.actions import EndTurn, SetUp, TakePieces
from citytable.games.megacity.box import BOX
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.old_options import in_full
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.entry import ActionConfirmed, Draft, FactNoted, GameStarted
from citytable.journal.journal import Journal
from citytable.link.inbox import Received
from citytable.link.wire_in import Birth, Clock, Inventory, Lying, TagSeen
from citytable.session.play import Play
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table import spot as spots
from citytable.table.fact import MassSettled, TagCame, TagLeft
from citytable.table.plan import full_plan, tag_uid

BOOT = 7
AT = Clock(0, 0)
PLAN = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))
EMPTY_G, PIECE_G = 120.0, 5.0
TURNS = 8


class Table:
    """`tag`, `birth` and the rest make what a station said; `hear` lets the play have it."""

    def __init__(self) -> None:
        self.play = Play(MegaCityTable(HOUSE), PLAN, MegaCity(Options(players=2)).position)

    def hear(self, station: str, *said: Any, t_us: int = 0) -> None:
        self.play.hear([Received(station, BOOT, message, t_us, t_us) for message in said], t_us)

    def birth(self) -> Birth:
        return Birth(boot=BOOT, kind="sector", firmware="test", at=AT, spots=())

    def tag(self, spot: str, uid: str) -> TagSeen:
        return TagSeen(boot=BOOT, event_seq=1, at=AT, spot=spot, uid=uid, here=True)

    def inventory(self, **lying: str) -> Inventory:
        tags = tuple(Lying(spot.replace("_", "/"), uid) for spot, uid in lying.items())
        return Inventory(boot=BOOT, event_seq=1, at=AT, tags=tags)

    def lying(self) -> dict[str, frozenset[str]]:
        """What the play believes to lie where."""
        return {spot: there for spot, there in self.play.umpire.observed.lying.items() if there}


@pytest.fixture
def table() -> Callable[[], Table]:
    return Table


class NoWire:
    """Stations that say nothing and show nothing."""

    async def publish_light(self, station, rings):
        return False

    async def all_caught_up(self) -> None:
        return

    def health(self):
        return ()

    def standing(self):
        return ()


@pytest.fixture
def no_wire() -> NoWire:
    return NoWire()


@pytest.fixture
def bag_g() -> tuple[float, float]:
    """What the bag weighs with nothing in it, and each of its pieces."""
    return EMPTY_G, PIECE_G


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
    yield Draft(
        0,
        "system",
        GameStarted(
            game="megacity",
            options=in_full(Options(players=2)),
            deck=HOUSE.name,
            deck_sha256=BOX.fingerprint(),
            plan=PLAN,
        ),
    )
    wanted = [SetUp, *[kind for _ in range(TURNS) for kind in (TakePieces, EndTurn)]]
    for at_us, kind in enumerate(wanted, start=1):
        decision = next(one for one in game.legal_actions if isinstance(one, kind))
        game.push(dealer.outcome(game, decision))
        if kind is EndTurn:
            for fact in bag_passed(game, game.position.player):
                yield Draft(at_us, "sensor", FactNoted(fact=fact))
        yield Draft(at_us, "sensor", ActionConfirmed(action=str(game.actions[-1])))


@pytest.fixture
def turns_of():
    return turns


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
            replay=lambda entries: replayed(entries, BOX),
            now_us=int,
        )
        yield session, there, journal
