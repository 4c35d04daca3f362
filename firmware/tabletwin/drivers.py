"""The models behind a station's drivers, apart from the load cell."""

from random import Random

from tabletwin.scheduler import Scheduler, sleep_us
from tabletwin.world import World

READ_US = 35_000
MISSED_ONE_IN = 300
PADDLE_SETTLES_US = 800_000
CRANE_ERROR_MM = 1.0
CRANE_READINGS = 12


class TagReader:
    """A reader: a tag in its field is read, now and then not."""

    def __init__(self, world: World, spot: str, rng: Random) -> None:
        self._world = world
        self._spot = spot
        self._rng = rng

    async def read(self) -> str | None:
        """The UID in the field."""
        await sleep_us(READ_US)
        uid = self._world.uid(self._spot)
        if uid is not None and self._rng.random() * MISSED_ONE_IN < 1.0:
            return None
        return uid


class Crane:
    """A paddle lowered on a tower; the sensor above reads its white target."""

    def __init__(self, world: World, spot: str, zero_mm: float, rng: Random, scheduler: Scheduler) -> None:
        self._world = world
        self._spot = spot
        self._zero_mm = zero_mm
        self._rng = rng
        self._scheduler = scheduler
        self._down_since_us: int | None = None
        self._told = False

    def take(self) -> tuple[float, float, int] | None:
        """One averaged reading per lowering, once the paddle rests."""
        height_mm = self._world.cranes.get(self._spot)
        if height_mm is None:
            self._down_since_us, self._told = None, False
            return None
        if self._down_since_us is None:
            self._down_since_us = self._scheduler.now_us
        if self._told or self._scheduler.now_us - self._down_since_us < PADDLE_SETTLES_US:
            return None
        self._told = True
        range_mm = self._zero_mm - height_mm + self._rng.uniform(-CRANE_ERROR_MM, CRANE_ERROR_MM)
        return (round(range_mm, 1), round(self._rng.uniform(0.3, 1.2), 1), CRANE_READINGS)


class Button:
    """A seat's button."""

    def __init__(self, world: World, seat: int) -> None:
        self._world = world
        self._seat = seat

    def take(self) -> bool:
        """True once per press."""
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
        """The power is gone."""
        self.rgb = bytes(len(self.rgb))

    @property
    def pixels(self) -> list[list[int]]:
        """What shines, as [r, g, b] a pixel."""
        return [list(self.rgb[k : k + 3]) for k in range(0, len(self.rgb), 3)]
