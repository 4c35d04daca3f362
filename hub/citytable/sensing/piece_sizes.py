"""Piece sizes: how heavy the pieces of this table are. All scales of a table learn them together."""

from collections import deque
from statistics import median

LIGHTEST_G, HEAVIEST_G = 0.35, 20.0  # other steps are no single piece
LAST = 24  # pieces, of which the usual mass is the median
ENOUGH = 8  # so many pieces must have been seen before the heaviest of them says something


class PieceSizes:
    """The masses of single pieces, in grams. With `heaviest_g` (not 0) the heaviest one is known and not learned."""

    def __init__(self, heaviest_g: float = 0.0) -> None:
        self._told_g = heaviest_g
        self._heaviest_g = 0.0
        self._seen = 0
        self._last_g: deque[float] = deque(maxlen=LAST)

    @property
    def heaviest_g(self) -> float:
        """Return the mass of the heaviest piece, 0 while too few were seen."""
        if self._told_g:
            return self._told_g
        return self._heaviest_g if self._seen >= ENOUGH else 0.0

    @property
    def usual_g(self) -> float:
        """Return the median mass of the last pieces, 0 while there was none."""
        return median(self._last_g) if self._last_g else 0.0

    def came(self, step_g: float) -> bool:
        """Take the step of a load that rests again, and report whether it may be one piece that came."""
        if not LIGHTEST_G < step_g < HEAVIEST_G:
            return False
        self._seen += 1
        self._heaviest_g = max(self._heaviest_g, step_g)
        self._last_g.append(step_g)
        return True
