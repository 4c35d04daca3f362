"""Stations of the plan that are missing from the beginning: the things on their spots are unknown, not absent."""

from collections.abc import Iterable

from citytable.table.fact import Fact, StationCame, StationWent
from citytable.table.plan import Plan

START_US = 30_000_000  # by then a station with power has joined the network and reported


class Absent:
    """Waits for every station of a plan to speak for the first time."""

    def __init__(self, plan: Plan) -> None:
        self._awaited = {one.station: tuple(there.spot for there in one.spots) for one in plan.stations}
        self._since_us: int | None = None

    def mind(self, facts: Iterable[Fact]) -> None:
        """Note stations that came or went."""
        for fact in facts:
            if isinstance(fact, StationCame | StationWent):
                self._awaited.pop(fact.station, None)

    def advance(self, t_us: int) -> tuple[StationWent, ...]:
        """Advance to `t_us` (hub time): stations that have not reported since the first call are absent."""
        if self._since_us is None:
            self._since_us = t_us
        if t_us < self._since_us + START_US:
            return ()
        missing, self._awaited = self._awaited, {}
        return tuple(StationWent(t_us=t_us, station=station, spots=spots) for station, spots in missing.items())
