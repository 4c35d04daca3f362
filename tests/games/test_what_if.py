"""What-ifs: the position after a decision of which nobody knows yet how it came out."""

import pytest

from citytable.games.megacity.game import applied, legal_actions
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import Face, Park, Pieces, Player
from citytable.games.megacity.stack import Pile

HAND = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=5, glass=5))


def what_if(table, position, line):
    return applied(position, action_from_text(line), table.deck, what_if=True)


def test_an_untold_tile_lies_in_the_supply_as_none(table):
    after = what_if(table, table.position(), "p1 take_platform platform=1")
    assert after.supply == (Face(2, "public"), Face(3, "public"), None)
    assert after.players[0].platforms == (Face(1, "public"),)
    assert len(after.stack) == 20


def test_two_hands_at_once_take_a_tile_and_refresh(table):
    after = what_if(table, table.position(), "p1 take_platform platform=1")
    assert action_from_text("p1 refresh") in legal_actions(after, table.deck)
    after = what_if(table, after, "p1 refresh")
    assert after.supply == (None, None, None)
    assert after.returned == ((Face(2, "public"), Face(3, "public"), None),)
    assert action_from_text("p1 take_platform platform=2") not in legal_actions(after, table.deck)


def test_told_tiles_come_before_untold_ones(table):
    after = what_if(table, table.position(), "p1 refresh revealed=?,20/industrial,9/public")
    assert after.supply == (Face(9, "public"), Face(20, "industrial"), None)


def test_an_untold_tile_out_of_a_returned_group_leaves_the_rest_of_the_group_untold():
    pile = Pile((None, None), ((Face(4, "public"), Face(9, "public")),))
    assert pile.without_top(None) == Pile((None,), ((None,),))
    assert pile.without_top(Face(9, "public")) == Pile((None,), ((Face(4, "public"),),))
    assert pile.without_top(None).without_top(Face(4, "public")) == Pile((), ())


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("p1 take_pieces", Pieces(concrete=5, glass=5, unknown=3)),
        ("p1 take_pieces announced=steel", Pieces(steel=1, concrete=5, glass=5)),
        ("p1 take_pieces drawn=glass:3", Pieces(concrete=5, glass=8)),
    ],
)
def test_untold_pieces_are_drawn_as_unknown(table, line, pieces):
    assert what_if(table, table.position(hands={1: HAND}), line).players[0].pieces == pieces


def test_an_empty_bag_gives_nothing(table):
    after = what_if(table, table.position(bag=0), "p1 take_pieces announced=steel")
    assert (after.players[0].pieces, after.final) == (Pieces(), "bag_out")


def test_the_excess_goes_back_untold(table):
    position = table.position(hands={1: Player(pieces=Pieces(steel=17))}, actions_used=1)
    after = what_if(table, position, "p1 return_pieces")
    assert after.players[0].pieces == Pieces(steel=15)


def test_a_delivery_stands_with_untold_pieces_and_no_height(table, at):
    after = what_if(table, table.position(hands={1: HAND}), "p1 deliver contract=CO5 platform=14 at=1/0 stood=yes")
    (building,) = after.buildings
    assert (building.pieces, building.height_mm, building.at) == (Pieces(unknown=7), 0, at("1/0"))
    assert after.players[0].pieces == Pieces(unknown=3)
    assert (after.phase, after.delivered_at) == ("option", at("1/0"))
    assert what_if(table, table.position(hands={1: HAND}), "p1 deliver contract=CO5 platform=14 at=1/0") == after


def test_what_is_told_of_a_delivery_stays(table):
    line = "p1 deliver contract=CO5 platform=14 at=1/0 stood=yes height=50mm pieces=glass:5,concrete:2"
    (building,) = what_if(table, table.position(hands={1: HAND}), line).buildings
    assert (building.pieces, building.height_mm) == (Pieces(concrete=2, glass=5), 50)


def test_a_delivery_that_fell_is_a_what_if_too(table):
    after = what_if(table, table.position(hands={1: HAND}), "p1 deliver contract=CO5 platform=14 at=1/0 stood=no")
    assert (after.phase, after.buildings) == ("over", ())


def test_a_monument_is_an_untold_piece(table, at):
    hand = Player(contracts=("PU1",), platforms=(Face(6, "public"),), pieces=Pieces(steel=6))
    game = table.game(hands={1: hand}, city=[table.built(2, "IN1", "1/0")], parks=[Park(at=at("2/0"), owner=2)])
    position = table.do(
        game, "p1 deliver contract=PU1 platform=6 at=2/-1 stood=yes height=25mm pieces=steel:4 judged=yes"
    )
    for line in ("p1 place_monument park=2/0", "p1 place_central_park_monument"):
        after = what_if(table, position, line)
        assert after.players[0].pieces == Pieces(steel=1)
        assert Pieces(unknown=1) in [park.monument for park in after.parks]


def test_an_accident_with_nothing_told_puts_all_pieces_into_the_bag(table):
    position = table.position(city=[table.built(1, "CO1", "1/0")])
    after = what_if(table, position, "table building_fell at=1/0")
    assert (after.bag, after.box) == (position.bag + 5, 0)
    assert what_if(table, position, "table pieces_lost at=1/0") == position


def test_without_what_if_the_outcome_must_be_told(table):
    with pytest.raises(ValueError, match="drawn is open"):
        applied(table.position(), action_from_text("p1 take_pieces"), table.deck)
    with pytest.raises(ValueError, match="its outcome is open"):
        applied(
            table.position(hands={1: HAND}),
            action_from_text("p1 deliver contract=CO5 platform=14 at=1/0 stood=yes"),
            table.deck,
        )
