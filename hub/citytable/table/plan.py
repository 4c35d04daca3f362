"""The plan: which stations and spots this table has, which sensors each spot has, and which tag is on which thing.

A plan is a JSON file. Virtual tables' are made by `full_plan` and `starter_plan`; a real table's is written by its
builder. A table without any sensor needs no file: `phones_plan` makes its plan.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, Hex
from citytable.table.sizes import SIZES
from citytable.table.spot import Spot

StationKind: TypeAlias = Literal["sector", "park", "seat", "supply"]

CELLS_MAX = 3
_NAME = re.compile("[A-Za-z0-9-]{1,32}")


class CellPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One load cell behind one HX711: grams = (counts - zero_counts) / counts_per_g. `calibrated`: on which day."""

    counts_per_g: float
    zero_counts: int
    capacity_g: int
    calibrated: date | None = None


class SpotPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One spot and its sensors.

    `crane_zero_mm`: the crane's reading with its paddle on the bare platform; `crane_scale`: millimetres of height for
    one of its range, if a block of known height was measured. `crane_beam`: a beam shows whether its paddle rests.
    """

    spot: Spot
    cells: tuple[CellPlan, ...] = ()
    reader: bool = False
    ring_leds: int = 0
    crane_zero_mm: float | None = None
    crane_scale: float | None = None
    crane_beam: bool = False


class StationPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One station: its name on the wire and its spots. `accelerometer`: its base has one, which hears knocks."""

    station: str
    kind: StationKind
    spots: tuple[SpotPlan, ...]
    button_seat: int | None = None
    accelerometer: bool = False


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole table. `tags` maps a tag's UID (lower-case hex) to the thing it is on."""

    table: str
    seats: int
    stations: tuple[StationPlan, ...]
    tags: dict[str, str]

    def spot_plans(self) -> dict[Spot, SpotPlan]:
        """Return every spot of the table with its sensors."""
        return {plan.spot: plan for station in self.stations for plan in station.spots}

    def station_of(self) -> dict[Spot, str]:
        """Return the station of each spot."""
        return {plan.spot: station.station for station in self.stations for plan in station.spots}

    def readers(self) -> frozenset[Spot]:
        """Return the spots with tag readers; things anywhere else are unknown."""
        return frozenset(spot for spot, plan in self.spot_plans().items() if plan.reader)

    def counts_per_g(self) -> dict[str, list[tuple[Spot, tuple[float, ...]]]]:
        """Return for each station with load cells its weighed spots, each with the counts per gram of its cells."""
        weighed = {
            station.station: [
                (one.spot, tuple(cell.counts_per_g for cell in one.cells)) for one in station.spots if one.cells
            ]
            for station in self.stations
        }
        return {station: spots_there for station, spots_there in weighed.items() if spots_there}

    def scales(self) -> frozenset[Spot]:
        """Return the spots that are weighed."""
        return frozenset(spot for spot, plan in self.spot_plans().items() if plan.cells)


class Misconfigured(ValueError):
    """A file of the installer is wrong: the text names the file, the error and what to do."""


def load_plan(path: Path) -> Plan:
    """Read a plan file; raises `Misconfigured`."""
    try:
        plan = msgspec.json.decode(path.read_bytes(), type=Plan)
    except OSError as error:
        raise Misconfigured(f"plan {path}: {error.strerror}: give the path of a plan file") from error
    except msgspec.DecodeError as error:
        raise Misconfigured(
            f"plan {path}: {error}: correct the file; docs/reference/plan.md lists its fields"
        ) from error
    if slips := [*_table_slips(plan), *(slip for station in plan.stations for slip in _spot_slips(station))]:
        raise Misconfigured(f"plan {path}: {'; '.join(slips)}: correct the file; see docs/reference/plan.md")
    return plan


def _table_slips(plan: Plan) -> Iterator[str]:
    """Yield the errors in the table, in its stations, and in the distribution of spots over them."""
    stations = [station.station for station in plan.stations]
    spots_there = [one.spot for station in plan.stations for one in station.spots]
    for name in (plan.table, *stations):
        if not _NAME.fullmatch(name):
            yield f"{name!r} is not a name: use 1-32 letters, digits or dashes"
    for name, n in Counter(stations).items():
        if n > 1:
            yield f"{n} stations are called {name!r}"
    for spot, n in Counter(spots_there).items():
        if n > 1:
            yield f"{spot!r} is there {n} times"
    for station in plan.stations:
        if station.button_seat is not None and not 1 <= station.button_seat <= plan.seats:
            yield f"{station.station} has the button of seat {station.button_seat}, of {plan.seats}"


def _spot_slips(station: StationPlan) -> Iterator[str]:
    """Yield the errors in the spots of a station."""
    if station.accelerometer and not any(one.cells for one in station.spots):
        yield f"{station.station} has an accelerometer and no load cell: nobody would ask what it hears"
    for one in station.spots:
        if not spots.is_spot(one.spot):
            yield f"{one.spot!r} is no spot of a table"
        if len(one.cells) > CELLS_MAX:
            yield f"{one.spot} has {len(one.cells)} cells, of at most {CELLS_MAX}"
        if any(cell.capacity_g <= 0 for cell in one.cells):
            yield f"{one.spot} has a cell that may carry nothing: capacity_g is what it may carry, in grams"
        if one.crane_beam and one.crane_zero_mm is None:
            yield f"{one.spot} has the beam of a crane and no crane: crane_zero_mm is missing"
        if one.ring_leds < 0:
            yield f"{one.spot} has {one.ring_leds} LEDs"


def check_calibrated(plan: Plan, path: Path | None) -> None:
    """Raise `Misconfigured` if a cell is not calibrated yet: its scale is 0."""
    plans = plan.spot_plans().values()
    bare = [one.spot for one in plans if any(not cell.counts_per_g for cell in one.cells)]
    if bare:
        raise Misconfigured(
            f"plan {path}: counts_per_g is 0 at {', '.join(bare)}: run citytable calibrate for each of these spots"
        )


def tag_uid(thing: str) -> str:
    """Return the made-up tag UID of a thing on the virtual table: seven bytes as an NTAG's, beginning with NXP's 04."""
    return "04" + hashlib.sha256(thing.encode()).hexdigest()[:12]


# An HX711 compares its cell with its own supply. At gain 128 it has 2**23 counts for 1/256 of it (data sheet, "analog
# input differential range"), so a cell of 1 mV/V under the load it may carry has these.
_COUNTS_AT_CAPACITY = 2**31 / 1000


def _cell(capacity_g: int) -> CellPlan:
    return CellPlan(counts_per_g=float(round(_COUNTS_AT_CAPACITY / capacity_g)), zero_counts=0, capacity_g=capacity_g)


def _sector_of(cell: Hex) -> int:
    """Return the sector of a hex, 1-6, around the centre; turning by 60 degrees maps one sector on the next."""
    turned = cell
    for sector in range(1, 7):
        if turned.q > 0 and turned.r >= 0:
            return sector
        turned = Hex(-turned.r, turned.q + turned.r)  # 60 degrees
    raise ValueError(f"{cell} is the centre: it has a station of its own")


def _city_spot(cell: Hex) -> SpotPlan:
    return SpotPlan(spot=spots.city(cell), cells=(_cell(1000),), reader=True, ring_leds=12)


def _pad_spot(spot: Spot) -> SpotPlan:
    cells, zero_mm = (_cell(1000),) * 3, SIZES.paddle_range_mm
    return SpotPlan(spot=spot, cells=cells, reader=True, ring_leds=12, crane_zero_mm=zero_mm, crane_beam=True)


def _seat_station(seat: int, *, accelerometer: bool) -> StationPlan:
    pads = tuple(_pad_spot(spots.pad(seat, k)) for k in range(spots.PADS_PER_SEAT))
    cards = tuple(SpotPlan(spot=spots.card(seat, k), reader=True) for k in range(spots.CARD_SLOTS_PER_SEAT))
    cradle = SpotPlan(spot=spots.bag(seat), cells=(_cell(3000),), reader=True)
    spots_there = (*pads, *cards, cradle)
    return StationPlan(f"seat-{seat}", "seat", spots_there, button_seat=seat, accelerometer=accelerometer)


def starter_plan(table: str, seats: int, things: tuple[str, ...]) -> Plan:
    """Return a table of seats alone: on their phones, people report everything that happens between them."""
    stations = tuple(_seat_station(n, accelerometer=False) for n in range(1, seats + 1))
    return Plan(table=table, seats=seats, stations=stations, tags={tag_uid(thing): thing for thing in things})


def phones_plan(table: str, seats: int) -> Plan:
    """Return a table without sensors: people report everything on their phones."""
    return Plan(table=table, seats=seats, stations=(), tags={})


_FOREIGN = "box/"


def foreign_thing(box: str, thing: str) -> str:
    """Return the name of a thing that belongs to another box than the one in play."""
    return f"{_FOREIGN}{box}/{thing}"


def foreign_box(thing: str) -> tuple[str, str]:
    """Return the other box of a thing, and its name there; an empty box name for a thing of this box."""
    if not thing.startswith(_FOREIGN):
        return "", thing
    box, _, own = thing.removeprefix(_FOREIGN).partition("/")
    return box, own


class SharedSpots(msgspec.Struct, frozen=True):
    """The spots between the players that a game needs on a virtual table, beside the pads, slots and cradles of seats.

    Hexes have a scale, a reader and a ring each; the spots of the supply have readers.
    """

    hexes: tuple[Hex, ...] = ()
    supply: tuple[Spot, ...] = ()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Return all of them."""
        return (*map(spots.city, self.hexes), *self.supply)


def full_plan(table: str, seats: int, shared: SharedSpots, things: tuple[str, ...]) -> Plan:
    """Return a table that senses everything and hears knocks, for `seats` players; `things` are tagged with `tag_uid`.

    Six sector stations share the hexes around the centre, which has a station of its own.
    """
    sectors = (
        StationPlan(
            station=f"sector-{n}",
            kind="sector",
            spots=tuple(_city_spot(cell) for cell in shared.hexes if cell != CENTRE and _sector_of(cell) == n),
            accelerometer=True,
        )
        for n in range(1, 7)
    )
    centre = (_city_spot(CENTRE),) if CENTRE in shared.hexes else ()
    park = StationPlan(station="park", kind="park", spots=centre, accelerometer=True)
    seat_stations = (_seat_station(n, accelerometer=True) for n in range(1, seats + 1))
    supply_spots = tuple(SpotPlan(spot=spot, reader=True) for spot in shared.supply)
    stations = (*sectors, park, *seat_stations, StationPlan(station="supply", kind="supply", spots=supply_spots))
    return Plan(
        table=table,
        seats=seats,
        stations=tuple(one for one in stations if one.spots),
        tags={tag_uid(thing): thing for thing in things},
    )
