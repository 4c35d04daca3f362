"""The bench itself: virtual time, wires, and the modules that stand in for MicroPython's."""

import pytest

from tabletwin.chips.clock import TICKS, Clock, Time
from tabletwin.chips.machine import Machine, Reset
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2


def test_time_passes_when_it_is_spent_and_follows_its_source():
    passed = [0]
    clock = Clock(lambda: passed[0])
    clock.spend(40)
    assert clock.now_us() == 40
    passed[0] = 30
    assert clock.now_us() == 40, "it never goes back"
    passed[0] = 100
    assert clock.now_us() == 100
    clock.reach(90)
    assert clock.now_us() == 100


def test_ticks_wrap_and_differences_do_not():
    time = Time(Clock(), TICKS - 10)
    before = time.ticks_us()
    time.sleep_us(50)
    after = time.ticks_us()
    assert after < before
    assert time.ticks_diff(after, before) == 51
    assert time.ticks_add(before, 51) == after


def test_sleeping_blocks_and_seconds_are_whole():
    board = Time(Clock())
    board.sleep_ms(1500)
    board.sleep(0.5)
    assert (board.time(), board.ticks_ms()) == (2, 2000)


def test_an_interruption_waits_until_it_may(bench):
    bench.clock.interruptions = [[10, 100]]
    state = bench.machine.disable_irq()
    bench.clock.spend(20)
    assert bench.clock.now_us() == 21
    inner = bench.machine.disable_irq()
    bench.machine.enable_irq(inner)
    assert bench.clock.now_us() == 23, "the outer one still holds"
    bench.machine.enable_irq(state)
    assert bench.clock.now_us() == 124


def test_a_pin_reads_what_it_drives_what_a_chip_drives_or_its_pull(bench):
    pin = bench.machine.Pin
    out = pin(20, pin.OUT, value=1)
    assert out() == 1
    out.off()
    assert out.value() == 0
    assert pin(21, pin.IN, pin.PULL_UP).value() == 1
    assert pin(22, pin.IN, pin.PULL_DOWN).value() == 0
    bench.chip(lambda k, t_us: 0)
    assert pin(2, pin.IN).value() == 1, "the chip has no conversion yet"


def test_listeners_hear_edges_only(bench):
    heard = []
    bench.wires.wire(20).listen(lambda level, t_us, ns: heard.append(level))
    pin = bench.machine.Pin(20, bench.machine.Pin.OUT, value=0)
    for level in (0, 1, 1, 0, 1):
        pin(level)
    assert heard == [1, 0, 1]


def test_a_watchdog_that_is_not_fed_bites_once_and_for_all(bench):
    dog = bench.machine.WDT(timeout=8388)
    bench.clock.spend(8_000_000)
    dog.feed()
    bench.clock.spend(8_387_000)
    assert bench.machine.watchdog.bitten_us() is None
    bench.clock.spend(1_000)
    assert bench.machine.watchdog.bitten_us() == bench.clock.now_us()
    with pytest.raises(Reset):
        dog.feed()


def test_a_watchdog_longer_than_the_chips_is_refused(bench):
    with pytest.raises(ValueError, match="8388"):
        bench.machine.WDT(timeout=8389)


def test_nothing_catches_a_reset(bench):
    def careless():
        try:
            bench.machine.reset()
        except Exception:  # noqa: BLE001 (that is the point)
            pytest.fail("caught")

    with pytest.raises(Reset):
        careless()


def test_a_board_knows_itself_and_why_it_began():
    machine = Machine(Wires(Clock()), uid=b"12345678", cause=Machine.WDT_RESET)
    assert machine.unique_id() == b"12345678"
    assert machine.reset_cause() == machine.WDT_RESET


def test_buses_are_those_that_were_put_there(bench):
    class Bus:
        def init(self, **settings):
            self.settings = settings

    bench.machine.buses["spi", 0] = bus = Bus()
    assert bench.machine.SPI(0, baudrate=1_000_000) is bus
    assert bus.settings == {"baudrate": 1_000_000}
    with pytest.raises(KeyError):
        bench.machine.I2C(0)


def test_an_instruction_the_machine_does_not_know_is_refused(bench):
    def program():
        set(pindirs, 1)  # noqa: F821 (PIO's words)

    with pytest.raises(NameError):
        bench.rp2.asm_pio()(program)
    assert "pins" not in globals(), "the words are gone after assembling"

    def pushes():
        push()  # noqa: F821

    assembled = bench.rp2.asm_pio()(pushes)
    machine = bench.rp2.StateMachine(0, assembled, freq=1_000_000, in_base=bench.machine.Pin(2))
    machine.active(1)
    bench.clock.spend(10)
    with pytest.raises(NotImplementedError, match="push that waits"):
        machine.rx_fifo()


def test_two_boards_do_not_share_pins_or_machines():
    one, other = Wires(Clock()), Wires(Clock())
    Machine(one).Pin(5, 1, value=1)
    assert Machine(other).Pin(5).value() == 0
    assert Rp2(one).StateMachine.wires is one
    assert Rp2(other).StateMachine.wires is other
