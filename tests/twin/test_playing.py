"""Movements of one thing at a time, as people at browsers make them."""

import pytest

pytestmark = pytest.mark.long(4)


@pytest.fixture
def game(new_game):
    game = new_game()
    game.set_up()
    return game


def with_a_platform(game):
    """Seat 1 with a platform on a pad and three pieces; the platform's spot."""
    tile = game.world.top("supply/platform/1")
    game.act("carry", seat=1, thing=tile.name, spot="seat/1/pad/1")
    game.act("take_pieces", seat=1, announced=None)
    return "seat/1/pad/1", tile


def test_a_platform_that_leaves_the_supply_is_replaced_from_the_stack(game):
    left = len(game.world.stack)
    tile = game.world.top("supply/platform/1")
    answer = game.act("carry", seat=1, thing=f"platform/{tile.number}", spot="seat/1/pad/0")
    new = game.world.top("supply/platform/1")
    assert answer == {"from": "supply/platform/1", "revealed": [new.number, new.up]}
    assert len(game.world.stack) == left - 1
    game.wait(2)
    assert game.believed()["seat/1/pad/0"] == tile.name


def test_a_tower_is_built_piece_by_piece_and_taken_off_again(game):
    spot, tile = with_a_platform(game)
    pieces = list(game.world.seat(1).pieces)
    for piece, laid in zip(pieces, ("flat", "side", "end"), strict=True):
        game.act("add_piece", seat=1, piece=piece.number, spot=spot, laid=laid)
    game.act("add_cube", seat=1, spot=spot)
    shapes = [piece.shape for piece in pieces]
    assert tile.tower.height_mm == pytest.approx(5 + shapes[1].a_mm + shapes[2].b_mm + 8, abs=0.5)
    assert (game.world.seat(1).pieces, game.world.seat(1).cubes) == ([], 7)
    for _ in range(4):
        game.act("take_off", seat=1, spot=spot)
    assert tile.tower.empty
    assert sorted(piece.number for piece in game.world.seat(1).pieces) == sorted(piece.number for piece in pieces)
    assert game.world.seat(1).cubes == 8


def test_a_toppled_tower_lies_there_and_in_front_of_its_player(game):
    spot, tile = with_a_platform(game)
    for piece in list(game.world.seat(1).pieces):
        game.act("add_piece", seat=1, piece=piece.number, spot=spot, laid="flat")
    game.act("add_cube", seat=1, spot=spot)
    answer = game.act("topple", seat=1, spot=spot)
    assert answer["fallen"] == len(game.world.seat(1).pieces) == 3 - len(tile.tower.placed)
    assert (tile.tower.height_mm, tile.tower.cube_of, game.world.seat(1).cubes) == (0, None, 8)


@pytest.mark.parametrize(
    ("act", "fields", "says"),
    [
        ("carry", {"thing": "bag", "spot": "seat/1/bag"}, "lies on seat/1/bag already"),
        ("carry", {"thing": "bag", "spot": "city/0/0"}, "no room"),
        ("carry", {"thing": "bag", "spot": "moon"}, "no spot 'moon'"),
        ("carry", {"thing": "contract/none", "spot": "seat/1/card/0"}, "no 'contract/none' lies"),
        ("add_piece", {"piece": 999, "spot": "seat/1/pad/0"}, "piece 999 does not lie"),
        ("take_off", {"spot": "city/0/0"}, "stands no piece"),
        ("topple", {"spot": "city/0/0"}, "stands no tower"),
        ("add_cube", {"spot": "seat/1/pad/0"}, "no tower without a cube"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(game, act, fields, says):
    before = game.truth()
    assert says in game.answer({"act": act, "seat": 1, **fields})["error"]
    assert game.truth() == before
