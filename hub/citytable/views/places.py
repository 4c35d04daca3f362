"""Places: who may still connect while a few addresses try to take all connections.

An address may have a quarter of the free places, at most `per_address` and at least `fewest`. So it always leaves more
than it has, and dozens of addresses together leave room for the next. Some places are reserved for addresses that have
shown a key: the host's devices and the players'.
"""

import ipaddress
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

KNOWN_MAX = 64


@dataclass(frozen=True)
class Limits:
    """The limits of the web server. Seconds are those of the event loop."""

    headers_s: float = 10.0  # for a whole request line with its headers, and for a connection without any request
    per_address: int = 128  # more than a café's screens behind one proxy need
    fewest: int = 8  # of an address, however crowded it is: a browser opens seven for a page with its feed
    connections: int = 1000
    kept_for_known: int = 100  # of them, or an eighth if that is less
    files_kept: int = 128  # of the process's limit, for everything except connections
    unsent_s: float = 20.0  # how long a reader may leave its frames unread
    accept_again_s: float = 1.0  # after the system could not accept
    log_again_s: float = 600.0
    names: tuple[str, ...] = ()  # names of the hub besides those that nobody on the internet can own


LIMITS = Limits()


@lru_cache(maxsize=1024)
def place_of(address: str) -> str:
    """Return the part of an address that one device cannot change: all of IPv4, the first 64 bits of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


class Places:
    """The share of each address, and the addresses that have shown a key."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: dict[str, None] = {}  # the one that showed a key last is at the end

    def know(self, address: str) -> None:
        """Note that somebody at this address has shown a key."""
        place = place_of(address)
        self._known.pop(place, None)
        self._known[place] = None
        if len(self._known) > KNOWN_MAX:
            del self._known[next(iter(self._known))]

    def free(self, address: str, room: int, taken: int) -> int:
        """Return how many places there are for this address, if `taken` of `room` are taken."""
        kept = 0 if place_of(address) in self._known else min(self._limits.kept_for_known, room // 8)
        return room - taken - kept

    def share(self, free: int) -> int:
        """Return how many connections one address may have while so many places are free."""
        return min(self._limits.per_address, max(self._limits.fewest, free // 4))


def crowd(addresses: Counter[str]) -> str:
    """Return how many connections are open, and whose most of them are."""
    most = addresses.most_common(1)
    whose = f", {most[0][1]} of them from {most[0][0]}" if most else ""
    return f"{addresses.total()} connections are open{whose}"
