"""The second Pico that plays an HX711: its PIO program in an emulator, its pace and its bookkeeping beside it."""

from collections import deque
from itertools import pairwise

import adafruit_pioasm
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pioemu import State, emulate

from tablestation.boards.hx711_player import ROOM, Player, obey, program
from tablestation.drivers import hx711_pio
from tabletwin.chips.clock import Clock
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2

pytestmark = pytest.mark.long(14)

DOUT = 0b10  # the emulator looks at bit 0 for SCK, as the board's machine looks at its `in_base`
COUNTS = st.integers(-(1 << 23), (1 << 23) - 1)


def assembled():
    return adafruit_pioasm.Program(program(Rp2(Wires(Clock()))).source())


def played(words, sck, cycles):
    """DOUT and the number of reported readings at every clock cycle; `sck(cycle)` is the reader's clock line."""

    def wire(state: State) -> int:  # the emulator looks at these annotations
        return sck(state.clock)

    made = assembled()
    steps = emulate(
        list(made.assembled),
        stop_when=lambda _, state: state.clock >= cycles,
        initial_state=State(pin_directions=DOUT, pin_values=DOUT, transmit_fifo=deque(word << 8 for word in words)),
        input_source=wire,
        shift_osr_right=False,
        out_base=1,
        out_count=1,
        set_base=1,
        set_count=1,
        wrap_target=made.pio_kwargs["wrap_target"],
        wrap_top=made.pio_kwargs["wrap"],
    )
    dout, reported = {}, {}
    for before, after in steps:
        for cycle in range(before.clock, max(after.clock, before.clock + 1)):
            dout[cycle] = bool(after.pin_values & DOUT)
            reported[cycle] = len(after.receive_fifo)
    return dout, reported


def master(start, high, low, pulses):
    """A clock line that is pulsed from `start` on."""
    period = high + low
    return lambda cycle: int(start <= cycle < start + pulses * period and (cycle - start) % period < high)


@given(count=COUNTS, high=st.integers(25, 200), low=st.integers(25, 200), pulses=st.integers(25, 27))
def test_the_player_answers_a_master_as_the_chip_does(count, high, low, pulses):
    """At 125 MHz 25 cycles are 0.2 us, the shortest pulse the chip takes (data sheet, T3 and T4)."""
    word, start, period = count & 0xFFFFFF, 50, high + low
    dout, reported = played([word], master(start, high, low, pulses), start + pulses * period + 50)
    assert dout[start - 1] is False, "a conversion is ready"
    t2_cycles = 12  # 0.1 us
    bits = [dout[start + k * period + t2_cycles] for k in range(25)]
    assert sum(bit << (23 - k) for k, bit in enumerate(bits[:24])) == word
    assert bits[24] is True, "the 25th pulse"
    assert dout[start + pulses * period + 49] is True
    assert reported[start + 24 * period - 1] == 0
    assert reported[start + pulses * period + 49] == 1


def test_without_a_word_the_line_is_high_whatever_the_master_does():
    dout, reported = played([], master(20, 30, 30, 25), 2000)
    assert all(level for cycle, level in dout.items() if cycle > 1)
    assert set(reported.values()) == {0}


def test_the_next_word_waits_until_this_one_was_read():
    words = [0xABCDEF, 0x123456]
    dout, _ = played(words, master(50, 30, 30, 50), 4000)
    bits = [dout[50 + k * 60 + 12] for k in range(50)]
    assert int("".join(str(int(bit)) for bit in bits[:24]), 2) == words[0]
    assert bits[24] is True
    assert int("".join(str(int(bit)) for bit in bits[25:49]), 2) == words[1]


RATIO = 125  # the player's machine runs at the board's clock, the reader's at 1 MHz
PERIOD = 1_000  # cycles of the reader between two conversions: a tenth of what a chip takes


class Running:
    """A program that is run beside another one, to a given cycle of its own."""

    def __init__(self, made, state, inputs, **settings):
        def wire(state: State) -> int:
            return inputs()

        self.state = state
        kwargs = {"wrap_target": made.pio_kwargs["wrap_target"], "wrap_top": made.pio_kwargs["wrap"]}
        self._steps = emulate(
            list(made.assembled),
            stop_when=lambda _, state: False,
            initial_state=state,
            input_source=wire,
            **kwargs,
            **settings,
        )

    def to(self, cycle):
        while self.state.clock < cycle:
            _, self.state = next(self._steps)

    def output(self):
        return bool(self.state.pin_values & DOUT)


def test_the_stations_own_reader_reads_what_is_played():
    """Both programs in the emulator, each the other's wire: the reader of the cells, and the player."""
    reading = adafruit_pioasm.Program(hx711_pio.assemble(Rp2(Wires(Clock()))).source())
    counts = [-1, 0x7FFFFF, -0x555556]  # a bit that is late or lost shows in one of them
    side = reading.pio_kwargs["sideset_pin_count"]
    player = Running(
        assembled(),
        State(pin_directions=DOUT, pin_values=DOUT),
        lambda: int(reader.output()),
        shift_osr_right=False,
        out_base=1,
        out_count=1,
        set_base=1,
        set_count=1,
    )
    reader = Running(
        reading,
        State(pin_directions=DOUT),
        lambda: int(player.output()),
        shift_isr_right=False,
        side_set_base=1,
        side_set_count=side,
        jmp_pin=0,
    )
    words = []
    for cycle in range(PERIOD * (len(counts) + 1)):
        if cycle and cycle % PERIOD == 0:
            assert len(player.state.receive_fifo) == (1 if words else 0), "the player hears that it was read"
            player.state.receive_fifo.clear()
            player.state.transmit_fifo.append((counts[cycle // PERIOD - 1] & 0xFFFFFF) << 8)
        player.to(cycle * RATIO)
        reader.to(cycle)
        while reader.state.receive_fifo:
            words.append(reader.state.receive_fifo.popleft())
    assert [word & 1 for word in words] == [1] * len(counts)
    assert [word >> 1 for word in words] == [count & 0xFFFFFF for count in counts]


class FakeMachine:
    """A state machine whose words a reader takes, or not."""

    def __init__(self, now, reader=lambda number: True):
        self.now = now
        self.offered = []
        self._reader = reader
        self._reports = 0
        self.calls = []

    def active(self, on):
        self.calls.append(("active", on))

    def restart(self):
        self.calls.append(("restart",))

    def put(self, word, shift):
        self.offered.append((self.now(), word << shift))
        if self._reader(len(self.offered)):
            self._reports += 1

    def rx_fifo(self):
        return self._reports

    def get(self):
        self._reports -= 1


class FakeClock:
    """Ticks that wrap, and a sleep that lasts a millisecond too long."""

    def __init__(self, start=0):
        self.ticks = start

    def ticks_us(self):
        self.ticks = (self.ticks + 7) & 0x3FFFFFFF
        return self.ticks

    async def sleep_ms(self, ms):
        self.ticks = (self.ticks + 1000 * ms + 1000) & 0x3FFFFFFF


def a_player(reader=lambda number: True, start=0):
    clock = FakeClock(start)
    machine = FakeMachine(lambda: clock.ticks, reader)
    return Player(machine, clock.ticks_us, clock.sleep_ms), machine


@pytest.mark.parametrize("start", [0, (1 << 30) - 20_000])
async def test_conversions_come_at_the_period_even_across_the_wrap_of_the_clock(start):
    player, machine = a_player(start=start)
    player.period_us = 11_000
    player.ended = True
    player.add(range(10))
    await player.run()
    gaps = [(b - a) & 0x3FFFFFFF for (a, _), (b, _) in pairwise(machine.offered)]
    assert all(abs(gap - 11_000) <= 20 for gap in gaps)
    assert [word >> 8 for _, word in machine.offered] == list(range(10))


async def test_what_nobody_read_is_overwritten_and_counted():
    player, machine = a_player(reader=lambda number: number != 3)
    player.add([5, -1, 6, 7])
    player.ended = True
    await player.run()
    assert (player.played, player.unread) == (4, 1)
    assert [word for _, word in machine.offered] == [5 << 8, 0xFFFFFF00, 6 << 8, 7 << 8]
    assert machine.calls.count(("restart",)) == 1


async def test_a_trace_longer_than_its_room_is_refused_and_goes_on_later():
    player, _ = a_player()
    player.add([0] * ROOM)
    with pytest.raises(ValueError, match="1 counts, room for 0: wait"):
        player.add([1])
    player.ended = True
    await player.run()
    assert player.room() == ROOM


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("room?", f"room {ROOM}"),
        ("counts 1 -2 3", f"room {ROOM - 3}"),
        ("period 12000", f"room {ROOM}"),
        ("end", f"room {ROOM}"),
        ("period 12", "? period 12"),
        ("counts 1 two", "? invalid literal"),
        ("counts " + "0 " * (ROOM + 1), f"? {ROOM + 1} counts, room for {ROOM}"),
        ("", "? "),
        ("play it loud", "? play it loud"),
    ],
)
def test_the_sender_is_answered_line_by_line(line, answer):
    player, _ = a_player()
    assert obey(player, line).startswith(answer)
