"""The link of a table without stations: nothing is ever heard, and time passes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Self

from citytable.link.link import Batch
from citytable.link.registry import Standing
from citytable.table.health import Health

BEAT_S = 1.0


class NoStations:
    """Yields an empty batch every `BEAT_S` by the clock on the wall. It needs no broker and opens no port."""

    def __init__(self, table: str, now_us: Callable[[], int]) -> None:
        self.table = table
        self.answers = True
        self.discarded = 0
        self.unsent = 0
        self._now_us = now_us
        self._stopped = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        """End `batches`."""
        self._stopped.set()

    def turned_away(self) -> tuple[str, ...]:
        """Return no addresses: nobody can connect."""
        return ()

    def health(self) -> tuple[Health, ...]:
        """Return nothing: there are no stations."""
        return ()

    def standing(self) -> tuple[Standing, ...]:
        """Return nothing: there are no stations."""
        return ()

    async def batches(self) -> AsyncIterator[Batch]:
        """Yield an empty batch now and every `BEAT_S`, until the link is stopped."""
        while not self._stopped.is_set():
            yield Batch(self._now_us(), ())
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), BEAT_S)

    async def committed(self, batch: Batch) -> None:
        """Do nothing: nobody waits for an acknowledgement."""

    async def publish_light(self, _station: str, _rings: list[dict[str, Any]], /) -> bool:
        """Return False: no ring is there."""
        return False

    async def identify(self, _station: str, _seconds: int, /) -> bool:
        """Return False: no station is connected."""
        return False

    async def all_caught_up(self) -> None:
        """Return at once: there are no stations that saw anything."""
