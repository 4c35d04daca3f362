"""Hands that put back what an act of the rulebook did: then everything lies, stands and shows what it did before."""

from collections import Counter

import pytest

pytestmark = pytest.mark.long(10)


def as_it_is(game):
    """What lies where with the side it shows, and which materials are where."""
    world = game.world
    lying = {spot: [thing.name for thing in world.lying(spot)] for spot in world.spots}
    monuments = {
        spot: thing.monument.material
        for spot in world.spots
        for thing in world.lying(spot)
        if getattr(thing, "monument", None)
    }
    stack = [(tile.number, tile.up) for tile in world.stack]
    seats = {
        number: (
            Counter(piece.material for piece in seat.pieces),
            [card.contract for card in seat.completed],
            seat.park,
        )
        for number, seat in world.seats.items()
    }
    return lying, monuments, stack, seats, Counter(piece.material for piece in world.bag.pieces)


def with_pieces(game, seat, at_least):
    while len(game.world.seat(seat).pieces) < at_least:
        game.act("take_pieces", seat=seat, announced=None)


def material(game, seat):
    return game.world.seat(seat).pieces[0].material


@pytest.mark.parametrize("stack", [True, False])
def test_a_platform_given_back_lies_in_its_slot_and_what_was_turned_up_for_it_on_the_stack(game, stack):
    if not stack:
        game.world.stack.clear()
    before, number = as_it_is(game), game.world.top("supply/platform/0").number
    (came, _) = game.act("take_platform", seat=2, platform=number)["revealed"] or (None, "")
    game.act("give_back_platform", seat=2, platform=number, revealed=came)
    assert as_it_is(game) == before


def test_a_card_given_back_lies_on_top_of_its_column(game):
    before = as_it_is(game)
    contract = game.act("take_extra_contract", seat=2, column="public")["contract"]
    game.act("give_back_contract", seat=2, contract=contract, column="public")
    assert as_it_is(game) == before


def test_a_landmark_given_back_lies_in_the_supply(game):
    game.act("lay_out_landmarks")
    before = as_it_is(game)
    game.act("take_landmark", seat=3, contract="L-PU")
    game.act("give_back_landmark", seat=3, contract="L-PU")
    assert as_it_is(game) == before


def test_a_column_is_in_its_old_order(game):
    before = as_it_is(game)
    game.act("reorganise", seat=1, column="public")
    assert as_it_is(game) != before
    game.act("reorganise_back", seat=1, column="public")
    assert as_it_is(game) == before


@pytest.mark.parametrize("left", [9, 2, 0])
def test_a_supply_lies_as_before_a_refresh_also_when_the_stack_was_nearly_empty(game, left):
    del game.world.stack[left:]
    before = as_it_is(game)
    platforms = [game.world.top(f"supply/platform/{k}").number for k in range(3)]
    revealed = [number for number, _ in game.act("refresh", seat=1)["revealed"]]
    game.act("refresh_back", seat=1, revealed=revealed, platforms=platforms)
    assert as_it_is(game) == before


def test_pieces_that_were_put_into_the_bag_are_found_again(game):
    with_pieces(game, 1, 3)
    before, name = as_it_is(game), material(game, 1)
    game.act("return_pieces", seat=1, pieces={name: 1})
    assert as_it_is(game) != before
    game.act("take_out_pieces", seat=1, pieces={name: 1})
    assert as_it_is(game) == before


def test_a_park_and_its_monument_go_back_to_their_player(game):
    with_pieces(game, 1, 1)
    before = as_it_is(game)
    game.act("place_park", seat=1, at=[1, 0])
    placed = as_it_is(game)
    game.act("place_monument", seat=1, at=[1, 0])
    game.act("take_back_monument", seat=1, at=[1, 0], older={})
    assert as_it_is(game) == placed
    game.act("take_back_park", seat=1, at=[1, 0])
    assert as_it_is(game) == before


def test_a_monument_that_was_replaced_stands_on_central_park_again(game):
    with_pieces(game, 1, 6)
    game.act("place_monument", seat=1, at=[0, 0])
    before, older = as_it_is(game), game.world.top("city/0/0").monument.material
    game.act("place_monument", seat=1, at=[0, 0])
    game.act("take_back_monument", seat=1, at=[0, 0], older={older: 1})
    assert as_it_is(game) == before


def test_a_building_comes_home_and_its_contract_is_open_again(game):
    contract = game.act("take_contract", seat=1, column="public")["contract"]
    number = game.world.top("supply/platform/0").number
    game.act("take_platform", seat=1, platform=number)
    with_pieces(game, 1, 4)
    chosen = Counter(piece.material for piece in game.world.seat(1).pieces[:4])
    game.act("build", seat=1, platform=number, pieces=chosen, at_least_mm=20)
    before = as_it_is(game)
    game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")
    game.act("finish_contract", seat=1, contract=contract)
    game.act("put_right", platform=number, spot_prefix="seat/1/pad")
    game.act("reopen_contract", seat=1, contract=contract)
    assert as_it_is(game) == before
    assert len(game.world.top("seat/1/pad/0").tower.placed) == 4


@pytest.mark.parametrize(
    ("act", "fields", "why"),
    [
        ("reopen_contract", {"contract": "PU1"}, "has not completed 'PU1'"),
        ("refresh_back", {"revealed": [], "platforms": [99]}, "platform 99 is not in the stack"),
        ("take_back_park", {"at": [1, 0]}, "on city/1/0 lies no park but None"),
        ("take_back_park", {"at": [0, 0]}, "the park on city/0/0 is not seat 1's"),
        ("take_back_monument", {"at": [0, 0], "older": {}}, "on city/0/0 stands no monument"),
        ("take_out_pieces", {"pieces": {"opaque": 999}}, "999 pieces of opaque wanted"),
    ],
)
def test_what_is_not_there_is_not_put_back(game, refused, act, fields, why):
    with pytest.raises(refused, match=why):
        game.act(act, seat=1, **fields)
