"""A board put together from its pin plan finds every chip where the plan says it is wired."""

import asyncio
from array import array

import pytest

from tablestation.boards.assembly import Workshop
from tablestation.boards.pins.park import PINS as PARK
from tablestation.boards.pins.seat import PINS as SEAT
from tabletwin.chips.beam import BreakBeam
from tabletwin.chips.clock import Clock, Time
from tabletwin.chips.hx711 import Bridge, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.machine import Machine
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pins import Wires
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.rp2 import Rp2
from tabletwin.chips.spi import SPI
from tabletwin.chips.vl53 import Vl53l1x, Vl53l4cd
from tabletwin.chips.ws2812 import Chain

RANGER_MODELS = {"VL53L1X": Vl53l1x, "VL53L4CD": Vl53l4cd}


class Bench:
    """All chips of a pin plan on one board's wires; the processor's clock is the models'."""

    def __init__(self, plan):
        self.plan = plan
        self.clock = Clock()
        self.clock.spend(5_000)
        self.wires = Wires(self.clock)
        self.machine, self.rp2, self.time = Machine(self.wires), Rp2(self.wires), Time(self.clock)
        self.spi, self.i2c, self.air = SPI(self.clock), I2C(self.clock), Air()
        self.machine.buses = {("spi", plan["spi"]["bus"]): self.spi}
        if plan["i2c"]:
            self.machine.buses["i2c", plan["i2c"]["bus"]] = self.i2c
        self.expander = self.i2c.attach(Mcp23017(plan["expander"]["address"])) if plan["expander"] else None
        self.accelerometer = None
        if plan["accelerometer"]:
            self.accelerometer = self.i2c.attach(Lis3dh(self.clock, self._feel))
        leds = sum(place["leds"] for place in plan["places"])
        self.strip = Chain(self.wires, plan["strip"]["pin"], leds) if plan["strip"] else None
        self.cells, self.readers, self.rangers, self.beams = [], [], [], []
        for number, place in enumerate(plan["places"]):
            self._furnish(number, place)

    def _furnish(self, number, place):
        for k, (sck, dout, _) in enumerate(place["cells"]):
            grams = 10 * number + k
            self.cells.append(Hx711(self.wires, dout, sck, Bridge(lambda t_us, grams=grams: grams, zero=number)))
        if place["cs"] is not None:
            reader = Pn532(self.clock, self.air)
            reader.tags = [Tag(bytes([4, number]) + bytes(5))]
            self._hang(place["cs"], self.spi.attach(reader))
            self.readers.append(reader)
        if place["crane"]:
            ranger = RANGER_MODELS[place["crane"]["chip"]](self.clock, target_mm=100 + number)
            self.i2c.attach(ranger)
            self._hang(place["crane"]["xshut"], ranger.power)
            self.rangers.append(ranger)
            pin = _expander_pin(place["crane"]["beam"])
            self.beams.append(BreakBeam(lambda level: self.expander.put(pin, level)))

    def _feel(self, t_us):
        """The base is level, and rattles for 100 ms."""
        return 0.0, 0.0, 1000.0 + (200.0 * (t_us // 2_500 % 2) if 500_000 <= t_us < 600_000 else 0.0)

    def _hang(self, pin, line):
        """A line on a pin of the board, or of the expander."""
        if isinstance(pin, str):
            self.expander.wire(_expander_pin(pin), line)
        else:
            wire = self.wires.wire(pin)
            wire.drive(1, 0)
            wire.listen(lambda level, t_us, ns: line(level))

    async def sleep_ms(self, ms):
        self.clock.spend(1000 * ms)
        await asyncio.sleep(0)

    @property
    def ticks_us(self):
        return self.time.ticks_us

    def workshop(self):
        return Workshop(self.plan, self, self.machine, self.rp2, self.time, lambda on: None)


def _expander_pin(name):
    return "AB".index(name[0]) * 8 + int(name[1])


@pytest.fixture
def bench(pins):
    return Bench(pins)


@pytest.fixture
def spots(full_table, kind):
    return [spot.spot for spot in next(s for s in full_table.stations if s.kind == kind).spots]


def test_every_cell_is_read_on_its_own_wires(bench, spots):
    board = bench.workshop().board(spots, {})
    bench.clock.spend(60_000)  # after power-up the chips settle
    counts, ticks = array("i", [0] * 16), array("i", [0] * 16)
    seen = []
    for spot in board.spots:
        for cell in spot.cells:
            cell.drain(counts, ticks)
    bench.clock.spend(50_000)
    for spot in board.spots:
        for cell in spot.cells:
            n = cell.drain(counts, ticks)
            seen.append(counts[n - 1])
    places = bench.plan["places"]
    assert seen == [2147 * (10 * n + k) + n for n in range(len(places)) for k in range(len(places[n]["cells"]))]


async def test_every_reader_finds_its_own_tag_with_one_field_at_a_time(bench, spots):
    board = bench.workshop().board(spots, {})
    found = [await spot.reader.read() for spot in board.spots if spot.reader is not None]
    assert found == [f"04{number:02x}0000000000" for number in range(len(found))]
    assert (bench.spi.clashes, bench.air.clashes) == (0, 0)


def test_every_ring_shines_in_the_order_of_the_places(bench, spots):
    board = bench.workshop().board(spots, {})
    rings = [spot.ring for spot in board.spots if spot.ring is not None]
    for k, ring in enumerate(rings):
        ring.write(bytearray([k + 1, 0, 0] * 12))
    board.show_rings()
    bench.clock.spend(1_000)
    if rings:
        assert bench.strip.pixels() == [(k + 1, 0, 0) for k in range(len(rings)) for _ in range(12)]
        assert bench.strip.errors == 0
    else:
        assert bench.strip is None


def test_every_ranger_gets_an_address_of_its_own_and_sees_its_paddle(bench, spots):
    board = bench.workshop().board(spots, {})
    rangers = [spot.ranger for spot in board.spots if spot.ranger is not None]
    seen = [None] * len(rangers)
    for ranger in rangers:
        ranger.start()
    for _ in range(400):
        bench.clock.spend(3_000)
        for k, ranger in enumerate(rangers):
            seen[k] = ranger.take() or seen[k]
    assert [reading[1] for reading in seen] == [0] * len(rangers)
    assert [abs(reading[0] - (100 + k)) <= 5 for k, reading in enumerate(seen)] == [True] * len(rangers)


def test_every_beam_is_that_of_its_own_crane(bench, spots):
    board = bench.workshop().board(spots, {})
    beams = [spot.beam for spot in board.spots if spot.ranger is not None]
    assert [spot.beam for spot in board.spots if spot.ranger is None] == [None] * (len(spots) - len(beams))
    for one in bench.beams:
        one.cover(True)
        assert [beam.broken() for beam in beams] == [other is one for other in bench.beams]
        one.cover(False)


def test_the_accelerometer_hears_the_base_where_the_plan_has_a_place_for_one(bench, spots):
    board = bench.workshop().board(spots, {})
    assert (board.accelerometer is not None) == (bench.accelerometer is not None)
    if board.accelerometer is None:
        return
    board.accelerometer.start()
    peaks_mg, ticks = array("i", [0] * 4), array("i", [0] * 4)
    heard_us = []
    while bench.clock.now_us() < 1_000_000:
        bench.clock.spend(20_000)
        heard_us += ticks[: board.accelerometer.take(peaks_mg, ticks)]
    assert 8 <= len(heard_us) <= 16
    assert 500_000 <= heard_us[0] <= heard_us[-1] < 650_000


def test_a_station_without_cells_looks_for_no_accelerometer():
    assert Bench(SEAT).workshop().board(["seat/1/card/0"], {}).accelerometer is None


def test_the_button_of_a_seat_is_heard():
    bench = Bench(SEAT)
    board = bench.workshop().board(["seat/2/bag"], {}, seat=2)
    assert (board.button.take(), board.seat) == (False, 2)
    bench.expander.put(8, 0)
    assert board.button.take() is True
    bench.expander.put(8, None)
    assert board.button.take() is False


async def test_a_dead_expander_stops_nothing_but_what_hangs_on_it():
    bench = Bench(SEAT)
    bench.i2c.chips.clear()
    board = bench.workshop().board(["seat/1/pad/0", "seat/1/bag"], {})
    bench.clock.spend(120_000)
    counts, ticks = array("i", [0] * 16), array("i", [0] * 16)
    assert board.spots[0].cells[0].drain(counts, ticks) > 0
    assert board.button.take() is False
    with pytest.raises(OSError, match="nobody answers"):
        await board.spots[0].reader.read()


def test_a_shorted_i2c_bus_is_told_by_whoever_uses_it():
    bench = Bench(SEAT)
    bench.i2c.stuck = True
    board = bench.workshop().board(["seat/1/pad/0"], {})
    with pytest.raises(OSError, match="does not move"):
        board.spots[0].ranger.start()


async def test_a_table_that_uses_two_places_wires_their_rings_one_after_the_other():
    bench = Bench(SEAT)
    board = bench.workshop().board(["seat/1/pad/2", "seat/1/pad/0"], {})
    board.spots[0].ring.write(bytearray([9] * 36))
    board.show_rings()
    bench.clock.spend(1_000)
    assert bench.strip.pixels()[:24] == [(0, 0, 0)] * 12 + [(9, 9, 9)] * 12


def test_readers_that_the_table_does_not_use_are_not_left_selected():
    bench = Bench(SEAT)
    bench.workshop().board(["seat/1/pad/2"], {})
    assert [bench.expander.output(pin) for pin in range(7)] == [1] * 7


def test_a_spot_without_a_place_is_refused():
    with pytest.raises(ValueError, match="spot city/1/0 has no place on a park station"):
        Bench(PARK).workshop().board(["city/1/0"], {})
