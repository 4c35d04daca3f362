"""What people see and do at a table whose hub comes and goes: its screen, and the hands of a virtual table."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import aiohttp
import msgspec
from hub_process import Hub, Lost
from msgspec.structs import replace

from citytable.journal.store import Store
from citytable.rehearsal.twin import Act, Result, Twin
from citytable.rules.errors import IllegalAction, Unreadable
from citytable.table.question import Question
from citytable.table.status import Status
from citytable.table.word import Answer, NextGame, Statement, Word

PATIENCE_S = 60.0  # a wait ends as soon as it is fulfilled; this is when it is given up
SCALES_MS = 3000  # of virtual time: every scale tells its weight once a second
AGAIN_S = 0.1


class Screen:
    """The host's screen: it reads the feed, comes back by itself, and sends what is said. The door of the people."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._address = f"http://127.0.0.1:{hub.port}"
        self._seen: dict[str, Any] = {}
        self._there = asyncio.Event()
        self._changed = asyncio.Event()
        self._start = 0  # the hub's, of which the last snapshot came
        self.snapshots = 0
        self.returns = 0
        """How many starts of the hub it saw, beside the first."""
        self.said_so = 0
        """How many of them began with a snapshot that told that the hub had been away."""

    async def watch(self) -> None:
        """Until cancelled."""
        async with aiohttp.ClientSession(headers=self._hub.host) as session:
            while True:
                start = self._hub.starts
                with suppress(aiohttp.ClientError, OSError):
                    async with session.ws_connect(f"{self._address}/feed?as=host") as feed:
                        async for message in feed:
                            self._read(msgspec.json.decode(message.data), start)
                self._there.clear()
                await asyncio.sleep(0.02)

    def _read(self, event: dict[str, Any], start: int) -> None:
        """A message of the feed. One hub may send several snapshots: where this screen was too slow for it."""
        if event["type"] == "snapshot":
            self._seen = event["data"]
            self.snapshots += 1
            if 0 < self._start < start:
                self.returns += 1
                self.said_so += any(line["key"] == "sensed.hub_came" for line in self._seen["happened"])
            self._start = start
            self._there.set()
        elif event["type"] == "change":
            self._seen |= event["data"]
        self._changed.set()

    async def is_there(self) -> None:
        """Until it shows the table."""
        async with asyncio.timeout(PATIENCE_S):
            await self._there.wait()

    async def is_well(self, stations: int) -> int:
        """Until it shows the table and so many stations answer; the number of the snapshot it began with."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await self._there.wait()
                if sum(station["online"] for station in self._seen["stations"]) == stations:
                    return self.snapshots
                self._changed.clear()
                await self._changed.wait()

    async def shows(self, what: Callable[[dict[str, Any]], bool]) -> None:
        """Until it shows the table like this."""
        async with asyncio.timeout(PATIENCE_S):
            while not (self._there.is_set() and what(self._seen)):
                self._changed.clear()
                await self._changed.wait()

    @property
    def scene(self) -> dict[str, Any]:
        """The position it shows."""
        return dict(self._seen["scene"])

    def questions(self) -> tuple[Question, ...]:
        """As shown to the host, who answers for everybody."""
        asked = (msgspec.convert(one, Question) for one in self._seen["questions"])
        return tuple(replace(one, fields=tuple(replace(f, voters=None) for f in one.fields)) for one in asked)

    def status(self) -> Status:
        """As shown."""
        return msgspec.convert(self._seen["status"], Status)

    def actions(self) -> tuple[object, ...]:
        """Return nothing: only who waits for a person's turn reads what was done."""
        return ()

    def seat(self) -> int:
        """As shown for sure; -1 while something is only tried."""
        return -1 if self._seen["trying"] else int(self._seen["scene"]["seat"] or 0)

    async def say(self, word: Word) -> None:
        """Send a word until the hub has taken it; if the line broke, look whether it knows. Raises `IllegalAction`."""
        before, body = self._reported(word), msgspec.to_builtins(replace(word, by="host"))
        while (refused := await self._post("/api/say", body)) is None:
            await self.is_there()
            if self._is_known(word, before):
                return
        if refused and isinstance(word, Statement):
            raise IllegalAction(refused["rule"], refused["text"], word.action)

    async def begin(self, players: int) -> int:
        """Begin another game; return how many the journal holds then. Raises `Lost` where it is refused."""
        begun = self.begun()
        word = msgspec.to_builtins(NextGame(by="host", after=begun[-1], players=players))
        while (refused := await self._post("/api/say", word)) is None:
            await self.is_there()
        if len(self.begun()) == len(begun):
            raise Lost(f"no game was begun: {refused}")
        return len(begun) + 1

    def begun(self) -> list[str]:
        """Return the games that the journal holds, the first one first."""
        with Store.read(self._hub.journal) as store:
            return list(store.ids())

    def _is_known(self, word: Word, before: int) -> bool:
        if isinstance(word, Answer):
            return all(question.id != word.question for question in self.questions())
        return self._reported(word) > before

    def _reported(self, word: Word) -> int:
        """Return how often a statement with this action is written."""
        entries, _ = self._hub.entries()
        action = getattr(word, "action", None)
        return sum(isinstance(one.body, Statement) and one.body.action == action for one in entries)

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Empty when it was taken, a refusal, or None when the line broke before the hub said which."""
        await self.is_there()
        try:
            async with (
                aiohttp.ClientSession(headers=self._hub.host) as session,
                session.post(self._address + path, json=body) as reply,
            ):
                reported: dict[str, Any] = await reply.json()
        except (aiohttp.ClientError, OSError):
            self._there.clear()
            return None
        if reply.status in {400, 401, 403}:
            raise Unreadable(f"{path} {body}: {reported}")
        if reply.status == 503:  # the disk is full: people say it again
            await asyncio.sleep(AGAIN_S)
            return None
        return {} if reply.status == 202 else reported


class Hands:
    """The virtual table's hands. What they have begun they end, whatever becomes of the hub; then people look up, and
    wait until the display is back, shows every station, and has had time to hear from every scale: two acts that
    nobody saw look like one."""

    door_port = None  # nobody comes in from a browser

    def __init__(self, twin: Twin, screen: Screen) -> None:
        self._twin = twin
        self._screen = screen
        self.stations = twin.stations
        self._well = 0  # the snapshot since which everything answers

    async def act(self, *acts: Act) -> list[Result]:
        """Begun only in sight of the display."""
        await self._look_up()
        return await self._twin.act(*acts)

    async def wait(self, ms: int) -> None:
        """Let virtual time pass, and look at the display."""
        await self._twin.wait(ms)
        await self._look_up()

    async def _look_up(self) -> None:
        while self._well != (snapshot := await self._screen.is_well(len(self.stations))):
            await self._twin.wait(SCALES_MS)
            self._well = snapshot
