"""The link over a cable: the messages of `tablewire.lines` on a stream. On a Pico the stream is its USB port.

Nobody can know whether a program reads at the other end of a cable. So the link says hello every second until the hub
answers, and the hub keeps reporting that it is there; after a silence the link is down and starts again. A garbled or
missing line restarts the link too: then the outbox sends everything again that is not acknowledged.

The stream is passed in. `await reader.read(n)` returns the bytes that have arrived, at least one and at most n, and
b"" or OSError when the port is gone. `writer.write(data)` only holds bytes, and `await writer.drain()` sends them
without holding up the program.
"""

import asyncio

from tablestation.links.send_queue import SendQueue
from tablewire.lines import GONE_MS, HERE, HUB_LINES, LINK, WHO, LineReader, LineWriter, hello
from tablewire.topics import TO_STATION

HELLO_MS = 1000
WRITE_S = 5
RETRY_S = 1
READ_BYTES = 256
_CHANNELS = (HUB_LINES,) + TO_STATION


class SerialLink:
    """The link of one station to the program at the other end of its cable."""

    def __init__(self, table, station, reader, writer):
        self._own = (table, station)
        self._reader = reader
        self._writer = writer
        self._pen = LineWriter()
        self._lines = LineReader()
        self._spoiled = 0
        self._queue = SendQueue()
        self._hello_due = False
        self._silent_ms = 0
        self._wake = asyncio.Event()
        self.up = False
        self.connections = 0
        self.trouble = ""  # why the link was last down

    @property
    def dropped(self):
        """Return how many sample messages found no room, or no hub, since the start."""
        return self._queue.dropped

    @property
    def bad(self):
        """Return how many lines were unreadable or missing since the start."""
        return self._lines.bad + self._lines.missed

    def publish(self, channel, payload, urgent, retain=False):
        """Queue a message; return True if it was taken. New samples displace old ones, and the lost ones are
        counted."""
        if not self.up:
            if not urgent:
                self._queue.dropped += 1
            return False
        self._wake.set()
        return self._queue.put(channel, payload, urgent, retain)

    async def run(self, station):
        """Find a hub and talk to it, for ever."""
        parts = (self._read(station), self._write(station), self._look(station))
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            for task in tasks:
                await task
        finally:
            for task in tasks:
                task.cancel()

    async def _look(self, station):
        """Say hello while there is no hub, and notice when it falls silent."""
        while True:
            if self._silent_ms >= GONE_MS:
                self._down(station, "the hub is silent")
            if not self.up:
                self._hello_due = True
                self._wake.set()
            await asyncio.sleep(HELLO_MS / 1000)
            self._silent_ms += HELLO_MS

    async def _read(self, station):
        while True:
            try:
                data = await self._reader.read(READ_BYTES)
            except OSError as error:
                self._down(station, str(error))
                data = b""
            if not data:
                await asyncio.sleep(RETRY_S)
                continue
            self._lines.feed(data)
            line = self._lines.take()
            while line is not None:
                self._take(station, line[0], line[1])
                line = self._lines.take()
            if self.bad > self._spoiled:
                self._spoiled = self.bad
                self._down(station, "a line from the hub was garbled or missing")

    def _take(self, station, channel, payload):
        self._silent_ms = 0
        if channel in _CHANNELS:
            if self.up:
                station.receive(channel, payload)
        elif channel == LINK and payload == HERE:
            if not self.up:
                self.up = True
                self.connections += 1
                self._spoiled = self.bad  # what came before is nobody's
                station.connected()
        elif channel == LINK and payload == WHO:
            self._down(station, "the hub asks who this is")
            self._hello_due = True
            self._wake.set()

    def _down(self, station, why):
        """Drop the link and the queue: what waits is not for the next hub."""
        if not self.up:
            return
        self.up = False
        self.trouble = why
        self._queue.clear()
        station.disconnected()

    async def _write(self, station):
        while True:
            await self._wake.wait()
            self._wake.clear()
            data = self._next_line(station)
            while data:
                try:
                    self._writer.write(data)
                    await asyncio.wait_for(self._writer.drain(), WRITE_S)
                except (OSError, asyncio.TimeoutError) as error:
                    self._down(station, str(error) or "the cable accepts no data")
                    await asyncio.sleep(RETRY_S)
                data = self._next_line(station)

    def _next_line(self, station):
        if self._hello_due:
            self._hello_due = False
            return self._pen.line(LINK, hello(self._own[0], self._own[1], station.will()))
        message = self._queue.take()
        return b"" if message is None else self._pen.line(*message)
