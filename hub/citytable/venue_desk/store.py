"""Evenings in PostgreSQL: facts that are only ever added, each once, also when the server restarts in between.

Every act is one transaction. Where the server is lost the act is tried again, for up to `PATIENCE_S`; a fact carries an
id and a report its table, game and end, so an act that was committed without our hearing of it is not done twice. Only
to forget a player facts are rewritten; the database refuses it otherwise.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any, Self, TypeVar
from uuid import uuid4

import msgspec
import psycopg

from citytable.venue.evening import Evening, after, evening_of
from citytable.venue.facts import EveningBegun, Fact, GamePlayed, Refused

PATIENCE_S = 30.0
FIRST_S = 2.0
"""At the beginning: an address may be wrong, and a host waits for the answer."""
AGAIN_S = 0.2
_LOCK = 0x63697479  # of the migrations; any number that nobody else uses
_Done = TypeVar("_Done")
_Connection = psycopg.AsyncConnection[tuple[Any, ...]]
_LOGGER = logging.getLogger(__name__)


class StoreUnavailable(RuntimeError):
    """PostgreSQL cannot be had: the text is one sentence for the host."""


class Report(msgspec.Struct, frozen=True):
    """Hold what a table reports about a game that is over: the points of seats 1, 2, ... and when it ended."""

    table: str
    game: str
    ended_us: int
    points: tuple[int, ...]


class Kept(msgspec.Struct, frozen=True):
    """Name an evening that is kept."""

    no: int
    name: str
    season: str


class Store:
    """Keep evenings; make one with `opened`."""

    def __init__(self, address: str, patience_s: float = PATIENCE_S) -> None:
        self._address = address
        self._patience_s = patience_s
        self._connection: _Connection | None = None
        self._one_by_one = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def opened(cls, address: str, patience_s: float = PATIENCE_S) -> AsyncIterator[Self]:
        """Connect, and bring the tables to this version; raise `StoreUnavailable`."""
        store = cls(address, patience_s)
        try:
            await store._act(_migrate, min(FIRST_S, patience_s))
            yield store
        finally:
            await store._hang_up()

    async def evenings(self, season: str | None = None) -> tuple[Kept, ...]:
        """Return the evenings, of one season or of all, in the order in which they began."""

        async def act(connection: _Connection) -> tuple[Kept, ...]:
            rows = await connection.execute("select no, name, season from evening order by no")
            return tuple(Kept(*row) for row in await rows.fetchall() if season in {None, row[2]})

        return await self._act(act)

    async def latest(self) -> str:
        """Return the name of the evening that began last; raise `Refused` where none has."""
        kept = await self.evenings()
        if not kept:
            raise Refused("no evening has begun: citytable venue begin")
        return kept[-1].name

    async def begin(self, name: str, season: str, fact: EveningBegun) -> None:
        """Begin an evening; raise `Refused` where there is one of this name."""
        evening_of([fact])  # refuses what makes no evening
        fact_id = str(uuid4())

        async def act(connection: _Connection) -> None:
            if await _is_known(connection, fact_id):
                return
            made = await connection.execute(
                "insert into evening (name, season) values (%s, %s) on conflict do nothing returning no", (name, season)
            )
            row = await made.fetchone()
            if row is None:
                raise Refused(f"there is an evening {name!r} already")
            await _append(connection, row[0], 1, fact_id, fact)

        await self._act(act)

    async def evening(self, name: str) -> Evening:
        """Return an evening; raise `Refused` where there is none of this name."""

        async def act(connection: _Connection) -> Evening:
            return evening_of(await _facts(connection, await _number(connection, name)))

        return await self._act(act)

    async def add(self, name: str, *decisions: Callable[[Evening], Fact]) -> Evening:
        """Add facts, each decided on the evening as it stands then: all of them or, where one is `Refused`, none.

        Return the evening after them.
        """
        fact_ids = [str(uuid4()) for _ in decisions]

        async def act(connection: _Connection) -> Evening:
            no = await _number(connection, name)
            facts = await _facts(connection, no, alone=True)
            evening = evening_of(facts)
            if fact_ids and await _is_known(connection, fact_ids[0]):
                return evening
            for k, (fact_id, decide) in enumerate(zip(fact_ids, decisions, strict=True), len(facts) + 1):
                fact = decide(evening)
                evening = after(evening, fact)
                await _append(connection, no, k, fact_id, fact)
            return evening

        return await self._act(act)

    async def add_to_season(self, name: str, decide: Callable[[Mapping[str, Evening]], Mapping[str, Fact]]) -> int:
        """Add a fact to some evenings of the season that this one belongs to: to all that were decided, or to none.

        Return to how many. `decide` gets the evenings by their names, the oldest first.
        """
        fact_ids: defaultdict[str, str] = defaultdict(lambda: str(uuid4()))

        async def act(connection: _Connection) -> int:
            await _number(connection, name)
            rows = await connection.execute(
                "select no, name from evening where season = (select season from evening where name = %s) order by no",
                (name,),
            )
            numbers = {row[1]: row[0] for row in await rows.fetchall()}
            facts = {at: await _facts(connection, no, alone=True) for at, no in numbers.items()}
            if fact_ids and await _is_known(connection, next(iter(fact_ids.values()))):
                return len(fact_ids)
            evenings = {at: evening_of(kept) for at, kept in facts.items()}
            decided = decide(evenings)
            for at, fact in decided.items():
                after(evenings[at], fact)
                await _append(connection, numbers[at], len(facts[at]) + 1, fact_ids[at], fact)
            return len(decided)

        return await self._act(act)

    async def rewrite(self, decide: Callable[[dict[str, list[Fact]]], Mapping[str, list[Fact]]]) -> int:
        """Rewrite facts, on all evenings or on none; return on how many. No copy of the old ones stays.

        `decide` gets the facts of every evening by its name, and returns those of the evenings that change.
        """
        done: list[int] = []

        async def act(connection: _Connection) -> int:
            rows = await connection.execute("select no, name from evening order by no")
            numbers = {row[1]: row[0] for row in await rows.fetchall()}
            facts = {at: await _facts(connection, no, alone=True) for at, no in numbers.items()}
            try:
                changed = decide(facts)
            except Refused:
                if done:  # it was committed the last time, without our hearing of it
                    return done[0]
                raise
            done[:] = [len(changed)]
            await connection.execute("set local citytable.forgetting = 'on'")  # only for this transaction
            for at, anew in changed.items():
                evening_of(anew)
                for k, (old, new) in enumerate(zip(facts[at], anew, strict=True), 1):
                    if old != new:
                        await _replace(connection, numbers[at], k, new)
            return len(changed)

        return await self._act(act)

    async def report(self, report: Report) -> str | None:
        """Take in what a table reports; return the name of the evening that it changed, None where it was known.

        It belongs to the evening that has the game already, else to the latest one.
        """

        async def act(connection: _Connection) -> str | None:
            kept = await _evening_of_report(connection, report)
            facts = [] if kept is None else await _facts(connection, kept.no, alone=True)
            if not await _is_new(connection, report, None if kept is None else kept.no) or kept is None:
                return None
            evening = evening_of(facts)
            known = evening.games.get((report.table, report.game))
            if known is not None and known.points == report.points:
                return None  # a hub that has started again says what it said before
            fact = _played(evening, report)
            await _append(connection, kept.no, len(facts) + 1, str(uuid4()), fact)
            return kept.name

        return await self._act(act)

    async def _act(self, act: Callable[[_Connection], Awaitable[_Done]], patience_s: float | None = None) -> _Done:
        """Do something in one transaction, again and again while the server is away."""
        give_up_s = time.monotonic() + (self._patience_s if patience_s is None else patience_s)
        async with self._one_by_one:
            while True:
                try:
                    connection = await self._connected()
                    async with connection.transaction():
                        return await act(connection)
                except psycopg.OperationalError as error:
                    await self._hang_up()
                    if time.monotonic() > give_up_s:
                        raise StoreUnavailable(_sentence(error)) from None
                    _LOGGER.info("PostgreSQL is away, trying again: %s", error)
                    await asyncio.sleep(AGAIN_S)

    async def _connected(self) -> _Connection:
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, connect_timeout=5)
        return self._connection

    async def _hang_up(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


def _sentence(error: psycopg.OperationalError) -> str:
    said = " ".join(str(error).split()) or type(error).__name__
    return f"PostgreSQL does not answer ({said}): start it, or give its address with --postgresql"


def _played(evening: Evening, report: Report) -> GamePlayed:
    """Return the fact that a report makes: of the round that has this game already, else of the next one."""
    known = evening.games.get((report.table, report.game))
    round_no = evening.round_of_next_game(report.table, report.points) if known is None else known.round_no
    fact = GamePlayed(report.table, report.game, round_no, report.points, report.ended_us)
    try:
        after(evening, fact)
    except Refused as error:
        _LOGGER.warning("the game %s of table %s counts for no round: %s", report.game, report.table, error)
        return msgspec.structs.replace(fact, round_no=None)
    return fact


async def _migrate(connection: _Connection) -> None:
    await connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
    await connection.execute(
        "create table if not exists migration (no int primary key, came timestamptz default now())"
    )
    row = await (await connection.execute("select coalesce(max(no), 0) from migration")).fetchone()
    done = row[0] if row else 0
    scripts = resources.files(__package__).joinpath("migrations").iterdir()
    for script in sorted(scripts, key=lambda path: path.name):
        no = int(script.name.partition("-")[0])
        if no > done:
            await connection.execute(script.read_bytes())
            await connection.execute("insert into migration (no) values (%s)", (no,))


async def _number(connection: _Connection, name: str) -> int:
    row = await (await connection.execute("select no from evening where name = %s", (name,))).fetchone()
    if row is None:
        raise Refused(f"there is no evening {name!r}")
    return int(row[0])


async def _facts(connection: _Connection, no: int, *, alone: bool = False) -> list[Fact]:
    """Return the facts of an evening; `alone`: nobody else adds one before this transaction ends."""
    if alone:
        await connection.execute("select pg_advisory_xact_lock(%s, %s)", (_LOCK, no))
    rows = await connection.execute("select fact::text from fact where evening = %s order by no", (no,))
    return [msgspec.json.decode(row[0], type=Fact) for row in await rows.fetchall()]


async def _is_known(connection: _Connection, fact_id: str) -> bool:
    return await (await connection.execute("select 1 from fact where id = %s", (fact_id,))).fetchone() is not None


async def _append(connection: _Connection, no: int, at: int, fact_id: str, fact: Fact) -> None:
    text = msgspec.json.encode(fact).decode()
    await connection.execute(
        "insert into fact (evening, no, id, fact) values (%s, %s, %s, %s::jsonb)", (no, at, fact_id, text)
    )


async def _replace(connection: _Connection, no: int, at: int, fact: Fact) -> None:
    text = msgspec.json.encode(fact).decode()
    await connection.execute("update fact set fact = %s::jsonb where evening = %s and no = %s", (text, no, at))


async def _evening_of_report(connection: _Connection, report: Report) -> Kept | None:
    """Return the evening that a game belongs to: that of its first report, also where it is none, else the latest."""
    first = await connection.execute(
        "select evening from report where table_name = %s and game = %s order by came limit 1",
        (report.table, report.game),
    )
    known = await first.fetchone()
    found = await connection.execute(
        "select no, name, season from evening where no = %s"
        if known
        else "select no, name, season from evening order by no desc limit 1",
        known or (),
    )
    row = await found.fetchone()
    return None if row is None else Kept(*row)


async def _is_new(connection: _Connection, report: Report, evening: int | None) -> bool:
    made = await connection.execute(
        """insert into report (table_name, game, ended_us, points, evening) values (%s, %s, %s, %s, %s)
           on conflict do nothing returning 1""",
        (report.table, report.game, report.ended_us, list(report.points), evening),
    )
    return await made.fetchone() is not None
