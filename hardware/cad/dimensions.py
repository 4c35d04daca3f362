"""Every dimension of the table, in millimetres. The other files of this folder compute with these.

Those that depend on the real game are in `hub/citytable/table/sizes.toml`, which the hub and the lab read too.

z is 0 at the top of the table, y points away from whoever looks at a drawing. Hexes stand as the hub numbers them and
as its screens show them: `q` to the right, `r` towards you. A table with `r` the other way would be a mirror image.
"""

import tomllib
from math import sqrt
from pathlib import Path

SIZES = tomllib.loads((Path(__file__).parents[2] / "hub/citytable/table/sizes.toml").read_text("utf-8"))

QUARTER = 90.0  # degrees of a turn
SIXTH = 60.0
RADIUS = 3  # hexes around the centre: 37 in all
TILE_FLAT = SIZES["platform_flat_mm"]  # a platform of the game, from flat to flat
GAP = 1.2  # between two plates, and between a plate and the frame
PITCH = TILE_FLAT + 2.0  # from the middle of a hex to that of the next
CLEAR = 0.5  # the least between things whose loads must not mix: dust and a bent plate need that much
PLATE_FLAT = PITCH - GAP
PLATE_THICK = 4.0
CHAMFER = 0.8  # of every edge that a platform slides over
SKIN = 1.2  # of the plate above a reader: what a tag is read through

READER = (43.0, 41.0, 4.5)  # a PN532 V3 module with its parts; others differ
READER_AT_Y = 14.0
RING_OUTER, RING_INNER, RING_DEEP = 37.5, 23.0, 3.2
RING_AT_Y = -27.0

CELL = (47.0, 12.0, 6.0)  # TAL221; measure yours
CELL_HOLE = 3.2  # M3
CELL_HOLES = ((3.5, -3.0), (3.5, 3.0))  # from each end, and across: as two public models have them
CELL_HELD = 7.0  # of each end, beyond which it bends
CELL_BELOW = 12.0  # from the underside of a plate to the cell: reader, ferrite and air
BOSS = 1.5  # a boss holds what the cell carries off the rest of the cell
BRIDGE_THICK = 5.0
BEND = 0.5  # what a 1 kg cell may bend at its free end
STOP_GAP = 0.3  # the hard stop touches after this much
BASE_FLOOR, BASE_BLOCK = 4.0, 6.0  # of a cell's base: its floor, and the block below the fixed end
BASE_BEYOND = (8.0, 15.0)  # by how much a base is longer and wider than its cell
PILOT, SMALL_PILOT = 2.5, 1.6  # holes for screws of 3 mm and of 2 mm that cut their own thread in plastic

FRAME_RIM = 30.0
FRAME_THICK = 18.0
FLOOR_THICK, TRAY_THICK, CASE_THICK = 12.0, 6.0, 9.0
SECTOR = ((1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (1, 2))  # the hexes of the first; the others are turned by sixths
BOARD = (160.0, 100.0)  # of a carrier
BOARD_HOLES = (150.0, 90.0)  # from middle to middle
BOARD_THICK, SPACER = 1.6, 10.0  # a carrier's screws of 16 mm bite 4.4 mm, and do not come out of a tray
WINDOW = (168.0, 108.0)  # of the table's floor, below which a sector's carrier hangs
TRAY_GAP = 2.0  # between two trays
CABLE = (20.0, -25.0)  # hole for cables, which passes a plug of six contacts: its diameter, and its y below a hex
SCREW = 3.4  # hole that a screw of 3 mm passes
BOLT = 6.6  # hole that an M6 bolt passes
BOLT_LONG = 90.0
SPILL = 2.5  # a lip below the edge of a plate: a drop falls from it, and does not creep to the reader
POST = 30.0  # diameter of what stands between a top and a floor
INSERT = (9.0, 12.0)  # hole for a nut that is driven into a top from below: diameter, depth
FOOT_PILOT = 4.0  # hole for the wood screw of a foot that carries no post
FOOT = (40.0, 60.0)  # diameter, height: the carriers hang between floor and table

CELL_TOP = -(PLATE_THICK + CELL_BELOW)
CELL_UNDERSIDE = CELL_TOP - CELL[2]
TRAY_TOP = CELL_UNDERSIDE - BASE_BLOCK - BASE_FLOOR  # what the bases stand on
FLOOR_TOP = TRAY_TOP - TRAY_THICK
SEAT_BELOW = -TRAY_TOP + FRAME_THICK  # from a seat's top to the underside of its floor, where the rods end

CARD = (*SIZES["sleeve_mm"], SIZES["sleeved_card_thick_mm"])  # a card in its sleeve
NOTCH = 6.0  # across the half hole that an office punch makes in the middle of a sleeve's top edge
NOTCH_PIN = 2.0  # what of a slot's pin stands out of its back wall: less than half a hole, and more than a card's play
PAD_CELLS = (
    (0.0, -11.0, -QUARTER),
    (32.0, -2.5, QUARTER),
    (-32.0, -2.5, QUARTER),
)  # middle, and where the free end points
SEAT = (-120.0, 418.0, -196.0, 66.0)  # of a seat's top: left, right, front, back; the first pad is in the middle of all
PADS_AT = ((0.0, 0.0), (166.0, 0.0), (332.0, 0.0))  # a carriage passes the counterweight of the next crane
CARDS_AT = ((-55.0, -130.0), (33.0, -130.0), (121.0, -130.0))
BAG_AT, BUTTON_AT, BUTTON = (256.0, -130.0), (365.0, -130.0), 16.2
BUTTON_NUT = (30.0, 13.0)  # recess below a seat's top, so that the button's nut reaches its thread: diameter, depth
SEAT_POSTS = ((-100.0, 48.0), (400.0, 48.0), (-100.0, -178.0), (400.0, -178.0), (73.0, 0.0), (239.0, 0.0))
SEAT_BOARD_AT = (120.0, -110.0)  # below the floor
SEAT_CABLES_AT = ((0.0, -80.0), (166.0, -80.0), (332.0, -80.0))
CRANE_CABLES_AT = (-100.0, -58.0)  # hole in a seat's top for the cables of sensor and beam, from the middle of the pad
CARD_CABLE_AT_X = -20.0  # hole below a card slot's reader
CARD_READER_AT_X = -READER[0] / 2 - 2.0  # nothing of its antenna is under the right half of a card
CARD_FERRITE = 25.0  # diameter of the sheet on its right half
HX711 = (34.0, 20.0, 3.2)  # a module with its chip. Below a hex it stands against the long side of the cell's base
PAD_HX711_AT = ((-40.0, -66.0, 0.0), (65.0, -35.0, QUARTER), (40.0, -66.0, 0.0))  # on the floor; of cells 1 to 3
BAG_HX711_AT = (0.0, 35.0)  # from the middle of the bag
LIS3DH = (25.4, 17.8, 4.6)  # an accelerometer with its plugs: the larger one of those that bom.csv names
HEX_LIS3DH_AT = (23.0, -14.0, 0.0)  # on a tray, from the middle of its hex, and by how much it is turned
LIS3DH_HEX = (2, 0)  # the hex of a sector where it lies
SEAT_LIS3DH_AT = (80.0, -96.0, QUARTER)  # on the floor, in front of the gap between two pads
SOCKET = (8.2, 24.0, 20.0, 3.0)  # of a supply: its hole (measure yours); width, height and thickness of its holder
SOCKET_DEEP = 16.0  # of its holder, from its face inwards
BAG_CELL = (80.0, 12.7, 12.7)  # a bar of 3 kg; measure yours
BAG_CELL_HOLES_X, BAG_CELL_SCREWS = (5.0, 20.0), (4.0, 5.0)  # from each end; at the fixed end, at the free end
BAG_BOSS, BAG_CELL_AT_X = 3.0, 10.0  # beside the reader
BAG = (110.0, 15.0)  # inside diameter of the cradle, height of its rim
PLATFORM_THICK = SIZES["platform_thick_mm"]
PADDLE = (116.0, 2.4)  # diameter, thickness: covers a platform from corner to corner, and fills the sensor's view
FLOAT = 1.5  # how far the paddle hangs below its seat until it rests on something
RIB = (1.6, 2.5)  # of the paddle, across its middle: width, height. The beam passes just above it
SLIT = 1.0  # height of the beam
PADDLE_RANGE = SIZES["paddle_range_mm"]  # from the sensor to the paddle on the bare platform
PARK_RANGE = 45.0  # from the sensor to the parked paddle; the station takes 41 to 55 mm as parked
VIEW_DEG = 18.0  # of the sensor, from side to side
ROD = (8.0, 400.0)
ROD_AT = (38.0, 76.0)  # from the middle of a pad; the crane stands at +y
BEARING = (15.0, 24.0)  # LM8UU: outside diameter, length
ROLLER = (10.0, 4.0)  # F623ZZ: outside diameter, width
ROLLER_FLANGE = (11.5, 1.0)  # its diameter and width; measure yours
RANGER = (25.5, 17.8, 20.3, 12.7)  # VL53L4CD module: length, width, and its holes from middle to middle
RANGER_HIGH = 2.6
WASHER = (24.0, 8.4, 2.0)  # a large M8 washer (ISO 7093): outside and inside diameter, thickness
COUNTERWEIGHT = (51.0, 27.0, 56.0)  # two stacks of them side by side: along the bar of the carriage, across it, height
PETG, STEEL, SLEEVE = 1.27e-3, 7.85e-3, 1.3e-3  # g for a mm3; the last is a plastic bearing. Assumed, not weighed
WALLS, LINE, INFILL = 3, 0.4, 0.15  # how the parts are printed: walls, width of a line, and what of the rest is filled
SINKS_G = (5.0, 20.0)  # by how much a carriage is heavier than its counterweight
BEAM_BODY = (20.0, 10.0, 8.0)  # each half of a break beam; the light leaves in the middle of its long side
SCALE_BAR = (16.0, 3.6)  # of a vertical digital scale
SUPPLY = (-190.0, 190.0, -168.0, 168.0)  # of the supply's board: left, right, front, back
SUPPLY_BOARD_AT = (0.0, 54.0)  # below its tray
SUPPLY_CARDS_AT = ((-129.5, 114.0), (-41.5, 114.0), (46.5, 114.0), (134.5, 114.0))
SUPPLY_PLATFORMS_AT = ((-105.0, -6.0), (0.0, -6.0), (105.0, -6.0))
SUPPLY_LANDMARKS_AT = ((-129.5, -114.0), (-41.5, -114.0), (46.5, -114.0), (134.5, -114.0))  # landmarks are cards
SUPPLY_FEET = ((-165.0, -143.0), (-165.0, 143.0), (165.0, -143.0), (165.0, 143.0))
SUPPLY_SOCKET_AT = (0.0, 168.0)  # the middle of its holder's face, which is flush with the tray's back edge
TOWER = SIZES["tower_mm"]
# From the middle of a reader to that of the next, so that a neighbour's tag is not read. Beside a coil of 20 mm radius
# the field falls with the cube of the distance: at 70 mm it is (20 / 70) ** 3 / 2, about 1 % of that in its middle. A
# PN532 reads a tag up to 50 mm above its coil, where 5 % are left. A sticker's own half of 12 mm is in that reserve.
ANTENNAS_APART = 70.0
WEIGHTS_G = (500.0, 200.0)  # of the calibration
WEIGHT_DENSITIES = (7.0e-3, 8.6e-3)  # g for a mm3: cast iron and brass, steel between them
WEIGHT_SLIM = (1.0, 2.0)  # height of a weight in its diameters, between these
GAUGE = (100.0, 50.0, 20.0)  # `citytable calibrate` wants one height of 60 mm or more
WALL = 2.4
PRINTER = (220.0, 220.0, 250.0)


def hexes() -> list[tuple[int, int]]:
    """Return the axial coordinates of all hexes."""
    around = range(-RADIUS, RADIUS + 1)
    return [(q, r) for q in around for r in around if max(abs(q), abs(r), abs(q + r)) <= RADIUS]


def centre(q: int, r: int) -> tuple[float, float]:
    """Return the middle of a hex."""
    return PITCH * (q + r / 2), -PITCH * sqrt(3) / 2 * r


def turned(x: float, y: float, sixths: int) -> tuple[float, float]:
    """Return a point, turned around the middle of the table."""
    cos, sin = ((1, 0), (0.5, sqrt(3) / 2), (-0.5, sqrt(3) / 2))[sixths % 3]
    sign = -1 if sixths % 6 > 2 else 1
    return sign * (x * cos - y * sin), sign * (x * sin + y * cos)


def sector_middle() -> tuple[float, float]:
    """Return the middle of the first sector, where its carrier hangs."""
    x, y = zip(*(centre(*one) for one in SECTOR), strict=True)
    return sum(x) / len(x), sum(y) / len(y)
