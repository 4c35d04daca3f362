"""The gate and what is told through it: whatever happens, no conversion is told twice, changed, or lost unsaid."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablestation.clock import PERIOD, ticks_between
from tablestation.gate import KEPT, RAIL, ROOM, CellGate
from tablestation.weigh import Scale

SMALL = (1 << 30) - 1  # MicroPython's integers are allocated beyond


class Driver:
    """Hands over what is put into it, as far as there is room."""

    def __init__(self):
        self.waiting = []
        self.lost = 0

    def drain(self, counts, ticks, at):
        assert len(counts) - at >= ROOM
        n = min(len(counts) - at, len(self.waiting))
        for k in range(n):
            counts[at + k], ticks[at + k] = self.waiting[k]
        del self.waiting[:n]
        return n


class Spot:
    def __init__(self, cells):
        self.spot = "city/1/0"
        self.cells = cells
        self.noise_counts, self.shift_counts, self.alert_g = 600, 200, 0
        self.counts_per_g = [1] * len(cells)


@example(PERIOD - 1, PERIOD // 2 - 1)
@example(0, -(PERIOD // 2) + 1)
@given(st.integers(0, PERIOD - 1), st.integers(-(PERIOD // 2) + 1, PERIOD // 2 - 1))
def test_ticks_are_subtracted_with_small_numbers_only(earlier, passed):
    later = (earlier + passed) % PERIOD
    assert ticks_between(earlier, later) == passed
    assert abs(later - earlier) <= SMALL


looks = st.lists(
    st.tuples(
        st.lists(st.integers(-40, 40), max_size=4),  # ripple of the conversions since the last look
        st.sampled_from([0] * 30 + [1, 2]),  # something is laid down or taken away
        st.integers(0, 2),  # conversions lost in the driver
    ),
    min_size=30,
    max_size=300,
)


@given(looks=looks, teller_every=st.integers(3, 12), start=st.integers(0, PERIOD - 1))
def test_everything_converted_is_told_one_by_one_or_in_a_summary_or_counted_as_lost(looks, teller_every, start):
    driver = Driver()
    scale = Scale(Spot([driver]), start)
    (gate,) = scale.gates
    now = block_from = start
    converted, told, summed, lost, level = [], [], 0, 0, 50_000
    for k, (ripples, act, missing) in enumerate(looks):
        now = (now + 20_000) % PERIOD
        level += (0, 9_000, -9_000)[act]
        driver.lost += missing
        for place, ripple in enumerate(ripples):
            moment = (now - 20_000 + 4_000 * (place + 1)) % PERIOD
            driver.waiting.append((level + ripple, moment))
            converted.append((level + ripple, moment))
        scale.take()
        if k % 5 == 4:
            scale.end_block(block_from, now)
            block_from = now
        if k % teller_every == 0:
            if scale.left:
                gate.due = gate.waiting
            while gate.due:
                told += unpacked(gate.batch(44))
            summary = gate.summary()
            if summary:
                summed += summary["n"]
                lost += summary["lost"]
            lost += gate.newly_lost()
    scale.end_block(block_from, now)
    summary = gate.summary() or {"n": 0, "lost": 0}
    assert told == [one for one in converted if one in set(told)], "in order, unchanged"
    assert len(set(told)) == len(told), "none twice"
    assert len(converted) - len(told) <= summed + summary["n"] + gate.due, "the others are in summaries"
    assert lost + summary["lost"] + gate.newly_lost() == driver.lost


def unpacked(batch):
    first, gaps, counts = batch
    moments = [first]
    for gap in gaps:
        moments.append((moments[-1] + gap) % PERIOD)
    return list(zip(counts, moments, strict=True))


@pytest.mark.parametrize("level", [RAIL, -RAIL - 1, 0, 1_000_000])
def test_nothing_is_bigger_than_a_small_number_however_high_the_load(level):
    driver = Driver()
    scale = Scale(Spot([driver]), 0)
    (gate,) = scale.gates
    now = 0
    for k in range(600):
        now += 20_000
        driver.waiting += [(level, now - 10_000), (level, now)]
        scale.take()
        if k % 5 == 4:
            scale.end_block(now - 100_000, now)
        if k % 60 == 59:
            gate.summary()
        numbers = [value for value in vars(gate).values() if isinstance(value, int)]
        assert max(abs(value) for value in numbers) <= SMALL
    assert gate.railed or abs(level) < RAIL


def test_a_teller_that_never_comes_costs_conversions_that_are_counted():
    driver = Driver()
    scale = Scale(Spot([driver]), 0)
    (gate,) = scale.gates
    now = made = 0
    for k in range(500):
        now += 20_000
        made += 2
        driver.waiting += [(k % 2 * 20_000, now - 10_000), (k % 2 * 20_000 + 3, now)]
        scale.take()
        if k % 5 == 4:
            scale.end_block(now - 100_000, now)
    assert gate.waiting == gate.due == KEPT
    assert gate.newly_lost() == made - KEPT


def test_a_driver_that_gives_more_than_there_is_room_for_keeps_the_rest():
    driver = Driver()
    gate = CellGate(driver, 600, 200, 0)
    driver.waiting = [(k, k) for k in range(3 * KEPT)]
    taken = 0
    while driver.waiting:
        before = len(driver.waiting)
        gate.take()
        taken += before - len(driver.waiting)
    assert taken == 3 * KEPT
    assert gate.newest()[-KEPT:] == list(range(2 * KEPT, 3 * KEPT))
