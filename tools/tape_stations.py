"""The stations of one recorded game, at a broker: they say again what they said, each with a connection of its own.

They move the time of their table (`tools/given_time.py`), as fast as the hub keeps up.

Started by `tools/month.py`. It speaks as `python -m tabletwin` does on stdin and stdout, with two acts: `on` plays the
tape to the next mark of the people and answers with it; `wait` lets time pass. While the tape stands still the scales
go on telling what rests on them, every station answers the hub's pings, and time passes: so what is said later bears a
later time than it did. It stands still also while the hub or the broker is away: people look up. Events are numbered,
kept until they are acknowledged and said again by the stations' own outbox; a new hub is sent what waits, and what lies
there.
"""

import argparse
import json
import random
import select
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import msgspec
from given_time import GivenTime
from rounds import Heard, Rounds, Wire, open_wire
from tapes import Line, Mark, Tape, read

from tablestation.outbox import Outbox
from tablestation.seam import HUB_STATE
from tabletwin.board import TICKS, Sent
from tabletwin.console import Console
from tabletwin.mqtt import Address, NoBroker
from tablewire.messages import decode, encode
from tablewire.topics import ACK, EVENT, HEALTH, LOG, PING, PONG, SAMPLES, STATE, VERSION

STEP_US = 500_000
STILL_US = 1_000_000  # while the tape stands still
PATIENCE_US = 100_000  # from round to round of an outbox
REST_US = 1_000_000  # from one word of resting scales to the next
BOOT_US = 1_000_000
SCALES_US = 3_000_000  # every scale tells its weight once a second


def _us(at: list[int]) -> int:
    return at[0] * TICKS + at[1]


def _at(us: int) -> list[int]:
    return list(divmod(us, TICKS))


def _times(message: dict[str, Any]) -> list[int]:
    """Return every reading of the station's clock in a message."""
    return [_us(message[name]) for name in ("at", "sent") if name in message]


class TapeStation:
    """One station of a tape. It looks to `MqttNetwork` as a virtual board does. `late_us`: how much later it is now."""

    restart_due = False

    def __init__(self, lines: list[Line], boot: int, now_us: Callable[[], int], send: Callable[[Sent], None]) -> None:
        self.name = lines[0].station
        self.program = self
        self.linked = False
        self.outbox = Outbox(boot, self)
        self._boot = boot
        self._now_us = now_us
        self._send = send
        self._ahead_us = max(us - line.at_us for line in lines for us in _times(line.message))
        self._birth = next(line.message for line in lines if line.channel == STATE)
        self._rest: dict[tuple[str, int], dict[str, Any]] = {}  # what each cell said last, as a cell that rests
        self._rested_us = 0
        self._sample_seq = 0
        self._hub_boot: int | None = None
        self._met_us: int | None = None  # since when the hub is there
        self._lying: dict[str, list[str]] = {}
        self._tended_us = 0

    def will(self) -> bytes:
        """Return what the broker says when this station is gone."""
        return encode({"type": "death", "boot": self._boot})

    def link_up(self) -> None:
        """Say that it is there, and what waits."""
        self.linked = True
        self._say(STATE, self._birth | {"at": self._clock()}, retain=True)
        self.outbox.online = True
        self.outbox.resend()

    def link_down(self) -> None:
        """Keep events from now on."""
        self.linked = self.outbox.online = False
        self._met_us = None

    @property
    def heard_for_us(self) -> int:
        """Return for how long a hub has been there; 0 while there is none."""
        return 0 if self._met_us is None else self._now_us() - self._met_us

    def publish(self, channel: str, payload: bytes, urgent: bool, retain: bool = False) -> bool:
        """Publish a message; return False without a link."""
        if self.linked:
            self._send(Sent(self.name, channel, payload, urgent, retain))
        return self.linked

    def receive(self, channel: str, payload: bytes) -> None:
        """Answer the hub as a station does."""
        if channel not in {ACK, PING, HUB_STATE}:
            return
        message = decode(STATE if channel == HUB_STATE else channel, payload)
        if channel == ACK:
            self.outbox.acknowledge(message["boot"], message["event_seq"])
        elif channel == PING:
            self._say(PONG, {"type": "pong", "id": message["id"], "received": self._clock(), "sent": self._clock()})
        elif message["type"] == "hub":
            self._meet(message["boot"] if message["online"] else None)

    def _meet(self, hub_boot: int | None) -> None:
        """A hub is there, with this start of its own, or has gone."""
        if hub_boot is None:
            self._met_us = None
        elif hub_boot != self._hub_boot or self._met_us is None:
            self._met_us = self._now_us()
        if hub_boot in {None, self._hub_boot}:
            return
        first, self._hub_boot = self._hub_boot is None, hub_boot
        if not first:
            self.outbox.resend()
            self._inventory()

    def again(self, line: Line, late_us: int) -> None:
        """Say what was said then, so much later."""
        message = dict(line.message)
        if "at" in message:
            message["at"] = _at(_us(message["at"]) + late_us)
        if line.channel == EVENT:
            self._notice(message)
            self.outbox.post(message)
        elif line.channel == SAMPLES:
            self._feel(message)
            self._sample(message)
        elif line.channel in {HEALTH, LOG}:
            self._say(line.channel, message)

    def tend(self, *, stands_still: bool) -> None:
        """Let time pass: events that nobody acknowledged, and the scales of a table at which nothing happens."""
        now_us = self._now_us()
        while self._tended_us + PATIENCE_US <= now_us:
            self._tended_us += PATIENCE_US
            self.outbox.tend()
        if stands_still and self._rest and now_us - self._rested_us >= REST_US:
            self._sample({"type": "quiet", "at": self._clock(), "cells": list(self._rest.values())})

    def _feel(self, message: dict[str, Any]) -> None:
        """Remember what presses on each cell: one that moved as the tape came to stand rests on what it felt last."""
        if message["type"] == "quiet":
            self._rest |= {(cell["spot"], cell["cell"]): cell for cell in message["cells"]}
        elif message["type"] == "samples" and (counts := message["counts"]):
            felt = {"n": len(counts), "mean": fmean(counts), "spread": pstdev(counts), "lost": 0}
            cell = {"spot": message["spot"], "cell": message["cell"], "min": min(counts), "max": max(counts)}
            self._rest[cell["spot"], cell["cell"]] = cell | felt

    def _clock(self) -> list[int]:
        return _at(self._now_us() + self._ahead_us)

    def _sample(self, message: dict[str, Any]) -> None:
        self._sample_seq += 1
        self._rested_us = self._now_us()
        self._say(SAMPLES, message | {"sample_seq": self._sample_seq})

    def _say(self, channel: str, message: dict[str, Any], *, retain: bool = False) -> None:
        message |= {"v": VERSION, "boot": self._boot}
        self.publish(channel, msgspec.json.encode(message), channel in {STATE, PONG}, retain)

    def _notice(self, event: dict[str, Any]) -> None:
        """Remember what lies at each of its spots."""
        if event["type"] == "inventory":
            self._lying.clear()
            for tag in event["tags"]:
                self._lying.setdefault(tag["spot"], []).append(tag["uid"])
        elif event["type"] == "tag":
            lying = self._lying.setdefault(event["spot"], [])
            if event["here"]:
                lying.append(event["uid"])
            else:
                with suppress(ValueError):
                    lying.remove(event["uid"])

    def _inventory(self) -> None:
        tags = [{"spot": spot, "uid": uid} for spot, uids in self._lying.items() for uid in uids]
        self.outbox.post({"type": "inventory", "at": self._clock(), "tags": tags})


class TapeTable:
    """All stations of a tape. It moves the time of their table, which runs on while the tape stands still."""

    def __init__(self, tape: Tape, wire: Wire, clock: Path) -> None:
        self._lines = deque(tape.lines)
        self._marks = deque(tape.marks)
        self._network = wire.network
        self._told = False
        self._away_us = 0  # when the hub or the broker was last away
        self._given = GivenTime(clock)
        self._began_us = self._given.now_us()
        self._outgoing: list[Sent] = []
        self._late_us = 0
        by_name: dict[str, list[Line]] = {}
        for line in tape.lines:
            by_name.setdefault(line.station, []).append(line)
        boot = random.SystemRandom()
        self._stations = {
            name: TapeStation(said, boot.randrange(1, TICKS), lambda: self.now_us, self._outgoing.append)
            for name, said in sorted(by_name.items())
        }
        self.rounds = Rounds(wire, self._stations.values(), self._receive)

    @property
    def now_us(self) -> int:
        """Return the time since the tape began."""
        return self._given.now_us() - self._began_us

    def power_on(self) -> None:
        """Let every station join."""
        for station in self._stations.values():
            self._network.join(station)  # type: ignore[arg-type]  # it needs of a virtual board what this one has

    def step(self) -> None:
        """Let a moment pass, and say what is due. Where the hub or the broker is away it passes as on the wall."""
        self.rounds.answers()
        stands_still = self._stands_still or not self._is_well
        if stands_still:
            self._late_us += STILL_US
        self._given.move(STILL_US if stands_still else STEP_US)
        self._say_what_is_due()
        for station in self._stations.values():
            station.tend(stands_still=stands_still)
        self._flush()
        self.rounds.go_round()
        if not self.rounds.taken:
            self._away_us = self.now_us
            self.rest(lambda: False)

    def rest(self, over: Callable[[], bool], people: tuple[int, ...] = ()) -> None:
        """Let time pass on the wall, until something is over or people ask: nobody is there who could keep up."""
        self.rounds.rest(STILL_US, over, people)

    def _receive(self, heard: Heard) -> None:
        for name, channel, payload in heard:
            self._stations[name].receive(channel, payload)
        self._flush()

    @property
    def waits(self) -> bool:
        """Report whether the tape stands at a mark, and the hub has not acknowledged all that was said before it."""
        return self._stands_still and any(len(station.outbox) for station in self._stations.values())

    def mark(self) -> Mark | None:
        """Return the mark at which the tape stands, once the hub has acknowledged all that was said before it."""
        if not self._stands_still or self.waits:
            return None
        self._told = True
        return self._marks[0]

    def go_on(self) -> None:
        """Leave the mark that the people were told of, if they were: until now they were busy with it."""
        if self._told:
            self._marks.popleft()
        self._told = False

    @property
    def _is_well(self) -> bool:
        """Report whether the hub hears every station, for so long that it knows what rests on each scale."""
        if not self.rounds.taken or self.now_us - self._away_us < SCALES_US:
            return False
        return all(station.heard_for_us >= SCALES_US for station in self._stations.values())

    @property
    def _stands_still(self) -> bool:
        """Report whether the tape has come to a mark. It does not run past it: what comes after waits."""
        return bool(self._marks) and self._marks[0].at_us <= self.now_us - self._late_us

    def _say_what_is_due(self) -> None:
        due_us = self.now_us - self._late_us
        if self._marks:
            due_us = min(due_us, self._marks[0].at_us)
        while self._lines and self._lines[0].at_us <= due_us:
            line = self._lines.popleft()
            self._stations[line.station].again(line, self._late_us)

    def _flush(self) -> None:
        for message in self._outgoing:
            self.rounds.publish(message)
        self._outgoing.clear()


def play(table: TapeTable) -> None:
    """Play for whoever writes to stdin, until that ends."""
    console = Console()
    while table.now_us < BOOT_US:
        table.step()
    console.say({"ready": True, "t_us": table.now_us})
    while not console.closed:
        table.step()
        table.rest(lambda: False, (console.input,))
        readable, _, _ = select.select([console.input], [], [], 0)
        for line in console.read() if readable else []:  # one at a time: people wait for the answer
            request = json.loads(line)
            (act,) = request["acts"]
            result = _waited(table, act["ms"]) if act["act"] == "wait" else _gone_on(table)
            console.say({"id": request["id"], "t_us": table.now_us, "results": [result]})


def _waited(table: TapeTable, ms: int) -> dict[str, Any]:
    until_us = table.now_us + ms * 1000
    while table.now_us < until_us:
        table.step()
    return {}


def _gone_on(table: TapeTable) -> dict[str, Any]:
    table.go_on()
    while (mark := table.mark()) is None:
        table.step()
        if table.waits:  # for a hub that may be unable to write, which tries again by the clock on the wall
            table.rest(lambda: not table.waits)
    return {"kind": mark.kind, "action": mark.action, "seat": mark.seat}


def main() -> int:
    """Run until stdin ends; return 1 where there is no broker, with the reason on stderr."""
    parser = argparse.ArgumentParser(description="the stations of a recorded game")
    parser.add_argument("--tape", type=Path, required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--broker", required=True, metavar="HOST:PORT")
    parser.add_argument("--clock", type=Path, required=True, help="the file with the table's time")
    options = parser.parse_args()
    host, _, port = options.broker.rpartition(":")
    try:
        with open_wire(Address(host, int(port)), options.table, options.clock) as wire:
            table = TapeTable(read(options.tape), wire, options.clock)
            table.power_on()
            play(table)
    except NoBroker as error:
        sys.stderr.write(f"tape_stations: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
