"""A contract that its player shows to a neighbour lies in a slot of theirs for a while, and holds nothing up."""

import pytest

MINE, THEIRS = "contract/PU1", "contract/IN1"


@pytest.fixture
def with_contracts(table):
    """The first two players have a contract each, and it is the third one's turn."""
    table.take_contract(1, "PU1", "PU2")
    table.draw(1, 8.0)
    table.pass_bag(1, 2, drew=1)
    table.take_contract(2, "IN1", "IN2")
    table.draw(2, 8.5)
    table.pass_bag(2, 3, drew=1)
    assert [one for one in table.done() if "end_turn" in one] == ["p1 end_turn", "p2 end_turn"]
    table.confirmed.clear()
    return table


def test_a_contract_in_a_neighbours_slot_holds_no_turn_up(with_contracts):
    table = with_contracts
    table.move(table.where(MINE), "seat/2/card/1")
    table.draw(3, 8.0)
    table.draw(3, 7.5)
    table.pass_bag(3, 1, drew=2)
    assert [one.split()[1] for one in table.done()] == ["take_pieces", "take_pieces", "end_turn"]


def test_it_is_told_where_it_belongs_all_the_same(with_contracts):
    table = with_contracts
    table.move(table.where(MINE), "seat/2/card/1")
    (wrong,) = table.umpire.status().disagreements
    assert (wrong.thing, wrong.spots, wrong.to) == (
        MINE,
        ("seat/2/card/1",),
        tuple(f"seat/1/card/{k}" for k in range(3)),
    )


def test_two_players_who_show_theirs_to_one_another(with_contracts):
    table = with_contracts
    mine, theirs = table.where(MINE), table.where(THEIRS)
    table.lift(mine)
    table.move(theirs, mine)
    table.lay(MINE, theirs)
    table.draw(3, 8.0)
    table.draw(3, 7.5)
    table.pass_bag(3, 1, drew=2)
    assert table.done()[-1] == "p3 end_turn"


def test_a_card_that_was_taken_just_now_is_his_in_whose_slot_it_lies(with_contracts):
    """Somebody else than the player whose turn it is has taken it: they reached ahead, or it is against a rule."""
    table = with_contracts
    table.lift(table.where("contract/PU2"))
    table.lay("contract/PU3", "supply/contract/public")
    table.lay("contract/PU2", "seat/1/card/1")
    table.draw(3, 8.0)
    table.pass_bag(3, 1, drew=1)
    assert not any("p3 take_contract" in one for one in (*table.done(), *table.provisional()))
