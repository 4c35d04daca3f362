"""Plain models of bought parts, as large as their makers say: for drawings, and for seeing what touches what."""

from math import cos, pi, sin

from build123d import Align, Box, Cylinder, Part, Pos, Rot
from dimensions import (
    BAG_CELL,
    BAG_CELL_HOLES_X,
    BAG_CELL_SCREWS,
    BEAM_BODY,
    BEARING,
    BOARD,
    BOARD_THICK,
    CELL,
    CELL_HOLE,
    CELL_HOLES,
    HX711,
    LIS3DH,
    PLATE_THICK,
    QUARTER,
    RANGER,
    RANGER_HIGH,
    READER,
    READER_AT_Y,
    RING_AT_Y,
    RING_INNER,
    RING_OUTER,
    ROD,
    ROLLER,
    ROLLER_FLANGE,
    SKIN,
    SPACER,
    WASHER,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
HEAD_HIGH = 3.0  # of a screw of 3 mm, at most


def cell() -> Part:
    """Return a 1 kg load cell: its underside at z = 0, its fixed end at -x."""
    length, width, height = CELL
    bar = Box(length, width, height, align=UP)
    for x in (-3.2, 3.2):  # the weak spot in its middle
        bar -= Pos(x, 0, height / 2) * Cylinder(2.4, 2 * width, rotation=(QUARTER, 0, 0))
    bar -= Pos(0, 0, height / 2) * Box(6.4, 2 * width, 1.6)
    for x, y in CELL_HOLES:
        for side in (-1, 1):
            bar -= Pos(side * (length / 2 - x), y, 0) * Cylinder(CELL_HOLE / 2 - 0.35, 40)
    return bar


def reader() -> Part:
    """Return a PN532 module: its antenna's side at z = 0, its parts below."""
    width, depth, height = READER
    module = Pos(0, 0, -1.6) * Box(width - 1, depth - 1, 1.6, align=UP)
    module += Pos(0, 4, -height) * Box(9, 9, height - 1.6, align=UP)
    return module + Pos(0, -depth / 2 + 4, -height) * Box(20, 3, height - 1.6, align=UP)


def ferrite() -> Part:
    """Return a reader's sheet of ferrite, lying on z = 0. It has the module's size, whose coil runs along the edge."""
    return Box(READER[0] - 1, READER[1] - 1, 0.3, align=UP)


def ring() -> Part:
    """Return a ring of 12 LEDs: its LEDs up, its underside at z = 0."""
    board = Cylinder(RING_OUTER / 2 - 0.3, 1.2, align=UP) - Cylinder(RING_INNER / 2 + 0.3, 9, align=UP)
    radius = (RING_OUTER + RING_INNER) / 4
    for k in range(12):
        angle = k * pi / 6
        board += Pos(radius * cos(angle), radius * sin(angle), 1.2) * Box(4, 4, 1.2, align=UP)
    return board


def in_plate() -> list[tuple[str, Part]]:
    """Return by name what hangs in a plate whose top is at z = 0: the reader with its ferrite, and the ring."""
    reader_at = Pos(0, READER_AT_Y, -SKIN)
    return [
        ("reader", reader_at * reader()),
        ("ferrite", reader_at * Pos(0, 0, -READER[2] - 0.3) * ferrite()),
        ("ring", Pos(0, RING_AT_Y, -PLATE_THICK) * ring()),
    ]


def hx711() -> Part:
    """Return an HX711 module, lying on z = 0."""
    length, width, height = HX711
    return Box(length, width, height / 2, align=UP) + Pos(-4, 0, height / 2) * Box(10, 5, height / 2, align=UP)


def hx711_at_base(side: float) -> Part:
    """Return an HX711 module that stands on z = 0, against a side that is so far from the middle of its cell's base."""
    return Pos(0, -side, HX711[1] / 2) * Rot(QUARTER, 0, 0) * hx711()


def accelerometer() -> Part:
    """Return a LIS3DH module, lying on z = 0: its board, as large as it may be, with its chip and two plugs."""
    length, width, height = LIS3DH
    module = Box(length, width, 1.6, align=UP) + Pos(0, 0, 1.6) * Box(3, 3, 1, align=UP)
    for side in (-1, 1):
        module += Pos(side * (length / 2 - 2.5), 0, 1.6) * Box(5, 6, height - 1.6, align=UP)
    return module


def screw(diameter: float, length: float) -> Part:
    """Return a socket head screw that points down: the underside of its head at z = 0."""
    shank = Cylinder(diameter / 2, length, align=(Align.CENTER, Align.CENTER, Align.MAX))
    return (
        shank
        + Cylinder(0.9 * diameter, diameter, align=UP)
        - Pos(0, 0, diameter / 2) * Cylinder(diameter / 3, diameter, align=UP)
    )


def bag_cell() -> Part:
    """Return a bar of 3 kg: its underside at z = 0, its fixed end at -x."""
    length, width, height = BAG_CELL
    bar = Box(length, width, height, align=UP)
    bar -= Pos(0, 0, height / 2) * Cylinder(4.2, 2 * width, rotation=(QUARTER, 0, 0))
    for x in BAG_CELL_HOLES_X:
        for side, hole in ((-1, BAG_CELL_SCREWS[0]), (1, BAG_CELL_SCREWS[1])):
            bar -= Pos(side * (length / 2 - x), 0, 0) * Cylinder(0.42 * hole, 40)  # before it is tapped
    return bar


def carrier() -> Part:
    """Return a carrier with its Pico and its connectors, as it hangs below z = 0."""
    top = -SPACER - BOARD_THICK
    board = Pos(0, 0, top) * Box(*BOARD, BOARD_THICK, align=UP)
    board += Pos(-45, 0, top - 10.4) * Box(51, 21, 11, align=UP)
    for y in (-BOARD[1] / 2 + 8, BOARD[1] / 2 - 8):
        for x in range(-64, 65, 16):
            board += Pos(x, y, top - 7.4) * Box(13, 6, 8, align=UP)
    return board


def rod() -> Part:
    """Return a crane's rod, standing on z = 0."""
    return Cylinder(ROD[0] / 2, ROD[1], align=UP)


def bearing() -> Part:
    """Return a linear bearing, standing on z = 0."""
    return Cylinder(BEARING[0] / 2, BEARING[1], align=UP) - Cylinder(ROD[0] / 2, 3 * BEARING[1])


def beam_half() -> Part:
    """Return one half of a break beam, standing on z = 0, its long side along y."""
    length, width, height = BEAM_BODY
    return Box(height, length, width, align=UP)


def ranger() -> Part:
    """Return the module of a crane's sensor: its face at z = 0, looking down."""
    length, width, *holes = RANGER
    module = Pos(0, 0, RANGER_HIGH - 1.6) * Box(length, width, 1.6, align=UP)
    module += Box(6, 4, RANGER_HIGH - 1.6, align=UP)
    for x in (-1, 1):
        for y in (-1, 1):
            module -= Pos(x * holes[0] / 2, y * holes[1] / 2, 0) * Cylinder(1.25, 20)
    return module


def roller() -> Part:
    """Return a roller of a crane's cord: its middle at z = 0, its flange at the bottom."""
    diameter, width = ROLLER
    wheel = Cylinder(diameter / 2, width)
    wheel += Pos(0, 0, -width / 2) * Cylinder(ROLLER_FLANGE[0] / 2, ROLLER_FLANGE[1], align=UP)
    return wheel - Cylinder(1.5, 3 * width)


def washers(number: int) -> Part:
    """Return a stack of large washers, standing on z = 0."""
    outer, inner, thick = WASHER
    return Cylinder(outer / 2, number * thick, align=UP) - Cylinder(inner / 2, 3 * number * thick)
