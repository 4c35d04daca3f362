"""The twin's MQTT connections: one per station and one of its own, all served by one loop without threads.

Stations publish events and state with QoS 1, samples and answers with QoS 0, as a real board does.
"""

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tablestation.links import packets
from tablestation.seam import HUB_STATE
from tabletwin.board import Sent, VirtualStation
from tablewire.messages import decode, encode
from tablewire.topics import COMMAND, EVENT, HUB, STATE, TICK, TO_STATION, TOCK, TWIN, UPDATE, split, topic

PASSWORD_VARIABLE = "CITYTABLE_BROKER_PASSWORD"
CONNECT_S = 10.0
BACK_OFF_S = 1.0
KEEPALIVE_S = 60
READ_BYTES = 1 << 18
READABLE = select.POLLIN


class NoBroker(OSError):
    """The broker or the hub cannot be reached: the text says what to do."""


class Address:
    """The address of the broker, and our login there."""

    def __init__(self, host: str, port: int, user: str | None = None, password: str | None = None) -> None:
        self.host = host
        self.port = port
        self.user = user
        self.password = password

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Connection:
    """One MQTT connection, by the same packets as a board's. `on_message(topic, payload)` is called inside `serve`."""

    def __init__(self, address: Address, client_id: str, subscriptions: tuple[str, ...]) -> None:
        self._address = address
        self._client_id = client_id
        self._subscriptions = [(text, 1) for text in subscriptions]
        self._will: tuple[str, bytes, int, bool] | None = None
        self.on_message: Callable[[str, bytes], None] = lambda _topic, _payload: None
        self.subscribed = False
        self.refused = ""
        self._socket: socket.socket | None = None
        self._decoder = packets.Decoder()
        self._unsent = bytearray()
        self._last_id = 0
        self._ping_at = 0.0
        self._unanswered = False
        self._retry_at = 0.0

    def open(self, will: tuple[str, bytes] | None = None) -> None:
        """Connect; raise NoBroker if nothing answers there."""
        if will is not None:
            self._will = (*will, 1, True)
        try:
            self._connect(CONNECT_S)
        except OSError as error:
            raise NoBroker(
                f"no MQTT broker answers at {self._address} ({error}): start it, or give another --broker"
            ) from error

    def publish(self, text: str, payload: bytes, qos: int, *, retain: bool = False) -> None:
        """Send a message, with the next `serve`."""
        self._unsent += packets.publish(text, payload, qos, retain, self._next_id() if qos else 0)

    def cut(self) -> None:
        """Disconnect without a farewell: the broker reads what was sent before, then publishes the will and closes."""
        if self._socket is not None:
            self._send_all()
            self._socket.shutdown(socket.SHUT_WR)

    def gone(self) -> bool:
        """Report after `cut` whether the broker has closed the connection."""
        self._read()
        return self._socket is None

    def close(self) -> None:
        """Say farewell."""
        if self._socket is not None:
            self._unsent += packets.DISCONNECT_PACKET
            with suppress(OSError):
                self._send_all()
        self._lose()

    def open_socket(self) -> socket.socket | None:
        """Return the open socket, or None."""
        return self._socket

    @property
    def waiting(self) -> bool:
        """Return whether something waits to be sent because it did not fit yet."""
        return bool(self._unsent)

    def serve(self, *, readable: bool) -> None:
        """Read, write and keep alive."""
        if readable:
            self._read()
        now_s = time.monotonic()
        if self._socket is not None and now_s >= self._ping_at:
            if self._unanswered:
                self._lose()
                return
            self._ping_at, self._unanswered = now_s + KEEPALIVE_S / 2, True
            self._unsent += packets.PINGREQ_PACKET
        self.send()

    def send(self) -> None:
        """Send as much as the network takes now."""
        if self._socket is None or not self._unsent:
            return
        try:
            del self._unsent[: self._socket.send(self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            self._lose()

    def come_back(self) -> None:
        """Reconnect after a loss, at most once a second."""
        if self._socket is not None or time.monotonic() < self._retry_at:
            return
        self._retry_at = time.monotonic() + BACK_OFF_S
        with suppress(OSError):
            self._connect(BACK_OFF_S)

    def _connect(self, patience_s: float) -> None:
        address = self._address
        self._socket = socket.create_connection((address.host, address.port), patience_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)
        self._decoder = packets.Decoder()
        self._unsent = bytearray(
            packets.connect(self._client_id, KEEPALIVE_S, address.user, address.password, self._will)
        )
        self._ping_at, self._unanswered = time.monotonic() + KEEPALIVE_S / 2, False

    def _lose(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._unsent.clear()
        self.subscribed = False

    def _send_all(self) -> None:
        if self._socket is not None:
            self._socket.settimeout(CONNECT_S)
            self._socket.sendall(self._unsent)
            self._socket.setblocking(False)
            self._unsent.clear()

    def _read(self) -> None:
        if self._socket is None:
            return
        try:
            data = self._socket.recv(READ_BYTES)
            self._decoder.feed(data)
            while (packet := self._decoder.take()) is not None:
                self._take(packet)
        except BlockingIOError:
            return
        except (OSError, packets.BadPacket):
            data = b""
        if not data:
            self._lose()

    def _take(self, packet: tuple[Any, ...]) -> None:
        match packet:
            case (packets.CONNACK, _, code) if code:
                self.refused = packets.REFUSALS.get(code, f"code {code}")
            case (packets.CONNACK, *_):
                self._unsent += packets.subscribe(self._next_id(), self._subscriptions)
            case (packets.SUBACK, _, codes):
                if packets.SUBSCRIPTION_REFUSED in codes:
                    self.refused = "this user may not listen"
                self.subscribed = True
            case (packets.PUBLISH, text, payload, qos, _, packet_id):
                if qos:
                    self._unsent += packets.puback(packet_id)
                self.on_message(text, payload)
            case (packets.PINGRESP,):
                self._unanswered = False

    def _next_id(self) -> int:
        self._last_id = self._last_id % 65535 + 1
        return self._last_id


class MqttNetwork:
    """All connections of a virtual table. What comes in waits in `inbox` until somebody delivers it."""

    def __init__(self, address: Address, table: str) -> None:
        self._address = address
        self._table = table
        self._stations: dict[str, tuple[VirtualStation, Connection]] = {}
        self.inbox: list[tuple[str, str, bytes]] = []  # station, channel, payload
        self.received: dict[str, int] = {}
        self.sent: dict[str, int] = {}
        self.tocks: list[dict[str, Any]] = []
        self.hub_payload: bytes | None = None
        self.hub_heard: dict[str, bytes] = {}  # the hub's last state by station
        self.deaths: list[str] = []
        self._own = Connection(address, f"{table}-{TWIN}", (topic(table, TWIN, TOCK), topic(table, "+", STATE)))
        self._own.on_message = self._own_message

    def open(self) -> None:
        """Connect the twin itself; raise NoBroker."""
        self._own.open()
        self.until(lambda: self._own.subscribed, "the broker to let the twin in", self._own)

    def join(self, station: VirtualStation) -> None:
        """Connect a station that has just booted: its will, its subscriptions, then its birth."""
        program = station.program
        if program is None:
            return
        name = station.name
        texts = (*(topic(self._table, name, channel) for channel in TO_STATION), topic(self._table, HUB, STATE))
        connection = Connection(self._address, f"{self._table}-{name}", texts)
        connection.on_message = self._station_message(name)
        self._stations[name] = (station, connection)
        connection.open((topic(self._table, name, STATE), program.will()))
        self.until(lambda: station.linked, f"the broker to let {name} in", connection)

    def leave(self, station: VirtualStation) -> None:
        """Cut a station off, and wait until the broker has reported it; the will counts as one more of its messages."""
        _, connection = self._stations.pop(station.name)
        seen = self.deaths.count(station.name)
        connection.cut()
        self.sent[station.name] = self.sent.get(station.name, 0) + 1
        self.until(lambda: self.deaths.count(station.name) > seen, f"the broker to tell of {station.name}'s death")
        self.until(connection.gone, f"the broker to hang up on {station.name}")

    def publish(self, message: Sent) -> None:
        """Publish a message of a station."""
        self.sent[message.station] = self.sent.get(message.station, 0) + 1
        _, connection = self._stations[message.station]
        qos = 1 if message.channel in {EVENT, STATE, UPDATE} else 0
        connection.publish(
            topic(self._table, message.station, message.channel), message.payload, qos, retain=message.retain
        )

    def tick(self, n: int, t_us: int) -> None:
        """Name what every station has published so far."""
        tick = encode({"type": "tick", "n": n, "t_us": t_us, "sent": self.sent})
        self._own.publish(topic(self._table, HUB, TICK), tick, 0)  # the tock acknowledges it

    def serve(self, timeout_s: float, others: tuple[Any, ...] = ()) -> list[Any]:
        """Wait for anything to arrive on a connection or on one of `others`, which are returned when readable."""
        connections = [self._own, *(connection for _, connection in self._stations.values())]
        for connection in connections:
            if connection.open_socket() is None:
                connection.come_back()
            elif connection.waiting:
                connection.send()
        ready = self._readable(connections, timeout_s, others)
        for connection in connections:
            connection.serve(readable=connection in ready)
        self._notice_links()
        return [other for other in others if other in ready]

    def _readable(self, connections: list[Connection], timeout_s: float, others: tuple[Any, ...]) -> set[Any]:
        """Wait until one of these can be read, or one of the connections written to; return those that can be read."""
        poll = select.poll()  # takes a stdin that is a file, too
        asked: dict[int, Any] = {}
        for connection in connections:
            sock = connection.open_socket()
            if sock is not None:
                asked[sock.fileno()] = connection
                poll.register(sock, READABLE | (select.POLLOUT if connection.waiting else 0))
        for other in others:
            asked[other] = other
            poll.register(other, READABLE)
        return {asked[number] for number, events in poll.poll(timeout_s * 1000) if events & ~select.POLLOUT}

    def until(
        self, done: Callable[[], bool], what: str, connection: Connection | None = None, patience_s: float = CONNECT_S
    ) -> None:
        """Serve until a condition holds; raise NoBroker if it takes too long."""
        deadline = time.monotonic() + patience_s
        while not done():
            if connection is not None and connection.refused:
                raise NoBroker(
                    f"the broker at {self._address} refused: {connection.refused}: "
                    f"check --user and the password in {PASSWORD_VARIABLE}"
                )
            if time.monotonic() > deadline:
                raise NoBroker(f"waited {patience_s:.0f} s for {what} at {self._address}: is the hub running there?")
            self.serve(0.2)

    def close(self) -> None:
        """Disconnect everything that is connected."""
        for _, connection in self._stations.values():
            connection.close()
        self._own.close()

    def _notice_links(self) -> None:
        for station, connection in self._stations.values():
            if station.linked and not connection.subscribed:
                station.link_down()
            elif connection.subscribed and not station.linked and station.program is not None:
                station.link_up()

    def _station_message(self, name: str) -> Callable[[str, bytes], None]:
        def arrived(text: str, payload: bytes) -> None:
            _, sender, channel = split(text)
            if sender == HUB:
                self.hub_heard[name] = payload
                self.inbox.append((name, HUB_STATE, payload))
            else:
                if channel != COMMAND or _is_the_hubs(payload):  # others' commands are not counted in its tocks
                    self.received[name] = self.received.get(name, 0) + 1
                self.inbox.append((name, channel, payload))

        return arrived

    def _own_message(self, text: str, payload: bytes) -> None:
        try:
            _, sender, channel = split(text)
            if sender == HUB:
                self.hub_payload = payload  # even if it makes no sense: the stations have heard it, too
            message = decode(channel, payload)
        except ValueError:  # whoever else is on the broker may say what he likes
            return
        if channel == TOCK:
            self.tocks.append(message)
        elif message["type"] == "death":
            self.deaths.append(sender)


def _is_the_hubs(command: bytes) -> bool:
    """Return whether a command is one that the hub gives: the scales at a station's birth."""
    try:
        return bool(decode(COMMAND, command)["type"] == "scales")
    except ValueError:
        return False
