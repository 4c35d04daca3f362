"""Stations of the plan that are not there from the beginning: what lies on their spots is unknown, not nothing."""

from collections.abc import Iterable

from citytable.table.fact import Fact, StationCame, StationWent
from citytable.table.plan import Plan

START_US = 30_000_000  # by then a station that has power has joined the network and said so


class Absent:
    """Waits for every station of a plan to speak for the first time."""

    def __init__(self, plan: Plan) -> None:
        self._awaited = {one.station: tuple(there.spot for there in one.spots) for one in plan.stations}
        self._since_us: int | None = None

    def mind(self, facts: Iterable[Fact]) -> None:
        """A station that came is there, and of one that went it is known."""
        for fact in facts:
            if isinstance(fact, StationCame | StationWent):
                self._awaited.pop(fact.station, None)

    def advance(self, t_us: int) -> tuple[StationWent, ...]:
        """Time has come to `t_us` (hub time): those who have not spoken since this was first asked are not there."""
        if self._since_us is None:
            self._since_us = t_us
        if t_us < self._since_us + START_US:
            return ()
        missing, self._awaited = self._awaited, {}
        return tuple(StationWent(t_us=t_us, station=station, spots=spots) for station, spots in missing.items())
