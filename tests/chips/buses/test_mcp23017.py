"""The expander: our driver and Adafruit's on one model; chip selects, shutdown lines and a button."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.chips.mcp23017 import GPPU, IOCON, IODIR, REGISTERS

B0 = 8


@pytest.fixture
def seat(bench):
    """(the driver with chip selects 0-6 and a button at B0, the chip, the button)."""
    expander, chip = bench.expander()
    selects = [expander.output(pin) for pin in range(7)]
    button = expander.button(B0)
    expander.start()
    return selects, chip, button


@pytest.fixture
def master(bench, masters):
    """(Adafruit's driver, the chip)."""
    _, chip = bench.expander()
    return masters("adafruit_mcp230xx.mcp23017").MCP23017(bench.masters_i2c), chip


def lows(chip):
    return [pin for pin in range(16) if chip.output(pin) == 0]


def test_outputs_follow_and_the_others_stay_what_they_were(seat):
    selects, chip, _ = seat
    assert lows(chip) == []
    for pin in range(7):
        selects[pin](0)
        assert lows(chip) == [pin]
        selects[pin](1)
    assert [chip.output(pin) for pin in range(16)] == [1] * 7 + [None] * 9


def test_an_output_may_begin_low_and_is_never_high_before(bench):
    expander, chip = bench.expander()
    seen = []
    chip.wire(9, seen.append)
    chip.wire(3, lambda level: seen.append(("select", level)))
    shutdown = expander.output(9, 0)
    expander.output(3)
    seen.clear()
    expander.start()
    shutdown(1)
    assert seen == [0, 1]


def test_the_driver_of_others_sees_the_pins_as_we_do(seat, masters, bench):
    selects, chip, _ = seat
    selects[2](0)
    chip.put(B0, 0)
    other = masters("adafruit_mcp230xx.mcp23017").MCP23017(bench.masters_i2c, reset=False)
    assert other.iodir == 0xFF80
    assert other.gppu == 1 << B0
    assert other.gpio == 0xFFFF & ~(1 << 2) & ~(1 << B0)


def test_the_driver_of_others_drives_the_pins(master, masters):
    driver, chip = master
    pin = driver.get_pin(5)
    pin.switch_to_output(value=True)
    assert chip.output(5) == 1
    pin.value = False
    assert chip.output(5) == 0
    inward = driver.get_pin(12)
    inward.direction = masters("digitalio").Direction.INPUT
    for level in (0, 1):
        chip.put(12, level)
        assert inward.value == bool(level)
    inward.invert_polarity = True
    assert not inward.value


def test_the_driver_of_others_catches_a_change_and_its_level(master):
    driver, chip = master
    driver.interrupt_enable = 1 << 12
    chip.put(12, 0)
    chip.put(12, 1)
    assert driver.int_flag == [12]
    assert driver.int_cap[12] == 0
    assert driver.int_flag == []
    driver.default_value, driver.interrupt_configuration = 1 << 12, 1 << 12
    chip.put(12, 0)
    assert driver.int_flag == [12]


def test_a_press_is_one_press(seat):
    _, chip, button = seat
    assert [button.take() for _ in range(3)] == [False] * 3
    chip.put(B0, 0)
    assert [button.take() for _ in range(20)] == [True] + [False] * 19
    chip.put(B0, None)
    assert [button.take() for _ in range(5)] == [False] * 5
    chip.put(B0, 0)
    assert button.take()


def test_a_press_between_two_looks_is_not_lost_and_bouncing_is_one(seat):
    _, chip, button = seat
    for _ in range(5):
        chip.put(B0, 0)
        chip.put(B0, None)
    assert [button.take() for _ in range(6)] == [True] + [False] * 5


def test_contacts_that_bounce_when_let_go_are_no_new_press(seat):
    _, chip, button = seat
    chip.put(B0, 0)
    assert button.take()
    chip.put(B0, None)
    assert not button.take()
    chip.put(B0, 0)
    chip.put(B0, None)
    assert not button.take()


def test_a_chip_that_lost_its_power_is_put_right_by_the_next_thing_asked_of_it(seat):
    selects, chip, button = seat
    chip.reset()
    assert chip.output(3) is None
    selects[3](0)
    assert lows(chip) == [3]
    assert chip.registers[GPPU + 1] == 0
    button.take()
    assert chip.registers[GPPU + 1] == 1
    chip.put(B0, 0)
    assert button.take()


def test_a_chip_of_any_settings_is_set_up(bench):
    for settings in range(0, 256, 8):
        expander, chip = bench.expander()
        chip.address = 0x27
        bench.i2c.writeto(0x27, bytes([IOCON, settings]))
        bench.i2c.chips[:] = [chip]
        chip.address = 0x20
        select = expander.output(6)
        button = expander.button(B0)
        expander.start()
        select(0)
        assert chip.registers[IOCON] == 0
        assert lows(chip) == [6]
        assert not button.take()


def test_a_silent_chip_has_no_pressed_button_and_is_asked_rarely(bench, seat):
    selects, chip, button = seat
    bench.i2c.chips.clear()
    before = bench.i2c.transfers
    assert [button.take() for _ in range(100)] == [False] * 100
    assert bench.i2c.transfers - before <= 5
    with pytest.raises(OSError, match="nobody answers at 0x20"):
        selects[0](0)
    bench.i2c.attach(chip)
    chip.put(B0, 0)
    assert [button.take() for _ in range(30)].count(True) == 1


def test_a_chip_that_keeps_nothing_is_another_one(bench):
    class Other:
        address = 0x20

        def hear(self, data):
            pass

        def say(self, n):
            return bytes(n)

    bench.i2c.attach(Other())
    expander, chip = bench.expander()
    bench.i2c.chips.remove(chip)
    expander.button(B0)
    with pytest.raises(OSError, match="no MCP23017 at 0x20"):
        expander.start()


def test_two_pins_are_outputs_only(bench):
    expander, _ = bench.expander()
    for pin in (7, 15):
        with pytest.raises(ValueError, match="output only"):
            expander.button(pin)


def test_a_select_takes_less_than_a_fifth_of_a_millisecond(bench, seat):
    selects, _, _ = seat
    bench.i2c.longest_us = 0
    selects[0](0)
    assert bench.i2c.longest_us < 200


def test_a_reader_works_behind_it(bench, seat, ntag):
    selects, chip, _ = seat
    readers = []
    for pin in range(7):
        reader, near = bench.reader(ntag(f"04{pin:012x}"))
        chip.wire(pin, bench.spi.attach(near))
        readers.append(type(reader)(bench.spi, selects[pin], reader._sleep_ms, bench.turn))
    assert bench.run(*[reader.read() for reader in readers]) == [f"04{pin:012x}" for pin in range(7)]
    assert bench.spi.clashes == 0
    assert bench.air.clashes == 0
    assert bench.longest_us < 5_000


def test_a_reader_behind_a_silent_expander_is_an_oserror_and_not_a_busy_loop(bench, seat, ntag):
    selects, chip, _ = seat
    reader, near = bench.reader(ntag("04a1b2c3d4e5f6"))
    chip.wire(0, bench.spi.attach(near))
    behind = type(reader)(bench.spi, selects[0], reader._sleep_ms, bench.turn)
    bench.i2c.chips.clear()
    for _ in range(2):
        began_us = bench.clock.now_us()
        with pytest.raises(OSError, match="nobody answers at 0x20"):
            bench.run(behind.read())
    assert bench.clock.now_us() - began_us > 20_000
    bench.i2c.init(timeout=4_000)
    bench.i2c.stuck = True
    for _ in range(3):
        with pytest.raises(OSError, match="does not move"):
            bench.run(behind.read())
    assert bench.longest_us < 5_000


@given(written=st.lists(st.binary(max_size=30), max_size=10))
def test_whatever_is_written_to_the_chip_our_set_up_undoes_it(make_bench, written):
    bench = make_bench()
    expander, chip = bench.expander()
    select, button = expander.output(0), expander.button(B0)
    for data in written:
        bench.i2c.writeto(0x20, data)
        bench.i2c.readfrom(0x20, 3)
    expander.start()
    select(0)
    assert chip.output(0) == 0
    assert chip.registers[IODIR + 1] == 0xFF
    button.take()
    chip.put(B0, 0)
    assert button.take()
    assert len(chip.registers) == REGISTERS
