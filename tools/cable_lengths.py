"""How long each cable of a station has to be, from the geometry: where its ends are, and the holes it goes through.

The places come from `hardware/cad/dimensions.py` and `carrier_picture.py`. A carrier may hang either way round, and a
cable may belong to any place of its kind, so the longest way counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from math import ceil, dist
from pathlib import Path
from typing import Any

import cable_routes
import carrier_picture

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan

Point = tuple[float, float, float]
Flat = tuple[float, float]

ROOT = Path(__file__).resolve().parents[1]
SLACK_MM = 60.0  # to pull a plug, and to turn over on a bench what a cable hangs on
PLUG_BELOW_MM = 20.0  # from what a carrier hangs below to its plugs
STEP_MM = 50.0  # lengths are rounded up to these
BUTTON_MM = 25.0  # from a seat's top to the contacts of its button
CELL_WIRES = "cell-to-hx711"  # they come with the cell
SUPPLY = "supply-to-carrier"  # power.py's: it has a drop to keep


@cache
def dimensions() -> Any:
    """Return hardware/cad/dimensions.py, which needs no CAD."""
    spec = spec_from_file_location("dimensions", ROOT / "hardware/cad/dimensions.py")
    if spec is None or spec.loader is None:
        raise ImportError("hardware/cad/dimensions.py is missing")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def needed_mm(plan: dict[str, Any]) -> dict[str, int]:
    """Return the length of each cable of a station, rounded up; not of those that come with a part."""
    found: dict[str, float] = {}
    for cable, way in ways(plan):
        found[cable] = max(found.get(cable, 0.0), length_mm(way) + SLACK_MM)
    return {cable: int(STEP_MM * ceil(mm / STEP_MM)) for cable, mm in found.items()}


def length_mm(way: Sequence[Point]) -> float:
    """Return the length of a way from point to point."""
    return sum(dist(one, two) for one, two in pairwise(way))


def ways(plan: dict[str, Any]) -> Iterator[tuple[str, list[Point]]]:
    """Yield the longest way of every cable from its module to its plug, and from each ring to the next."""
    yield from {"seat": _of_seat, "supply": _of_supply}.get(plan["kind"], _of_hexes)(plan)


def foil_wire_mm() -> int:
    """Return the length of the wire from a card slot's foil: out at the thumb's notch, and below to the reader."""
    d = dimensions()
    notch, far = -d.CARD[1] / 2, (d.CARD_READER_AT_X - d.READER[0] / 2, d.READER[1] / 2, 0.0)
    way = [(0.0, notch, d.READER[2] + d.SKIN), (0.0, notch, 0.0), far]
    return int(STEP_MM * ceil((length_mm(way) + SLACK_MM) / STEP_MM))


def _ports(plan: dict[str, Any], letter: str, middle: Flat, z: float) -> list[Point]:
    """Return where the plugs of a kind may be, whichever way round the carrier hangs."""
    wide, deep = carrier_picture.BOARD_MM
    found = []
    for part in carrier_picture.placed(plan):
        if part.pins and part.name[0] == letter:
            x, y = part.x_mm + part.wide_mm / 2 - wide / 2, part.y_mm + part.deep_mm / 2 - deep / 2
            found += [(middle[0] + a * x, middle[1] + b * y, z) for a in (-1, 1) for b in (-1, 1)]
    return found


def _longest(start: Sequence[Point], holes: Iterable[Flat], floor_z: float, ports: Iterable[Point]) -> list[Point]:
    """Return the longest way to one of the ports, each through the hole that makes it short."""
    found = []
    for port in ports:
        through = ([*start, (*hole, floor_z), (*hole, port[2]), port] for hole in holes)
        found.append(min(through, key=length_mm))
    return max(found, key=length_mm)


def _of_hexes(plan: dict[str, Any]) -> Iterator[tuple[str, list[Point]]]:
    d = dimensions()
    is_sector = plan["kind"] == "sector"
    middle = d.sector_middle() if is_sector else (0.0, 0.0)
    below = d.FLOOR_TOP if is_sector else d.FLOOR_TOP - d.FLOOR_THICK  # the park's carrier hangs below the floor
    z = below - PLUG_BELOW_MM
    hexes = d.SECTOR if is_sector else ((0, 0),)
    ports = {letter: _ports(plan, letter, middle, z) for letter in "RCLA"}
    for x, y in (d.centre(*one) for one in hexes):
        hole = (x, y + d.CABLE[1])
        reader, ring = (x, y + d.READER_AT_Y, -d.SKIN), (x, y + d.RING_AT_Y, -d.PLATE_THICK)
        module = (x + d.HX711[0] / 2, y, d.TRAY_TOP + d.HX711[1])  # the far corner of one that stands beside its base
        yield "reader-to-carrier", _longest([reader], [hole], d.TRAY_TOP, ports["R"])
        yield "hx711-to-carrier", _longest([module], [hole], d.TRAY_TOP, ports["C"])
        yield "ring-to-carrier", _longest([ring], [hole], d.TRAY_TOP, ports["L"])
    x, y = d.centre(*d.LIS3DH_HEX) if is_sector else (0.0, 0.0)
    at, hole = (x + d.HEX_LIS3DH_AT[0], y + d.HEX_LIS3DH_AT[1], d.TRAY_TOP), (x, y + d.CABLE[1])
    yield "accelerometer-to-carrier", _longest([at], [hole], d.TRAY_TOP, ports["A"])
    tray = cable_routes.on_tray(d, [d.centre(*one) for one in d.SECTOR])
    for chain in chains() if is_sector else ():
        for one, two in pairwise(chain):
            yield "ring-to-ring", _over(d, one, two, tray)


def chains() -> Iterator[list[Flat]]:
    """Yield the hexes of every sector in the order of its rings, each sector turned as the first one lies."""
    d = dimensions()
    sectors = [one for one in full_plan("table", 2, shared_spots(), ()).stations if one.kind == "sector"]
    for number, station in enumerate(sectors):
        hexes = [tuple(map(int, spot.spot.split("/")[1:])) for spot in station.spots]
        yield [d.turned(*d.centre(*one), -number) for one in hexes]


def ring_route(one: Flat, two: Flat, blocks: Sequence[cable_routes.Block]) -> list[Flat]:
    """Return the way of a cable from the ring of a hex or pad to that of the next, seen from above."""
    d = dimensions()
    return cable_routes.route((one[0], one[1] + d.RING_AT_Y), (two[0], two[1] + d.RING_AT_Y), blocks)


def _over(d: Any, one: Flat, two: Flat, blocks: Sequence[cable_routes.Block]) -> list[Point]:
    """Return the way from a ring down to what the bases stand on, along it beside them, and up to the next ring."""
    along = ring_route(one, two, blocks)
    return [(*along[0], -d.PLATE_THICK), *((x, y, d.TRAY_TOP) for x, y in along), (*along[-1], -d.PLATE_THICK)]


def _of_seat(plan: dict[str, Any]) -> Iterator[tuple[str, list[Point]]]:
    d = dimensions()
    z = d.TRAY_TOP - d.FRAME_THICK - PLUG_BELOW_MM
    ports = {letter: _ports(plan, letter, d.SEAT_BOARD_AT, z) for letter in "RCLAKMB"}

    def way(letter: str, *start: Point) -> list[Point]:
        return _longest(start, d.SEAT_CABLES_AT, d.TRAY_TOP, ports[letter])

    for x, y in d.PADS_AT:
        yield "reader-to-carrier", way("R", (x, y + d.READER_AT_Y, -d.SKIN))
        for module_x, module_y, _ in d.PAD_HX711_AT:
            yield "hx711-to-carrier", way("C", (x + module_x, y + module_y, d.TRAY_TOP))
        over_rods, hole = (x - d.ROD_AT[1], y), (x + d.CRANE_CABLES_AT[0], y + d.CRANE_CABLES_AT[1])
        down = [(*hole, 0.0), (*hole, d.TRAY_TOP)]
        sensor_z = d.PLATFORM_THICK + d.PADDLE[1] + d.PADDLE_RANGE
        yield "crane-to-carrier", way("K", (x, y, sensor_z), (*over_rods, sensor_z), *down)
        parked_z = sensor_z - d.PARK_RANGE
        far = (x, y + d.PADDLE[0] / 2, parked_z)  # the half of the beam on the other side of the ring
        round_ring = (x - d.PADDLE[0] / 2, y + d.PADDLE[0] / 2, parked_z)
        yield "beam-to-carrier", way("M", far, round_ring, (*over_rods, parked_z), *down)
    yield "ring-to-carrier", way("L", (d.PADS_AT[0][0], d.PADS_AT[0][1] + d.RING_AT_Y, -d.PLATE_THICK))
    for x, y in d.CARDS_AT:
        hole = (x + d.CARD_CABLE_AT_X, y)
        yield "reader-to-carrier", way("R", (x + d.CARD_READER_AT_X, y, d.READER[2]), (*hole, 0.0), (*hole, d.TRAY_TOP))
    x, y = d.BAG_AT
    yield "reader-to-carrier", way("R", (x, y, 0.0))
    yield "hx711-to-carrier", way("C", (x + d.BAG_HX711_AT[0], y + d.BAG_HX711_AT[1], d.TRAY_TOP))
    yield "button-to-carrier", way("B", (*d.BUTTON_AT, -BUTTON_MM))
    yield "accelerometer-to-carrier", way("A", (*d.SEAT_LIS3DH_AT[:2], d.TRAY_TOP))
    for one, two in pairwise(d.PADS_AT):
        yield "ring-to-ring", _over(d, one, two, cable_routes.on_floor(d))


def _of_supply(plan: dict[str, Any]) -> Iterator[tuple[str, list[Point]]]:
    d = dimensions()
    ports = _ports(plan, "R", d.SUPPLY_BOARD_AT, -d.FRAME_THICK - PLUG_BELOW_MM)
    for x, y in d.SUPPLY_PLATFORMS_AT:
        yield "reader-to-carrier", _longest([(x, y, d.READER[2])], [(x, y)], 0.0, ports)
    for x, y in (*d.SUPPLY_CARDS_AT, *d.SUPPLY_LANDMARKS_AT):
        start = (x + d.CARD_READER_AT_X, y, d.READER[2])
        yield "reader-to-carrier", _longest([start], [(x + d.CARD_CABLE_AT_X, y)], 0.0, ports)
