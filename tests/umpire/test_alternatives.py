"""Which of two contracts a building is for shows when one of them is turned over; until then nobody guesses."""

import pytest

PU1, PU2 = (f"p1 deliver contract={one} platform=1 at=1/0 stood=yes" for one in ("PU1", "PU2"))


@pytest.fixture
def two(table, building, deal):
    """Seat 1 holds two public contracts, and brings their building to 1/0."""
    table.take_contract(1, *deal.columns[0][1:3])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to, drew=0)
        if table.umpire.questions:
            table.answer(which="nothing")
    table.confirmed.clear()
    table.move("seat/1/pad/0", "city/1/0")
    return table


def asked(table):
    return [(one.prompt, one.fields[0].choices) for one in table.umpire.questions]


def test_whose_turn_is_over_and_turned_over_neither_contract_is_asked_which_it_was(two):
    two.pass_bag(1, 2)
    assert asked(two) == [("which", (PU1, PU2))]
    two.answer(which=PU2)
    assert [(one.prompt, one.about) for one in two.umpire.questions] == [("deliver", PU2)]


def test_the_contract_that_is_turned_over_is_the_one(two):
    two.lift(two.where("contract/PU2"))
    assert [(one.prompt, one.about) for one in two.umpire.questions] == [("deliver", PU2)]


def test_nothing_is_confirmed_before_that_is_answered(two):
    two.pass_bag(1, 2)
    for seat, to in ((2, 3), (3, 1)):
        two.pass_bag(seat, to)
    assert two.done() == []
