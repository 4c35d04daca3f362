"""A sector station on a heap of a board's size: a Pico's own program and MQTT link, on models of its drivers.

A board collects garbage at any allocation, this VM only when it returns to JavaScript. So the VM is the stricter of the
two. To let it return often, every wait of the program takes at least a millisecond.
"""

import asyncio
import gc
import json
import sys

import host_broker
import host_heap
import streams
from proving.blank import Anything, BoardOs
from proving.seam_level import Furniture

_GROWS = 128 << 20  # what the VM adds to the free bytes for a heap that could grow
_ROUND_S = 60  # of the evening: it repeats
_PLAY_S = 30  # of a round; then people think
_FREEZES = {15: 12, 40: 3}  # seconds by the second of a round: longer than the link waits, and shorter
_COLLECTIONS, _SETTLED = 100, 5  # the VM compiles what runs often anew: the first ones may take twice as long


# What the TLS library takes of a Pico's heap (docs/decisions/0065): the certificate once; with each connection two
# buffers and much that is small; and while one begins, what the handshake computes with. `tools/bench_tls.py` prints
# the sums; this VM has no TLS.
_CONTEXT, _BUFFERS, _SMALL, _HANDSHAKE = 4200, (16_800, 4600), (3300, 100), (8200, 200)


class TlsMemory:
    """Stands for TLS: takes of the heap what it would take, from each connection to the next one."""

    def __init__(self):
        self._context = _pieces(_CONTEXT, 200)
        self._kept = []

    def begin(self):
        """Give back what the last connection kept, and take what the next one needs."""
        self._kept = []
        handshake = _pieces(*_HANDSHAKE)
        self._kept = [bytearray(size) for size in _BUFFERS] + _pieces(*_SMALL)
        del handshake


class NoTls:
    """A station without TLS."""

    def begin(self):
        """Take nothing."""


def _pieces(total, size):
    return [bytearray(size) for _ in range(total // size)]


class Evening:
    """A station in use: towers grow and fall, tags come and go, the broker freezes now and then."""

    def __init__(self, kind):
        self.tls = NoTls()
        self.furniture = Furniture(kind)
        self._spots = [spot.spot for spot in self.furniture.board.spots]
        self.connections = 0
        self.failures = []
        self._second = 0
        self._frozen_until = 0
        self.least_free = 1 << 30
        self.half_free = 0

    def program(self):
        """Import the Pico's program, as `main.py` does."""
        for name in ("machine", "network", "rp2", "ssl"):
            sys.modules[name] = Anything()
        from tablestation.boards import pico

        asyncio.open_connection = self._connect
        pico.os = BoardOs()
        pico.Workshop = lambda *_args: self
        return pico

    async def _connect(self, host, port):
        self.connections += 1
        self.tls.begin()
        return await streams.open_connection(host, port)

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
            if second % _ROUND_S < _PLAY_S:
                self._move(second)
            self._disturb(second)
            if second == seconds // 2:
                self.half_free = await collected_free()

    def _move(self, second):
        for k in range(len(self._spots)):
            place = self.furniture.places[self._spots[k]]
            if place.cells and (second + k) % 3:
                place.cells[0].load = (second * 7 + k * 31) % 90 * self.furniture.counts_per_g
            if (second + k) % 7 == 0:
                place.reader.set_uid("04a1b2c3d4e5{:02x}".format(second % 256) if second % 2 else None)

    def _disturb(self, second):
        if second == self._frozen_until:
            host_broker.thaw()
        for_s = _FREEZES.get(second % _ROUND_S)
        if for_s:
            host_broker.freeze()
            self._frozen_until = second + for_s


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


async def collected_free():
    """Return how many bytes are free after a collection, which this VM makes on its way back to JavaScript."""
    gc.collect()
    await asyncio.sleep_ms(1)
    return free()


async def collection_us():
    """Return what a collection takes here by the clock on the wall: this VM makes it on its way back to JavaScript."""
    taken = ([], [])
    for k in range(2 * _COLLECTIONS):
        if k % 2 == 0:
            gc.collect()
        began = host_heap.wall_us()
        await asyncio.sleep_ms(1)
        taken[k % 2].append(host_heap.wall_us() - began)
    return sorted(taken[0])[_SETTLED] - sorted(taken[1])[_SETTLED]


async def empty():
    """Hold the heap and print what a collection takes on it while there is next to nothing on it."""
    gc.collect()
    await asyncio.sleep_ms(1)
    host_heap.hold()
    print(json.dumps({"heap": free(), "collection_us": await collection_us()}))


async def evening(seconds, kind="sector", tls=False):
    """Hold the heap, let the station live on it for so many seconds, and print how it went."""
    play = Evening(kind)
    gc.collect()
    await asyncio.sleep_ms(1)
    host_heap.hold()
    gc.threshold(-1)  # as a board begins
    board_bytes = free()
    if tls:
        play.tls = TlsMemory()
    pico = play.program()
    imported = gc.mem_alloc()
    taken = await play.boot(pico)
    await play.pass_time(seconds)
    story = {"heap": board_bytes, "freed": imported - taken, "least_free": play.least_free}
    story["failures"] = play.failures
    story["lost_in_half"] = play.half_free - await collected_free()
    story["collection_us"] = await collection_us()
    story["left_free"] = free()
    story["largest_block"] = largest_block()
    story["connections"] = play.connections
    print(json.dumps(story))
