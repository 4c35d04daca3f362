"""A game of a journal with the signals that are kept of it, opened for reading."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citytable.journal.entry import Entry, GameStarted
from citytable.journal.store import JournalUnavailable, Store
from citytable.journal.trace_store import TraceStore
from citytable.journal.traces import traces_path
from citytable.session.rejudging import Rejudged, rejudged, what
from citytable.table.plan import Plan

PLAIN_BYTES = 12  # eight for a time in microseconds, four for the counts


class NothingKept(LookupError):
    """The game exists but none of its signals are kept: the text says so."""


class KeptGame:
    """The entries of a game, and their signals. The two counts grow while `rejudged` is read."""

    def __init__(self, game_id: str, entries: tuple[Entry, ...], plan: Plan, traces: TraceStore) -> None:
        self._game_id = game_id
        self._entries = entries
        self._plan = plan
        self._traces = traces
        self._same = 0
        self._different = 0

    def rejudged(self) -> Iterator[Rejudged]:
        """Judge every entry with a kept signal again, in order; raises `BadExcerpt`."""
        for entry in self._entries:
            excerpts = self._traces.of_entry(self._game_id, entry.seq, entry.at_us) if what(entry) else ()
            if not excerpts:
                continue
            one = rejudged(entry, excerpts, self._plan, self._entries)
            self._different += bool(one.differences)
            self._same += not one.differences
            yield one

    def summary(self) -> str:
        """Report the result, and the space that the signals take."""
        kept = self._traces.kept(self._game_id)
        judged = sum(bool(what(entry)) for entry in self._entries)
        return (
            f"{self._game_id}: of {judged} actions, questions and falls {self._same + self._different} have a signal; "
            f"{self._same} are judged as they were, {self._different} differ\n"
            f"kept: {kept.samples} conversions in {kept.excerpts} excerpts and {kept.data_bytes} bytes, "
            f"{kept.data_bytes / max(1, kept.samples):.2f} bytes a conversion, "
            f"whose time and counts take {PLAIN_BYTES} plain"
        )


@contextmanager
def kept_game(journal: Path, game_id: str) -> Iterator[KeptGame]:
    """Return the game of this name; raises `NothingKept`, and `JournalUnavailable` if it does not exist."""
    with Store.read(journal) as store:
        games = list(store.ids())
        if game_id not in games:
            known = ", ".join(games) or "none"
            raise JournalUnavailable(f"journal {journal} has no game {game_id!r}; its games are: {known}")
        entries = store.entries(game_id).entries
    plan = entries[0].body.plan if entries and isinstance(entries[0].body, GameStarted) else None
    path = traces_path(journal)
    if plan is None or not path.exists():
        raise NothingKept(f"no signals of game {game_id!r} are kept: there is no {path}")
    try:
        with TraceStore.read(path) as traces:
            if not traces.kept(game_id).excerpts:
                raise NothingKept(f"no signals of game {game_id!r} are kept in {path}")
            yield KeptGame(game_id, entries, plan, traces)
    except sqlite3.Error as error:
        raise JournalUnavailable(f"traces {path}: {error}: nothing can be judged by them") from error
