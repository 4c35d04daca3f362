"""A play on a full virtual table for two, told what its stations said."""

from collections.abc import Callable
from typing import Any

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import TYPES, Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.link.inbox import Received
from citytable.link.wire_in import Birth, Clock, Inventory, Lying, TagSeen
from citytable.session.play import Play
from citytable.table.plan import full_plan

BOOT = 7
AT = Clock(0, 0)


class Table:
    """`tag`, `birth` and the rest make what a station said; `hear` lets the play have it."""

    def __init__(self) -> None:
        plan = full_plan("salon", 2, TYPES, things(HOUSE, 2))
        self.play = Play(MegaCityTable(HOUSE), plan, MegaCity(Options(players=2)).position)

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

    async def all_told(self) -> None:
        return

    def health(self):
        return ()


@pytest.fixture
def no_wire() -> NoWire:
    return NoWire()
