"""Features: one motion of a load as numbers, for the trees that distinguish a fall from a hand.

They are taken while the load moves, each from the data so far. Everything is in grams of change from the resting load,
in milliseconds, or a share, so that nothing depends on a table's own masses and scales more than necessary.
"""

from collections import deque
from statistics import median

from citytable.sensing.occlusion import Occlusion
from citytable.sensing.piece_sizes import PieceSizes
from citytable.sensing.trail import REACH, Trail

NAMES = (
    "noise", "since_ms", "load0", "n_cells",
    "d4", "d8", "d16", "d32", "d64",
    "turn8", "turn16", "turn32", "turn56", "turn96",
    "spread8", "spread16", "spread32",
    "jolts8", "jolts16", "jolts32", "jolts64", "jolt_max16", "jolt_max48", "jolt_max",
    "dive16", "soar16", "dive48", "soar48", "dive", "soar",
    "low", "high", "low_ms", "high_ms", "low32", "high32", "low_raw32", "high_raw32",
    "left", "share", "share_low",
    "part_high", "part_low", "tilt8", "tilt32", "sway16",
    "range_far", "range_near", "range_since", "range_before", "hand_ms",
    "like_last", "pieces",
    "span40", "over40", "under40", "path40", "span96", "over96", "under96", "path96",
)  # fmt: skip
"""The names of the features, in order; docs/reference/sensing.md says what each one is."""

PIECES = 9  # of so many steps up, the usual mass of a piece is the median
FLAT_G = 1.0  # a smaller change has no share of cells worth telling
PRESENT, PRESENT_G = 0.45, 8.0  # share of the tile's mass that shows it is there, or grams where that is not known
AWAY_LOADS = 16  # in a row without a platform, a fifth of a second: it was lifted, and no bump threw it
_NO_PART = -9.0
GLANCE = (
    "noise", "since_ms", "load0", "d4", "d8", "d16", "d32", "turn8", "turn16", "spread8", "jolts8", "jolts32",
    "jolt_max", "dive", "soar", "low", "high", "share", "like_last", "pieces",
)  # fmt: skip
"""Those that cost little, in the order of `glance`."""

_LOOK = 12  # loads before a departure was noticed that may belong to it already


class Features:
    """Follows one motion after another. `depart` begins one, `load` follows it, `take` tells the features as of now."""

    def __init__(self, trail: Trail, occlusion: Occlusion, empty_g: float, sizes: PieceSizes) -> None:
        self.sizes = sizes
        self._trail = trail
        self._occlusion = occlusion
        self._empty_g = empty_g  # the reading of the load with nothing on the spot
        self._step_g = 0.0
        self._steps_g: deque[float] = deque(maxlen=PIECES)
        self.usual_g = 0.0  # the usual mass of a piece here, 0 while unknown
        self._begin(0, 0.0, 0.0)

    def _begin(self, t_us: int, level_g: float, noise_g: float) -> None:
        self._since_us = t_us
        self._level_g = level_g
        self._noise_g = noise_g
        self._low = self._high = 0.0
        self._low_us = self._high_us = t_us
        self._jolt = self._dive = self._soar = 0.0
        self._missing = 0  # loads in a row without a platform
        self._away = False
        self._levels = [0.0] * self._trail.cells

    def departed(self, t_us: int, level_g: float, noise_g: float) -> None:
        """Begin a motion: the load leaves `level_g` now, where it rested with `noise_g` of noise."""
        trail = self._trail
        self._begin(t_us, level_g, noise_g)
        self._levels = [trail.cell_mean(cell, 32, _LOOK) for cell in range(trail.cells)]
        self._occlusion.departed()
        for back in range(min(_LOOK, len(trail) - 4) - 1, -1, -1):
            self._follow(back)

    def load(self) -> None:
        """Follow the load that was pushed on the trail while the motion goes on."""
        self._follow(0)
        self._missing = 0 if self.present(self._trail.mean(4) - self._level_g) else self._missing + 1
        self._away |= self._missing >= AWAY_LOADS

    def settled(self, step_g: float, *, learns: bool = True) -> bool:
        """End the motion at `step_g` off the level before, and return whether that is one piece more.

        Masses of pieces are learned only where people put pieces (`learns`).
        """
        if step_g:
            self._step_g = step_g
        is_piece = learns and self.sizes.came(step_g)
        if is_piece:
            self._steps_g.append(step_g)
            self.usual_g = median(self._steps_g)
        return is_piece

    @property
    def load0_g(self) -> float:
        """Return the load on the spot when the motion began, including the platform."""
        return self._level_g - self._empty_g

    @property
    def levels_g(self) -> list[float]:
        """Return the level of each cell then."""
        return self._levels

    def present(self, step_g: float) -> bool:
        """Return whether a platform is still there after a step: more load than an empty plate's drift."""
        gone_g = PRESENT * -self._empty_g if self._empty_g else PRESENT_G
        return self.load0_g + step_g > gone_g

    def came(self, step_g: float) -> bool:
        """Report whether a platform that is there after a step was not there before the motion, or away in between."""
        return not self.present(0.0) or (self._away and self.present(step_g))

    def _follow(self, back: int) -> None:
        trail = self._trail
        at = len(trail) - 1 - back
        t_us = trail.t_us[at]
        d4 = trail.mean(4, back) - self._level_g
        if d4 < self._low:
            self._low, self._low_us = d4, t_us
        if d4 > self._high:
            self._high, self._high_us = d4, t_us
        self._jolt = max(self._jolt, trail.jolt[at])
        turn = trail.load[at] - trail.load[at - 3] if at >= 3 else 0.0
        if turn < self._dive:
            self._dive = turn
        elif turn > self._soar:
            self._soar = turn

    def glance(self) -> list[float]:
        """Return the few features that cost little, as of the newest load, in the order of `GLANCE`."""
        trail, level_g = self._trail, self._level_g
        m8 = trail.mean(8)
        d8 = m8 - level_g
        load0 = level_g - self._empty_g
        return [
            self._noise_g, (trail.t_us[-1] - self._since_us) / 1e3, load0,
            trail.mean(4) - level_g, d8, trail.mean(16) - level_g, trail.mean(32) - level_g,
            m8 - trail.mean(8, 8), m8 - trail.mean(8, 16), trail.spread(8), trail.jolt_rms(8), trail.jolt_rms(32),
            self._jolt, self._dive, self._soar, self._low, self._high, (m8 - self._empty_g) / max(1.0, load0),
            d8 + self._step_g, d8 / self.usual_g if self.usual_g else _NO_PART,
        ]  # fmt: skip

    def take(self) -> list[float]:
        """Return the features as of the newest load, in the order of `NAMES`."""
        trail, level_g = self._trail, self._level_g
        now_us = trail.t_us[-1]
        m4, m8 = trail.mean(4), trail.mean(8)
        d8 = m8 - level_g
        left_g = m8 - self._empty_g
        load0 = level_g - self._empty_g
        whole = max(1.0, load0)
        last48 = trail.load[-51:]
        turns = [b - a for a, b in zip(last48, last48[3:], strict=False)] or [0.0]
        last32 = last48[-32:]
        low32, high32 = self._reach4()
        return [
            self._noise_g, (now_us - self._since_us) / 1e3, load0, float(trail.cells),
            m4 - level_g, d8, trail.mean(16) - level_g, trail.mean(32) - level_g, trail.mean(64) - level_g,
            m8 - trail.mean(8, 8), m8 - trail.mean(8, 16), m8 - trail.mean(8, 32), m8 - trail.mean(8, 56),
            m8 - trail.mean(8, 96),
            trail.spread(8), trail.spread(16), trail.spread(32),
            trail.jolt_rms(8), trail.jolt_rms(16), trail.jolt_rms(32), trail.jolt_rms(64),
            max(trail.jolt[-16:]), max(trail.jolt[-48:]), self._jolt,
            min(turns[-16:]), max(turns[-16:]), min(turns), max(turns), self._dive, self._soar,
            self._low, self._high, (now_us - self._low_us) / 1e3, (now_us - self._high_us) / 1e3,
            low32 - level_g, high32 - level_g, min(last32) - level_g, max(last32) - level_g,
            left_g, left_g / whole, (self._low + load0) / whole,
            *self._parts(d8),
            *self._occlusion.features(now_us),
            d8 + self._step_g, d8 / self.usual_g if self.usual_g else _NO_PART,
            *self._step(40, m8), *self._step(96, m8),
        ]  # fmt: skip

    def half_us(self) -> int:
        """Return the time at which the load was last nearer to its resting level than to its present value."""
        trail, level_g = self._trail, self._level_g
        change_g = trail.mean(4) - level_g
        if abs(change_g) < FLAT_G:
            return self._since_us
        for back in range(1, min(len(trail), REACH) + 1):
            if (trail.load[-back] - level_g) / change_g < 0.5:
                return trail.t_us[-back]
        return trail.t_us[-back]

    def _reach4(self) -> tuple[float, float]:
        """Return the lowest and the highest mean of four among the newest 32 loads."""
        means = [self._trail.mean(4, back) for back in range(0, 29, 4)]
        return min(means), max(means)

    def _step(self, n: int, m8: float) -> tuple[float, float, float, float]:
        """Return the shape of the change within the newest `n` loads: its length, overshoot, undershoot and path.

        The first in loads, negative where it bounced; the others as shares of the change.
        """
        trail = self._trail
        from_g = trail.mean(8, n - 8)
        step_g = from_g - m8
        size_g = abs(step_g)
        if len(trail) < n or size_g < max(FLAT_G, 4 * self._noise_g):
            return _NO_PART, _NO_PART, _NO_PART, _NO_PART
        loads = trail.load[-n:]
        high, low = max(loads), min(loads)
        early, late = from_g - 0.2 * step_g, from_g - 0.8 * step_g
        if step_g > 0:
            left = n - next((k for k, g in enumerate(reversed(loads)) if g >= early), n)
            came = next((k for k, g in enumerate(loads) if g <= late), n)
            over, under = high - from_g, m8 - low
        else:
            left = n - next((k for k, g in enumerate(reversed(loads)) if g <= early), n)
            came = next((k for k, g in enumerate(loads) if g >= late), n)
            over, under = from_g - low, high - m8
        return float(came - left), over / size_g, under / size_g, trail.path(n) / size_g

    def _parts(self, d8: float) -> tuple[float, float, float, float, float]:
        """Return the spread of the change over the cells: largest and smallest share, early and late tilt, sway."""
        trail = self._trail
        if trail.cells == 1:
            return _NO_PART, _NO_PART, 0.0, 0.0, 0.0
        parts = [trail.cell_mean(cell, 8) - self._levels[cell] for cell in range(trail.cells)]
        tilt8 = max(parts) - min(parts)
        slow = [trail.cell_mean(cell, 32) - self._levels[cell] for cell in range(trail.cells)]
        turns = [trail.cell_mean(cell, 4) - trail.cell_mean(cell, 4, 8) for cell in range(trail.cells)]
        sway16 = max(turns) - min(turns)
        if abs(d8) < FLAT_G:
            return _NO_PART, _NO_PART, tilt8, max(slow) - min(slow), sway16
        return max(parts) / d8, min(parts) / d8, tilt8, max(slow) - min(slow), sway16
