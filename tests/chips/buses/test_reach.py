"""Reach: what a paddle does, what is told of it once, and what is told when the ranger cannot be believed."""

from errno import EIO, ENODEV, ETIMEDOUT
from math import sin
from random import Random
from types import coroutine

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.clock import Clock
from tablestation.drivers.lock import Lock
from tablestation.drivers.vl53 import VL53L1X
from tablestation.reach import (
    BLIND,
    IDLE,
    LOWERED_MM,
    PARKED,
    PARKED_MM,
    READINGS,
    SCATTER_MM,
    SILENT,
    STRAY_MM,
    STUCK,
    TOLD,
    Crane,
    Rangers,
)
from tabletwin.chips.vl53 import Vl53l1x

PERIOD_S = 0.055


def feed(crane, *readings):
    """What was told of these readings."""
    return [told for reading in readings if (told := crane.feed(reading)) is not None]


def noisy(seed, mm, n, sigma=1.2):
    rng = Random(seed)
    return [round(rng.gauss(mm, sigma)) for _ in range(n)]


@pytest.fixture
def crane():
    """A crane whose paddle is parked."""
    crane = Crane()
    feed(crane, *[45] * 5)
    assert crane.state == PARKED
    return crane


def test_a_lowered_paddle_that_rests_is_told_once(crane):
    (told,) = feed(crane, *noisy(1, 187, 200))
    assert told[2] == READINGS
    assert abs(told[0] - 187) < 1
    assert 0.5 < told[1] < 2.5


def test_it_is_told_within_a_second_and_a_half(crane):
    readings = int(1.5 / PERIOD_S)
    assert feed(crane, *noisy(2, 120, readings)) != []


def test_parked_and_lowered_again_it_is_told_again(crane):
    for mm in (187, 120, 250):
        (told,) = feed(crane, *noisy(mm, mm, 40), *[45] * 5)
        assert abs(told[0] - mm) < 1


def test_raised_a_little_and_lowered_again_without_parking_it_is_told_again(crane):
    first, second = feed(crane, *noisy(3, 200, 40), *noisy(4, 160, 5), *noisy(5, 190, 40))
    assert abs(first[0] - 200) < 1
    assert abs(second[0] - 190) < 1


def test_a_paddle_that_slips_after_it_was_told_is_the_same_lowering(crane):
    assert len(feed(crane, *noisy(6, 150, 40), *noisy(7, 175, 40))) == 1


def test_a_paddle_that_slips_before_is_told_where_it_comes_to_rest(crane):
    (told,) = feed(crane, *noisy(8, 150, 14), *noisy(9, 171, 60))
    assert abs(told[0] - 171) < 1.5


@pytest.mark.parametrize("period_s", [0.4, 0.9, 1.5])
def test_a_swinging_paddle_is_not_told_until_it_rests(crane, period_s):
    swing = [round(180 + 12 * sin(6.28 * k * PERIOD_S / period_s)) for k in range(300)]
    assert feed(crane, *swing) == []
    (told,) = feed(crane, *noisy(10, 180, 40))
    assert abs(told[0] - 180) < 1.5


@pytest.mark.parametrize("speed_mm_s", [3.5, 10, 30, 100])
def test_a_paddle_on_its_way_down_is_not_told(crane, speed_mm_s):
    n = int(200 / speed_mm_s / PERIOD_S)
    assert feed(crane, *[round(70 + speed_mm_s * k * PERIOD_S) for k in range(n)]) == []


def test_a_paddle_that_begins_to_swing_while_it_is_measured_is_not_told(crane):
    swing = [round(180 + 12 * sin(6.28 * k / 7)) for k in range(100)]
    assert feed(crane, *[180] * 10, *swing) == []


@pytest.mark.parametrize("before", range(5, 26))
def test_a_small_slip_while_it_is_measured_is_not_averaged_away(crane, before):
    (told,) = feed(crane, *[150] * before, *[153] * 40)
    assert min(abs(told[0] - 150), abs(told[0] - 153)) < 1


def test_outliers_that_call_themselves_valid_are_not_averaged(crane):
    readings = noisy(11, 200, 60)
    for k in range(3, 60, 4):
        readings[k] = 24
    (told,) = feed(crane, *readings)
    assert abs(told[0] - 200) < 1


def test_a_scatter_beyond_all_measure_is_not_told(crane):
    assert feed(crane, *noisy(12, 200, 200, sigma=3 * SCATTER_MM)) == []


def test_a_parked_paddle_is_never_told(crane):
    assert feed(crane, *noisy(13, 45, 300)) == []


def test_between_parked_and_lowered_it_stays_what_it_was(crane):
    between = (PARKED_MM + LOWERED_MM) // 2
    assert feed(crane, *[between] * 60) == []
    assert crane.state == PARKED
    feed(crane, *[70] * 40, *[between] * 10)
    assert crane.state == TOLD


@given(readings=st.lists(st.integers(20, 1300), max_size=400))
def test_what_is_told_lies_among_the_readings_and_says_its_scatter(readings):
    crane = Crane()
    for told in feed(crane, *readings):
        assert min(readings) <= told[0] <= max(readings)
        assert told[0] > PARKED_MM - STRAY_MM
        assert 0 <= told[1] <= SCATTER_MM
        assert told[2] == READINGS


@given(
    lowerings=st.lists(st.integers(LOWERED_MM + 5, 1200), min_size=1, max_size=6),
    seed=st.integers(0, 10_000),
    length=st.integers(60, 120),
)
def test_every_lowering_that_rests_is_told_exactly_once(lowerings, seed, length):
    crane = Crane()
    feed(crane, *[45] * 5)
    told = []
    for k, mm in enumerate(lowerings):
        told += feed(crane, *noisy(seed + k, mm, length, sigma=0.8), *[45] * 5)
    assert len(told) == len(lowerings)
    assert all(abs(height[0] - mm) < 2 for height, mm in zip(told, lowerings, strict=True))


# the task, on a port of the bench


@coroutine
def _sleep(ms):
    yield ms


class Port:
    """The bench's clock as a station's port."""

    def __init__(self, bench):
        self._bench = bench
        self.sleeps = []

    def ticks_us(self):
        return (self._bench.clock.now_us() + (1 << 30) - 500_000) % (1 << 30)

    def sleep_ms(self, ms):
        self.sleeps.append(ms)
        return _sleep(ms)


class Faults:
    """What is reported, as the station's own list of faults keeps it."""

    def __init__(self):
        self.now = set()
        self.history = []

    def report(self, spot, sensor, what, on):
        key = (spot, sensor, what)
        if on != (key in self.now):
            self.now ^= {key}
            self.history.append((*key, on))


class Board:
    def __init__(self, spot, ranger, beam=None):
        self.spot = spot
        self.ranger = ranger
        self.beam = beam


class Pulse:
    def __init__(self):
        self.beats = 0

    def beat(self):
        self.beats += 1


class Table:
    """The task on one bench, with one chip for each spot."""

    def __init__(self, bench, boards):
        self.bench = bench
        self.port = Port(bench)
        self.faults = Faults()
        self.pulse = Pulse()
        self.posted = []
        self.taken = True
        self.reach = Rangers(self.port, Clock(self.port), boards, self.faults)
        self._task = self.reach.run(self.pulse, self.post)

    def post(self, message):
        if self.taken:
            self.posted.append(message)
        return self.taken

    def run(self, ms):
        end_us = self.bench.clock.now_us() + 1000 * ms
        while self.bench.clock.now_us() < end_us:
            began_us = self.bench.clock.now_us()
            pause_ms = self._task.send(None)
            self.bench.longest_us = max(self.bench.longest_us, self.bench.clock.now_us() - began_us)
            self.bench.sleep(pause_ms)
        return self

    def close(self):
        self._task.close()


@pytest.fixture
def table(bench):
    """The task with one VL53L1X above a parked paddle, and its chip."""
    chip = bench.i2c.attach(Vl53l1x(bench.clock, 45))
    rng = Random(4)
    chip.errs = lambda mm: rng.gauss(mm, 1.0)
    bench.sleep(2)
    table = Table(bench, [Board("seat/1/pad/0", VL53L1X(bench.i2c)), Board("seat/1/bag", None)])
    table.chip = chip
    yield table
    table.close()


def test_a_lowering_becomes_one_height_on_the_wire(table):
    table.run(2_000)
    assert table.posted == []
    table.chip.target_mm = 212
    table.run(4_000)
    (height,) = table.posted
    assert (height["type"], height["spot"], height["n"]) == ("height", "seat/1/pad/0", READINGS)
    assert abs(height["range_mm"] - 212) < 1.5
    assert 0.3 < height["spread_mm"] < 2
    table.chip.target_mm = 45
    table.run(1_000)
    table.chip.target_mm = 130
    table.run(3_000)
    assert len(table.posted) == 2
    assert table.faults.history == []


def test_the_height_comes_before_a_person_lets_go(table):
    table.run(2_000)
    table.chip.target_mm = 150
    table.run(1_700)
    assert len(table.posted) == 1


def test_a_height_nobody_takes_yet_is_told_later(table):
    table.run(1_000)
    table.taken = False
    table.chip.target_mm = 150
    table.run(3_000)
    table.taken = True
    table.run(500)
    assert len(table.posted) == 1


def test_a_parked_paddle_is_looked_at_rarely_and_nothing_holds_the_cells_up(table):
    table.run(3_000)
    before = table.bench.i2c.transfers
    table.run(10_000)
    assert table.bench.i2c.transfers - before < 10 * 5 * 6 * 1.1
    table.chip.target_mm = 150
    table.run(2_000)
    assert table.bench.longest_us < 5_000
    assert table.pulse.beats > 60


def test_three_cranes_behind_an_expander_come_up_and_tell_their_own_heights(bench):
    expander, chip = bench.expander()
    shutdowns = [expander.output(9 + k, 0) for k in range(3)]
    expander.start()
    turn, chips = Lock(), [bench.i2c.attach(Vl53l1x(bench.clock, 45)) for _ in range(3)]
    for k in range(3):
        chip.wire(9 + k, chips[k].power)
    rangers = [VL53L1X(bench.i2c, 0x30 + k, shutdowns[k], turn) for k in range(3)]
    table = Table(bench, [Board(f"seat/1/pad/{k}", rangers[k]) for k in range(3)])
    table.run(2_000)
    for k in range(3):
        chips[k].target_mm = 100 + 50 * k
    table.run(3_000)
    assert [(height["spot"], height["range_mm"]) for height in table.posted] == [
        (f"seat/1/pad/{k}", 100 + 50 * k) for k in range(3)
    ]
    chip.reset()  # all selects and shutdown lines float: the rangers stay on, at their addresses
    table.run(2_000)
    assert table.faults.history == []
    bench.i2c.init(timeout=4_000)
    bench.i2c.stuck = True
    table.run(5_000)
    assert table.faults.now == {(f"seat/1/pad/{k}", "bus", STUCK) for k in range(3)}
    bench.i2c.stuck = False
    table.run(5_000)
    assert table.faults.now == set()
    assert bench.longest_us < 5_000
    table.close()


def told(*faults):
    return [("seat/1/pad/0", *fault) for fault in faults]


def test_a_silent_ranger_is_told_until_it_answers(table):
    table.run(1_000)
    chip = table.bench.i2c.chips.pop()
    table.run(3_000)
    assert table.faults.history == told(("ranger", SILENT, True))
    table.bench.i2c.attach(chip)
    table.run(3_000)
    assert table.faults.history == told(("ranger", SILENT, True), ("ranger", SILENT, False))
    chip.target_mm = 150
    table.run(3_000)
    assert len(table.posted) == 1


def test_a_stuck_bus_is_told_as_the_buss(table):
    table.run(1_000)
    table.bench.i2c.init(timeout=4_000)
    table.bench.i2c.stuck = True
    table.run(3_000)
    assert table.faults.now == set(told(("bus", STUCK)))
    assert table.bench.longest_us < 5_000
    table.bench.i2c.stuck = False
    table.run(3_000)
    assert table.faults.now == set()


def test_from_one_fault_to_another_the_first_ends(table):
    table.run(1_000)
    table.bench.i2c.stuck = True
    table.run(3_000)
    table.bench.i2c.stuck = False
    table.bench.i2c.chips.clear()
    table.run(3_000)
    assert table.faults.history == told(("bus", STUCK, True), ("bus", STUCK, False), ("ranger", SILENT, True))


def test_one_transfer_that_fails_is_no_fault(table):
    table.run(1_000)
    for _ in range(20):
        table.bench.i2c.deaf = 1
        table.run(500)
    assert table.faults.history == []


def test_a_ranger_that_sees_nothing_is_told(table):
    table.run(1_000)
    table.chip.target_mm = None
    table.run(15_000)
    assert table.faults.now == set(told(("ranger", BLIND)))
    table.chip.results = [(45, 9), (0, 4)] * 10
    table.run(5_000)
    assert table.chip.results == []
    assert table.faults.now == set(told(("ranger", BLIND)))
    table.chip.target_mm = 45
    table.run(3_000)
    assert table.faults.now == set()


def test_a_ranger_whose_laser_died_is_told(table):
    table.run(1_000)
    table.chip.stubborn = True
    table.run(6_000)
    assert table.faults.now == set(told(("ranger", IDLE)))
    table.chip.stubborn = False
    table.run(3_000)
    assert table.faults.now == set()


def test_a_ranger_that_lost_its_power_measures_again_by_itself(table):
    table.run(1_000)
    table.chip.power(0)
    table.chip.power(1)
    table.run(5_000)
    assert table.faults.now == set()
    table.chip.target_mm = 150
    table.run(3_000)
    assert len(table.posted) == 1


def test_another_chip_is_told_by_what_it_says_it_is(table):
    table.chip.ident = b"\xea\xaa"
    table.run(3_000)
    ((spot, sensor, what),) = table.faults.now
    assert (spot, sensor) == ("seat/1/pad/0", "ranger")
    assert "model 0xeacc expected, saw 0xeaaa" in what


def test_health_counts_what_was_read_and_how_it_scatters(table):
    table.run(5_000)
    table.chip.target_mm = 200
    table.run(5_000)
    (told,) = table.reach.health()
    assert told["spot"] == "seat/1/pad/0"
    assert told["n"] > 40
    assert 0.6 < told["spread_mm"] < 1.4
    assert told["bad"] == 0
    assert table.reach.health()[0]["n"] == 0
    table.chip.target_mm = None
    table.run(5_000)
    assert table.reach.health()[0]["bad"] > 15


class Nonsense:
    """A driver that does whatever a list says."""

    def __init__(self, deeds):
        self._deeds = deeds

    def start(self):
        self._do()

    def take(self):
        return self._do()

    def _do(self):
        deed = self._deeds.pop() if self._deeds else None
        if isinstance(deed, OSError):
            raise deed
        return deed


ERRORS = st.sampled_from([OSError(EIO), OSError(ETIMEDOUT), OSError(ENODEV), OSError(ENODEV, "no VL53"), OSError()])


@given(
    deeds=st.lists(st.none() | st.tuples(st.integers(0, 65_535), st.sampled_from([0, 0, 1, 2, 255])) | ERRORS),
    good=st.booleans(),
)
def test_whatever_a_ranger_does_the_task_goes_on_and_faults_end(make_bench, deeds, good):
    bench = make_bench()
    table = Table(bench, [Board("seat/1/pad/0", Nonsense(([(45, 0)] * 200 if good else []) + deeds))])
    table.run(10_000 + 250 * len(deeds))
    assert (table.faults.now == set()) is good
    table.close()
