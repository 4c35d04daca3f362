"""A guided game tells the player to act what to do next, and each rule once."""

import random

import pytest

from citytable.games import NAMES, box_of, chance_of
from citytable.journal.entry import Entry
from citytable.rules.game import Outcome
from citytable.session.history import History
from citytable.session.lessons import NOTHING, STEADY_US, Lessons
from citytable.session.play import Play
from citytable.table.lesson import Lesson, Step
from citytable.table.plan import full_plan, phones_plan
from citytable.table.word import Guide, Statement
from citytable.umpire.whole_game import whole

SETUP = "table set_up columns=PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3 supply=1/public,2/public,9/public start=1"


def spoken(word):
    """Return what somebody says, and the game with it as its last entry, for a play."""
    return word, History((Entry(1, 1, "player", word),), replay=lambda _: None)


@pytest.fixture
def phones():
    """A play of MegaCity for two on a table without sensors, after the deal."""
    box = box_of("megacity")
    play = Play(box.table(), phones_plan("table", 4), box.begin(box.options(2)).position)
    play.say(*spoken(Statement(action=f"{SETUP} drawn=none|unknown:1", by="table")))
    return play


def say(play, action):
    play.say(*spoken(Statement(action=action, by="table")))


def test_nothing_is_told_until_somebody_wants_it_and_after_they_left(phones):
    lessons = Lessons(phones)
    assert lessons.now() is None
    phones.say(*spoken(Guide(on=True, by="host")))
    assert lessons.now().do["en"].startswith("Take ")
    phones.say(*spoken(Guide(on=False, by="seat 2")))
    assert lessons.now() is None


def test_a_rule_is_new_to_each_player_once(phones):
    phones.say(*spoken(Guide(on=True, by="host")))
    lessons = Lessons(phones)
    first = lessons.now()
    assert (first.seat, first.topic, first.new) == (1, "take_contract", True)
    for action in ("p1 take_contract contract=PU1", "p1 take_pieces drawn=unknown:3", "p1 end_turn"):
        say(phones, action)
    assert (lessons.now().seat, lessons.now().new) == (2, True)
    for action in ("p2 take_contract contract=IN1", "p2 end_turn", "p1 take_pieces drawn=unknown:3"):
        say(phones, action)
    assert lessons.now().seat == 1
    pieces = Lessons(phones)._told(Step(topic="take_pieces", rule={}, do={}), 1)
    assert not pieces.new


def test_an_act_that_was_not_advised_leads_to_other_advice_and_none_is_lost(phones):
    phones.say(*spoken(Guide(on=True, by="host")))
    lessons = Lessons(phones)
    for action in ("p1 reorganise column=public", "p1 refresh revealed=3/public,4/public,5/public"):
        say(phones, action)
    assert lessons.now().topic == "take_contract"


def test_without_sensors_a_tap_reports_what_was_done(phones):
    phones.say(*spoken(Guide(on=True, by="host")))
    told = Lessons(phones).now()
    assert told.report == "p1 take_contract contract=PU1"
    assert "card slots" not in told.do["en"]


def test_with_sensors_only_what_no_sensor_shows_takes_a_tap():
    box = box_of("megacity")
    plan = full_plan("table", 2, box.shared_spots(), box.things(2))
    play = Play(box.table(), plan, box.begin(box.options(2)).position)
    lessons = Lessons(play)
    seen = Step(topic="end_turn", rule={}, do={}, action="p1 end_turn", spots=("seat/2/bag",))
    said = Step(topic="announce", rule={}, do={}, action="p1 take_pieces announced=steel", spots=("seat/1/bag",))
    assert lessons._told(seen, 1).report == ""
    assert lessons._told(said, 1).report == "p1 take_pieces announced=steel"


def test_what_sensors_see_of_a_moving_hand_changes_no_advice():
    box = box_of("megacity")
    play = Play(
        box.table(), full_plan("table", 2, box.shared_spots(), box.things(2)), box.begin(box.options(2)).position
    )
    play.guided = True
    lessons = Lessons(play)
    said = iter([Lesson(topic=topic) for topic in ("a", "b", "a", "c", "c", "c")])
    lessons.now = lambda: next(said)
    times_us = (0, 100_000, 900_000, 1_000_000, 1_000_000 + STEADY_US - 1, 1_000_000 + STEADY_US)
    assert [lessons.at(t_us).topic for t_us in times_us] == ["a", "a", "a", "a", "a", "c"]


def test_nothing_is_told_while_the_table_is_cleared(phones):
    phones.say(*spoken(Guide(on=True, by="host")))
    phones.clearing = object()
    assert Lessons(phones).now() == NOTHING


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.seeds("seed", [1, 2], soak=20)
@pytest.mark.parametrize("sensed", [True, False])
def test_every_game_has_a_step_for_whatever_happens_until_its_end_in_each_language(name, seed, sensed):
    """People do now and then what they were told, and now and then anything else."""
    rng = random.Random(seed)
    box = box_of(name)
    game, table = box.begin(box.options(box.players[-1])), whole(box.table())
    dealer = chance_of(name, rng)
    while game.outcome() is None:
        step = table.step(game.position, sensed=sensed)
        assert step is not None
        assert all(step.do.get(language) and step.rule.get(language) for language in ("en", "fr"))
        decisions = list(game.legal_actions)
        told = [one for one in decisions if step.action and table.topic(one) == step.topic]
        game.push(dealer.outcome(game, rng.choice(told if told and rng.random() < 0.7 else decisions)))
    assert isinstance(game.outcome(), Outcome)


def test_at_an_empty_seat_a_bot_says_what_to_do_and_at_no_other(phones):
    lessons = Lessons(phones)
    phones.say(*spoken(Guide(on=True, seats=(2,), by="host")))
    assert (lessons.now().do, lessons.now().guided, lessons.now().empty) == ({}, False, (2,))
    for action in ("p1 take_contract contract=PU1", "p1 end_turn"):
        say(phones, action)
    told = lessons.now()
    assert (told.seat, told.report) == (2, "p2 take_contract contract=PU2")
    say(phones, told.report)
    phones.say(*spoken(Guide(on=False, seats=(2,), by="host")))
    assert lessons.now() is None


def test_somebody_sits_down_at_an_empty_seat_of_a_guided_game(phones):
    phones.say(*spoken(Guide(on=True, by="host")))
    phones.say(*spoken(Guide(on=True, seats=(1, 2), by="host")))
    phones.say(*spoken(Guide(on=False, seats=(1,), by="host")))
    assert (Lessons(phones).now().guided, Lessons(phones).now().empty) == (True, (2,))
    assert Lessons(phones).now().do
