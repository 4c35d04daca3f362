"""Budgets: how much one station may send, so that a flood takes the hub's time from nobody else.

Every station of the plan has a budget of samples and one of everything else; all other names share one of each.
Messages above the budget are dropped before they are read. Dropped samples are gaps in their numbers, and counted as
lost. A dropped event is not acknowledged, so its station repeats it when there is room again. So samples are dropped
before events. Time is the hub's: a faster virtual table may send more.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from tablewire import topics

SAMPLES_HZ, SAMPLES_BURST = 200.0, 600.0
"""Six moving cells send 60 messages of samples in a second, and two seconds of history when they begin."""
OTHERS_HZ, OTHERS_BURST = 100.0, 1000.0
"""A station that comes back repeats its whole outbox at once."""
SHOWN_US = 60_000_000
NAMES_KEPT = 100
PRESSING_US = 1_000_000
"""So long a station counts as pressing after it said too much beside samples: nothing of it is heard then."""


@dataclass
class _Bucket:
    rate_hz: float
    burst: float
    left: float
    at_us: int | None = None

    def takes(self, now_us: int) -> bool:
        """Report whether one more message has room."""
        since_us = 0 if self.at_us is None else now_us - self.at_us
        self.left = min(self.burst, self.left + since_us * self.rate_hz / 1e6)
        self.at_us = now_us
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Shed:
    """How many messages of a station were shed since it was last quiet for a minute, and when the last one was."""

    count: int
    at_us: int


class Budgets:
    """The budgets of one table's stations."""

    def __init__(self, stations: Collection[str] = ()) -> None:
        self._plan = frozenset(stations)
        self._buckets: dict[tuple[str, bool], _Bucket] = {}
        self._shed: dict[str, Shed] = {}
        self._pressing: dict[str, int] = {}  # until when, by the name of a bucket

    def admits(self, topic: str, now_us: int) -> bool:
        """Report whether a message is to be read; count it if it is shed."""
        station, samples = sender(topic)
        key = (station if station in self._plan else "", samples)
        bucket = self._buckets.get(key)
        if bucket is None:
            rate_hz, burst = (SAMPLES_HZ, SAMPLES_BURST) if samples else (OTHERS_HZ, OTHERS_BURST)
            bucket = self._buckets[key] = _Bucket(rate_hz, burst, burst)
        if bucket.takes(now_us):
            return True
        self._count(station, now_us)
        if not samples:
            self._pressing[key[0]] = now_us + PRESSING_US
        return False

    def pressing(self, now_us: int) -> frozenset[str]:
        """Return the stations that sent too much besides samples a moment ago; '' is all that are not in the plan."""
        if self._pressing:
            self._pressing = {name: until for name, until in self._pressing.items() if now_us < until}
        return frozenset(self._pressing)

    def _count(self, station: str, now_us: int) -> None:
        shed = self._shed.get(station)
        if shed is not None and now_us - shed.at_us <= SHOWN_US:
            shed.count, shed.at_us = shed.count + 1, now_us
        elif shed is not None or len(self._shed) < NAMES_KEPT:
            self._shed[station] = Shed(1, now_us)

    def flooding(self, now_us: int) -> dict[str, int]:
        """Return how many messages were shed of each station that flooded within the last minute."""
        if self._shed:
            self._shed = {name: shed for name, shed in self._shed.items() if now_us - shed.at_us <= SHOWN_US}
        return {name: shed.count for name, shed in self._shed.items()}


@lru_cache(maxsize=1024)
def sender(topic: str) -> tuple[str, bool]:
    """Return the station in a topic, '' if there is none, and whether it sends samples."""
    parts = topic.split("/")
    return (parts[3] if len(parts) > 3 else "", parts[-1] == topics.SAMPLES)
