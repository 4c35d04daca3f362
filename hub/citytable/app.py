"""The composition root: the only file that knows every room. It wires, and decides nothing."""

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import Action
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Options, Position
from citytable.games.megacity.table_side import MegaCityTable
from citytable.journal.entry import Draft, Entry, GameStarted
from citytable.journal.export import write_export
from citytable.journal.journal import Journal
from citytable.journal.replay import replay
from citytable.link.broker import Broker, running_broker
from citytable.link.table_link import TableLink
from citytable.rehearsal.company import Company
from citytable.rehearsal.judge import Counts, Verdict, judged
from citytable.rehearsal.twin import Twin, running_twin
from citytable.session.play import Play
from citytable.session.session import Session
from citytable.settings import Settings
from citytable.views.server import Doors, Server

MegaCityPlay: TypeAlias = Play[Action, Position]
MegaCitySession: TypeAlias = Session[Action, Position]


class Hub(msgspec.Struct, frozen=True):
    """A hub playing one game."""

    broker: Broker
    session: MegaCitySession
    play: MegaCityPlay
    journal: Journal
    game_id: str


def replayed(entries: tuple[Entry, ...], deck: Deck) -> MegaCity:
    """The game that journal entries tell; raises `Unreplayable`."""
    return replay(entries, lambda started: MegaCity(msgspec.convert(started.options, Options), deck), action_from_text)


def _clock() -> Callable[[], int]:
    start_ns = time.monotonic_ns()
    return lambda: (time.monotonic_ns() - start_ns) // 1000


@asynccontextmanager
async def _journal(settings: Settings, game_id: str) -> AsyncIterator[Journal]:
    """The journal, with the first entry of a new game."""
    started = GameStarted(
        game="megacity",
        options=msgspec.to_builtins(settings.options),
        deck=settings.deck().name,
        plan=settings.plan(),
    )
    with tempfile.TemporaryDirectory(prefix="citytable-") as scratch:
        async with Journal.open(settings.journal_path or Path(scratch) / "journal.sqlite3") as journal:
            await journal.commit(game_id, [Draft(0, "system", started)])
            yield journal


@asynccontextmanager
async def running_hub(settings: Settings) -> AsyncIterator[Hub]:
    """A broker, the link, the journal and a session with a new game; raises what each of them raises."""
    plan, deck = settings.plan(), settings.deck()
    game_id = f"{settings.table}-{time.time_ns()}"
    clock = None if settings.speed is None else _clock()
    async with (
        running_broker(address=settings.broker_address, port=settings.broker_port) as broker,
        _journal(settings, game_id) as journal,
    ):
        link = TableLink(
            plan.table,
            broker,
            hub_boot=random.Random(settings.seed).getrandbits(30),
            now_us=clock or (lambda: 0),
            marks=await journal.marks(),
            lock_step=clock is None,
        )
        play: MegaCityPlay = Play(MegaCityTable(deck), plan, MegaCity(settings.options, deck).position)
        session: MegaCitySession = Session(game_id, play, link, journal, now_us=clock)
        async with link:
            hearing = asyncio.create_task(session.run(), name="session")
            try:
                yield Hub(broker, session, play, journal, game_id)
            finally:
                await link.stop()
                await hearing


def virtual_table(settings: Settings, hub: Hub) -> AbstractAsyncContextManager[Twin]:
    """The twin at the hub's broker, ready to act."""
    return running_twin(settings.plan(), f"{hub.broker.host}:{hub.broker.port}", settings.seed, settings.speed)


def company(settings: Settings, hub: Hub, twin: Twin, on_turn: Callable[[Position], None]) -> Company:
    """Bots at every seat."""
    game = MegaCity(settings.options, settings.deck())
    bots = tuple(Greedy() for _ in range(settings.options.players))
    rng = random.Random(settings.seed)
    return Company(game, bots, twin, hub.session, rng, faults=settings.faults, on_turn=on_turn)


async def rehearse(settings: Settings, export: Path | None = None) -> Verdict:
    """One whole game on the virtual table; raises `Stuck` or `TwinError` when it cannot be played to its end."""
    wrong: list[Position] = []
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        umpire = hub.play.umpire
        people = company(settings, hub, twin, lambda truth: wrong.append(truth) if umpire.position != truth else None)
        await people.play()
        entries = await hub.journal.entries(hub.game_id)
        if export is not None:
            write_export(export, hub.game_id, entries.entries)
        counts = Counts(
            physical_acts=twin.acts_done,
            actions=len(people.intentions),
            actions_inferred=hub.play.inferred,
            questions_asked=umpire.questions_asked,
            wrong_confirmations=len(wrong),
            collapses=hub.play.collapses,
            corrections=people.corrections,
            unnoticed=people.unnoticed,
        )
        again = replayed(entries.entries, settings.deck())
        return judged(people.truth(), umpire.position, again.position, counts)


@asynccontextmanager
async def screens(session: MegaCitySession, host: str, port: int) -> AsyncIterator[int]:
    """The web server of a session; gives its port."""
    doors = Doors(answer=session.answer, state=session.state, now_us=session.now_us)
    server = Server(session.view(), doors, first_seq=time.time_ns() // 1_000_000)
    session.show_on(server.show)
    try:
        yield await server.start(host, port)
    finally:
        await server.stop()
