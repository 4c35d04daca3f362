"""The rulings DA1-DA24, and the switches of those on which groups differ."""

from msgspec.structs import replace

from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.position import Built, Owned, Placed
from citytable.games.dilluvia.scoring import majority, quarters, sectors
from citytable.games.dilluvia.values import HOUSE


def test_da1_rows_and_columns_may_cross(table):
    game = table.play(table.at(phase="zeppelins"), "p1 zeppelin at=left1")
    assert {str(one) for one in game.legal_actions} >= {f"p2 zeppelin at=top{k}" for k in (1, 2, 3, 4)}


def test_da2_a_player_may_buy_nothing(table):
    game = table.play(table.at(phase="zeppelins"), "p1 zeppelin at=left1", "p2 zeppelin at=left2", "p1 done")
    assert game.player == 2


def test_da3_own_purchases_bring_no_compensation(table):
    for own, aeros in ((False, 0), (True, 1)):
        game = table.at(phase="zeppelins", own_spaces_count=own)
        table.play(game, "p1 zeppelin at=left1", "p2 zeppelin at=left2", "p1 buy space=1")
        before = game.position.of(1).aeros
        assert table.after(game, "p1 done").of(1).aeros == before + aeros


def test_da4_the_ground_discount_is_per_terrain_and_never_pays_out(table):
    for per_space, aeros in ((False, 17), (True, 20)):
        game = table.holding(table.at(discount_per_space=per_space), 1, "ground_discount")
        game = table.play(game, "p1 place space=territory workers=3", "p1 terrain at=5/5 shape=square")
        assert game.position.of(1).aeros == aeros


def test_da5_the_free_space_is_adjacent_like_any_terrain(table):
    game = table.play(table.at(), "p1 place space=territory special=yes")
    assert table.rule(game, "p1 terrain at=4/4 free=yes") == "DR15"


def test_da6_a_terrain_may_lie_beside_those_just_bought(table):
    for go_on, rule in ((True, ""), (False, "DR15")):
        game = table.ground(table.at(terrains_go_on=go_on), 1, "6/6")
        game = table.play(game, "p1 place space=territory workers=2", "p1 terrain at=5/5")
        assert table.rule(game, "p1 terrain at=4/4") == rule


def test_da7_building_and_propeller_come_in_either_order(table):
    game = table.ground(table.at(), 1, "6/6")
    one = table.after(game, "p1 place space=construction", "p1 build number=1 at=6/6", "p1 propeller at=3/3")
    other = table.after(game, "p1 place space=construction", "p1 propeller at=3/3", "p1 build number=1 at=6/6")
    assert one == other


def test_da8_the_square_of_the_worker_with_an_empty_pool(table):
    for allowed, rule in ((True, ""), (False, "DR19")):
        game = table.changed(table.ground(table.at(empty_pool=allowed), 1, "6/6"), p1={"extra": 3})
        table.play(game, "p1 place space=construction")
        assert table.rule(game, "p1 build number=0 at=6/6 cube=first") == rule
        assert ("p1 build number=0 at=6/6" in {str(one) for one in game.legal_actions}) == allowed
    table.play(game, "p1 build number=0 at=6/6 cube=second")
    assert game.position.of(1).extra == 3


def test_da8_the_square_of_the_worker_is_not_switched_to_either(table):
    for allowed, rule in ((True, ""), (False, "DR19")):
        game = table.built(table.built(table.at(empty_pool=allowed), 1, 0, "6/6", cube="second"), 1, 1, "8/8")
        game = table.play(table.changed(game, p1={"extra": 3}), "p1 place space=switch")
        assert table.rule(game, "p1 switch at=6/6") == rule
        assert ("p1 switch at=6/6" in {str(one) for one in game.legal_actions}) == allowed


def test_da9_a_building_built_early_brings_no_population(table):
    for early, population in ((False, 0), (True, 2)):
        game = table.ground(table.at(turn=1, early_population=early), 1, "6/6")
        game = table.holding(game, 1, "future_building")
        tile = table.tile(game, 1, "future_building")
        table.play(game, "p1 place space=construction", f"p1 build number=2 at=6/6 tile={tile}")
        assert game.position.of(1).gained.timely == population


def test_da10_a_discount_never_pays_out(table):
    game = table.holding(table.ground(table.at(turn=2), 1, "6/6"), 1, "discount_23", "discount_23")
    table.play(game, "p1 place space=construction")
    assert table.rule(game, "p1 build number=2 at=6/6 spare=white:1,black:1,brown:1") == ""
    assert table.rule(game, "p1 build number=2 at=6/6 spare=white:2,black:1,brown:1") == "DR29"


def test_da11_of_two_toll_owners_the_earlier_in_the_order_is_paid(table):
    game = table.holding(table.holding(table.at(3, order=(3, 2, 1)), 2, "toll"), 3, "toll")
    table.play(game, "p3 place space=income", "p2 place space=white", "p1 place space=white")
    assert [player.aeros for player in game.position.players] == [19, 20, 22]


def test_da12_fewer_than_two_large_buildings_cost_one(table):
    game = table.built(table.at(), 1, 6, "4/4", "square")
    assert majority(game.position, 1, "most_large") == -1


def house(at, shape="single"):
    return Built(number=1, version="a", at=Cell(*at), shape=shape, owner=1, cube="first")


def test_da13_a_building_counts_for_the_quarter_that_holds_most_of_it(table):
    assert quarters(house((6, 3), "row")) == {0}
    assert quarters(house((7, 3))) == {0, 1}
    assert quarters(house((6, 6), "square")) == {0}
    assert quarters(house((8, 8))) == {3}
    assert sectors((house((7, 3)), house((5, 3)))) == 2, "the owner chooses"
    assert sectors((house((4, 3)), house((5, 3)))) == 1
    assert sectors(()) == 0


def test_da14_what_goes_beyond_36_is_lost(table):
    game = table.changed(table.ground(table.at(), 1, "6/6"), p1={"mat_money": 36})
    table.play(game, "p1 place space=construction", "p1 build number=1 at=6/6")
    assert game.position.of(1).mat_money == 36


def test_da15_a_switch_moves_the_marker_from_where_it_stands(table):
    game = table.changed(table.built(table.at(), 1, 1, "6/6"), p1={"mat_money": 36})
    table.play(game, "p1 place space=switch", "p1 switch at=6/6")
    assert game.position.of(1).mat_money == 34


def test_da16_a_tile_put_aside_costs_nothing_more(table):
    game = table.at(turn=7)
    dear = next(tile for tile in game.position.market if HOUSE.tile(tile).five)
    game = table.changed(game, market=(0,) * 16, aside=game.position.market)
    game = table.due(game, ("aside",), acted=True)
    assert table.after(game, f"p1 pick tile={dear}").of(1).aeros == 20


def test_da17_population_may_end_below_0(table):
    for below, population in ((True, -1), (False, 0)):
        game = table.holding(table.at(3, below_zero=below), 1, "most_small")
        game = table.built(game, 2, 1, "6/6")
        last = {"left": 1, "special": False}
        game = table.changed(game, turn=7, p1=last, p2=last, p3={"left": 0, "special": False})
        table.play(game, "p1 place space=income", "p2 place space=income")
        assert game.outcome().scores[1] == population


def test_da18_the_tiles_garden_may_touch_a_building_diagonally(table):
    for diagonally in (True, False):
        game = table.holding(table.built(table.at(gardens_diagonally=diagonally), 1, 1, "6/6"), 1, "free_garden")
        game = table.play(game, f"p1 use tile={table.tile(game, 1, 'free_garden')}")
        assert (table.rule(game, "p1 garden at=5/5") == "") == diagonally
        assert table.rule(game, "p1 garden at=5/6") == ""


def crowded(table, game):
    """The game in which seat 2 has no Aero, and every spot that is left for them costs one; seat 1 has two workers."""
    game = table.changed(game, p1={"extra": 3, "left": 1}, p2={"extra": 3, "left": 3, "aeros": 0})
    game = table.changed(game, p3={"extra": 3, "left": 0, "special": False})
    full = [("order", 4), ("income", 3), ("territory", 2), ("construction", 3)]
    full += [(colour, 1) for colour in ("white", "black", "brown", "purple")]
    spaces = [space for space, count in full for _ in range(count)]
    others = (Placed(space, 1 if k < 7 else 3, 1, special=k == 7) for k, space in enumerate(spaces))
    own = (Placed(space, 2, 1) for space in ("acquire", "garden", "switch", "acquire", "switch"))
    return table.changed(game, placed=(*others, *own))


def test_da19_a_player_who_finds_no_spot_is_skipped(table):
    assert table.after(crowded(table, table.at(3)), "p1 place space=white").player == 1


def test_da19_a_player_with_a_tile_that_pays_for_a_spot_is_not_skipped(table):
    game = crowded(table, table.built(table.holding(table.at(3), 2, "small_aeros"), 2, 1, "6/6"))
    table.play(game, "p1 place space=white")
    tile = table.tile(game, 2, "small_aeros")
    assert {str(one) for one in game.legal_actions} == {f"p2 use tile={tile}", "p2 done"}
    used = table.play(game.copy(), f"p2 use tile={tile}")
    assert table.rule(used, "p2 done") == "DR8"
    assert table.rule(used, "p2 place space=black") == ""


def test_da19_a_player_who_keeps_the_tile_is_skipped_until_the_next_turn(table):
    game = crowded(table, table.built(table.holding(table.at(3), 2, "small_aeros"), 2, 1, "6/6"))
    table.play(game, "p1 place space=white", "p2 done")
    assert game.player == 1
    after = table.after(game, "p1 place space=purple special=yes")
    assert after.turn == 2
    assert not any(player.passed for player in after.players)


def test_da19_a_tile_that_brings_nothing_pays_for_no_spot(table):
    game = crowded(table, table.holding(table.at(3), 2, "small_aeros", "convert"))
    assert table.after(game, "p1 place space=white").player == 1


def test_da20_prestige_comes_before_the_building_marker_moves(table):
    game = table.changed(table.at(), p1={"prestige": 5})
    table.play(game, "p1 place space=construction", "p1 propeller at=3/3")
    assert (game.position.of(1).gained.tens, game.position.of(1).marker) == (1, 1)


def test_da21_a_player_with_nothing_in_the_city_begins_again_and_own_propellers_count(table):
    game = table.at()
    game = table.changed(game, city=replace(game.position.city, propellers=(Owned(Cell(3, 3), 1),)))
    table.play(game, "p1 place space=territory")
    assert table.rule(game, "p1 terrain at=4/4") == ""
    assert table.rule(game, "p1 terrain at=6/6") == ""
    assert table.rule(game, "p1 terrain at=9/9") == "DR15"


def test_da22_a_worker_may_be_placed_for_nothing(table):
    game = table.play(table.at(), "p1 place space=territory workers=2", "p1 done")
    assert game.player == 2
    assert game.position.of(1).left == 3


def test_da23_nobody_having_any_is_a_tie(table):
    assert majority(table.at().position, 1, "most_propellers") == 3


def test_da24_the_four_colours_are_one_action_space(table):
    game = table.play(table.at(), "p1 place space=white special=yes", "p2 place space=black special=yes")
    assert (game.position.of(1).cubes.white, game.position.of(2).cubes.black) == (11, 10)
