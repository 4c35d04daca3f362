"""A table with one station: hands that move things on it, a hub that answers, and a record of all that was said.

The record is printed as JSON lines: {"us", "on", "message"} for what the station published, {"us", "mark", ...} for
what was done to it. `us` counts from the start of the table.
"""

import asyncio
import json
import time

from tablestation.station import Station
from tablewire.messages import encode

_MASK = (1 << 30) - 1
LINK_MS = 5
DOG_MS = 8388  # the longest that the watchdog of an RP2040 waits
DOG_LOOKS_MS = 100


async def _never():
    while True:
        await asyncio.sleep(3600)


async def _raise():
    raise IndexError("a defect")


class Link:
    """A link to a hub that commits what it hears, as long as `answers`."""

    def __init__(self, record):
        self.record = record
        self._station = None
        self._acks = []
        self.up = False
        self.answers = True
        self.dropped = 0

    def publish(self, channel, payload, urgent, retain=False):
        """As the seam says."""
        if not self.up:
            self.dropped += 1
            return False
        if self.record is not None:
            self.record(channel, payload)
        if channel == "event" and self.answers:
            message = json.loads(payload)
            self._acks.append((message["boot"], message["event_seq"]))
        return True

    async def run(self, station):
        """As the seam says."""
        self._station = station
        while True:
            await asyncio.sleep_ms(LINK_MS)
            while self._acks and self.up:
                boot, seq = self._acks.pop(0)
                self.tell("ack", {"type": "ack", "boot": boot, "event_seq": seq})

    def tell(self, channel, message):
        """A message of the hub, if it comes through."""
        if self.up:
            self._station.receive(channel, encode(message))


class Table:
    """What a scenario sees."""

    def __init__(self, furniture, record=True):
        self.furniture = furniture
        self._last = time.ticks_us()
        self._us = 0
        self.link = Link(self._heard if record else None)
        self.station = Station(furniture.port, self.link, furniture.board)

    def start(self):
        """Power on, and the link is there."""
        self.station.start()
        self.furniture.port.spawn(self.link.run(self.station))
        self.furniture.port.spawn(self._watch_the_dog())
        self.connect()

    def finish(self):
        """The record ends here."""
        self.mark("end")
        self.link.record = None

    async def _watch_the_dog(self):
        while True:
            await asyncio.sleep_ms(DOG_LOOKS_MS)
            if self.furniture.port.starved_ms() > DOG_MS:
                self.mark("bite")
                return

    def us(self):
        """Microseconds since the start."""
        ticks = time.ticks_us()
        self._us += (ticks - self._last) & _MASK
        self._last = ticks
        return self._us

    def mark(self, mark, **more):
        """Write down what was done, at this moment."""
        more["us"] = self.us()
        more["mark"] = mark
        print(json.dumps(more))

    def _heard(self, channel, payload):
        print('{{"us": {}, "on": "{}", "message": {}}}'.format(self.us(), channel, payload.decode()))

    # hands

    async def wait(self, ms):
        """Let the time pass, in steps that keep the count of wrapped ticks."""
        while ms > 0:
            step = min(ms, 60_000)
            await asyncio.sleep_ms(step)
            self.us()
            ms -= step

    def put(self, spot, grams, cell=0):
        """From the next conversion on the cell carries `grams`; which one that is, is written down."""
        one = self.furniture.places[spot].cells[cell]
        one.load = grams * self.furniture.counts_per_g

        def deviates(ago_us):
            print(json.dumps({"us": self.us() - ago_us, "mark": "deviates", "spot": spot, "cell": cell}))

        one.deviates = deviates

    def break_cell(self, spot, fault, cell=0):
        """`unplugged`, `stuck`, `saturated`, or None: whole again."""
        self.mark("cell", fault=fault)
        self.furniture.places[spot].cells[cell].set_fault(fault)

    def pace_cell(self, spot, period_us, cell=0):
        """The chip's RATE pin or its oscillator is wrong."""
        self.mark("pace", period_us=period_us)
        self.furniture.places[spot].cells[cell].set_period(period_us)

    def lay(self, spot, uid):
        """A tag into the field of a reader; None takes it away."""
        self.mark("lay", spot=spot, uid=uid)
        self.furniture.places[spot].reader.set_uid(uid)

    def miss(self, spot, looks):
        """The reader finds nothing this many times."""
        self.furniture.places[spot].reader.misses = looks

    def silence(self, spot, silent):
        """The reader does not answer."""
        self.mark("reader", silent=silent)
        self.furniture.places[spot].reader.set_silent(silent)

    def hang(self, spot):
        """The reader's driver waits for ever."""
        self.mark("hang", spot=spot)
        self._driver(spot).read = _never

    def spoil(self, spot):
        """The reader's driver has a defect."""
        self.mark("spoil", spot=spot)
        self._driver(spot).read = _raise

    def _driver(self, spot):
        return [board.reader for board in self.furniture.board.spots if board.spot == spot][0]

    def measure_light(self):
        """Write down what the rings draw."""
        self.mark("light", ma=self.furniture.draws_ma())

    def lower(self, spot, range_mm):
        """The crane's paddle comes to rest this far below its sensor."""
        self.mark("crane", range_mm=range_mm)
        self.furniture.places[spot].set_range(range_mm)

    def press(self):
        """The button of the seat."""
        self.mark("button")
        self.furniture.press()

    # hub and link

    def connect(self):
        """The link is there (again)."""
        self.mark("link", up=True)
        self.link.up = True
        self.station.connected()

    def disconnect(self):
        """The link is gone."""
        self.mark("link", up=False)
        self.link.up = False
        self.station.disconnected()

    def hub(self, answers):
        """Whether the hub acknowledges."""
        self.mark("hub", answers=answers)
        self.link.answers = answers

    def say(self, channel, message):
        """The hub says something."""
        self.link.tell(channel, message)
