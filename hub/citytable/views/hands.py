"""The way to the hands of a virtual table: the page `/table` asks the hub for it, and then talks to the table directly.

A table of real stations has no such door. Its messages do not pass through the hub.
"""

import secrets
from collections.abc import Awaitable, Callable

import msgspec

from citytable.views.viewer import Viewer

KEY_BYTES = 16


class HandsDoor(msgspec.Struct, frozen=True):
    """The address for a seat's hands: `GET /api/hands?as=seat/1`. The host is that of the page."""

    port: int
    key: str


class HandsDoors:
    """The doors of the running virtual table, if there is one. `pages` is the address of the hub's pages."""

    def __init__(self) -> None:
        self.pages: tuple[str, int] | None = None
        self.shut_pages: Callable[[], Awaitable[None]] | None = None
        self.port: int | None = None
        self._keys: dict[int, str] = {}

    def new_keys(self, seats: int) -> dict[int, str]:
        """Return a new key for each seat; the older ones open nothing any more."""
        self._keys = {seat: secrets.token_hex(KEY_BYTES) for seat in range(1, seats + 1)}
        return self._keys

    async def say_goodbye(self) -> None:
        """Close the pages before the table, because its stations go and no page may take that for a fault."""
        if self.shut_pages is not None:
            await self.shut_pages()

    def of(self, viewer: Viewer) -> HandsDoor | None:
        """Return the door of a seat; None for everybody else, and without a virtual table."""
        key = self._keys.get(viewer.seat or 0)
        return None if self.port is None or key is None else HandsDoor(self.port, key)
