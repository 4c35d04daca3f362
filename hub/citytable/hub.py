"""Run a hub: broker, link, journal and a session that plays one game.

With real stations, a hub continues the latest game of its journal, over or not, until people begin the next one at
the table. A virtual table always starts with everything in the box, so the hub begins a new game.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from citytable.box_file import enter_values
from citytable.enrolling import tagged
from citytable.games import chance_of, houses_of
from citytable.journal.backup import backups_of
from citytable.journal.decks import Cards, KeptDeck, cards_of, deck_of, kept_for_later
from citytable.journal.entry import Draft, Entry, GameStarted, ValuesEntered
from citytable.journal.journal import Journal
from citytable.journal.replay import Unreplayable, replay
from citytable.journal.store import JournalUnavailable
from citytable.journal.traces import Traces, traces_path
from citytable.link.broker import Broker, running_broker
from citytable.link.inbox import Marks
from citytable.link.link import Link
from citytable.link.no_stations import NoStations
from citytable.link.serial_bridge import serial_stations
from citytable.link.table_link import TableLink
from citytable.rules.errors import Unfitting
from citytable.session.agreeing import agreed, rulings_of, rulings_to_choose
from citytable.session.bot_seat import BotSeat
from citytable.session.box import Box, BoxedGame, GameOptions, Suspends, title_of
from citytable.session.copy import Copy, Owner
from citytable.session.play import Play
from citytable.session.recall import out_of_use, recall, stations_up
from citytable.session.session import Session
from citytable.session.shelf import SENTENCES, FreshGame, OtherGames
from citytable.session.troubles import Safe
from citytable.settings import Settings
from citytable.table.plan import Misconfigured, Plan
from citytable.table.spot import seat_of
from citytable.table.word import NextGame
from citytable.views.delay import Delay, Holds, holds_none, holds_while
from citytable.views.hands import HandsDoors
from citytable.views.keys import Keys, beside, kept_secret, new_secret
from citytable.views.next_game import Choices

AnyBox: TypeAlias = Box[Any, Any]
AnyGame: TypeAlias = BoxedGame[Any, Any]
AnyPlay: TypeAlias = Play[Any, Any]
AnySession: TypeAlias = Session[Any, Any]


class Hub(msgspec.Struct, frozen=True):
    """A hub playing one game. `notices` are lines to show to people at the start. Without stations it has no broker."""

    wire: Broker | None
    session: AnySession
    journal: Journal
    delay: Delay
    notices: tuple[str, ...]
    plan: Plan  # as its file was read
    shelf: "TableShelf"
    hands: HandsDoors = msgspec.field(default_factory=HandsDoors)

    @property
    def broker(self) -> Broker:
        """Return the broker; raises `LookupError` on a table without stations."""
        if self.wire is None:
            raise LookupError("a table without stations has no broker")
        return self.wire

    @property
    def play(self) -> AnyPlay:
        """Return the game on the table."""
        return self.session.play

    @property
    def game_id(self) -> str:
        """Return its name in the journal."""
        return self.session.game_id


class KeptGame(msgspec.Struct, frozen=True):
    """The game a hub plays: new, or as far as the journal knows it."""

    game_id: str
    game: AnyGame
    box: AnyBox  # with the values by which it counts
    over_us: int  # a moment after everything its entries hold
    entries: tuple[Entry, ...] = ()
    notices: tuple[str, ...] = ()


def box_for(cards: Cards, box: AnyBox, kept: Iterable[KeptDeck] = ()) -> AnyBox:
    """Return the game with these cards: those of this box, of the house deck, or kept ones.

    Raises `Unreplayable` if there are none, and if kept cards do not match their hash.
    """
    wanted = cards.deck_sha256
    if wanted in ("", box.fingerprint()):
        return box
    houses: tuple[AnyBox, ...] = houses_of(box.name)
    for house in houses:
        if wanted == house.fingerprint():
            return house
    name, found = f"the deck {cards.deck!r} (hash {wanted[:12]})", deck_of(cards, kept)
    if found is None:
        raise Unreplayable(
            f"the game was played with {name}, which is not kept here, and {box.deck!r} is another one or another "
            "version of it: give that deck's file with --deck"
        )
    try:
        again = box.with_deck_text(found.content, found.name)
    except Misconfigured as error:
        raise Unreplayable(f"{name} was kept and cannot be read: give its file with --deck. {error}") from error
    if again.fingerprint() != wanted:
        raise Unreplayable(
            f"{name} was kept and is damaged, its cards have the hash {again.fingerprint()[:12]}: "
            "give its file with --deck"
        )
    return again


def replayed(entries: tuple[Entry, ...], box: AnyBox, kept: Iterable[KeptDeck] = ()) -> AnyGame:
    """Return the game of journal entries, with the cards it was played with (`box_for`); raises `Unreplayable`."""
    first, cards = entries[0].body if entries else None, cards_of(entries)
    if isinstance(first, GameStarted) and first.game == box.name and cards is not None:
        box = box_for(cards, box, kept)
    return replayed_with(entries, box)


def replayed_with(entries: tuple[Entry, ...], box: AnyBox) -> AnyGame:
    """Return the game of journal entries with the cards of this box, whichever it had; raises `Unreplayable`."""

    def start(started: GameStarted) -> AnyGame:
        if started.game != box.name:
            raise Unreplayable(f"this is a game of {started.game!r}, not of {box.name!r}")
        try:
            options = box.read(started.options)
        except ValueError as error:
            raise Unreplayable(f"the game's options {started.options!r} make no sense ({error})") from None
        return box.begin(options)

    def at(game: AnyGame, text: str) -> AnyGame:
        return box.at(box.options_in(game.position), text)

    return replay(entries, start, box.action, at)


def _started(options: GameOptions, box: AnyBox, plan: Plan, asked_for: str) -> GameStarted:
    return GameStarted(
        game=box.name,
        options=box.written(options),
        deck=box.deck,
        deck_sha256=box.fingerprint(),
        plan=plan,
        instead_of="" if asked_for == box.name else asked_for,
    )


def _differing(mine: GameStarted, other: GameStarted, box: AnyBox, *, go_on: bool, ruled: bool) -> str:
    """Return why the game of a journal is not the one wanted; empty if it is.

    A game that people chose at the table is the wanted one, whatever players and rules the command line names. So is
    every game if the command line names none (`go_on`). If it names rulings (`ruled`), a game with other rulings is
    not, unless people chose these, too.
    """
    if other.game != mine.game:
        return f"it is {other.game}"
    if other.plan is None or mine.plan is None or other.plan.table != mine.plan.table:
        return "it was played on another table"
    try:
        wanted, found = box.read(mine.options), box.read(other.options)
    except ValueError as error:
        return f"its options make no sense: {error}"
    if ruled and not other.agreed and rulings_of(box, found) != rulings_of(box, wanted):
        return "it is played by other rulings"
    if (other.by or go_on) and found.players > mine.plan.seats:
        return f"it has {found.players} players, and the table {mine.plan.seats} seats"
    if not other.by and not go_on and (changed := box.changed(wanted, found)):
        return f"its options differ: {', '.join(changed)}"
    return "" if other.deck_sha256 == mine.deck_sha256 else f"its deck {other.deck!r} has other cards"


def _with_its_cards(began: GameStarted, cards: Cards, mine: GameStarted, *, named: bool) -> GameStarted:
    """Return how a game began, with its present cards: today's if it is played with the same named box."""
    same_box = named and cards.deck == mine.deck
    return msgspec.structs.replace(began, deck_sha256=mine.deck_sha256 if same_box else cards.deck_sha256)


async def _latest(journal: Journal, started: GameStarted, settings: Settings) -> tuple[KeptGame | None, str]:
    """Return the game that continues, or None; and a line about it."""
    box, named, mine = settings.box, settings.box_path is not None, Cards(started.deck, started.deck_sha256)
    row = await journal.latest()
    if row is None:
        return None, ""
    entries = (await journal.entries(row.id)).entries
    body = entries[0].body if entries else None
    why = "its beginning cannot be read"
    cards = cards_of(entries)
    if isinstance(body, GameStarted) and cards is not None:
        began = _with_its_cards(body, cards, started, named=named)
        why = _differing(started, began, box, go_on=settings.go_on, ruled=settings.ruled)
    if why:
        return None, f"the journal's latest game {row.id} stays as it is ({why}); a new one begins"
    played, also = box, ""
    if named and cards is not None and cards != mine:
        entries, played, also = await _with_values_entered_elsewhere(journal, row.id, entries, box, cards)
    this = KeptGame(row.id, replayed_with(entries, played), played, entries[-1].at_us + 1, entries)
    if row.over:
        return this, f"game {row.id} is over: the host's page begins the next one"
    return this, f"going on with game {row.id} after {len(this.game.actions)} actions{also}"


async def _with_values_entered_elsewhere(
    journal: Journal, game_id: str, entries: tuple[Entry, ...], box: AnyBox, cards: Cards
) -> tuple[tuple[Entry, ...], AnyBox, str]:
    """Return a game's entries, the box with which it continues if it can be this one, and a report about it."""
    if kept_for_later(entries) == box.fingerprint():
        words = "; it counts with the values it had: those entered since do not fit it, and count from the next game on"
        return entries, box_for(cards, box, await journal.decks()), words
    draft = Draft(entries[-1].at_us + 1, "system", ValuesEntered(deck=box.deck, deck_sha256=box.fingerprint()))
    try:
        replayed_with((*entries, Entry(len(entries) + 1, draft.at_us, draft.cause, draft.body)), box)
    except Unreplayable as error:
        words = f"; it counts with the values it had, since with those in the box's file it cannot have been: {error}"
        return entries, box_for(cards, box, await journal.decks()), words
    return (*entries, *await journal.commit(game_id, [draft])), box, ""


async def _free_id(settings: Settings, journal: Journal) -> str:
    """Return an id that no game of this journal has."""
    # in lock-step nothing depends on the clock: two runs of one seed write the same
    name = f"seed-{settings.seed}" if settings.speed is None else time.strftime("%Y-%m-%d-%H%M%S", time.gmtime())
    wanted = f"{settings.plan().table}-{name}"
    taken = await journal.ids()
    number = 1
    while (free := wanted if number == 1 else f"{wanted}-{number}") in taken:
        number += 1
    return free


async def begun(settings: Settings, journal: Journal, now_us: int) -> KeptGame:
    """Return the game to be played, its beginning written; raises `Unreplayable` when the latest one makes no sense."""
    box = settings.box
    started = _started(settings.options, box, settings.plan(), settings.asked_for)
    if (before := settings.sitting) is not None:
        names = before.names[: settings.options.players]
        started = msgspec.structs.replace(
            started, people=before.people, names=names, by=before.by, agreed=before.agreed
        )
    await journal.keep_deck(KeptDeck(started.deck_sha256, box.deck, box.deck_text()))
    resumed, line = (None, "")
    if not settings.twin and not started.by:
        resumed, line = await _latest(journal, started, settings)
    notices = (line,) if line else ()
    if resumed is not None:
        return msgspec.structs.replace(resumed, notices=notices)
    now_us = max(
        [now_us, *(us + 1 for us in (await journal.ids()).values())]
    )  # the latest one, even if the clock was set back
    game_id = await _free_id(settings, journal)
    await journal.commit(game_id, [Draft(now_us, "system", started)])
    return KeptGame(game_id, box.begin(settings.options), box, now_us + 1, notices=notices)


class TableShelf:
    """The next games for the table of these settings: the same game again, out of its box."""

    def __init__(self, settings: Settings, journal: Journal, copy: Copy | None = None) -> None:
        self._settings = settings
        self._journal = journal
        self._copy = Copy(settings.box) if copy is None else copy
        self._plan = settings.plan()
        self.others: OtherGames | None = None
        """What else can begin here, once somebody has said so."""

    @property
    def _box(self) -> AnyBox:
        """Return the box with the values that are known by now."""
        return self._copy.printed

    @property
    def _players(self) -> range:
        """Return how many may play at this table."""
        return range(self._box.players.start, min(self._box.players.stop, self._plan.seats + 1))

    def choices(self, position: Any, after: str, names: tuple[str, ...], *, over: bool) -> Choices:
        """Return the choices: numbers of players with seats, the easier rules if there are any, and the rulings."""
        options = self._box.options_in(position)
        return Choices(
            after=after,
            over=over,
            players=options.players,
            players_min=self._players.start,
            players_max=self._players.stop - 1,
            simplified=self._box.is_simplified(position),
            names=names,
            title=title_of(self._box),
            others=() if self.others is None else self.others.choices(),
            rulings=rulings_to_choose(self._box, options),
        )

    def leaves(self, wish: NextGame, people: str) -> Callable[[], None] | None:
        """Return the settings for a restart with another game; raises `Unfitting` if it cannot be played."""
        if not wish.game:
            return None
        if self.others is None:
            raise Unfitting(SENTENCES.text("no_game", game=wish.game, box=wish.box))
        return self.others.leaves(wish, people)

    def again(self, after: str, position: Any, names: tuple[str, ...], by: str) -> NextGame:
        """Return the wish for the same game; raises `Unfitting` at a table of real things: somebody has to tidy up."""
        if not self._settings.twin:
            raise Unfitting(SENTENCES.text("host_begins"))
        players, simplified = self._box.options_in(position).players, bool(self._box.is_simplified(position))
        return NextGame(after=after, players=players, simplified=simplified, same_people=True, names=names, by=by)

    async def take(self, wish: NextGame, position: Any) -> FreshGame[Any, Any]:
        """Return the game that was chosen; raises `Unfitting` when the table has too few seats."""
        if wish.players not in self._players:
            least, most = self._players.start, self._players.stop - 1
            raise Unfitting(SENTENCES.text("seats", players=wish.players, least=least, most=most))
        as_before = self._box.next_options(position, wish.players, simplified=wish.simplified)
        options = agreed(self._box, as_before, wish.rulings)
        chosen = rulings_of(self._box, options) != rulings_of(self._box, self._settings.options)
        started = msgspec.structs.replace(
            _started(options, self._box, self._plan, self._settings.asked_for), agreed=chosen
        )
        game_id = await _free_id(self._settings, self._journal)
        return FreshGame(game_id, started, self._box.table(), self._box.begin(options).start)


def _unused_spots(plan: Plan, box: AnyBox) -> str:
    """Return a line about spots between the players that the game has no use for: perhaps a slip in the plan file."""
    used = set(box.shared_spots().spots)
    unused = [spot for spot in plan.spot_plans() if seat_of(spot) is None and spot not in used]
    return f"{box.name} does not use these spots of the plan: {', '.join(unused)}" if unused else ""


def running_clock(pace: float, not_before_us: int = 0) -> Callable[[], int]:
    """Return a clock: microseconds since 1970 at the start, then `pace` times as fast as the wall clock.

    It does not leap when the machine's clock is set. A virtual table's stations run at its speed, so the hub must too:
    otherwise their crystals would seem to drift by seconds every second, and nothing would rest for long enough. It
    begins no earlier than `not_before_us`: after a power cut, a Pi without a battery starts at a past time, and new
    events would seem to lie before the journal's entries.
    """
    start_us, start_ns = max(time.time_ns() // 1000, not_before_us), time.monotonic_ns()
    return lambda: start_us + int((time.monotonic_ns() - start_ns) * pace) // 1000


@asynccontextmanager
async def _open_records(settings: Settings) -> AsyncIterator[tuple[Journal, Traces]]:
    """Open the journal, and beside it the traces."""
    with tempfile.TemporaryDirectory(prefix="citytable-") as scratch:
        path = settings.journal_path or (settings.scratch or Path(scratch)) / "journal.sqlite3"
        backups = None if settings.journal_path is None else backups_of(path)
        async with Journal.open(path, backups) as journal, Traces.open(traces_path(path)) as traces:
            yield journal, traces


@asynccontextmanager
async def _hearing(session: AnySession, link: Link, *, live: bool) -> AsyncIterator[None]:
    """Run the session while inside. If it fails, the body is cancelled and the session's error is raised."""
    try:
        async with link, asyncio.TaskGroup() as group:
            group.create_task(session.run(), name="session")
            looking = group.create_task(session.look_out(), name="troubles") if live else None
            try:
                yield
            finally:
                await link.stop()  # which ends the session
                if looking is not None:
                    looking.cancel()
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None


@asynccontextmanager
async def _running_wire(settings: Settings) -> AsyncIterator[Broker | None]:
    """Run the broker while inside; a table without stations has no broker."""
    if settings.phones:
        yield None
        return
    own = running_broker(
        external=settings.external(),
        port=settings.broker_port,
        stations=settings.stations(),
        private=settings.private,
    )
    async with own as broker:
        yield broker


@asynccontextmanager
async def _cables(settings: Settings, wire: Broker | None) -> AsyncIterator[None]:
    """Serve the stations on cables while inside."""
    if wire is None:
        yield
        return
    async with serial_stations(settings.serial, wire, settings.plan().table):
        yield


def _link(
    settings: Settings, wire: Broker | None, this: KeptGame, marks: Marks, clock: Callable[[], int] | None
) -> Link:
    """Return the link to the table's stations, through this broker; without a clock it is in lock-step."""
    plan = settings.plan()
    now_us = clock or (lambda: 0)
    if wire is None:
        return NoStations(plan.table, now_us)
    rng = random.Random(settings.seed) if settings.speed is None else random.SystemRandom()
    return TableLink(
        plan.table,
        wire,
        hub_boot=rng.getrandbits(30),
        now_us=now_us,
        marks=marks,
        lock_step=clock is None,
        pace=settings.speed or 1.0,
        awaited=() if clock is None else stations_up(this.entries),
        stations=[station.station for station in plan.stations],
        scales=plan.counts_per_g(),
    )


@asynccontextmanager
async def _thinking() -> AsyncIterator[ThreadPoolExecutor]:
    """Lend a thread while inside, started at the first use; at the end nobody waits for its last task."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bot")
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _owner(settings: Settings) -> Owner | None:
    """Return the door through which people enter the values of their own box, or None without a named box."""
    if settings.box_path is None:
        return None
    return Owner(settings.box, partial(enter_values, settings.box_path), replayed_with)


async def _marks(journal: Journal, this: KeptGame, plan: Plan) -> Marks:
    """Return how far stations were heard, without old starts that send nothing any more."""
    marks = await journal.marks()
    old = out_of_use(marks, this.entries, {one.station for one in plan.stations})
    with suppress(JournalUnavailable):  # a disk that is full now: another start of the hub will forget them
        await journal.forget_marks(old)
    return marks


class _LaidOut(NamedTuple):
    """A table at which a game can be played. `notices` are those of its game."""

    session: AnySession
    link: Link
    shelf: TableShelf
    notices: tuple[str, ...]


async def _laid_out(
    settings: Settings, wire: Broker | None, journal: Journal, traces: Traces, thinking: ThreadPoolExecutor
) -> _LaidOut:
    """Return a table with its game; raises the errors of `begun`.

    Only the session keeps that game: otherwise a long-running hub would hold its first game and all of its entries for
    ever.
    """
    plan, box = settings.plan(), settings.box
    this = await begun(settings, journal, 0 if settings.speed is None else time.time_ns() // 1000)
    clock = None if settings.speed is None else running_clock(settings.speed, this.over_us)
    link = _link(settings, wire, this, await _marks(journal, this, plan), clock)
    known = plan if settings.plan_path is None else tagged(plan, settings.box_path)
    play: AnyPlay = Play(this.box.table(), known, this.game.start)
    play.copy = copy = Copy(this.box, _owner(settings))
    play.bot = BotSeat(lambda: copy.box, partial(chance_of, box.name), thinking.submit)
    recall(play, this.entries, lambda entries: replayed_with(entries, copy.box))
    session: AnySession = Session(
        this.game_id,
        play,
        link,
        Safe(journal, patient=clock is not None),  # in lock-step nobody waits
        replay=lambda entries: replayed_with(entries, copy.box),
        now_us=clock,
    )
    session.keep_signals(traces)
    session.chooses_from(shelf := TableShelf(settings, journal, copy))
    if this.entries:
        session.resumed(this.entries)
    elif settings.sitting is not None:
        session.people = settings.sitting.people or this.game_id
        play.names = settings.sitting.names[: settings.options.players]
    return _LaidOut(session, link, shelf, this.notices)


@asynccontextmanager
async def running_hub(settings: Settings) -> AsyncIterator[Hub]:
    """Run a broker, the link, the journal and a session that plays a game; raises the errors of each."""
    plan, box = settings.plan(), settings.box
    async with (
        _running_wire(settings) as wire,
        _open_records(settings) as (journal, traces),
        _thinking() as thinking,
    ):
        session, link, shelf, of_game = await _laid_out(settings, wire, journal, traces, thinking)
        said = "" if wire is None else wire.notice
        lines = (said, *journal.damage, traces.trouble, _unused_spots(plan, box), *of_game)
        notices = tuple(line for line in lines if line)
        hearing = _hearing(session, link, live=settings.speed is not None)
        async with hearing, _cables(settings, wire):
            later = asyncio.get_running_loop().call_later
            delay = Delay(session.view(), settings.delay_s, later, _holds(settings))
            session.show_on(delay.show)
            yield Hub(wire, session, journal, delay, notices, plan, shelf)


def _holds(settings: Settings) -> Holds:
    """Return the moments for which the public waits; raises `Misconfigured` if the game has none."""
    if not settings.hold:
        return holds_none
    if not isinstance(settings.box, Suspends):
        raise Misconfigured(f"{settings.box.name} has no act whose outcome the public could wait for: leave out --hold")
    return holds_while(settings.box.suspense)


def keys_of(settings: Settings, hub: Hub) -> Keys:
    """Return the keys for the host's page and the players'; raises `Misconfigured`.

    They last as long as the journal or, without one, as long as the people sit.
    """
    journal, before = settings.journal_path, settings.sitting
    passing = new_secret() if before is None else before.secret
    secret = passing if journal is None else kept_secret(beside(journal))
    return Keys(secret, settings.plan().table, hub.session.people, start=new_secret().hex())
