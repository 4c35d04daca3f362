"""Platforms that are turned over to look at them, and turned back: found by rehearsed evenings."""

from citytable.table import spot as spots

PAD = spots.pad(1, 0)
REZONES_TWICE = "p1 rezone platform=1 | p1 rezone platform=1"


def _has_a_platform(evening):
    evening.takes_one()
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.answer_honestly()
    evening.pass_round(2, 3)


def test_a_platform_is_rezoned_twice_and_looks_as_before(evening):
    _has_a_platform(evening)
    evening.does("p1 rezone platform=1", "p1 rezone platform=1")
    evening.flip(PAD)
    evening.wait(10)
    evening.flip(PAD)
    evening.passes(1)
    question = evening.question("which")
    assert question.fields[0].choices == ("nothing", REZONES_TWICE)
    evening.say(question, which=REZONES_TWICE)
    evening.ends_right()
    assert evening.table.done()[-3:] == ["p1 rezone platform=1", "p1 rezone platform=1", "p1 end_turn"]


def test_a_platform_is_looked_at_in_a_turn_with_two_actions_left(evening):
    _has_a_platform(evening)
    evening.flip(PAD)
    evening.wait(10)
    evening.flip(PAD)
    evening.passes(1)
    evening.say(evening.question("which"), which="nothing")
    evening.ends_right()
    assert evening.table.done()[-2:] == ["p3 end_turn", "p1 end_turn"]


def test_a_platform_is_looked_at_while_the_bag_is_on_its_way(evening):
    _has_a_platform(evening)
    evening.takes_card(1, "PU1")
    evening.does("p1 end_turn")
    evening.lift_bag(1)
    evening.flip(PAD)
    evening.lay_bag(2)
    evening.nothing_wrong()
    evening.flip(PAD)
    evening.wait(10)
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


def test_a_platform_is_looked_at_after_the_turn_and_until_the_next_bag_comes(evening):
    evening.takes_one()
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.flip(PAD)
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.flip(PAD)
    evening.wait(10)
    evening.draws(3, 8.7)
    evening.passes(3)
    evening.ends_right()


def test_a_draw_of_the_next_round_is_of_that_round_while_the_first_turn_is_asked_about(evening):
    evening.takes_card(1, "PU1")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.draws(1, 8.8, 8.7)
    evening.nothing_wrong()
    evening.passes(1)
    evening.ends_right()
