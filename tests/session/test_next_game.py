"""The next game begins at the table: same stations, same phones if wanted; the power may go at any moment of it."""

import shutil

import pytest
from msgspec.structs import replace

from citytable.games.megacity.box import BOX
from citytable.games.megacity.old_options import in_full
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import TableShelf, begun, replayed
from citytable.journal.entry import ActionConfirmed, Draft, GameEnded
from citytable.journal.journal import Journal
from citytable.journal.store import JournalUnavailable, Store
from citytable.rules.errors import Unfitting
from citytable.session.play import Play
from citytable.session.recall import out_of_use, recall, stations_up
from citytable.settings import Settings
from citytable.table.fact import StationCame, ZeroMoved
from citytable.table.plan import tag_uid
from citytable.table.word import ClearUp, ModeChoice, Naming, NextGame, PlayAgain

pytestmark = pytest.mark.long(6)

TILE, CARD = "platform/7/public", "contract/PU1"


@pytest.fixture
def settings(tmp_path):
    """The hub's, whose journal is that of the evening."""
    return Settings(
        options=Options(players=2), table="salon", twin=False, speed=1.0, journal_path=tmp_path / "journal.sqlite3"
    )


@pytest.fixture
async def table_in_use(evening, settings):
    """The evening, its stations there, a tile left in the city, a card of nobody's at a seat."""
    session, there, journal = evening
    session.chooses_from(TableShelf(settings, journal))
    there.hear("sector-1", there.birth(), there.tag("city/1/0", tag_uid(TILE)))
    there.hear("seat-1", there.birth(), there.tag("seat/1/card/0", "04feed"))
    await session._commit(session._drafts((), session.now_us()))
    return session, there, journal


def wish(after="g", players=2, *, simplified=False, same_people=True, names=()):
    return NextGame(
        after=after, players=players, simplified=simplified, same_people=same_people, names=names, by="host"
    )


async def over(session, journal):
    """The game has ended by its rules."""
    await journal.commit("g", [Draft(90, "sensor", GameEnded("completed"))])


async def game_of(session, journal):
    return [entry.body for entry in (await journal.entries(session.game_id)).entries]


async def come_back(settings, path):
    """What another run of the hub goes on with: its game, and a play by its journal alone."""
    async with Journal.open(path) as journal:
        this = await begun(settings, journal, now_us=1)
    play = Play(MegaCityTable(HOUSE), settings.plan(), this.game.start)
    recall(play, this.entries, lambda entries: replayed(entries, BOX))
    return this, play


def known(play):
    observed = play.umpire.observed
    return {spot: there for spot, there in observed.lying.items() if there}, observed.mass_g, observed.faults


async def test_the_next_game_begins_on_the_table_as_it_is(table_in_use):
    session, there, journal = table_in_use
    await session.say(ModeChoice(mode="advise", by="host"))
    await over(session, journal)
    lying = there.lying()
    assert lying == {"city/1/0": {TILE}, "seat/1/card/0": {"?04feed"}}
    await session.say(wish(simplified=True))
    view = session.view()
    assert (view.scene.phase, len(view.scene.players), view.mode, view.questions) == ("setup", 2, "advise", ())
    assert session.play is not there.play
    assert {one.spot: one.thing for one in view.live if one.thing} == {"city/1/0": TILE}
    started, *rest = await game_of(session, journal)
    assert (started.options, started.by, started.people) == (
        in_full(Options(players=2, simplified=True)),
        "host",
        "g",
    )
    assert rest[0] == ModeChoice(mode="advise", by="host")
    told = (await journal.entries(session.game_id)).entries
    assert stations_up(told) == {"sector-1", "seat-1"}
    facts = (getattr(entry.body, "fact", None) for entry in told)
    (boot,) = {fact.boot for fact in facts if isinstance(fact, StationCame)}
    starts = {("sector-1", boot), ("sector-1", boot + 1), ("park", boot), ("stranger", boot)}
    assert out_of_use(starts, told, {"sector-1", "park"}) == {("sector-1", boot + 1), ("stranger", boot)}
    assert not out_of_use(starts, told[:1], {"park"}), "of a game that has just begun nothing is known"
    there.play = session.play
    there.hear("sector-1", there.birth(), t_us=5)
    assert there.play.take_facts() == (), "the station was heard before"
    there.hear("sector-1", there.tag("city/1/1", tag_uid(CARD)), t_us=6)
    assert there.lying() == {**lying, "city/1/1": {CARD}}


async def test_what_was_learned_of_zeros_is_known_to_the_next_game(table_in_use):
    session, there, journal = table_in_use
    zero = ZeroMoved(t_us=3, spot="city/0/0", drift_g=1.5, error_g=0.1)
    there.play.recall(zero)
    await session.say(wish())
    facts = [body.fact for body in await game_of(session, journal) if getattr(body, "fact", None) is not None]
    assert [(one.spot, one.drift_g) for one in facts if isinstance(one, ZeroMoved)] == [("city/0/0", 1.5)]


async def test_a_game_that_is_played_is_given_up_and_one_that_is_over_is_not(table_in_use):
    session, _, journal = table_in_use
    assert not session.choices().over
    await session.say(wish())
    second = session.game_id
    assert [body for body in await bodies(journal, "g") if isinstance(body, GameEnded)] == [GameEnded("abandoned")]
    await session._commit([Draft(91, "sensor", GameEnded("completed"))])
    await session.say(wish(after=second))
    ends = [body for body in await bodies(journal, second) if isinstance(body, GameEnded)]
    assert ends == [GameEnded("completed")]
    assert [row.over for row in await journal.games()] == [True, True, False]


async def bodies(journal, game_id):
    return [entry.body for entry in (await journal.entries(game_id)).entries]


async def test_after_clearing_up_the_next_game_is_offered(table_in_use):
    session, _, journal = table_in_use
    for do in ("begin", "close"):
        await session.say(ClearUp(do=do, by="host"))
    choices = session.choices()
    assert (choices.after, choices.over, choices.players, choices.players_max) == ("g", True, 2, 2)
    await session.say(wish())
    assert session.view().clearing is None
    assert sum(isinstance(body, GameEnded) for body in await bodies(journal, "g")) == 1


@pytest.mark.parametrize("same", [True, False])
async def test_the_phones_of_the_same_people_stay_in_and_those_of_others_do_not(table_in_use, same):
    session, _, journal = table_in_use
    people = []
    session.on_next_game(lambda: people.append(session.people))
    await session.say(wish(same_people=True))
    await session.say(wish(after=session.game_id, same_people=same))
    assert people == ["g", "g" if same else session.game_id]
    session.people = ""
    session.resumed((await journal.entries(session.game_id)).entries)
    assert session.people == people[-1], "a hub that comes back knows them"


async def test_players_are_called_by_their_names_also_after_a_restart(table_in_use):
    session, there, journal = table_in_use
    assert session.choices().names == ()
    await session.say(wish(names=(" Anna  Lee\n", "Zoé", "nobody")))
    assert [player.name for player in session.view().scene.players] == ["Anna Lee", "Zoé"]
    assert session.choices().names == ("Anna Lee", "Zoé")
    entries = (await journal.entries(session.game_id)).entries
    await session.say(wish(after=session.game_id))
    assert [player.name for player in session.view().scene.players] == ["", ""]
    again = Play(there.play.game, there.play.plan, session._replay(entries[:1]).start)
    recall(again, entries, session._replay)
    assert again.names == ("Anna Lee", "Zoé")


async def test_two_taps_begin_one_game_and_a_table_has_only_its_seats(table_in_use):
    session, _, journal = table_in_use
    for players in (1, 3):
        with pytest.raises(Unfitting, match="for 2 to 2"):
            await session.say(wish(players=players))
    await session.say(wish())
    with pytest.raises(Unfitting, match="has begun in the meantime"):
        await session.say(wish())
    assert len(await journal.games()) == 2


async def test_players_of_a_virtual_table_play_again_with_the_same_names_and_keys_once_their_game_is_over(
    evening, settings
):
    session, _, journal = evening
    session.chooses_from(TableShelf(replace(settings, twin=True), journal))
    await session.say(wish(simplified=True, names=("Anna", "Zoé")))
    second, again = session.game_id, PlayAgain(by="seat 2")
    with pytest.raises(Unfitting, match="the game is not over"):
        await session.say(again)
    assert session.game_id == second
    for do in ("begin", "close"):
        await session.say(ClearUp(do=do, by="host"))
    await session.say(again)
    started = (await game_of(session, journal))[0]
    assert session.game_id not in ("g", second)
    assert (started.options, started.by, started.people, started.names) == (
        in_full(Options(players=2, simplified=True)),
        "seat 2",
        "g",
        ("Anna", "Zoé"),
    )
    with pytest.raises(Unfitting, match="the game is not over"):
        await session.say(again)  # a second tap begins no second game


async def test_at_a_table_of_real_things_only_the_host_begins_the_next_game(table_in_use):
    session, _, _ = table_in_use
    for do in ("begin", "close"):
        await session.say(ClearUp(do=do, by="host"))
    assert session.choices().over
    with pytest.raises(Unfitting, match="the host begins"):
        await session.say(PlayAgain(by="seat 1"))
    assert session.game_id == "g"


async def test_the_ticker_counts_on_so_that_screens_see_its_lines_as_new(table_in_use):
    session, _, journal = table_in_use
    session._display.take((), (await journal.entries("g")).entries)
    before = session.view().happened
    await session.say(wish())
    (line,) = session.view().happened
    assert (line.key, line.words, line.no) == ("sensed.game_began", {"players": "2"}, before[-1].no + 1)


async def test_what_is_corrected_afterwards_is_corrected_in_the_game_on_the_table(table_in_use):
    session, _, journal = table_in_use
    old = await bodies(journal, "g")
    await session.say(wish())
    assert await session.entries() == ()
    await session.say(ClearUp(do="begin", by="host"))
    await session.say(ClearUp(do="stop", by="host"))
    assert (await bodies(journal, "g"))[: len(old)] == old
    assert len(await bodies(journal, "g")) == len(old) + 1, "its end and nothing else"


async def test_when_it_cannot_be_written_the_old_game_goes_on(table_in_use, monkeypatch):
    session, there, _ = table_in_use

    def full(_store, _group):
        raise JournalUnavailable("the disk is full")

    monkeypatch.setattr(Store, "append_group", full)
    with pytest.raises(JournalUnavailable):
        await session.say(wish())
    assert (session.game_id, session.play) == ("g", there.play)


@pytest.fixture
def pulled(monkeypatch, tmp_path):
    """Copies of the journal's files, as they lie there at every step of a commit: what a pulled plug leaves."""
    left, append, mark = [], Store.append_group, Store._mark

    def keep(path):
        folder = tmp_path / "left" / str(len(left))
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in ("", "-wal"):
            shutil.copy(path.with_name(path.name + suffix), folder)
        left.append(folder / path.name)

    def marked(store, heard):
        keep(store.path)
        mark(store, heard)
        keep(store.path)

    def appended(store, commits):
        keep(store.path)
        done = append(store, commits)
        keep(store.path)
        return done

    monkeypatch.setattr(Store, "_mark", marked)
    monkeypatch.setattr(Store, "append_group", appended)
    return left


@pytest.mark.parametrize(("ended", "cleared"), [(False, False), (False, True), (True, True)])
async def test_the_plug_is_pulled_at_any_moment_and_the_old_game_goes_on_or_the_new_one(
    table_in_use, settings, pulled, monkeypatch, ended, cleared
):
    session, there, journal = table_in_use
    if ended:
        await over(session, journal)
    pulled.clear()
    old = [body.action for body in await bodies(journal, "g") if isinstance(body, ActionConfirmed)]
    if cleared:
        await session.say(ClearUp(do="begin", by="host"))
    there.hear("sector-1", there.tag("city/1/1", tag_uid(CARD)), t_us=80)
    await session._commit(session._drafts((), session.now_us()))
    if cleared:
        await session.say(ClearUp(do="close", by="host"))
    await session.say(wish(simplified=True))
    there.play = session.play
    there.hear("supply", there.birth(), there.tag("supply/platform/0", tag_uid("platform/9/public")), t_us=95)
    await session._commit(session._drafts((), session.now_us()))
    monkeypatch.undo()
    found = []
    for path in pulled:
        this, play = await come_back(settings, path)
        found.append(this.game_id)
        if this.game_id == "g":
            assert [str(action) for action in play.actions] == old
            assert play.umpire.position.options == Options(players=2)
            assert "g" in this.notices[0].split()
            given_up = any(one.body == GameEnded("abandoned") for one in this.entries)
            assert not given_up or play.clearing.closed, "nobody plays on what was given up"
        else:
            assert this.game_id == session.game_id
            assert (play.actions, play.clearing) == ([], None)
            assert play.umpire.position.options == Options(players=2, simplified=True)
            assert known(play)[0]["city/1/1"] == {CARD}
    change = found.index(session.game_id)
    assert set(found[:change]) == {"g"}, "a game that nobody began"
    assert set(found[change:]) == {session.game_id}
    assert len(found[:change]) > 4
    assert known(play) == known(session.play)


async def test_the_host_names_the_players_of_a_game_that_goes_on_also_after_a_restart(table_in_use):
    session, there, journal = table_in_use
    await session.say(Naming(names=("Anna", " Tom  B. "), by="host"))
    assert [one.name for one in session.view().scene.players] == ["Anna", "Tom B."]
    again = Play(there.play.game, there.play.plan, session._replay((await journal.entries("g")).entries[:1]).start)
    recall(again, (await journal.entries("g")).entries, session._replay)
    assert again.names == ("Anna", "Tom B.")
    assert session.choices().names == again.names
