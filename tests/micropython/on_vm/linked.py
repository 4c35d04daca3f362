"""A seat station on the real network, in real time, with presses to be delivered, a load that never rests, and a meter
of the pauses between two looks at the cells."""

import asyncio
import json
import time

import host_clock
from proving.seam_level import Furniture, Port

from tablestation.station import Station

_MASK = (1 << 30) - 1
POLL_MS = 4
PRESS_MS = 120

SPOT = "seat/2/pad/1"


class Meter:
    """Measures every pause of a sampler: how long it was, and how long the VM computed in it.

    The first is what counts on a board. On a machine that does other things it is long whenever those are; the second,
    with the wait that the sampler asked for, is what our program alone makes of it.
    """

    def __init__(self):
        self._last = None
        self._cpu = 0
        self._forget()

    def _forget(self):
        self._pause_us = self._busy_us = self._polls = 0

    async def pause(self):
        """A look has been taken."""
        self.look()
        await asyncio.sleep_ms(POLL_MS)

    def look(self):
        """A look is taken now."""
        now, cpu = time.ticks_us(), host_clock.cpu_us()
        if self._last is not None:
            self._pause_us = max(self._pause_us, (now - self._last) & _MASK)
            self._busy_us = max(self._busy_us, (cpu - self._cpu) & _MASK)
        self._last, self._cpu = now, cpu
        self._polls += 1

    def told(self):
        """The worst since the last time; and from here on anew."""
        line = {"polls": self._polls, "pause_us": self._pause_us, "busy_us": self._busy_us}
        self._forget()
        return line


class Seat:
    """`link` has the seam's `publish` and `run`."""

    def __init__(self, link, presses):
        self.furniture = Furniture("seat")
        self.meter = Meter()
        self.furniture.board.pause = self.meter.pause
        for spot in self.furniture.board.spots:
            spot.alert_g = 0  # presses are urgent enough
        self.link = link
        self.station = Station(self.furniture.port, link, self.furniture.board)
        self._presses = presses
        self.pressed = 0

    async def run(self):
        """Until every press has been acknowledged; a line about every tenth of a second."""
        self.station.start()
        tasks = [asyncio.create_task(self.link.run(self.station)), asyncio.create_task(self._rock())]
        idle = 0  # rounds after the last press in which nothing waited: the program needs one to see a press
        while idle < 2:
            await asyncio.sleep_ms(PRESS_MS)
            if self.pressed < self._presses:
                self.pressed += 1
                self.furniture.press()
            else:
                idle = 0 if len(self.station.outbox) else idle + 1
            line = self.meter.told()
            line["pressed"] = self.pressed
            line["waiting"] = len(self.station.outbox)
            line["up"] = self.link.up
            print(json.dumps(line))
        for task in tasks:
            task.cancel()
        print(json.dumps(self._account()))

    def _account(self):
        link = self.link
        return {"lost": self.station.outbox.lost, "dropped": link.dropped, "connections": link.connections}

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
    """The station of the tests, with the program's own link, whose patience is as short as a test's."""
    import streams

    from tablestation.links import mqtt

    streams.install()
    mqtt.PING_S, mqtt.CONNECT_S, mqtt.WRITE_S = 1, 2, 2
    link = mqtt.MqttLink(mqtt.Account("salon", name, "127.0.0.1", port), Network(), Port().random30)
    return Seat(link, presses)
