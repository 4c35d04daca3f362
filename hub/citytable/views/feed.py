"""The feed: one numbered stream of what a viewer sees. Pure: no sockets, no clock.

A reader begins with a `snapshot` (data: the whole `Seen`), then gets

- `change`: data holds the parts of `Seen` that changed, each one whole. All parts of one change belong together, so
  that no screen shows half of a correction.
- `happened`: data is one new line of the ticker, for sounds, overlays and logs. A screen that keeps `Seen` has it.

Numbers (`seq`) begin at `first_seq`. The app hands in its start time in milliseconds, so that a number from an earlier
run is never mistaken for one of this run.
"""

from collections import deque
from typing import Any, Literal

import msgspec

from citytable.views.state import Happened
from citytable.views.viewer import Seen

SCHEMA = 2
KEPT = 256
_CONFIRMED = frozenset({"scene", "status"})


class FeedEvent(msgspec.Struct, frozen=True):
    """One message of the feed. `time` is hub time in microseconds; a snapshot repeats the number it brings you to."""

    schema: int
    seq: int
    time: int
    type: Literal["snapshot", "change", "happened"]
    provisional: bool
    data: Any


def difference(before: Seen, after: Seen) -> dict[str, Any]:
    """Return the parts of `after` that have changed; a new time alone is not a change."""
    names = [name for name in after.__struct_fields__ if name != "t_us"]
    return {name: getattr(after, name) for name in names if getattr(before, name) != getattr(after, name)}


def new_lines(before: Seen, after: Seen) -> tuple[Happened, ...]:
    """Return the ticker lines that `before` did not have."""
    known = frozenset((line.no, line.provisional) for line in before.happened)
    return tuple(line for line in after.happened if (line.no, line.provisional) not in known)


class Feed:
    """The stream for one viewer: remembers the latest `Seen` and the last `kept` events."""

    def __init__(self, seen: Seen, first_seq: int, kept: int = KEPT) -> None:
        self._seen = seen
        self._seq = first_seq
        self._events: deque[FeedEvent] = deque(maxlen=kept)

    @property
    def seen(self) -> Seen:
        """Return what the viewer sees now."""
        return self._seen

    def show(self, seen: Seen) -> tuple[FeedEvent, ...]:
        """Take a new state; return the events it makes, none if nothing changed."""
        parts, lines = difference(self._seen, seen), new_lines(self._seen, seen)
        self._seen = seen
        if not parts:
            return ()
        events = [self._event("change", not _CONFIRMED & parts.keys(), parts)]
        events += [self._event("happened", line.provisional, line) for line in lines]
        self._events.extend(events)
        return tuple(events)

    def snapshot(self) -> FeedEvent:
        """Return the whole state, as of the latest event."""
        return FeedEvent(SCHEMA, self._seq, self._seen.t_us, "snapshot", False, self._seen)

    def since(self, seq: int | None) -> tuple[FeedEvent, ...]:
        """Return the events after `seq` that a reader has missed, or a snapshot if they are no longer kept."""
        if seq is None or seq > self._seq:
            return (self.snapshot(),)
        if seq == self._seq:
            return ()
        if not self._events or self._events[0].seq > seq + 1:
            return (self.snapshot(),)
        return tuple(event for event in self._events if event.seq > seq)

    def _event(self, kind: Literal["change", "happened"], provisional: bool, data: Any) -> FeedEvent:
        self._seq += 1
        return FeedEvent(SCHEMA, self._seq, self._seen.t_us, kind, provisional, data)
