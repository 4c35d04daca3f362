"""The PIO program, assembled and run by programs that others wrote, on our model of the chip.

`adafruit_pioasm` makes the words, `pioemu` runs them; the state machine of `tabletwin.chips.rp2` must do the same.
"""

from itertools import pairwise

import adafruit_pioasm
import pioemu
import pytest

from tablestation.drivers import hx711_pio
from tabletwin.chips import hx711
from tabletwin.chips.hx711 import RAIL_HIGH, RAIL_LOW, SHORT, WORKING

pytestmark = pytest.mark.long(8)

DOUT, SCK = 2, 3
IN, OUT = 0, 1  # the emulator's pins: it knows no base for inputs
FIFO = 4  # pioemu knows no joined FIFO
# what MicroPython's own rp2.asm_pio makes of the same function
WORDS = [
    *(0xF027, 0x1F41, 0xE03F, 0x0F43, 0x00C6, 0x0000),
    *(0x2020, 0xE037, 0xB042, 0x5001, 0x0048, 0xB142, 0x4001, 0x8000, 0x00C6),
]


@pytest.fixture(autouse=True)
def _settled_at_once(monkeypatch):
    """The emulator takes its time for every microsecond of waiting."""
    monkeypatch.setattr(hx711, "SETTLING", 1)


@pytest.fixture
def program(bench):
    recorded = hx711_pio.assemble(bench.rp2)
    return adafruit_pioasm.Program(recorded.source())


class Emulated:
    """The program in the emulator, a cycle a microsecond: the edges it made, the words it pushed."""

    def __init__(self, bench, program, until_us, fetch=True):
        self.edges: list[tuple[int, int]] = []
        self.words: list[int] = []
        wire = bench.wires.wire(DOUT)

        def data_out(state: pioemu.State) -> int:
            return wire.level(state.clock) << IN

        steps = pioemu.emulate(
            list(program.assembled),
            stop_when=lambda opcode, state: state.clock >= until_us,
            initial_state=pioemu.State(pin_directions=1 << OUT),
            input_source=data_out,
            shift_isr_right=False,
            side_set_base=OUT,
            side_set_count=program.pio_kwargs["sideset_pin_count"],
            jmp_pin=IN,
            wrap_target=program.pio_kwargs["wrap_target"],
            wrap_top=program.pio_kwargs["wrap"],
        )
        level = 0
        for before, after in steps:
            sck = after.pin_values >> OUT & 1
            if sck != level:
                level = sck
                self.edges.append((before.clock, level))
                bench.wires.wire(SCK).drive(level, before.clock)
            while fetch and after.receive_fifo:
                self.words.append(after.receive_fifo.popleft())
        self.waiting = list(after.receive_fifo)


def signed(word):
    assert word & 1, "the 25th pulse releases DOUT"
    count = word >> 1
    return count - (1 << 24) if count >> 23 else count


def test_two_assemblers_make_the_same_words(program):
    assert list(program.assembled) == WORDS
    assert len(WORDS) <= 16, "leaves room for the Wi-Fi's program in the 32 words of a PIO"


def test_the_bits_come_out_right(bench, program):
    values = [RAIL_HIGH, RAIL_LOW, 0, -1, 1, 0x555555, -0x555556, 123456, -99]
    chip = bench.chip(lambda k, t_us: values[k % len(values)])
    emulated = Emulated(bench, program, 130_000)
    got = [signed(word) for word in emulated.words]
    assert len(got) >= 9
    assert got == [count for _, count in chip.bridge.conversions][: len(got)]
    assert (chip.garbled, chip.overwritten, chip.powered_down) == (0, 0, 1)


def test_the_clock_keeps_the_datasheets_times_and_gives_25_pulses(bench, program):
    chip = bench.chip(lambda k, t_us: 0x123456)
    edges = Emulated(bench, program, 60_000).edges
    highs = [down[0] - up[0] for up, down in zip(edges[::2], edges[1::2], strict=False)]
    lows = [up[0] - down[0] for down, up in zip(edges[1::2], edges[2::2], strict=False)]
    assert {level for _, level in edges[::2]} == {1}
    assert highs.pop(0) > 60, "it begins by turning the chip off and on"
    assert 0.2 <= min(highs) <= max(highs) <= 50
    assert min(lows) >= 0.2
    ready = [t_us for t_us, _ in chip.bridge.conversions]
    for begun_us, ended_us in pairwise(ready):
        pulses = [t_us for t_us, level in edges if level and begun_us <= t_us < ended_us]
        assert len(pulses) == 25
        assert pulses[0] - begun_us >= 1, "0.1 us after DOUT fell"
        assert pulses[-1] < ended_us - 75, "nothing in the window before the next conversion"


def test_the_fifo_keeps_the_oldest_in_order_and_the_chip_is_read_all_the_same(bench, program):
    chip = bench.chip(lambda k, t_us: k)
    emulated = Emulated(bench, program, 80_000, fetch=False)
    assert [signed(word) for word in emulated.waiting] == list(range(FIFO))
    assert chip.converted >= 6
    assert chip.overwritten == 0


def test_a_wire_on_ground_gives_no_words_and_the_chip_is_begun_anew_when_it_is_mended(bench, program):
    chip = bench.chip(lambda k, t_us: 4242)
    chip.rises = False
    chip.faults = [[0, SHORT], [20_000, WORKING]]
    emulated = Emulated(bench, program, 50_000)
    assert chip.powered_down > 20
    assert [signed(word) for word in emulated.words] == [4242] * 2


def test_our_state_machine_makes_the_same_edges_and_the_same_words(bench, program):
    bench.chip(lambda k, t_us: k * 7919 - 40_000)
    by_others = Emulated(bench, program, 60_000)
    ours = type(bench)()
    ours.chip(lambda k, t_us: k * 7919 - 40_000)
    edges: list[tuple[int, int]] = []
    ours.wires.wire(SCK).listen(lambda level, t_us, ns: edges.append((t_us, level)))
    pin = ours.machine.Pin
    machine = hx711_pio.state_machine(ours.rp2, 0, hx711_pio.assemble(ours.rp2), pin(DOUT), pin(SCK))
    machine.active(1)
    words: list[int] = []
    while ours.clock.now_us() < 60_000:
        ours.clock.spend(10_000)
        words += [machine.get() for _ in range(machine.rx_fifo())]
    assert words[: len(by_others.words)] == by_others.words
    assert [t_us for t_us, _ in edges][: len(by_others.edges)] == [t_us for t_us, _ in by_others.edges]
