"""Draws as SVG, seen from above, where an accelerometer lies and where the cables of the rings run at each station.

stations.py writes the drawings to docs/pictures/build. Every measure is one of `hardware/cad/dimensions.py`; the ways
of the cables are those from which their lengths are computed (cable_lengths.py).
"""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Any

import cable_lengths
import cable_routes
from cable_routes import Block
from plan_picture import FAINT, INK, PAPER, Sheet, drawn

Flat = tuple[float, float]

NEW, LIGHT, WOOD, RING = "#ffd9a8", "#e3e6ea", "#f4f5f6", "#c9b48a"
SCALES = {"park": 5.0, "sector": 2.4, "seat": 1.3}
LINE_PX, LEGEND_PX = 17.0, 560.0  # from a line of the legend to the next; how wide it is
LEDS = f'fill="none" stroke="{INK}" stroke-width="4" stroke-linejoin="round"'
THIN = f'fill="none" stroke="{FAINT}" stroke-width="2" stroke-dasharray="5 3"'
MODULE, GREY = "orange: the accelerometer; dashed: its cable to the hole", "grey: bases of the cells, and HX711 modules"
BELOW = "; dashed box: the carrier, below"
LEGENDS = {
    "park": (MODULE, "two circles: the ring above; its cable goes down through the hole, to L1", GREY),
    "sector": (
        MODULE,
        "thick: from L1 through the hole to the first ring, then from ring to ring (this is sector 1)",
        GREY + BELOW,
    ),
    "seat": (MODULE, "thick: from L1 through the hole to the first ring, then from ring to ring", GREY),
}


def svg_of(kind: str) -> str:
    """Return the plan of a station of this kind, which weighs."""
    d = cable_lengths.dimensions()
    scale = SCALES[kind]
    if kind == "seat":
        left, right, front, back = d.SEAT
    else:
        chain = next(cable_lengths.chains()) if kind == "sector" else [(0.0, 0.0)]
        reach = d.PITCH / 3**0.5
        left, right = min(x for x, _ in chain) - d.PITCH / 2, max(x for x, _ in chain) + d.PITCH / 2
        front, back = min(y for _, y in chain) - reach, max(y for _, y in chain) + reach
    row = LINE_PX / scale
    legend = LEGENDS[kind]
    sheet = Sheet(left, max(right, left + LEGEND_PX / scale), front - row * (len(legend) + 0.5), back, scale)
    if kind == "seat":
        _seat(sheet, d)
    else:
        _tray(sheet, d, chain)
    for k, line in enumerate(legend, 1):
        sheet.text((left, front - row * k), line, anchor="start")
    return sheet.svg()


def _tray(sheet: Sheet, d: Any, chain: Sequence[Flat]) -> None:
    """Add a tray with its hexes in the order of their rings."""
    for x, y in chain:
        corners = [(x + d.PITCH / 3**0.5 * cos(a), y + d.PITCH / 3**0.5 * sin(a)) for a in _sixths()]
        sheet.line(corners, drawn(WOOD))
    is_sector = len(chain) > 1
    if is_sector:
        sheet.box(d.sector_middle(), d.BOARD, drawn("none", dashed=True))
    blocks = cable_routes.on_tray(d, chain)
    for block in blocks:
        sheet.box(block.middle, block.size, drawn(LIGHT))
    for number, (x, y) in enumerate(chain, 1):
        _ring(sheet, d, (x, y))
        sheet.disc((x, y + d.CABLE[1]), d.CABLE[0] / 2, drawn(PAPER))
        if is_sector:
            sheet.text((x, y + d.READER_AT_Y), f"place {number}")
    _chain(sheet, chain, blocks)
    x, y = d.centre(*d.LIS3DH_HEX) if is_sector else chain[0]
    _accelerometer(sheet, cable_routes.accelerometer(d, (x, y)), (x, y + d.CABLE[1]))


def _seat(sheet: Sheet, d: Any) -> None:
    """Add the floor of a seat."""
    left, right, front, back = d.SEAT
    sheet.box(((left + right) / 2, (front + back) / 2), (right - left, back - front), drawn(WOOD))
    sheet.box(d.SEAT_BOARD_AT, d.BOARD, drawn("none", dashed=True))
    blocks = cable_routes.on_floor(d)
    for block in blocks:
        if block.size == (d.POST, d.POST):
            sheet.disc(block.middle, d.POST / 2, drawn(PAPER))
        else:
            sheet.box(block.middle, block.size, drawn(LIGHT))
    for number, (x, y) in enumerate(d.PADS_AT, 1):
        _ring(sheet, d, (x, y))
        sheet.text((x, y + 44), f"pad {number}")
    for at in d.SEAT_CABLES_AT:
        sheet.disc(at, d.CABLE[0], drawn(PAPER))
    _chain(sheet, d.PADS_AT, blocks)
    _accelerometer(sheet, cable_routes.accelerometer(d), d.SEAT_CABLES_AT[0])
    sheet.text((d.BAG_AT[0] + d.BAG_CELL_AT_X, d.BAG_AT[1]), "bag")
    sheet.text((d.SEAT_BOARD_AT[0], d.SEAT_BOARD_AT[1] - 35), "carrier, below")


def _sixths() -> list[float]:
    return [pi / 6 + k * pi / 3 for k in range(7)]


def _ring(sheet: Sheet, d: Any, at: Flat) -> None:
    x, y = at
    for radius in (d.RING_OUTER / 2, d.RING_INNER / 2):
        sheet.disc((x, y + d.RING_AT_Y), radius, drawn("none", RING))


def _chain(sheet: Sheet, places: Sequence[Flat], blocks: Sequence[Block]) -> None:
    """Add the cables of the rings."""
    d = cable_lengths.dimensions()
    for one, two in pairwise(places):
        sheet.line(cable_lengths.ring_route(one, two, blocks), LEDS)
    x, y = places[0]
    first = (x, y + d.RING_AT_Y)
    hole = d.SEAT_CABLES_AT[0] if places == d.PADS_AT else (x, y + d.CABLE[1])
    sheet.line([first, hole], LEDS)
    for place in places:
        sheet.disc((place[0], place[1] + d.RING_AT_Y), 2.0, drawn(INK, INK))
    beside = d.CABLE[0] if places == d.PADS_AT else d.RING_OUTER / 2
    sheet.text((hole[0] - beside - 2, hole[1]), "to L1", anchor="end")


def _accelerometer(sheet: Sheet, lies: Block, hole: Flat) -> None:
    sheet.line([lies.middle, hole], THIN)
    sheet.box(lies.middle, lies.size, drawn(NEW, INK))
