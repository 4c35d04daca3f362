"""The drawings of the guides, by name: what every step puts where. `make cad` renders them to docs/pictures/build."""

from collections.abc import Callable

import bag_base
import bag_cradle
import bought
import card_slot
import cell_base
import cell_bridge
import crane_carriage
import crane_checks
import crane_counterweight
import crane_head
import crane_paddle
import hex_plate
import pad_plate
import pictures_of_stations
import ring_diffuser
import socket_holder
from build123d import Align, Box, Cylinder, Part, Pos, Rot
from dimensions import (
    BAG_CELL_AT_X,
    BASE_BLOCK,
    BASE_FLOOR,
    CARD,
    CARD_FERRITE,
    CARD_READER_AT_X,
    CELL,
    CELL_HOLES,
    CELL_TOP,
    CELL_UNDERSIDE,
    COUNTERWEIGHT,
    PAD_CELLS,
    QUARTER,
    RANGER,
    READER_AT_Y,
    RING_AT_Y,
    ROD,
    ROD_AT,
    ROLLER,
    SEAT_BELOW,
    SOCKET,
    TRAY_TOP,
)
from picture import Picture, Piece

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def _turned(part: Part) -> Part:
    """Return a part upside down, as it lies on the bench."""
    return Rot(180, 0, 0) * part


def _underside(plate: Part, name: str) -> Picture:
    """A plate upside down: diffuser and ring go into the groove, the reader and its ferrite into the pocket."""
    ring_y, reader_y = -RING_AT_Y, -READER_AT_Y
    return Picture(
        pieces=(
            Piece(_turned(plate), f"{name}, upside down"),
            Piece(Pos(0, ring_y, 45) * ring_diffuser.build(), "ring-diffuser", True),
            Piece(Pos(0, ring_y, 62) * _turned(bought.ring()), "led-ring-12, LEDs down", True),
            Piece(Pos(0, reader_y, 48) * _turned(bought.reader()), "pn532-module, antenna down", True),
            Piece(Pos(0, reader_y, 78) * bought.ferrite(), "ferrite-sheet-43x41mm", True),
        ),
        lines=(((0, ring_y, 0), (0, ring_y, 75)), ((0, reader_y, 0), (0, reader_y, 88))),
        look_from=(0.35, -1.0, 0.9),
    )


def _hex_plate() -> Picture:
    return _underside(hex_plate.build(), "hex-plate")


def _pad_plate() -> Picture:
    return _underside(pad_plate.build(), "pad-plate")


def _cell() -> Picture:
    """The cell between bridge and base, with its screws."""
    up = BASE_FLOOR + BASE_BLOCK + 14
    above = up + CELL[2] + 14
    free = [(CELL[0] / 2 - x, y) for x, y in CELL_HOLES]
    below, heads = [
        [Pos(x, y, z) * screw for x, y in ends]
        for ends, z, screw in (
            ([(-x, y) for x, y in free], -20, _turned(bought.screw(3, 12))),
            (free, above + 24, bought.screw(3, 12)),
        )
    ]
    return Picture(
        pieces=(
            Piece(below[0] + below[1], "2 x m3x12, fixed end", True),
            Piece(cell_base.build(), "cell-base"),
            Piece(Pos(0, 0, up) * bought.cell(), "load-cell-1kg", True),
            Piece(Pos(0, 0, above) * cell_bridge.build(), "cell-bridge"),
            Piece(heads[0] + heads[1], "2 x m3x12, free end", True),
        ),
        lines=tuple(((x, 0, -20), (x, 0, above + 20)) for x in (free[0][0], -free[0][0])),
    )


def _hex_module() -> Picture:
    """The plate upside down, and on its legs the bridge with its cell; last the base."""
    y = -READER_AT_Y
    up = -CELL_TOP + 12
    cell = Pos(0, y, up) * _turned(cell_bridge.build())
    screws = [
        Pos(x, y + side * hex_plate.LEG_SCREW_AT_Y, up + 26) * bought.screw(3, 10)
        for x in (-hex_plate.LEG_AT_X, hex_plate.LEG_AT_X)
        for side in (-1, 1)
    ]
    return Picture(
        pieces=(
            Piece(_turned(hex_plate.build()), "hex-plate, upside down"),
            Piece(cell, "cell-bridge", True),
            Piece(Pos(0, y, up + CELL[2]) * _turned(bought.cell()), "load-cell-1kg", True),
            Piece(Pos(0, y, up + CELL[2] + 62) * _turned(cell_base.build()), "cell-base, last", True),
            Piece(
                Pos(0, y, up + CELL[2] + 62) * _turned(bought.hx711_at_base(cell_base.SIDE)),
                "hx711-module, on the side of the ring",
                True,
            ),
            Piece(screws[0] + screws[1] + screws[2] + screws[3], "4 x screw-3x10", True),
        ),
        look_from=(0.35, -1.0, 0.9),
    )


def _pad_cells() -> Picture:
    """Three cells on their bases, as they stand below a pad, and the plate over them with its screws."""
    pieces, screws = [], []
    for number in (1, 3, 2):
        x, y, turned = PAD_CELLS[number - 1]
        at = Pos(x, y, 0) * Rot(0, 0, turned)
        pieces.append(Piece(at * Pos(0, 0, TRAY_TOP) * cell_base.build(), "3 x cell-base" if number == 2 else ""))
        pieces.append(Piece(at * Pos(0, 0, CELL_UNDERSIDE) * bought.cell(), f"load cell {number}"))
        screws += [at * Pos(CELL[0] / 2 - end, across, 105) * bought.screw(3, 20) for end, across in CELL_HOLES]
    heads = screws[0]
    for screw in screws[1:]:
        heads += screw
    return Picture(
        pieces=(
            *pieces,
            Piece(Pos(0, 0, 70) * pad_plate.build(), "pad-plate", True),
            Piece(heads, "6 x m3x20-countersunk", True),
        ),
        lines=tuple(((x, y, CELL_TOP), (x, y, 70 + CELL_TOP)) for x, y in ((0, -27), (32, 13.5), (-32, 13.5))),
        look_from=(0.3, -1.0, 0.95),
    )


def _bag() -> Picture:
    """The base with its bar, over them the ferrite and the reader, and last the cradle, as they stand in the seat."""
    at = Pos(BAG_CELL_AT_X, 0, 0)
    return Picture(
        pieces=(
            Piece(at * bag_base.build(), "bag-base"),
            Piece(at * Pos(0, 0, 40) * bought.bag_cell(), "load-cell-3kg"),
            Piece(Pos(0, 0, 85) * bought.ferrite(), "ferrite-sheet-43x41mm", True),
            Piece(Pos(0, 0, 105) * bought.reader(), "pn532-module, antenna up", True),
            Piece(Pos(0, 0, 135) * bag_cradle.build(), "bag-cradle, last", True),
        ),
        lines=(((0, 0, 0), (0, 0, 135)),),
        look_from=(0.35, -1.0, 0.55),
    )


def _card() -> Picture:
    """A card slot over its reader; over its right half the foil with its wire, and the ferrite."""
    wide, long = CARD[0] + 1.0, CARD[1] + 1.0
    at, reader = Pos(wide / 4, 0, 0), Pos(CARD_READER_AT_X, 0, -40)
    foil = at * Pos(0, 0, 30) * Box(wide / 2 - 1, long - 1, 0.1, align=UP)
    wire = Pos(5, 20 - long / 2, 31) * Rot(QUARTER, 0, 0) * Cylinder(0.8, 45, align=UP)
    ferrite = at * Pos(0, 0, 50) * Cylinder(CARD_FERRITE / 2, 0.3, align=UP)
    return Picture(
        pieces=(
            Piece(reader * bought.reader(), "pn532-module, antenna up", True),
            Piece(card_slot.build(), "card-slot"),
            Piece(foil, "kitchen foil", True),
            Piece(wire, "wire to GND of the reader", True),
            Piece(ferrite, "ferrite-sheet-25mm", True),
        ),
        lines=(((CARD_READER_AT_X, 0, -40), (CARD_READER_AT_X, 0, 0)), ((wide / 4, 0, 0), (wide / 4, 0, 50))),
        look_from=(0.3, -1.0, 0.9),
    )


def _paddle() -> Picture:
    """The paddle below its carriage, with the beam, the bearings and the three loose screws."""
    screws = [Pos(x, y, 42) * bought.screw(3, 10) for x, y in crane_paddle.SCREWS_AT]
    (x, y), beam_x = ROD_AT, crane_carriage.BEAM_X + 5
    bearings = [Pos(-x, y, 78), Pos(-x, y, 106), Pos(x, y, 66)]
    return Picture(
        pieces=(
            Piece(bearings[0] * bought.bearing() + bearings[1] * bought.bearing(), "linear-bearing-lm8uu", True),
            Piece(bearings[2] * bought.bearing(), "linear-bearing-lm8uu", True),
            Piece(Pos(0, 0, -34) * crane_paddle.build(), "crane-paddle", True),
            Piece(crane_carriage.build(), "crane-carriage"),
            Piece(Pos(-beam_x, 0, 24) * bought.beam_half(), "break beam, emitter", True),
            Piece(Pos(beam_x, 0, 24) * bought.beam_half(), "break beam, receiver", True),
            Piece(screws[0] + screws[1] + screws[2], "3 x screw-3x10, loose", True),
        ),
        look_from=(0.35, -1.0, 0.7),
    )


def _crane() -> Picture:
    """The whole crane over a pad, half lowered."""
    carriage_z = 88.0
    head_z = crane_head.UNDERSIDE_Z
    rods = [Pos(side * ROD_AT[0], ROD_AT[1], -SEAT_BELOW) * bought.rod() for side in (-1, 1)]
    hanging = head_z - crane_head.PARK_GAP - carriage_z - COUNTERWEIGHT[2]
    weight = Pos(0, crane_head.COUNTERWEIGHT_Y, hanging) * crane_counterweight.build()
    from_z = carriage_z + crane_carriage.PLATE_TOP - 5
    cord = Pos(0, crane_carriage.CORD_Y, from_z) * Cylinder(0.5, head_z + crane_head.ROLLER_Z - from_z, align=UP)
    return Picture(
        pieces=(
            Piece(weight, "crane-counterweight", True),
            Piece(rods[0] + rods[1], f"2 x steel-rod-8mm-{ROD[1]:.0f}mm"),
            Piece(crane_checks.crane_stop_at(), "crane-stop", True),
            Piece(pad_plate.build(), "pad"),
            Piece(Pos(0, 0, carriage_z) * crane_paddle.build(), "crane-paddle"),
            Piece(Pos(0, 0, carriage_z) * crane_carriage.build(), "crane-carriage"),
            Piece(cord, "cord, over two rollers", True),
            Piece(Pos(0, 0, head_z + crane_head.SENSOR_Z) * bought.ranger(), "vl53l4cd-module, looks down", True),
            Piece(Pos(0, 0, head_z) * crane_head.build(), "crane-head", True),
        ),
        look_from=(0.55, -1.0, 0.35),
    )


def _fused(parts: list[Part]) -> Part:
    """Return parts that carry one label."""
    first, *others = parts
    for part in others:
        first += part
    return first


def _crane_head() -> Picture:
    """The head from below: sensor and magnet go in from there, rollers from above, their screws from the left."""
    under = crane_head.SENSOR_Z
    left = -crane_head.SLOT / 2 - crane_head.CHEEKS[0]
    axles = [
        Pos(left - 40, y, crane_head.ROLLER_Z) * Rot(0, -QUARTER, 0) * bought.screw(3, 16) for y in crane_head.ROLLERS_Y
    ]
    clamps = [
        Pos(side * ROD_AT[0], crane_head.BLOCK[0] - 45, crane_head.ROD_DEEP / 2)
        * Rot(QUARTER, 0, 0)
        * bought.screw(3, 10)
        for side in (-1, 1)
    ]
    small = [
        Pos(x * RANGER[2] / 2, y * RANGER[3] / 2, under - 45) * _turned(bought.screw(2, 6))
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    magnet = Pos(*crane_head.MAGNET_AT, -40) * Cylinder(3, 3, align=UP)
    return Picture(
        pieces=(
            Piece(Pos(0, 0, 34) * _fused(crane_checks.rollers()), "2 x roller-f623zz", True),
            Piece(crane_head.build(), "crane-head"),
            Piece(_fused(axles), "2 x screw-3x16", True),
            Piece(magnet, "magnet-6x3mm", True),
            Piece(Pos(0, 0, under - 26) * bought.ranger(), "vl53l4cd-module, film off", True),
            Piece(_fused(small), "4 x screw-2x6", True),
            Piece(_fused(clamps), "2 x screw-3x10, clamp the rods", True),
        ),
        look_from=(-0.75, -1.0, -0.35),
    )


def _crane_cord() -> Picture:
    """The way of the cord: from the bar of the carriage over both rollers to the counterweight; the washers go in."""
    cord_z = crane_head.ROLLER_Z + ROLLER[0] / 2
    carriage_z, weight_z = -120.0, -88.0
    bar_z = carriage_z + crane_carriage.PLATE_TOP - 5
    front, back = crane_carriage.CORD_Y, crane_head.COUNTERWEIGHT_Y
    down = [
        Pos(0, y, low) * Cylinder(0.6, cord_z - low, align=UP)
        for y, low in ((front, bar_z), (back, weight_z + COUNTERWEIGHT[2]))
    ]
    over = Pos(0, (front + back) / 2, cord_z) * Cylinder(0.6, back - front, rotation=(QUARTER, 0, 0))
    ties = Pos(0, back, weight_z + COUNTERWEIGHT[2] - crane_counterweight.CORD_BELOW)
    bail = ties * Cylinder(0.6, COUNTERWEIGHT[0], rotation=(0, QUARTER, 0))
    stacks = [
        Pos(side * (COUNTERWEIGHT[0] - COUNTERWEIGHT[1]) / 2, back + 75, weight_z) * bought.washers(12)
        for side in (-1, 1)
    ]
    return Picture(
        pieces=(
            Piece(Pos(0, 0, carriage_z) * crane_carriage.build(), "crane-carriage"),
            Piece(crane_head.build(), "crane-head"),
            Piece(_fused(crane_checks.rollers()), "2 x roller-f623zz"),
            Piece(Pos(0, back, weight_z) * crane_counterweight.build(), "crane-counterweight", True),
            Piece(_fused([*down, over, bail]), "cord, 1 m", True),
            Piece(_fused(stacks), "m8-washer-24mm, two stacks", True),
        ),
        look_from=(-1.0, 0.75, 0.4),
    )


def _socket() -> Picture:
    """The holder of a supply's socket, as it hangs below a floor."""
    screws = [
        Pos(x, socket_holder.SCREWS_AT[1], -30) * _turned(bought.screw(3, 10)) for x in socket_holder.SCREWS_AT[0]
    ]
    at = Pos(0, -26, -socket_holder.HOLE_BELOW) * Rot(QUARTER, 0, 0)
    return Picture(
        pieces=(
            Piece(Pos(0, 10, 0) * Box(88, 60, 12, align=UP), "floor, from below its edge"),
            Piece(socket_holder.build(), "socket-holder", True),
            Piece(at * Cylinder(SOCKET[0] / 2, 14), "dc-socket", True),
            Piece(screws[0] + screws[1], "2 x screw-3x10", True),
        ),
        look_from=(0.45, -1.0, -0.5),
    )


PICTURES: dict[str, Callable[[], Picture]] = {
    "hex-plate": _hex_plate,
    "hex-cell": _cell,
    "hex-module": _hex_module,
    "pad-plate": _pad_plate,
    "pad-cells": _pad_cells,
    "bag": _bag,
    "card": _card,
    "socket": _socket,
    "crane-carriage": _paddle,
    "crane-head": _crane_head,
    "crane-cord": _crane_cord,
    "crane": _crane,
    **pictures_of_stations.PICTURES,
}
"""Every drawing of the guides, by its file's name."""
