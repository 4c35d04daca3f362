"""A virtual table whose time is given: `tabletwin`, with the clock of `tools/given_time.py`, which it moves.

Started by `tools/month.py`. It speaks as `python -m tabletwin` does on stdin and stdout. What its hands are asked for
they do as fast as the hub keeps up, however busy the computer is; while nobody asks, time passes at four times the pace
of life, and so it does where the hub or the broker is away.
"""

import select
import sys
from pathlib import Path

from given_time import GivenTime
from rounds import Heard, Rounds, Wire, open_wire

from tabletwin.__main__ import parser_of_options, read_options
from tabletwin.console import BOOT_US, Console
from tabletwin.hands.requests import Hands, Request
from tabletwin.mqtt import NoBroker
from tabletwin.pace import begin_anew
from tabletwin.plan import load_plan
from tabletwin.table import VirtualTable

STEP_US = 250_000


class GivenTwin:
    """A virtual table at a hub that has the same clock."""

    def __init__(self, table: VirtualTable, wire: Wire, clock: Path) -> None:
        self._table = table
        self._network = wire.network
        self._given = GivenTime(clock)
        self._ahead_us = self._given.now_us() - table.now_us
        self.rounds = Rounds(wire, table.stations.values(), self._receive)

    def power_on(self) -> None:
        """Let every station join, and wait until it has looked at everything."""
        self._table.power_on(self._network)
        while self._table.now_us < BOOT_US:
            self.step()

    def cut(self, name: str) -> None:
        """Cut the power of a station."""
        self.flush()
        self._table.stations[name].crash()
        self._network.leave(self._table.stations[name])

    def restore(self, name: str) -> None:
        """Give a station its power back."""
        self._table.stations[name].boot()
        self._network.join(self._table.stations[name])

    def step(self) -> None:
        """Let a moment pass, and say what happened. Where the hub or the broker is away it passes as on the wall."""
        self.rounds.answers()
        self._given.move(STEP_US)
        self._advance()
        begin_anew(self._table, self._network, self.flush)
        self.flush()
        self.rounds.go_round()
        if not self.rounds.taken:
            self.rounds.rest(STEP_US, lambda: False)

    def flush(self) -> bool:
        """Pass on what stations published; report whether there was anything."""
        outgoing = self._table.take_outgoing()
        for message in outgoing:
            self.rounds.publish(message)
        return bool(outgoing)

    def _advance(self) -> None:
        self._table.scheduler.advance(self._given.now_us() - self._ahead_us)

    def _receive(self, heard: Heard) -> None:
        for name, channel, payload in heard:
            self._table.stations[name].receive(channel, payload)
        self._advance()
        self.flush()


def play(twin: GivenTwin, table: VirtualTable, hands: Hands) -> None:
    """Do what whoever writes to stdin asks for, until that ends."""
    console = Console()
    console.say({"ready": True, "t_us": table.now_us})
    running: list[Request] = []
    while not console.closed:
        twin.step()
        if not running:  # people look and think
            twin.rounds.rest(STEP_US, lambda: False, (console.input,))
        readable, _, _ = select.select([console.input], [], [], 0)
        begun = [console.begin(hands, line, table.now_us) for line in (console.read() if readable else [])]
        running += [request for request in begun if request is not None]
        for request in [request for request in running if request.done]:
            console.say(request.answer(table.now_us))
            running.remove(request)


def main() -> int:
    """Run until stdin ends; return 1 where there is no broker, with the reason on stderr."""
    parser = parser_of_options("given_twin")
    parser.add_argument("--clock", type=Path, required=True, help="the file with the table's time")
    options = read_options(parser, sys.argv[1:])
    plan = load_plan(options.plan)
    table = VirtualTable(plan, options.seed)
    try:
        with open_wire(options.address, plan.table, options.clock) as wire:
            twin = GivenTwin(table, wire, options.clock)
            twin.power_on()
            play(twin, table, Hands(table, options.game, twin.cut, twin.restore))
    except NoBroker as error:
        sys.stderr.write(f"given_twin: {error}\n")
        return 1
    finally:
        table.power_off()
    return 0


if __name__ == "__main__":
    sys.exit(main())
