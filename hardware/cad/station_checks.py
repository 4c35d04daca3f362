"""What must hold for trays, floors and seats: parts have room beside each other, and water meets no electronics."""

from itertools import combinations
from math import dist, hypot

import bag_base
import bag_cradle
import bought
import card_slot
import case_sizes
import cell_base
import frame_post
import pad_plate
import park_tray
import platform_slot
import seat_floor
import seat_post
import seat_top
import sector_tray
import socket_holder
import supply_tray
import table_floor
import table_foot
import table_frame
import transport_case
from build123d import Align, Box, Cylinder, Location, Part, Pos, RegularPolygon, Rot, extrude
from dimensions import (
    ANTENNAS_APART,
    BAG,
    BAG_AT,
    BAG_BOSS,
    BAG_CELL,
    BAG_CELL_AT_X,
    BAG_HX711_AT,
    BASE_BLOCK,
    BASE_FLOOR,
    BOARD,
    CABLE,
    CARD_READER_AT_X,
    CARDS_AT,
    CASE_THICK,
    CELL_UNDERSIDE,
    CLEAR,
    FLOOR_THICK,
    FLOOR_TOP,
    FOOT,
    FRAME_THICK,
    HEX_LIS3DH_AT,
    HX711,
    LIS3DH,
    LIS3DH_HEX,
    PAD_CELLS,
    PAD_HX711_AT,
    PADS_AT,
    PITCH,
    PLATE_FLAT,
    PLATE_THICK,
    QUARTER,
    READER,
    READER_AT_Y,
    SEAT_BOARD_AT,
    SEAT_LIS3DH_AT,
    SEAT_POSTS,
    SECTOR,
    SIXTH,
    SOCKET_DEEP,
    SPILL,
    SUPPLY_BOARD_AT,
    SUPPLY_CARDS_AT,
    SUPPLY_FEET,
    SUPPLY_LANDMARKS_AT,
    SUPPLY_PLATFORMS_AT,
    SUPPLY_SOCKET_AT,
    TRAY_THICK,
    TRAY_TOP,
    centre,
    sector_middle,
)

UP, DOWN = (Align.CENTER, Align.CENTER, Align.MIN), (Align.CENTER, Align.CENTER, Align.MAX)
DRY = 8.0  # from a seam to a hole or to the edge of what is below it
PRESS = 0.6  # a part that is pushed so far overlaps what holds it
HANGS = 40.0  # a carrier with its plugs below a floor
BAR_Z = TRAY_TOP + BASE_FLOOR + BASE_BLOCK  # the underside of the bag's cell
CRADLE_Z = BAR_Z + BAG_CELL[2] + BAG_BOSS
Named = tuple[str, Part]


def seat_parts() -> list[Named]:
    """Return a seat without its cranes, its top at z = 0."""
    under = SEAT_POSTS
    found: list[Named] = [("floor", Pos(0, 0, TRAY_TOP) * seat_floor.build())]
    found += [("carrier", Pos(*SEAT_BOARD_AT, TRAY_TOP - FRAME_THICK) * _carrier())]
    found += [(f"foot {at}", Pos(*at, TRAY_TOP - FRAME_THICK - FOOT[1]) * table_foot.build()) for at in under]
    found += [(f"post {at}", Pos(*at, TRAY_TOP) * seat_post.build()) for at in SEAT_POSTS]
    for number, pad in enumerate(PADS_AT, 1):
        for cell, (x, y, turn) in enumerate(PAD_CELLS, 1):
            at = Pos(*pad) * Pos(x, y) * Rot(0, 0, turn)
            found.append((f"base {number}.{cell}", at * Pos(0, 0, TRAY_TOP) * cell_base.build()))
            found.append((f"cell {number}.{cell}", at * Pos(0, 0, CELL_UNDERSIDE) * bought.cell()))
        for cell, (x, y, turn) in enumerate(PAD_HX711_AT, 1):
            found.append((f"hx711 {number}.{cell}", Pos(*pad) * Pos(x, y, TRAY_TOP) * Rot(0, 0, turn) * bought.hx711()))
        found.append((f"pad {number}", Pos(*pad) * pad_plate.build()))
        found += [(f"{name} {number}", Pos(*pad) * part) for name, part in bought.in_plate()]
    at = Pos(*BAG_AT)
    found.append(("bag's base", at * Pos(BAG_CELL_AT_X, 0, TRAY_TOP) * bag_base.build()))
    found.append(("bag's cell", at * Pos(BAG_CELL_AT_X, 0, BAR_Z) * bought.bag_cell()))
    found.append(("hx711 of the bag", at * Pos(*BAG_HX711_AT, TRAY_TOP) * bought.hx711()))
    found.append(("accelerometer", Pos(0, 0, TRAY_TOP) * accelerometer(SEAT_LIS3DH_AT)))
    found.append(("top", seat_top.build()))
    found.append(("cradle", at * Pos(0, 0, CRADLE_Z) * bag_cradle.build()))
    found.append(("reader of the cradle", at * Pos(0, 0, CRADLE_Z) * _reader_below()))
    found += [(f"card slot {k}", Pos(*card) * card_slot.build()) for k, card in enumerate(CARDS_AT, 1)]
    return found + [(f"reader of card {k}", Pos(*card) * _reader_of_card()) for k, card in enumerate(CARDS_AT, 1)]


def supply_parts() -> list[Named]:
    """Return the supply, the upper side of its tray at z = 0."""
    feet = [(f"foot {at}", Pos(*at, -FRAME_THICK - FOOT[1]) * table_foot.build()) for at in SUPPLY_FEET]
    found = [*feet, ("carrier", Pos(*SUPPLY_BOARD_AT, -FRAME_THICK) * _carrier()), ("tray", supply_tray.build())]
    socket = Pos(*SUPPLY_SOCKET_AT, -FRAME_THICK) * Rot(0, 0, 180) * Pos(0, SOCKET_DEEP / 2, 0)
    found.append(("socket holder", socket * socket_holder.build()))
    for name, places, part, reader in (
        ("card slot", SUPPLY_CARDS_AT, card_slot.build(), _reader_of_card()),
        ("platform slot", SUPPLY_PLATFORMS_AT, platform_slot.build(), _reader_below()),
        ("slot of landmark", SUPPLY_LANDMARKS_AT, card_slot.build(), _reader_of_card()),
    ):
        found += [(f"{name} {k}", Pos(*at) * part) for k, at in enumerate(places, 1)]
        found += [(f"reader of {name} {k}", Pos(*at) * reader) for k, at in enumerate(places, 1)]
    return found


def table_parts() -> list[Named]:
    """Return what is below the plates of the table, for one sector and the park, and the frame."""
    floor_z = FLOOR_TOP
    found: list[Named] = [("floor", Pos(0, 0, floor_z) * table_floor.build())]
    found += [(f"post {k}", Pos(*at, floor_z) * frame_post.build()) for k, at in enumerate(table_frame.POSTS)]
    feet = (*table_frame.POSTS, *table_floor.INNER_FEET)
    found += [
        (f"foot {k}", Pos(*at, floor_z - FLOOR_THICK - FOOT[1]) * table_foot.build()) for k, at in enumerate(feet)
    ]
    found.append(("park's carrier", Pos(0, 0, floor_z - FLOOR_THICK) * _carrier()))
    for k in range(6):
        turn = Rot(0, 0, k * SIXTH)
        found.append((f"tray {k}", turn * Pos(0, 0, TRAY_TOP) * sector_tray.build()))
        found.append((f"carrier {k}", turn * Pos(*sector_middle(), FLOOR_TOP) * _carrier()))
    found.append(("park's tray", Pos(0, 0, TRAY_TOP) * park_tray.build()))
    found.append(("frame", table_frame.build()))
    return found


def faults() -> list[str]:
    """Return what is wrong with trays, floors, seats, supply and case, one sentence each."""
    found = []
    for where, parts in (("seat", seat_parts()), ("supply", supply_parts()), ("table", table_parts())):
        found += [f"{where}: {one} overlaps {two}" for (one, a), (two, b) in combinations(parts, 2) if _overlap(a, b)]
    found += _level() + _dry() + _apart() + _load_path_of_pad() + _load_path_of_bag() + _case()
    return found + _accelerometers_of_hexes() + _accelerometer_of_seat()


def accelerometer(at: tuple[float, float, float]) -> Part:
    """Return the module that feels what falls, where it is glued on: at x and y, turned by so many degrees."""
    x, y, turn = at
    return Pos(x, y, 0) * Rot(0, 0, turn) * bought.accelerometer()


def _reader_below() -> Part:
    """A reader in the pocket below something that stands on z = 0."""
    return Pos(0, 0, READER[2]) * bought.reader()


def _reader_of_card() -> Part:
    return Pos(CARD_READER_AT_X, 0, 0) * _reader_below()


def _carrier() -> Part:
    """The room of a carrier that hangs below z = 0."""
    return Box(*BOARD, HANGS, align=DOWN)


def _overlap(one: Part, two: Part) -> bool:
    a, b = one.bounding_box(), two.bounding_box()
    if any(getattr(a.min, k) >= getattr(b.max, k) or getattr(b.min, k) >= getattr(a.max, k) for k in "XYZ"):
        return False
    return _shared(one, two) > 1e-2


def _shared(one: Part, two: Part) -> float:
    """Return the volume that two parts have in common."""
    both = one.intersect(two)
    return 0.0 if both is None else sum(solid.volume for solid in both.solids())


def _level() -> list[str]:
    """Seat and table stand on the same feet, so a platform slides from one top to the other."""
    seat, table = TRAY_TOP - FRAME_THICK, FLOOR_TOP - FLOOR_THICK
    return [] if abs(seat - table) < 1e-6 else [f"a seat's top is {table - seat:.1f} mm above the table's"]


def _dry() -> list[str]:
    """Drops fall from the lip of a plate at a seam: there no hole leads to what hangs below."""
    to_seam = PITCH / 2 - hypot(0, CABLE[1]) - CABLE[0] / 2
    found = [] if to_seam >= DRY else [f"a cable's hole is {to_seam:.1f} mm from a seam"]
    found += [] if PITCH / 2 - HX711[0] / 2 >= DRY else ["the HX711 of a hex is below a seam"]
    for x, y, turn in PAD_HX711_AT:
        module = Pos(x, y) * Rot(0, 0, turn) * bought.hx711()
        shower = extrude(RegularPolygon(PLATE_FLAT / 2 + DRY, 6, major_radius=False, rotation=30), FRAME_THICK)
        found += ["the HX711 of a pad is below its seam"] if _overlap(module, shower) else []
    x, y = sector_middle()
    others = [centre(q, r) for q in range(-3, 4) for r in range(-3, 4)]
    mine = {centre(*one) for one in SECTOR}
    for corner in ((x + a * BOARD[0] / 2, y + b * BOARD[1] / 2) for a in (-1, 1) for b in (-1, 1)):
        nearest = min(others, key=lambda one: dist(one, corner))
        found += [] if nearest in mine else [f"the corner {corner} of a carrier is not below its own tray"]
    return found


def _accelerometers_of_hexes() -> list[str]:
    """On a tray the accelerometer lies flat, beside base, HX711 and hole, and nowhere below a seam."""
    found = []
    beside = {
        "base": Pos(0, READER_AT_Y, 0) * cell_base.build(),
        "HX711": Pos(0, READER_AT_Y, 0) * bought.hx711_at_base(cell_base.SIDE),
    }
    module = accelerometer(HEX_LIS3DH_AT)
    found += [
        f"the accelerometer of a hex overlaps its {name}" for name, part in beside.items() if _overlap(module, part)
    ]
    dry = extrude(RegularPolygon(PITCH / 2 - DRY, 6, major_radius=False, rotation=30), FRAME_THICK)
    found += [] if _is_within(module, dry) else ["the accelerometer of a hex is below a seam"]
    for name, hexagon, tray in (("park", (0, 0), park_tray.build()), ("sector", LIS3DH_HEX, sector_tray.build())):
        lies = Pos(*centre(*hexagon), 0) * module
        found += [] if _lies_flat(lies, tray) else [f"{name}: the accelerometer lies over a hole, or beside its tray"]
    return found


def _accelerometer_of_seat() -> list[str]:
    """On a seat's floor it lies flat, and below no seam of a pad and not below the bag's; `faults` looks beside it."""
    module = accelerometer(SEAT_LIS3DH_AT)
    showers = [
        Pos(*pad) * extrude(RegularPolygon(PLATE_FLAT / 2 + DRY, 6, major_radius=False, rotation=30), FRAME_THICK)
        for pad in PADS_AT
    ]
    showers.append(Pos(*BAG_AT) * Cylinder(BAG[0] / 2 + DRY, FRAME_THICK, align=UP))
    found = ["the accelerometer of a seat is below a seam"] if any(_overlap(module, one) for one in showers) else []
    return found + ([] if _lies_flat(module, seat_floor.build()) else ["the accelerometer of a seat lies over a hole"])


def _lies_flat(module: Part, wood: Part) -> bool:
    """Whether there is wood below all of an accelerometer's underside; both meet at z = 0."""
    sunk = Pos(0, 0, -0.1) * module
    return abs(_shared(sunk, wood) - 0.1 * LIS3DH[0] * LIS3DH[1]) < 1e-2


def _is_within(one: Part, room: Part) -> bool:
    return abs(_shared(one, room) - one.volume) < 1e-2


def _apart() -> list[str]:
    """No reader sees the tag of its neighbour: their middles are far enough apart."""
    cards = [(x + CARD_READER_AT_X, y) for x, y in CARDS_AT]
    seat = [*cards, BAG_AT, *((x, y + READER_AT_Y) for x, y in PADS_AT)]
    cards = (*SUPPLY_CARDS_AT, *SUPPLY_LANDMARKS_AT)
    supply = [*((x + CARD_READER_AT_X, y) for x, y in cards), *SUPPLY_PLATFORMS_AT]
    hexes = [(x, y + READER_AT_Y) for x, y in (centre(*one) for one in SECTOR)]
    found = []
    for where, readers in (("seat", seat), ("supply", supply), ("sector", hexes)):
        nearest = min(dist(one, two) for one, two in combinations(readers, 2))
        found += [] if nearest >= ANTENNAS_APART else [f"{where}: two readers are only {nearest:.0f} mm apart"]
    return found


def _load_path_of_pad() -> list[str]:
    """A pad touches its three cells at their free ends, and nothing else."""
    plate, found = pad_plate.build(), []
    hanging = bought.in_plate()
    for number, (x, y, turn) in enumerate(PAD_CELLS, 1):
        at: Location = Pos(x, y) * Rot(0, 0, turn)
        cell = at * Pos(0, 0, CELL_UNDERSIDE) * bought.cell()
        base = at * Pos(0, 0, TRAY_TOP) * cell_base.build()
        if plate.distance_to(base) < 1.0:
            found.append(f"a pad touches the base of cell {number}")
        for name, part in hanging:
            if min(part.distance_to(base), part.distance_to(cell)) < CLEAR:
                found.append(f"the {name} of a pad touches cell {number} or its base")
        touched = [at.inverse() * solid for solid in cell.moved(Pos(0, 0, 0.1)).intersect(plate).solids()]
        if not touched or min(solid.bounding_box().min.X for solid in touched) < 0:
            found.append(f"a pad does not rest on the free end of cell {number} alone")
    if plate.distance_to(seat_top.build()) < 1.0:
        found.append("a pad touches the top of its seat")
    if min(part.distance_to(seat_top.build()) for _, part in hanging) < 1.0:
        found.append("a pad's reader or ring touches the top of its seat")
    shares = [sum(axis) / 3 for axis in zip(*(_free_end(*one) for one in PAD_CELLS), strict=True)]
    return found + ([] if hypot(*shares) < 1.0 else [f"the middle of three cells is at {shares}, not below a pad's"])


def _load_path_of_bag() -> list[str]:
    """The bag's cradle rests on the free end of its cell, and it and its reader touch nothing else."""
    at = Pos(BAG_CELL_AT_X, 0, 0)
    cell = at * Pos(0, 0, BAR_Z) * bought.bag_cell()
    base = at * Pos(0, 0, TRAY_TOP) * bag_base.build()
    cradle, reader = (Pos(0, 0, CRADLE_Z) * part for part in (bag_cradle.build(), _reader_below()))
    found = []
    for name, part in (("cradle", cradle), ("reader of the cradle", reader)):
        found += [f"the {name} touches its base"] if part.distance_to(base) < 1.0 else []
        top = Pos(-BAG_AT[0], -BAG_AT[1], 0) * seat_top.build()
        found += [f"the {name} touches the top of its seat"] if part.distance_to(top) < 1.0 else []
    found += ["the reader of the cradle touches the cell"] if reader.distance_to(cell) < CLEAR else []
    for name, by, other in (("free", 0.1, cradle), ("fixed", -0.1, base)):
        touched = [at.inverse() * solid for solid in cell.moved(Pos(0, 0, by)).intersect(other).solids()]
        ends = [edge for solid in touched for edge in (solid.bounding_box().min.X, solid.bounding_box().max.X)]
        if not ends or (min(ends) < 0 if name == "free" else max(ends) > 0):
            found.append(f"the bag's cell is not held at its {name} end alone")
    return found


def _free_end(x: float, y: float, turn: float) -> tuple[float, float]:
    end = (Pos(x, y) * Rot(0, 0, turn) * Pos(16.0, 0, 0)).position
    return end.X, end.Y


def _case() -> list[str]:
    """A sector with plates and carrier fits into its place of the case, whose combs hold it below and above."""
    along, _, high = case_sizes.inside()
    tray = case_tray()
    size = tray.bounding_box().size
    room = case_sizes.PITCH_OF_TRAYS - case_sizes.BELOW + FLOOR_TOP
    found = [] if along > size.Y and high > size.Z else ["a sector's tray does not fit into the case"]
    beside = case_sizes.FINGER + case_sizes.SLOT / 2
    found += [] if beside < -TRAY_TOP - PLATE_THICK - SPILL else ["plates touch a finger of the case's combs"]
    found += [] if room > 0 else ["plates touch the next tray's carrier in the case"]
    stands = Pos(transport_case.slots_x()[0], 0, 0) * tray
    for name, combs, push in (("bottom", case_combs()[:-1], -PRESS), ("lid", case_combs()[-1:], PRESS)):
        for comb in combs:
            found += [f"a tray overlaps a comb of the {name}"] if _overlap(stands, comb) else []
            pushed = Pos(0, 0, push - case_sizes.PLAY * (push < 0) + case_sizes.PLAY * (push > 0)) * stands
            found += [] if _overlap(pushed, comb) else [f"a comb of the {name} does not hold a tray"]
    return found


def case_tray() -> Part:
    """Return a sector's tray as it stands in the case, its row of three hexes down, across the middle of x and y."""
    tray = Rot(0, 0, -QUARTER) * Rot(-QUARTER, 0, 0) * Pos(-sector_middle()[0], 0, TRAY_THICK / 2) * sector_tray.build()
    low = tray.bounding_box().min.Z
    return Pos(0, 0, case_sizes.COMB[0] - case_sizes.COMB[1] + case_sizes.PLAY / 2 - low) * tray


def case_combs() -> list[Part]:
    """Return the combs in their places, the lid's last: the inside of the bottom is at z = 0."""
    comb = Pos(0, -CASE_THICK / 2, 0) * Rot(QUARTER, 0, 0) * transport_case.comb()
    high = case_sizes.inside()[2]
    above = Pos(0, 0, high) * Rot(2 * QUARTER, 0, 0) * comb
    found = [Pos(0, y, 0) * comb for y in case_sizes.BOTTOM_COMBS_AT]
    return found + [Pos(0, y, 0) * above for y in case_sizes.LID_COMBS_AT]
