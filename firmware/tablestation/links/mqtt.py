"""The link over MQTT: a client that never makes its program wait.

`publish` only puts messages into two bounded queues. Everything that waits for the network runs in tasks of its own,
and every wait has a time limit. After a failure everything starts again: network, connection, log-in, subscriptions,
birth. Sessions are clean, and nothing is repeated here: the outbox does that at each connection. So bytes that make
no sense end the connection.

A connection is alive if the broker answers pings; a socket that reports to be connected proves nothing.
"""

import asyncio

from tablestation.links import packets
from tablestation.links.secured import Open
from tablestation.links.send_queue import SendQueue
from tablestation.seam import HUB_STATE
from tablewire.topics import EVENT, HUB, NEWCOMERS, PAGES, STATE, TO_STATION, UPDATE, topic

NETWORK_S = 30
CONNECT_S = 10
WRITE_S = 5
PING_S = 5
CLOSE_S = 2
KEEPALIVE_S = 15  # what the broker is told: it says our will after one and a half of it
BACK_OFF_MS = (500, 1000, 2000, 5000)

TOGETHER_BYTES = 1024  # of short packets handed to the socket at once: a long one goes alone and is not copied again
ANSWERS_MAX = 200
EARLY_MAX = 20  # packets between the subscription and its answer
READ_BYTES = 512

_KEPT = (STATE, EVENT, UPDATE, PAGES)  # QoS 1: the broker keeps them for a hub that is slow
_IPPROTO_TCP, _TCP_NODELAY = 6, 1


class Refused(OSError):
    """The broker refuses this station's login or subscription."""


_FAILURES = (OSError, EOFError, asyncio.TimeoutError, packets.BadPacket)


class Account:
    """The identity of a station, its broker, and its login. A station that is not adopted is its chip's id at table
    `new`."""

    def __init__(self, table, station, host, port, user=None, password=None):
        self.table = table
        self.station = station
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.client_id = station if table == NEWCOMERS else "{}-{}".format(table, station)

    def topic(self, channel):
        """Return the topic of one of the station's channels."""
        return topic(self.table, self.station, channel)

    def channels(self):
        """Return the topics to subscribe to, each with its channel."""
        channels = {self.topic(channel): channel for channel in TO_STATION}
        channels[topic(self.table, HUB, STATE)] = HUB_STATE
        return channels


class MqttLink:
    """A station's link to its broker. `network.up()` is awaited before each connection; `secure` wraps it in TLS, or
    does not; `tell` is called with every new reason why there is no connection."""

    def __init__(self, account, network, random30, secure=None, tell=None):
        self._account = account
        self._network = network
        self._random30 = random30
        self._secure = secure or Open()
        self._tell = tell
        self._channels = account.channels()
        self._topics = {}
        self._queue = SendQueue()
        self._answers = []
        self._ping_due = False
        self._unanswered = False
        self._wake = asyncio.Event()
        self._ended = asyncio.Event()
        self._failure = None
        self._last_id = 0
        self.up = False
        self.connections = 0
        self.strangers = 0  # messages on topics that were not asked for
        self.trouble = ""  # why the last connection ended, or did not begin

    def publish(self, channel, payload, urgent, retain=False):
        """Queue a message; return True if it was taken. New samples displace old ones, and the lost ones are
        counted."""
        if not self.up:
            if not urgent:
                self._queue.dropped += 1
            return False
        self._wake.set()
        return self._queue.put(channel, payload, urgent, retain)

    @property
    def dropped(self):
        """Return how many sample messages found no room, or no network, since the start."""
        return self._queue.dropped

    async def run(self, station):
        """Keep this station connected for ever."""
        failures = 0
        while True:
            before = self.connections
            try:
                await self._session(station)
            except _FAILURES as error:
                self._note(_reported(error), self.connections != before)
            failures = 0 if self.connections != before else min(failures + 1, len(BACK_OFF_MS) - 1)
            await asyncio.sleep(self._jittered(BACK_OFF_MS[failures]) / 1000)

    def _note(self, why, anew):
        """Keep the reason why there is no connection, and tell it unless it is still the same one."""
        if self._tell and (anew or why != self.trouble):
            self._tell(why)
        self.trouble = why

    def _jittered(self, ms):
        """Return three to five quarters of the time, so that a table whose network failed does not reconnect in
        step."""
        return ms * 3 // 4 + self._random30() % (ms // 2)

    async def _session(self, station):
        """Run one connection from beginning to end; raise the reason for its end."""
        await asyncio.wait_for(self._network.up(), NETWORK_S)
        reader, writer = await asyncio.wait_for(self._open(), CONNECT_S)
        try:
            decoder = packets.Decoder()
            await asyncio.wait_for(self._log_in(station, reader, writer, decoder), CONNECT_S)
            early = await asyncio.wait_for(self._subscribe(reader, writer, decoder), CONNECT_S)
            self._begin()
            station.connected()
            try:
                for packet in early:
                    self._take(station, packet)
                await self._live(station, reader, writer, decoder)
            finally:
                self.up = False
                self._queue.clear()
                station.disconnected()
        finally:
            await _closed(writer)

    async def _open(self):
        host = self._account.host
        reader, writer = await asyncio.open_connection(host, self._account.port)
        sock = getattr(writer, "s", None)  # MicroPython's stream; CPython's asyncio sets it by itself
        if hasattr(sock, "setsockopt"):
            sock.setsockopt(_IPPROTO_TCP, _TCP_NODELAY, 1)  # or a message now and then waits 40 ms for company
        secured = self._secure.wrapped(writer, host)
        return (reader, writer) if secured is writer else (secured, secured)

    async def _log_in(self, station, reader, writer, decoder):
        own = self._account
        will = (own.topic(STATE), station.will(), 1, True)
        greeting = packets.connect(own.client_id, KEEPALIVE_S, own.user, own.password, will)
        answer = await self._first_answer(reader, writer, decoder, greeting)
        if answer[0] != packets.CONNACK:
            raise packets.BadPacket("the broker's first packet has type {}".format(answer[0]))
        if answer[2]:
            why = packets.REFUSALS.get(answer[2], "code {}".format(answer[2]))
            raise Refused("the broker refused {!r}: {}: adopt this station again".format(own.client_id, why))

    async def _first_answer(self, reader, writer, decoder, greeting):
        """Return the broker's first packet. Under TLS the handshake comes before it, and may end in a ValueError."""
        try:
            writer.write(greeting)
            await writer.drain()
            return await _next_packet(reader, decoder)
        except packets.BadPacket:
            raise
        except (OSError, EOFError, ValueError) as error:
            raise Refused(self._secure.refusal(error, self._account.host)) from None

    async def _subscribe(self, reader, writer, decoder):
        """Subscribe and wait for the answer; return the packets that came before it, which retained messages may."""
        packet_id = self._next_id()
        writer.write(packets.subscribe(packet_id, [(text, 1) for text in self._channels]))
        await writer.drain()
        early = []
        while len(early) <= EARLY_MAX:
            packet = await _next_packet(reader, decoder)
            if packet[0] != packets.SUBACK:
                early.append(packet)
                continue
            if packet[1] != packet_id or len(packet[2]) != len(self._channels):
                raise packets.BadPacket("a SUBACK of {} codes for packet {}".format(len(packet[2]), packet[1]))
            if packets.SUBSCRIPTION_REFUSED in packet[2]:
                raise Refused("the broker refused this station's subscription: adopt the station again")
            return early
        raise packets.BadPacket("{} packets before the SUBACK".format(EARLY_MAX))

    def _begin(self):
        self._answers = []
        self._ping_due = self._unanswered = False
        self._wake = asyncio.Event()
        self._wake.set()
        self._ended = asyncio.Event()
        self._failure = None
        self.connections += 1
        self.up = True

    async def _live(self, station, reader, writer, decoder):
        """Run until something fails, and raise it."""
        parts = (self._read(station, reader, decoder), self._write(writer), self._ping())
        tasks = [asyncio.create_task(self._part(part)) for part in parts]
        try:
            await self._ended.wait()
        finally:
            self._ended.set()  # `wait_for` swallows a cancellation that comes together with its result
            for task in tasks:
                task.cancel()
                try:
                    await task
                except asyncio.CancelledError:
                    pass
        raise self._failure

    async def _part(self, work):
        try:
            await work
        except _FAILURES as error:
            self._fail(error)
        finally:
            self._ended.set()

    def _fail(self, error):
        """End the connection; the first reason counts."""
        if self._failure is None:
            self._failure = error
        self._ended.set()

    async def _read(self, station, reader, decoder):
        while not self._ended.is_set():
            packet = decoder.take()
            while packet is not None:
                self._take(station, packet)
                packet = decoder.take()
            data = await asyncio.wait_for(reader.read(READ_BYTES), 2 * PING_S)
            if not data:
                raise EOFError("the broker closed the connection")
            decoder.feed(data)

    def _take(self, station, packet):
        kind = packet[0]
        if kind == packets.PUBLISH:
            _, text, payload, qos, _retain, packet_id = packet
            channel = self._channels.get(text)
            if channel is None:
                self.strangers += 1
            else:
                station.receive(channel, payload)
            if qos:
                self._answer(packets.puback(packet_id))
        elif kind == packets.PINGRESP:
            self._unanswered = False
        elif kind in (packets.CONNACK, packets.SUBACK):
            raise packets.BadPacket("a second answer of type {}".format(kind))

    def _answer(self, raw):
        if len(self._answers) >= ANSWERS_MAX:
            raise OSError("{} answers are waiting: the connection accepts no data".format(ANSWERS_MAX))
        self._answers.append(raw)
        self._wake.set()

    async def _ping(self):
        while True:
            await asyncio.sleep(PING_S)
            if self._unanswered:
                raise OSError("the broker did not answer a ping within {} s".format(PING_S))
            self._ping_due = self._unanswered = True
            self._wake.set()

    async def _write(self, writer):
        while not self._ended.is_set():
            await self._wake.wait()
            self._wake.clear()
            data = self._next_bytes()
            while data and not self._ended.is_set():
                writer.write(data)
                await asyncio.wait_for(writer.drain(), WRITE_S)
                data = self._next_bytes()

    def _next_bytes(self):
        """Return the next packets to send: answers first, then urgent messages, then samples."""
        together, length = [], 0
        if self._ping_due:
            self._ping_due = False
            together.append(packets.PINGREQ_PACKET)
        while length < TOGETHER_BYTES:
            raw = self._answers.pop(0) if self._answers else self._packet(self._queue.take())
            if not raw:
                break
            together.append(raw)
            length += len(raw)
        return together[0] if len(together) == 1 else b"".join(together)

    def _packet(self, message):
        if message is None:
            return b""
        channel, payload, retain = message
        text = self._topics.get(channel)
        if text is None:
            text = self._topics[channel] = self._account.topic(channel)
        if channel in _KEPT:
            return packets.publish(text, payload, 1, retain, self._next_id())
        return packets.publish(text, payload, 0, retain)

    def _next_id(self):
        self._last_id = self._last_id % 65535 + 1
        return self._last_id


async def _next_packet(reader, decoder):
    """Return the next packet while the broker is to answer."""
    packet = decoder.take()
    while packet is None:
        data = await reader.read(READ_BYTES)
        if not data:
            raise EOFError("the broker closed the connection instead of answering")
        decoder.feed(data)
        packet = decoder.take()
    return packet


def _reported(error):
    return str(error) or "no answer in time"


async def _closed(writer):
    try:
        writer.close()
        await asyncio.wait_for(writer.wait_closed(), CLOSE_S)
    except (OSError, asyncio.TimeoutError):
        pass
