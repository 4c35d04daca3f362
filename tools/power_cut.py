"""Pull the plug of a hub that is playing, again and again, and fail if anything was lost or happened twice.

    .venv/bin/python tools/power_cut.py --instants 200

Bots play on a virtual table, which stays on, and talk to the hub as phones do. The hub is `citytable run --no-twin`, a
process of its own, killed (SIGKILL) while messages are in flight: some time after an event of a station was heard, at
the very moment of an acknowledgement, or in the middle of its start; now and then the broker dies with it. Then it is
started again and everybody goes on. Which events, and how long after them, comes from the seed; how far the hub had
got by then does not.

After each cut the journal is read as it lies there: what was acknowledged to a station is in it, and no tag came twice
without leaving. After each turn the journal's replay is what the people did; so is what the screen shows. After each
start the feed says that the hub was away.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.games.megacity.box import BOX
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options, Position
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.entry import Entry, FactNoted
from citytable.journal.store import Store
from citytable.link.broker import Broker, running_broker
from citytable.link.mqtt import MqttConnection
from citytable.rehearsal import company
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.company import Scenery, Stuck
from citytable.rehearsal.megacity.acts import holds
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.rehearsal.twin import Act, Result, Twin, running_twin
from citytable.rules.errors import IllegalAction, Unreadable
from citytable.table.fact import ButtonPressed, TagCame, TagLeft
from citytable.table.plan import Plan, full_plan
from citytable.table.question import Question
from citytable.table.status import Status
from citytable.table.word import Answer, NextGame, Statement, Word
from citytable.views.keys import Keys, beside, kept_secret
from citytable.views.viewer import HOST
from tablewire import messages

PLAYERS = 2
SPEED = 10.0
PATIENCE_S = 60.0  # a wait ends as soon as it is fulfilled; this is when it is given up
LOOKS = 600  # how often people look at the display before they say that it is stuck: the hub is away now and then
EVENTS_BETWEEN = 12  # at most, from a start to the next cut
DELAY_S = 0.15  # at most, from an event to the cut: about twice what the hub takes from hearing it to acknowledging it
STARTING_S = 0.9  # at most, from a start to a cut in the middle of it
TURNS_AFTER = 2
SCALES_MS = 3000  # of virtual time: every scale tells its weight once a second
AGAIN_S = 0.1
AS_A_SERVICE = {"MALLOC_ARENA_MAX": "1"}  # as hub/deploy/citytable.service sets it
LAST_WORDS = 2000  # characters of a hub's output that are shown when it ends by itself


class Lost(AssertionError):
    """A power cut lost something, or made it happen twice: what, and where to look."""


class Misread(Lost):
    """Nothing was lost, and the umpire made something else of it than the people did."""


@dataclass
class Heard:
    """What went over the wire, by start of a station."""

    events: dict[tuple[str, int], dict[int, dict[str, Any]]] = field(default_factory=dict)
    acked: dict[tuple[str, int], int] = field(default_factory=dict)
    count: int = 0
    more: asyncio.Event = field(default_factory=asyncio.Event)
    safe: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, topic: str, payload: bytes) -> None:
        """A message of a station, or an acknowledgement to one."""
        station, channel = topic.split("/")[3:]
        message = messages.decode(channel, payload)
        key = (station, message["boot"])
        if message["type"] == "ack":
            self.acked[key] = max(self.acked.get(key, 0), message["event_seq"])
            self.safe.set()
        else:
            self.events.setdefault(key, {})[message["event_seq"]] = message
            self.count += 1
            self.more.set()

    def forget(self) -> None:
        """Another game begins, at a table fresh from the box."""
        self.events.clear()
        self.acked.clear()

    async def listen(self, mqtt: MqttConnection) -> None:
        """Until cancelled."""
        while True:
            await mqtt.wait(1.0)
            for arrival in mqtt.drain():
                self.take(arrival.topic, arrival.payload)

    async def events_heard(self, n: int) -> None:
        """Until so many more events were heard."""
        until = self.count + n
        while self.count < until:
            self.more.clear()
            await self.more.wait()


class Hub:
    """`citytable run` for a table that stays on; started and killed as often as one likes."""

    def __init__(self, folder: Path, plan: Plan, broker: Broker, speed: float) -> None:
        self.journal = folder / "journal.sqlite3"
        self._log = folder / "hub.log"
        plan_path = folder / "plan.json"
        plan_path.write_bytes(msgspec.json.encode(plan))
        self.port = _free_port()
        keys = Keys(kept_secret(beside(self.journal)), plan.table, "")
        self.host = {"Cookie": f"{keys.cookie_name(HOST)}={keys.key(HOST)}"}
        """What the host's browser sends."""
        words = {"--players": PLAYERS, "--plan": plan_path, "--broker": f"{broker.host}:{broker.port}"}
        words |= {"--journal": self.journal, "--port": self.port, "--speed": speed, "--serial": ""}
        self._words = ["run", "--no-twin", "--no-open", *(str(word) for pair in words.items() for word in pair)]
        self._process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self.release: Path | None = None
        """Where another copy of the program lies, which the next start takes."""
        self.several_games = False

    async def start(self) -> None:
        """A new process; it has not done anything yet."""
        self.starts += 1
        environment = os.environ | AS_A_SERVICE | ({} if self.release is None else {"PYTHONPATH": str(self.release)})
        with self._log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                Path(sys.executable).parent / "citytable", *self._words, stdout=log, stderr=log, env=environment
            )

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        if self._process is None:
            raise LookupError("the hub was not started")
        return self._process.pid

    async def kill(self) -> None:
        """The plug is pulled; raises `Lost` when the hub had ended by itself."""
        await self._end(signal.SIGKILL, -signal.SIGKILL)

    async def stop(self) -> None:
        """It is ended as systemd ends it; raises `Lost` when it ended otherwise."""
        await self._end(signal.SIGINT, 0)

    async def _end(self, how: signal.Signals, code: int) -> None:
        if (process := self._process) is None:
            return
        if process.returncode is None:
            process.send_signal(how)
        await process.wait()
        self._process = None
        if process.returncode != code:
            raise Lost(f"the hub ended by itself with code {process.returncode}, saying\n{self.said()}")

    async def or_its_end(self, what: Coroutine[Any, Any, None]) -> None:
        """Wait for something of which nothing comes once the hub has ended."""
        waiting = asyncio.ensure_future(what)
        ending = asyncio.ensure_future(self._process.wait() if self._process else asyncio.sleep(0))
        await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if waiting.done():
            waiting.result()
        waiting.cancel()

    def said(self) -> str:
        """Its last words."""
        return self._log.read_text(errors="replace")[-LAST_WORDS:]

    def entries(self) -> tuple[tuple[Entry, ...], Mapping[tuple[str, int], int]]:
        """What its journal holds of the game that was begun last, and how far the stations were heard."""
        if not self.journal.exists():
            return (), {}
        with Store.read(self.journal) as store:
            marks, game, games = store.marks(), store.latest(), store.ids()
            if len(games) > 1 and not self.several_games:
                raise Lost(f"another game was begun: {games}")
            sound = store.entries(game.id) if game else None
        if sound is None:
            return (), marks
        if sound.damage:
            raise Lost(sound.damage)
        return sound.entries, marks


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
        with Store.read(self._hub.journal) as store:
            begun = list(store.ids())
        word = msgspec.to_builtins(NextGame(by="host", after=begun[-1], players=players))
        while (refused := await self._post("/api/say", word)) is None:
            await self.is_there()
        with Store.read(self._hub.journal) as store:
            if len(store.ids()) == len(begun):
                raise Lost(f"no game was begun: {refused}")
        return len(begun) + 1

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


@dataclass
class Evening:
    """One game at a table whose hub is cut off, with everything that tells what became of it."""

    hub: Hub
    heard: Heard
    screen: Screen
    rng: random.Random
    people: MegaCityCompany = field(init=False)
    cuts: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    turned: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether the people have ended the game; the hub cannot know before them."""
        return self.people.truth().outcome() is not None

    async def cut(self, mosquitto: "Mosquitto") -> None:
        """Pull the plug once more, look at what is left, and plug it in again."""
        kind = self.rng.choice(("playing", "playing", "acknowledging", "with its broker", "starting"))
        if kind == "starting":
            await asyncio.sleep(self.rng.uniform(0, STARTING_S))
        else:
            await self.screen.is_there()
            await self.heard.events_heard(self.rng.randint(1, EVENTS_BETWEEN))
            if kind == "acknowledging":
                self.heard.safe.clear()
                await self.heard.safe.wait()
            else:
                await asyncio.sleep(self.rng.uniform(0, DELAY_S))
        if self.over:  # a hub that finds its game over would begin another
            return
        await self.hub.kill()
        if kind == "with its broker":
            mosquitto.send(signal.SIGKILL)
        self.cuts[kind] += 1
        self.look()
        await self.hub.start()

    def look(self) -> None:
        """At the journal as it lies there; raises `Lost`."""
        entries, marks = self.hub.entries()
        for key, event_seq in self.heard.acked.items():
            if marks.get(key, 0) < event_seq:
                raise Lost(f"{key} was told that {event_seq} is safe, and the journal knows {marks.get(key, 0)}")
        self._no_button_lost_or_twice(entries, marks)
        _no_tag_twice(entries)

    def _no_button_lost_or_twice(self, entries: tuple[Entry, ...], marks: Mapping[tuple[str, int], int]) -> None:
        noted = sum(isinstance(one.body, FactNoted) and isinstance(one.body.fact, ButtonPressed) for one in entries)
        pressed = sum(
            event["type"] == "button" and seq <= marks.get(key, 0)
            for key, events in self.heard.events.items()
            for seq, event in events.items()
        )
        if noted != pressed:
            raise Lost(f"buttons were pressed {pressed} times, and the journal knows {noted}")

    def turn_is_over(self, truth: Position) -> None:
        """The people see whose turn it is: all they did lies within what the journal knows; raises `Lost`."""
        self.turns += 1
        self.turned.set()
        entries, _ = self.hub.entries()
        known = replayed(entries, BOX)
        if not holds(known.position, truth):
            raise Misread(f"after turn {self.turns} the people know\n{truth}\nand the journal\n{known.position}")
        shown = MegaCityTable(HOUSE).scene(known.position, known.position, known.actions)
        if msgspec.json.decode(msgspec.json.encode(shown)) != self.screen.scene:
            raise Lost(f"after turn {self.turns} the screen shows\n{self.screen.scene}\nand the journal gives\n{shown}")

    def resumed(self) -> None:
        """Each time that the hub was back the screen told that it had been away; raises `Lost`."""
        if self.screen.said_so < self.screen.returns:
            raise Lost(f"the hub was back {self.screen.returns} times, and {self.screen.said_so} times it was said")


def _no_tag_twice(entries: tuple[Entry, ...]) -> None:
    lying: set[tuple[str, str]] = set()
    for entry in entries:
        fact = entry.body.fact if isinstance(entry.body, FactNoted) else None
        match fact:
            case TagCame(spot=spot, uid=uid):
                if (spot, uid) in lying:
                    raise Lost(f"entry {entry.seq}: tag {uid} came to {spot} and was there already")
                lying.add((spot, uid))
            case TagLeft(spot=spot, uid=uid):
                if (spot, uid) not in lying:
                    raise Lost(f"entry {entry.seq}: tag {uid} left {spot} and was not there")
                lying.remove((spot, uid))


class Mosquitto:
    """The broker's process, to be killed; `running_broker` starts it again."""

    @staticmethod
    def send(what: signal.Signals) -> None:
        """Send it a signal: SIGKILL ends it at once, SIGSTOP freezes it until SIGCONT."""
        for pid in Mosquitto.pids():
            os.kill(pid, what)

    @staticmethod
    def pids() -> list[int]:
        """Return what runs: one, but none in the moment of a start."""
        children = [one.read_text().split() for one in Path("/proc/self/task").glob("*/children")]
        return [pid for pids in children for pid in map(int, pids) if _is_mosquitto(pid)]


def _is_mosquitto(pid: int) -> bool:
    with suppress(OSError):  # it has just gone
        status = Path(f"/proc/{pid}/status").read_text()
        return status.startswith("Name:\tmosquitto\n") and "VmRSS" in status
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def started(hub: Hub, broker: Broker, plan: Plan) -> AsyncIterator[tuple[MqttConnection, Heard, Screen]]:
    """Start a hub, with somebody who listens to the stations and a screen; at the end it is killed."""
    filters = tuple((f"citytable/1/{plan.table}/+/{channel}", 1) for channel in ("event", "ack"))
    async with AsyncExitStack() as stack:
        wire = await stack.enter_async_context(MqttConnection(broker, filters, lambda: 0))
        heard, screen = Heard(), Screen(hub)
        stack.push_async_callback(ended, [asyncio.create_task(one) for one in (heard.listen(wire), screen.watch())])
        await hub.start()
        stack.push_async_callback(hub.kill)
        await hub.or_its_end(screen.is_there())
        yield wire, heard, screen


@asynccontextmanager
async def evening(seed: int, speed: float) -> AsyncIterator[Evening]:
    """A broker, a virtual table, people, a screen and a hub that has just been started."""
    company.PATIENCE = LOOKS
    options, rng = Options(players=PLAYERS), random.Random(seed)
    plan = full_plan("table", PLAYERS, shared_spots(), things(HOUSE, PLAYERS))
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-cut-")))
        stack.push(partial(_keep_evidence, folder))  # after the hub has ended
        broker = await stack.enter_async_context(running_broker(kind="mosquitto"))
        hub = Hub(folder, plan, broker, speed)
        _, heard, screen = await stack.enter_async_context(started(hub, broker, plan))
        twin = await stack.enter_async_context(running_twin(plan, BOX.name, broker, seed, speed))
        one = Evening(hub, heard, screen, rng)
        hands = Hands(twin, screen)
        scenery = Scenery(hands, screen, random.Random(seed), Blind(plan), one.turn_is_over)  # type: ignore[arg-type]
        one.people = MegaCityCompany(BOX, options, tuple(Greedy() for _ in range(PLAYERS)), scenery)
        yield one


def _keep_evidence(folder: Path, _kind: object, error: BaseException | None, _trace: object) -> bool:
    """What went wrong shows in the journal, and hardly ever goes wrong again in the same way."""
    if isinstance(error, Lost | Stuck):
        kept = tempfile.mkdtemp(prefix="citytable-cut-kept-")
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        error.add_note(f"the journal and the hub's last words are kept in {kept}")
    return False


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel these, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def cut_off(seed: int, instants: int, speed: float = SPEED) -> Evening:
    """Up to so many cuts in one game, then two turns more; raises `Lost`, or `Stuck` where play stops."""
    async with evening(seed, speed) as one:
        playing = asyncio.create_task(one.people.play())
        try:
            while sum(one.cuts.values()) < instants and not one.over and not playing.done():
                cutting = asyncio.create_task(one.cut(Mosquitto()))
                await asyncio.wait({playing, cutting}, return_when=asyncio.FIRST_COMPLETED)
                await ended([cutting]) if playing.done() else cutting.result()
            last = one.turns + TURNS_AFTER
            while one.turns < last and not playing.done():
                one.turned.clear()
                turned = asyncio.create_task(one.turned.wait())
                await asyncio.wait({playing, turned}, return_when=asyncio.FIRST_COMPLETED)
                turned.cancel()
            if playing.done():
                playing.result()
        finally:
            await ended([playing])
        await one.hub.kill()
        one.look()
        one.resumed()
        return one


def main() -> int:
    """Cut, game after game, and count."""
    parser = argparse.ArgumentParser(description="pull the plug of a playing hub")
    parser.add_argument("--instants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; each further one has the next")
    parser.add_argument("--speed", type=float, default=SPEED, help="virtual seconds per second")
    options = parser.parse_args()
    cuts: Counter[str] = Counter()
    turns, seed, began_s = 0, options.seed, time.monotonic()
    while (left := options.instants - sum(cuts.values())) > 0:
        one = asyncio.run(cut_off(seed, left, options.speed))
        cuts += one.cuts
        turns += one.turns
        print(f"seed {seed}: {dict(one.cuts)}, {one.turns} turns, {one.heard.count} events")
        seed += 1
    print(f"{sum(cuts.values())} power cuts ({dict(cuts)}) in {turns} turns, {time.monotonic() - began_s:.0f} s:")
    print("every acknowledged message is in the journal, none twice; every turn's replay is what the people did")
    return 0


if __name__ == "__main__":
    sys.exit(main())
