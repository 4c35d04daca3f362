"""Clients that are turned away: addresses at the broker, and names for which the registry has no place.

The log reports them now and then; the stations page shows the addresses that keep trying.
"""

AGAIN_S = 600.0
"""A station that is not let in tries every few seconds: its address is told of at most so often."""
SHOWN_S = 120.0
"""How long an address that tries no more still counts as one that does."""
KEPT = 100
NAMED = 8
"""Names in one line; whoever invents one name invents more."""


class TurnedAway:
    """Remember at most `KEPT` addresses. Seconds are handed in, and never go back."""

    def __init__(self) -> None:
        self._tried_s: dict[str, float] = {}
        self._logged_s: dict[str, float] = {}

    def heed(self, address: str, now_s: float) -> bool:
        """Note an address that was not let in, and report whether that is to be shown now."""
        for known in (self._tried_s, self._logged_s):
            if address not in known and len(known) >= KEPT:
                known.clear()
        self._tried_s[address] = now_s
        if now_s - self._logged_s.get(address, float("-inf")) < AGAIN_S:
            return False
        self._logged_s[address] = now_s
        return True

    def trying(self, now_s: float) -> tuple[str, ...]:
        """Return the addresses that were not let in of late, in order."""
        return tuple(sorted(address for address, at_s in self._tried_s.items() if now_s - at_s < SHOWN_S))


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
