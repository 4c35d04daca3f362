"""What things weigh, and how large a weight is: from volumes and stated densities, because nobody has weighed any.

It needs no CAD, so the tests compute with it too.
"""

from math import pi

from dimensions import (
    BEARING,
    COUNTERWEIGHT,
    INFILL,
    LINE,
    PETG,
    ROD,
    SINKS_G,
    SLEEVE,
    STEEL,
    WALLS,
    WASHER,
    WEIGHT_DENSITIES,
    WEIGHT_SLIM,
    WEIGHTS_G,
)

BEARINGS = 3  # of a carriage
REST_G = (0.0, 20.0)  # of a carriage: both halves of the beam, screws, half of a cable's loop. A bound we assume
SLOPE = 1.75  # of the holder's funnel: deeper than wide, so that a weight slips to the middle
PLAY = 2.0  # beyond the smallest and the largest weight
CORD_ROOM = 7.0  # at the top of the counterweight

Range = tuple[float, float]


def printed_g(volume_mm3: float, area_mm2: float) -> Range:
    """Return what a part weighs as the guide says it is printed, and what it weighs if it is solid."""
    shell = min(volume_mm3, area_mm2 * WALLS * LINE)
    return PETG * (shell + INFILL * (volume_mm3 - shell)), PETG * volume_mm3


def moving_g(*printed: Range) -> Range:
    """Return what hangs on the carriage's end of the cord: printed parts, bearings of plastic or steel, the rest."""
    sleeve = pi / 4 * (BEARING[0] ** 2 - ROD[0] ** 2) * BEARING[1]
    least = sum(one[0] for one in printed) + BEARINGS * SLEEVE * sleeve + REST_G[0]
    return least, sum(one[1] for one in printed) + BEARINGS * STEEL * sleeve + REST_G[1]


def washer_g() -> float:
    """Return what a washer of the counterweight weighs."""
    outer, inner, thick = WASHER
    return STEEL * pi / 4 * (outer**2 - inner**2) * thick


def washers_needed(moving: Range, cup: Range) -> tuple[int, int]:
    """Return how many washers leave a carriage so much heavier as it should be: for the lightest and the heaviest."""
    middle = sum(SINKS_G) / 2
    few, many = ((one - middle - sum(cup) / 2) / washer_g() for one in moving)
    return max(0, round(few)), round(many)


def washers_held() -> int:
    """Return how many washers two stacks in the counterweight have."""
    return 2 * int((COUNTERWEIGHT[2] - CORD_ROOM) / WASHER[2])


def weights_mm(grams: float) -> Range:
    """Return the least and the largest diameter of a round weight of so many grams."""
    dense, light = max(WEIGHT_DENSITIES), min(WEIGHT_DENSITIES)
    return _diameter(grams, dense, max(WEIGHT_SLIM)), _diameter(grams, light, min(WEIGHT_SLIM))


def funnel() -> tuple[float, float, float]:
    """Return the holder's funnel: its diameter at the bottom and at the top, and its depth."""
    narrow, wide = weights_mm(min(WEIGHTS_G))[0] - PLAY, weights_mm(max(WEIGHTS_G))[1] + PLAY
    return narrow, wide, SLOPE * (wide - narrow) / 2


def _diameter(grams: float, density: float, slim: float) -> float:
    return (grams / density / slim * 4 / pi) ** (1 / 3)
