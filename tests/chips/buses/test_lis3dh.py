"""The accelerometer: our driver and Adafruit's on one model, and what a bus and a chip can do to them."""

import math
from array import array
from errno import EIO, ENODEV, ETIMEDOUT
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.drivers.lis3dh import LIS3DH, SETTLING
from tabletwin.chips.lis3dh import CTRL_1, CTRL_4, CTRL_5, FIFO_CTRL, FIFO_SRC, HIGH_ADDRESS, Lis3dh

LEVEL = (12.0, -20.0, 1000.0)
LOOK_US = 20_000
G = 9.806
HISS_MG = 0.22 * math.sqrt(200)  # table 4: the noise of an axis, over what the normal mode hears


class Place:
    """Where the chip sits: tilted a little, and struck at moments: `strike(at_us, peak_mg, hz)`."""

    def __init__(self):
        self.level_mg = LEVEL
        self._blows = []

    def strike(self, at_us, peak_mg, hz=100.0, dies_away_us=15_000):
        self._blows.append((at_us, peak_mg, hz, dies_away_us))

    def __call__(self, t_us):
        x, y, z = self.level_mg
        for at_us, peak_mg, hz, dies_away_us in self._blows:
            age_us = t_us - at_us
            if 0 <= age_us < 10 * dies_away_us:
                swing = peak_mg * math.exp(-age_us / dies_away_us) * math.cos(2e-6 * math.pi * hz * age_us)
                x, z = x + 0.6 * swing, z + 0.8 * swing
        return x, y, z


class DriverBench:
    """Our driver, looked at like a station's."""

    def __init__(self, bench, **chip):
        self.bench = bench
        self.place = Place()
        self.chip = bench.i2c.attach(Lis3dh(bench.clock, self.place, **chip))
        self.driver = LIS3DH(bench.i2c, lambda: bench.clock.now_us() & ((1 << 30) - 1))
        self.longest_us = 0
        self._peaks_mg, self._ticks = array("i", [0] * 8), array("i", [0] * 8)

    def start(self, settle=True):
        self.driver.start()
        if settle:
            assert self.listen(200) == []
        return self

    def listen(self, ms, look_us=LOOK_US):
        """The knocks of so long: (end, peak)."""
        heard, until_us = [], self.bench.clock.now_us() + 1000 * ms
        while self.bench.clock.now_us() < until_us:
            self.bench.clock.spend(look_us)
            began_us = self.bench.clock.now_us()
            n = self.driver.take(self._peaks_mg, self._ticks, 2)
            self.longest_us = max(self.longest_us, self.bench.clock.now_us() - began_us)
            heard += [(self._ticks[2 + k], self._peaks_mg[2 + k]) for k in range(n)]
        return heard


@pytest.fixture
def accelerometer(bench):
    return DriverBench(bench)


def test_gravity_and_a_tilt_are_no_knock(accelerometer):
    accelerometer.start()
    assert accelerometer.listen(2_000) == []
    assert abs(accelerometer.driver.windows - 220) < 12, "a hundred a second"


@pytest.mark.parametrize("peak_mg", [40, 150, 600])
def test_a_knock_is_heard_when_it_happens_and_about_as_loud_as_it_is(accelerometer, peak_mg):
    accelerometer.start()
    at_us = accelerometer.bench.clock.now_us() + 333_000
    accelerometer.place.strike(at_us, peak_mg)
    heard = accelerometer.listen(1_000)
    first_us, first_mg = heard[0]
    assert 0 <= first_us - at_us <= 15_000
    assert 0.5 * peak_mg <= max(mg for _, mg in heard) <= 1.1 * peak_mg, "at worst it is measured beside its crest"
    assert first_mg >= 16
    assert [t_us for t_us, _ in heard] == sorted(t_us for t_us, _ in heard)


def test_what_is_too_soft_or_too_slow_is_no_knock(accelerometer):
    accelerometer.start()
    now_us = accelerometer.bench.clock.now_us()
    accelerometer.place.strike(now_us + 100_000, 11)
    accelerometer.place.strike(now_us + 500_000, 60, hz=0.4, dies_away_us=1_000_000)
    accelerometer.place.level_mg = (12.0, -20.0, 1006.0)
    assert accelerometer.listen(300) == []
    soft = accelerometer.listen(4_000)
    assert len(soft) <= 3, "the beginning of a sway, not the sway"


def test_the_chips_own_noise_is_no_knock(accelerometer):
    rng = Random(5)
    accelerometer.chip.hiss_mg = lambda: rng.gauss(0.0, HISS_MG)
    accelerometer.start()
    assert len(accelerometer.listen(20_000)) <= 1


def test_a_step_of_gravity_at_the_start_is_waited_for(bench):
    accelerometer = DriverBench(bench)
    bench.sleep(10)
    accelerometer.start(settle=False)
    accelerometer.place.level_mg = (0.0, 0.0, 0.0)
    bench.sleep(3)
    accelerometer.place.level_mg = LEVEL
    assert accelerometer.listen(1_000) == []
    assert accelerometer.driver.windows <= (1_000_000 // 2_500 - SETTLING) // 4 + 1


def test_no_measurement_is_taken_twice_or_left_however_late_the_looks_are(bench):
    expected = None
    for look_us in (7_000, 20_000, 38_000):
        one = DriverBench(type(bench)())
        one.start(settle=False)
        for k in range(20):
            one.place.strike(200_000 + 37_000 * k, 40 + 13 * k)
        peaks = [mg for _, mg in one.listen(1_000, look_us)]
        assert one.driver.lost == 0
        expected = expected or peaks
        assert peaks[: len(expected)] == expected[: len(peaks)]
        assert len(peaks) > 30


def test_after_a_long_pause_the_newest_80_ms_are_left_and_the_loss_is_counted(accelerometer):
    accelerometer.start()
    now_us = accelerometer.bench.clock.now_us()
    accelerometer.place.strike(now_us + 20_000, 300, dies_away_us=5_000)
    accelerometer.place.strike(now_us + 250_000, 200, dies_away_us=5_000)
    accelerometer.bench.clock.spend(300_000)
    heard = accelerometer.listen(100)
    assert accelerometer.driver.lost == 1
    assert heard[0][0] - now_us - 250_000 < 15_000
    assert max(mg for _, mg in heard) < 250
    assert accelerometer.driver.loudest_mg == max(mg for _, mg in heard)


def test_no_look_takes_more_than_half_of_what_a_driver_may(accelerometer):
    accelerometer.start()
    accelerometer.listen(500)
    assert accelerometer.longest_us < 1_600, "eight measurements"
    accelerometer.bench.clock.spend(500_000)
    accelerometer.listen(100)
    assert accelerometer.bench.i2c.longest_us < 2_300
    assert accelerometer.longest_us < 2_700, "sixteen, and no more at a time"


def test_it_is_found_at_either_address(bench):
    accelerometer = DriverBench(bench, address=HIGH_ADDRESS).start()
    accelerometer.place.strike(bench.clock.now_us() + 5_000, 90)
    assert accelerometer.listen(100)


def test_a_start_finds_it_set_up_by_whoever_was_there_before(accelerometer):
    accelerometer.start()
    accelerometer.chip.registers[CTRL_4] = 0x38
    accelerometer.chip.registers[CTRL_5] = 0
    accelerometer.driver.start()
    assert (
        accelerometer.chip.registers[CTRL_1],
        accelerometer.chip.registers[CTRL_4],
        accelerometer.chip.registers[CTRL_5],
    ) == (0x77, 0x80, 0x40)
    accelerometer.listen(200)
    assert accelerometer.chip.registers[FIFO_CTRL] == 0x80


def test_one_that_is_not_there_or_is_another_chip_or_whose_bus_is_stuck(bench):
    driver = LIS3DH(bench.i2c, bench.clock.now_us)
    with pytest.raises(OSError, match="nobody answers at 0x19") as absent:
        driver.start()
    assert absent.value.errno == EIO
    chip = bench.i2c.attach(Lis3dh(bench.clock, Place()))
    chip.registers[0x0F] = 0x41
    bench.i2c.attach(Lis3dh(bench.clock, Place(), HIGH_ADDRESS)).registers[0x0F] = 0x44
    with pytest.raises(OSError, match="0x33 expected, saw 0x44: another chip") as other:
        driver.start()
    assert other.value.errno == ENODEV
    bench.i2c.stuck = True
    bench.i2c.init(timeout=4_000)
    began_us = bench.clock.now_us()
    with pytest.raises(OSError, match="does not move") as stuck:
        driver.start()
    assert stuck.value.errno == ETIMEDOUT
    assert bench.clock.now_us() - began_us < 5_000


def test_one_that_lost_its_power_hears_nothing_and_can_be_begun_again(accelerometer):
    accelerometer.start()
    accelerometer.chip.reset()
    windows = accelerometer.driver.windows
    assert accelerometer.listen(500) == []
    assert accelerometer.driver.windows == windows, "which is how the station knows"
    accelerometer.start()
    accelerometer.place.strike(accelerometer.bench.clock.now_us() + 5_000, 90)
    assert accelerometer.listen(100)


@given(noise=st.lists(st.binary(min_size=96, max_size=96), min_size=1, max_size=30), deaf=st.lists(st.integers(0, 3)))
def test_whatever_arrives_from_the_bus_is_windows_or_an_oserror(make_bench, noise, deaf):
    accelerometer = DriverBench(make_bench()).start()
    for k, spoilt in enumerate(noise):
        accelerometer.bench.i2c.spoil = lambda data, spoilt=spoilt: spoilt[-len(data) :]
        accelerometer.bench.i2c.deaf = deaf[k] if k < len(deaf) else 0
        try:
            heard = accelerometer.listen(20)
        except OSError:
            continue
        assert len(heard) <= 4
        assert all(16 <= mg <= 3_548 for _, mg in heard)
    accelerometer.bench.i2c.spoil, accelerometer.bench.i2c.deaf = None, 0
    accelerometer.start(settle=False)
    accelerometer.listen(200)
    accelerometer.place.strike(accelerometer.bench.clock.now_us() + 5_000, 90)
    assert accelerometer.listen(100)


# the model, in the eyes of others


def master_of(masters, bench):
    return masters("adafruit_lis3dh").LIS3DH_I2C(bench.masters_i2c)


@pytest.mark.parametrize("range_g", [2, 4, 8, 16])
def test_the_driver_of_others_reads_what_the_place_is(bench, masters, range_g):
    place = Place()
    place.level_mg = (-310.0, 450.0, 840.0)
    bench.i2c.attach(Lis3dh(bench.clock, place))
    master = master_of(masters, bench)
    master.range = int(math.log2(range_g)) - 1
    bench.sleep(10)
    for seen, is_mg in zip(master.acceleration, place.level_mg, strict=True):
        assert abs(seen - is_mg * G / 1000) < 0.04 * abs(seen) + 0.13, "their scale is 2 % off the data sheet's"


def test_the_driver_of_others_sets_the_rate_that_the_model_keeps(bench, masters):
    chip = bench.i2c.attach(Lis3dh(bench.clock, Place()))
    master = master_of(masters, bench)
    rates = {}
    for name in ("POWERDOWN", "1_HZ", "10_HZ", "100_HZ", "400_HZ", "1344_HZ"):
        master.data_rate = getattr(masters("adafruit_lis3dh"), "DATARATE_" + name)
        rates[name] = chip.rate_hz()
    assert rates == {"POWERDOWN": 0, "1_HZ": 1, "10_HZ": 10, "100_HZ": 100, "400_HZ": 400, "1344_HZ": 1344}


def test_the_driver_of_others_feels_a_shake_and_no_rest(bench, masters):
    place = Place()
    bench.i2c.attach(Lis3dh(bench.clock, place))
    master = master_of(masters, bench)
    bench.sleep(10)
    assert not master.shake(shake_threshold=11)
    place.level_mg = (900.0, 900.0, 1500.0)
    assert master.shake(shake_threshold=11)


def test_our_set_up_is_what_we_mean_in_the_eyes_of_others(accelerometer, masters):
    accelerometer.start()
    theirs = masters("adafruit_lis3dh")
    master = master_of(masters, accelerometer.bench)  # which sets it up its own way
    accelerometer.driver.start()
    assert (master.data_rate, master.range) == (theirs.DATARATE_400_HZ, theirs.RANGE_2_G)
    accelerometer.bench.sleep(300)
    x, y, z = master.acceleration  # from the buffer, without gravity
    assert max(abs(x), abs(y), abs(z)) < 0.1


def test_the_buffer_says_how_full_it_is(bench):
    chip = bench.i2c.attach(Lis3dh(bench.clock, Place()))
    for register, byte in ((CTRL_1, 0x77), (CTRL_5, 0x40), (FIFO_CTRL, 0x90)):
        chip.hear(bytes([register, byte]))
    said = []
    for ms in (0, 3, 37, 2, 38, 30):
        bench.sleep(ms)
        chip.hear(bytes([FIFO_SRC]))
        said.append(chip.say(1)[0])
    assert [byte & 0x1F for byte in said] == [0, 1, 16, 16, 31, 31]
    assert [byte & 0xE0 for byte in said] == [0x20, 0, 0, 0, 0x80, 0xC0], "empty, then above the mark, then overrun"
