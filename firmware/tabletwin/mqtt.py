"""The twin's MQTT connections: one per station and one of its own, all served by one loop without threads.

Stations publish events and state with QoS 1, samples and answers with QoS 0, as a real board does.
"""

import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tablestation.seam import HUB_STATE
from tabletwin.board import Sent, VirtualStation
from tablewire.messages import decode, encode
from tablewire.topics import COMMAND, EVENT, HUB, STATE, TICK, TO_STATION, TOCK, TWIN, UPDATE, split, topic

CONNECT_S = 10.0
BACK_OFF_S = 1.0
KEEPALIVE_S = 60


class NoBroker(OSError):
    """The broker or the hub cannot be reached: the text says what to do."""


class Address:
    """Where the broker is, and who we are to it."""

    def __init__(self, host: str, port: int, user: str | None = None, password: str | None = None) -> None:
        self.host = host
        self.port = port
        self.user = user
        self.password = password

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Connection:
    """One MQTT connection. `on_message(topic, payload)` is called inside `serve`."""

    def __init__(self, address: Address, client_id: str, subscriptions: tuple[str, ...]) -> None:
        self._address = address
        self._subscriptions = [(text, 1) for text in subscriptions]
        self.on_message: Callable[[str, bytes], None] = lambda _topic, _payload: None
        self.subscribed = False
        self.refused = ""
        self._retry_at = 0.0
        self._client = client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        client.on_connect = self._connected
        client.on_subscribe = self._ready
        client.on_disconnect = self._lost
        client.on_message = self._arrived
        client.on_socket_open = self._opened

    def open(self, will: tuple[str, bytes] | None = None) -> None:
        """Connect; raises NoBroker when nobody answers there."""
        if will is not None:
            self._client.will_set(will[0], will[1], qos=1, retain=True)
        try:
            self._client.connect(self._address.host, self._address.port, KEEPALIVE_S)
        except OSError as error:
            raise NoBroker(
                f"no MQTT broker answers at {self._address} ({error}): start it, or give another --broker"
            ) from error

    def publish(self, text: str, payload: bytes, qos: int, *, retain: bool = False) -> None:
        """Send a message."""
        self._client.publish(text, payload, qos, retain)

    def cut(self) -> None:
        """End without a farewell: the broker reads what was sent before, then publishes the will and hangs up."""
        sock = self.open_socket()
        if sock is not None:
            sock.shutdown(socket.SHUT_WR)

    def gone(self) -> bool:
        """After `cut`: whether the broker has hung up."""
        if self._client.socket() is not None:
            self._client.loop_read()
        return self._client.socket() is None

    def close(self) -> None:
        """Say farewell."""
        self._client.disconnect()

    def open_socket(self) -> Any:
        """The open socket, or None."""
        return self._client.socket()

    def serve(self, *, readable: bool) -> None:
        """Read, write and keep alive, and come back after a loss."""
        if readable:
            self._client.loop_read()
        if self._client.want_write():
            self._client.loop_write()
        self._client.loop_misc()

    def come_back(self) -> None:
        """After a loss: try again, at most once a second."""
        if self._client.socket() is not None or time.monotonic() < self._retry_at:
            return
        self._retry_at = time.monotonic() + BACK_OFF_S
        try:
            self._client.reconnect()
        except OSError:
            return

    def _opened(self, _client: Any, _userdata: Any, sock: Any) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _connected(self, client: Any, _userdata: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self.refused = str(reason)
            return
        client.subscribe(self._subscriptions)

    def _ready(self, *_: Any) -> None:
        self.subscribed = True

    def _lost(self, *_: Any) -> None:
        self.subscribed = False

    def _arrived(self, _client: Any, _userdata: Any, message: Any) -> None:
        self.on_message(message.topic, message.payload)


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
        """Connect the twin itself; raises NoBroker."""
        self._own.open()
        self.until(lambda: self._own.subscribed, "the broker to let the twin in")

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
        """Cut a station off, and wait until the broker has told; the will counts as one more message of its."""
        _, connection = self._stations.pop(station.name)
        seen = self.deaths.count(station.name)
        connection.cut()
        self.sent[station.name] = self.sent.get(station.name, 0) + 1
        self.until(lambda: self.deaths.count(station.name) > seen, f"the broker to tell of {station.name}'s death")
        self.until(connection.gone, f"the broker to hang up on {station.name}")

    def publish(self, message: Sent) -> None:
        """A message of a station."""
        self.sent[message.station] = self.sent.get(message.station, 0) + 1
        _, connection = self._stations[message.station]
        qos = 1 if message.channel in {EVENT, STATE, UPDATE} else 0
        connection.publish(
            topic(self._table, message.station, message.channel), message.payload, qos, retain=message.retain
        )

    def tick(self, n: int, t_us: int) -> None:
        """Name what every station has published so far."""
        tick = encode({"type": "tick", "n": n, "t_us": t_us, "sent": dict(self.sent)})
        self._own.publish(topic(self._table, HUB, TICK), tick, 1)

    def serve(self, timeout_s: float, others: tuple[Any, ...] = ()) -> list[Any]:
        """Wait for anything to arrive on a connection or on one of `others`, which are returned when readable."""
        connections = [self._own, *(connection for _, connection in self._stations.values())]
        with selectors.SelectSelector() as selector:  # the only one that takes a stdin that is a file
            for connection in connections:
                sock = connection.open_socket()
                if sock is None:
                    connection.come_back()
                else:
                    selector.register(sock, selectors.EVENT_READ, connection)
            for other in others:
                selector.register(other, selectors.EVENT_READ, None)
            ready = [(key.data, key.fileobj) for key, _ in selector.select(timeout_s)]
        readable = [connection for connection, _ in ready if connection is not None]
        for connection in connections:
            if connection in readable or connection.open_socket() is not None:
                connection.serve(readable=connection in readable)
        self._notice_links()
        return [fileobj for connection, fileobj in ready if connection is None]

    def until(self, done: Callable[[], bool], what: str, connection: Connection | None = None) -> None:
        """Serve until something is so; raises NoBroker when it takes too long."""
        deadline = time.monotonic() + CONNECT_S
        while not done():
            if connection is not None and connection.refused:
                raise NoBroker(f"the broker at {self._address} refused: {connection.refused}: check --user, --password")
            if time.monotonic() > deadline:
                raise NoBroker(f"waited {CONNECT_S:.0f} s for {what} at {self._address}: is the hub running there?")
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
                if channel != COMMAND:  # somebody else's: the hub does not count it in its tocks
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
