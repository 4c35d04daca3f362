"""A table's link, as its session knows it: receives batches of messages, sends acknowledgements and lights.

`TableLink` is the link to stations on a wire, `NoStations` that of a table without any.
"""

from collections.abc import AsyncIterator
from typing import Any, Protocol, Self

import msgspec

from citytable.link.inbox import Received, high_water
from citytable.link.registry import Standing
from citytable.table.health import Health


class Batch(msgspec.Struct, frozen=True):
    """Everything to report at `now_us`. `tick`: the lock-step tick that `committed` answers.

    `received` happened in this order, and nothing that happened before is under way. `fresh` has just come and may be
    overtaken; each of these messages is `received` soon, in its order, perhaps in the same batch. A final judgement
    waits until then.
    """

    now_us: int
    received: tuple[Received, ...]
    tick: int | None = None
    fresh: tuple[Received, ...] = ()

    @property
    def is_due(self) -> bool:
        """Report whether something is to be judged for good, if only that time has passed."""
        return bool(self.received) or not self.fresh

    @property
    def high_water(self) -> dict[tuple[str, int], int]:
        """Return the last event_seq by (station, boot): it is written in the transaction of this batch's effects."""
        return high_water(self.received)


class Link(Protocol):
    """The hub's end of one table. Open it with `async with`."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    async def stop(self) -> None:
        """Close it; `batches` ends."""
        ...

    @property
    def table(self) -> str:
        """Return the table's name."""
        ...

    @property
    def answers(self) -> bool:
        """Return whether the connection to the stations works."""
        ...

    @property
    def discarded(self) -> int:
        """Return the number of messages that arrived while the hub was too far behind to take them."""
        ...

    @property
    def unsent(self) -> int:
        """Return the number of messages that could not be sent."""
        ...

    def turned_away(self) -> tuple[str, ...]:
        """Return the addresses that are refused."""
        ...

    def health(self) -> tuple[Health, ...]:
        """Return the health of every station."""
        ...

    def standing(self) -> tuple[Standing, ...]:
        """Return the standing of every station: the part of `health` that people see at once."""
        ...

    def batches(self) -> AsyncIterator[Batch]:
        """Yield batches until the link is stopped; give each one to `committed` before you ask for the next."""
        ...

    async def committed(self, batch: Batch) -> None:
        """Take note that the effects of a batch are safe."""
        ...

    async def publish_light(self, station: str, rings: list[dict[str, Any]], /) -> bool:
        """Change the named rings; return False if their station is not connected."""
        ...

    async def identify(self, station: str, seconds: int, /) -> bool:
        """Let all lights of a station blink; return False if it is not connected."""
        ...

    async def all_caught_up(self) -> None:
        """Wait until everything from the hub's absence is released, or no longer waited for."""
        ...
