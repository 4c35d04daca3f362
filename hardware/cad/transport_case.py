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
            found.append(_comb(panel, y, length) if name == "comb" else panel)
            y += width + 10
    return Compound(children=found)


def _comb(panel: Part, y: float, length: float) -> Part:
    """Cut the slots of all trays into one edge of a panel."""
    for k in range(TRAYS):
        x = -length / 2 + k * PITCH_OF_TRAYS + AIR / 2 - TRAY_TOP + TRAY_THICK / 2
        panel -= Pos(x, y + COMB[0] - COMB[1] / 2, 0) * Box(SLOT, COMB[1], 3 * CASE_THICK)
    return panel
