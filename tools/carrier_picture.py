"""Draws each carrier from above as SVG: where on its board every part and every connector goes.

stations.py writes the drawings of all steps to docs/pictures/build; the places are those that a test checks for room.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import carriers

BOARD_MM = (160.0, 100.0)
EDGE_MM, ROW_EDGE_MM, GAP_MM = 3.0, 8.8, 2.0  # rows of connectors leave the corners free
HOLES_MM, HOLE_MM, SPACER_MM = (150.0, 90.0), 3.2, 7.0  # from middle to middle; across a hole; across a spacer
PITCH_MM, HOUSING_MM, DEEP_MM = 2.5, 4.9, 5.8  # JST XH: from pin to pin, beyond the pins, front to back
ROWS = {"C": (6.0,), "KMALB": (22.0,), "R": (88.0, 74.0)}  # connectors by their letter: distance from the upper edge
SCALE, FOOT_PX, SIDE_PX = 4.4, 90.0, 22.0
HOLES_A_LINE = 5  # of the grid, between two numbers
EXPANDER_ROWS = (  # of the module that bom.csv names first, seen from above, by its maker's board file: as printed
    ("IA", "IB", "D0", "D1", "D2", *(f"B{k}" for k in range(7, -1, -1))),
    ("VIN", "GND", "SCL", "SDA", "Rst", *(f"A{k}" for k in range(8))),
)
EXPANDER_PRINTS = {"VCC": "VIN", "RESET": "Rst"} | {f"ADDR{k}": f"D{k}" for k in range(3)}  # GPA0 is A0, and so on
ROW_FROM_LEFT_MM, ROW_FROM_EDGE_MM, GRID_MM = 6.35, 2.54, 2.54
ONE_BELOW = ("U1", "U2")  # their pin 1 is at the lower left: the Pico's USB plug and the chip's notch point to the left
NEW, OLD, PAPER, BOARD = ("#ffd9a8", "#9a3b00"), ("#ffffff", "#5b6470"), "#ffffff", "#eef1ec"
GRID, NUMBERED = "#dde3d8", "#b9c4b0"


class Placed(NamedTuple):
    """A part on the board: its name, its upper left corner and its size in millimetres, its pins if it is a port."""

    name: str
    x_mm: float
    y_mm: float
    wide_mm: float
    deep_mm: float
    pins: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """Return what stands before the number in its name."""
        return self.name.split()[0].rstrip(".0123456789")


FIXED = (
    Placed("U1 Pico, USB to the left", EDGE_MM, 42.0, 51.0, 21.0),
    Placed("U3 MCP23017", 62.0, 40.0, 43.2, 17.8),
    Placed("U2 AHCT125", 62.0, 61.0, 20.0, 8.0),
    Placed("RL1", 86.0, 62.0, 10.0, 4.0),
    Placed("E1", 100.0, 60.0, 10.0, 10.0),
    Placed("D1", 118.0, 60.0, 10.0, 4.0),
    Placed("F1", 132.0, 58.0, 9.0, 7.0),
    Placed("P1 + left", 140.0, 44.0, 14.0, 10.0),
)


def placed(plan: dict[str, Any]) -> list[Placed]:
    """Return every part of a plan's carrier in its place; raise `ValueError` if the board is too small."""
    used = {part for nodes in carriers.netlist(plan).values() for part, _ in nodes}
    found = [part for part in FIXED if part.name.split()[0] in used]
    for letters, rows in ROWS.items():
        ports = [part for part in used if part[0] in letters and part[1].isdigit()]
        ports.sort(key=lambda port: (letters.index(port[0]), float(port[1:])))
        found += _in_rows(ports, rows)
    return found


def expander_print(pin: str) -> str:
    """Return what the module of the expander prints at a pin of the netlist."""
    return EXPANDER_PRINTS.get(pin, pin.removeprefix("GP"))


def holes() -> list[tuple[float, float]]:
    """Return the middles of a board's four holes, from its upper left corner."""
    beside, below = ((board - apart) / 2 for board, apart in zip(BOARD_MM, HOLES_MM, strict=True))
    return [(x, y) for x in (beside, BOARD_MM[0] - beside) for y in (below, BOARD_MM[1] - below)]


def svg_of(plan: dict[str, Any], new: Collection[str]) -> str:
    """Return the drawing of a plan's carrier; parts with the letters in `new` before their number are tinted."""
    wide, deep = (SCALE * mm for mm in BOARD_MM)
    width, height = wide + 2 * SIDE_PX, deep + FOOT_PX
    size = f'width="{wide:.0f}" height="{deep:.0f}" rx="4"'
    body = [f'<rect x="{SIDE_PX:g}" y="{SIDE_PX:g}" {size} fill="{BOARD}" stroke="{OLD[1]}"/>']
    body += _grid()
    for x_mm, y_mm in holes():
        at = f'cx="{SIDE_PX + SCALE * x_mm:.1f}" cy="{SIDE_PX + SCALE * y_mm:.1f}"'
        body.append(f'<circle {at} r="{SCALE * HOLE_MM / 2:.1f}" fill="{PAPER}" stroke="{OLD[1]}"/>')
    parts = placed(plan)
    for part in parts:
        body += _drawn(part, NEW if part.letters in new else OLD)
    body += _legend(sorted({part.name[0] for part in parts if part.pins}), new, deep + SIDE_PX + 20)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    paper = f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    return "\n".join([f'{head} font-family="sans-serif" font-size="12">', paper, *body, "</svg>"]) + "\n"


def grid_mm(board_mm: float) -> list[float]:
    """Return where the rows of holes are along one side of a board, from its corner: as many as there is room for."""
    rows = int(board_mm / GRID_MM)
    edge = (board_mm - (rows - 1) * GRID_MM) / 2
    return [edge + k * GRID_MM for k in range(rows)]


def _grid() -> Iterator[str]:
    """The rows of holes as faint lines, every fifth with its number, counted from the upper left corner."""
    wide, deep = (SCALE * mm for mm in BOARD_MM)
    for is_column, side_mm in ((True, BOARD_MM[0]), (False, BOARD_MM[1])):
        for number, at_mm in enumerate(grid_mm(side_mm), 1):
            at, ink = SIDE_PX + SCALE * at_mm, GRID if number % HOLES_A_LINE else NUMBERED
            way = f"M{at:.1f} {SIDE_PX}v{deep:.1f}" if is_column else f"M{SIDE_PX} {at:.1f}h{wide:.1f}"
            yield f'<path d="{way}" fill="none" stroke="{ink}"/>'
            if number % HOLES_A_LINE == 0:
                x, y = (at, SIDE_PX - 6) if is_column else (SIDE_PX - 11, at + 4)
                style = f'text-anchor="middle" font-size="10" fill="{OLD[1]}"'
                yield f'<text x="{x:.1f}" y="{y:.1f}" {style}>{number}</text>'


def _in_rows(ports: list[str], rows: tuple[float, ...]) -> Iterator[Placed]:
    lines = iter(rows)
    x_mm, y_mm = ROW_EDGE_MM, next(lines, None)
    for port in ports:
        pins = carriers.PORTS[port[0]]
        wide_mm = (len(pins) - 1) * PITCH_MM + HOUSING_MM
        if x_mm + wide_mm > BOARD_MM[0] - ROW_EDGE_MM:
            x_mm, y_mm = ROW_EDGE_MM, next(lines, None)
        if y_mm is None:
            raise ValueError(f"{port} has no room on a board of {BOARD_MM} mm")
        yield Placed(port, x_mm, y_mm, wide_mm, DEEP_MM, pins)
        x_mm += wide_mm + GAP_MM


def _drawn(part: Placed, colours: tuple[str, str]) -> Iterator[str]:
    fill, ink = colours
    x, y = SIDE_PX + SCALE * part.x_mm, SIDE_PX + SCALE * part.y_mm
    wide, deep = SCALE * part.wide_mm, SCALE * part.deep_mm
    yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{deep:.1f}" fill="{fill}" stroke="{ink}"/>'
    for k in range(len(part.pins)):
        at = x + SCALE * (HOUSING_MM / 2 + k * PITCH_MM)
        mark = ink if k == 0 else "none"
        yield f'<circle cx="{at:.1f}" cy="{y + deep / 2:.1f}" r="2.6" fill="{mark}" stroke="{ink}"/>'
    if part.name[:2] in ONE_BELOW:
        yield f'<circle cx="{x + 6:.1f}" cy="{y + deep - 6:.1f}" r="2.6" fill="{ink}" stroke="{ink}"/>'
    if part.name.startswith("U3"):
        yield from _expander_rows(x, y, deep, ink)
    inside = not part.pins and wide > 7 * len(part.name)
    below = y + deep + 13 if part.y_mm < BOARD_MM[1] / 2 or not part.pins else y - 4
    yield (
        f'<text x="{x + wide / 2:.1f}" y="{y + deep / 2 + 4 if inside else below:.1f}" text-anchor="middle" '
        f'fill="{ink}">{part.name}</text>'
    )


def _expander_rows(x: float, y: float, deep: float, ink: str) -> Iterator[str]:
    """Both rows of the expander's pins with their prints, which run from each pin towards the middle."""
    edge = SCALE * ROW_FROM_EDGE_MM
    for row, at_y, side in zip(EXPANDER_ROWS, (y + edge, y + deep - edge), (1, -1), strict=True):
        for k, name in enumerate(row):
            at_x = x + SCALE * (ROW_FROM_LEFT_MM + k * GRID_MM)
            yield f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="2.6" fill="none" stroke="{ink}"/>'
            turned = f'transform="rotate(-90 {at_x + 3:.1f} {at_y + 5 * side:.1f})" font-size="8" fill="{ink}"'
            anchor = "end" if side == 1 else "start"
            yield f'<text x="{at_x + 3:.1f}" y="{at_y + 5 * side:.1f}" text-anchor="{anchor}" {turned}>{name}</text>'


def _legend(letters: Iterable[str], new: Collection[str], top: float) -> Iterator[str]:
    """One line for each kind of connector: its pins in order, the first one filled."""
    texts = [(letter, f"{letter}: {' '.join(carriers.PORTS[letter])}") for letter in letters]
    for k, (letter, text) in enumerate(texts):
        ink = NEW[1] if letter in new else OLD[1]
        yield f'<text x="{SIDE_PX + 240 * (k % 3):g}" y="{top + 17 * (k // 3):.0f}" fill="{ink}">{text}</text>'
