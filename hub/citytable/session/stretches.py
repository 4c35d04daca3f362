"""Stretches: of everything that stations say, what lies around the moments at which something happened on a spot.

A spot at rest remembers its last seconds only. When a fact tells of it, a stretch is begun with what led there, and it
goes on until nothing more has happened for a while. A spot that never comes to rest is cut into pieces.
"""

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from citytable.journal.stretch import Stretch
from citytable.sensing.reading import (
    Button,
    CellQuiet,
    CellSamples,
    Inventory,
    Knocks,
    Reading,
    StationDown,
    StationUp,
)
from citytable.table.fact import Fact, Fell, HeightMeasured, MassMoving, MassSettled, SensorFault, TagCame, TagLeft
from citytable.table.plan import Plan
from citytable.table.spot import Spot

Happening: TypeAlias = TagCame | TagLeft | MassMoving | MassSettled | Fell | HeightMeasured | SensorFault
"""Facts of something that happened on a spot."""

LEAD_US = 3_000_000  # so much before the fact that begins a stretch
TRAIL_US = 2_000_000  # and after the last one
PIECE_US = 60_000_000
REMEMBERED_US = 6_000_000  # the lead, and what a fact may be told later than it happened


class _Open:
    """A stretch that is not over. `told`: a fact came while it was."""

    def __init__(self, from_us: int, readings: Iterable[Reading], *, moving: bool = False) -> None:
        self.from_us = from_us
        self.until_us = from_us
        self.moving = moving
        self.told = False
        self.readings = list(readings)


class Stretches:
    """Give it every reading with `read`, then the facts they led to with `note`; `over` gives what is complete."""

    def __init__(self, plan: Plan) -> None:
        self._recent: dict[Spot, deque[Reading]] = {spot: deque() for spot in plan.spot_plans()}
        self._open: dict[Spot, _Open] = {}
        self._spots = {station.station: tuple(one.spot for one in station.spots) for station in plan.stations}
        self._scales = plan.scales()

    def read(self, reading: Reading) -> None:
        """A reading was heard."""
        for spot in self._spots_of(reading):
            if spot in self._open:
                self._open[spot].readings.append(reading)
                continue
            recent = self._recent[spot]
            recent.append(reading)
            forgotten_us = end_us(reading) - REMEMBERED_US
            while end_us(recent[0]) < forgotten_us:
                recent.popleft()

    def note(self, facts: Iterable[Fact]) -> None:
        """These facts were told."""
        for fact in facts:
            if not isinstance(fact, Happening) or fact.spot not in self._recent:
                continue
            stretch = self._open.get(fact.spot) or self._begin(fact.spot, fact.t_us - LEAD_US)
            if isinstance(fact, MassMoving | MassSettled):
                stretch.moving = isinstance(fact, MassMoving)
            stretch.told = True
            stretch.until_us = max(stretch.until_us, fact.t_us + TRAIL_US)

    def _begin(self, spot: Spot, from_us: int) -> _Open:
        lead = [reading for reading in self._recent[spot] if end_us(reading) >= from_us]
        self._recent[spot].clear()
        self._open[spot] = _Open(from_us, lead)
        return self._open[spot]

    def over(self, now_us: int) -> list[Stretch]:
        """The stretches that are over by `now_us` (hub time)."""
        out = []
        for spot, stretch in list(self._open.items()):
            goes_on = stretch.moving or now_us <= stretch.until_us
            if goes_on and now_us - stretch.from_us <= PIECE_US:
                continue
            until_us = now_us if goes_on else stretch.until_us
            del self._open[spot]
            if stretch.readings:
                out.append(Stretch(spot, stretch.from_us, until_us, tuple(stretch.readings)))
            if goes_on and stretch.told:  # what is told to move and nothing more is a sensor that went away
                self._open[spot] = _Open(until_us, (), moving=stretch.moving)
        return out

    def _spots_of(self, reading: Reading) -> tuple[Spot, ...]:
        match reading:
            case CellQuiet() | CellSamples():  # nearly all there are
                return (reading.spot,) if reading.spot in self._recent else ()
            case Inventory() | StationUp() | StationDown():
                return self._spots.get(reading.station, ())
            case Knocks():
                return tuple(spot for spot in self._spots.get(reading.station, ()) if spot in self._scales)
            case Button():
                return ()
            case _:
                return (reading.spot,) if reading.spot in self._recent else ()


def end_us(reading: Reading) -> int:
    """When a reading was over, in hub time; knocks come before the samples of the same time."""
    match reading:
        case CellQuiet(t_us=t_us):
            return t_us
        case CellSamples(t_us=times):
            return times[-1] if times else 0
        case Knocks(t_us=times, heard_us=heard_us):
            return times[0] if times else heard_us
        case _:
            return reading.t_us
