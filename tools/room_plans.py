"""Draws two plans as SVG: what stands round the table on the surface that bears it, and what is plugged in where.

stations.py writes them to docs/pictures/build. Every measure of the first is one of `hardware/cad/dimensions.py`.
"""

from math import ceil, cos, pi, sin, sqrt

import ports
from cable_lengths import dimensions
from plan_picture import INK, PAPER, Sheet, drawn

NEW, LIGHT, WOOD = "#ffd9a8", "#e3e6ea", "#f4f5f6"
SCALE, GAP_MM, STEP_MM = 0.42, 3.0, 50.0
RIM_DEEP_MM = 45.0  # how far in the Pi lies, in the drawing
READY_SIZE = (720.0, 262.0)
LINE = f'fill="none" stroke="{INK}" stroke-width="3"'

Box = tuple[float, float, float, float]
"""Its middle, and how wide and deep it is."""


def frame_mm() -> float:
    """Return the diameter of the table's frame."""
    d = dimensions()
    return float(2 * (d.PITCH * (d.RADIUS + 0.5) * 2 / sqrt(3) + d.FRAME_RIM))


def seats_at() -> list[Box]:
    """Return four seats, the back of each at the frame."""
    d = dimensions()
    wide, deep = d.SEAT[1] - d.SEAT[0], d.SEAT[3] - d.SEAT[2]
    out = (frame_mm() + deep) / 2
    return [(0.0, -out, wide, deep), (out, 0.0, deep, wide), (0.0, out, wide, deep), (-out, 0.0, deep, wide)]


def supply_at() -> Box:
    """Return the supply: in a corner between two seats, as near to the frame as it goes."""
    d = dimensions()
    wide, deep = d.SUPPLY[1] - d.SUPPLY[0], d.SUPPLY[3] - d.SUPPLY[2]
    corner = ceil((frame_mm() / 2 + GAP_MM) / sqrt(2))
    beside = max(corner, seats_at()[0][2] / 2 + GAP_MM)
    return beside + wide / 2, beside + deep / 2, wide, deep


def surface_mm() -> float:
    """Return the side of the square that bears all of it."""
    reach = max(max(abs(x) + wide / 2, abs(y) + deep / 2) for x, y, wide, deep in (*seats_at(), supply_at()))
    return STEP_MM * ceil(2 * reach / STEP_MM)


def room_svg() -> str:
    """Return the table from above, with four seats and the supply, on the square that bears them."""
    d, half = dimensions(), surface_mm() / 2
    sheet = Sheet(-half, half, -half - 50, half, SCALE)
    sheet.box((0, 0), (2 * half, 2 * half), drawn(WOOD))
    sheet.disc((0, 0), frame_mm() / 2, drawn(LIGHT))
    for x, y in (d.centre(*one) for one in d.hexes()):
        corners = [(x + d.PLATE_FLAT / sqrt(3) * cos(a), y + d.PLATE_FLAT / sqrt(3) * sin(a)) for a in _sixths()]
        sheet.line(corners, drawn(PAPER))
    for x, y, wide, deep in seats_at():
        sheet.box((x, y), (wide, deep), drawn(NEW, INK))
        sheet.text((x, y), "seat")
    x, y, wide, deep = supply_at()
    sheet.box((x, y), (wide, deep), drawn(NEW, INK))
    sheet.text((x, y), "supply")
    _below_the_rim(sheet)
    side = f"{2 * half / 1000:.2f}"
    sheet.text(
        (0, -half - 30), f"the frame is {frame_mm() / 1000:.2f} m across, what it stands on {side} x {side} m at least"
    )
    return sheet.svg()


def ready_svg() -> str:
    """Return what is plugged in where when a station is ready to be adopted."""
    wide, high = READY_SIZE
    sheet = Sheet(0, wide, 0, high, 1.0)
    boxes = {
        "hub": (95.0, 200.0, "computer", "with three terminals"),
        "pico": (590.0, 200.0, "Pico, in its socket", "on the carrier"),
        "mains": (95.0, 60.0, "mains socket", ""),
        "supply": (340.0, 60.0, "supply-5v-4a", "5 V, 4 A"),
        "socket": (590.0, 60.0, "dc-socket", "its cable in P1"),
    }
    for one, two, label in (
        ("hub", "pico", f"usb-cable-micro, {ports.USB_CABLE_MM / 1000:g} m (not over Wi-Fi)"),
        ("mains", "supply", ""),
        ("supply", "socket", "its plug"),
        ("socket", "pico", ""),
    ):
        start, end = boxes[one][:2], boxes[two][:2]
        sheet.line([start, end], LINE)
        if label:
            sheet.text(((start[0] + end[0]) / 2, start[1] + 14), label)
    for x, y, name, more in boxes.values():
        sheet.box((x, y), (190, 66), drawn(NEW if name != "mains socket" else LIGHT, INK))
        sheet.text((x, y + (9 if more else 0)), name)
        sheet.text((x, y - 12), more, 10)
    return sheet.svg()


def _sixths() -> list[float]:
    return [pi / 6 + k * pi / 3 for k in range(7)]


def _below_the_rim(sheet: Sheet) -> None:
    """Add what lies below the rim, across from the supply, with its name in the corner that is free."""
    at = -(frame_mm() / 2 - RIM_DEEP_MM) / sqrt(2)
    corner = -surface_mm() / 2 + 140
    sheet.disc((at, at), RIM_DEEP_MM, drawn("none", INK, dashed=True))
    sheet.line(
        [(at - RIM_DEEP_MM / sqrt(2), at - RIM_DEEP_MM / sqrt(2)), (corner + 30, corner + 50)], drawn("none", INK)
    )
    for k, words in enumerate(("Pi, USB hub and", "mains strips:", "below the rim")):
        sheet.text((corner, corner + 30 - 36 * k), words)
