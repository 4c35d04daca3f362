"""A station on models behind the drivers' seam: fast, and the same on every machine."""

import asyncio
import gc
import random
import time
from errno import ETIMEDOUT

from proving.models import Beam, Button, Cell, Ranger, Reader, Ring
from tablestation.seam import Board, SpotBoard

ZERO = 100_000
COUNTS_PER_G = 430
ALERT_G = 8
RING_LEDS = 12
POLL_MS = 20
SEAT = 2

# spot, cells, reader, LEDs, crane
SECTOR = [
    ("city/{}/{}".format(q, r), 1, True, RING_LEDS, False) for q, r in ((1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (1, 2))
]
SEAT_SPOTS = (
    [("seat/2/pad/{}".format(k), 3, True, RING_LEDS, True) for k in range(3)]
    + [("seat/2/card/{}".format(k), 0, True, 0, False) for k in range(3)]
    + [("seat/2/bag", 1, True, 0, False)]
)
KINDS = {"sector": SECTOR, "seat": SEAT_SPOTS, "park": [("city/0/0", 1, True, RING_LEDS, False)]}


class Port:
    """The platform of this machine, whatever it is. Its watchdog only remembers when it was fed."""

    def __init__(self):
        self._fed_ms = time.ticks_ms()
        self.ticks_us = time.ticks_us
        self.sleep_ms = asyncio.sleep_ms
        self.spawn = asyncio.create_task

    def random30(self):
        """As the seam says."""
        return random.getrandbits(30)

    def free_bytes(self):
        """As the seam says."""
        return gc.mem_free()

    async def within(self, ms, coroutine):
        """As the seam says."""
        try:
            return await asyncio.wait_for_ms(coroutine, ms)
        except asyncio.TimeoutError:
            raise OSError(ETIMEDOUT) from None

    def feed(self):
        """As the seam says."""
        self._fed_ms = time.ticks_ms()

    def starved_ms(self):
        """How long the watchdog has not been fed."""
        return time.ticks_diff(time.ticks_ms(), self._fed_ms)


class Chance:
    """What a board's `os` has and the VM's lacks."""

    def urandom(self, n):
        """n bytes."""
        return bytes([random.getrandbits(8) for _ in range(n)])


class Place:
    """What the hands find at a spot."""

    def __init__(self, spot, cells, reader, ring, ranger):
        self.spot = spot
        self.cells = cells
        self.reader = reader
        self.ring = ring
        self.ranger = ranger

    def set_range(self, range_mm):
        """The crane's paddle."""
        self.ranger.range_mm = range_mm


class Furniture:
    """`board` for the program, `places` for the hands, by spot."""

    def __init__(self, kind):
        self.port = Port()
        self.kind = kind
        self.button = Button() if kind == "seat" else None
        self.counts_per_g = COUNTS_PER_G
        self.places = {}
        self._number = 0
        spots = [self._spot(*one) for one in KINDS[kind]]
        self.board = Board(kind, spots, self.button, SEAT if kind == "seat" else 0)
        self.board.pause = self.pause
        self.board.show_rings = self.show_rings
        self.shown = 0

    def _spot(self, spot, cells, reader, leds, crane):
        place = Place(
            spot,
            [self._cell() for _ in range(cells)],
            Reader(asyncio.sleep_ms) if reader else None,
            Ring(leds) if leds else None,
            Ranger(time.ticks_us) if crane else None,
        )
        self.places[spot] = place
        board = SpotBoard(spot, place.cells, place.reader, place.ring, leds, place.ranger)
        if crane:
            board.beam = Beam(place.ranger)
        board.alert_g, board.counts_per_g = ALERT_G if cells else 0, [COUNTS_PER_G] * cells
        return board

    def _cell(self):
        self._number += 1
        return Cell(time.ticks_us, self._number, ZERO + 1000 * self._number)

    def press(self):
        """The button of the seat."""
        self.button.pressed += 1

    def draws_ma(self):
        """What all rings draw."""
        return sum([place.ring.draws_ma() for place in self.places.values() if place.ring is not None])

    def pause(self):
        """As the seam says."""
        return asyncio.sleep_ms(POLL_MS)

    def show_rings(self):
        """As the seam says."""
        self.shown += 1
