"""The height of a tower, and the interval it lies in."""

import math

import pytest

from citytable.sensing.crane import Crane
from citytable.sensing.reading import HeightReading
from citytable.table.fact import HeightMeasured, SensorFault

SPOT = "seat/1/pad/0"


def reading(range_mm, spread_mm=0.5, n=20):
    return HeightReading(t_us=5, spot=SPOT, range_mm=range_mm, spread_mm=spread_mm, n=n)


@pytest.fixture
def crane():
    return Crane(SPOT, zero_mm=300.0)


def test_the_height_is_the_zero_less_the_range_give_or_take_two_millimetres(crane):
    assert crane.measure(reading(180.0)) == [
        HeightMeasured(t_us=5, spot=SPOT, low_mm=118.0, high_mm=122.0, source="crane")
    ]


def test_a_trembling_paddle_makes_the_interval_wider(crane):
    (height,) = crane.measure(reading(180.0, spread_mm=3.0))
    assert (height.low_mm, height.high_mm) == (114.0, 126.0)


def test_the_bare_platform_is_no_lower_than_nothing(crane):
    (height,) = crane.measure(reading(300.8))
    assert height.low_mm == 0
    assert height.high_mm == pytest.approx(1.2)


@pytest.mark.parametrize(
    "bad",
    [reading(-1.0), reading(310.0), reading(math.nan), reading(math.inf), reading(100.0, -1.0), reading(100.0, n=0)],
)
def test_a_range_that_cannot_be_is_a_fault_once_and_no_height(crane, bad):
    (fault,) = crane.measure(bad)
    assert isinstance(fault, SensorFault)
    assert (fault.sensor, fault.on) == ("range", True)
    assert crane.measure(bad) == []
    off, height = crane.measure(reading(180.0))
    assert (off.what, off.on) == (fault.what, False)
    assert isinstance(height, HeightMeasured)
