"""Visitors: people at browsers, whose requests become acts of their seat's hands, and who see the table.

This is the logic without a network. A `Door` carries the frames, in a thread of its own; `Visitors` lives in the thread
of the table and is asked between two steps of time.
"""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol

from tabletwin.frames import SIT, Refusal, read
from tabletwin.hands.requests import BadRequest, Hands, Request
from tabletwin.scheduler import Impossible
from tabletwin.sight import Parts, changed, parts
from tabletwin.table import VirtualTable

HANDS_A_SEAT = 2
LOOK_US = 100_000  # between two looks at what has changed, in virtual time


@dataclass(frozen=True)
class Frame:
    """Something that came through the door: a visitor and their text; None for one who has just come, and who left."""

    visitor: int
    seat: int
    text: str | None
    left: bool = False


class Door(Protocol):
    """The way in and out of a table. None of these calls waits."""

    def take(self) -> list[Frame]:
        """Return what has come since the last call."""
        ...

    def send(self, visitor: int, message: str) -> None:
        """Send a message to a visitor who may have left meanwhile."""
        ...


class Visitors:
    """The people who visit one table, and the acts that their hands are doing."""

    def __init__(self, table: VirtualTable, hands: Hands, acts: frozenset[str], door: Door) -> None:
        self._table = table
        self._hands = hands
        self._acts = acts
        self._door = door
        self._here: dict[int, int] = {}  # visitor -> seat
        self._running: list[tuple[int, int, Request]] = []  # visitor, seat
        self._seen: Parts = {}
        self._looked_us = -LOOK_US

    def attend(self) -> None:
        """Begin what was asked for, answer what is done, and show what has changed."""
        for frame in self._door.take():
            self._hear(frame)
        for visitor, seat, request in [one for one in self._running if one[2].done]:
            self._running.remove((visitor, seat, request))
            self._answer(visitor, request)
        if self._here and self._table.now_us - self._looked_us >= LOOK_US:
            self._show()

    def under_way(self, seat: int) -> int:
        """Return how many acts the hands of a seat are doing."""
        return Counter(mine for _, mine, _ in self._running)[seat]

    def _hear(self, frame: Frame) -> None:
        if frame.left:
            self._here.pop(frame.visitor, None)
        elif frame.text is None:
            self._here[frame.visitor] = frame.seat
            self._seen = parts(self._table.world)
            self._say(frame.visitor, {"table": self._seen, "whole": True, "seat": frame.seat})
        else:
            try:
                self._obey(frame.visitor, frame.seat, frame.text)
            except Refusal as refusal:
                self._say(frame.visitor, {"id": refusal.identity, "refused": refusal.text})

    def _obey(self, visitor: int, seat: int, text: str) -> None:
        ask, chairs = read(text, seat, self._acts), self._table.world.chairs
        if ask.act == SIT:
            chairs.wished.add(seat)
            self._say(visitor, {"id": ask.identity, "result": {}})
            return
        if seat not in chairs.given:
            raise Refusal("not_yours", ask.identity, own=seat)
        if self.under_way(seat) >= HANDS_A_SEAT:
            raise Refusal("both_hands", ask.identity, own=seat)
        line = json.dumps({"id": ask.identity, "acts": [{**ask.fields, "act": ask.act}]})
        try:
            request = self._hands.begin(line)
        except BadRequest as error:
            raise Refusal("impossible", ask.identity, seen=error) from None
        self._running.append((visitor, seat, request))

    def _answer(self, visitor: int, request: Request) -> None:
        answer = request.answer(self._table.now_us)
        if "error" in answer:
            refusal = Refusal("impossible", request.identity, seen=Impossible(answer["error"]))
            self._say(visitor, {"id": request.identity, "refused": refusal.text})
        else:
            self._say(visitor, {"id": request.identity, "result": answer["results"][0]})

    def _show(self) -> None:
        self._looked_us = self._table.now_us
        now = parts(self._table.world)
        difference = changed(self._seen, now)
        self._seen = now
        if difference:
            for visitor in self._here:
                self._say(visitor, {"table": difference, "whole": False})

    def _say(self, visitor: int, message: dict[str, Any]) -> None:
        self._door.send(visitor, json.dumps(message, separators=(",", ":")))
