"""The sizes of the transport case, its panels and its screws. It needs no CAD, so the tests compute with it too."""

from math import ceil

from dimensions import CASE_THICK, FLOOR_TOP, PITCH, SECTOR, TRAY_GAP, TRAY_THICK, centre

TRAYS = 6
BELOW = 40.0  # what a carrier with its plugs takes below a tray
AIR = 6.0
PITCH_OF_TRAYS = -FLOOR_TOP + BELOW + AIR
CLEAR_MM = 4.0
PLAY = 2.0  # of a tray between the combs below and above it
SLOT = TRAY_THICK + 0.5
COMB = (50.0, 24.0)  # width of a comb; how deep its slots hold a tray
FINGER = 10.0  # beside a slot; between fingers a comb is lower, for the plates
LOWER = 6.0
# A tray stands with its row of three hexes down, so two corners rest in the combs of the bottom, and the corner of the
# single hex, in the middle of the top, in that of the lid.
BOTTOM_COMBS_AT, LID_COMBS_AT = (-PITCH, PITCH), (0.0,)
SCREW_EVERY = 150.0  # along each glued edge
STRAP = 2500.0  # goes round the case


def tray_high() -> float:
    """Return how high a sector's tray is when it stands."""
    y = [centre(*one)[1] for one in SECTOR]
    return max(y) - min(y) + 2 * (PITCH - TRAY_GAP) / 3**0.5


def inside() -> tuple[float, float, float]:
    """Return the inside of the case: along the trays, across them, and its height."""
    x = [centre(*one)[0] for one in SECTOR]
    high = tray_high() + 2 * (COMB[0] - COMB[1]) + PLAY
    return max(x) - min(x) + PITCH + 2 * CLEAR_MM, TRAYS * PITCH_OF_TRAYS, high


def panels() -> dict[str, tuple[float, float, int]]:
    """Return length, width and number of each panel; the combs are cut from the same sheet."""
    along, across, high = inside()
    return {
        "bottom and lid": (across + 2 * CASE_THICK, along + 2 * CASE_THICK, 2),
        "side": (across + 2 * CASE_THICK, high, 2),
        "end": (along, high, 2),
        "comb": (across, COMB[0], len(BOTTOM_COMBS_AT) + len(LID_COMBS_AT)),
    }


def screws() -> int:
    """Return how many screws hold the panels while the glue dries: the lid alone is not screwed to the others."""
    along, across, high = inside()
    edges = [along, along, across, across, high, high, high, high]
    edges += [across] * (len(BOTTOM_COMBS_AT) + len(LID_COMBS_AT))
    return sum(ceil(edge / SCREW_EVERY) + 1 for edge in edges)


def round_case() -> float:
    """Return how long a strap has to be that goes round the case, along the trays."""
    along, _, high = inside()
    return 2 * (along + high + 4 * CASE_THICK)
