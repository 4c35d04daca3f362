"""Acts that hands can do in every game."""

import pytest

SOMEWHERE = "market/row/3"  # no plan senses it


def test_a_thing_comes_out_of_the_box_goes_where_it_is_brought_and_back(new_game):
    game = new_game()
    assert game.act("bring", thing="card/7", spot="seat/1/card/0") == {"from": None}
    assert [thing.name for thing in game.world.lying("seat/1/card/0")] == ["card/7"]
    assert game.act("bring", thing="card/7", spot=SOMEWHERE) == {"from": "seat/1/card/0"}
    assert game.world.lying("seat/1/card/0") == []
    assert game.act("put_away", thing="card/7") == {"from": SOMEWHERE}
    assert game.world.lying(SOMEWHERE) == []


def test_only_the_thing_that_was_named_is_brought(new_game):
    game = new_game()
    game.act("bring", thing="card/7/back", spot="seat/1/card/0")
    assert game.act("bring", thing="card/7", spot="seat/1/card/1") == {"from": None}
    assert [thing.name for thing in game.world.lying("seat/1/card/0")] == ["card/7/back"]


def test_what_is_in_the_box_cannot_be_put_away(new_game, refused):
    with pytest.raises(refused, match="no 'card/7' lies on the table: it is in the box"):
        new_game().act("put_away", thing="card/7")
