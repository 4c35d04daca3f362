"""The virtual table's cells are models of conversions, the chips are models of pins: the station says the same of both.

Tolerances: an alert within 60 ms (both kinds convert at their own moments, and are looked at every 20 ms), a fault
within 300 ms (looks at faults are 100 ms apart, and a chip needs 50 ms to settle), a resting level within 0.3 g (drift,
creep, and a bridge that is not the same), the time that is told sample by sample within 0.5 s.
"""

from random import Random

import pytest

from tablestation.drivers import hx711_pio
from tablestation.drivers.hx711_pio import Hx711Pio
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tabletwin.board import Port
from tabletwin.chips.clock import Clock
from tabletwin.chips.hx711 import OPEN, STUCK, WORKING, Bridge, Hx711
from tabletwin.chips.machine import Machine
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2
from tabletwin.forces import Laid, Landed, Push, Taken, Tipped
from tabletwin.loadcell import LoadCell
from tabletwin.scheduler import Scheduler, sleep_us
from tablewire.messages import decode

pytestmark = pytest.mark.long(12)

SECOND_US = 1_000_000
PER_G = 1800
ZERO = (-40_000, 12_000, 150_000)
SHARES = (0.4, 0.35, 0.25)
ALERT_G = 8
SPOT = "city/1/0"
UNPLUG, PLUG_IN, STICK, SLOW_DOWN = "unplug", "plug in", "stick", "slow down"

BUILDING = [Laid(k * SECOND_US, 11.0 + k, Random(k)) for k in range(3, 9)]
STRUCK = Landed(12_200_000, 0.0, 900.0, 300_000, Random(1))
SCENARIOS = {
    "nothing happens": ([], []),
    "pieces are placed": (BUILDING, []),
    "a tower collapses": ([*BUILDING, Tipped(12 * SECOND_US, 60.0, 30_000, 0.2), STRUCK], []),
    "a tower topples slowly": (
        [*BUILDING, *[Tipped(12 * SECOND_US + 90_000 * k, 9.0, 60_000, 0.2) for k in range(7)]],
        [],
    ),
    "a hand leans on it": ([Push(6 * SECOND_US, 900_000, 350.0, 0.1)], []),
    "a platform is lifted off": (
        [*BUILDING, Push(11 * SECOND_US, 300_000, 80.0, 0.2), Taken(11_300_000, -93.0, Random(1))],
        [],
    ),
    "somebody sits on the table": ([Push(5 * SECOND_US, 4 * SECOND_US, 90_000.0, 0.0)], []),
    "a plug is pulled and put in again": ([], [(5 * SECOND_US, UNPLUG), (8 * SECOND_US, PLUG_IN)]),
    "a chip sticks": ([], [(6 * SECOND_US, STICK)]),
    "a RATE pin comes off": ([], [(4 * SECOND_US, SLOW_DOWN)]),
}


class RecordingLink:
    """A link that keeps what a station says, as facts with the table's time."""

    dropped = 0

    def __init__(self, scheduler):
        self._scheduler = scheduler
        self.alerts, self.faults, self.quiet, self.samples = [], [], [], []

    def publish(self, channel, payload, urgent, retain=False):
        message = decode(channel, payload)
        now_us = self._scheduler.now_us
        kind = message["type"]
        if kind == "alert":
            self.alerts.append((now_us, message["drop"]))
        elif kind == "fault":
            self.faults.append((message["what"], message["on"], now_us))
        elif kind == "quiet":
            self.quiet += [(now_us, cell["cell"], cell["mean"]) for cell in message["cells"]]
        elif kind == "samples":
            self.samples.append((message["cell"], len(message["counts"]), sum(message["dt_us"])))
        return True

    def resting_g(self, since_us):
        """What each cell weighs at rest after a moment."""
        means = {cell: mean for now_us, cell, mean in self.quiet if now_us > since_us}
        return {cell: (mean - ZERO[cell]) / PER_G for cell, mean in means.items()}

    def told_us(self, cell):
        """How much time was told sample by sample."""
        return sum(lasted_us for told, _, lasted_us in self.samples if told == cell)


class Conversions:
    """Cells of the virtual table."""

    poll_us = 20_000

    def __init__(self, scheduler, port):
        self.cells = [LoadCell(Random(k), PER_G, zero, scheduler, port.ticks_at) for k, zero in enumerate(ZERO)]

    def press(self, forces):
        for force in forces:
            for cell, share in zip(self.cells, SHARES, strict=True):
                cell.press(force, share)

    def do(self, act):
        cell = self.cells[0]
        {
            UNPLUG: cell.unplug,
            PLUG_IN: cell.plug_in,
            STICK: lambda: cell.stick(ZERO[0]),
            SLOW_DOWN: cell.slow_down,
        }[act]()


class Chips:
    """Chips on pins, read by PIO machines."""

    poll_us = 20_000

    def __init__(self, scheduler, port):
        wires = Wires(Clock(lambda: scheduler.now_us))
        machine, rp2 = Machine(wires), Rp2(wires)
        program = hx711_pio.assemble(rp2)
        self._scheduler = scheduler
        self._forces = []
        self._chips = []
        self.cells = []
        for k, zero in enumerate(ZERO):
            dout, sck = machine.Pin(2 * k), machine.Pin(2 * k + 1)
            bridge = Bridge(self._grams(SHARES[k]), PER_G, zero, noise_counts=44, seed=k)
            self._chips.append(Hx711(wires, 2 * k, 2 * k + 1, bridge, 10_900 + 1_100 * k))
            state_machine = hx711_pio.state_machine(rp2, k, program, dout, sck)
            self.cells.append(Hx711Pio(state_machine, port.ticks_us))

    def _grams(self, share):
        def grams(t_us):
            total = 0.0
            for force in self._forces:
                if t_us >= force.until_us:
                    total += force.left_g
                elif t_us > force.at_us:
                    total += force.grams(t_us)
            return total * share

        return grams

    def press(self, forces):
        self._forces += forces

    def do(self, act):
        chip, now_us = self._chips[0], self._scheduler.now_us
        if act == SLOW_DOWN:
            chip.rate = 0
        else:
            chip.faults.append([now_us, {UNPLUG: OPEN, PLUG_IN: WORKING, STICK: STUCK}[act]])


class Bench(Board):
    """One spot of three cells."""

    def __init__(self, cells):
        spot = SpotBoard(SPOT, cells)
        spot.alert_g, spot.counts_per_g = ALERT_G, [PER_G] * len(cells)
        super().__init__("sector", [spot])

    async def pause(self):
        await sleep_us(20_000)


def play(level, forces, acts):
    """What the station says in twenty seconds."""
    scheduler = Scheduler()
    port = Port(scheduler, Random(7))
    table = level(scheduler, port)
    told = RecordingLink(scheduler)
    station = Station(port, told, Bench(table.cells))
    station.start()
    station.connected()
    table.press(forces)
    for at_us, act in acts:
        scheduler.advance(at_us)
        table.do(act)
    scheduler.advance(20 * SECOND_US)
    return told


def anything(seed):
    """Forces of a few seconds of play: pieces are placed, pieces fall, hands come and go."""
    rng = Random(seed)
    at_us, lies_g, forces = 3 * SECOND_US, 0.0, []
    for _ in range(rng.randrange(3, 9)):
        at_us += rng.randrange(500_000, 1_800_000)
        what = rng.random()
        if what < 0.65 or lies_g < 30:
            forces.append(Laid(at_us, rng.uniform(6, 15), rng))
        elif what < 0.85:
            forces.append(Tipped(at_us, rng.uniform(12, lies_g), rng.randrange(10_000, 200_000), 0.2))
        else:
            forces.append(Push(at_us, rng.randrange(200_000, 900_000), rng.uniform(20, 400), rng.uniform(0, 0.3)))
        lies_g += forces[-1].left_g
    return forces


def same(conversions, chips):
    """Fails where the station told something else."""
    assert [drop > 0 for _, drop in conversions.alerts] == [drop > 0 for _, drop in chips.alerts]
    for (one_us, _), (other_us, _) in zip(conversions.alerts, chips.alerts, strict=True):
        assert abs(one_us - other_us) <= 60_000
    faults, other_faults = sorted(conversions.faults), sorted(chips.faults)
    assert [fault[:2] for fault in faults] == [fault[:2] for fault in other_faults]
    for one, other in zip(faults, other_faults, strict=True):
        assert abs(one[2] - other[2]) <= 300_000
    rest, other_rest = conversions.resting_g(17 * SECOND_US), chips.resting_g(17 * SECOND_US)
    assert rest.keys() == other_rest.keys()
    for cell in rest:
        assert rest[cell] == pytest.approx(other_rest[cell], abs=0.3)
        assert abs(conversions.told_us(cell) - chips.told_us(cell)) <= 500_000


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_station_says_the_same_of_both(name):
    same(play(Conversions, *SCENARIOS[name]), play(Chips, *SCENARIOS[name]))


@pytest.mark.seeds("seed", range(6), soak=100)
def test_the_station_says_the_same_of_any_play(seed):
    forces = anything(seed)
    same(play(Conversions, forces, []), play(Chips, forces, []))


def test_the_scenarios_make_the_station_say_something():
    said = {name: play(Conversions, *SCENARIOS[name]) for name in SCENARIOS}
    assert [name for name in said if said[name].alerts] == [
        "a tower collapses",
        "a tower topples slowly",
        "a platform is lifted off",
        "somebody sits on the table",
    ]
    assert [name for name in said if said[name].faults] == list(SCENARIOS)[6:]
