"""Evenings in a real PostgreSQL: facts are kept once, also when the server is killed in between."""

import asyncio
import random

import psycopg
import pytest

from citytable.venue.draw import draw
from citytable.venue.facts import EveningBegun, PlayerCame, PlayerLeft, Refused, ResultRuled, TableOpened
from citytable.venue.naming import merging, renaming
from citytable.venue.standings import standings
from citytable.venue_desk.store import Report, Store, StoreUnavailable

pytestmark = [pytest.mark.postgresql, pytest.mark.long(4)]

BEGUN = EveningBegun(2, 4, rounds=3, seed=7)
NAMES = ("Ada", "Ben", "Cleo", "Dev")


async def _begin(store, name="friday"):
    await store.begin(name, "autumn", BEGUN)
    for fact in (TableOpened("north"), *map(PlayerCame, NAMES)):
        await store.add(name, lambda _, fact=fact: fact)


async def test_an_evening_is_there_again_for_the_next_process(store, another):
    await _begin(store)
    drawn = await store.add("friday", draw)
    async with another() as other:
        assert await other.evening("friday") == drawn
        assert [kept.name for kept in await other.evenings("autumn")] == ["friday"]
        assert await other.evenings("spring") == ()


async def test_a_refused_fact_is_not_kept(store):
    await _begin(store)
    before = await store.evening("friday")
    with pytest.raises(Refused, match="Ada is here already"):
        await store.add("friday", lambda _: PlayerCame("Ada"))
    with pytest.raises(Refused, match="already"):
        await store.begin("friday", "autumn", BEGUN)
    with pytest.raises(Refused, match="no evening 'monday'"):
        await store.evening("monday")
    with pytest.raises(Refused, match="a table seats"):
        await store.begin("monday", "autumn", EveningBegun(4, 2, rounds=1, seed=1))
    assert await store.evening("friday") == before


async def test_of_several_facts_all_are_kept_or_none(store):
    await _begin(store)
    with pytest.raises(Refused, match="Ada is here already"):
        await store.add("friday", lambda _: PlayerCame("Eve"), lambda _: PlayerCame("Ada"))
    assert "Eve" not in (await store.evening("friday")).present
    evening = await store.add("friday", lambda _: PlayerCame("Eve"), lambda _: PlayerCame("Finn"))
    assert evening == await store.evening("friday")
    assert {"Eve", "Finn"} <= evening.present


async def test_two_desks_draw_one_round(store, another):
    await _begin(store)
    async with another() as other:
        told = await asyncio.gather(store.add("friday", draw), other.add("friday", draw), return_exceptions=True)
    assert sorted(isinstance(one, Refused) for one in told) == [False, True]
    assert len((await store.evening("friday")).rounds) == 1


async def test_a_report_that_comes_again_changes_nothing_and_a_later_end_of_the_game_does(store):
    await _begin(store)
    await store.add("friday", draw)
    report = Report("north", "g1", 1_000, (4, 3, 2, 1))
    assert [await store.report(report) for _ in range(3)] == ["friday", None, None]
    assert (await store.evening("friday")).points(1, "north") == (4, 3, 2, 1)
    assert await store.report(Report("north", "g1", 3_000, (1, 2, 3, 4))) == "friday"
    await store.report(Report("north", "g1", 2_000, (9, 9, 9, 9)))  # was on its way for longer
    assert (await store.evening("friday")).points(1, "north") == (1, 2, 3, 4)


async def test_a_game_of_an_earlier_evening_stays_there(store):
    await _begin(store)
    await store.add("friday", draw)
    await store.report(Report("north", "g1", 1_000, (4, 3, 2, 1)))
    await _begin(store, "saturday")
    await store.add("saturday", draw)
    assert await store.report(Report("north", "g1", 1_000, (4, 3, 2, 1))) is None  # what a broker still kept
    assert await store.report(Report("north", "g1", 2_000, (1, 3, 2, 4))) == "friday"
    assert (await store.evening("saturday")).games == {}


async def test_a_game_from_before_the_evening_is_no_game_of_its_first_round(store):
    warm_up = Report("north", "g0", 1_000, (4, 3, 2, 1))
    assert await store.report(warm_up) is None
    await _begin(store)
    await store.add("friday", draw)
    assert await store.report(warm_up) is None
    assert await store.report(Report("north", "g0", 2_000, (5, 3, 2, 1))) is None  # put right at the table
    assert (await store.evening("friday")).unfinished() == ("north",)


async def test_a_report_that_no_longer_fits_its_round_counts_for_none(store, caplog):
    await _begin(store)
    await store.add("friday", draw)
    await store.report(Report("north", "g1", 1_000, (4, 3, 2, 1)))
    await store.report(Report("north", "g1", 2_000, (4, 3)))
    assert (await store.evening("friday")).unfinished() == ("north",)
    assert "give as many points, not 2" in caplog.text


@pytest.mark.parametrize("table", ["evening", "fact", "report"])
@pytest.mark.parametrize("change", ["delete from {}", "truncate {} cascade", "update {} set came = now()"])
async def test_rows_are_only_ever_added(store, address, table, change):
    await _begin(store)
    words = change.format(table).replace("came", "began" if table == "evening" else "came")
    with psycopg.connect(address) as connection, pytest.raises(psycopg.errors.RaiseException, match="only ever added"):
        connection.execute(words.encode())


async def test_a_server_that_is_killed_in_mid_evening_loses_nothing_and_keeps_nothing_twice(store, postgresql):
    await _begin(store)
    rng = random.Random(5)
    for round_no in (1, 2, 3):
        await store.add("friday", draw)
        report = Report("north", f"g{round_no}", round_no, tuple(rng.sample(range(20), 4)))
        postgresql.kill()
        waiting = asyncio.create_task(store.report(report))  # the table does not know that the server is away
        ruling = ResultRuled(round_no, "north", report.points, "read from the screen")
        by_hand = asyncio.create_task(store.add("friday", lambda _, ruling=ruling: ruling))
        await asyncio.to_thread(postgresql.start)
        assert await waiting == "friday"
        await by_hand
        assert await store.report(report) is None
    evening = await store.evening("friday")
    assert [game.round_no for game in evening.games.values()] == [1, 2, 3]
    assert [line.games for line in standings(evening)] == [3, 3, 3, 3]


class _Unheard(Store):
    """The connection breaks when the commit is done and before we hear of it, once."""

    breaks = False

    async def _act(self, act, patience_s=None):
        async def then_break(connection):
            done = await act(connection)
            if self.breaks:
                self.breaks = False
                await connection.execute("commit")
                raise psycopg.OperationalError("gone")
            return done

        return await super()._act(then_break, patience_s)


@pytest.mark.parametrize("fact", [PlayerCame("Eve"), PlayerLeft("Ada")])
async def test_a_fact_whose_commit_was_not_heard_of_is_kept_once(store, address, fact):
    await _begin(store)
    async with _Unheard.opened(address) as desk:
        desk.breaks = True
        evening = await desk.add("friday", lambda _: fact)
    assert evening == await store.evening("friday")
    assert ("Eve" in evening.present) != ("Ada" not in evening.present)


async def test_where_no_server_is_the_host_reads_one_sentence(tmp_path):
    with pytest.raises(StoreUnavailable, match="PostgreSQL does not answer"):
        async with Store.opened(f"host={tmp_path} dbname=venue", patience_s=0):
            pass


async def test_a_name_is_put_right_on_all_evenings_of_the_season_or_on_none(store):
    for name in ("friday", "monday"):
        await _begin(store, name)
    await store.begin("other", "spring", BEGUN)
    await store.add("other", lambda _: PlayerCame("Ada"))
    assert await store.add_to_season("friday", renaming("Ada", "Ada L.")) == 2
    assert "Ada L." in (await store.evening("monday")).players
    assert (await store.evening("other")).players == ("Ada",)
    drawn = await store.add("monday", draw)
    one, two = drawn.rounds[0].seatings[0].players[:2]
    with pytest.raises(Refused, match="two people"):
        await store.add_to_season("friday", merging(one, two))
    assert {one, two} <= set((await store.evening("friday")).players)
