"""Every dimension of the table, in millimetres. The other files of this folder compute with these.

z is 0 at the top of the table. Hexes stand as the hub numbers them: `q` to the right, `r` up and to the right.
"""

from math import sqrt

RADIUS = 3  # hexes around the centre: 37 in all
TILE_FLAT = 90.0  # a platform of the game, from flat to flat: measure yours, and change this
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
CELL_HOLES_X = (4.0, 11.0)  # from each end
CELL_BELOW = 12.0  # from the underside of a plate to the cell: reader, ferrite and air
BEND = 0.5  # what a 1 kg cell may bend at its free end
STOP_GAP = 0.3  # the hard stop touches after this much

FRAME_RIM = 30.0
FRAME_THICK = 18.0
SPILL = 2.5  # the rim's edge above the top keeps a glass of water off the electronics
FOOT = (40.0, 25.0)  # diameter, height

CARD = (63.0, 88.0, 1.2)  # a card in its sleeve
NOTCH = 6.0  # in the middle of a sleeve's top edge
BAG = (110.0, 15.0)  # inside diameter of the cradle, height of its rim
PADDLE = 112.0  # fills the sensor's view, 27 degrees from 300 mm is 144; a region of interest narrows it
WEIGHT = (30.0, 50.0)  # a weight of 500 g: diameter, height
WALL = 2.4
PRINTER = (220.0, 220.0, 250.0)


def hexes() -> list[tuple[int, int]]:
    """Return the axial coordinates of all hexes."""
    around = range(-RADIUS, RADIUS + 1)
    return [(q, r) for q in around for r in around if max(abs(q), abs(r), abs(q + r)) <= RADIUS]


def centre(q: int, r: int) -> tuple[float, float]:
    """Return the middle of a hex."""
    return PITCH * (q + r / 2), PITCH * sqrt(3) / 2 * r
