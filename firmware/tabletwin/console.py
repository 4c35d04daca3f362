"""The twin's interface for players and bots: request lines on stdin, answer lines on stdout."""

import json
import os
import sys
from typing import Any, Protocol

from tabletwin.hands.games import by_hand
from tabletwin.hands.requests import BadRequest, Hands, Request
from tabletwin.mqtt import MqttNetwork
from tabletwin.pace import Lockstep, RealPace
from tabletwin.table import VirtualTable
from tabletwin.visitors import Door, Visitors

BOOT_US = 3_000_000
READ_BYTES = 65536
IDLE_S = 0.5


class Console:
    """Lines in and out. `closed` once stdin has ended."""

    def __init__(self) -> None:
        self.input = sys.stdin.fileno()
        self.closed = False
        self._rest = b""

    def read(self) -> list[str]:
        """Return the lines that have arrived; call this when the input is readable."""
        chunk = os.read(self.input, READ_BYTES)
        self.closed = not chunk
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [line.decode(errors="replace") for line in lines if line.strip()]

    def say(self, message: dict[str, Any]) -> None:
        """Write one line at once."""
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def begin(self, hands: Hands, line: str, t_us: int) -> Request | None:
        """Start a line's acts; answer a line that is not a request at once."""
        try:
            return hands.begin(line)
        except BadRequest as error:
            self.say({"id": error.identity, "t_us": t_us, "error": str(error), "results": []})
            return None


def _hands(table: VirtualTable, game: str, network: MqttNetwork, pace: Lockstep | RealPace) -> Hands:
    def cut(name: str) -> None:
        pace.flush()
        table.stations[name].crash()
        network.leave(table.stations[name])

    def restore(name: str) -> None:
        table.stations[name].boot()
        network.join(table.stations[name])

    return Hands(table, game, cut, restore)


def run_lockstep(table: VirtualTable, game: str, network: MqttNetwork) -> None:
    """Run one line after the other until stdin ends; virtual time stands still in between."""
    console = Console()
    pace = Lockstep(table, network)
    hands = _hands(table, game, network, pace)
    table.power_on(network)
    pace.begin()
    while table.now_us < BOOT_US:
        pace.step()
    pace.settle()
    console.say({"ready": True, "t_us": table.now_us})
    while not console.closed:
        for line in console.read() if network.serve(IDLE_S, (console.input,)) else []:
            request = console.begin(hands, line, table.now_us)
            if request is None:
                continue
            while not request.done:
                pace.step()
            pace.settle()
            console.say(request.answer(table.now_us))


class Entrance(Door, Protocol):
    """A door that can be waited for."""

    inbox: int

    def open(self) -> int:
        """Let people in; return the port on which they find the door."""
        ...

    def quiet(self) -> None:
        """Make `inbox` unreadable again."""
        ...

    def close(self) -> None:
        """Send everybody away."""
        ...


def run_real(table: VirtualTable, game: str, network: MqttNetwork, speed: float, door: Entrance | None = None) -> None:
    """Follow the clock on the wall until stdin ends; lines start when they come, and so does what visitors ask for."""
    console = Console()
    table.power_on(network)
    pace = RealPace(table, network, speed)
    hands = _hands(table, game, network, pace)
    visitors = None if door is None else Visitors(table, hands, by_hand(game), door)
    inputs = (console.input,) if door is None else (console.input, door.inbox)
    while table.now_us < BOOT_US:
        pace.step()
    console.say({"ready": True, "t_us": table.now_us, **({} if door is None else {"door": door.open()})})
    running: list[Request] = []
    while not console.closed:
        ready = pace.step(inputs)
        if door is not None and door.inbox in ready:
            door.quiet()
        lines = console.read() if console.input in ready else []
        running += [request for line in lines if (request := console.begin(hands, line, table.now_us)) is not None]
        for request in [request for request in running if request.done]:
            console.say(request.answer(table.now_us))
            running.remove(request)
        if visitors is not None:
            visitors.attend()
    if door is not None:
        door.close()
