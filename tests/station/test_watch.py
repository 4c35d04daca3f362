"""The watch: an alert soon after a drop shows, once, and for nothing else."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tablestation.seam import NOMINAL_COUNTS_PER_G
from tablestation.watch import Watch

SLOWEST_US = 13_514  # 74 conversions a second
LIMIT = 14_400  # 8 g
SETTLING = 4  # conversions until the filter of the chip shows a step in full
NOISE = 90
PROMISED_US = 75_000
POLL_US = 20_000


class Cell:
    """What the watch sees of a gate."""

    def __init__(self, level):
        self.level = self.last = self.before = level

    def convert(self, counts):
        self.before, self.last = self.last, counts


def falling(level, drop):
    """A drop as the chip's filter lets it through."""
    return [level - drop * k // SETTLING for k in range(1, SETTLING + 1)] + [level - drop] * 20


def first_alert(watch, cells, streams, poll_at_us, periods_us, firsts_us):
    """Microseconds from the first conversion that shows the drop to the alert; None when there was none."""
    due_us = list(firsts_us)
    position = [0] * len(cells)
    now_us = poll_at_us
    while min(position) < len(streams[0]):
        for k, cell in enumerate(cells):
            while due_us[k] <= now_us and position[k] < len(streams[k]):
                cell.convert(streams[k][position[k]])
                position[k] += 1
                due_us[k] += periods_us[k]
        if watch.look(cells):
            return now_us - min(firsts_us)
        now_us += POLL_US
    return None


@given(
    drop=st.integers(LIMIT * 4 // 3, 200_000),
    poll_at_us=st.integers(0, 19_999),
    period_us=st.integers(10_700, SLOWEST_US),
    sign=st.sampled_from([1, -1]),
    seed=st.integers(0, 1000),
)
def test_a_drop_of_a_third_more_than_the_limit_alerts_within_75_ms_of_the_first_conversion_that_shows_it(
    drop, poll_at_us, period_us, sign, seed
):
    noise = random.Random(seed)
    cell = Cell(500_000)
    watch = Watch([sign], LIMIT)
    watch.arm()
    stream = [counts + noise.randint(-NOISE, NOISE) for counts in falling(500_000, drop * sign)]
    assert first_alert(watch, [cell], [stream], poll_at_us, [period_us], [0]) <= PROMISED_US
    assert LIMIT < watch.drop * sign <= drop + 2 * NOISE


@given(
    shares=st.lists(st.integers(1, 9), min_size=2, max_size=3),
    signs=st.lists(st.sampled_from([1, -1]), min_size=3, max_size=3),
    poll_at_us=st.integers(0, 19_999),
    phases_us=st.lists(st.integers(0, SLOWEST_US - 1), min_size=3, max_size=3),
)
def test_a_drop_shared_by_several_cells_alerts_as_fast_after_the_last_of_them_shows_it(
    shares, signs, poll_at_us, phases_us
):
    cells = [Cell(500_000) for _ in shares]
    signs = signs[: len(cells)]
    watch = Watch(signs, LIMIT)
    watch.arm()
    drops = [2 * LIMIT * share // sum(shares) + 1 for share in shares]
    streams = [falling(500_000, drop * sign) for drop, sign in zip(drops, signs, strict=True)]
    firsts_us = [SLOWEST_US + phase_us for phase_us in phases_us[: len(cells)]]
    delay_us = first_alert(watch, cells, streams, poll_at_us, [SLOWEST_US] * len(cells), firsts_us)
    assert delay_us - (max(firsts_us) - min(firsts_us)) <= PROMISED_US
    assert watch.drop * signs[watch.cell] > LIMIT


@given(st.integers(-300_000, 300_000), st.integers(0, 19))
def test_a_single_conversion_alerts_never(spark, poll_at_ms):
    cell = Cell(500_000)
    watch = Watch([1], LIMIT)
    watch.arm()
    stream = [500_000] * 5 + [500_000 + spark] + [500_000] * 20
    assert first_alert(watch, [cell], [stream], poll_at_ms * 1000, [12_500], [0]) is None


@given(shift=st.integers(0, 400_000), phases_us=st.tuples(st.integers(0, 13_000), st.integers(0, 13_000)))
def test_load_that_moves_from_one_cell_to_another_alerts_never(shift, phases_us):
    """As slowly as a tower leans: 200 ms."""
    cells = [Cell(500_000), Cell(500_000)]
    watch = Watch([1, 1], LIMIT)
    watch.arm()
    steps = [min(shift, shift * k // 160) for k in range(200)]
    streams = [[500_000 - moved for moved in steps], [500_000 + moved for moved in steps]]
    assert first_alert(watch, cells, streams, 5_000, [12_500, 12_500], list(phases_us)) is None


@given(
    scales=st.lists(st.floats(1800, 2400), min_size=3, max_size=3),
    grams=st.lists(st.floats(0, 40), min_size=3, max_size=3),
)
def test_cells_of_different_scales_alert_at_the_same_grams(scales, grams):
    cells = [Cell(500_000) for _ in scales]
    watch = Watch(scales, 8)
    watch.arm()
    for cell, scale, lost_g in zip(cells, scales, grams, strict=True):
        cell.convert(500_000 - round(scale * lost_g))
        cell.convert(cell.last)
    lost_g = sum(grams)
    alerted = watch.look(cells)
    assert alerted or lost_g < 8 * 1.02
    assert not alerted or lost_g > 8 * 0.98
    if alerted:
        assert abs(watch.drop / scales[watch.cell] - lost_g) < 0.03 * lost_g


def test_the_nominal_scale_is_the_chips():
    """Gain 128: 2**23 counts for half the supply over 128; the cell gives a thousandth of the supply at 1000 g."""
    assert int(2**23 * (1 / 1000) / (0.5 / 128) / 1000) == NOMINAL_COUNTS_PER_G


def test_it_alerts_once_until_the_spot_has_rested():
    cell = Cell(50_000)
    watch = Watch([1], LIMIT)
    assert not watch.look([cell]), "before it rested the first time"
    watch.arm()
    cell.convert(10_000)
    cell.convert(10_000)
    assert watch.look([cell])
    assert not watch.look([cell])
    cell.level = 10_000
    watch.arm()
    assert not watch.look([cell])
    cell.convert(-10_000)
    cell.convert(-10_000)
    assert watch.look([cell])
    assert (watch.cell, watch.drop, watch.alerts) == (0, 20_000, 2)


def test_a_spot_without_a_limit_is_not_watched():
    cell = Cell(50_000)
    watch = Watch([1], 0)
    watch.arm()
    cell.convert(0)
    cell.convert(0)
    assert not watch.look([cell])
