"""Write the journal of a running hub: one thread writes, and all waiting commits share one write to the disk."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Self, TypeAlias, TypeVar, TypeVarTuple

from citytable.journal.backup import back_up_game
from citytable.journal.decks import KeptDeck
from citytable.journal.entry import Draft, Entry, GameEnded
from citytable.journal.store import BadCommit, Commit, GameEntries, GameRow, JournalUnavailable, Marks, Store

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
_Result: TypeAlias = tuple[Entry, ...] | BadCommit
_Waiting: TypeAlias = tuple[Commit, asyncio.Future[tuple[Entry, ...]]]


class Journal:
    """Give a hub its journal: `async with Journal.open(path) as journal`. One thread does all work on the database.

    With a folder for `backups`, one is made in the background each time a game has ended.
    """

    def __init__(self, store: Store, backups: Path | None) -> None:
        self._store = store
        self._backups = backups
        self._backing_up: set[asyncio.Task[None]] = set()
        self._one_backup = asyncio.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._waiting: list[_Waiting] = []
        self._busy = False
        self.backup_failed = False
        """Whether the last backup after a game could not be made."""

    @classmethod
    def open(cls, path: Path, backups: Path | None = None) -> Self:
        """Open or create the database at once, before anything runs; raises `JournalUnavailable`."""
        return cls(Store.open(path), backups)

    @property
    def path(self) -> Path:
        """Return the file of the database."""
        return self._store.path

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Write everything that waits, and close the file."""
        while self._busy:
            await self._run(bool)  # after the current write
        await self.backed_up()
        await self._run(self._store.close)
        self._thread.shutdown()

    async def backed_up(self) -> None:
        """Wait until every game that has ended is backed up, or could not be."""
        await asyncio.gather(*self._backing_up)

    @property
    def damage(self) -> tuple[str, ...]:
        """Return the damage that was found when the database was opened, in sentences for the host."""
        return self._store.damage

    async def commit(self, game_id: str, drafts: Iterable[Draft], high_water: Marks | None = None) -> tuple[Entry, ...]:
        """Write drafts and high-water marks together; they are on the medium when it returns.

        Raises `BadCommit` (nothing of this commit is written) or `JournalUnavailable` (nothing is written; try again).
        A commit of nothing returns at once.
        """
        commit = Commit(game_id, tuple(drafts), dict(high_water or {}))
        if not commit.drafts and not commit.marks:
            return ()
        return await self._put(commit)[0]

    async def commit_together(self, commits: Iterable[Commit]) -> list[tuple[Entry, ...]]:
        """Write commits to several games, all of them or none; they are on disk when it returns. Raises the same.

        An invalid commit (`BadCommit`) is left out and does not affect the others.
        """
        return await asyncio.gather(*self._put(*commits))

    def _put(self, *commits: Commit) -> list[asyncio.Future[tuple[Entry, ...]]]:
        """Write these with all commits that wait: at once, or when the medium is free."""
        loop = asyncio.get_running_loop()
        together: list[_Waiting] = [(commit, loop.create_future()) for commit in commits]
        self._waiting += together
        if not self._busy:
            self._begin()
        return [written for _, written in together]

    async def entries(self, game_id: str) -> GameEntries:
        """Return a game's entries up to the first damaged one."""
        return await self._run(self._store.entries, game_id)

    async def ids(self) -> dict[str, int]:
        """Return when each game was started, by its id, in that order."""
        return await self._run(self._store.ids)

    async def games(self) -> tuple[GameRow, ...]:
        """Return every game of the database, in the order in which they were started."""
        return await self._run(self._store.games)

    async def latest(self) -> GameRow | None:
        """Return the game to go on with, if there is one."""
        return await self._run(self._store.latest)

    async def marks(self) -> dict[tuple[str, int], int]:
        """Return the last committed event_seq by (station, boot), for the link's inbox."""
        return await self._run(self._store.marks)

    async def forget_marks(self, keys: Collection[tuple[str, int]]) -> None:
        """Forget how far these starts of stations were heard; raises `JournalUnavailable`."""
        await self._run(self._store.forget_marks, keys)

    async def keep_deck(self, deck: KeptDeck) -> None:
        """Keep a deck beside the games that are played with it; raises `JournalUnavailable`."""
        await self._run(self._store.keep_deck, deck)

    async def decks(self) -> tuple[KeptDeck, ...]:
        """Return every deck that is kept."""
        return await self._run(self._store.decks)

    def _run(self, call: Callable[[*Ts], T], *arguments: *Ts) -> asyncio.Future[T]:
        """Make this call in the journal's thread, after all calls before it."""
        return asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)

    def _begin(self) -> None:
        """Write everything that waits to the medium at once."""
        group, self._waiting = self._waiting, []
        self._busy = bool(group)
        if group:
            commits = [commit for commit, _ in group]
            self._run(self._store.append_group, commits).add_done_callback(partial(self._ended, group))

    def _ended(self, group: list[_Waiting], results: asyncio.Future[list[_Result]]) -> None:
        """Give each commit of the group its result."""
        failure = results.exception()
        if failure is None:
            self._written(group, results.result())
        else:
            self._failed(group, failure)

    def _written(self, group: list[_Waiting], results: list[_Result]) -> None:
        for (_, written), result in zip(group, results, strict=True):
            if written.done():
                continue  # its caller was cancelled; it is written all the same
            if isinstance(result, BadCommit):
                written.set_exception(result)
            else:
                written.set_result(result)
        self._back_up([commit for commit, _ in group])
        self._go_on()

    def _failed(self, group: list[_Waiting], failure: BaseException) -> None:
        for _, written in group:
            if not written.done():
                # one for each: raising it changes it
                written.set_exception(
                    JournalUnavailable(failure.text) if isinstance(failure, JournalUnavailable) else failure
                )
        self._go_on()

    def _go_on(self) -> None:
        """Begin the next write after the callers that are woken now: they may have more to write."""
        asyncio.get_running_loop().call_soon(self._begin)

    def _back_up(self, written: list[Commit]) -> None:
        for commit in written:
            if self._backups is None or not any(isinstance(draft.body, GameEnded) for draft in commit.drafts):
                continue
            task = asyncio.create_task(self._made_backup(self._backups, commit.game_id), name="backup")
            self._backing_up.add(task)
            task.add_done_callback(self._backing_up.discard)

    async def _made_backup(self, folder: Path, game_id: str) -> None:
        """Back up after a game has ended. If that fails, the log says so and play goes on."""
        try:
            async with self._one_backup:
                await asyncio.to_thread(back_up_game, self._store.path, folder, game_id)
            self.backup_failed = False
        except JournalUnavailable as error:
            self.backup_failed = True
            _LOGGER.warning("no backup was made after game %s: %s", game_id, error)
