"""At an empty seat a bot looks ahead in a thread of its own. Here the test decides when the thread has finished."""

import random
from concurrent.futures import Future
from functools import partial

import pytest

from citytable.bots.planner import Planner
from citytable.games import NAMES, box_of, chance_of
from citytable.journal.entry import Entry
from citytable.session.bot_seat import BotSeat, LooksAhead
from citytable.session.history import History
from citytable.session.lessons import STEADY_US, Lessons
from citytable.session.play import Play
from citytable.table.plan import full_plan, phones_plan
from citytable.table.word import Guide, Statement
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(12)

COLUMNS = "PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
DEAL = f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"
BOX = box_of("megacity")


def spoken(word):
    """Return what somebody says, and the game with it as its last entry, for a play."""
    return word, History((Entry(1, 1, "player", word),), replay=lambda _: None)


class Thread:
    """Another thread that has all the time in the world: it works when the test says so."""

    def __init__(self):
        self.calls = []

    def submit(self, call):
        future = Future()
        self.calls.append((call, future))
        return future

    def work(self):
        call, future = self.calls.pop()
        future.set_result(call())

    def fail(self):
        self.calls.pop()[1].set_exception(ValueError("no luck"))


@pytest.fixture
def thread():
    return Thread()


def seated(play, thread, box=BOX):
    """The lessons of a play in which seat 1 is empty."""
    play.say(*spoken(Guide(on=True, seats=(1,), by="host")))
    play.bot = BotSeat(lambda: box, partial(chance_of, "megacity"), thread.submit)
    return Lessons(play)


@pytest.fixture
def phones():
    play = Play(BOX.table(), phones_plan("table", 4), BOX.begin(BOX.options(2)).position)
    play.say(*spoken(Statement(action=DEAL, by="table")))
    return play


def planned(position):
    game = BOX.ahead.going_on(position)
    planner = Planner(random.Random(0), partial(chance_of, "megacity"), BOX.budget)
    return planner.choose(game, list(game.legal_actions))


def test_the_hub_says_nothing_while_the_bot_thinks_and_then_what_it_planned(phones, thread):
    lessons = seated(phones, thread)
    assert (lessons.at(0).do, lessons.ripened(10**9)) == ({}, False)
    assert (lessons.at(10**9).do, len(thread.calls)) == ({}, 1)  # it is asked once
    thread.work()
    assert lessons.ripened(10**9)
    told = lessons.at(10**9)
    position = phones.seen.provisional_position
    step = BOX.ahead.step_of(position, planned(position), sensed=False)
    assert (told.do, told.report, told.empty) == (step.do, step.action, (1,))
    assert not lessons.ripened(2 * 10**9)


def test_it_looks_further_than_the_games_own_advice(thread):
    """Else the seat would be that of a beginner."""
    game, chance, differing = BOX.begin(BOX.options(2)), chance_of("megacity", random.Random(5)), 0
    bot = BotSeat(lambda: BOX, partial(chance_of, "megacity"), thread.submit)
    for _ in range(20):
        decisions = list(game.legal_actions)
        if game.player:
            bot.step(game.position, 0, sensed=False)
            thread.work()
            advised = BOX.ahead.step_of(game.position, max(decisions, key=game.advice), sensed=False)
            differing += bot.step(game.position, 0, sensed=False) != (advised, False)
        game.push(chance.outcome(game, max(decisions, key=game.advice) if game.player else decisions[0]))
    assert differing


def test_a_position_that_has_passed_is_thought_of_no_more(phones, thread):
    lessons = seated(phones, thread)
    assert lessons.now().do == {}
    phones.say(*spoken(Statement(action="p1 take_contract contract=PU1", by="table")))
    assert (lessons.now().do, len(thread.calls)) == ({}, 2)
    (_, passed), (_, last) = thread.calls
    assert (passed.cancelled(), last.cancelled()) == (True, False)
    thread.work()
    assert lessons.now().do


def test_elsewhere_the_games_own_advice_holds_and_where_looking_ahead_fails(phones, thread, caplog):
    lessons = seated(phones, thread)
    lessons.now()
    thread.fail()
    position = phones.seen.provisional_position
    assert lessons.now().do == phones.game.step(position, sensed=False).do
    phones.say(*spoken(Guide(on=False, seats=(1,), by="host")))
    phones.say(*spoken(Guide(on=True, by="host")))
    assert lessons.now().do == phones.game.step(position, sensed=False).do
    assert not thread.calls
    assert not caplog.records or caplog.records[0].levelname == "INFO"


def test_a_game_without_such_a_bot_has_its_own_advice(phones, thread):
    lessons = seated(phones, thread, box=None)
    assert lessons.now().do == phones.game.step(phones.seen.provisional_position, sensed=False).do


def test_on_a_table_with_sensors_it_waits_until_hands_rest(thread):
    game = BOX.begin(BOX.options(2))
    things = tuple(BOX.things(2))
    play = Play(BOX.table(), full_plan("table", 2, BOX.shared_spots(), things), game.position)
    play.say(*spoken(Statement(action=DEAL, by="table")))
    lessons = seated(play, thread)
    assert lessons.at(0).do == {}
    thread.work()
    assert lessons.ripened(1)
    assert lessons.at(1).do == {}
    assert lessons.ripened(1 + STEADY_US)
    assert lessons.at(1 + STEADY_US).do


@pytest.mark.parametrize("name", NAMES)
def test_the_bot_of_every_game_says_what_it_decides(name, thread):
    """Through the first decisions of a game, in both languages."""
    box, rng = box_of(name), random.Random(3)
    assert isinstance(box, LooksAhead)
    table, game, chance = whole(box.table()), box.begin(box.options(max(box.players))), chance_of(name, rng)
    bot = BotSeat(lambda: box, partial(chance_of, name), thread.submit)
    for _ in range(12):
        decisions = list(game.legal_actions)
        if game.player:
            assert bot.step(game.position, 0, sensed=False) == (None, True)
            thread.work()
            step, is_thinking = bot.step(game.position, 0, sensed=False)
            assert not is_thinking
            assert step.do.keys() == {"en", "fr"}
            assert table.action(step.action)
        game.push(chance.outcome(game, max(decisions, key=game.advice) if game.player else decisions[0]))
