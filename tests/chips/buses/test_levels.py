"""Both levels say the same: the rehearsal's quick models, and drivers on models of chips, under the real program."""

from array import array
from functools import partial
from random import Random

import pytest

from tablestation.drivers.lis3dh import LIS3DH
from tablestation.drivers.lock import Lock
from tablestation.drivers.mcp23017 import MCP23017
from tablestation.drivers.pn532 import PN532
from tablestation.drivers.vl53 import VL53L1X, VL53L4CD
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tabletwin.board import Port
from tabletwin.chips.beam import BreakBeam
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.spi import SPI
from tabletwin.chips.vl53 import Vl53l1x, Vl53l4cd
from tabletwin.drivers import Accelerometer, Beam, Button, Ranger, TagReader
from tabletwin.plan import Plan, StationPlan
from tabletwin.scheduler import Scheduler
from tabletwin.shocks import ON_TABLE, Shocks
from tablewire.messages import decode

pytestmark = pytest.mark.long(4)

ZERO_MM = 300.0
PARKED_MM = 45
SEAT = 2
SPOTS = ("seat/2/pad/0", "seat/2/pad/1", "seat/2/card/0", "seat/2/bag")
CRANES = SPOTS[:2]
SOON_US = 700_000  # a round of the readers, and a lowering's first second


class World:
    """What lies where, how high the towers under lowered paddles are, and presses: as the twin's world has it."""

    def __init__(self):
        self.uids = {}
        self.cranes = {}
        self.presses = {}

    def uid(self, spot):
        return self.uids.get(spot)


class SchedulersClock:
    """The chips' clock is the scheduler's; what the processor does takes no time."""

    def __init__(self, scheduler):
        self._scheduler = scheduler

    def now_us(self):
        return self._scheduler.now_us

    def spend(self, duration_us):
        """The scheduler's time is others' to spend."""


class Quick:
    """The rehearsal's level."""

    def __init__(self, world, scheduler, port):
        self.spots = [SpotBoard(spot) for spot in SPOTS]
        for board in self.spots:
            board.reader = TagReader(world, board.spot, Random(board.spot))
            if board.spot in CRANES:
                board.ranger = Ranger(world, board.spot, ZERO_MM, Random(board.spot), scheduler)
                board.beam = Beam(board.ranger)
        self.button = Button(world, SEAT)

    def follow(self, world):
        """These models look at the world themselves."""


class Chips:
    """The level of registers and frames, with a seat's expander between the board and its chips."""

    def __init__(self, world, scheduler, port):
        clock, air, self._rng = SchedulersClock(scheduler), Air(), Random(7)
        i2c, spi = I2C(clock), SPI(clock)
        self._expander = i2c.attach(Mcp23017())
        expander = MCP23017(i2c)
        fields, addresses = Lock(), Lock()
        self.spots, self._readers, self._cranes = [SpotBoard(spot) for spot in SPOTS], {}, {}
        kinds = [(VL53L1X, Vl53l1x), (VL53L4CD, Vl53l4cd)]
        for k, board in enumerate(self.spots):
            chip = self._readers[board.spot] = Pn532(clock, air)
            self._expander.wire(k, spi.attach(chip))
            board.reader = PN532(spi, expander.output(k), port.sleep_ms, fields)
            if board.spot in CRANES:
                driver, model = kinds[k]
                ranger, beam = i2c.attach(model(clock, PARKED_MM)), BreakBeam(partial(self._expander.put, 12 + k))
                self._cranes[board.spot] = (ranger, beam)
                ranger.errs = lambda mm: self._rng.gauss(mm, 1.0)
                self._expander.wire(9 + k, ranger.power)
                board.ranger = driver(i2c, 0x30 + k, expander.output(9 + k, 0), addresses)
                board.beam = expander.beam(12 + k)
        self.button = expander.button(8)
        expander.start()

    def follow(self, world):
        """The world has changed."""
        for spot, chip in self._readers.items():
            uid = world.uid(spot)
            chip.tags = [] if uid is None else [Tag(bytes.fromhex(uid))]
        for spot, (ranger, beam) in self._cranes.items():
            height_mm = world.cranes.get(spot)
            ranger.target_mm = PARKED_MM if height_mm is None else ZERO_MM - height_mm
            beam.cover(height_mm is not None)
        self._expander.put(8, 0 if world.presses.get(SEAT) else None)


class Link:
    """Remembers what was told, and when; what is told again, because nobody acknowledges, is told once."""

    dropped = 0

    def __init__(self, scheduler):
        self._scheduler = scheduler
        self._seq = 0
        self.told = []

    def publish(self, channel, payload, urgent, retain=False):
        if urgent and not retain:
            message = decode(channel, payload)
            if message.get("event_seq", self._seq + 1) > self._seq:
                self.told.append((self._scheduler.now_us, message))
                self._seq = message.get("event_seq", self._seq)
        return True


def play(level, *acts):
    """Events of a station at this level while the acts `(at_ms, thing, where, what)` happen."""
    world, scheduler = World(), Scheduler()
    port, link = Port(scheduler, Random(1)), Link(scheduler)
    models = level(world, scheduler, port)
    station = Station(port, link, Board("seat", models.spots, models.button, SEAT))
    station.start()
    station.connected()
    for at_ms, thing, where, what in acts:
        scheduler.advance(1_000 * at_ms)
        things = getattr(world, thing)
        if what is None:
            things.pop(where, None)
        else:
            things[where] = what
        models.follow(world)
    scheduler.advance(scheduler.now_us + 5_000_000)
    port.stop()
    return [(t_us, message) for t_us, message in link.told if message["type"] != "inventory"]


def story(told):
    """What was said, without what may differ."""
    facts = ("type", "spot", "uid", "here", "seat", "sensor", "what", "on", "text")
    return [{name: message[name] for name in facts if name in message} for _, message in told]


def by_spot(told):
    """In the order of each spot: between two spots, rounds of readers may begin anywhere."""
    return sorted(story(told), key=lambda fact: (fact.get("spot", ""), fact["type"] == "height"))


A, B = "04a1b2c3d4e5f6", "de4dbeef"
SCENARIOS = {
    "a tag comes and goes": [(2_000, "uids", SPOTS[2], A), (6_000, "uids", SPOTS[2], None)],
    "a tag is exchanged for another": [(2_000, "uids", SPOTS[3], A), (5_000, "uids", SPOTS[3], B)],
    "a tag moves from spot to spot": [
        (2_000, "uids", SPOTS[0], A),
        (5_000, "uids", SPOTS[0], None),
        (8_000, "uids", SPOTS[1], A),
    ],
    "four tags at once": [(2_000, "uids", spot, f"04{k:012x}") for k, spot in enumerate(SPOTS)],
    "a lowering is measured": [(2_000, "cranes", SPOTS[0], 112.0), (6_000, "cranes", SPOTS[0], None)],
    "two lowerings on two pads": [
        (2_000, "cranes", SPOTS[0], 112.0),
        (3_000, "cranes", SPOTS[1], 61.0),
        (7_000, "cranes", SPOTS[0], None),
        (9_000, "cranes", SPOTS[0], 150.0),
    ],
    "nothing happens": [(20_000, "uids", SPOTS[0], None)],
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_both_levels_tell_the_same(name):
    quick, chips = [play(level, *SCENARIOS[name]) for level in (Quick, Chips)]
    assert by_spot(quick) == by_spot(chips)
    pairs = list(zip(sorted(quick, key=_place), sorted(chips, key=_place), strict=True))
    for (quick_us, one), (chips_us, other) in pairs:
        assert abs(quick_us - chips_us) < SOON_US
        if one["type"] == "height":
            assert abs(one["range_mm"] - other["range_mm"]) < 2
            assert one["n"] == other["n"]
            assert one["contact"] is other["contact"] is True
    assert name == "nothing happens" or pairs


def _place(told):
    t_us, message = told
    return message.get("spot", ""), message["type"], t_us


def test_both_levels_tell_a_press():
    quick = play(Quick, (2_000, "presses", SEAT, 1))
    chips = play(Chips, (2_000, "presses", SEAT, 1), (2_300, "presses", SEAT, None))
    assert story(quick) == story(chips) == [{"type": "button", "seat": SEAT}]


STRIKES_US = [2_000_000 + 457_000 * k for k in range(20)]
RINGS_US = 250_000


def test_both_levels_hear_the_same_knocks():
    scheduler = Scheduler()
    plan = Plan("table", 1, (StationPlan("park", "park", (), None, accelerometer=True),), {})
    shocks = Shocks(plan, Random(4), lambda: scheduler.now_us)
    clock = SchedulersClock(scheduler)
    i2c = I2C(clock)
    i2c.attach(Lis3dh(clock, lambda t_us: shocks.acceleration_mg("park", t_us)))
    levels = [Accelerometer(shocks, "park", scheduler, lambda t_us: t_us), LIS3DH(i2c, clock.now_us)]
    heard: list[list[tuple[int, int]]] = [[], []]
    peaks_mg, ticks = array("i", [0] * 4), array("i", [0] * 4)
    for level in levels:
        level.start()
    for now_us in range(20_000, STRIKES_US[-1] + 1_000_000, 20_000):
        for k, at_us in enumerate(STRIKES_US):
            if now_us <= at_us < now_us + 20_000:
                shocks.strike("the table", at_us, 2_000.0 * 1.25**k, ON_TABLE)
        scheduler.advance(now_us)
        for level, told in zip(levels, heard, strict=True):
            told += [(ticks[j], peaks_mg[j]) for j in range(level.take(peaks_mg, ticks))]
    for at_us in STRIKES_US:
        quick, chips = [[mg for t_us, mg in told if 0 <= t_us - at_us < RINGS_US] for told in heard]
        assert abs(len(quick) - len(chips)) <= 2
        if max(quick, default=0) > 40:
            assert 0.6 < max(chips) / max(quick) < 1.6
    assert len(heard[0]) > 60
