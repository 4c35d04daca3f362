"""A virtual board: the real station program on models, with a clock of its own and a cable that can be pulled."""

from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, NamedTuple

from tablestation.care.slots import Slots
from tablestation.care.store import Files
from tablestation.care.update import Updates
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tabletwin.drivers import Accelerometer, Beam, Button, Ranger, Ring, TagReader
from tabletwin.flash import Flash
from tabletwin.loadcell import LoadCell
from tabletwin.plan import SpotPlan, StationPlan
from tabletwin.scheduler import Scheduler, Task, sleep_us, within_us
from tabletwin.world import World

TICKS = 1 << 30
DRIFT_PPM = 50
ALERT_G = 8.0
BAG_CELL_G = 3000
RING_MA = 400
POLL_US = 20_000
REST_US = 100_000
PHASE_US = 90_000  # of the looks at the cells: shortly before the program tells what they saw


class Sent(NamedTuple):
    """A message a station published."""

    station: str
    channel: str
    payload: bytes
    urgent: bool
    retain: bool


class Port:
    """One start's clock and tasks: ticks begin anywhere, and run a little fast or slow."""

    def __init__(self, scheduler: Scheduler, rng: Random) -> None:
        self._scheduler = scheduler
        self._offset = rng.randrange(TICKS)
        self._ppm = rng.randint(-DRIFT_PPM, DRIFT_PPM)
        self._boot = rng.randrange(1, TICKS)
        self._tasks: list[Task] = []

    def ticks_at(self, t_us: int) -> int:
        """Return the reading of this clock at a moment of virtual time."""
        return (self._offset + t_us + t_us * self._ppm // 1_000_000) % TICKS

    def ticks_us(self) -> int:
        """Return the present reading."""
        return self.ticks_at(self._scheduler.now_us)

    def sleep_ms(self, duration_ms: int) -> Coroutine[int, None, None]:
        """Return an awaitable that sleeps."""
        return sleep_us(duration_ms * 1000)

    def within(self, limit_ms: int, work: Coroutine[int, None, Any]) -> Coroutine[int, None, Any]:
        """Return an awaitable with the coroutine's result, or OSError if it takes too long."""
        return within_us(limit_ms * 1000, work)

    def spawn(self, work: Coroutine[int, None, Any]) -> None:
        """Run a task of this start."""
        self._tasks.append(self._scheduler.spawn(work))

    def random30(self) -> int:
        """Return the number that identifies this start."""
        return self._boot

    def free_bytes(self) -> None:
        """Return None: the memory of a model is not a board's."""

    def feed(self) -> None:
        """Do nothing: there is no watchdog, so that a program that dies here is noticed."""

    def stop(self) -> None:
        """Cut the power."""
        for task in self._tasks:
            task.cancel()


class TwinBoard(Board):
    """A board that looks at its cells every 20 ms while something presses on them, and else ten times a second: their
    models lose nothing meanwhile, and nothing can be seen earlier."""

    def __init__(self, plan: StationPlan, spots: list[SpotBoard], button: Button | None, scheduler: Scheduler) -> None:
        about = {"hardware": "twin", "reset": "power"}
        super().__init__(plan.kind, spots, button, plan.button_seat or 0, RING_MA, about)
        self._scheduler = scheduler
        self._sleeper: Task | None = None
        self._cells: list[LoadCell] = [cell for spot in spots for cell in spot.cells]
        for cell in self._cells:
            cell.on_press = self._stir

    async def pause(self) -> None:
        """Wait until the next look."""
        period_us = REST_US
        for cell in self._cells:
            if cell.pressed:
                period_us = POLL_US
                break
        self._sleeper = self._scheduler.running
        await sleep_us(self._until_us(period_us) - self._scheduler.now_us)

    def _stir(self) -> None:
        if self._sleeper is not None:
            self._scheduler.wake(self._sleeper, self._until_us(POLL_US))

    def _until_us(self, period_us: int) -> int:
        now_us = self._scheduler.now_us
        return now_us + period_us - (now_us - PHASE_US) % period_us


class Gullible:
    """Stand for the keys of a board: a virtual station takes any bundle, because it never runs one."""

    def objection(self, _message: dict[str, Any]) -> str:
        """Return no reason to refuse an offer."""
        return ""

    def prove(self, _serial: int) -> None:
        """Do nothing: whatever comes next is as good."""


class VirtualStation:
    """One station of the plan; `program` is None while it is without power. `send` takes what it publishes."""

    def __init__(
        self, plan: StationPlan, world: World, scheduler: Scheduler, seed: int, send: Callable[[Sent], None]
    ) -> None:
        self.name = plan.station
        self._plan = plan
        self._world = world
        self._scheduler = scheduler
        self._seed = seed
        self._send = send
        self._starts = 0
        self._port: Port | None = None
        self.program: Station | None = None
        self.linked = False
        self.dropped = 0
        self.rings: dict[str, Ring] = {}
        self.flash = Flash()
        self.restart_due = False
        """Its program wants to start again: whoever runs this table cuts its power and gives it back."""

    def boot(self) -> Station:
        """Switch the power on: a new start of the program, not yet linked."""
        self._starts += 1
        rng = Random(f"{self._seed}/{self.name}/{self._starts}")
        self._port = Port(self._scheduler, rng)
        files = Files(self.flash, self.flash.open)
        slots = Slots(files)
        slots.choose()
        board = self._board(rng, self._port)
        board.about["bundle"] = slots.bundle()
        self.program = program = Station(self._port, self, board)
        Updates(self._port, files, slots, self._begin_anew, Gullible()).attach(program)
        program.on_command("restart", lambda message: message["boot"] == program.boot and self._begin_anew())
        program.start()
        return program

    def crash(self) -> None:
        """Switch the power off."""
        if self._port is not None:
            self._port.stop()
        for ring in self.rings.values():
            ring.darken()
        self.program = None
        self.linked = False
        self.restart_due = False

    def link_up(self) -> None:
        """Report to the program that the network is there."""
        self.linked = True
        if self.program is not None:
            self.program.connected()

    def link_down(self) -> None:
        """Report to the program that the network is gone."""
        self.linked = False
        if self.program is not None:
            self.program.disconnected()

    def publish(self, channel: str, payload: bytes, urgent: bool, retain: bool = False) -> bool:
        """Publish a message of the program."""
        if not self.linked:
            return False
        self._send(Sent(self.name, channel, payload, urgent, retain))
        return True

    def receive(self, channel: str, payload: bytes) -> None:
        """Deliver a message of the hub."""
        if self.program is not None:
            self.program.receive(channel, payload)

    def _board(self, rng: Random, port: Port) -> Board:
        seat = self._plan.button_seat
        button = None if seat is None else Button(self._world, seat)
        spots = [self._spot(spot, rng, port) for spot in self._plan.spots]
        board = TwinBoard(self._plan, spots, button, self._scheduler)
        if self._plan.accelerometer:
            board.accelerometer = Accelerometer(self._world.shocks, self.name, self._scheduler, port.ticks_at)
        return board

    def _spot(self, plan: SpotPlan, rng: Random, port: Port) -> SpotBoard:
        cells = [
            LoadCell(rng, cell.counts_per_g, cell.zero_counts, self._scheduler, port.ticks_at) for cell in plan.cells
        ]
        self._world.under(plan.spot, cells)
        board = SpotBoard(plan.spot, cells)
        board.counts_per_g = [cell.counts_per_g for cell in plan.cells]
        if plan.reader:
            board.reader = TagReader(self._world, plan.spot, Random(rng.random()))
        if plan.ring_leds:
            board.ring_leds = plan.ring_leds
            board.ring = self.rings[plan.spot] = Ring(plan.ring_leds)
        if plan.crane_zero_mm is not None:
            ranger = Ranger(self._world, plan.spot, plan.crane_zero_mm, Random(rng.random()), self._scheduler)
            board.ranger, board.beam = ranger, Beam(ranger) if plan.crane_beam else None
        if plan.cells and plan.cells[0].capacity_g < BAG_CELL_G:
            board.alert_g = ALERT_G
        return board

    def _begin_anew(self) -> None:
        self.restart_due = True
