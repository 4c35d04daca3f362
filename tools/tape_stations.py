"""The stations of one recorded game, at a broker: they say again what they said, each with a connection of its own.

Started by `tools/month.py`. It speaks as `python -m tabletwin` does on stdin and stdout, with two acts: `on` plays the
tape to the next mark of the people and answers with it; `wait` lets time pass. While the tape stands still the scales
go on telling what rests on them, every station answers the hub's pings, and time passes: so what is said later bears a
later time than it did. Events are numbered, kept until they are acknowledged and said again by the stations' own
outbox; a new hub is sent what waits, and what lies there.
"""

import argparse
import json
import random
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from tapes import Line, Mark, read

from tablestation.outbox import Outbox
from tablestation.seam import HUB_STATE
from tabletwin.board import TICKS, Sent
from tabletwin.console import Console
from tabletwin.mqtt import Address, MqttNetwork, NoBroker
from tablewire.messages import decode, encode
from tablewire.topics import ACK, EVENT, HEALTH, LOG, PING, PONG, SAMPLES, STATE, VERSION

STEP_US = 250_000
PATIENCE_US = 100_000  # from round to round of an outbox
REST_US = 1_000_000  # from one word of resting scales to the next
BOOT_US = 1_000_000
SERVE_S = 0.03


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
        self._rest: dict[str, Any] | None = None
        self._rested_us = 0
        self._sample_seq = 0
        self._hub_boot: int | None = None
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
        elif message["type"] == "hub" and message["online"] and message["boot"] != self._hub_boot:
            first, self._hub_boot = self._hub_boot is None, message["boot"]
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
            if message["type"] == "quiet":
                self._rest = message
            self._sample(message)
        elif line.channel in {HEALTH, LOG}:
            self._say(line.channel, message)

    def tend(self, *, stands_still: bool) -> None:
        """Let time pass: events that nobody acknowledged, and the scales of a table at which nothing happens."""
        now_us = self._now_us()
        while self._tended_us + PATIENCE_US <= now_us:
            self._tended_us += PATIENCE_US
            self.outbox.tend()
        if stands_still and self._rest is not None and now_us - self._rested_us >= REST_US:
            self._sample(self._rest | {"at": self._clock()})

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
    """All stations of a tape, and the time of their table: it runs on while the tape stands still."""

    def __init__(self, lines: list[Line], marks: list[Mark], network: MqttNetwork, speed: float) -> None:
        self._lines = deque(lines)
        self._marks = deque(marks)
        self._network = network
        self._speed = speed
        self._began_s = time.monotonic()
        self._outgoing: list[Sent] = []
        self._on = True
        self._late_us = 0
        self.now_us = 0
        by_name: dict[str, list[Line]] = {}
        for line in lines:
            by_name.setdefault(line.station, []).append(line)
        boot = random.SystemRandom()
        self._stations = {
            name: TapeStation(said, boot.randrange(1, TICKS), lambda: self.now_us, self._outgoing.append)
            for name, said in sorted(by_name.items())
        }

    def power_on(self) -> None:
        """Let every station join."""
        for station in self._stations.values():
            self._network.join(station)  # type: ignore[arg-type]  # it needs of a virtual board what this one has

    def step(self, others: tuple[Any, ...]) -> list[Any]:
        """Wait for messages or for one of `others`, which are returned when readable; let time pass."""
        ready = self._network.serve(min(SERVE_S, STEP_US / 1e6 / self._speed), others)
        wanted_us = int((time.monotonic() - self._began_s) * 1e6 * self._speed)
        while self.now_us < wanted_us:
            step_us = min(STEP_US, wanted_us - self.now_us)
            stands_still = self._stands_still
            self.now_us += step_us
            if stands_still:
                self._late_us += step_us
            self._say_what_is_due()
            for station in self._stations.values():
                station.tend(stands_still=stands_still)
            self._flush()
        inbox, self._network.inbox = self._network.inbox, []
        for name, channel, payload in inbox:
            self._stations[name].receive(channel, payload)
        self._flush()
        return ready

    def mark(self) -> Mark | None:
        """Return the mark at which the tape stands, once the hub has acknowledged all that was said before it."""
        if not self._stands_still or any(len(station.outbox) for station in self._stations.values()):
            return None
        return self._marks[0]

    def go_on(self) -> None:
        """Leave the mark at which the tape stands."""
        self._marks.popleft()

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
            self._network.publish(message)
        self._outgoing.clear()


def play(table: TapeTable) -> None:
    """Play for whoever writes to stdin, until that ends."""
    console = Console()
    while table.now_us < BOOT_US:
        table.step(())
    console.say({"ready": True, "t_us": table.now_us})
    asked: list[tuple[int, int | None]] = []  # the number of a request, and until when it waits: else for a mark
    while not console.closed:
        lines = console.read() if console.input in table.step((console.input,)) else []
        for line in lines:
            request = json.loads(line)
            (act,) = request["acts"]
            asked.append((request["id"], table.now_us + act["ms"] * 1000 if act["act"] == "wait" else None))
        for number, until_us in list(asked):
            result: dict[str, Any] = {}
            if until_us is None:
                if (mark := table.mark()) is None:
                    continue
                result = {"kind": mark.kind, "action": mark.action, "seat": mark.seat}
                table.go_on()
            elif table.now_us < until_us:
                continue
            asked.remove((number, until_us))
            console.say({"id": number, "t_us": table.now_us, "results": [result]})


def main() -> int:
    """Run until stdin ends; return 1 where there is no broker, with the reason on stderr."""
    parser = argparse.ArgumentParser(description="the stations of a recorded game")
    parser.add_argument("--tape", type=Path, required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--broker", required=True, metavar="HOST:PORT")
    parser.add_argument("--speed", type=float, required=True, help="seconds of the table in one on the wall")
    options = parser.parse_args()
    host, _, port = options.broker.rpartition(":")
    tape = read(options.tape)
    network = MqttNetwork(Address(host, int(port)), options.table)
    try:
        network.open()
        table = TapeTable(tape.lines, tape.marks, network, options.speed)
        table.power_on()
        play(table)
    except NoBroker as error:
        sys.stderr.write(f"tape_stations: {error}\n")
        return 1
    finally:
        network.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
