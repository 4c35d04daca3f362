"""The models behind a station's drivers, apart from the load cell."""

import math
from array import array
from collections.abc import Callable
from random import Random

from tabletwin.scheduler import Scheduler, sleep_us
from tabletwin.shocks import Shocks
from tabletwin.world import World
from tablewire.messages import KNOCK_MG

READ_US = 35_000
MISSED_ONE_IN = 300
PARKED_MM = 45.0  # from the crane's ranger to its paddle at its stop
LOWERING_US = 400_000
RANGE_US = 55_000
RANGE_SIGMA_MM = 1.0
MEASUREMENT_US = 2_500
WINDOW = 4  # measurements
FOUND_MOST = 4  # windows at one look
STEP_MG = 4
STEPS_MAX = 511  # +-2 g
PADDLE_ERROR_MM = 0.8  # it does not lie quite flat, each time a little differently


class TagReader:
    """A reader: a tag in its field is read, now and then not."""

    def __init__(self, world: World, spot: str, rng: Random) -> None:
        self._world = world
        self._spot = spot
        self._rng = rng

    async def read(self) -> str | None:
        """Return the UID in the field."""
        await sleep_us(READ_US)
        uid = self._world.uid(self._spot)
        if uid is not None and self._rng.random() * MISSED_ONE_IN < 1.0:
            return None
        return uid


class Ranger:
    """A crane's sensor: it looks down on its paddle, which is parked, on its way, or rests on a tower."""

    def __init__(self, world: World, spot: str, zero_mm: float, rng: Random, scheduler: Scheduler) -> None:
        self._world = world
        self._spot = spot
        self._zero_mm = zero_mm
        self._rng = rng
        self._scheduler = scheduler
        self._measured_us = scheduler.now_us
        self._lowered_us: int | None = None
        self._error_mm = 0.0

    def start(self) -> None:
        """Measure from now on."""
        self._measured_us = self._scheduler.now_us

    def take(self) -> tuple[int, int] | None:
        """Return a new reading and its status."""
        now_us = self._scheduler.now_us
        if now_us - self._measured_us < RANGE_US:
            return None
        self._measured_us = now_us
        return (round(self._paddle_mm(now_us) + self._rng.gauss(0.0, RANGE_SIGMA_MM)), 0)

    @property
    def rests(self) -> bool:
        """Return whether the paddle has come to where it was lowered."""
        return self._lowered_us is not None and self._scheduler.now_us - self._lowered_us >= LOWERING_US

    def _paddle_mm(self, now_us: int) -> float:
        height_mm = self._world.cranes.get(self._spot)
        if height_mm is None:
            self._lowered_us = None
            return PARKED_MM
        if self._lowered_us is None:
            self._lowered_us = now_us
            self._error_mm = self._rng.uniform(-PADDLE_ERROR_MM, PADDLE_ERROR_MM)
        way = min(1.0, (now_us - self._lowered_us) / LOWERING_US)
        return PARKED_MM + way * (self._zero_mm - height_mm + self._error_mm - PARKED_MM)


class Beam:
    """The beam above a crane's paddle: broken as soon as the paddle rests on a tower or on the bare platform."""

    def __init__(self, ranger: Ranger) -> None:
        self._ranger = ranger

    def broken(self) -> bool:
        """Return whether the paddle rests."""
        return self._ranger.rests


class Accelerometer:
    """The accelerometer on a base, at the level of windows: no gravity is left in them, and nothing is lost."""

    lost = 0

    def __init__(self, shocks: Shocks, station: str, clock: Scheduler, ticks_at: Callable[[int], int]) -> None:
        self._shocks = shocks
        self._station = station
        self._clock = clock
        self._ticks_at = ticks_at
        self._listened_us = clock.now_us
        self.windows = 0
        self.loudest_mg = 0

    def start(self) -> None:
        """Listen from now on."""
        self._listened_us = self._clock.now_us

    def take(self, peaks_mg: "array[int]", ticks: "array[int]", at: int = 0) -> int:
        """Write the loud windows since the last call from index `at` on; return how many. More wait for the next."""
        lasts_us, now_us, found = WINDOW * MEASUREMENT_US, self._clock.now_us, 0
        while found < FOUND_MOST and self._listened_us + lasts_us <= now_us:
            still = not self._shocks.stirs(self._station, self._listened_us, now_us)
            windows = (now_us - self._listened_us) // lasts_us if still else 1
            peak_mg = 0 if still else self._peak_mg()
            self.windows += windows
            self._listened_us += windows * lasts_us
            self.loudest_mg = max(self.loudest_mg, peak_mg)
            if peak_mg >= KNOCK_MG:
                peaks_mg[at + found] = peak_mg
                ticks[at + found] = self._ticks_at(self._listened_us)
                found += 1
        return found

    def _peak_mg(self) -> int:
        """Return the peak of the window that begins now: its longest measurement, rounded to steps."""
        longest = 0
        still_mg = self._shocks.still_mg(self._station)
        for k in range(1, WINDOW + 1):
            felt_mg = self._shocks.acceleration_mg(self._station, self._listened_us + k * MEASUREMENT_US)
            steps = (round((felt - still) / STEP_MG) for felt, still in zip(felt_mg, still_mg, strict=True))
            longest = max(longest, sum(min(STEPS_MAX, abs(step)) ** 2 for step in steps))
        return int(STEP_MG * math.sqrt(longest))


class Button:
    """A seat's button."""

    def __init__(self, world: World, seat: int) -> None:
        self._world = world
        self._seat = seat

    def take(self) -> bool:
        """Return True once per press."""
        if not self._world.presses.get(self._seat):
            return False
        self._world.presses[self._seat] -= 1
        return True


class Ring:
    """A ring of LEDs that remembers what it shows."""

    def __init__(self, leds: int) -> None:
        self.rgb = bytes(3 * leds)

    def write(self, rgb: bytearray) -> None:
        """Show these bytes, 3 a pixel."""
        self.rgb = bytes(rgb)

    def darken(self) -> None:
        """Switch all lights off: the power is gone."""
        self.rgb = bytes(len(self.rgb))

    @property
    def pixels(self) -> list[list[int]]:
        """Return the colours that shine, as [r, g, b] a pixel."""
        return [list(self.rgb[k : k + 3]) for k in range(0, len(self.rgb), 3)]
