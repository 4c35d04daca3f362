"""Records excerpts: keeps the readings of a spot around the moments at which something happened there.

It remembers only the last seconds of a spot at rest. When a fact reports something on the spot, an excerpt begins with
the preceding readings, and continues until nothing more has happened for a while. The excerpts of a spot that never
comes to rest are cut into pieces. The readings around the last fall on a spot are kept longer, because people are asked
about it before it counts.
"""

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from citytable.journal.excerpt import Excerpt
from citytable.sensing.reading import (
    Button,
    CellQuiet,
    CellSamples,
    Inventory,
    Knocks,
    NoWeight,
    Reading,
    StationDown,
    StationUp,
)
from citytable.table.fact import Fact, Fell, HeightMeasured, MassMoving, MassSettled, SensorFault, TagCame, TagLeft
from citytable.table.plan import Plan
from citytable.table.spot import Spot

Happening: TypeAlias = TagCame | TagLeft | MassMoving | MassSettled | Fell | HeightMeasured | SensorFault
"""Facts of something that happened on a spot."""

LEAD_US = 3_000_000  # an excerpt begins so long before its first fact
TRAIL_US = 2_000_000  # and ends so long after its last fact
PIECE_US = 60_000_000
REMEMBERED_US = 6_000_000  # the lead, and the delay with which a fact may be reported
AROUND_FALL_US = 3_000_000


class _Open:
    """Hold an unfinished excerpt. `fact_came`: at least one fact came during it. `fell_us`: the time of a fall."""

    def __init__(self, from_us: int, readings: Iterable[Reading], *, moving: bool = False) -> None:
        self.from_us = from_us
        self.until_us = from_us
        self.moving = moving
        self.fact_came = False
        self.fell_us: int | None = None
        self.readings = list(readings)

    def fall(self, spot: Spot) -> Excerpt | None:
        """Return the readings of the spot around a fall; None: nothing fell."""
        if self.fell_us is None:
            return None
        from_us, until_us = self.fell_us - AROUND_FALL_US, self.fell_us + AROUND_FALL_US
        around = tuple(reading for reading in self.readings if from_us <= end_us(reading) <= until_us)
        return Excerpt(spot, from_us, until_us, around)


class ExcerptRecorder:
    """Take every reading with `read`, then the facts they led to with `note`; `over` returns complete excerpts."""

    def __init__(self, plan: Plan) -> None:
        self._recent: dict[Spot, deque[Reading]] = {spot: deque() for spot in plan.spot_plans()}
        self._open: dict[Spot, _Open] = {}
        self._falls: dict[Spot, Excerpt] = {}
        self._spots = {station.station: tuple(one.spot for one in station.spots) for station in plan.stations}
        self._scales = plan.scales()

    def read(self, reading: Reading) -> None:
        """Take a reading."""
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
        """Take the facts that the readings led to."""
        for fact in facts:
            if not isinstance(fact, Happening) or fact.spot not in self._recent:
                continue
            excerpt = self._open.get(fact.spot) or self._begin(fact.spot, fact.t_us - LEAD_US)
            if isinstance(fact, MassMoving | MassSettled):
                excerpt.moving = isinstance(fact, MassMoving)
            if isinstance(fact, Fell):
                excerpt.fell_us = None if fact.stage == "withdrawn" else fact.t_us
            excerpt.fact_came = True
            excerpt.until_us = max(excerpt.until_us, fact.t_us + TRAIL_US)

    def _begin(self, spot: Spot, from_us: int) -> _Open:
        lead = [reading for reading in self._recent[spot] if end_us(reading) >= from_us]
        self._recent[spot].clear()
        self._open[spot] = _Open(from_us, lead)
        return self._open[spot]

    def fall(self, spot: Spot) -> Excerpt | None:
        """Return the readings of a spot around its last fall; None: no fall was felt."""
        going_on = self._open.get(spot)
        return (None if going_on is None else going_on.fall(spot)) or self._falls.get(spot)

    def recent(self, station: str, now_us: int) -> tuple[Excerpt, ...]:
        """Return the last seconds of a station's spots up to `now_us` (hub time); raises `KeyError`."""
        return self.recent_at(self._spots[station], now_us)

    def recent_at(self, spots: Iterable[Spot], now_us: int) -> tuple[Excerpt, ...]:
        """Return the last seconds of spots up to `now_us` (hub time), without those that the plan does not have."""
        from_us, known = now_us - REMEMBERED_US, (spot for spot in spots if spot in self._recent)
        return tuple(Excerpt(spot, from_us, now_us, self._latest(spot, from_us)) for spot in known)

    def _latest(self, spot: Spot, from_us: int) -> tuple[Reading, ...]:
        readings = self._open[spot].readings if spot in self._open else self._recent[spot]
        return tuple(reading for reading in readings if end_us(reading) >= from_us)

    def over(self, now_us: int) -> list[Excerpt]:
        """Return the excerpts that are over by `now_us` (hub time)."""
        out = []
        for spot, excerpt in list(self._open.items()):
            goes_on = excerpt.moving or now_us <= excerpt.until_us
            if goes_on and now_us - excerpt.from_us <= PIECE_US:
                continue
            until_us = now_us if goes_on else excerpt.until_us
            del self._open[spot]
            if (fall := excerpt.fall(spot)) is not None:
                self._falls[spot] = fall
            if excerpt.readings:
                out.append(Excerpt(spot, excerpt.from_us, until_us, tuple(excerpt.readings)))
            if goes_on and excerpt.fact_came:  # a load that only moves, and nothing more, is a sensor that went away
                self._open[spot] = _Open(until_us, (), moving=excerpt.moving)
        return out

    def _spots_of(self, reading: Reading) -> tuple[Spot, ...]:
        match reading:
            case CellQuiet() | CellSamples():  # nearly all there are
                return (reading.spot,) if reading.spot in self._recent else ()
            case Inventory() | StationUp() | StationDown() | NoWeight():
                return self._spots.get(reading.station, ())
            case Knocks():
                return tuple(spot for spot in self._spots.get(reading.station, ()) if spot in self._scales)
            case Button():
                return ()
            case _:
                return (reading.spot,) if reading.spot in self._recent else ()


def end_us(reading: Reading) -> int:
    """Return the end of a reading in hub time; knocks come before the samples of the same time."""
    match reading:
        case CellQuiet(t_us=t_us):
            return t_us
        case CellSamples(t_us=times):
            return times[-1] if times else 0
        case Knocks(t_us=times, heard_us=heard_us):
            return times[0] if times else heard_us
        case _:
            return reading.t_us
