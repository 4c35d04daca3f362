"""Stations on cables: every serial port that speaks our lines becomes a station on the broker like any other.

Each station gets its own broker connection, so that the broker sends its last will; it does so at once when a cable is
pulled. Ports come and go while the hub runs. Nothing is written to a port before it has spoken our language, so a
printer that matches the same pattern is not disturbed; and a port that another program locks is released (`port_lock`).

The event loop itself watches the port's file descriptor: a thread for each port would add a second queue, and notice a
pulled cable only by a timeout.
"""

import asyncio
import glob
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import serial

from citytable.link.broker import Broker, BrokerUnavailable
from citytable.link.mqtt import MqttConnection, Publication
from citytable.link.port_lock import is_locked
from tablewire import topics
from tablewire.lines import HERE, HERE_MS, HUB_LINES, LINK, WHO, BadHello, LineReader, LineWriter, read_hello

if sys.platform == "win32":
    terminal_error = OSError
else:
    from termios import error as terminal_error

SCAN_S = 1.0
WHO_S = 1.0
"""A station is asked to start again at most so often."""
READ_BYTES = 4096
UNSENT_BYTES_MAX = 1 << 18
_UNKEPT = (topics.SAMPLES, topics.PONG)
_LOG = logging.getLogger(__name__)


class Port:
    """An open serial port: bytes in and out without waiting. Raises OSError when it is gone."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._serial = serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        self._loop = asyncio.get_running_loop()
        self._unsent = b""
        self._readable = asyncio.Event()
        self._hung_up = False

    async def read(self) -> bytes:
        """Read the bytes that have arrived, as soon as there are any."""
        fd = self._serial.fileno()
        self._readable.clear()
        self._loop.add_reader(fd, self._readable.set)
        try:
            if not self._hung_up:
                await self._readable.wait()
        finally:
            self._loop.remove_reader(fd)
        if self._hung_up:
            raise ConnectionAbortedError("the hub has hung up")
        data: bytes = self._serial.read(READ_BYTES)
        return data

    def hang_up(self) -> None:
        """Stop reading: the reader ends in order, which a cancellation would cut short."""
        self._hung_up = True
        self._readable.set()

    def write(self, data: bytes) -> None:
        """Send; drop waiting bytes if the other end takes nothing for long, which it will notice."""
        if len(self._unsent) + len(data) > UNSENT_BYTES_MAX:
            self._unsent = b""
        if not self._unsent:
            self._loop.add_writer(self._serial.fileno(), self._send)
        self._unsent += data

    def close(self) -> None:
        """Close the port."""
        with suppress(OSError, terminal_error):
            self._loop.remove_writer(self._serial.fileno())
            self._serial.reset_output_buffer()  # or closing waits for a station that does not read
        self._serial.close()

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._serial.fileno(), self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # it is gone: reading will report it
            self._unsent = b""
        if not self._unsent:
            self._loop.remove_writer(self._serial.fileno())


class Cable:
    """One port, and the station at its other end once it has reported its name."""

    def __init__(self, port: Port, broker: Broker, table: str) -> None:
        self._port = port
        self._broker = broker
        self._table = table
        self._lines = LineReader()
        self._pen = LineWriter()
        self._mqtt: MqttConnection | None = None
        self._down: asyncio.Task[None] | None = None
        self._own = ("", "", b"")
        self._hub_state: bytes | None = None
        self._spoiled = 0
        self._asked_s = float("-inf")

    async def run(self) -> None:
        """Serve until the port is gone, which raises OSError."""
        try:
            while True:
                self._lines.feed(await self._port.read())
                while (line := self._lines.take()) is not None:
                    await self._take(*line)
                self._notice_spoiled()
        finally:
            await self._leave()

    async def _take(self, channel: str, payload: bytes, retain: bool) -> None:
        if channel == LINK:
            await self._greet(payload)
        elif self._mqtt is None:
            self._ask_who()
        elif channel in topics.FROM_STATION:
            qos = 0 if channel in _UNKEPT else 1
            await self._mqtt.publish(Publication(self._topic(channel), payload, qos, retain))

    async def _greet(self, payload: bytes) -> None:
        """Answer a station's first message: connect it to the broker, and report that the hub is here."""
        try:
            own = read_hello(payload)
        except BadHello as bad:
            _LOG.warning("%s: %s", self._port.path, bad)
            return
        if own != self._own or self._mqtt is None:
            await self._leave()
            if not await self._join(own):
                return
        self._spoiled = self._lines.bad + self._lines.missed
        self._say(LINK, HERE)
        if self._hub_state is not None:
            self._say(HUB_LINES, self._hub_state)

    async def _join(self, own: tuple[str, str, bytes]) -> bool:
        table, station, _ = self._own = own
        if table not in {self._table, topics.NEWCOMERS}:
            _LOG.warning(
                "the station %r on %s belongs to table %r, and this is table %r: adopt it to have it here",
                station,
                self._port.path,
                table,
                self._table,
            )
        heard = [self._topic(channel) for channel in topics.TO_STATION]
        heard.append(topics.topic(table, topics.HUB, topics.STATE))
        mqtt = MqttConnection(self._broker, tuple((text, 1) for text in heard), lambda: 0, will=self._will())
        try:
            await mqtt.__aenter__()
        except BrokerUnavailable:
            return False  # it sends its first message again
        self._mqtt = mqtt
        self._down = asyncio.create_task(self._hand_down(mqtt), name=f"to the station on {self._port.path}")
        _LOG.info("the station %r of table %r is on %s", station, table, self._port.path)
        return True

    async def _leave(self) -> None:
        """Publish the will of a station that is gone or replaced, and begin again."""
        mqtt, self._mqtt = self._mqtt, None
        if mqtt is not None:
            await mqtt.publish(self._will())
            await mqtt.close()
        if self._down is not None:
            await self._down  # it ends with its connection
        self._down = self._hub_state = None

    async def _hand_down(self, mqtt: MqttConnection) -> None:
        """Send the hub's messages down the cable, and regularly that it is here."""
        loop = asyncio.get_running_loop()
        beat_s = loop.time() + HERE_MS / 1000
        connections = mqtt.connections
        while not mqtt.closed:
            await mqtt.wait(max(0.0, beat_s - loop.time()))
            for arrival in mqtt.drain():
                self._forward(arrival.topic, arrival.payload)
            if loop.time() >= beat_s:
                beat_s = loop.time() + HERE_MS / 1000
                if mqtt.connections != connections:  # messages published meanwhile are lost
                    connections = mqtt.connections
                    self._ask_who()
                elif mqtt.connected:
                    self._say(LINK, HERE)

    def _forward(self, topic: str, payload: bytes) -> None:
        if topic == topics.topic(self._own[0], topics.HUB, topics.STATE):
            self._hub_state = payload
            self._say(HUB_LINES, payload)
        else:
            self._say(topic.rpartition("/")[2], payload)

    def _notice_spoiled(self) -> None:
        """Make a station start again, and repeat its messages, after a garbled or lost line."""
        spoiled = self._lines.bad + self._lines.missed
        if self._mqtt is not None and spoiled > self._spoiled and self._ask_who():
            self._spoiled = spoiled

    def _ask_who(self) -> bool:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._asked_s < WHO_S:
            return False
        self._asked_s = now_s
        self._say(LINK, WHO)
        return True

    def _say(self, channel: str, payload: bytes) -> None:
        if b"\n" not in payload:  # somebody else's idea of a message
            self._port.write(self._pen.line(channel, payload))

    def _topic(self, channel: str) -> str:
        return topics.topic(self._own[0], self._own[1], channel)

    def _will(self) -> Publication:
        return Publication(self._topic(topics.STATE), self._own[2], qos=1, retain=True)


class SerialBridge:
    """Looks for ports that match a pattern, and serves each as long as it exists."""

    def __init__(self, pattern: str, broker: Broker, table: str) -> None:
        self._pattern = pattern
        self._broker = broker
        self._table = table
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._ports: dict[str, Port] = {}
        self._stopping = asyncio.Event()
        self._refused: set[str] = set()

    async def run(self) -> None:
        """Serve until `stop`, then report every station as gone."""
        while not self._stopping.is_set():
            self._scan()
            with suppress(TimeoutError):
                async with asyncio.timeout(SCAN_S):
                    await self._stopping.wait()
        await self._hang_up()

    def stop(self) -> None:
        """End `run`."""
        self._stopping.set()

    def _scan(self) -> None:
        for path, task in list(self._serving.items()):
            if task.done():
                del self._serving[path]
                if (mistake := task.exception()) is not None:  # ours: troubles of ports are reported elsewhere
                    _LOG.error("serving %s failed, and is tried again", path, exc_info=mistake)
        there = glob.glob(self._pattern)  # noqa: PTH207  a pattern for whole paths, which Path.glob does not take
        self._refused &= set(there)
        for path in sorted(there):
            if is_locked(path):
                if path in self._ports:
                    self._ports[path].hang_up()
            elif path not in self._serving:
                self._serving[path] = asyncio.create_task(self._serve(path), name=path)

    async def _hang_up(self) -> None:
        while running := [task for task in self._serving.values() if not task.done()]:
            for port in self._ports.values():
                port.hang_up()
            await asyncio.wait(running, timeout=SCAN_S)

    async def _serve(self, path: str) -> None:
        try:
            port = self._ports[path] = Port(path)
        except OSError as error:
            self._report(path, error)
            return
        try:
            await Cable(port, self._broker, self._table).run()
        except OSError as error:
            _LOG.info("%s is gone (%s)", path, error)
        finally:
            del self._ports[path]
            port.close()

    def _report(self, path: str, error: OSError) -> None:
        if path in self._refused:
            return
        self._refused.add(path)
        _LOG.warning(
            "the port %s cannot be used (%s): close the program that has it, or let this user have it "
            "(sudo usermod -aG dialout $USER, and log in again)",
            path,
            error,
        )


@asynccontextmanager
async def serial_stations(pattern: str, broker: Broker, table: str) -> AsyncIterator[None]:
    """Serve the stations on ports that match while inside; no pattern, no ports."""
    if not pattern:
        yield
        return
    bridge = SerialBridge(pattern, broker, table)
    task = asyncio.create_task(bridge.run(), name="serial bridge")
    try:
        yield
    finally:
        bridge.stop()
        await task
