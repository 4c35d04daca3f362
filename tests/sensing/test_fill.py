"""Slow converters: loads drawn between theirs, and a detector that still sees what falls."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import detector
from citytable.sensing.fill import PERIOD_US, Fill

TILE_G = 30.0


def confirmed(rows, cal):
    watch = detector(cal)
    events = [event for t_us, counts in rows for event in watch.update(t_us, counts)]
    return [event for event in events if event.stage == "confirmed" and event.kind != "disturbance"]


def test_between_two_loads_lies_a_straight_line():
    fill = Fill(40.0)
    told = [one for k in range(5) for one in fill.loads((25_000 * k, 10.0 * k, [4.0 * k, 6.0 * k]))]
    assert len(told) == 1 + int(100_000 / PERIOD_US)
    for t_us, total_g, cells_g in told:
        assert total_g == pytest.approx(t_us / 2500, abs=0.001)
        assert cells_g == pytest.approx([t_us / 6250, t_us * 6 / 25_000], abs=0.001)


def test_what_was_in_a_gap_nobody_knows():
    fill = Fill(40.0)
    assert len(list(fill.loads((0, 1.0, [1.0])))) == 1
    assert list(fill.loads((80_000, 9.0, [9.0]))) == [(80_000, 9.0, [9.0])]
    fill.forget()
    assert list(fill.loads((90_000, 5.0, [5.0]))) == [(90_000, 5.0, [5.0])]


@given(st.lists(st.tuples(st.integers(1, 200_000), st.floats(-500, 500)), min_size=1, max_size=50))
def test_loads_come_in_order_and_lie_within_what_was_weighed(rows):
    fill, t_us, told = Fill(45.0), 0, []
    for step_us, grams in rows:
        t_us += step_us
        told += list(fill.loads((t_us, grams, [grams])))
    times = [at_us for at_us, _, _ in told]
    assert times == sorted(set(times))
    assert times[-1] <= t_us
    low_g, high_g = min(grams for _, grams in rows), max(grams for _, grams in rows)
    assert all(low_g - 1e-9 <= grams <= high_g + 1e-9 for _, grams, _ in told)


@pytest.mark.parametrize(("rate_hz", "cells"), [(50.0, 1), (60.0, 1), (60.0, 3)])
def test_a_slow_converter_tells_the_same_story(kit, rate_hz, cells):
    loads = kit.Loads(TILE_G + 60).set_down(1.5, 9).fall(4, 54).take(7, TILE_G + 15)
    events = confirmed(kit.rows(loads, 8.5, cells, rate_hz=rate_hz), kit.cal(cells, 900.0, TILE_G, rate_hz))
    assert [event.kind for event in events] == ["piece_added", "collapse", "platform_lifted"]
    assert events[0].mass_g == pytest.approx(9, abs=0.3)


@pytest.mark.parametrize("rate_hz", [40.0, 60.0])
@pytest.mark.parametrize("value", [-8388608, 8388607, 0, None, "floats"])
def test_a_slow_cell_that_breaks_is_a_fault_within_half_a_second_and_no_fall(kit, rate_hz, value):
    chance = random.Random(5)
    broken = []
    for t_us, counts in kit.rows(kit.Loads(TILE_G + 80).fall(2.02, 40), 3, rate_hz=rate_hz):
        bad = chance.gauss(counts[1], 50_000) if value == "floats" else value
        broken.append((t_us, [counts[0], bad, counts[2]] if t_us > 2_000_000 else counts))
    [fault] = confirmed(broken, kit.cal(3, 900.0, TILE_G, rate_hz))
    assert (fault.kind, fault.cell) == ("fault", 1)
    assert fault.t_us - 2_000_000 < 500_000
