"""Corrections: written first, computed anew, shown once; what cannot be is refused and changes nothing."""

import asyncio

import pytest
from msgspec.structs import replace

from citytable.games.megacity.box import BOX
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.old_options import in_full
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import replayed
from citytable.journal.entry import ActionConfirmed, Draft, FactNoted, GameStarted
from citytable.journal.journal import Journal
from citytable.journal.replay import Unreplayable
from citytable.rules.errors import IllegalPosition
from citytable.session import session as session_module
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table.fact import TagCame, TagLeft
from citytable.table.word import (
    Amendment,
    GoBack,
    Insertion,
    ModeChoice,
    PaperPosition,
    PositionSet,
    Statement,
    Strike,
    TableStays,
    TakeBack,
    Undo,
    UndoReply,
    UndoRequest,
)
from citytable.views.feed import Feed
from citytable.views.viewer import PUBLIC, seen_by

OPTIONS = Options(players=2)


@pytest.fixture
async def evening(tmp_path, table, no_wire):
    """A session in the middle of a game: the deal and two turns are in the journal; `shown` collects the views."""
    game, rng = MegaCity(OPTIONS, HOUSE), __import__("random").Random(1)
    dealer = Dealer(rng)
    lines = []
    for _ in range(9):
        decision = next(iter(game.legal_actions))
        action = dealer.outcome(game, decision)
        game.push(action)
        lines.append(str(action))
    async with Journal.open(tmp_path / "journal.sqlite3") as journal:
        started = Draft(0, "system", GameStarted(game="megacity", options=in_full(OPTIONS), deck=HOUSE.name))
        await journal.commit("g", [started, *(Draft(1, "sensor", ActionConfirmed(action=line)) for line in lines)])
        play = Play(table().play.game, table().play.plan, game.position, game.actions)
        session = Session(
            "g",
            play,
            no_wire,
            Safe(journal, patient=False),
            replay=lambda entries: replayed(entries, BOX),
            now_us=int,
        )
        shown = []
        session.show_on(shown.append)
        yield session, lines, shown


async def replayed_anew(session):
    return replayed((await session._journal.entries("g")).entries, BOX)


def position(lines):
    game = MegaCity(OPTIONS, HOUSE)
    for line in lines:
        game.push(action_from_text(line))
    return game.position


async def test_the_entries_that_stand_can_be_named(evening):
    session, lines, _ = evening
    assert [(one.seq, one.body.action) for one in await session.entries()] == list(enumerate(lines, start=2))


async def test_an_undo_leads_back_and_asks_for_the_table_to_be_put_back(evening):
    session, lines, shown = evening
    await session.say(GoBack(to=4, by="host", why="nobody had passed"))
    assert session._play.umpire.position == position(lines[:3]) == (await replayed_anew(session)).position
    assert session._play.umpire.restoring
    assert len(shown) == 1
    await session.say(TableStays(by="host"))
    assert not session._play.umpire.restoring


@pytest.mark.parametrize(
    "correction",
    [
        GoBack(to=4, by="host", why=""),
        TakeBack(entry=6, by="host"),
        Strike(entry=3, by="host", why=""),
        Insertion(before=6, action="p1 take_pieces drawn=steel:1,glass:1", by="host", why=""),
    ],
    ids=lambda one: type(one).__name__,
)
async def test_a_correction_is_never_shown_half_made_though_something_else_is_shown_meanwhile(
    evening, monkeypatch, correction
):
    """While the disk writes it, trouble comes: that is shown with the table as it was."""
    session, _, shown = evening
    before, commit, trouble = session.view().scene, session._commit, "broker"

    async def slowly(drafts):
        monkeypatch.setattr(session_module, "troubles", lambda *_: (trouble,))
        looking = asyncio.create_task(session.look_out())
        await asyncio.sleep(0)
        looking.cancel()
        return await commit(drafts)

    monkeypatch.setattr(session, "_commit", slowly)
    await session.say(correction)
    meanwhile, after = shown
    assert (meanwhile.scene, meanwhile.restoring, meanwhile.troubles) == (before, False, (trouble,))
    assert after.scene == session.view().scene != before


async def test_that_the_table_stays_as_it_is_needs_something_to_put_back(evening):
    session, _, _ = evening
    await session.say(Statement(action=f"p{session.play.seat} take_pieces", by="host"))
    entries, trying = await session.entries(), session.play.umpire.provisional
    assert len(trying) == 1
    with pytest.raises(ValueError, match="everything on the table is in its place"):
        await session.say(TableStays(by="host"))  # it would have dropped what is under way
    assert (await session.entries(), session.play.umpire.provisional) == (entries, trying)


async def test_a_table_that_is_put_back_still_is_when_something_else_is_put_right(evening, table):
    session, _, _ = evening
    *_, taken, last = await session.entries()
    await session.say(TakeBack(entry=last.seq, by="host"))
    await session.say(Amendment(entry=taken.seq, action=taken.body.action, by="host", why=""))
    assert session._play.umpire.restoring
    entries = (await session._journal.entries("g")).entries
    play = Play(table().play.game, table().play.plan, MegaCity(OPTIONS, HOUSE).position)
    recall(play, entries, lambda told: replayed(told, BOX))
    assert play.umpire.restoring


async def test_what_the_host_put_right_before_what_he_takes_back_stays_right(evening):
    session, lines, _ = evening
    await session.say(Strike(entry=3, by="host", why=""))
    await session.say(TakeBack(entry=6, by="host"))
    assert [one.seq for one in await session.entries()] == [2, 4, 5]
    await session.say(GoBack(to=10, by="host", why=""))
    assert [one.body.action for one in await session.entries()] == lines


async def test_a_forgotten_action_is_put_in_and_everything_after_it_is_computed_anew(evening):
    session, lines, shown = evening
    passed = next(k for k, line in enumerate(lines) if "end_turn" in line)
    bag = session._play.umpire.position.bag
    drawn = "p1 take_pieces drawn=steel:1,glass:1"
    await session.say(Insertion(before=passed + 2, action=drawn, by="host", why="the scale slept"))
    assert session._play.umpire.position.bag == bag - 2
    assert session._play.umpire.position == (await replayed_anew(session)).position
    assert len(shown) == 1
    number = next(one.seq for one in await session.entries() if one.body.action == drawn)
    await session.say(Amendment(entry=number, action="p1 take_pieces drawn=steel:3", by="host", why="looked again"))
    assert session._play.umpire.position.bag == bag - 3
    await session.say(Strike(entry=number, by="host", why="it was in his sleeve"))
    assert session._play.umpire.position == position(lines)


async def test_what_is_put_right_is_right_on_every_screen_and_not_announced(evening, no_wire):
    session, _, shown = evening
    play = session._play
    blind = Play(play.game, replace(play.plan, stations=()), play.umpire.position, play.actions)  # all is said there
    session = Session("g", blind, no_wire, session._journal, replay=session._replay, now_us=int)
    session.show_on(shown.append)
    announced = "p2 take_pieces announced=steel drawn=steel:1"
    for action in (announced, "p2 end_turn"):
        await session.say(Statement(action=action, by="seat 2"))
    feed = Feed(seen_by(PUBLIC, shown[-1]), 1)
    assert {"announced": "steel", "drawn": "steel:1"} in [line.words for line in feed.seen.happened]
    entry = next(one.seq for one in await session.entries() if one.body.action == announced)
    await session.say(Amendment(entry=entry, action="p2 take_pieces drawn=glass:3", by="host", why=""))
    (event,) = feed.show(seen_by(PUBLIC, shown[-1]))
    assert [line.words for line in feed.seen.happened] == [{"drawn": "glass:3"}, {}]
    assert event.type == "change"
    await session.say(Strike(entry=entry, by="host", why=""))
    (event,) = feed.show(seen_by(PUBLIC, shown[-1]))
    assert [line.key for line in feed.seen.happened] == ["action.end_turn"]
    assert event.type == "change"


@pytest.mark.parametrize(
    ("correction", "said"),
    [
        (Amendment(entry=99, action="p1 end_turn", by="host", why=""), "entry 11 corrects entry 99"),
        (GoBack(to=50, by="host", why=""), "undoes back to entry 50"),
        (Amendment(entry=3, action="p1 fly", by="host", why=""), "fly"),
        (Insertion(before=3, action="p1 take_contract contract=ZZ9", by="host", why=""), "ZZ9"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_written(evening, correction, said):
    session, lines, shown = evening
    with pytest.raises(Unreplayable, match=said):
        await session.say(correction)
    assert len((await session._journal.entries("g")).entries) == 1 + len(lines)
    assert session._play.umpire.position == position(lines)
    assert shown == []


async def test_an_undo_across_players_waits_for_their_word_and_names_them(evening):
    session, lines, shown = evening
    passed = next(k for k, line in enumerate(lines) if "end_turn" in line)
    first, second = int(lines[passed][1]), 3 - int(lines[passed][1])
    await session.say(UndoRequest(by=f"seat {second}", to=2 + passed - 1, why="both were in a hurry"))
    assert shown[-1].undo.waiting == (first,)
    assert session._play.umpire.position == position(lines)
    await session.say(UndoReply(by=f"seat {first}", agrees=True))
    assert session._play.umpire.position == position(lines[:passed])
    assert shown[-1].undo is None
    (entry,) = [one for one in (await session._journal.entries("g")).entries if isinstance(one.body, Undo)]
    assert (entry.cause, entry.body.by, entry.body.agreed) == ("player", f"seat {second}", (f"seat {first}",))


async def test_nobody_takes_back_the_turn_that_another_has_begun_without_his_word(evening, no_wire):
    session, _, shown = evening
    play = session._play
    blind = Play(play.game, replace(play.plan, stations=()), play.umpire.position, play.actions)  # all is said there
    session = Session("g", blind, no_wire, session._journal, replay=session._replay, now_us=int)
    session.show_on(shown.append)
    mine = (await session.entries())[-1]
    begun = blind.umpire.position.player
    assert mine.body.action.startswith(f"p{3 - begun} ")
    await session.say(Statement(action=f"p{begun} take_pieces drawn=steel:3", by=f"seat {begun}"))
    await session.say(UndoRequest(by=f"seat {3 - begun}", to=mine.seq - 1))
    assert shown[-1].undo.waiting == (begun,)
    assert [one.seq for one in await session.entries()][-1] == mine.seq


async def test_a_hub_that_comes_back_still_waits_for_whom_it_waited_for(evening, no_wire):
    session, lines, shown = evening
    passed = next(k for k, line in enumerate(lines) if "end_turn" in line)
    first, second = int(lines[passed][1]), 3 - int(lines[passed][1])
    await session.say(UndoRequest(by=f"seat {second}", to=2 + passed - 1, why="both were in a hurry"))
    entries = (await session._journal.entries("g")).entries
    again = Session("g", session._play, no_wire, session._journal, replay=session._replay, now_us=int)
    again.resumed(entries)
    assert again.view().undo == shown[-1].undo
    await again.say(UndoReply(by=f"seat {first}", agrees=True))
    assert again._play.umpire.position == position(lines[:passed])


async def test_what_the_host_takes_back_needs_nobody_and_ends_what_was_asked(evening):
    session, lines, shown = evening
    passed = next(k for k, line in enumerate(lines) if "end_turn" in line)
    await session.say(UndoRequest(by=f"seat {3 - int(lines[passed][1])}", to=2 + passed - 1))
    await session.say(GoBack(to=2 + passed - 1, by="host", why=""))
    assert shown[-1].undo is None
    with pytest.raises(ValueError, match="no undo is waiting"):
        await session.say(UndoReply(by=f"seat {lines[passed][1]}", agrees=True))


async def test_a_mode_is_an_entry_and_comes_back_with_the_game(evening, table):
    session, _, shown = evening
    await session.say(ModeChoice(mode="advise", by="host"))
    await session.say(ModeChoice(mode="advise", by="host"))  # chosen already: no second entry
    assert shown[-1].mode == "advise"
    entries = (await session._journal.entries("g")).entries
    assert [one.body.mode for one in entries if isinstance(one.body, ModeChoice)] == ["advise"]
    play = Play(table().play.game, table().play.plan, MegaCity(OPTIONS, HOUSE).position)
    recall(play, entries, lambda told: replayed(told, BOX))
    assert play.umpire.mode == "advise"


async def test_the_city_as_it_stands_is_an_entry_from_which_play_goes_on(evening, table):
    session, lines, shown = evening
    paper = session.play.paper()
    hand = paper["players"][0] | {"tokens": 4, "pieces": 9}
    wish = PaperPosition(paper=paper | {"players": [hand, paper["players"][1]]}, by="host", why="played on paper")
    await session.say(wish)
    now = session._play.umpire.position
    assert (now.players[0].tokens, now.players[0].pieces.total) == (4, 9)
    assert now == (await replayed_anew(session)).position
    assert [type(one.body) for one in await session.entries()] == [PositionSet]
    assert session._play.umpire.restoring  # until the table lies like this, or stays as it is
    assert shown[-1].scene.players[0].score == 4
    await session.say(TableStays(by="host"))
    entries = (await session._journal.entries("g")).entries
    play = Play(table().play.game, table().play.plan, MegaCity(OPTIONS, HOUSE).position)
    recall(play, entries, lambda told: replayed(told, BOX))
    assert play.umpire.position == now
    before = next(one.seq for one in entries if isinstance(one.body, PositionSet)) - 1
    with pytest.raises(ValueError, match="only the host can take it back"):
        await session.say(UndoRequest(by="seat 1", to=before))
    await session.say(GoBack(to=before, by="host", why=""))
    assert session._play.umpire.position == position(lines)


async def test_what_no_reader_sees_any_more_stands_also_for_a_hub_that_comes_back(evening, table):
    session, _, _ = evening
    park = {"spot": "city/0/0", "thing": "central-park", "uid": "04"}
    facts = (TagCame(t_us=2, **park), TagLeft(t_us=3, **park))
    await session._journal.commit("g", [Draft(fact.t_us, "sensor", FactNoted(fact=fact)) for fact in facts])
    session.play.umpire.feed(facts)
    await session.say(PaperPosition(paper=session.play.paper(), by="host", why="its tag is dead"))
    assert session.play.umpire.status().disagreements[0].thing == "central-park"
    await session.say(TableStays(by="host"))
    entries = (await session._journal.entries("g")).entries
    play = Play(table().play.game, table().play.plan, MegaCity(OPTIONS, HOUSE).position)
    recall(play, entries, lambda told: replayed(told, BOX))
    for umpire in (session.play.umpire, play.umpire):
        umpire.judge()
        assert "central-park" not in {one.thing for one in umpire.status().disagreements}


async def test_a_city_that_breaks_a_rule_is_taken_where_such_acts_are_and_comes_back(evening, table):
    session, _, _ = evening
    paper = session.play.paper()
    paper["players"] = [one | {"pieces": 40} for one in paper["players"]]
    wish = PaperPosition(paper=paper, by="host")
    with pytest.raises(IllegalPosition, match="R11"):
        await session.say(wish)
    await session.say(ModeChoice(mode="advise", by="host"))
    await session.say(wish)
    entries = (await session._journal.entries("g")).entries
    play = Play(table().play.game, table().play.plan, MegaCity(OPTIONS, HOUSE).position)
    recall(play, entries, lambda told: replayed(told, BOX))
    assert [one.pieces.total for one in play.umpire.position.players] == [40, 40]


async def test_a_city_that_cannot_be_is_refused_in_every_language_and_nothing_is_written(evening):
    session, lines, _ = evening
    paper = session.play.paper()
    wish = PaperPosition(paper=paper | {"supply": paper["supply"].split()[0]}, by="host", why="")
    with pytest.raises(IllegalPosition, match="The supply shows 3") as refusal:
        await session.say(wish)
    assert "La réserve" in refusal.value.text["fr"]
    assert session._play.umpire.position == position(lines)


async def test_a_correction_names_the_entry_to_which_an_undo_brings_back_what_was_so(evening):
    session, lines, _ = evening
    stood = await session.entries()
    done = await session.say(TakeBack(entry=stood[4].seq, by="host", why=""))
    assert len(await session.entries()) == 4
    assert done.now == len((await session._journal.entries("g")).entries)
    await session.say(GoBack(to=done.was, by="host", why=""))
    assert await session.entries() == stood
    assert (await replayed_anew(session)).position == position(lines)


async def test_a_misspelt_correction_is_refused_in_both_languages_and_quoted_once(evening):
    session, _, _ = evening
    seq = (await session.entries())[-1].seq
    with pytest.raises(Unreplayable) as refusal:
        await session.say(Amendment(entry=seq, action="p1 delivr", by="host", why=""))
    assert refusal.value.text["fr"].endswith(
        "'p1 delivr' : il n'y a pas d'action 'delivr' : vouliez-vous dire deliver ?"
    )
    assert refusal.value.text["en"].count("'p1 delivr'") == 1
