"""R35-R37: what falls in the city."""

import pytest

from citytable.games.megacity.position import Face, Park, Pieces, Player


@pytest.fixture
def game(table):
    city = [
        table.built(1, "CO1", "1/0", height_mm=60, pieces=Pieces(steel=3, glass=2)),
        table.built(2, "IN1", "0/1", height_mm=50),
        table.built(3, "RE1", "-1/0", height_mm=50),
    ]
    return table.game(city=city)


def test_r35_pieces_on_the_table_go_to_the_box_the_others_to_the_bag_and_some_may_stay(table, game):
    before = game.position
    position = table.do(game, "table building_fell at=1/0 to_box=2 left=1")
    assert position.box == before.box + 2
    assert position.left_in_city == 1
    assert position.bag == before.bag + 2
    assert position.buildings[0].pieces == Pieces()


def test_r35_no_more_pieces_than_the_building_had(table, game):
    assert table.refused(game, "table building_fell at=1/0 to_box=5 left=1") == "R35"


def test_r35_only_a_building_that_stands_can_fall(table, game):
    assert table.refused(game, "table building_fell at=2/0 to_box=0 left=0") == "R35"
    table.do(game, "table building_fell at=1/0 to_box=0 left=0")
    assert table.refused(game, "table building_fell at=1/0 to_box=0 left=0") == "R35"


def test_r35_a_fall_interrupts_whatever_is_going_on_and_is_nobodys_decision(table, game):
    assert all(" building_fell" not in str(action) for action in game.legal_actions)
    position = table.do(game, "p1 reorganise column=public", "table building_fell at=0/1 to_box=0 left=0")
    assert (position.player, position.actions_used, position.phase) == (1, 1, "main")


def test_r36_completed_contracts_and_tokens_stay(table):
    city = [table.built(1, "CO1", "1/0")]
    game = table.game(city=city, hands={1: Player(tokens=2)})
    position = table.do(game, "table building_fell at=1/0 to_box=0 left=0")
    assert (position.players[0].completed, position.players[0].tokens) == (("CO1",), 2)


def test_r37_the_marker_moves_to_the_tallest_that_stands_without_a_token(table, at):
    city = [table.built(1, "CO1", "1/0", 60), table.built(2, "IN1", "0/1", 40), table.built(3, "RE1", "-1/0", 50)]
    position = table.do(table.game(city=city), "table building_fell at=1/0 to_box=0 left=0")
    assert position.tallest == at("-1/0")
    assert position.players[2].tokens == 0


def test_r37_the_marker_stays_when_another_building_falls(table, game, at):
    assert table.do(game, "table building_fell at=0/1 to_box=0 left=0").tallest == at("1/0")


def test_a22_among_equals_the_earliest_delivered_gets_the_marker(table, game, at):
    assert table.do(game, "table building_fell at=1/0 to_box=0 left=0").tallest == at("0/1")


def test_a23_when_nothing_stands_the_marker_leaves_and_the_next_delivery_wins_it_with_a_token(table, at):
    hand = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=4, glass=4))
    game = table.game(hands={1: hand}, city=[table.built(2, "IN1", "0/1", height_mm=99)])
    assert table.do(game, "table building_fell at=0/1 to_box=0 left=0").tallest is None
    line = "p1 deliver contract=CO5 platform=14 at=1/0 stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"
    position = table.do(game, line)
    assert (position.tallest, position.players[0].tokens) == (at("1/0"), 1)


def test_a26_a_few_pieces_fall_and_the_rest_stands_with_its_new_height(table, game, at):
    before = game.position
    position = table.do(game, "table pieces_lost at=1/0 to_box=steel:1 to_bag=glass:1 height=45mm")
    building = position.buildings[0]
    assert (building.standing, building.height_mm, building.pieces) == (True, 45, Pieces(steel=2, glass=1))
    assert (position.box, position.bag) == (before.box + 1, before.bag + 1)
    assert position.tallest == at("0/1")
    assert position.players[1].tokens == 0


def test_a26_the_marker_stays_while_the_building_is_still_as_high_as_the_others(table, game, at):
    line = "table pieces_lost at=1/0 to_box=steel:1 to_bag=none height=50mm"
    assert table.do(game, line).tallest == at("1/0")


@pytest.mark.parametrize(
    "lost",
    [
        "to_box=concrete:1 to_bag=none height=45mm",
        "to_box=steel:2 to_bag=steel:2 height=45mm",
        "to_box=steel:3 to_bag=glass:2 height=45mm",
        "to_box=steel:1 to_bag=none height=0mm",
    ],
)
def test_a26_only_pieces_that_were_there_and_something_still_stands(table, game, lost):
    assert table.refused(game, f"table pieces_lost at=1/0 {lost}") == "A26"


def test_a27_a_fallen_building_keeps_its_platform_a_tile_to_touch_and_its_hex(table):
    hand = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=4, glass=4))
    game = table.game(hands={1: hand}, city=[table.built(2, "IN1", "1/0")])
    table.do(game, "table building_fell at=1/0 to_box=0 left=0")
    cells = {line.split("at=")[1] for line in table.decisions(game, "deliver")}
    assert "2/0" in cells
    assert "1/0" not in cells


def test_a28_a_monument_that_touched_the_table_goes_to_the_box_and_its_park_is_empty_again(table, at):
    city = [table.built(2, "IN1", "1/0")]
    park = Park(at=at("2/0"), owner=2, monument=Pieces(glass=1))
    game = table.game(city=city, parks=[park], monument=Pieces(steel=1))
    position = table.do(game, "table monument_fell at=2/0", "table monument_fell at=0/0")
    assert [park.monument for park in position.parks] == [None, None]
    assert position.box == 2
    assert table.refused(game, "table monument_fell at=2/0") == "A28"
    assert table.refused(game, "table monument_fell at=1/0") == "A28"


def test_no_accident_before_the_deal_and_after_the_end(table):
    over = table.game(
        players=2, simplified=True, city=table.grown(12), columns=((), (), (), ()), phase="end", final="completed"
    )
    assert table.refused(over, "table building_fell at=1/0 to_box=0 left=0") == "R41"
