"""Pairing what actions do to a scale with what the scale showed."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.position import Pieces
from citytable.games.megacity.weights import PIECES
from citytable.table.layout import Layout, Scale
from citytable.table.piece_mass import PieceMass
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.observed import Step
from citytable.umpire.weighing import (
    DOUBTFUL,
    EXCHANGED,
    FAINT,
    HEAVY_GRABS,
    IN_GRABS,
    IN_ONE_GO,
    IN_PARTS,
    TAKEN_BACK,
    TOGETHER,
    UNFELT,
    Change,
    changes,
    comes_to,
    may_be_unseen,
    own_in_silence,
    pairing_cost,
)

BAG = "seat/1/bag"
grams = st.floats(-60, 60).filter(lambda g: abs(g) > 0.3)
one_way = st.floats(-60, -0.3)  # what comes back may make one act of all steps before


def cost(pieces: list[int], steps_g: list[float]) -> int:
    steps = [Step(no=k, t_us=k, spot=BAG, grams=g) for k, g in enumerate(steps_g)]
    return pairing_cost([Change(BAG, count) for count in pieces], steps, PieceMass.of(PIECES))


@pytest.mark.parametrize(
    ("pieces", "steps_g", "expected"),
    [
        ([], [], 0),
        ([-3], [-6.0], 0),
        ([-3, -3], [-6.0, -9.0], 0),
        ([-1], [-0.45], 0),
        ([-3], [-0.5], UNEXPLAINED + DOUBTFUL),  # three pieces weigh more
        ([-3], [6.0], UNEXPLAINED * 2),  # lighter was expected, heavier it became
        ([9], [11.0, 12.0, 4.0], 0),  # a heap of pieces given back in handfuls
        ([4, 11], [5.0, 0.6, 12.0], 0),  # one heap after the other
        ([-3], [-4.0, -5.0], IN_GRABS),  # they went one by one
        ([-3], [-2.0, -5.0, -1.5], IN_GRABS),
        ([-3], [-2.0, -2.0, -2.0, -2.0], IN_GRABS + UNEXPLAINED),  # four steps are no three pieces
        ([-3], [-8.0, -9.0], HEAVY_GRABS),
        ([-3], [-12.0, -13.0], UNEXPLAINED),  # nor are as heavy ones as these
        ([-3], [-23.0], UNEXPLAINED),  # nor is a handful of six
        ([-3, -3], [-32.0, 1.1], IN_ONE_GO + DOUBTFUL),
        ([-3], [-32.0, 1.1, -2.4], UNEXPLAINED + DOUBTFUL),  # six pieces are not exchanged for one
        ([-1], [-1.0, -2.0], DOUBTFUL),
        ([3], [2.0, 3.0], IN_GRABS),  # given back one by one
        ([-1], [], UNFELT),
        ([], [0.5], DOUBTFUL),
        ([], [-6.0, 6.1], TAKEN_BACK),
        ([], [-2.0, 5.0], EXCHANGED),
        ([-1, 1], [-2.0, 5.0], 0),  # the exchange that an action is
        ([], [6.0, -6.1], TAKEN_BACK),  # a cup stood there, or pieces went into the wrong bag
        ([], [6.0, -7.0], 2 * UNEXPLAINED),
        ([], [200.0, -120.0, -50.0, -30.0], IN_PARTS),  # a bag of somebody's, unpacked there
        ([], [-9.0, 4.0, 5.2], IN_PARTS),
        ([-3], [-9.0, 3.0], IN_PARTS),  # four in his hand
        ([-3], [-3.0, 1.6, -4.0], IN_PARTS),
        ([-3, -3], [-9.0, 3.0, -5.0], IN_PARTS),
        ([-3], [-9.0, 9.1, -6.0], TAKEN_BACK),
        ([-1, 1], [-2.0, 2.4], 0),
        ([-3], [6.0, -6.0, -9.0], TAKEN_BACK),
        ([3, -3], [6.0, -6.0], 0),
        ([-3, 2], [-6.0, 6.1], 0),  # rather an action than something taken back
    ],
)
def test_the_cheapest_pairing_counts(pieces, steps_g, expected):
    assert cost(pieces, steps_g) == expected


@pytest.mark.parametrize(("others", "expected"), [((), 0), (("seat/2/bag",), FAINT)])
def test_two_scales_that_differ_a_little_are_hardly_an_act(others, expected):
    """A monument was believed for 0.7 g between two cradles (B 32006)."""
    step = Step(no=1, t_us=1, spot=BAG, grams=0.9, others=others)
    assert pairing_cost([Change(BAG, 1)], [step], PieceMass.of(PIECES)) == expected
    assert pairing_cost([], [step], PieceMass.of(PIECES)) == DOUBTFUL


@pytest.mark.parametrize(
    ("pieces", "steps_g", "expected"),
    [([-3], [], 0), ([-1, 1], [], 0), ([-3], [-6.0], 0), ([], [-6.0], UNEXPLAINED), ([-3], [6.0], UNEXPLAINED)],
)
def test_a_silent_scale_need_not_show_a_change_but_what_it_showed_needs_an_explanation(pieces, steps_g, expected):
    steps = [Step(no=k, t_us=k, spot=BAG, grams=g) for k, g in enumerate(steps_g)]
    assert pairing_cost([Change(BAG, count) for count in pieces], steps, PieceMass.of(PIECES), silent=True) == expected


@given(st.lists(st.integers(-3, 12).filter(bool), max_size=5), st.lists(grams, max_size=7))
def test_a_pairing_costs_at_most_what_explaining_nothing_costs(pieces, steps_g):
    assert 0 <= cost(pieces, steps_g) <= UNEXPLAINED * (len(pieces) + len(steps_g))


@given(st.lists(st.integers(-15, 15).filter(bool), max_size=6), st.data())
def test_steps_that_pieces_can_weigh_explain_their_changes(pieces, data):
    steps_g = [count * data.draw(st.floats(0.45, 7.3)) for count in pieces]
    assert cost(pieces, steps_g) == 0


@given(st.lists(st.integers(-3, 3).filter(bool), max_size=4), st.lists(one_way, max_size=5), one_way)
@example([-3], [-1.0], -1.0)
@example([-2, -2], [], -15.0)
def test_one_more_step_never_makes_a_story_cheaper_by_more_than_it_could_explain(pieces, steps_g, more):
    doubtful = DOUBTFUL * (PIECES.handful - 1)  # of pieces that go one by one the others explained nothing alone
    at_once = max(1, sum(count < 0 for count in pieces))  # several draws may be one step
    assert cost(pieces, [*steps_g, more]) >= cost(pieces, steps_g) - UNEXPLAINED * at_once - doubtful


def test_a_step_across_a_silence_needs_an_action_where_it_is_more_than_a_scale_wanders():
    step = Step(no=1, t_us=1, spot=BAG, grams=-9.0, bridged=True)
    assert pairing_cost([], [step], PieceMass.of(PIECES)) == UNEXPLAINED
    assert pairing_cost([Change(BAG, -3)], [step], PieceMass.of(PIECES)) == 0


@pytest.mark.parametrize(
    ("pieces", "grams", "expected"),
    [
        ([], 0.5, 0),  # its own
        ([], -0.7, DOUBTFUL),
        ([-1, 1], -0.9, 0),  # one piece went and another came
        ([-3, -3], -13.0, TOGETHER),  # rather one act than two
        ([-3, -1, 1], -9.0, TOGETHER),
        ([1], 0.0, 0),  # so light that it shows in nothing
        ([-3], 0.0, UNEXPLAINED),  # three cannot be
        ([-1, 1], 30.0, 2 * UNFELT + UNEXPLAINED),
    ],
)
def test_all_that_was_done_in_a_silence_is_one_step(pieces, grams, expected):
    step = Step(no=1, t_us=1, spot=BAG, grams=grams, bridged=True, own_g=0.6)
    assert pairing_cost([Change(BAG, count) for count in pieces], [step], PieceMass.of(PIECES)) == expected


def test_one_piece_may_hide_in_what_a_scale_wandered_and_three_only_after_a_long_silence():
    assert may_be_unseen(Change(BAG, -1), 0.6, PIECES)
    assert not may_be_unseen(Change(BAG, -3), 0.6, PIECES)
    assert may_be_unseen(Change(BAG, -3), 1.5, PIECES)
    assert not may_be_unseen(Change(BAG, 1), 0.0, PIECES)


def test_only_a_scale_that_showed_no_more_than_that_may_have_wandered():
    steps = [
        Step(no=k, t_us=k, spot=spot, grams=grams, bridged=bridged, own_g=0.6)
        for k, (spot, grams, bridged) in enumerate(
            [(BAG, -3.0, True), ("city/0/0", 0.4, True), ("city/1/0", 0.4, False)]
        )
    ]
    assert own_in_silence(steps) == {"city/0/0": 0.6}


def test_something_taken_before_a_silence_and_put_back_after_it_was_taken_and_put_back():
    silence = Step(no=2, t_us=2, spot=BAG, grams=0.1, bridged=True, own_g=0.6)
    steps = [Step(no=1, t_us=1, spot=BAG, grams=-6.0), silence, Step(no=3, t_us=3, spot=BAG, grams=6.1)]
    assert pairing_cost([], steps, PieceMass.of(PIECES)) == TAKEN_BACK


@pytest.mark.parametrize(
    ("pieces", "steps_g", "whole"),
    [
        (0, [], True),
        (0, [-9.0, 9.3], True),
        (0, [-9.0], False),
        (0, [0.9, 0.9, -0.8, 0.9], True),  # a heavy bag that went from cradle to cradle
        (3, [], False),
        (3, [9.0, 4.0, 6.0], True),
        (3, [9.0, -9.0], False),
        (3, [0.6, 0.6, 0.6], True),  # light ones, one by one
        (-1, [-3.0], True),
        (-1, [3.0], False),
    ],
)
def test_what_is_put_back_is_put_back_in_whatever_steps(pieces, steps_g, whole):
    steps = [Step(no=k, t_us=k, spot=BAG, grams=g) for k, g in enumerate(steps_g)]
    assert comes_to(Change(BAG, pieces), steps, PIECES) is whole


def test_what_a_scale_wandered_in_a_silence_is_not_missed():
    step = Step(no=1, t_us=1, spot=BAG, grams=1.6, bridged=True, own_g=1.5)
    assert comes_to(Change(BAG, 0), [step], PIECES)


def test_a_change_belongs_to_the_scale_where_the_thing_was():
    before = Layout(regions=(), scales=(Scale("bag", "seat/1/bag", 100),))
    after = Layout(regions=(), scales=(Scale("bag", "seat/2/bag", 97),))
    assert changes(before, after) == (Change("seat/1/bag", -3),)


def test_an_exchange_takes_one_piece_off_and_puts_one_on():
    layout = Layout(regions=(), scales=(Scale("monument", "city/0/0", 1),))
    assert changes(layout, layout, ("city/0/0",)) == (Change("city/0/0", -1), Change("city/0/0", 1))


def test_what_is_too_heavy_for_a_monument_is_something_else_that_was_laid_down(table, delivered):
    """A glass stands on Central Park for a turn, and a monument is built beside it."""
    table.weigh("city/0/0", 14.0)
    table.weigh("city/0/0", 194.0)
    table.weigh("city/0/0", 198.0)
    table.pass_bag(1, 2)
    table.weigh("city/0/0", 18.0)
    assert [one.split()[1] for one in table.done()] == ["deliver", "place_central_park_monument", "end_turn"]
    assert table.provisional() == []
    assert table.umpire.status().agrees


def test_what_a_monument_may_weigh_is_no_glass(table):
    table.weigh("city/0/0", 14.0)
    table.weigh("city/0/0", 26.0)
    table.pass_bag(1, 2)
    assert not table.umpire.status().agrees


def test_what_lies_on_a_cradle_when_the_bag_is_lifted_is_no_part_of_the_bag(table):
    """Somebody had laid a book down beside it; what the scale lost was taken for a step of the bag (A 55015)."""
    book_g = 142.0
    table.weigh("seat/1/bag", table.bag_g + book_g)
    for drawn_g in (10.6, 6.4):
        table.bag_g -= drawn_g
        table.weigh("seat/1/bag", table.bag_g + book_g)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", book_g)
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    assert [one.split()[1] for one in table.done()] == ["take_pieces", "take_pieces", "end_turn"]
    table.weigh("seat/1/bag", 0.0)
    assert (table.umpire.questions, table.umpire.status().agrees) == ((), True)


def test_an_old_monument_that_went_while_a_delivery_waited_for_its_form_makes_place_for_a_new_one(table, building):
    """The form was answered, its act confirmed, and what scales had shown since was forgotten (A 108, A 173)."""
    (park,) = table.position.parks
    old, bag = replace(park, monument=Pieces(unknown=1)), table.position.bag - 1
    table.umpire.put_right(replace(table.position, parks=(old,), bag=bag), restoring=False)
    table.weigh("city/0/0", 15.0)
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.weigh("city/0/0", 13.9)
    table.draw(1, -1.0)
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.weigh("city/0/0", 16.8)
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == ["deliver", "place_central_park_monument", "end_turn"]


def test_a_hand_that_was_on_a_park_as_it_was_first_weighed_takes_nothing_from_it_when_it_goes(table, delivered):
    """The step was nobody's, and nothing was confirmed any more (strangers, no habit: 238)."""
    table.weigh("city/2/0", 0.0)
    table.lay("park/1", "city/2/0")
    table.weigh("city/2/0", 25.8)
    table.stir("city/2/0")
    for _ in range(6):
        table.stir("seat/1/pad/1")
    table.weigh("city/2/0", 14.0)
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == ["deliver", "place_park", "end_turn"]
    assert table.umpire.status().agrees


def test_a_piece_that_weighed_more_while_a_hand_laid_it_on_a_park_is_gone_with_that_hand(table):
    """What was left, 0.8 g, was no piece and no wandering scale, and nothing was confirmed any more (A 97012)."""
    table.weigh("city/0/0", 14.0)
    table.weigh("city/0/0", 18.4)
    table.weigh("city/0/0", 14.7)
    table.weigh("city/0/0", 11.4)
    table.weigh("city/0/0", 14.9)
    for _ in range(2):
        table.draw(1, 7.0)
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == ["take_pieces", "take_pieces", "end_turn"]
