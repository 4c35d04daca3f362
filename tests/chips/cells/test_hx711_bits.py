"""The bit-banging driver on the chip's pins."""

from array import array

import pytest

from tabletwin.chips.hx711 import OPEN, RAIL_HIGH, RAIL_LOW, SHORT

POLL_US = 4_000


def truth(chip):
    return chip.bridge.conversions


def test_every_conversion_comes_once_in_order_with_its_sign(bench):
    chip = bench.chip(lambda k, t_us: (-1) ** k * (1 << k % 23))
    got = bench.poll(bench.bits(), 2_000_000, POLL_US)
    assert [count for _, count in got] == [count for _, count in truth(chip)][: len(got)]
    assert len(truth(chip)) - len(got) <= 1
    assert chip.overwritten == chip.garbled == chip.powered_down == 0


@pytest.mark.parametrize("count", [RAIL_HIGH, RAIL_LOW, 0, -1])
def test_the_ends_of_the_range_and_zero_are_conversions_like_others(bench, count):
    bench.chip(lambda k, t_us: count)
    assert {count for _, count in bench.poll(bench.bits(), 200_000, POLL_US)} == {count}


@pytest.mark.parametrize("period_us", [10_700, 12_345, 13_500])
def test_times_are_the_chips_own_across_the_wrap_of_the_ticks(bench, period_us):
    chip = bench.chip(lambda k, t_us: k, period_us)
    cell = bench.bits()
    got = bench.poll(cell, 6_000_000, POLL_US)
    late = [abs(t_us - truth(chip)[k][0]) for t_us, k in got if t_us > 2_000_000]
    assert max(late) < 2_500
    assert cell.lost == 0


def test_interruptions_never_turn_the_chip_off(bench):
    chip = bench.chip(lambda k, t_us: k)
    bench.clock.interruptions = [[t_us, 130] for t_us in range(60_000, 2_000_000, 700)]
    got = bench.poll(bench.bits(), 2_000_000, POLL_US)
    assert chip.powered_down == 0
    assert [k for _, k in got] == list(range(len(got)))


def test_with_interrupts_on_the_same_interruptions_do(bench):
    chip = bench.chip(lambda k, t_us: k)
    bench.clock.interruptions = [[t_us, 130] for t_us in range(60_000, 2_000_000, 700)]
    cell = bench.bits()
    cell._disable_irq = cell._enable_irq = lambda state=False: state
    bench.poll(cell, 2_000_000, POLL_US)
    assert chip.powered_down > 0


def test_conversions_that_nobody_fetched_in_time_are_counted(bench):
    chip = bench.chip(lambda k, t_us: k)
    cell = bench.bits()
    bench.poll(cell, 1_000_000, POLL_US)
    for pause_us in (31_000, 155_000, 77_000, 500_000):
        bench.clock.spend(pause_us)
        bench.poll(cell, bench.clock.now_us() + 200_000, POLL_US)
        assert cell.lost == chip.overwritten > 0
    assert chip.garbled == 0


@pytest.mark.parametrize("pause_us", range(25_000, 37_500, 250))
def test_however_late_it_looks_it_never_reads_across_the_next_conversion(bench, pause_us):
    chip = bench.chip(lambda k, t_us: k)
    cell = bench.bits()
    bench.poll(cell, 1_000_000, POLL_US)
    bench.clock.spend(pause_us)
    after = bench.poll(cell, bench.clock.now_us() + 100_000, POLL_US)
    assert chip.garbled == 0
    assert [k for _, k in after] == list(range(after[0][1], after[0][1] + len(after)))


@pytest.mark.parametrize("held_up_us", range(3_000, 26_000, 1_000))
def test_a_reading_that_was_held_up_is_not_believed(bench, held_up_us):
    chip = bench.chip(lambda k, t_us: 0x155555)
    cell = bench.bits()
    bench.poll(cell, 1_000_000, POLL_US)
    bench.clock.interruptions = [[t_us, held_up_us] for t_us in range(1_010_000, 4_000_000, 61_003)]
    got = bench.poll(cell, 4_000_000, POLL_US)
    assert {count for _, count in got} == {0x155555}
    assert cell.lost >= chip.garbled


@pytest.mark.parametrize("fault", [OPEN, SHORT])
@pytest.mark.parametrize("at_us", range(500_000, 512_500, 1_137))
def test_a_torn_wire_blocks_nobody_gives_nothing_and_comes_back(bench, fault, at_us):
    chip = bench.chip(lambda k, t_us: 7)
    cell = bench.bits()
    chip.faults = [[at_us, fault], [1_500_000, ""]]
    bench.poll(cell, at_us, POLL_US)
    before_us = bench.clock.now_us()
    got = bench.poll(cell, 1_490_000, POLL_US)
    assert bench.clock.now_us() - before_us < 1_000_000
    assert len(got) <= 1
    assert cell.lost <= 1, "a cell that is dead loses nothing but what was broken off"
    assert [count for _, count in bench.poll(cell, 1_800_000, POLL_US)][-10:] == [7] * 10
    assert cell.lost <= 3


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("pulses", [-3, -1, 1, 2, 5])
@pytest.mark.parametrize("count", [0, -1, 0x555555, -0x555556])
def test_a_chip_that_lost_count_of_its_pulses_is_set_right(bench, rises, pulses, count):
    chip = bench.chip(lambda k, t_us: count)
    chip.rises = rises
    cell = bench.bits()
    edges = [0]

    def spark(level, t_us, ns):
        edges[0] += level
        if edges[0] == 10 * 25 + 12 and level:
            chip._pulses += pulses

    bench.wires.wire(3).listen(spark)
    bench.poll(cell, 700_000, POLL_US)
    assert {got for _, got in bench.poll(cell, 1_000_000, POLL_US)} == {count}


def test_a_buffer_may_have_one_place(bench):
    bench.chip(lambda k, t_us: 9)
    cell = bench.bits()
    bench.counts, bench.ticks = array("i", [0]), array("i", [0])
    assert {count for _, count in bench.poll(cell, 300_000, POLL_US)} == {9}
