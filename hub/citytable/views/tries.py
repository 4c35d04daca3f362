"""Tries: limits how often people may type a wrong PIN, so that nobody finds one by trying."""

from collections import deque
from collections.abc import Callable

WINDOW_S = 300.0
TRIES_OF_ONE = 5  # of an address, within the window
TRIES_OF_ALL = 30  # a phone may take another address; then everybody waits, and links still open every door


class Tries:
    """Wrong PINs of the last minutes. `now_s` is any clock that only goes forward."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._wrong: deque[tuple[float, str]] = deque()  # oldest first, never more than `TRIES_OF_ALL`

    def wait_s(self, address: str) -> float:
        """Return the seconds until an address may try again; 0 if it may now."""
        now_s = self._now_s()
        while self._wrong and self._wrong[0][0] + WINDOW_S <= now_s:
            self._wrong.popleft()
        own = [at_s for at_s, who in self._wrong if who == address]
        until_s = now_s
        if len(own) >= TRIES_OF_ONE:
            until_s = own[-TRIES_OF_ONE] + WINDOW_S
        if len(self._wrong) >= TRIES_OF_ALL:
            until_s = max(until_s, self._wrong[0][0] + WINDOW_S)
        return until_s - now_s

    def wrong(self, address: str) -> int:
        """Note a wrong PIN; return how many this address has typed within the window."""
        self._wrong.append((self._now_s(), address))
        return sum(who == address for _, who in self._wrong)
