"""Stations that can only talk: messages as a station would send them, and an inbox that hears them."""

import asyncio
import json
from collections.abc import Callable, Collection
from typing import Any

import pytest

from citytable.link.inbox import Inbox
from citytable.link.registry import Registry
from citytable.link.wire_in import Heard, read
from tablewire import messages, topics


class FakeStation:
    """One start of one station. Every method gives `(topic, payload)`; the clock is `clock_us` since its start."""

    def __init__(self, station: str = "park", boot: int = 7, table: str = "demo") -> None:
        self.station, self.boot, self.table = station, boot, table

    def say(self, **fields: Any) -> tuple[str, bytes]:
        channel = messages.SCHEMA[fields["type"]][0]
        return topics.topic(self.table, self.station, channel), messages.encode({"boot": self.boot, **fields})

    def at(self, clock_us: int) -> list[int]:
        return list(divmod(clock_us, messages.TICKS_PERIOD))

    def birth(self, clock_us: int = 0) -> tuple[str, bytes]:
        sensors = {"spot": "city/0/0", "cells": 1, "reader": True, "ring": 12, "crane": False}
        return self.say(type="birth", kind="park", firmware="0.1.0", at=self.at(clock_us), spots=[sensors])

    def death(self) -> tuple[str, bytes]:
        return self.say(type="death")

    def tag(self, seq: int, clock_us: int = 0) -> tuple[str, bytes]:
        return self.say(
            type="tag", event_seq=seq, at=self.at(clock_us), spot="city/0/0", uid=f"04{seq:012x}", here=True
        )

    def fault(self, seq: int, *, on: bool, clock_us: int = 0, cell: int = 0) -> tuple[str, bytes]:
        what = f"cell {cell} gives no conversions"
        return self.say(
            type="fault", event_seq=seq, at=self.at(clock_us), spot="city/0/0", sensor="cell", what=what, on=on
        )

    def samples(self, seq: int, clock_us: int = 0, n: int = 8, lost: int = 0) -> tuple[str, bytes]:
        fields = {"spot": "city/0/0", "cell": 0, "dt_us": [12_500] * (n - 1), "counts": [5] * n, "lost": lost}
        return self.say(type="samples", sample_seq=seq, at=self.at(clock_us), **fields)

    def quiet(self, seq: int, clock_us: int = 0) -> tuple[str, bytes]:
        cell = {"spot": "city/0/0", "cell": 0, "n": 80, "mean": 5.5, "spread": 1, "min": 3, "max": 8, "lost": 0}
        return self.say(type="quiet", sample_seq=seq, at=self.at(clock_us), cells=[cell])

    def knocks(self, seq: int, clock_us: int = 0, *, peaks: tuple[int, ...] = (200,)) -> tuple[str, bytes]:
        gaps = [20_000] * max(0, len(peaks) - 1)
        return self.say(type="knocks", sample_seq=seq, at=self.at(clock_us), dt_us=gaps, peak_mg=list(peaks))

    def pong(self, question: int, received_us: int, sent_us: int) -> tuple[str, bytes]:
        return self.say(type="pong", id=question, received=self.at(received_us), sent=self.at(sent_us))


class WiredInbox:
    """An inbox that hears wire messages."""

    def __init__(self, marks: dict[tuple[str, int], int] | None = None, plan: Collection[str] = ()) -> None:
        self.registry = Registry(plan)
        self.inbox = Inbox(self.registry, marks)

    def hear(self, said: tuple[str, bytes], arrived_us: int = 0, *, retained: bool = False) -> None:
        heard = read(*said, arrived_us)
        assert isinstance(heard, Heard), heard
        self.registry.listen(arrived_us)
        self.inbox.take(heard.station, heard.message, arrived_us, retained=retained)

    def tend(self, now_us: int) -> None:
        """Time has come to `now_us`, and all the while somebody who spoke would have been heard."""
        self.registry.listen(now_us)
        self.inbox.tend(now_us)

    def released(self, until_us: int = 1 << 50) -> list[Any]:
        return self.inbox.release(until_us)

    def event_seqs(self, until_us: int = 1 << 50) -> list[int]:
        return [received.seq for received in self.released(until_us) if hasattr(received.message, "event_seq")]


@pytest.fixture(scope="session")
def fake_station() -> type[FakeStation]:
    return FakeStation


@pytest.fixture(scope="session")
def wired_inbox() -> type[WiredInbox]:
    return WiredInbox


@pytest.fixture(scope="session")
def until() -> Callable[..., Any]:
    """`await until(condition)`: as soon as it holds, or fail after a minute."""

    async def wait(condition: Callable[[], Any]) -> Any:
        deadline = asyncio.get_running_loop().time() + 60
        while not (result := condition()):
            assert asyncio.get_running_loop().time() < deadline, "it did not come about in a minute"
            await asyncio.sleep(0.005)
        return result

    return wait


@pytest.fixture(scope="session")
def changed() -> Callable[..., bytes]:
    """`changed(payload, spot="x")`: the same message with other fields."""

    def change(payload: bytes, **fields: Any) -> bytes:
        return json.dumps({**json.loads(payload), **fields}).encode()

    return change
