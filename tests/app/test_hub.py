"""A running hub: it goes on with an unfinished game, and ends at once when it cannot do its work."""

import asyncio
import random
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.patience import PATIENCE_S

from citytable.app import rehearse
from citytable.bots.greedy import Greedy
from citytable.games.megacity.box import BOX, MegaCityBox
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, Deck
from citytable.games.megacity.position import Options
from citytable.hub import TableShelf, begun, running_hub
from citytable.journal.entry import DAMAGED, ActionConfirmed, Draft, FactNoted, GameEnded
from citytable.journal.journal import Journal
from citytable.journal.store import JournalUnavailable, Store
from citytable.journal.traces import traces_path
from citytable.link import broker, table_link
from citytable.link.mqtt import MqttConnection, Publication
from citytable.link.table_link import TickUnmet
from citytable.settings import Settings
from citytable.table.fact import StationCame
from citytable.table.plan import SpotPlan, StationPlan
from citytable.table.word import NextGame
from tablewire import messages, topics

pytestmark = pytest.mark.long(6)

ACTIONS = 25


@pytest.fixture
def settings(tmp_path) -> Settings:
    """A table of one's own with a journal that is kept."""
    return Settings(options=Options(players=2), twin=False, speed=1.0, journal_path=tmp_path / "journal.sqlite3")


async def test_spots_of_the_plan_that_the_game_does_not_use_are_named(settings, tmp_path):
    plan = replace(
        settings.plan(), stations=(StationPlan("park", "park", (SpotPlan("city/4/0"), SpotPlan("city/1/0"))),)
    )
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
    async with running_hub(replace(settings, plan_path=tmp_path / "plan.json")) as hub:
        assert "megacity does not use these spots of the plan: city/4/0" in hub.notices


@pytest.fixture
def played() -> MegaCity:
    """A game in the middle."""
    game, dealer = MegaCity(Options(players=2)), Dealer(random.Random(3))
    while len(game.actions) < ACTIONS:
        decision = Greedy().choose(game, list(game.legal_actions)) if game.actions else next(iter(game.legal_actions))
        game.push(dealer.outcome(game, decision))
    return game


async def _write(path: Path, settings: Settings, played: MegaCity, *more: GameEnded) -> str:
    """A journal that holds the game, not over unless `more` says so; its id."""
    async with Journal.open(path) as journal:
        game_id = (await begun(settings, journal, now_us=7)).game_id
        bodies = [*(ActionConfirmed(action=str(action)) for action in played.actions), *more]
        await journal.commit(game_id, [Draft(8, "sensor", body) for body in bodies])
    return game_id


@pytest.mark.broker
async def test_an_unfinished_game_is_gone_on_with(settings, played):
    game_id = await _write(settings.journal_path, settings, played)
    async with running_hub(settings) as hub:
        assert hub.game_id == game_id
        assert hub.play.umpire.position == played.position
        assert [str(action) for action in hub.play.actions] == [str(action) for action in played.actions]
        assert hub.notices == (f"going on with game {game_id} after {ACTIONS} actions",)
        assert hub.session.view().scene.seat == played.position.player
    async with Journal.open(settings.journal_path) as journal:
        assert [row.id for row in await journal.games()] == [game_id]


@pytest.mark.broker
async def test_a_hub_forgets_how_far_it_heard_starts_of_stations_that_are_over(settings, played):
    game_id = await _write(settings.journal_path, settings, played)
    here = FactNoted(fact=StationCame(t_us=8, station="park", boot=2, spots=()))
    async with Journal.open(settings.journal_path) as journal:
        await journal.commit(game_id, [Draft(9, "sensor", here)], {("park", 1): 9, ("park", 2): 3, ("gone", 5): 1})
    async with running_hub(settings):
        pass
    async with Journal.open(settings.journal_path) as journal:
        assert await journal.marks() == {("park", 2): 3}


@pytest.mark.broker
async def test_a_machine_that_wakes_in_the_past_goes_on_after_what_its_journal_tells(settings, played):
    """A Pi has no clock of its own: after a power cut it may be yesterday."""
    tomorrow_us = time.time_ns() // 1000 + 86_400_000_000
    async with Journal.open(settings.journal_path) as journal:
        game_id = (await begun(settings, journal, now_us=7)).game_id
        await journal.commit(game_id, [Draft(tomorrow_us, "sensor", ActionConfirmed(action=str(played.actions[0])))])
    async with running_hub(settings) as hub:
        assert hub.session.now_us() > tomorrow_us


@pytest.mark.broker
async def test_a_hub_that_goes_on_says_so_on_every_screen(settings, played):
    await _write(settings.journal_path, settings, played)
    async with running_hub(settings) as hub:
        (line,) = hub.session.view().happened
    assert (line.key, line.words) == ("sensed.hub_came", {"actions": str(ACTIONS)})


async def test_a_game_that_is_over_is_shown_until_people_begin_the_next_one(settings, played):
    game_id = await _write(settings.journal_path, settings, played, GameEnded(termination="completed"))
    async with Journal.open(settings.journal_path) as journal:
        again = await begun(settings, journal, now_us=9)
        assert len(await journal.games()) == 1
    assert again.game.position == played.position
    assert again.notices == (f"game {game_id} is over: the host's page begins the next one",)


async def test_a_game_that_only_damage_ended_is_not_gone_on_with(settings, played):
    await _write(settings.journal_path, settings, played, GameEnded(termination=DAMAGED))
    async with Journal.open(settings.journal_path) as journal:
        again = await begun(settings, journal, now_us=9)
    assert (again.game.actions, again.notices) == ((), ())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"options": Options(players=3)}, "its options differ: players 2"),
        ({"table": "salon"}, "it was played on another table"),
    ],
)
async def test_another_game_begins_where_the_latest_one_does_not_fit(settings, played, change, why):
    game_id = await _write(settings.journal_path, settings, played)
    async with Journal.open(settings.journal_path) as journal:
        other = await begun(replace(settings, **change), journal, now_us=9)
        assert (await journal.entries(game_id)).entries[-1].body == ActionConfirmed(action=str(played.actions[-1]))
    assert other.game.actions == ()
    assert other.notices == (f"the journal's latest game {game_id} stays as it is ({why}); a new one begins",)


async def _chosen_at_the_table(settings: Settings, players: int) -> str:
    """A game that people began on a page, whatever the command line said; its id."""
    async with Journal.open(settings.journal_path) as journal:
        shelf = TableShelf(settings, journal)
        wish = NextGame(after="x", players=players, simplified=True, same_people=False, by="host")
        fresh = await shelf.take(wish, MegaCity(Options(players=2)).position)
        await journal.commit(fresh.game_id, [Draft(7, "referee", replace(fresh.started, by=wish.by))])
    return fresh.game_id


async def test_what_was_chosen_at_the_table_counts_for_more_than_the_command_line(settings):
    game_id = await _chosen_at_the_table(replace(settings, options=Options(players=3)), 2)
    async with Journal.open(settings.journal_path) as journal:
        again = await begun(replace(settings, options=Options(players=3)), journal, now_us=9)
    assert again.game_id == game_id
    assert again.game.position.options == Options(players=2, simplified=True)


async def test_but_a_table_with_too_few_seats_for_it_begins_another(settings):
    game_id = await _chosen_at_the_table(replace(settings, options=Options(players=4)), 4)
    async with Journal.open(settings.journal_path) as journal:
        other = await begun(settings, journal, now_us=9)
    assert other.game_id != game_id
    assert "it has 4 players, and the table 2 seats" in other.notices[0]


async def test_a_game_that_begins_is_the_latest_also_where_the_clock_was_put_back(settings, played):
    await _write(settings.journal_path, settings, played)
    async with Journal.open(settings.journal_path) as journal:
        other = await begun(replace(settings, options=Options(players=3)), journal, now_us=1)
        assert (await journal.latest()).id == other.game_id


async def test_a_virtual_table_always_begins_anew(settings, played):
    game_id = await _write(settings.journal_path, settings, played)
    async with Journal.open(settings.journal_path) as journal:
        other = await begun(replace(settings, twin=True), journal, now_us=9)
    assert other.game_id != game_id
    assert other.game.actions == ()


async def test_in_lock_step_the_id_of_a_game_comes_from_its_seed_alone(settings):
    lock_step = replace(settings, speed=None, twin=True, seed=5)
    async with Journal.open(settings.journal_path) as journal:
        ids = [(await begun(lock_step, journal, now_us=0)).game_id for _ in range(3)]
    assert ids == ["table-seed-5", "table-seed-5-2", "table-seed-5-3"]


def test_decks_that_differ_in_one_card_are_told_apart():
    first, *others = HOUSE.contracts.values()
    cards = (replace(first, height_mm=first.height_mm + 1), *others)
    same = Deck(HOUSE.name, HOUSE.origin, tuple(HOUSE.contracts.values()), HOUSE.platforms, HOUSE.pieces)
    other = Deck(HOUSE.name, HOUSE.origin, cards, HOUSE.platforms, HOUSE.pieces)
    assert MegaCityBox(same).fingerprint() == BOX.fingerprint() != MegaCityBox(other).fingerprint()


@pytest.fixture
def disk_fills(monkeypatch):
    """`disk_fills(after=n)`: from the n-th commit on nothing can be written."""

    def fill(after: int) -> None:
        append, commits = Store.append_group, []

        def full(self, group):
            commits.append(group)
            if len(commits) > after:
                raise JournalUnavailable("journal x: the disk is full")
            return append(self, group)

        monkeypatch.setattr(Store, "append_group", full)

    return fill


@pytest.mark.broker
async def test_a_rehearsal_whose_journal_fails_ends_at_once(disk_fills):
    disk_fills(after=5)
    rehearsal = rehearse(Settings(options=Options(players=2)))
    with pytest.raises(JournalUnavailable, match="the disk is full"):
        await asyncio.wait_for(rehearsal, PATIENCE_S)  # the virtual table alone would wait longer for the hub's answer


@pytest.mark.broker
async def test_whoever_waits_inside_a_hub_whose_session_dies_is_told_why(monkeypatch):
    monkeypatch.setattr(table_link, "PATIENCE_S", 0.05)
    tick = messages.encode({"type": "tick", "n": 1, "t_us": 1, "sent": {"seat-1": 3}})

    async def wait_for_ever() -> None:
        async with running_hub(Settings()) as hub, MqttConnection(hub.broker, (), lambda: 0) as twin:
            await twin.publish(Publication(topics.topic("table", topics.HUB, topics.TICK), tick, 1))
            await asyncio.Event().wait()

    with pytest.raises(TickUnmet, match="seat-1 0 of 3"):
        await asyncio.wait_for(wait_for_ever(), PATIENCE_S)


@pytest.mark.broker
async def test_what_goes_wrong_inside_comes_out_as_it_is():
    with pytest.raises(ZeroDivisionError):
        async with running_hub(Settings(speed=1.0)):
            _ = 1 // 0


@pytest.mark.broker
async def test_what_was_damaged_in_the_journal_is_told(settings, played):
    await _write(settings.journal_path, settings, played)
    data = bytearray(settings.journal_path.read_bytes())
    spoilt = data.find(str(played.actions[5]).encode())
    assert spoilt > 0
    data[spoilt + 3] ^= 1
    settings.journal_path.write_bytes(data)
    async with running_hub(settings) as hub:
        assert any("was damaged" in notice for notice in hub.notices)
        assert msgspec.to_builtins(hub.play.umpire.position.options)["players"] == 2


@pytest.mark.broker
async def test_traces_that_are_damaged_are_told_and_the_game_goes_on(settings, played):
    await _write(settings.journal_path, settings, played)
    traces_path(settings.journal_path).write_bytes(b"no database at all, " * 300)
    async with running_hub(settings) as hub:
        assert any("traces.sqlite3" in notice and "a new one was started" in notice for notice in hub.notices)
        assert hub.play.umpire.position == played.position
        assert (await hub.session.record.signal(5)).curves == ()


async def test_without_mosquitto_the_embedded_broker_serves_and_says_so(monkeypatch):
    monkeypatch.setattr(broker, "find_mosquitto", lambda: None)
    async with running_hub(Settings(speed=1.0, twin=False)) as hub:
        assert hub.broker.kind == "embedded"
        (notice,) = hub.notices
        assert notice.startswith(
            "mosquitto is not installed: using the embedded broker (amqtt), for demonstrations only"
        )
        assert "it asks nobody for a login" in notice
