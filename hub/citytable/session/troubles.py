"""Troubles: what keeps the hub from its work beside the stations, for every screen: its broker, its journal.

A journal that cannot be written, because the disk is full, is tried again until it can. Until then nothing goes on:
nobody is shown as certain what is not written, no station may forget, and what people say is refused: nothing is lost.
A medium that takes more than a second for one write stands still; who waits for it waits on.
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
    """A journal that keeps trying, if it is `patient`: who commits waits meanwhile."""

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
        """As `Journal.commit`, however long it takes."""
        whole = tuple(drafts)
        return await self._written(lambda: self._journal.commit(game_id, whole, high_water))

    async def commit_together(self, commits: Iterable[Commit]) -> list[tuple[Entry, ...]]:
        """As `Journal.commit_together`, however long it takes."""
        whole = tuple(commits)
        return await self._written(lambda: self._journal.commit_together(whole))

    async def keep_deck(self, deck: KeptDeck) -> None:
        """As `Journal.keep_deck`, however long it takes."""
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
        """As `Journal.entries`."""
        return await self._journal.entries(game_id)


class OneByOne(asyncio.Lock):
    """One after the other, as long as the journal can be written; raises `JournalUnavailable` while it cannot."""

    def __init__(self, journal: Safe) -> None:
        super().__init__()
        self._journal = journal

    async def acquire(self) -> Literal[True]:
        """Wait for one's turn."""
        if self._journal.trouble:
            raise JournalUnavailable(self._journal.trouble)
        return await super().acquire()


def troubles(link: Link, journal: Safe) -> tuple[Trouble, ...]:
    """Return the troubles of this moment."""
    found: list[Trouble] = []
    if not link.answers:
        found.append("broker")
    if journal.look():
        found.append("journal")
    return tuple(found)
