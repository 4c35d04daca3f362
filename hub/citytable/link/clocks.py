"""Station clocks: convert a station's microseconds to hub time.

The offset comes from a four-timestamp exchange: the hub asks at its time t0, the station notes on its own clock when it
received (t1) and when it answered (t2), the hub hears the answer at t3. Then offset = ((t0 - t1) + (t3 - t2)) / 2,
wrong by at most half the round trip. The exchange with the smallest error counts, and an error grows with age because
crystals drift. If a new exchange contradicts an older one by more than their errors, one of the two clocks was set or
stood still meanwhile, and the older exchange is useless.
"""

from collections import deque
from typing import NamedTuple

from citytable.link.wire_in import Clock

KEPT_EXCHANGES = 8
DRIFT_PER_S_US = 100
"""How far a station's crystal may run off in a second; a Pico's is given as +-30 ppm, the hub's is not better."""
SLACK_US = 1000
"""A round trip may come out negative by rounding and drift; more is a clock that jumped."""
AGE_MAX_US = 5_000_000
"""A message tells of the last two or three seconds. One that seems older was said again, or the clock jumped back."""


class _Exchange(NamedTuple):
    offset_us: int
    error_us: int
    at_us: int


class StationClock:
    """One boot's clock. Before the first exchange it uses the arrival of the birth; before a birth it is unknown."""

    def __init__(self) -> None:
        self._birth_offset_us: int | None = None
        self._exchanges: deque[_Exchange] = deque(maxlen=KEPT_EXCHANGES)
        self._best: _Exchange | None = None

    @property
    def offset_us(self) -> int | None:
        """Return hub time minus station time, None before the first exchange."""
        return None if self._best is None else self._best.offset_us

    @property
    def error_us(self) -> int:
        """Return how far off the offset may have been when it was measured: half the round trip."""
        return 0 if self._best is None else self._best.error_us

    def born(self, at: Clock, arrived_us: int) -> None:
        """Take a first, rough offset from a birth that arrived directly."""
        if self._birth_offset_us is None:
            self._birth_offset_us = arrived_us - at.total_us

    def exchange(self, asked_us: int, received: Clock, sent: Clock, arrived_us: int) -> bool:
        """Take one exchange; return False when its times contradict each other."""
        held_us = sent.total_us - received.total_us
        round_trip_us = arrived_us - asked_us - held_us
        if held_us < 0 or round_trip_us < -SLACK_US:
            return False
        offset_us = ((asked_us - received.total_us) + (arrived_us - sent.total_us)) // 2
        latest = _Exchange(offset_us, max(round_trip_us, 0) // 2, arrived_us)
        agreeing = [past for past in self._exchanges if _agree(past, latest)]
        self._exchanges = deque([*agreeing, latest], maxlen=KEPT_EXCHANGES)
        self._best = min(self._exchanges, key=lambda past: _error_us(past, arrived_us))
        return True

    def is_doubtful(self, at: Clock, arrived_us: int) -> bool:
        """Report whether a message seems to be of the future, or very old: the clock had better be asked for again."""
        if self._best is None:
            return False
        age_us = arrived_us - at.total_us - self._best.offset_us
        return age_us > AGE_MAX_US or age_us < -_error_us(self._best, arrived_us) - SLACK_US

    def hub_us(self, at: Clock, arrived_us: int) -> int:
        """Convert a moment on the station's clock to hub time: never later than its message arrived."""
        offset_us = self._birth_offset_us if self._best is None else self._best.offset_us
        if offset_us is None:
            return arrived_us
        return min(at.total_us + offset_us, arrived_us)


def _error_us(past: _Exchange, now_us: int) -> float:
    return past.error_us + (now_us - past.at_us) * DRIFT_PER_S_US / 1e6


def _agree(past: _Exchange, latest: _Exchange) -> bool:
    apart_us = abs(latest.offset_us - past.offset_us)
    return apart_us <= _error_us(past, latest.at_us) + latest.error_us + SLACK_US


class PingBook:
    """The open clock questions with their times: one question per station."""

    def __init__(self) -> None:
        self._next_id = 1
        self._asked: dict[str, tuple[int, int]] = {}

    def ask(self, station: str, now_us: int) -> int:
        """Return the id of a question put to a station now."""
        asked = self._next_id
        self._next_id = asked % ((1 << 30) - 1) + 1
        self._asked[station] = (asked, now_us)
        return asked

    def asked_us(self, station: str, answered: int) -> int | None:
        """Return when the answered question was asked, None for an answer to no open question; answering closes it."""
        asked = self._asked.get(station)
        if asked is None or asked[0] != answered:
            return None
        del self._asked[station]
        return asked[1]
