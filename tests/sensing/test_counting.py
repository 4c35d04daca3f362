"""Pieces counted by the steps in which a tower was built."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.counting import KINDS_MAX, PieceCount, PieceKinds

ERROR_G = 0.15
HEAVY = [6.9, 7.8, 8.7, 9.4, 10.1, 11.3, 12.2, 13.6, 14.9]

steps = st.lists(st.floats(-40, 40).filter(bool), max_size=12)


def counted(*grams, kinds=None):
    count = PieceCount(kinds or PieceKinds())
    for step_g in grams:
        count.step(step_g, ERROR_G)
    return count


def acquainted():
    """Kinds of a table where every piece of the heavy set was weighed five times, and the marker confirmed."""
    kinds = PieceKinds()
    for mass_g in HEAVY * 5:
        kinds.learn(mass_g)
    for _ in range(3):
        kinds.learn_marker(1.0)
    return kinds


def test_pieces_put_on_one_by_one_are_counted():
    assert counted(9.4, 8.1, 12.7).n == 3


def test_every_step_of_which_nothing_is_known_adds_a_little_doubt():
    alike = [9.4, 7.6, 13.1, 16.2, 11.0, 8.5]
    confidences = [counted(*alike[:n]).confidence for n in range(1, 7)]
    assert confidences == sorted(confidences, reverse=True)


def test_two_known_pieces_put_on_at_once_are_two():
    kinds = acquainted()
    assert counted(9.4, 6.9 + 10.9, kinds=kinds).n >= 2
    count = counted(14.9 + 13.6, kinds=kinds)
    assert (count.n, count.unsure) == (2, False)


def test_a_mass_that_cannot_be_one_piece_is_not_made_one_by_what_was_learned():
    kinds = PieceKinds()
    for _ in range(50):
        kinds.learn(17.9)
    assert counted(35.8, kinds=kinds).n == 2


def test_what_is_taken_off_as_it_was_put_on_leaves_no_doubt():
    count = counted(9.4, 27.0, -27.1)
    assert count.n == 1
    assert count.confidence == pytest.approx(counted(9.4).confidence)


def test_a_part_of_what_was_put_on_at_once_can_be_taken_off():
    assert counted(10.1 + 12.2, -12.2, kinds=acquainted()).n == 1


def test_a_marker_is_no_piece_and_is_doubted_until_people_have_counted_a_few_towers():
    kinds = PieceKinds()
    first = counted(9.4, 8.1, 12.7, 1.0, kinds=kinds)
    assert (first.n, first.unsure) == (3, True)
    for _ in range(9):
        count = counted(9.4, 8.1, 12.7, 1.0, kinds=kinds)
        count.said(3)
    again = counted(9.4, 8.1, 12.7, 1.0, kinds=kinds)
    assert (again.n, again.unsure) == (3, False)


def test_a_second_thing_of_a_markers_mass_is_a_piece():
    assert counted(9.4, 1.0, 1.0, kinds=acquainted()).n == 2


def test_a_step_too_small_for_a_piece_is_nothing():
    count = counted(9.4, 0.31)
    assert (count.n, count.unsure) == (1, False)


def test_people_are_believed_and_counting_goes_on_from_there():
    count = counted(9.4, 27.0, 1.0)
    count.said(4)
    assert (count.n, count.confidence, count.unsure) == (4, 1.0, False)
    count.step(8.8, ERROR_G)
    assert count.n == 5
    count.step(-8.8, ERROR_G)
    count.step(-9.4, ERROR_G)
    assert count.n == 3


def test_a_count_below_nothing_is_refused():
    with pytest.raises(ValueError, match="-1 pieces"):
        counted(9.4).said(-1)


def test_more_taken_off_than_was_ever_there_leaves_nothing_and_doubt():
    count = counted(9.4, -60.0, -60.0)
    assert (count.n, count.unsure) == (0, True)


@given(steps)
def test_any_steps_give_a_count_with_a_likelihood(grams):
    count = counted(*grams)
    assert count.n >= 0
    assert 0 < count.confidence <= 1 + 1e-9
    assert count.n <= 3 * sum(step_g > 0 for step_g in grams)


@given(steps, st.floats(0.5, 60))
def test_putting_on_and_taking_off_again_changes_nothing(grams, more_g):
    before, after = counted(*grams), counted(*grams, more_g, -more_g)
    taken = [step_g for step_g in grams if step_g > 0 and abs(step_g - more_g) <= 1.5]
    if not taken:  # else an older thing of the same mass may be the one that is taken off
        assert (after.n, after.confidence) == (before.n, pytest.approx(before.confidence))


@given(st.lists(st.floats(0.4, 18), max_size=200))
def test_kinds_are_bounded_and_in_order(masses):
    kinds = PieceKinds()
    for mass_g in masses:
        kinds.learn(mass_g)
    known = [kind.mass_g for kind in kinds.kinds]
    assert known == sorted(known)
    assert len(known) <= KINDS_MAX


def test_who_is_sure_is_right():
    rng = random.Random(5)
    kinds, sure, right = PieceKinds(), 0, 0
    for _ in range(150):
        count, n = PieceCount(kinds), 0
        for _ in range(rng.randrange(3, 11)):
            pieces = 2 if rng.random() < 0.04 else 1
            mass_g = sum(rng.choice(HEAVY) * rng.gauss(1, 0.01) for _ in range(pieces))
            count.step(mass_g + rng.gauss(0, 0.05), ERROR_G)
            n += pieces
        count.step(1.0 + rng.gauss(0, 0.05), ERROR_G)
        sure, right = sure + (not count.unsure), right + (not count.unsure and count.n == n)
        if count.unsure:
            count.said(n)
    assert sure > 40
    assert right >= 0.96 * sure
