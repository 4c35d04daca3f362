"""A seat station on the real network, in real time, with presses to be delivered, a load that never rests, and a meter
of the pauses between two looks at the cells."""

import asyncio
import json
import time

import host_clock
from proving.seam_level import Furniture

from tablestation.station import Station

_MASK = (1 << 30) - 1
POLL_MS = 4
PRESS_MS = 120
SPOT = "seat/2/pad/1"


class Meter:
    """Measures every pause of a sampler, less what the machine did for others meanwhile."""

    def __init__(self):
        self._last = None
        self._stolen = 0
        self.longest_us = 0
        self.polls = 0

    async def pause(self):
        """A look has been taken."""
        self.look()
        await asyncio.sleep_ms(POLL_MS)

    def look(self):
        """A look is taken now."""
        now, stolen = time.ticks_us(), host_clock.stolen_us()
        if self._last is not None:
            pause_us = ((now - self._last) & _MASK) - ((stolen - self._stolen) & _MASK)
            self.longest_us = max(self.longest_us, pause_us)
        self._last, self._stolen = now, stolen
        self.polls += 1

    def told(self):
        """Since the last time; and from here on anew."""
        line = {"polls": self.polls, "longest_us": self.longest_us}
        self.polls = self.longest_us = 0
        return line


class Seat:
    """`link` has the seam's `publish` and `run`."""

    def __init__(self, link, presses):
        self.furniture = Furniture("seat")
        self.meter = Meter()
        self.furniture.board.pause = self.meter.pause
        self.link = link
        self.station = Station(self.furniture.port, link, self.furniture.board)
        self._presses = presses
        self.pressed = 0

    async def run(self):
        """Until every press has been acknowledged."""
        self.station.start()
        tasks = [asyncio.create_task(self.link.run(self.station)), asyncio.create_task(self._rock())]
        while self.pressed < self._presses or len(self.station.outbox):
            await asyncio.sleep_ms(PRESS_MS)
            if self.pressed < self._presses:
                self.pressed += 1
                self.furniture.button.pressed += 1
                line = self.meter.told()
                line["pressed"] = self.pressed
                line["waiting"] = len(self.station.outbox)
                print(json.dumps(line))
        for task in tasks:
            task.cancel()

    async def _rock(self):
        cell, grams = self.furniture.places[SPOT].cells[0], 0
        while True:
            grams = 40 - grams
            cell.load = grams * self.furniture.counts_per_g
            await asyncio.sleep_ms(700)


class Network:
    """It is always there."""

    async def up(self):
        """At once."""


def seat_over_mqtt(port, name, presses):
    """The station of the tests, with the program's own link."""
    import streams

    from tablestation.links.mqtt import MqttLink

    streams.install()
    return Seat(MqttLink("salon", name, "127.0.0.1", port, Network(), Furniture("park").port.random30), presses)
