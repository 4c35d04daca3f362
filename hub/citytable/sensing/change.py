"""Change: the difference of a spot's load from the reported one, as numbers for the trees that detect pieces.

A change is taken at one moment, over the loads on the trail: how much more or less there is, how it came, how still it
is now, where on the platform it is, and what the range sensor saw. Grams are signed by the change, so that pieces put
on and pieces taken look alike.
"""

from collections import deque
from collections.abc import Sequence
from statistics import median

from citytable.sensing.calibration import Cal
from citytable.sensing.occlusion import UNSEEN, Occlusion
from citytable.sensing.trail import REACH, Trail

NAMES = (
    "step", "size", "usual", "home", "unreported", "load", "cells", "error",
    "settled_ms", "moved_ms", "base_ms", "reported_ms", "like_reported",
    "spread8", "spread24", "jolts32", "turn24", "turn48", "turn96", "path48",
    "cross", "rise", "over", "under", "cross_jolt", "before_off", "before_spread",
    "reach", "counter", "jolt_max",
    "part_high", "part_low", "from_middle", "sway",
    "range_far", "range_near", "range_since", "range_before", "hand_ms", "nearer_mm",
)  # fmt: skip
"""The names of the features, in order; docs/reference/sensing.md says what each one is."""

PIECES = 12  # of the newest pieces, the usual mass is the median
LONG_MS = 9999.0  # longer ago is all the same
MEANT = 20  # so many loads are the load of now
BEFORE = 24  # loads before a motion was noticed that may belong to it already
_NONE = -9.0
_HELD = 3  # loads after a crossing that are not yet the new load


class Base:
    """The load when it was last reported or accepted: the change counts from here."""

    __slots__ = ("cells_g", "load_g", "seen_mm", "t_us")

    def __init__(self, t_us: int, load_g: float, cells_g: Sequence[float], seen_mm: int | None) -> None:
        self.t_us = t_us
        self.load_g = load_g
        self.cells_g = cells_g
        self.seen_mm = seen_mm


class Changes:
    """Follows the changes of one spot from one verdict to the next. Times in microseconds, loads less the platform."""

    def __init__(self, cal: Cal, trail: Trail, occlusion: Occlusion) -> None:
        self._trail = trail
        self._occlusion = occlusion
        self._empty_g = -cal.tile_g
        self._xy_mm = cal.cell_xy_mm if len(cal.cell_xy_mm) == trail.cells else ()
        self._base = Base(0, 0.0, [0.0] * trail.cells, None)
        self._unreported_g = 0.0  # how far the base is from the reported load: leans that rest, neighbours, drift
        self._reported_us = -(10**9)
        self._reported_g = 0.0
        self._learned = False  # whether the reported mass is among those of single pieces
        self._pieces_g: deque[float] = deque(maxlen=PIECES)
        self._usual_g = cal.start.mass_g / cal.start.pieces_on if cal.start.pieces_on else 0.0
        self._crossing = (_NONE,) * 7

    @property
    def base_g(self) -> float:
        """Return the load that changes count from."""
        return self._base.load_g

    def begin(self, t_us: int, load_g: float) -> None:
        """Begin a new building with the load that rests now: nothing before it counts."""
        self._rebase(t_us, load_g)
        self._unreported_g = 0.0

    def accept(self, t_us: int, load_g: float) -> None:
        """Accept the present load at rest as no change: a hand that stays, a neighbour."""
        self._unreported_g += load_g - self._base.load_g
        self._rebase(t_us, load_g)

    def departed(self) -> None:
        """Note that the load begins to move without a change: its drift since the verdict becomes the base."""
        ago = min(BEFORE, len(self._trail) - 1)
        self._rebase(self._trail.t_us[-1 - ago], self._trail.mean(MEANT, ago), ago)

    def report(self, t_us: int, load_g: float) -> float:
        """Take the load as reported, and return the change."""
        step_g = load_g - self._base.load_g
        self._rebase(t_us, load_g)
        self._reported_us, self._reported_g = t_us, step_g
        self._learn(abs(step_g))
        return step_g

    def amend(self, t_us: int, load_g: float) -> None:
        """Correct the last reported change: the load rests slightly different now, and that is the change's mass."""
        self._reported_g += load_g - self._base.load_g
        self._rebase(t_us, load_g)
        if self._learned:
            self._pieces_g.pop()
        self._learn(abs(self._reported_g))

    def count(self, step_g: float) -> int:
        """Count the pieces of a step by the usual mass of the last ones: one, unless it is far too heavy for that."""
        if len(self._pieces_g) < 3 or abs(step_g) < 1.7 * max(self._pieces_g):
            return 1
        return max(1, round(abs(step_g) / self._usual_g))

    def _learn(self, size_g: float) -> None:
        self._learned = self.count(size_g) == 1
        if self._learned:
            self._pieces_g.append(size_g)
            self._usual_g = median(self._pieces_g)

    def _rebase(self, t_us: int, load_g: float, ago: int = 0) -> None:
        trail = self._trail
        cells_g = [trail.cell_mean(cell, MEANT, ago) for cell in range(trail.cells)]
        self._base = Base(t_us, load_g, cells_g, self._occlusion.newest_mm)
        self._crossing = (_NONE,) * 7

    def take(self, now_us: int, load_g: float, error_g: float, settled_us: int | None, moved_us: int) -> list[float]:
        """Return the change to `load_g` in the order of `NAMES`.

        `error_g` is that of the last load at rest; `settled_us` since when it rests now, None while it moves;
        `moved_us` when it last began to move.
        """
        trail, base = self._trail, self._base
        step_g = load_g - base.load_g
        sign = 1.0 if step_g > 0 else -1.0
        size_g = max(abs(step_g), 0.1)
        m8 = trail.mean(8)
        loads = trail.load[-REACH:]
        high, low = max(loads) - base.load_g, min(loads) - base.load_g
        self._cross(loads, load_g, sign)
        return [
            step_g, size_g, size_g / self._usual_g if self._usual_g else _NONE,
            sign * (step_g + self._unreported_g), sign * self._unreported_g,
            load_g - self._empty_g, float(trail.cells), error_g,
            -1.0 if settled_us is None else (now_us - settled_us) / 1e3,
            min(LONG_MS, ((settled_us or now_us) - moved_us) / 1e3),
            min(LONG_MS, (now_us - base.t_us) / 1e3), min(LONG_MS, (now_us - self._reported_us) / 1e3),
            sign * (step_g + self._reported_g),
            trail.spread(8), trail.spread(24), trail.jolt_rms(32),
            sign * (m8 - trail.mean(8, 16)), sign * (m8 - trail.mean(8, 40)), sign * (m8 - trail.mean(8, 88)),
            trail.path(48) / size_g,
            *self._crossing,
            high if step_g > 0 else -low, low if step_g > 0 else -high, max(trail.jolt[-REACH:]),
            *self._parts(step_g),
            *self._occlusion.features(now_us), self._nearer_mm(now_us),
        ]  # fmt: skip

    def _cross(self, loads: list[float], load_g: float, sign: float) -> None:
        """Return how the load came from the base to its present value: sought on the trail, then remembered.

        How long ago, how quickly, how far it went beyond and back, its jolt, and the load before.
        """
        base_g = self._base.load_g
        middle = sign * (base_g + load_g) / 2
        at = next((at for at in range(len(loads) - 1, -1, -1) if sign * loads[at] < middle), -1)
        if at < 0:
            return
        size_g = abs(load_g - base_g)
        early, late = sign * base_g + 0.2 * size_g, sign * base_g + 0.8 * size_g
        left = next((k for k in range(at, -1, -1) if sign * loads[k] < early), 0)
        came = next((k for k in range(at + 1, len(loads)) if sign * loads[k] > late), len(loads))
        after = [sign * (load - load_g) for load in loads[came + _HELD :]] or [0.0]
        before = loads[max(0, left - 16) : left + 1]
        before_g = sum(before) / len(before)
        first = len(self._trail) - len(loads)
        self._crossing = (
            float(len(loads) - at),
            float(came - left),
            max(after),
            min(after),
            max(self._trail.jolt[first + left : first + came + _HELD]),
            sign * (before_g - base_g),
            max(before) - min(before),
        )

    def _parts(self, step_g: float) -> tuple[float, float, float, float]:
        """Return a cell's largest and smallest share, the load's distance from the middle in mm, and how that moves."""
        trail = self._trail
        if trail.cells == 1 or abs(step_g) < 0.1:
            return _NONE, _NONE, _NONE, 0.0
        parts = [trail.cell_mean(cell, MEANT) - was for cell, was in enumerate(self._base.cells_g)]
        whole = sum(parts) or 0.1
        turns = [trail.cell_mean(cell, 8) - trail.cell_mean(cell, 8, 16) for cell in range(trail.cells)]
        away = _NONE
        if self._xy_mm:
            x = sum(part * xy[0] for part, xy in zip(parts, self._xy_mm, strict=True)) / whole
            y = sum(part * xy[1] for part, xy in zip(parts, self._xy_mm, strict=True)) / whole
            away = min(500.0, (x * x + y * y) ** 0.5)
        shares = [part / whole for part in parts]
        return max(shares), min(shares), away, max(turns) - min(turns)

    def _nearer_mm(self, now_us: int) -> float:
        """Return how much nearer the overhead sensor sees something than when the base was set."""
        was_mm, now_mm = self._base.seen_mm, self._occlusion.newest_mm
        if was_mm is None or now_mm is None or not self._occlusion.sees(now_us):
            return UNSEEN
        return float(was_mm - now_mm)
