"""Whether a range sensor is believed: one that leaps to and fro is not, hands and towers are no reason."""

import random

import pytest

from citytable.sensing.trust import RANGES, State, Trust


def after(*ranges_mm):
    trust = Trust()
    changes = [trust.range(mm) for mm in ranges_mm]
    return trust, changes


@pytest.mark.parametrize(
    "ranges_mm",
    [
        [400, 401, 399] * 40,
        [400] * 20 + [250] * 20 + [400] * 20,
        ([400] * 8 + [150] * 8) * 5,
        [400 - 20 * (n % 15) for n in range(90)],
        [400, -1, 399, -1, 402, -1] * 20,
    ],
    ids=["a view", "a hand", "a hand that comes every moment", "a hand that comes slowly", "frames get lost"],
)
def test_what_people_do_is_believed(ranges_mm):
    trust, changes = after(*ranges_mm)
    assert not any(changes)
    assert not trust.doubted


@pytest.mark.parametrize(
    "ranges_mm",
    [
        random.Random(5).choices(range(4000), k=24),
        random.Random(5).choices(range(60, 400), k=24),
        [400, 300] * 12,
        [-1, 400, -1, 90] * 12,
    ],
    ids=["anything", "anything below it", "two at once", "two at once and frames get lost"],
)
def test_a_sensor_that_contradicts_itself_is_doubted_until_it_agrees_for_as_long(ranges_mm):
    trust, changes = after(*ranges_mm)
    assert trust.state is State.DOUBTED
    assert changes.count(True) == 1
    healed = [trust.range(400) for _ in range(2 * RANGES)]
    assert healed.index(True) in range(RANGES - 4, RANGES + 2)
    assert not trust.doubted
