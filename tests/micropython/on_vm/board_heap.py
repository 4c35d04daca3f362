"""A sector station on a heap of a board's size: a Pico's own program and MQTT link, on models of its drivers.

A board collects garbage at any allocation, this VM only when it returns to JavaScript. So the VM is the stricter of the
two. To let it return often, every wait of the program takes at least a millisecond.
"""

import asyncio
import gc
import json
import os
import sys

import host_heap
from proving.seam_level import Chance, Furniture

_GROWS = 128 << 20  # what the VM adds to the free bytes for a heap that could grow
_TOPICS = "citytable/1/cafe/north/"
_SUBSCRIPTIONS = 5
_HANGS_S = range(15, 22)  # longer than the link waits
_UPDATE_S = 25  # the game is over, and an update begins
_CHUNK = {"type": "chunk", "bundle": "0" * 64, "k": 0, "data": "A" * 2732}


class Anything:
    """A stand-in for modules of a Pico that are imported and set up, and then do nothing."""

    STA_IF = 0
    PWRON_RESET = WDT_RESET = 1

    def __init__(self):
        self.mem32 = {}

    def __call__(self, *_args, **_more):
        return self

    def __getattr__(self, _name):
        return self

    def status(self):
        """Report that the Wi-Fi is up."""
        return 3

    def unique_id(self):
        """Return the chip's id."""
        return b"\xe6\x61\x64\x08\x43\x12\x34\x56"


class BoardOs(Chance):
    """The module `os` with the chance that a board has."""

    def __getattr__(self, name):
        return getattr(os, name)


class Broker:
    """One connection: both streams of it, the broker, and a hub that acknowledges every event."""

    def __init__(self, packets, encode):
        self._packets = packets
        self._encode = encode
        self._outgoing = []
        self._filled = asyncio.Event()
        self.hangs = False
        self.received = 0

    def write(self, data):
        """Take whole packets and answer them."""
        start = 0
        while start < len(data):
            body, shift, length = start + 1, 0, 0
            while True:
                length |= (data[body] & 0x7F) << shift
                shift += 7
                body += 1
                if not data[body - 1] & 0x80:
                    break
            self._answer(data[start], data[body : body + length])
            start = body + length

    def _answer(self, first, body):
        kind = first >> 4
        if kind == 1:
            self._send(b"\x20\x02\x00\x00")
        elif kind == 8:
            self._send(bytes((0x90, 2 + _SUBSCRIPTIONS)) + body[:2] + bytes(_SUBSCRIPTIONS))
        elif kind == 12:
            self._send(b"\xd0\x00")
        elif kind == 3:
            self.received += 1
            if first & 6:
                self._acknowledge(body)

    def _acknowledge(self, body):
        end = 2 + (body[0] << 8 | body[1])
        self._send(b"\x40\x02" + body[end : end + 2])
        if body[end - 6 : end] == b"/event":
            event = json.loads(body[end + 2 :])
            self.say("ack", {"type": "ack", "boot": event["boot"], "event_seq": event["event_seq"]})

    def say(self, channel, message):
        """Publish a message of the hub."""
        self._send(self._packets.publish(_TOPICS + channel, self._encode(message)))

    def _send(self, raw):
        self._outgoing.append(raw)
        self._filled.set()

    async def read(self, n):
        """Return up to n bytes, as soon as there are any."""
        await asyncio.sleep_ms(1)
        while not self._outgoing:
            self._filled.clear()
            await self._filled.wait()
        raw = self._outgoing.pop(0)
        if len(raw) > n:
            self._outgoing.insert(0, raw[n:])
            gc.collect()  # before the rest comes: a board could collect while it takes it
        return raw[:n]

    async def drain(self):
        """Wait as a socket does while its other end takes nothing."""
        await asyncio.sleep_ms(1)
        while self.hangs:
            await asyncio.sleep_ms(20)

    def close(self):
        """Do nothing: the next connection is a new broker."""

    async def wait_closed(self):
        """Return at once."""


class Evening:
    """A station in use: towers grow and fall, tags come and go, the broker hangs; then an update begins."""

    def __init__(self):
        self.furniture = Furniture("sector")
        self._spots = [spot.spot for spot in self.furniture.board.spots]
        self.brokers = []
        self.failures = []
        self._second = 0
        self.least_free = 1 << 30

    def program(self):
        """Import the Pico's program, as `main.py` does."""
        for name in ("machine", "network", "rp2"):
            sys.modules[name] = Anything()
        from tablestation.boards import pico
        from tablestation.links import packets
        from tablewire.messages import encode

        async def open_connection(_host, _port):
            self.brokers.append(Broker(packets, encode))
            return self.brokers[-1], self.brokers[-1]

        asyncio.open_connection = open_connection
        pico.os = BoardOs()
        pico.Workshop = lambda *_args: self
        return pico

    def board(self, _spots, _about, _seat):
        """Return the board that a workshop would put together from drivers."""
        return self.furniture.board

    async def boot(self, pico):
        """Start the program; return how much of the heap was taken before it built its station."""
        program = pico.Pico()
        await asyncio.sleep_ms(1)
        taken = gc.mem_alloc()
        program.note_fault = self._note
        program.port.sleep_ms = lambda ms: asyncio.sleep_ms(ms or 1)
        asyncio.create_task(self._watched(program.run()))
        return taken

    def _note(self, error):
        sys.print_exception(error)
        self.failures.append("{}: {} after {} s".format(type(error).__name__, error, self._second))

    async def _watched(self, running):
        try:
            await running
        except Exception as error:  # noqa: BLE001 (whatever it is, the board would begin anew)
            self._note(error)

    async def pass_time(self, seconds):
        """Play for that long, or until something has failed."""
        for second in range(1, seconds + 1):
            await asyncio.sleep(1)
            self._second = second
            self.least_free = min(self.least_free, free())
            if self.failures:
                return
            if second < _UPDATE_S:
                self._move(second)
            self._speak(self.brokers[-1], second)

    def _move(self, second):
        for k in range(len(self._spots)):
            place = self.furniture.places[self._spots[k]]
            if (second + k) % 3:
                place.cells[0].load = (second * 7 + k * 31) % 90 * self.furniture.counts_per_g
            if (second + k) % 7 == 0:
                place.reader.set_uid("04a1b2c3d4e5{:02x}".format(second) if second % 2 else None)

    def _speak(self, broker, second):
        broker.hangs = second in _HANGS_S and broker is self.brokers[0]
        if second % 5 == 0:
            rings = [{"spot": spot, "rgb": [second % 90, 40, 0], "pattern": "march"} for spot in self._spots]
            broker.say("light", {"type": "light", "rings": rings})
        if second % 10 == 0:
            broker.say("ping", {"type": "ping", "id": second})
        if second > _UPDATE_S + 3:
            broker.say("command", _CHUNK)


def free():
    """Return how many bytes of the held heap are free."""
    return gc.mem_free() - _GROWS


def largest_block():
    """Return the largest block in bytes, to 64, that still finds a place."""
    fits, fails = 0, free() + 64
    while fails - fits > 64:
        tried = (fits + fails) // 2
        try:
            bytearray(tried)
            fits = tried
        except MemoryError:
            fails = tried
    return fits


async def collection_us():
    """Return what a collection takes here by the clock on the wall: this VM makes it on its way back to JavaScript."""
    taken = []
    for collect in (gc.collect, lambda: None) * 5:
        collect()
        began = host_heap.wall_us()
        await asyncio.sleep_ms(1)
        taken.append(host_heap.wall_us() - began)
    return min(taken[::2]) - min(taken[1::2])


async def evening(seconds):
    """Hold the heap, let the station live on it for so many seconds, and print how it went."""
    play = Evening()
    gc.collect()
    await asyncio.sleep_ms(1)
    host_heap.hold()
    gc.threshold(-1)  # as a board begins
    board_bytes = free()
    pico = play.program()
    imported = gc.mem_alloc()
    taken = await play.boot(pico)
    await play.pass_time(seconds)
    story = {"heap": board_bytes, "freed": imported - taken, "least_free": play.least_free}
    story["failures"] = play.failures
    story["collection_us"] = await collection_us()
    story["left_free"] = free()
    story["largest_block"] = largest_block()
    story["messages"] = sum([broker.received for broker in play.brokers])
    story["connections"] = len(play.brokers)
    print(json.dumps(story))
