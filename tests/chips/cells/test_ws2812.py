"""The LED chain: what the driver sends, the strip understands, and it draws no more than it may."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablestation.drivers.hx711_pio import DEPTH
from tablestation.drivers.ws2812 import TIMING_NS, Chain
from tablestation.light import cap, pixels
from tabletwin.chips.ws2812 import Chain as Strip

PIN = 7
RINGS = 6
LEDS = 12  # a ring
LIMIT_MA = 400


def wired(bench, leds, latch_us=280):
    """A chain of the driver, and the strip that hangs on its pin."""
    strip = Strip(bench.wires, PIN, leds, latch_us)
    pin = bench.machine.Pin(PIN, bench.machine.Pin.OUT, value=0)
    chain = Chain(lambda grb: bench.machine.bitstream(pin, 0, TIMING_NS, grb), bench.time.ticks_us, leds)
    return chain, strip


def shown(bench, chain, strip):
    chain.show()
    bench.clock.spend(300)
    return strip.pixels()


def test_colours_arrive_though_the_chips_want_green_first(bench):
    chain, strip = wired(bench, 2)
    chain.ring(2).write(bytearray([1, 2, 3, 250, 128, 7]))
    assert shown(bench, chain, strip) == [(1, 2, 3), (250, 128, 7)]
    assert strip.errors == 0


def test_rings_are_parts_of_one_chain(bench):
    chain, strip = wired(bench, 5)
    first, second = chain.ring(2), chain.ring(3)
    second.write(bytearray([9, 0, 0] * 3))
    first.write(bytearray([0, 5, 0] * 2))
    assert shown(bench, chain, strip) == [(0, 5, 0)] * 2 + [(9, 0, 0)] * 3


def test_a_ring_beyond_the_end_of_the_chain_is_refused(bench):
    chain, _ = wired(bench, 20)
    chain.ring(12)
    with pytest.raises(ValueError, match="12 LEDs after the first 12: the chain has 20"):
        chain.ring(12)


def test_only_what_changed_is_sent_and_after_a_reset_the_strip_is_darkened(bench):
    chain, strip = wired(bench, 3)
    strip._shown[:] = bytearray([255] * 9)  # it kept its power when the board began anew
    assert shown(bench, chain, strip) == [(0, 0, 0)] * 3
    for _ in range(5):
        shown(bench, chain, strip)
    assert strip.frames == 1


@pytest.mark.parametrize("latch_us", [50, 280])
def test_two_frames_at_once_are_two_frames(bench, latch_us):
    chain, strip = wired(bench, 2, latch_us)
    ring = chain.ring(2)
    for step in (10, 20, 30):
        ring.write(bytearray([step] * 6))
        chain.show()
    bench.clock.spend(300)
    assert strip.pixels() == [(30, 30, 30)] * 2
    assert strip.frames == 3


def test_without_a_rest_between_frames_the_second_one_goes_astray(bench):
    """The model is as strict as the strip: this is what the driver's waiting is for."""
    strip = Strip(bench.wires, PIN, 2)
    pin = bench.machine.Pin(PIN, bench.machine.Pin.OUT, value=0)
    bench.machine.bitstream(pin, 0, TIMING_NS, bytes([1] * 6))
    bench.machine.bitstream(pin, 0, TIMING_NS, bytes([2] * 6))
    bench.clock.spend(300)
    assert strip.pixels() == [(1, 1, 1)] * 2


def test_bits_of_the_wrong_length_are_errors(bench):
    strip = Strip(bench.wires, PIN, 1)
    pin = bench.machine.Pin(PIN, bench.machine.Pin.OUT, value=0)
    bench.machine.bitstream(pin, 0, (600, 600, 600, 600), bytes([255] * 3))
    assert strip.errors == 24


def test_72_leds_are_sent_in_less_than_the_cells_fifo_holds_and_less_than_a_conversion(bench):
    chain, strip = wired(bench, RINGS * LEDS)
    for _ in range(RINGS):
        chain.ring(LEDS).write(bytearray([255] * 3 * LEDS))
    before_us = bench.clock.now_us()
    chain.show()
    assert bench.clock.now_us() - before_us < 10_700 < DEPTH * 10_700
    bench.clock.spend(300)
    assert strip.pixels() == [(255, 255, 255)] * (RINGS * LEDS)


def test_while_a_strip_is_redrawn_without_end_no_conversion_is_lost(bench):
    chip = bench.chip(lambda k, t_us: k, 10_700)
    cell = bench.pio()
    chain, _ = wired(bench, RINGS * LEDS)
    got = []
    while bench.clock.now_us() < 2_000_000:
        chain.change()
        chain.show()
        bench.clock.spend(20_000)
        got += bench.drain(cell)
    assert [k for _, k in got] == list(range(len(got)))
    assert cell.lost == chip.overwritten == 0


@given(
    wanted=st.lists(
        st.tuples(st.sampled_from(["solid", "half", "dots", "pulse", "off"]), st.tuples(*[st.integers(0, 255)] * 3)),
        min_size=RINGS,
        max_size=RINGS,
    ),
    beat=st.integers(0, 1),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_cap_holds_on_the_strip(bench, wanted, beat):
    frames = cap([pixels(pattern, rgb, LEDS, beat) for pattern, rgb in wanted], LIMIT_MA)
    chain, strip = wired(bench, RINGS * LEDS)
    for frame in frames:
        chain.ring(LEDS).write(frame)
    shown(bench, chain, strip)
    assert strip.current_ma() <= LIMIT_MA
    assert sum(strip.channel_ma(k) for k in range(3)) + RINGS * LEDS == pytest.approx(strip.current_ma())


def test_all_white_would_draw_four_amperes_and_is_darkened_to_the_limit(bench):
    chain, strip = wired(bench, RINGS * LEDS)
    rings = [chain.ring(LEDS) for _ in range(RINGS)]
    for ring in rings:
        ring.write(bytearray([255] * 3 * LEDS))
    shown(bench, chain, strip)
    assert strip.current_ma() == pytest.approx(3_927.6)
    for ring, frame in zip(rings, cap([bytearray([255] * 3 * LEDS)] * RINGS, LIMIT_MA), strict=True):
        ring.write(frame)
    shown(bench, chain, strip)
    assert 0.95 * LIMIT_MA < strip.current_ma() <= LIMIT_MA
