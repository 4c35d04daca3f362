"""The case: it takes the six sector trays, each upright in combs, so that nothing rests on a plate.

Its panels are glued and screwed. Corners of the trays stand in the combs of the bottom, and the lid's holds them.
"""

from build123d import Align, Box, Compound, Part, Pos
from case_sizes import AIR, COMB, FINGER, LOWER, PITCH_OF_TRAYS, SLOT, TRAYS, inside, panels
from dimensions import CASE_THICK, TRAY_THICK, TRAY_TOP

UP = (Align.CENTER, Align.CENTER, Align.MIN)


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
