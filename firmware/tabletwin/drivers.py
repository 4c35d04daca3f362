"""The models behind a station's drivers, apart from the load cell."""

from random import Random

from tabletwin.scheduler import Scheduler, sleep_us
from tabletwin.world import World

READ_US = 35_000
MISSED_ONE_IN = 300
PARKED_MM = 45.0  # from the crane's ranger to its paddle at its stop
LOWERING_US = 400_000
RANGE_US = 55_000
RANGE_SIGMA_MM = 1.0
PADDLE_ERROR_MM = 0.8  # it does not lie quite flat, each time a little differently


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
        """A new reading and its status."""
        now_us = self._scheduler.now_us
        if now_us - self._measured_us < RANGE_US:
            return None
        self._measured_us = now_us
        return (round(self._paddle_mm(now_us) + self._rng.gauss(0.0, RANGE_SIGMA_MM)), 0)

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
