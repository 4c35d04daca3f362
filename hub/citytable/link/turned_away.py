"""Who was not let in at the broker: addresses, for the log now and then and for the stations page while they go on."""

AGAIN_S = 600.0
"""A station that is not let in tries every few seconds: its address is told of at most so often."""
SHOWN_S = 120.0
"""How long an address that tries no more still counts as one that does."""
KEPT = 100


class TurnedAway:
    """Remembers at most `KEPT` addresses. No clock: seconds are handed in, and never go back."""

    def __init__(self) -> None:
        self._tried_s: dict[str, float] = {}
        self._told_s: dict[str, float] = {}

    def heed(self, address: str, now_s: float) -> bool:
        """An address was not let in: whether that is to be told of now."""
        for known in (self._tried_s, self._told_s):
            if address not in known and len(known) >= KEPT:
                known.clear()
        self._tried_s[address] = now_s
        if now_s - self._told_s.get(address, float("-inf")) < AGAIN_S:
            return False
        self._told_s[address] = now_s
        return True

    def trying(self, now_s: float) -> tuple[str, ...]:
        """The addresses that were not let in of late, in order."""
        return tuple(sorted(address for address, at_s in self._tried_s.items() if now_s - at_s < SHOWN_S))
