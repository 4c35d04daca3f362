"""Makes drivers from a pin plan: the wiring of a Pico becomes a board of the station program.

The board's modules are passed in, so that models can replace them. A chip that does not answer stops nothing here: its
driver reports it when it is used, and the station reports it to the hub.
"""

from tablestation.boards.pins import places
from tablestation.drivers import hx711_pio
from tablestation.drivers.bus_clear import bus_clear
from tablestation.drivers.lis3dh import LIS3DH
from tablestation.drivers.lock import Lock
from tablestation.drivers.mcp23017 import MCP23017
from tablestation.drivers.pn532 import PN532
from tablestation.drivers.vl53 import VL53L1X, VL53L4CD
from tablestation.drivers.ws2812 import TIMING_NS, Chain
from tablestation.seam import Board, SpotBoard

PAUSE_MS = 20  # a state machine keeps eight conversions: 86 ms of the fastest chips
SPI_HZ = 1_000_000  # a PN532 takes 5 MHz; wires of 30 cm do not
I2C_HZ = 400_000
I2C_TIMEOUT_US = 4_000  # a stuck bus is waited for, and the cells wait with it; the longest transfer takes 2.3 ms
RANGERS = {"VL53L1X": VL53L1X, "VL53L4CD": VL53L4CD}


class PicoBoard(Board):
    """A board whose cells are read by PIO machines and whose rings hang on one chain."""

    def __init__(self, plan, spots, sleep_ms, chain, lamp, about, button=None, seat=0):  # noqa: PLR0913, PLR0917 (Board's, and three)
        ring_ma = plan["strip"]["limit_ma"] if plan["strip"] else 0
        super().__init__(plan["kind"], spots, button=button, seat=seat, ring_ma=ring_ma, about=about)
        self._sleep_ms = sleep_ms
        self._chain = chain
        self.lamp = lamp

    async def pause(self):
        """Wait between two looks at the cells."""
        await self._sleep_ms(PAUSE_MS)

    def show_rings(self):
        """Send changed rings."""
        if self._chain is not None:
            self._chain.show()


class _Line:
    """A pin of the expander. It tolerates a silent expander during assembly: its driver is asked again soon."""

    def __init__(self, workshop, output):
        self._workshop = workshop
        self._output = output

    def __call__(self, level):
        try:
            self._output(level)
        except OSError:
            if not self._workshop.open:
                raise


class Workshop:
    """Puts a board together. `port` is the board's; `machine`, `rp2` and `time` are MicroPython's modules; `lamp(on)`
    switches the board's own light."""

    def __init__(self, plan, port, machine, rp2, time, lamp):  # noqa: PLR0913, PLR0917 (one for each of the board's modules)
        self._plan = plan
        self._port = port
        self._machine = machine
        self._rp2 = rp2
        self._time = time
        self._lamp = lamp
        self._field = Lock()  # one tag reader's field at a time
        self._address = Lock()  # one ranger at the address they all begin with
        self._program = hx711_pio.assemble(rp2)
        self.open = True
        self._i2c = self._make_i2c()
        self._expander = None
        if plan["expander"]:
            self._expander = MCP23017(self._i2c, plan["expander"]["address"])
        self._spi = None

    def board(self, spots, about, seat=0):
        """Return the board of a station with these spots; raise ValueError naming a spot without a place in the
        plan."""
        found = places(self._plan, spots)
        self._let_selects_rest()
        chain, rings = self._make_rings(found)
        made = [self._spot(spots[k], found[k], rings[k]) for k in range(len(spots))]
        button = self._make_button()
        self._start_expander()
        self.open = False
        board = PicoBoard(self._plan, made, self._port.sleep_ms, chain, self._lamp, about, button=button, seat=seat)
        if self._plan["accelerometer"] and any(spot.cells for spot in made):
            board.accelerometer = LIS3DH(self._i2c, self._port.ticks_us)
        return board

    def _let_selects_rest(self):
        """Deselect all readers before the first one is used, including those at places that the table does not use."""
        for place in self._plan["places"]:
            if place["cs"] is not None:
                self._line(place["cs"])

    def _spot(self, spot, place, ring):
        cells = [self._cell(*cell) for cell in place["cells"]]
        reader = None
        if place["cs"] is not None:
            reader = PN532(self._spi_bus(), self._line(place["cs"]), self._port.sleep_ms, self._field)
        ranger = self._ranger(place["crane"]) if place["crane"] else None
        made = SpotBoard(spot, cells, reader=reader, ring=ring, ring_leds=place["leds"], ranger=ranger)
        if place["crane"]:
            made.beam = self._expander.beam(_expander_pin(place["crane"]["beam"]))
        made.alert_g = place["alert_g"]
        return made

    def _cell(self, sck, dout, number):
        pin = self._machine.Pin
        data, clock = pin(dout, pin.IN, pin.PULL_UP), pin(sck, pin.OUT, value=0)
        state_machine = hx711_pio.state_machine(self._rp2, number, self._program, data, clock)
        return hx711_pio.Hx711Pio(state_machine, self._port.ticks_us)

    def _ranger(self, crane):
        kind = RANGERS[crane["chip"]]
        return kind(self._i2c, crane["address"], self._line(crane["xshut"]), self._address)

    def _line(self, name):
        """Return an output pin that rests high: of the board by number, of the expander by name."""
        if isinstance(name, str):
            return _Line(self, self._expander.output(_expander_pin(name)))
        return self._machine.Pin(name, self._machine.Pin.OUT, value=1)

    def _make_button(self):
        name = self._plan["button"]
        return None if name is None else self._expander.button(_expander_pin(name))

    def _start_expander(self):
        if self._expander is None:
            return
        try:
            self._expander.start()
        except OSError:
            pass  # it is set up whenever it is asked for something and answers

    def _make_rings(self, found):
        """Return the chain, and the ring of each place found; the chain follows the order of the plan's places."""
        rings = [None] * len(found)
        leds = sum([place["leds"] for place in found])
        if not leds:
            return None, rings
        machine = self._machine
        pin = machine.Pin(self._plan["strip"]["pin"], machine.Pin.OUT, value=0)
        chain = Chain(lambda grb: machine.bitstream(pin, 0, TIMING_NS, grb), self._port.ticks_us, leds)
        for place in self._plan["places"]:
            for k in range(len(found)):
                if found[k] is place and place["leds"]:
                    rings[k] = chain.ring(place["leds"])
        return chain, rings

    def _make_i2c(self):
        wires = self._plan["i2c"]
        if wires is None:
            return None
        pin = self._machine.Pin
        scl, sda = pin(wires["scl"], pin.OPEN_DRAIN, value=1), pin(wires["sda"], pin.OPEN_DRAIN, value=1)
        bus_clear(scl, sda, self._time.sleep_us)  # what hangs all the same is found by those who use the bus
        return self._machine.I2C(wires["bus"], scl=scl, sda=sda, freq=I2C_HZ, timeout=I2C_TIMEOUT_US)

    def _spi_bus(self):
        if self._spi is None:
            wires, pin = self._plan["spi"], self._machine.Pin
            self._spi = self._machine.SPI(
                wires["bus"],
                baudrate=SPI_HZ,
                polarity=0,
                phase=0,
                sck=pin(wires["sck"]),
                mosi=pin(wires["mosi"]),
                miso=pin(wires["miso"]),
            )
        return self._spi


def _expander_pin(name):
    """Return the driver's number of expander pin `A0`-`B7`."""
    return (8 if name[0] == "B" else 0) + int(name[1])
