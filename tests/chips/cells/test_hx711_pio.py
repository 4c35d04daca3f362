"""The driver on a state machine: what the processor gets when it looks now and then."""

from array import array

import pytest

from tabletwin.chips.hx711 import OPEN, RAIL_HIGH, RAIL_LOW, SHORT

POLL_US = 20_000


def truth(chip):
    return chip.bridge.conversions


def test_every_conversion_comes_once_in_order_with_its_sign(bench):
    chip = bench.chip(lambda k, t_us: (-1) ** k * (1 << k % 23))
    cell = bench.pio()
    got = bench.poll(cell, 2_000_000, POLL_US)
    assert [count for _, count in got] == [count for _, count in truth(chip)][: len(got)]
    assert len(truth(chip)) - len(got) <= 1
    assert chip.overwritten == chip.garbled == cell.lost == 0
    assert chip.powered_down == 1, "at the start, and never again"


@pytest.mark.parametrize("count", [RAIL_HIGH, RAIL_LOW, 0, -1])
def test_the_ends_of_the_range_and_zero_are_conversions_like_others(bench, count):
    bench.chip(lambda k, t_us: count)
    assert {count for _, count in bench.poll(bench.pio(), 200_000, POLL_US)} == {count}


@pytest.mark.parametrize("period_us", [10_700, 12_345, 13_500])
def test_times_are_the_chips_own_across_the_wrap_of_the_ticks(bench, period_us):
    chip = bench.chip(lambda k, t_us: k, period_us)
    got = bench.poll(bench.pio(), 6_000_000, POLL_US)
    late = [abs(t_us - truth(chip)[k][0]) for t_us, k in got if t_us > 3_000_000]
    assert max(late) < 3_000


def test_eight_conversions_wait_while_the_processor_is_busy(bench):
    chip = bench.chip(lambda k, t_us: k)
    cell = bench.pio()
    bench.poll(cell, 3_000_000, POLL_US)
    bench.clock.spend(8 * 12_500 - POLL_US)
    got = bench.drain(cell)
    assert len(got) in (7, 8)
    assert max(abs(t_us - truth(chip)[k][0]) for t_us, k in got) < 3_000
    assert cell.lost == 0


@pytest.mark.parametrize("late_us", [26_000, 60_000])
@pytest.mark.parametrize("period_us", [10_700, 12_500, 13_500])
def test_a_look_that_a_collection_delays_costs_no_conversion(bench, period_us, late_us):
    """26 ms is the longest that the heap gate has seen; even more than twice that is not too late for any chip."""
    chip = bench.chip(lambda k, t_us: k, period_us)
    cell = bench.pio()
    got = bench.poll(cell, 3_000_000, POLL_US)
    for _ in range(20):
        bench.clock.spend(late_us)
        got += bench.poll(cell, bench.clock.now_us() + 5 * POLL_US, POLL_US)
    assert [count for _, count in got] == [count for _, count in truth(chip)][: len(got)]
    assert len(truth(chip)) - len(got) <= POLL_US // period_us + 1, "those that wait for the next look"
    assert chip.overwritten == cell.lost == 0
    assert max(abs(t_us - truth(chip)[k][0]) for t_us, k in got if t_us > 3_000_000) < 3_000


def test_what_found_no_room_is_counted_and_the_kept_ones_have_their_old_times(bench):
    chip = bench.chip(lambda k, t_us: k)
    cell = bench.pio()
    bench.poll(cell, 3_000_000, POLL_US)
    bench.clock.spend(300_000)
    got = bench.drain(cell)
    assert len(got) == 8
    assert max(abs(t_us - truth(chip)[k][0]) for t_us, k in got) < 3_000
    after = bench.poll(cell, 4_000_000, POLL_US)
    assert abs(cell.lost - (after[0][1] - got[-1][1] - 1)) <= 1
    assert max(abs(t_us - truth(chip)[k][0]) for t_us, k in after) < 3_000
    assert chip.overwritten == chip.garbled == 0


@pytest.mark.parametrize("pause_us", [105_000, 112_000, 118_000, 124_000])
def test_what_found_no_room_does_not_shift_the_times_of_the_next(bench, pause_us):
    chip = bench.chip(lambda k, t_us: k)
    cell = bench.pio()
    bench.poll(cell, 3_000_000, POLL_US)
    bench.clock.spend(pause_us)
    got = bench.poll(cell, bench.clock.now_us() + 2_000_000, POLL_US)
    assert max(abs(t_us - truth(chip)[k][0]) for t_us, k in got) < 2_000
    assert len(got) > 100
    assert abs(cell._phase.period_us() - 12_500) < 20


@pytest.mark.parametrize("rises", [True, False])
def test_a_board_that_begins_anew_finds_a_chip_that_waits(bench, rises):
    chip = bench.chip(lambda k, t_us: k)
    chip.rises = rises
    bench.clock.spend(500_000)
    cell = bench.pio()
    got = bench.poll(cell, 1_000_000, POLL_US)
    assert [k for _, k in got] == list(range(got[0][1], got[0][1] + len(got)))
    assert len(got) > 30
    assert chip.channel == "A"


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("fault", [OPEN, SHORT])
@pytest.mark.parametrize("at_us", range(600_000, 612_500, 1_137))
def test_whenever_a_wire_breaks_and_is_mended_the_cell_comes_back(bench, rises, fault, at_us):
    chip = bench.chip(lambda k, t_us: 7)
    chip.rises = rises
    cell = bench.pio()
    chip.faults = [[at_us, fault], [at_us + 250_000 + (at_us * 7) % 12_500, ""]]
    bench.poll(cell, 900_000, POLL_US)
    assert {count for _, count in bench.poll(cell, 1_200_000, POLL_US)[5:]} == {7}


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("pulses", [-3, -1, 1, 2, 5])
@pytest.mark.parametrize("count", [0, -1, 0x555555, -0x555556])
def test_a_chip_that_lost_count_of_its_pulses_is_set_right(bench, rises, pulses, count):
    """A spark on the clock line: the driver gave 25, the chip saw more or fewer."""
    chip = bench.chip(lambda k, t_us: count)
    chip.rises = rises
    cell = bench.pio()
    wire = bench.wires.wire(3)
    edges = [0]

    def spark(level, t_us, ns):
        edges[0] += level
        if edges[0] == 10 * 25 + 12 and level:
            chip._pulses += pulses

    wire.listen(spark)
    bench.poll(cell, 700_000, POLL_US)
    assert [got for _, got in bench.poll(cell, 1_000_000, POLL_US)] == [count] * 24


@pytest.mark.parametrize("fault", [OPEN, SHORT])
def test_a_torn_wire_gives_no_conversions_and_comes_back(bench, fault):
    chip = bench.chip(lambda k, t_us: 7)
    cell = bench.pio()
    bench.poll(cell, 500_000, POLL_US)
    bench.drain(cell)
    chip.faults = [[600_000, fault], [1_500_000, ""]]
    bench.poll(cell, 700_000, POLL_US)
    assert bench.poll(cell, 1_480_000, POLL_US) == []
    assert [count for _, count in bench.poll(cell, 1_800_000, POLL_US)][-10:] == [7] * 10
    assert cell.lost <= 1, "a cell that is dead loses nothing but what was broken off"


def test_a_wire_that_breaks_within_a_conversion_gives_no_false_one(bench):
    chip = bench.chip(lambda k, t_us: 7)
    cell = bench.pio()
    bench.poll(cell, 500_000, POLL_US)
    chip.faults = [[chip.bridge.conversions[-1][0] + 2 * 12_500 + 40, SHORT]]
    got = bench.poll(cell, 700_000, POLL_US)
    assert {count for _, count in got} == {7}
    assert cell.lost == 1


def test_a_buffer_too_small_loses_the_rest_and_says_so(bench):
    bench.chip(lambda k, t_us: k)
    cell = bench.pio()
    bench.poll(cell, 1_000_000, POLL_US)
    bench.counts, bench.ticks = array("i", [0] * 2), array("i", [0] * 2)
    bench.clock.spend(60_000)
    assert len(bench.drain(cell)) == 2
    assert cell.lost in (2, 3)
