"""The traces of a running hub: raw signals around decisions, in a separate database beside the journal.

A game loses nothing without them, so nothing waits for them and nothing fails because of them. A separate thread writes
them. A full disk or a damaged file is reported once, and play goes on. The hub tries again after a while, because
somebody may have made room.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar, TypeVarTuple

from citytable.journal.excerpt import SENTENCES, BadExcerpt, Excerpt, Link
from citytable.journal.trace_store import Limits, TraceStore

WAITING_MAX = 2000
"""So many excerpts and links wait for a slow medium; more are dropped."""
TOGETHER_S = 60.0
"""What comes within so long is written together, unless somebody wants to see it: every write costs whole pages."""
AGAIN_S = 600.0
"""So long nothing is kept after an error; then it is tried again."""
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_LOGGER = logging.getLogger(__name__)


def traces_path(journal: Path) -> Path:
    """Return the path of a journal's traces."""
    return journal.with_name(f"{journal.stem}.traces{journal.suffix}")


class Traces:
    """Keep traces: `async with Traces.open(path) as traces`. No caller ever fails because of them."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        self._limits = limits
        self._store: TraceStore | None = None
        self.trouble = ""
        """What is wrong with the traces, in a sentence for the host; empty while all is well."""
        self._text: dict[str, str] = {}  # why no signals are kept any more, in each language
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="traces")
        self._again_s = 0.0  # when it is tried again
        self._waiting: list[tuple[str, Excerpt | Link]] = []
        self._writing: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()  # somebody waits for the queue to be written

    @classmethod
    def open(cls, path: Path, limits: Limits | None = None) -> Self:
        """Open or create the database at once; a damaged one is put aside and replaced. See `trouble`."""
        traces = cls(path, limits or Limits())
        try:
            traces._store = TraceStore.open(path, traces._limits)
        except sqlite3.Error as error:
            traces._handle(error)
        return traces

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._written()
        if self._store is not None:
            await self._run(self._store.close)
        self._thread.shutdown()

    def keep(self, game_id: str, work: Iterable[Excerpt | Link]) -> None:
        """Queue these to be written soon, and return at once."""
        if self._store is None and time.monotonic() < self._again_s:
            return
        new = [(game_id, one) for one in work]
        if len(self._waiting) + len(new) > WAITING_MAX:
            self._report(f"traces {self._path}: the disk is too slow for them: some signals were dropped")
            return
        self._waiting += new
        if self._waiting and self._writing is None:
            self._wanted.clear()
            self._writing = asyncio.create_task(self._write(), name="traces writer")

    async def of_entry(self, game_id: str, seq: int, at_us: int) -> tuple[Excerpt, ...]:
        """Return the excerpts that an entry rests on; raises `BadExcerpt` with a sentence."""
        await self._written()
        if self._store is None:
            raise BadExcerpt(self.trouble, self._text)
        try:
            return await self._run(self._store.of_entry, game_id, seq, at_us)
        except sqlite3.Error as error:
            raise BadExcerpt.worded("sqlite", path=self._path, error=error, code=_code(error)) from error

    def _run(self, call: Callable[[*Ts], T], *arguments: *Ts) -> asyncio.Future[T]:
        """Make this call in the thread of the traces, after all calls before it."""
        return asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)

    async def _written(self) -> None:
        """Wait until everything queued is written; a caller that is cancelled meanwhile cancels no other."""
        if self._writing is not None:
            self._wanted.set()
            await asyncio.wait([self._writing])

    async def _write(self) -> None:
        try:
            await self._gather()
            was_off = self._store is None
            if self._store is None:
                self._store = await self._run(TraceStore.open, self._path, self._limits)
            store: TraceStore = self._store
            while self._waiting:
                work, self._waiting = self._waiting, []
                await self._run(store.write, work)
            if was_off:
                self._well_again()
        except sqlite3.Error as error:
            before = self.trouble
            self._handle(error)
            if self.trouble != before:
                _LOGGER.warning(self.trouble)
        finally:
            self._writing = None

    async def _gather(self) -> None:
        """Wait for more to write together, until somebody wants it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER_S):
                await self._wanted.wait()

    def _well_again(self) -> None:
        """Report that signals are kept again after an error."""
        self._text, self.trouble = {}, ""
        _LOGGER.info(SENTENCES.text("again", path=self._path)["en"])

    def _handle(self, error: sqlite3.Error) -> None:
        """Put a damaged file aside and begin a new one; after any other error, keep nothing for a while."""
        if self._store is not None:
            with suppress(sqlite3.Error):
                self._store.close()
        self._store = None
        self._waiting.clear()
        self._again_s = time.monotonic() + AGAIN_S
        self._text = SENTENCES.text("off", path=self._path, error=error, code=_code(error))
        self.trouble = self._text["en"]
        if getattr(error, "sqlite_errorcode", None) not in DAMAGED:
            return
        with suppress(OSError, sqlite3.Error):
            aside = _put_aside(self._path)
            self._store = TraceStore.open(self._path, self._limits)
            self.trouble = SENTENCES.text("aside", path=self._path, error=error, aside=aside)["en"]

    def _report(self, trouble: str) -> None:
        if self.trouble != trouble:
            self.trouble = trouble
            _LOGGER.warning(trouble)


def _code(error: sqlite3.Error) -> str:
    """Return SQLite's name of the error, which is the same in every language."""
    return getattr(error, "sqlite_errorname", "SQLITE")


def _put_aside(path: Path) -> Path:
    n = 1
    while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside
