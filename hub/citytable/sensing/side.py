"""The side view: a live estimate of a tower's height, from an 8x8 range sensor that looks at it from beside.

Rows of zones are stripes of elevation. Rows below the top see the tower, near; rows above see what is behind it, or
nothing. The row in which the top lies sees both, and its range is a mixture of them: how much of the row the tower
fills is read from that, roughly, because a sensor may also settle on the nearer of the two.
"""

from math import inf, radians, tan

from citytable.sensing.height import Interval

ROWS = COLUMNS = 8
FOV_DEG = 45.0  # up and down
ROW_DEG = FOV_DEG / ROWS
PLATFORM_MM = 50.0  # from the middle of a platform to its rim: where a tower's face may be
ALIKE_MM = 45.0  # faces of one tower differ by no more
SEEN_MM = 20.0  # nearer than the background by this: something of the tower is in that row
FACE_MM = 12.0  # two rows that see one face differ by no more
FULL_PART = 0.5  # a row that sees the face of the row below is filled so far at least,
BRIGHT_PART = 0.05  # one that only reads as something near no more than that: a bright edge outshines the background
HIDDEN_PART = 0.7  # and so much of a row may hide in front of a bright background, if the piece is black or thin
EDGE_ERROR_MM = 5.0  # where the sensor was mounted


class SideView:
    """One sensor, `distance_mm` from the middle of the platform and `eye_mm` above it, looking level at it."""

    def __init__(self, distance_mm: float, eye_mm: float) -> None:
        self._distance_mm = distance_mm
        self._eye_mm = eye_mm

    def interval(self, zones_mm: tuple[int, ...]) -> Interval | None:
        """Return the interval of the top by 64 ranges, row by row from the top left; None when nothing usable is seen.

        A tower higher than the view has no upper end, one below it begins at 0.
        """
        rows = [self._nearest(zones_mm[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]
        tower = [row for row, range_mm in enumerate(rows) if self._is_tower(range_mm)]
        if not tower:
            return None if all(range_mm is None for range_mm in rows) else self._below_view()
        low_mm, high_mm = self._lowest_mm(rows, tower[0]), self._highest_mm(rows, tower[0])
        return Interval(max(0.0, low_mm - EDGE_ERROR_MM), max(0.0, high_mm + EDGE_ERROR_MM))

    def _nearest(self, zones_mm: tuple[int, ...]) -> float | None:
        return min((float(zone) for zone in zones_mm if zone > 0), default=None)

    def _is_tower(self, range_mm: float | None) -> bool:
        return range_mm is not None and abs(range_mm - self._distance_mm) <= PLATFORM_MM + ALIKE_MM / 2

    def _below_view(self) -> Interval:
        return Interval(0.0, max(0.0, max(self._edge_mm(ROWS - 1)) + EDGE_ERROR_MM))

    def _lowest_mm(self, rows: list[float | None], top: int) -> float:
        here, below = rows[top], rows[top + 1] if top + 1 < ROWS else None
        same = here is not None and below is not None and abs(here - below) <= FACE_MM
        return min(self._edge_mm(top + 1 - (FULL_PART if same else BRIGHT_PART)))

    def _highest_mm(self, rows: list[float | None], top: int) -> float:
        if top == 0:
            return inf
        above = rows[top - 1]
        behind = [range_mm for range_mm in rows[:top] if range_mm is not None]
        clear = above is not None and max(behind) - above <= SEEN_MM
        return max(self._edge_mm(top - (HIDDEN_PART if clear else 1.0)))

    def _edge_mm(self, rows_down: float) -> tuple[float, float]:
        """Return the height so many rows below the upper end of the view, at the near and the far side."""
        up = tan(radians(FOV_DEG / 2 - rows_down * ROW_DEG))
        near_mm, far_mm = self._distance_mm - PLATFORM_MM / 2, self._distance_mm + PLATFORM_MM / 2
        return self._eye_mm + near_mm * up, self._eye_mm + far_mm * up
