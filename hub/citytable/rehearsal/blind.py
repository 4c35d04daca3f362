"""What a table does not sense: spots without a reader or a scale, and a station that goes in mid-game for good.

What happens there, people say.
"""

import random
from collections.abc import Set as AbstractSet

from citytable.table.plan import Plan, StationPlan
from citytable.table.spot import Spot


class Blind:
    """A table of this plan whose stations `lost` are switched off in mid-game."""

    def __init__(self, plan: Plan, lost: tuple[StationPlan, ...] = ()) -> None:
        self.lost = tuple(one.station for one in lost)
        self._gone = frozenset(there.spot for one in lost for there in one.spots)
        self._readers = plan.readers()
        self._scales = plan.scales() & plan.readers()  # without a reader nobody knows what is weighed
        self._off = False

    def due(self, *, mid_game: bool) -> bool:
        """Return whether somebody pulls the plugs now; true once."""
        if self._off or not self.lost or not mid_game:
            return False
        self._off = True
        self._readers -= self._gone
        self._scales -= self._gone
        return True

    def is_off(self, station: str) -> bool:
        """Return whether this station is unplugged for good."""
        return self._off and station in self.lost

    def reads(self, spots: AbstractSet[Spot]) -> bool:
        """Return whether all of these spots have a reader that works."""
        return spots <= self._readers

    def weighs(self, spots: AbstractSet[Spot]) -> bool:
        """Return whether all of these spots have a scale that works."""
        return spots <= self._scales


def lost_sector(plan: Plan, rng: random.Random) -> Blind:
    """Return a table that loses a sector, drawn by `rng`, in mid-game."""
    return Blind(plan, (rng.choice([station for station in plan.stations if station.kind == "sector"]),))
