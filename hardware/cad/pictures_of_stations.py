"""The drawings of whole stations and of the table: what stands on what."""

from collections.abc import Callable, Iterable

import bought
import case_sizes
import cell_base
import crane_carriage
import crane_checks
import crane_counterweight
import crane_head
import crane_paddle
import hex_plate
import sector_tray
import station_checks
import table_frame
import transport_case
from build123d import Align, Box, Location, Part, Pos, Rot
from dimensions import (
    BOLT_LONG,
    CASE_THICK,
    CELL_UNDERSIDE,
    COUNTERWEIGHT,
    PADS_AT,
    QUARTER,
    READER_AT_Y,
    ROD_AT,
    SEAT_BELOW,
    SECTOR,
    TRAY_TOP,
    centre,
    hexes,
    sector_middle,
)
from picture import Picture, Piece
from station_checks import Named

UP = (Align.CENTER, Align.CENTER, Align.MIN)
UP_BY = 70.0  # what is taken apart


def _named(parts: Iterable[Named], *starts: str) -> list[Part]:
    """Return the parts whose names begin so, from back to front."""
    found = [part for name, part in parts if name.startswith(starts)]
    return sorted(found, key=lambda part: -part.bounding_box().min.Y)


def _pieces(parts: Iterable[Part], label: str = "", is_new: bool = False) -> list[Piece]:
    """Return the pieces of equal parts; the nearest carries the label."""
    *others, last = parts
    return [*(Piece(part, "", is_new) for part in others), Piece(last, label, is_new)]


def _floor_of_seat() -> Picture:
    """The floor of a seat with the bases and cells of pads and bag."""
    parts = station_checks.seat_parts()
    bases = _named(parts, "base", "cell", "bag")
    on_floor = sorted(bases, key=lambda part: (-round(part.bounding_box().max.Y, 0), part.bounding_box().min.Z))
    cells = [Piece(part, "", part.bounding_box().max.Z > TRAY_TOP + 11) for part in on_floor]
    high = max(k for k, one in enumerate(cells) if one.is_new)
    cells[high] = cells[high]._replace(label="load cells")
    for start, label in (("base", "cell-base"), ("bag's base", "bag-base")):
        (*_, nearest) = _named(parts, start)
        k = next(k for k, part in enumerate(on_floor) if part is nearest)
        cells[k] = cells[k]._replace(label=label)
    modules = _modules(parts)
    pieces = (Piece(_named(parts, "floor")[0], "seat-floor"), *modules, *cells)
    return Picture(pieces=pieces, look_from=(0.2, -1.0, 1.0))


def _modules(parts: Iterable[Named]) -> list[Piece]:
    """Return the seat's HX711 modules; those of the first pad bear the numbers of their cells."""
    labels = {f"hx711 1.{cell}": f"hx711-module of cell {cell}" for cell in (1, 2, 3)}
    found = sorted(
        ((part, labels.get(name, "")) for name, part in parts if name.startswith("hx711")),
        key=lambda one: -one[0].bounding_box().min.Y,
    )
    return [Piece(part, label, True) for part, label in found]


def _top_of_seat() -> Picture:
    """Feet, floor, posts and top of a seat, with the bolts that hold them together."""
    parts = station_checks.seat_parts()
    posts = _named(parts, "post")
    bolts = [
        Pos(part.center().X, part.center().Y, TRAY_TOP - 190) * Rot(180, 0, 0) * bought.screw(6, BOLT_LONG)
        for part in posts
    ]
    return Picture(
        pieces=(
            *_pieces(bolts, "6 x m6x90-bolt", True),
            *_pieces([part.moved(Pos(0, 0, -40)) for part in _named(parts, "foot")], "6 x table-foot", True),
            Piece(_named(parts, "floor")[0], "seat-floor"),
            *_pieces([part.moved(Pos(0, 0, 40)) for part in posts], "6 x seat-post", True),
            Piece(_named(parts, "top")[0].moved(Pos(0, 0, 150)), "seat-top", True),
        ),
        look_from=(0.2, -1.0, 0.55),
    )


def _crane(at: Location, up: float) -> list[Piece]:
    """A crane whose carriage stands so high above its pad."""
    head_z = crane_head.UNDERSIDE_Z
    weight_z = head_z - crane_head.PARK_GAP - up - COUNTERWEIGHT[2]
    rods = [Pos(side * ROD_AT[0], ROD_AT[1], -SEAT_BELOW) * bought.rod() for side in (-1, 1)]
    parts = [
        crane_checks.crane_stop_at(),
        *rods,
        Pos(0, crane_head.COUNTERWEIGHT_Y, weight_z) * crane_counterweight.build(),
        Pos(0, 0, up) * crane_paddle.build(),
        Pos(0, 0, up) * crane_carriage.build(),
        Pos(0, 0, head_z) * crane_head.build(),
    ]
    return [Piece(at * part) for part in parts]


def _whole_seat() -> Picture:
    """A seat with its three cranes, one of them lowered."""
    parts = station_checks.seat_parts()
    cranes = [_crane(Pos(*at) * Rot(0, 0, QUARTER), up) for at, up in zip(PADS_AT, (255.0, 95.0, 255.0), strict=True)]
    cranes[0][-1] = cranes[0][-1]._replace(label="parked")
    cranes[1][-2] = cranes[1][-2]._replace(label="lowered")
    return Picture(
        pieces=(
            *_pieces(_named(parts, "foot")),
            Piece(_named(parts, "floor")[0]),
            *_pieces(_named(parts, "post")),
            Piece(_named(parts, "top")[0], "seat-top"),
            *_pieces(_named(parts, "pad"), "pad"),
            *(piece for crane in cranes for piece in crane),
            *_pieces(_named(parts, "card slot"), "card-slot"),
            Piece(_named(parts, "cradle")[0], "bag-cradle"),
        ),
        look_from=(0.35, -1.0, 0.6),
    )


def _tray_of_sector() -> Picture:
    """A sector's tray with its hexes and, below, its carrier."""
    places = sorted((centre(*one) for one in SECTOR), key=lambda at: -at[1])
    x, y = sector_middle()
    pieces = [
        Piece(Pos(x, y, -80) * bought.carrier(), "carrier", True),
        Piece(sector_tray.build(), "sector-tray"),
    ]
    for at_x, at_y in places:
        at = Pos(at_x, at_y + READER_AT_Y, -TRAY_TOP)
        base, cell = at * Pos(0, 0, TRAY_TOP) * cell_base.build(), at * Pos(0, 0, CELL_UNDERSIDE) * bought.cell()
        pieces += [Piece(base), Piece(cell)]
    plates = [Pos(*at, 110) * hex_plate.build() for at in places]
    return Picture(pieces=(*pieces, *_pieces(plates, "6 x hex-plate", True)), look_from=(0.25, -1.0, 0.8))


def _floor_of_table() -> Picture:
    """Feet, floor and posts of the table, and one tray on its way to its place."""
    parts = station_checks.table_parts()
    return Picture(
        pieces=(
            *_pieces(_named(parts, "foot"), "12 x table-foot", True),
            Piece(_named(parts, "floor")[0], "table-floor"),
            *_pieces(_named(parts, "post"), "6 x frame-post", True),
            Piece(_named(parts, "tray 0")[0].moved(Pos(0, 0, UP_BY)), "sector-tray", True),
            Piece(_named(parts, "park's tray")[0].moved(Pos(0, 0, UP_BY)), "park-tray", True),
        ),
        look_from=(0.2, -1.0, 0.8),
    )


def _whole_table() -> Picture:
    """The table: 37 plates in their frame."""
    parts = station_checks.table_parts()
    places = sorted((centre(*one) for one in hexes()), key=lambda at: -at[1])
    park = min(range(len(places)), key=lambda k: abs(places[k][0]) + abs(places[k][1]))
    plate = hex_plate.top()
    pieces = [Piece(Pos(*at, 0) * plate, "the park" if k == park else "", k == park) for k, at in enumerate(places)]
    pieces[-1] = pieces[-1]._replace(label="hex-plate")
    return Picture(
        pieces=(
            *_pieces(_named(parts, "foot")),
            Piece(_named(parts, "floor")[0]),
            *_pieces(_named(parts, "post")),
            Piece(table_frame.build(), "table-frame"),
            *pieces,
        ),
        look_from=(0.2, -1.0, 0.8),
    )


def _whole_supply() -> Picture:
    """The supply's tray with its slots."""
    parts = station_checks.supply_parts()
    return Picture(
        pieces=(
            *_pieces(_named(parts, "foot"), "4 x table-foot"),
            Piece(_named(parts, "tray")[0], "supply-tray"),
            *_pieces(_named(parts, "card slot"), "4 x card-slot, contracts", True),
            *_pieces(_named(parts, "platform slot"), "3 x platform-slot", True),
            *_pieces(_named(parts, "slot of landmark"), "4 x card-slot, landmarks", True),
        ),
        look_from=(0.2, -1.0, 0.9),
    )


def _case() -> Picture:
    """The case taken apart: two trays upright in the combs of its bottom, and the lid above."""
    along, across, high = case_sizes.inside()
    bottom, _, _ = case_sizes.panels()["bottom and lid"]
    sheet = Box(bottom, along + 2 * CASE_THICK, CASE_THICK, align=UP)
    front, back, lid_comb = station_checks.case_combs()
    x = transport_case.slots_x()
    stands = [Pos(at, 0, 0) * station_checks.case_tray() for at in (x[0], x[3])]
    side = Box(bottom, CASE_THICK, high, align=UP)
    end = Box(CASE_THICK, along, high, align=UP)
    lift = 1.1 * high
    return Picture(
        pieces=(
            Piece(Pos(0, 0, -CASE_THICK) * sheet, "bottom"),
            Piece(Pos(0, (along + CASE_THICK) / 2 + UP_BY, 0) * side, "side, one of two"),
            Piece(Pos((across + CASE_THICK) / 2 + UP_BY, 0, 0) * end, "end, one of two"),
            Piece(back, "comb"),
            Piece(stands[0], "sector-tray", True),
            Piece(stands[1], "", True),
            Piece(front, "comb"),
            Piece(Pos(0, 0, lift) * lid_comb, "comb of the lid"),
            Piece(Pos(0, 0, lift + high) * sheet, "lid"),
        ),
        look_from=(0.5, -1.0, 0.45),
    )


PICTURES: dict[str, Callable[[], Picture]] = {
    "floor-of-seat": _floor_of_seat,
    "top-of-seat": _top_of_seat,
    "whole-seat": _whole_seat,
    "tray-of-sector": _tray_of_sector,
    "floor-of-table": _floor_of_table,
    "whole-table": _whole_table,
    "whole-supply": _whole_supply,
    "case": _case,
}
"""Every drawing of a whole station, by its file's name."""
