"""What must hold for every screw: a driver reaches its head, its hole is open, and it bites far enough."""

from math import cos, pi, sin
from typing import NamedTuple

import bag_base
import bag_cradle
import bought
import cell_base
import cell_bridge
import crane_carriage
import crane_head
import crane_paddle
import crane_stop
import frame_post
import hex_plate
import pad_plate
import seat_floor
import seat_post
import sector_tray
import socket_holder
import supply_tray
import table_floor
import table_foot
import table_frame
from build123d import Align, BoundBox, Box, Cylinder, Location, Part, Pos, Rot, Solid, Vector
from cell_base import ears
from dimensions import (
    BAG_BOSS,
    BAG_CELL,
    BAG_CELL_AT_X,
    BAG_CELL_HOLES_X,
    BASE_BLOCK,
    BASE_FLOOR,
    BOARD_HOLES,
    BOARD_THICK,
    BOLT_LONG,
    BOSS,
    BRIDGE_THICK,
    CELL,
    CELL_BELOW,
    CELL_HOLE,
    CELL_HOLES,
    CELL_TOP,
    FLOAT,
    FLOOR_THICK,
    FOOT,
    FRAME_THICK,
    INSERT,
    PAD_CELLS,
    PADS_AT,
    PLATE_THICK,
    QUARTER,
    RANGER,
    RANGER_HIGH,
    READER_AT_Y,
    ROD,
    ROD_AT,
    SEAT_BOARD_AT,
    SEAT_POSTS,
    SECTOR,
    SPACER,
    SUPPLY_BOARD_AT,
    SUPPLY_FEET,
    TRAY_THICK,
    TRAY_TOP,
    centre,
    sector_middle,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
OVER = Rot(2 * QUARTER, 0, 0)  # a screw that comes from below
STEP = 0.25  # between two looks along a screw
DRIVER = 100.0  # how long a screwdriver or its bit is
FLANK = 0.1  # a thread's edge is looked at so far inside
M3X12, M3X20, M4X16, M5X16, M6X90 = (3.0, 12.0), (3.0, 20.0), (4.0, 16.0), (5.0, 16.0), (6.0, BOLT_LONG)
S2X6, S3X10, S3X16, S3X25, S6X60 = (2.0, 6.0), (3.0, 10.0), (3.0, 16.0), (3.0, 25.0), (6.0, 60.0)

Bodies = list[tuple[Solid, BoundBox]]


class Screw(NamedTuple):
    """A screw as it is when it is tight.

    `at` is the underside of its head, or the top of a countersunk one, with +z towards the driver. `free` is how far
    below that its thread may touch nothing, `least` how long it has to bite. The tip `stays` in what it bites, or may
    come out where that harms nothing; it `reaches` what it clamps.
    """

    name: str
    size: tuple[float, float]
    at: Location
    parts: tuple[Part, ...]
    free: float
    least: float
    beside: tuple[Part, ...] = ()
    stays: bool = True
    reaches: Part | None = None


def faults() -> list[str]:
    """Return what is wrong with the screws, one sentence each."""
    return [fault for screw in (*of_crane(), *of_hex(), *of_seat(), *of_trays()) for fault in faults_of(screw)]


def faults_of(screw: Screw) -> list[str]:
    """Return what is wrong with one."""
    diameter, length = screw.size
    solids = [(solid, solid.bounding_box()) for part in screw.parts for solid in part.solids()]
    looks = [STEP * (k + 0.5) for k in range(int(length / STEP))]
    stopped = [deep for deep in looks if _inside(solids, screw.at, 0.0, deep) > 0]
    found = [f"{screw.name}: it meets the end of its hole after {stopped[0]:.1f} mm"] if stopped else []
    bites = [deep for deep in looks if _inside(solids, screw.at, diameter / 2 - FLANK, deep) >= 3]
    early = [deep for deep in bites if deep < screw.free - STEP]
    found += [f"{screw.name}: it bites after {early[0]:.1f} mm, before it is through what it holds"] if early else []
    bitten = STEP * len(bites)
    found += [f"{screw.name}: it bites {bitten:.1f} mm, not {screw.least:.1f}"] if bitten < screw.least else []
    if screw.stays and not (bites and bites[-1] == looks[-1]):
        found.append(f"{screw.name}: its tip comes out")
    tip = (screw.at * Pos(0, 0, STEP - length)).position
    if screw.reaches is not None and not screw.reaches.solid().is_inside(tip):
        found.append(f"{screw.name}: it does not reach what it clamps")
    driver = screw.at * Pos(0, 0, diameter + 0.05) * Cylinder(0.9 * diameter, DRIVER, align=UP)
    barred = any(_overlap(driver, part) for part in (*screw.parts, *screw.beside))
    found += [f"{screw.name}: a screwdriver does not reach it"] if barred else []
    shank = screw.at * Pos(0, 0, -length) * Cylinder(diameter / 2, length, align=UP)
    return found + [f"{screw.name}: it meets what is beside it" for part in screw.beside if _overlap(shank, part)]


def of_crane() -> list[Screw]:
    """Return the screws of a crane; z = 0 is the head's underside for those of the head."""
    head, carriage, stop = crane_head.build(), crane_carriage.build(), crane_stop.build()
    paddle = Pos(0, 0, -FLOAT) * crane_paddle.build()
    ring_top = crane_carriage.SEAT_Z + crane_carriage.RING_THICK
    found = [
        Screw("a paddle's", S3X10, Pos(x, y, ring_top), (carriage, paddle), ring_top - crane_carriage.SEAT_Z, 3.0)
        for x, y in crane_paddle.SCREWS_AT
    ]
    proud = crane_carriage.HOUSING_Z[1] - crane_head.MAGNET[2] - bought.HEAD_HIGH
    found.append(Screw("a carriage's of steel", S3X10, Pos(*crane_head.MAGNET_AT, proud), (carriage,), 0.0, 6.0))
    left = -crane_head.SLOT / 2 - crane_head.CHEEKS[0]
    for y in crane_head.ROLLERS_Y:
        at = Pos(left, y, crane_head.ROLLER_Z) * Rot(0, -QUARTER, 0)
        free = crane_head.CHEEKS[0] + crane_head.SLOT
        found.append(Screw("a roller's", S3X16, at, (head,), free, 5.0))
    rods = [Pos(side * ROD_AT[0], ROD_AT[1], crane_head.ROD_DEEP - ROD[1]) * bought.rod() for side in (-1, 1)]
    for side, rod in zip((-1, 1), rods, strict=True):
        at = Pos(side * ROD_AT[0], crane_head.BLOCK[0] - 3.0, crane_head.ROD_DEEP / 2) * Rot(QUARTER, 0, 0)
        found.append(Screw("a rod's clamp", S3X10, at, (head,), 3.0, 5.0, stays=False, reaches=rod))
    under = crane_head.SENSOR_Z + RANGER_HIGH
    ranger = Pos(0, 0, crane_head.SENSOR_Z) * bought.ranger()
    for x in (-RANGER[2] / 2, RANGER[2] / 2):
        at = Pos(x, RANGER[3] / 2, under - BOARD_THICK) * OVER
        found.append(Screw("a sensor's", S2X6, at, (head, ranger), BOARD_THICK, 4.0))
    _, _, width = crane_stop.EAR
    at = Pos(crane_stop.CLAMP_X, -width / 2, crane_stop.HIGH / 2) * Rot(QUARTER, 0, 0)
    near = (width + crane_stop.SLIT) / 2
    return [*found, Screw("a stop's clamp", S3X10, at, (stop,), near, 3.0, stays=False)]


def of_hex() -> list[Screw]:
    """Return the screws of a hex, the middle of its cell at x = y = 0."""
    plate = Pos(0, -READER_AT_Y, 0) * hex_plate.build()
    bridge = Pos(0, 0, CELL_TOP) * cell_bridge.build()
    cell = Pos(0, 0, CELL_TOP - CELL[2]) * bought.cell()
    base = Pos(0, 0, TRAY_TOP) * cell_base.build()
    ends = [(CELL[0] / 2 - x, y) for x, y in CELL_HOLES]
    over = BRIDGE_THICK + BOSS
    found = [
        Screw("a leg's", S3X10, Pos(x, y, CELL_TOP + BOSS) * OVER, (bridge, plate), BRIDGE_THICK, 4.0, (cell,))
        for x in (-hex_plate.LEG_AT_X, hex_plate.LEG_AT_X)
        for y in (-hex_plate.LEG_SCREW_AT_Y, hex_plate.LEG_SCREW_AT_Y)
    ]
    found += [Screw("a bridge's", M3X12, Pos(x, y, CELL_TOP + over), (bridge, cell), over, 4.0) for x, y in ends]
    sunk = CELL_HOLE + 0.3
    through = BASE_FLOOR + BASE_BLOCK - sunk
    found += [
        Screw("a base's at its cell", M3X12, Pos(-x, y, TRAY_TOP + sunk) * OVER, (base, cell), through, 4.0)
        for x, y in ends
    ]
    x, y = centre(*SECTOR[0])
    tray = Pos(-x, -y - READER_AT_Y, TRAY_TOP) * sector_tray.build()
    low = Pos(0, 0, TRAY_TOP - TRAY_THICK)
    above = (cell, plate, bridge)
    return found + [
        Screw("a hex base's", S3X16, low * Pos(*ear) * OVER, (tray, base), TRAY_THICK, 6.0, above, stays=False)
        for ear in ears()
    ]


def of_seat() -> list[Screw]:
    """Return the screws of a seat: those of its first pad, and those of its bag."""
    floor = Pos(0, 0, TRAY_TOP) * seat_floor.build()
    x, y, turn = PAD_CELLS[0]
    at = Pos(*PADS_AT[0]) * Pos(x, y) * Rot(0, 0, turn)
    plate, base = pad_plate.build(), at * Pos(0, 0, TRAY_TOP) * cell_base.build()
    cell = at * Pos(0, 0, CELL_TOP - CELL[2]) * bought.cell()
    below = TRAY_TOP - FRAME_THICK
    over = PLATE_THICK + CELL_BELOW
    ends = [at * Pos(CELL[0] / 2 - x, y, 0) for x, y in CELL_HOLES]
    found = [Screw("a pad's", M3X20, end, (plate, cell), over, 3.5) for end in ends]
    found += [
        Screw("a pad base's", S3X25, at * Pos(*ear, below) * OVER, (floor, base), FRAME_THICK, 5.0) for ear in ears()
    ]
    return found + _of_bag()


def _of_bag() -> list[Screw]:
    """Return the screws of a bag's cell, its underside at z = 0."""
    found, bag_at = [], Pos(BAG_CELL_AT_X, 0, 0)
    bar = bag_at * bought.bag_cell()
    cradle = Pos(0, 0, BAG_CELL[2] + BAG_BOSS) * bag_cradle.build()
    lying = bag_at * Pos(0, 0, -BASE_FLOOR - BASE_BLOCK) * bag_base.build()
    dish = BAG_CELL[2] + BAG_BOSS + bag_cradle.FLOOR - bag_cradle.HEAD[1]
    for x in BAG_CELL_HOLES_X:
        top = bag_at * Pos(BAG_CELL[0] / 2 - x, 0, dish)
        found.append(Screw("a cradle's", M5X16, top, (cradle, bar), dish - BAG_CELL[2], 8.0))
        sunk = bag_base.HOLE + 0.3
        foot = bag_at * Pos(x - BAG_CELL[0] / 2, 0, sunk - BASE_FLOOR - BASE_BLOCK) * OVER
        found.append(Screw("a bag base's", M4X16, foot, (lying, bar), BASE_FLOOR + BASE_BLOCK - sunk, 8.0))
    return found


def of_trays() -> list[Screw]:
    """Return the screws of carriers, trays, feet and socket: z = 0 is the underside of what they hang below."""
    tray, floor = Pos(0, 0, TRAY_THICK) * sector_tray.build(), Pos(0, 0, FLOOR_THICK) * table_floor.build()
    seat, supply = (Pos(0, 0, FRAME_THICK) * part.build() for part in (seat_floor, supply_tray))
    corner = Pos(BOARD_HOLES[0] / 2, BOARD_HOLES[1] / 2)
    under = corner * Pos(0, 0, -SPACER - BOARD_THICK) * OVER
    places = ((sector_middle(), tray), ((0.0, 0.0), floor), (SEAT_BOARD_AT, seat), (SUPPLY_BOARD_AT, supply))
    through = SPACER + BOARD_THICK
    found = [Screw("a carrier's", S3X16, Pos(*at) * under, (part,), through, 4.0) for at, part in places]
    held = Pos(*sector_tray.HELD_AT[0], -FLOOR_THICK) * OVER
    found.append(Screw("a tray's", S3X16, held, (tray, Pos(0, 0, -FLOOR_THICK) * floor), FLOOR_THICK, 3.5))
    return [*found, _of_socket(), *_of_feet(seat, supply, floor)]


def _of_socket() -> Screw:
    """Return a screw of a socket's holder, below the thinnest floor that has an edge."""
    x, y = socket_holder.SCREWS_AT[0][0], socket_holder.SCREWS_AT[1]
    wood = Pos(x, y, 0) * (Box(20, 20, FLOOR_THICK, align=UP) - Cylinder(1.0, 60))
    at = Pos(x, y, -socket_holder.THICK) * OVER
    return Screw("a socket's", S3X10, at, (socket_holder.build(), wood), socket_holder.THICK, 5.0)


def _of_feet(seat: Part, supply: Part, floor: Part) -> list[Screw]:
    """Return a screw of each kind of foot; an insert nut is modelled as a tube."""
    foot, sunk = Pos(0, 0, -FOOT[1]) * table_foot.build(), table_foot.HEAD[1] - FOOT[1]
    at_head, found = Pos(0, 0, sunk) * OVER, []
    for name, (x, y), wood in (("table", table_floor.INNER_FEET[0], floor), ("supply", SUPPLY_FEET[0], supply)):
        found.append(Screw(f"a foot's of the {name}", S6X60, at_head, (foot, Pos(-x, -y, 0) * wood), -sunk, 10.0))
    for name, (x, y), lower, thick, post in (
        ("seat", SEAT_POSTS[0], seat, FRAME_THICK, seat_post.build()),
        ("table", table_frame.POSTS[0], floor, FLOOR_THICK, frame_post.build()),
    ):
        high = thick + post.bounding_box().size.Z
        nut = Pos(0, 0, high) * (Cylinder(INSERT[0] / 2, INSERT[1], align=UP) - Cylinder(2.5, 60))
        parts = (foot, Pos(-x, -y, 0) * lower, Pos(0, 0, thick) * post, nut)
        found.append(Screw(f"a bolt of the {name}", M6X90, at_head, parts, high - sunk, 8.0))
    return found


def _inside(solids: Bodies, at: Location, radius: float, deep: float) -> int:
    """Return in how many of four directions there is material so far from the axis, so deep below the head."""
    around = [k * pi / 2 + pi / 4 for k in range(4)] if radius else [0.0]
    points = [(at * Pos(radius * cos(angle), radius * sin(angle), -deep)).position for angle in around]
    return sum(any(_in_box(point, box) and solid.is_inside(point) for solid, box in solids) for point in points)


def _in_box(point: Vector, box: BoundBox) -> bool:
    return all(getattr(box.min, k) <= getattr(point, k) <= getattr(box.max, k) for k in "XYZ")


def _overlap(one: Part, two: Part) -> bool:
    both = one.intersect(two)
    return both is not None and sum(solid.volume for solid in both.solids()) > 1e-2
