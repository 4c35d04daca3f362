"""What the stations of a process say goes round before time goes on: through the broker, and to a hub that has read it.

For programs that move the time of a table (`tools/given_time.py`): `tools/tape_stations.py` and `tools/given_twin.py`.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from given_time import Steps

from tabletwin.board import Sent
from tabletwin.mqtt import Address, Connection, MqttNetwork
from tablewire.topics import split, topic

ROUND_S = 0.25
"""How long a broker that is there may take to give something on, on a busy computer."""
ALONE = 4
"""How much faster than life time passes where nobody is there who could keep up. Connections come back by the clock on
the wall, one up to two seconds after the other: faster, scales would seem to be silent."""
ECHO = "echo"
"""The channel on which a station speaks to its own process. The broker gives each station's messages on in order."""
Heard = list[tuple[str, str, bytes]]
"""What the hub said: to which station, on which channel, and what."""


class Linked(Protocol):
    """A station, as far as its connection goes."""

    linked: bool


class Wire(NamedTuple):
    """The connections of the stations of a process, the one that hears their echoes, and the way to ask the hub."""

    network: MqttNetwork
    echo: Connection
    steps: Steps


@contextmanager
def open_wire(address: Address, table: str, clock: Path) -> Iterator[Wire]:
    """Connect what belongs to a table, stations later; raises `NoBroker`."""
    network, echo = MqttNetwork(address, table), Connection(address, f"{table}-echo", (topic(table, "+", ECHO),))
    with closing(network), closing(echo), closing(Steps(clock)) as steps:
        network.open()
        echo.open()
        yield Wire(network, echo, steps)


class Rounds:
    """The wire of all stations of a process. `receive` gives them what the hub said; they `publish` their answers."""

    def __init__(self, wire: Wire, stations: Iterable[Linked], receive: Callable[[Heard], None]) -> None:
        self._network = wire.network
        self._echo = wire.echo
        self._steps = wire.steps
        self._stations = tuple(stations)
        self._receive = receive
        self._spoke: set[str] = set()  # stations that said something since they were last asked for an echo
        self._awaited: set[str] = set()  # whose echo is still to come
        self._round = 0
        self.taken = False
        """Whether the hub has read all that was said until the last round."""
        self._echo.on_message = self._heard_echo

    def publish(self, message: Sent) -> None:
        """Publish a message of a station."""
        self._spoke.add(message.station)
        self._network.publish(message)

    def answers(self) -> None:
        """Let the hub read what it is answered: a clock would seem to be wrong if time went on before."""
        self.serve(0.0)
        if self._spoke:
            self.go_round()

    def go_round(self) -> None:
        """Wait until the hub has read what was said; see `taken`."""
        self.taken = self._went_round() and self._steps.taken()

    def rest(self, us: int, over: Callable[[], bool], people: tuple[int, ...] = ()) -> None:
        """Let time pass on the wall for a step of so many microseconds, until something is over or people ask."""
        until_s = time.monotonic() + us / 1e6 / ALONE
        while (left_s := until_s - time.monotonic()) > 0 and not over():
            if self.serve(left_s, people):
                return

    def serve(self, timeout_s: float, others: tuple[int, ...] = ()) -> bool:
        """Wait for messages at most so long, and answer them; return whether one of the others can be read."""
        own = self._echo.open_socket()
        if own is None:
            self._echo.come_back()
        echo = () if own is None else (own.fileno(),)
        heard = self._network.serve(timeout_s, (*echo, *others))
        self._echo.serve(readable=bool({*echo}.intersection(heard)))
        inbox, self._network.inbox = self._network.inbox, []
        self._receive(inbox)
        return not {*others}.isdisjoint(heard)

    def _went_round(self) -> bool:
        """Wait until the broker has given on what was said; return False where it is away or stands still."""
        self.serve(0.0)
        self._round += 1
        self._awaited, self._spoke = self._awaited | self._spoke, set()
        for name in self._awaited:
            self._network.publish(Sent(name, ECHO, b"%d" % self._round, urgent=False, retain=False))
        give_up_s = time.monotonic() + ROUND_S
        while self._awaited:
            if time.monotonic() > give_up_s:
                return False
            self.serve(ROUND_S)
        return all(station.linked for station in self._stations)

    def _heard_echo(self, text: str, payload: bytes) -> None:
        if payload == b"%d" % self._round:  # what came late was said before something else
            self._awaited.discard(split(text)[1])
