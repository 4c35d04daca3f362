"""A load cell behind an HX711, at the level of conversions: its own oscillator, noise, drift, creep, settling.

The figures (noise in counts, rate of the chips, creep, drift) are published measurements of ordinary 1 kg bar cells and
HX711 modules.
"""

from array import array
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Protocol

from tabletwin.forces import Force

TICKS = 1 << 30
PERIOD_US = (10_800, 13_500)  # 74 to 93 conversions a second
NOISE_COUNTS = (32.0, 55.0)
NOISE_VALUES = 4093
DRIFT_G_PER_H = 1.5
CREEP_SHARE = 0.001
CREEP_US = 60e6
LOSS_CONVERSIONS = 160_000  # about one lost per cell in half an hour
RAIL = (1 << 23) - 1
RAIL_MARGIN = 1000  # more than noise ever is
AHEAD = 192  # conversions that are made ready at once: drift and creep are followed every two seconds or so
SLOW_PERIODS = 8  # the RATE pin of the chip low: 10 a second


@lru_cache(maxsize=1)
def _unit_noise() -> tuple[float, ...]:
    """Return the white noise that every cell reads from its own offset: drawing it again would take most of a start."""
    rng = Random("noise")
    return tuple(rng.gauss(0.0, 1.0) for _ in range(NOISE_VALUES))


@lru_cache(maxsize=128)  # the cells of a table: the next one of its seed has the same
def _noise(sigma: float) -> "array[int]":
    """Return the noise of a cell in counts, its beginning once more at its end: to be read, and never written."""
    noise = array("i", [round(sigma * v) for v in _unit_noise()])
    return noise + noise[:AHEAD]


class Clock(Protocol):
    """A source of virtual time."""

    now_us: int


class LoadCell:
    """The driver of one cell: `drain` hands over the conversions since the last call, as the seam wants it.

    `on_press` is called when a force begins to press on it.
    """

    def __init__(
        self,
        rng: Random,
        counts_per_g: float,
        zero_counts: int,
        clock: Clock,
        ticks_at: Callable[[int], int],
    ) -> None:
        self._rng = rng
        self._counts_per_g = counts_per_g
        self._zero = zero_counts
        self._clock = clock
        self._ticks_at = ticks_at
        self._period_us = rng.randint(*PERIOD_US)
        self._noise = _noise(rng.uniform(*NOISE_COUNTS))
        self._noise_at = rng.randrange(NOISE_VALUES)
        self._last_us = clock.now_us - rng.randrange(self._period_us)
        self._forces: list[tuple[Force, float]] = []
        self._steady_g = 0.0
        self._creep_g = 0.0
        self._drift_g = rng.gauss(0.0, 0.1)
        self._drift_g_per_us = rng.gauss(0.0, DRIFT_G_PER_H) / 3.6e9
        self._slow_us = clock.now_us
        self._base = 0
        self._plugged = True
        self._stuck_at: int | None = None
        self._wobble = self._ready = self._ready_ticks = array("i")  # of the conversions to come
        self._rest()
        self._until_loss = rng.randrange(1, LOSS_CONVERSIONS)
        self.lost = 0
        self.on_press: Callable[[], None] = _nobody

    def carry(self, steady_g: float) -> None:
        """Put on the cell a load that lay there before the first conversion."""
        self._steady_g = steady_g
        self._creep_g = steady_g * CREEP_SHARE
        self._rest()

    def press(self, force: Force, share: float) -> None:
        """Apply a force to the spot, of which this cell carries a share."""
        self._forces.append((force, share))
        self.on_press()

    @property
    def pressed(self) -> bool:
        """Return whether anything is changing on it."""
        return bool(self._forces)

    def unplug(self) -> None:
        """Pull its plug."""
        self._plugged = False

    def plug_in(self) -> None:
        """Put the plug in again."""
        self._plugged = True
        self._last_us = self._clock.now_us
        self._ready_at = AHEAD

    def stick(self, counts: int | None) -> None:
        """Make the chip return this value from now on; None: it converts again."""
        self._stuck_at = counts
        self._rest()

    def slow_down(self) -> None:
        """Pull the chip's RATE pin low."""
        self._period_us *= SLOW_PERIODS
        self._ready_at = AHEAD

    def disturb(self, factor: float) -> None:
        """Lay a humming cable beside its own, which multiplies its noise."""
        self._noise = array("i", [round(factor * v) for v in self._noise])
        self._ready_at = AHEAD

    def drain(self, counts: "array[int]", ticks: "array[int]", at: int = 0) -> int:
        """Drain the cell as the seam defines it. Conversions without room are lost, the oldest first."""
        period_us = self._period_us
        n = (self._clock.now_us - self._last_us) // period_us
        if n <= 0 or not self._plugged:
            return 0
        self._last_us += n * period_us
        if at + n > len(counts):
            self.lost += at + n - len(counts)
            n = len(counts) - at
            self._ready_at = AHEAD
        place = self._ready_at
        if place + n > AHEAD:
            self._make_ready(self._last_us - (n - 1) * period_us)
            place = 0
        end = self._ready_at = place + n
        ticks[at : at + n] = self._ready_ticks[place:end]
        if self._forces or self._special:
            counts[at : at + n] = self._pressed(self._wobble[place:end])
        else:
            counts[at : at + n] = self._ready[place:end]
        self._until_loss -= n
        if self._until_loss <= 0:
            return self._lose_one(counts, ticks, at, n)
        return n

    def _rest(self) -> None:
        self._base = self._zero + round(self._counts_per_g * (self._steady_g + self._creep_g + self._drift_g))
        self._special = abs(self._base) > RAIL - RAIL_MARGIN or self._stuck_at is not None
        self._ready_at = AHEAD  # whatever was made ready is of no use any more

    def _make_ready(self, first_us: int) -> None:
        """Prepare noise, moments and, for a cell at rest, counts of the conversions from this one on."""
        self._follow_slowly(first_us)
        at = self._noise_at
        self._noise_at = (at + AHEAD) % NOISE_VALUES
        self._wobble = self._noise[at : at + AHEAD]
        base = self._base
        self._ready = array("i", map(base.__add__, self._wobble))
        first, step = self._ticks_at(first_us), self._period_us
        moments = range(first, first + AHEAD * step, step)
        self._ready_ticks = array("i", [moment % TICKS for moment in moments] if moments[-1] >= TICKS else moments)

    def _follow_slowly(self, now_us: int) -> None:
        passed_us = now_us - self._slow_us
        self._slow_us = now_us
        self._drift_g += self._drift_g_per_us * passed_us
        self._creep_g += (self._steady_g * CREEP_SHARE - self._creep_g) * min(1.0, passed_us / CREEP_US)
        self._rest()

    def _pressed(self, wobbles: "array[int]") -> "array[int]":
        base, per_g, period_us = self._base, self._counts_per_g, self._period_us
        values = []
        t_us = self._last_us - (len(wobbles) - 1) * period_us
        for wobble in wobbles:
            grams = 0.0
            for force, share in self._forces:
                if t_us >= force.until_us:
                    grams += force.left_g * share
                elif t_us > force.at_us:
                    grams += force.grams(t_us) * share
            values.append(max(-RAIL - 1, min(RAIL, base + wobble + int(per_g * grams))))
            t_us += period_us
        self._fold(t_us - period_us)
        return array("i", values if self._stuck_at is None else [self._stuck_at] * len(values))

    def _fold(self, last_us: int) -> None:
        over = [(force, share) for force, share in self._forces if force.until_us <= last_us]
        if not over:
            return
        self._forces = [(force, share) for force, share in self._forces if force.until_us > last_us]
        self._steady_g += sum(force.left_g * share for force, share in over)
        self._rest()

    def _lose_one(self, counts: "array[int]", ticks: "array[int]", at: int, n: int) -> int:
        """Drop the oldest conversion: the driver was late."""
        self._until_loss = self._rng.randrange(1, 2 * LOSS_CONVERSIONS)
        self.lost += 1
        counts[at : at + n - 1] = counts[at + 1 : at + n]
        ticks[at : at + n - 1] = ticks[at + 1 : at + n]
        return n - 1


def _nobody() -> None:
    """Do nothing: nobody listens."""
