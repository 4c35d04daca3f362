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
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from host_screen import Hands, Screen
from hub_process import PLAYERS, Hub, Lost, Misread, Mosquitto

from citytable.bots.greedy import Greedy
from citytable.games.megacity.box import BOX
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options, Position
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.entry import Entry, FactNoted
from citytable.link.broker import Broker, running_broker
from citytable.link.mqtt import MqttConnection
from citytable.rehearsal import company
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.company import Scenery, Stuck
from citytable.rehearsal.megacity.acts import holds
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.rehearsal.twin import running_twin
from citytable.table.fact import ButtonPressed, TagCame, TagLeft
from citytable.table.plan import Plan, full_plan
from tablewire import messages

SPEED = 10.0
LOOKS = 600  # how often people look at the display before they say that it is stuck: the hub is away now and then
EVENTS_BETWEEN = 12  # at most, from a start to the next cut
DELAY_S = 0.15  # at most, from an event to the cut: about twice what the hub takes from hearing it to acknowledging it
STARTING_S = 0.9  # at most, from a start to a cut in the middle of it
TURNS_AFTER = 2


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

    async def cut(self, mosquitto: Mosquitto) -> None:
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
    mosquitto = Mosquitto()
    async with evening(seed, speed) as one:
        playing = asyncio.create_task(one.people.play())
        try:
            while sum(one.cuts.values()) < instants and not one.over and not playing.done():
                cutting = asyncio.create_task(one.cut(mosquitto))
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
