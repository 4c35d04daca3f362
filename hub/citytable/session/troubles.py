"""Troubles that stop the hub itself: its broker, its journal. Every screen shows them.

If the journal cannot be written, because the disk is full, the hub keeps trying. Until it succeeds, nothing goes on:
nothing unwritten is shown as certain, no station may forget events, and messages of people are refused, so nothing is
lost. If a write takes more than a second, the journal counts as stuck; callers go on waiting for it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal, TypeVar

from citytable.journal.decks import KeptDeck
from citytable.journal.entry import Draft, Entry
from citytable.journal.journal import Journal
from citytable.journal.store import Commit, GameEntries, JournalUnavailable, Marks
from citytable.link.link import Link
from citytable.views.state import Trouble

T = TypeVar("T")

LOOK_S = 0.25
"""How often a running hub looks for troubles."""
AGAIN_S = 0.5
SLOW_LOOKS = 4
"""A write that is not over after so many looks takes too long. It is counted in looks because a late hub takes none."""


class Safe:
    """A journal that keeps trying, if it is `patient`; callers of `commit` wait meanwhile."""

    def __init__(self, journal: Journal, *, patient: bool) -> None:
        self._journal = journal
        self._patient = patient
        self.trouble: dict[str, str] = {}
        """Why nothing can be written now, in each language; empty while all is well."""
        self._writing = 0
        self._looks = 0  # since something was written

    @property
    def backup_failed(self) -> bool:
        """Report whether the last backup after a game could not be made."""
        return self._journal.backup_failed

    def look(self) -> bool:
        """Return whether something is wrong with it; to be asked every `LOOK_S`."""
        self._looks = self._looks + 1 if self._writing else 0
        return bool(self.trouble) or self._looks > SLOW_LOOKS

    async def commit(self, game_id: str, drafts: Iterable[Draft], high_water: Marks | None = None) -> tuple[Entry, ...]:
        """Do the same as `Journal.commit`, however long it takes."""
        whole = tuple(drafts)
        return await self._written(lambda: self._journal.commit(game_id, whole, high_water))

    async def commit_together(self, commits: Iterable[Commit]) -> list[tuple[Entry, ...]]:
        """Do the same as `Journal.commit_together`, however long it takes."""
        whole = tuple(commits)
        return await self._written(lambda: self._journal.commit_together(whole))

    async def keep_deck(self, deck: KeptDeck) -> None:
        """Do the same as `Journal.keep_deck`, however long it takes."""
        await self._written(lambda: self._journal.keep_deck(deck))

    async def _written(self, write: Callable[[], Awaitable[T]]) -> T:
        while True:
            self._writing += 1
            try:
                written = await write()
            except JournalUnavailable as error:
                if not self._patient:
                    raise
                self.trouble = error.text
                await asyncio.sleep(AGAIN_S)
            else:
                self.trouble = {}
                return written
            finally:
                self._writing -= 1
                self._looks = 0

    async def entries(self, game_id: str) -> GameEntries:
        """Do the same as `Journal.entries`."""
        return await self._journal.entries(game_id)


class OneByOne(asyncio.Lock):
    """Work one after the other, while the journal can be written; raises `JournalUnavailable` while it cannot."""

    def __init__(self, journal: Safe) -> None:
        super().__init__()
        self._journal = journal

    async def acquire(self) -> Literal[True]:
        """Wait for the turn."""
        if self._journal.trouble:
            raise JournalUnavailable(self._journal.trouble)
        return await super().acquire()


def troubles(link: Link, journal: Safe) -> tuple[Trouble, ...]:
    """Return the present troubles."""
    found: list[Trouble] = []
    if not link.answers:
        found.append("broker")
    if journal.look():
        found.append("journal")
    return tuple(found)
