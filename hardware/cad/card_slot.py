"""The slot of a contract card: a pin at its sleeve's notch lets the card in face up, or turned over like a page.

The reader lies under the left half; ferrite and grounded foil cover the right one (docs/decisions/0053).
"""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import CARD, CARD_READER_AT_X, NOTCH_PIN, READER, SKIN, WALL

UP = (Align.CENTER, Align.CENTER, Align.MIN)
PLAY = 1.0


def build() -> Part:
    """Return the slot, lying on z = 0."""
    width, length, thick = CARD
    floor = READER[2] + SKIN
    slot = Box(width + PLAY + 2 * WALL, length + PLAY + 2 * WALL, floor + 3 * thick, align=UP)
    slot += Pos(CARD_READER_AT_X, 0, 0) * Box(READER[0] + 2 * WALL, READER[1] + 2 * WALL, floor, align=UP)
    slot -= Pos(0, 0, floor) * Box(width + PLAY, length + PLAY, 3 * thick, align=UP)
    slot -= Pos(0, -length / 2, floor) * Cylinder(12, 3 * thick, align=UP)  # for a thumb
    slot += Pos(0, (length + PLAY) / 2, floor) * Cylinder(NOTCH_PIN, 2 * thick, align=UP)  # half of it in the wall
    return slot - Pos(CARD_READER_AT_X, 0, 0) * Box(READER[0], READER[1], READER[2], align=UP)
