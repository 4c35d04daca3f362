"""The chip at its pins, pulse by pulse, as the datasheet has it."""

import statistics

import pytest

from tabletwin.chips.hx711 import OPEN, RAIL_HIGH, RAIL_LOW, SHORT, STUCK, Bridge, Hx711


def pulse(bench, high_us=1):
    wire, clock = bench.wires.wire(3), bench.clock
    wire.drive(1, clock.now_us())
    clock.spend(high_us)
    wire.drive(0, clock.now_us())
    clock.spend(1)


def dout(bench):
    return bench.wires.wire(2).level(bench.clock.now_us())


def until_ready(bench, wait_us=2_000_000):
    end_us = bench.clock.now_us() + wait_us
    while dout(bench):
        bench.clock.spend(10)
        assert bench.clock.now_us() < end_us, "never ready"


def read(bench, pulses=25):
    word = 0
    for _ in range(24):
        pulse(bench)
        word = word << 1 | dout(bench)
    for _ in range(pulses - 24):
        pulse(bench)
    return word - (1 << 24) if word >> 23 else word


@pytest.mark.parametrize("count", [0, 1, -1, 123456, -123456, RAIL_HIGH, RAIL_LOW])
def test_bits_come_most_significant_first_in_twos_complement(bench, count):
    bench.chip(lambda k, t_us: count)
    until_ready(bench)
    assert read(bench) == count


def test_beyond_its_range_it_says_the_end_of_its_range(bench):
    bench.chip(lambda k, t_us: (-1) ** k * 20_000_000)
    until_ready(bench)
    assert read(bench) == 0x7FFFFF
    until_ready(bench)
    assert read(bench) == -0x800000


def test_the_first_conversion_comes_settled_after_four_periods(bench):
    bench.chip(lambda k, t_us: 1000)
    until_ready(bench)
    assert 50_000 <= bench.clock.now_us() <= 51_100
    assert read(bench) == 1000


def test_data_out_is_high_from_the_25th_pulse_until_the_next_conversion(bench):
    chip = bench.chip(lambda k, t_us: 0)
    until_ready(bench)
    read(bench)
    assert dout(bench) == 1
    before_us = bench.clock.now_us()
    until_ready(bench)
    assert 12_000 < bench.clock.now_us() - before_us < 12_500
    assert chip.overwritten == 0


def test_26_pulses_choose_channel_b_and_27_half_the_gain_of_the_next_conversions(bench):
    bench.chip(lambda k, t_us: 80_000)
    until_ready(bench)
    assert read(bench, 27) == 80_000
    values = []
    for _ in range(6):
        until_ready(bench)
        values.append(read(bench, 27))
    assert values[-2:] == [40_000, 40_000]
    assert values[0] != 40_000, "the first conversion after a change has not settled"
    until_ready(bench)
    read(bench, 26)
    for _ in range(6):
        until_ready(bench)
        last = read(bench, 26)
    assert last == 0


def test_what_is_read_late_is_the_newest_conversion_and_the_older_are_gone(bench):
    chip = bench.chip(lambda k, t_us: k)
    until_ready(bench)
    bench.clock.spend(40_000)  # three more
    if dout(bench):
        until_ready(bench)
    assert read(bench) == 3
    assert chip.overwritten == 3


def test_in_the_window_before_a_conversion_data_out_is_high_and_a_reading_is_nonsense(bench):
    chip = bench.chip(lambda k, t_us: 0x155555)
    until_ready(bench)
    bench.clock.spend(12_500 - 40)
    assert dout(bench) == 1
    until_ready(bench)
    bench.clock.spend(12_500 - 75 - 30)
    words = [read(bench)]  # begins before the window, ends in it
    assert words != [0x155555]
    until_ready(bench)
    assert chip.garbled == 1
    assert read(bench) == 0x155555


def test_a_clock_that_is_high_for_60_us_turns_it_off_until_it_is_low_and_settled(bench):
    chip = bench.chip(lambda k, t_us: 77)
    until_ready(bench)
    pulse(bench, high_us=59)
    for _ in range(24):
        pulse(bench)
    assert chip.powered_down == 0
    pulse(bench, high_us=61)
    assert chip.powered_down == 1
    before_us = bench.clock.now_us()
    until_ready(bench)
    assert bench.clock.now_us() - before_us >= 49_900
    assert read(bench) == 77


def test_power_down_forgets_channel_and_gain(bench):
    chip = bench.chip(lambda k, t_us: 80_000)
    until_ready(bench)
    read(bench, 27)
    until_ready(bench)
    pulse(bench, high_us=100)
    assert (chip.channel, chip.gain) == ("A", 128)


def test_rate_low_is_an_eighth(bench):
    chip = bench.chip(lambda k, t_us: k)
    chip.rate = 0
    until_ready(bench)
    first = read(bench)
    bench.clock.reach(bench.clock.now_us() + 1_000_000)
    dout(bench)
    assert chip.converted - first in (10, 11)


@pytest.mark.parametrize(("fault", "level"), [(OPEN, 1), (SHORT, 0)])
def test_a_torn_wire_shows_one_level_for_ever(bench, fault, level):
    chip = bench.chip(lambda k, t_us: 5)
    chip.faults = [[100_000, fault], [300_000, ""]]
    until_ready(bench)
    read(bench)
    bench.clock.reach(100_000)
    for _ in range(100):
        bench.clock.spend(1_000)
        assert dout(bench) == level
    bench.clock.reach(300_000)
    until_ready(bench)
    assert read(bench) == 5


def test_a_stuck_chip_converts_to_the_same(bench):
    chip = bench.chip(lambda k, t_us: k)
    chip.faults = [[80_000, STUCK]]
    seen = set()
    bench.clock.reach(100_000)
    for _ in range(5):
        until_ready(bench)
        seen.add(read(bench))
    assert len(seen) == 1


def test_a_spike_is_one_conversion():
    bridge = Bridge(lambda t_us: 0)
    bridge.spikes = [[25_000, 0x3FFFF]]
    assert [bridge.counts(t_us) for t_us in (12_500, 25_010, 37_500)] == [0, 0x3FFFF, 0]


def test_noise_is_about_as_wide_as_asked_for_and_the_same_each_time():
    def seen():
        bridge = Bridge(lambda t_us: 10, counts_per_g=2147, zero=500, noise_counts=40, seed=5)
        return [bridge.counts(t_us) for t_us in range(0, 50_000_000, 12_500)]

    counts = seen()
    assert counts == seen()
    assert statistics.mean(counts) == pytest.approx(21_970, abs=3)
    assert statistics.pstdev(counts) == pytest.approx(40, rel=0.05)


def test_a_load_creeps_and_the_zero_drifts():
    bridge = Bridge(lambda t_us: 100, counts_per_g=1000)
    bridge.creep = 0.001
    counts = [bridge.counts(t_us) for t_us in range(0, 300_000_000, 12_500)]
    assert counts[0] == 100_000
    assert counts[-1] == pytest.approx(100_100, abs=2)
    bridge = Bridge(lambda t_us: 0, counts_per_g=1000)
    bridge.drift_g_per_h = 2
    assert bridge.counts(1_800_000_000) == 1000


def test_the_oscillator_drifts(bench):
    chip = Hx711(bench.wires, 10, 11, Bridge(lambda t_us: 0), 12_500)
    chip.drift_ppm = 20_000
    hour_us = 3_600_000_000
    chip.level(hour_us)
    before = chip.converted
    chip.level(hour_us + 12_750 * 100)
    assert chip.converted - before in (99, 100, 101)
