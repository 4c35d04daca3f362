"""What a host does on an evening, each act with a connection of its own to PostgreSQL."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from citytable.venue.evening import Evening
from citytable.venue.facts import EveningBegun, Fact, Refused
from citytable.venue_desk.store import Store

Decide = Callable[[Evening], Fact]


async def begin(address: str, name: str, season: str, fact: EveningBegun, *, over_unfinished: bool = False) -> None:
    """Begin an evening; raise `Refused` or `StoreUnavailable`, as all of these do.

    `Refused` also while the latest evening plays a round, unless `over_unfinished`: its results would go astray.
    """
    async with Store.opened(address) as store:
        if not over_unfinished and await store.evenings():
            latest = await store.latest()
            if missing := (await store.evening(latest)).unfinished():
                raise Refused(
                    f"evening {latest!r} is still played at {', '.join(missing)}: give these results first, "
                    "or begin with --over-unfinished"
                )
        await store.begin(name, season, fact)


async def change(address: str, name: str | None, decisions: Iterable[Decide]) -> Evening:
    """Add facts to an evening, the latest one where no name is given, and return how it stands then."""
    async with Store.opened(address) as store:
        found = name or await store.latest()
        return await store.add(found, *decisions)


async def change_season(
    address: str, name: str | None, decide: Callable[[Mapping[str, Evening]], Mapping[str, Fact]]
) -> int:
    """Add facts to evenings of the season of an evening, the latest one where no name is given; return to how many."""
    async with Store.opened(address) as store:
        return await store.add_to_season(name or await store.latest(), decide)


async def rewrite(address: str, decide: Callable[[Mapping[str, Sequence[Fact]]], Mapping[str, list[Fact]]]) -> int:
    """Rewrite facts of evenings; return of how many."""
    async with Store.opened(address) as store:
        return await store.rewrite(decide)


async def season_of(address: str, name: str | None) -> tuple[str, tuple[Evening, ...]]:
    """Return a season's name, that of the latest evening where none is given, and its evenings."""
    async with Store.opened(address) as store:
        kept = await store.evenings()
        latest = await store.latest()
        season = name or next(one.season for one in kept if one.name == latest)
        return season, tuple([await store.evening(one.name) for one in kept if one.season == season])


def new_seed() -> int:
    """Return a seed for the lots of an evening."""
    return random.SystemRandom().getrandbits(20)
