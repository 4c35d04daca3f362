"""Clients that are turned away: addresses at the broker, and names for which the registry has no place.

The log reports them now and then; the stations page shows the addresses that keep trying.
"""

from collections import deque

AGAIN_S = 600.0
"""A station that is not let in tries every few seconds: its address is told of at most so often."""
SHOWN_S = 120.0
"""How long an address that tries no more still counts as one that does."""
KEPT = 100
IDLE_MAX = 30
"""Connections without a login, of an address within `IDLE_WINDOW_S`; a table has a dozen stations. Fewer than what
hub/deploy/limits.nft lets an address have: one that comes near is named."""
IDLE_WINDOW_S = 60.0
IDLE_KEPT = 10_000
NAMED = 8
"""Names in one line; whoever invents one name invents more."""


class TurnedAway:
    """Remember at most `KEPT` addresses. Seconds are handed in, and never go back."""

    def __init__(self) -> None:
        self._tried_s: dict[str, float] = {}
        self._logged_s: dict[str, float] = {}

    def heed(self, address: str, now_s: float) -> bool:
        """Note a refused address, and return whether to show it now."""
        for known in (self._tried_s, self._logged_s):
            if address not in known and len(known) >= KEPT:
                known.clear()
        self._tried_s[address] = now_s
        if now_s - self._logged_s.get(address, float("-inf")) < AGAIN_S:
            return False
        self._logged_s[address] = now_s
        return True

    def trying(self, now_s: float) -> tuple[str, ...]:
        """Return the addresses that were refused recently, in order."""
        return tuple(sorted(address for address, at_s in self._tried_s.items() if now_s - at_s < SHOWN_S))


class Idle:
    """Notice addresses that open connections at the broker and do not log in. Seconds are handed in."""

    def __init__(self) -> None:
        self._opened_s: dict[str, deque[float]] = {}
        self._waiting: dict[str, None] = {}  # address:port of connections that have not logged in, oldest first

    def opened(self, connection: str, now_s: float) -> bool:
        """Note a connection ("address:port"); report whether its address has too many that are idle."""
        self._waiting[connection] = None
        if len(self._waiting) > IDLE_KEPT:
            del self._waiting[next(iter(self._waiting))]
        address = connection.rpartition(":")[0]
        if address not in self._opened_s and len(self._opened_s) >= KEPT:
            self._opened_s.clear()
        times_s = self._opened_s.setdefault(address, deque(maxlen=IDLE_MAX))
        times_s.append(now_s)
        return len(times_s) == IDLE_MAX and now_s - times_s[0] < IDLE_WINDOW_S

    def logged_in(self, connection: str) -> None:
        """Note that a connection has logged in: it does not count as idle."""
        if connection in self._waiting:
            del self._waiting[connection]
            if times_s := self._opened_s.get(connection.rpartition(":")[0]):
                times_s.pop()


class RefusedNames:
    """Collect the names of stations that found no place, for one line now and then. Seconds are handed in."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}
        self._more = False
        self._logged_s = float("-inf")

    def add(self, name: str) -> None:
        """Note that a message of this name was not taken."""
        if len(self._names) < NAMED:
            self._names[name] = None
        elif name not in self._names:
            self._more = True

    def due(self, now_s: float) -> str:
        """Return the names to be reported now, at most every `AGAIN_S`; empty when there is nothing to report."""
        if not self._names or now_s - self._logged_s < AGAIN_S:
            return ""
        names = ", ".join(repr(name) for name in self._names) + (" and more" if self._more else "")
        self._names, self._more, self._logged_s = {}, False, now_s
        return names
