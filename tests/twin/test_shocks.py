"""What the bases of stations feel."""

import math
from array import array
from random import Random

import pytest

from tabletwin.drivers import STEP_MG, Accelerometer
from tabletwin.plan import Plan, SpotPlan, StationPlan
from tabletwin.shocks import EVERY_US, ON_BASE, ON_CELLS, ON_TABLE, SOFTLY, Shocks
from tablewire.messages import KNOCK_MG

PAD, CITY = "seat/1/pad/0", "city/1/0"
SECOND_US = 1_000_000
CALM_US = 10_000


def a_plan():
    stations = tuple(
        StationPlan(name, kind, (SpotPlan(spot, (), reader=True, ring_leds=0, crane_zero_mm=None),), None)
        for name, kind, spot in (("seat-1", "seat", PAD), ("sector-1", "sector", CITY))
    )
    return Plan("t", 2, stations, {})


def a_table(seed=1):
    """Its shocks, and a moment from which on nobody else strikes it for a while."""
    shocks = Shocks(a_plan(), Random(seed), lambda: 0)
    at_us = CALM_US
    while shocks.stirs("seat-1", at_us - CALM_US, at_us + SECOND_US):
        at_us += SECOND_US
    return shocks, at_us


def peak_mg(shocks, station, at_us, lasts_us=SECOND_US // 2):
    still = shocks.acceleration_mg(station, at_us - 1)
    felt = (shocks.acceleration_mg(station, t_us) for t_us in range(at_us, at_us + lasts_us, 500))
    return max(math.dist(one, still) for one in felt)


def typical_mg(way, impulse=250.0, station="seat-1", place=PAD):
    peaks = []
    for seed in range(40):
        shocks, at_us = a_table(seed)
        shocks.strike(place, at_us, impulse, way)
        peaks.append(peak_mg(shocks, station, at_us))
    return sorted(peaks)[20]


def test_a_still_base_feels_the_earth():
    shocks, at_us = a_table()
    assert math.hypot(*shocks.acceleration_mg("seat-1", at_us)) == pytest.approx(1000.0, rel=0.01)
    assert shocks.acceleration_mg("seat-1", at_us) == shocks.acceleration_mg("seat-1", at_us + 5000)


def test_a_blow_is_felt_from_its_moment_on_and_dies_away():
    shocks, at_us = a_table()
    shocks.strike(PAD, at_us, 500.0, ON_BASE)
    assert peak_mg(shocks, "seat-1", at_us, 30_000) > 10 * peak_mg(shocks, "seat-1", at_us + 200_000, 30_000)
    assert shocks.stirs("seat-1", at_us, at_us + 1)
    assert not shocks.stirs("seat-1", at_us - CALM_US, at_us)


def test_what_falls_beside_a_platform_knocks_harder_than_what_falls_onto_it():
    assert typical_mg(ON_BASE) > 2 * typical_mg(ON_CELLS)
    assert typical_mg(ON_CELLS) > 2 * typical_mg(SOFTLY)


def test_a_light_piece_that_falls_beside_is_heard_and_one_set_down_is_not():
    """2 g from 60 mm, and 4 g at 25 mm a second; the firmware tells from 16 mg on."""
    assert typical_mg(ON_BASE, 2.0 * 110.0) > 16.0
    assert typical_mg(ON_CELLS, 4.0 * 2.5) < 4.0


def test_the_other_stations_feel_a_share():
    near, far = typical_mg(ON_BASE), typical_mg(ON_BASE, station="sector-1")
    assert 0.01 * near < far < 0.3 * near


def test_what_strikes_the_table_itself_reaches_every_base_a_little():
    on_table = typical_mg(ON_TABLE, place="supply/platform/0")
    assert 0.0 < on_table < 0.3 * typical_mg(ON_TABLE)


def test_two_tables_of_one_seed_feel_the_same():
    (one, at_us), (other, _) = a_table(5), a_table(5)
    for shocks in (one, other):
        shocks.strike(PAD, at_us, 300.0, ON_BASE)
    other.acceleration_mg("sector-1", at_us + 20_000)  # whoever asks in between changes nothing
    moments = range(at_us, at_us + 40 * SECOND_US, 250_000)
    assert [one.acceleration_mg("seat-1", t) for t in moments] == [other.acceleration_mg("seat-1", t) for t in moments]


def test_now_and_then_something_strikes_the_table_that_is_none_of_the_game():
    shocks = Shocks(a_plan(), Random(3), lambda: 0)
    heard = sum(shocks.stirs("seat-1", k * SECOND_US, (k + 1) * SECOND_US) for k in range(600))
    assert 5 <= heard <= 4 * 600 * SECOND_US / EVERY_US


class Listener:
    """An accelerometer on seat 1's base, and a clock that is moved by hand."""

    def __init__(self, shocks, at_us):
        self.now_us = at_us
        self.chip = Accelerometer(shocks, "seat-1", self, lambda t_us: t_us)

    def hears(self, now_us):
        """(end, peak) of the windows that knocked, as a station asks for them."""
        self.now_us, told = now_us, []
        peaks, ticks = array("i", [0] * 8), array("i", [0] * 8)
        while n := self.chip.take(peaks, ticks, 2):
            told += zip(ticks[2 : 2 + n], peaks[2 : 2 + n], strict=True)
        return told


def test_an_accelerometer_tells_the_windows_that_knocked():
    shocks, at_us = a_table()
    ear = Listener(shocks, at_us)
    assert ear.hears(at_us + 100_000) == []
    shocks.strike(PAD, at_us + 200_000, 500.0, ON_BASE)
    (first_us, loud_mg), *rest = ear.hears(at_us + 400_000)
    assert at_us + 200_000 < first_us <= at_us + 212_500
    assert loud_mg >= max(mg for _, mg in rest)
    assert min(mg for _, mg in rest) >= KNOCK_MG
    assert ear.chip.windows == 40
    assert ear.chip.loudest_mg == loud_mg
    assert abs(loud_mg - peak_mg(shocks, "seat-1", at_us + 200_000)) < 0.3 * loud_mg + STEP_MG


def test_it_hears_the_same_however_often_it_is_asked():
    heard = []
    for every_us in (20_000, 100_000):
        shocks, at_us = a_table()
        ear = Listener(shocks, at_us)
        shocks.strike(PAD, at_us + 30_000, 900.0, ON_BASE)
        shocks.strike(CITY, at_us + 150_000, 900.0, ON_BASE)
        heard.append([told for k in range(400_000 // every_us) for told in ear.hears(at_us + (k + 1) * every_us)])
    assert heard[0] == heard[1] != []
