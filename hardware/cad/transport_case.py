"""The case: it takes the six sector trays and the park's, each upright in a comb, so that nothing rests on a plate.

Its panels are glued and screwed; the trays' edges stand in the slots of the bottom comb, and the lid's comb holds them.
"""

from build123d import Align, Box, Compound, Part, Pos
from dimensions import CASE_THICK, FLOOR_TOP, PITCH, SECTOR, TRAY_THICK, TRAY_TOP, centre

UP = (Align.CENTER, Align.CENTER, Align.MIN)
TRAYS = 7
BELOW = 40.0  # what a carrier with its plugs takes below a tray
AIR = 6.0
PITCH_OF_TRAYS = -FLOOR_TOP + BELOW + AIR
CLEAR_MM = 4.0
SLOT = TRAY_THICK + 0.5
COMB = (70.0, 24.0)  # width of a comb; how deep its slots hold a tray
FINGER = 10.0  # beside a slot; between fingers a comb is lower, for the plates
LOWER = 6.0


def inside() -> tuple[float, float, float]:
    """Return the inside of the case: along the trays, across them, and its height."""
    x, y = zip(*(centre(*one) for one in SECTOR), strict=True)
    corner = PITCH / 3**0.5
    return max(x) - min(x) + PITCH + 2 * CLEAR_MM, TRAYS * PITCH_OF_TRAYS, max(y) - min(y) + 2 * corner + 2 * CLEAR_MM


def panels() -> dict[str, tuple[float, float, int]]:
    """Return length, width and number of each panel; the combs are cut from the same sheet."""
    along, across, high = inside()
    return {
        "bottom and lid": (across + 2 * CASE_THICK, along + 2 * CASE_THICK, 2),
        "side": (across + 2 * CASE_THICK, high, 2),
        "end": (along, high, 2),
        "comb": (across, COMB[0], 4),
    }


def build() -> Compound:
    """Return all panels side by side, as they are cut, their upper side at z = 0."""
    found: list[Part] = []
    y = 0.0
    for name, (length, width, number) in panels().items():
        for _ in range(number):
            panel = Pos(0, y + width / 2, -CASE_THICK) * Box(length, width, CASE_THICK, align=UP)
            found.append(Pos(0, y, 0) * comb() if name == "comb" else panel)
            y += width + 10
    return Compound(children=found)


def comb() -> Part:
    """Return a comb, standing on y = 0, its upper side at z = 0."""
    length = inside()[1]
    base = COMB[0] - COMB[1] - LOWER
    panel = Pos(0, base / 2, -CASE_THICK) * Box(length, base, CASE_THICK, align=UP)
    for x in slots_x():
        panel += Pos(x, COMB[0] / 2, -CASE_THICK) * Box(SLOT + 2 * FINGER, COMB[0], CASE_THICK, align=UP)
        panel -= Pos(x, COMB[0] - COMB[1] / 2, 0) * Box(SLOT, COMB[1], 3 * CASE_THICK)
    return panel


def slots_x() -> list[float]:
    """Return where the trays stand along a comb, from its middle."""
    first = -inside()[1] / 2 + AIR / 2 - TRAY_TOP + TRAY_THICK / 2
    return [first + k * PITCH_OF_TRAYS for k in range(TRAYS)]
