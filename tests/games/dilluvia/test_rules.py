"""One test or more for each rule DR1-DR28; the tiles of DR29 and the rulings have files of their own."""

from collections import Counter

import pytest
from msgspec.structs import asdict, replace

from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.position import Cubes, Owned, Placed
from citytable.games.dilluvia.values import HOUSE


def lines(game, tag):
    return {str(one) for one in game.legal_actions if str(one).split()[1] == tag}


@pytest.mark.parametrize(("players", "tiles"), [(2, 49), (3, 57), (4, 61)])
def test_dr1_the_market_begins_with_16_white_tiles_and_later_seats_have_more_aeros(table, players, tiles):
    game = table.game(players)
    assert len(game.position.white) + len(game.position.grey) == tiles
    order = tuple(range(players, 0, -1))
    market = ",".join(map(str, game.position.white[:16]))
    table.play(game, f"table set_up market={market}", f"table draw_order order={','.join(map(str, order))}")
    assert [game.position.of(seat).aeros for seat in order] == [3, 4, 5, 6][:players]
    assert all(player.workers == 6 and player.marker == 0 for player in game.position.players)
    assert game.player == players


def test_dr1_a_grey_tile_or_one_of_a_larger_group_is_refused(table):
    game = table.game(2)
    white, grey = game.position.white, game.position.grey
    refused = [(*white[:15], grey[0]), (*white[:15], 14), white[:15], (*white[:15], white[0])]
    for market in refused:
        line = f"table set_up market={','.join(map(str, market))}"
        assert table.rule(game, line) in {"DR1", "DR3"}
    market = ",".join(map(str, white[:16]))
    assert table.rule(game, "p1 zeppelin at=left1") == "DR3"
    assert table.rule(game, "table draw_order order=1,2") == "DR1"
    table.play(game, f"table set_up market={market}")
    assert table.rule(game, "table draw_order order=1,1") == "DR1"


def test_dr1_buildings_0_and_1_are_open_in_the_first_turn(table):
    game = table.due(table.ground(table.at(), 1, "6/6", "8/8"), ("construction", 1, 1), acted=True)
    assert {line.split()[2] for line in lines(game, "build")} == {"number=0", "number=1"}


def test_dr2_a_turn_is_market_action_income_and_the_seventh_ends_the_game(table):
    phases = [(game.position.turn, game.position.phase) for game, _, _ in table.walk(2, 5)]
    order = ["refill", "zeppelins", "shopping", "workers", "income"]
    seen = list(dict.fromkeys(phases))[2:]
    assert seen == sorted(seen, key=lambda one: (one[0], order.index(one[1])))
    assert (7, "income") not in seen
    game = table.played(2, 5)
    assert (game.position.phase, game.position.turn, game.player) == ("end", 7, 0)
    assert list(game.legal_actions) == []
    assert table.rule(game, "p1 done") == "DR2"


def test_dr3_empty_spaces_are_filled_row_by_row_white_tiles_first(table):
    game = table.at(phase="refill", turn=2)
    market, white, grey = game.position.market, game.position.white, game.position.grey
    gone = tuple(0 if space in {2, 9, 16} else tile for space, tile in enumerate(market, start=1))
    lost = tuple(market[k - 1] for k in (2, 9, 16))
    game = table.changed(game, market=gone, white=white[:1], grey=grey, discarded=(*lost, *white[1:]), player=0)
    one, two, three = white[0], grey[3], grey[1]
    assert table.rule(game, f"table refill tiles={two},{one},{three}") == "DR3"
    assert table.rule(game, f"table refill tiles={one},{two}") == "DR3"
    assert table.rule(game, f"table refill tiles={one},{two},{market[0]}") == "DR3"
    after = table.after(game, f"table refill tiles={one},{two},{three}")
    assert (after.market[1], after.market[8], after.market[15]) == (one, two, three)
    assert after.phase == "zeppelins"


def test_dr3_what_the_stacks_lack_stays_empty(table):
    game = table.at(phase="refill", turn=2)
    market, position = game.position.market, game.position
    game = table.changed(
        game,
        market=(0, 0, *market[2:]),
        white=(),
        grey=position.grey[:1],
        discarded=(*market[:2], *position.white, *position.grey[1:]),
        player=0,
    )
    after = table.after(game, f"table refill tiles={position.grey[0]}")
    assert after.market[:2] == (position.grey[0], 0)


def test_dr4_no_two_zeppelins_in_one_line_and_none_at_a_corner(table):
    game = table.at(phase="zeppelins")
    assert len(lines(game, "zeppelin")) == 16
    table.play(game, "p1 zeppelin at=left2")
    assert table.rule(game, "p2 zeppelin at=left2") == "DR4"
    assert table.rule(game, "p2 zeppelin at=right2") == "DR4"
    assert len(lines(game, "zeppelin")) == 14
    assert table.rule(game, "p2 zeppelin at=top2") == ""


def test_dr5_tiles_cost_1_to_4_by_their_distance_and_any_may_be_left_out(table):
    game = table.at(phase="zeppelins")
    market = list(game.position.market)
    cheap = [tile for tile in market if not HOUSE.tile(tile).five]
    wanted = [tile for tile in cheap if HOUSE.tile(tile).kind in {"white2", "black2", "brown2", "purple2"}]
    dear = next(tile for tile in market if HOUSE.tile(tile).five)
    rest = [tile for tile in market if tile not in {*wanted[:3], dear}]
    game = table.changed(game, market=(*wanted[:2], dear, wanted[2], *rest))
    table.play(game, "p1 zeppelin at=right1", "p2 zeppelin at=top1")
    for space, aeros in ((4, 19), (1, 15), (3, 10)):
        table.play(game, f"p1 buy space={space}")
        assert game.position.of(1).aeros == aeros, space
    assert table.rule(game, "p1 buy space=5") == "DR5"
    assert table.rule(game, "p1 buy space=4") == "DR5"
    assert table.rule(game, "p2 buy space=5") == "DR5"
    poor = table.changed(game, p1={"aeros": 2})
    assert table.rule(poor, "p1 buy space=2") == "DR5"


def test_dr5_all_four_cost_10(table):
    game = table.at(phase="zeppelins")
    cheap = [tile for tile in game.position.white if not HOUSE.tile(tile).five and HOUSE.tile(tile).kind in KEPT]
    rest = [tile for tile in game.position.market if tile not in cheap[:4]]
    stack = tuple(
        tile for tile in (*game.position.market, *game.position.white) if tile not in {*cheap[:4], *rest[:12]}
    )
    game = table.changed(game, market=(*cheap[:4], *rest[:12]), white=stack)
    table.play(game, "p1 zeppelin at=left1", "p2 zeppelin at=top1")
    table.play(game, *(f"p1 buy space={space}" for space in (1, 2, 3, 4)))
    assert game.position.of(1).aeros == 10
    assert game.player == 2


KEPT = {"convert", "toll", "timely", "discount_23", "discount_45", "compensation", "future_building", "two_spaces"}


def test_dr6_an_empty_space_of_the_line_brings_an_aero_when_the_purchases_are_over(table):
    game = table.at(phase="zeppelins", turn=2)
    table.play(game, "p1 zeppelin at=left1", "p2 zeppelin at=top1", "p1 buy space=1", "p1 done")
    before = game.position.of(2).aeros
    assert game.position.empties == 1
    table.play(game, "p2 buy space=5")
    assert game.position.of(2).aeros <= before - 2 + 6  # not before the purchases are over
    aeros = game.position.of(2).aeros
    table.play(game, "p2 done")
    assert game.position.of(2).aeros == aeros + 1


def test_dr6_nobody_pays_with_the_compensation(table):
    game = table.at(phase="zeppelins", turn=2)
    position = game.position
    gone = position.market[:3]
    game = table.changed(game, market=(0, 0, 0, *position.market[3:]), discarded=gone, p1={"aeros": 2})
    table.play(game, "p1 zeppelin at=left1")
    assert game.position.player == 2
    table.play(game, "p2 zeppelin at=left2")
    assert game.position.player == 2, "seat 1 cannot pay 4 Aeros, gets 3 and is done"
    assert game.position.of(1).aeros == 5


def test_dr7_in_the_last_turn_each_printed_space_is_bought_once(table):
    game = table.at(phase="zeppelins", turn=7)
    aside = game.position.market
    game = table.changed(game, market=(0,) * 16, aside=aside)
    table.play(game, "p1 zeppelin at=left1", "p2 zeppelin at=top1", "p1 buy space=1")
    assert HOUSE.last_turn[0] == "aeros"
    assert game.position.of(1).aeros == 20 - 1 + 8
    assert game.position.taken[0] == 1
    table.play(game, "p1 done")
    assert game.position.empties == 1
    assert table.rule(game, "p2 buy space=1") == "DR7"
    table.play(game, "p2 done")
    assert game.position.of(2).aeros == 21


def test_dr7_the_tiles_left_are_put_aside_and_the_market_is_not_refilled(table):
    before = None
    for game, _, _ in table.walk(2, 3, greedy=1.0):
        if game.position.turn == 7:
            assert game.position.phase == "zeppelins"
            assert not any(game.position.market)
            assert set(game.position.aside) == {tile for tile in before if tile}
            break
        before = game.position.market


def test_dr8_workers_are_placed_in_turn_until_all_are_placed(table):
    game = table.at()
    table.play(game, "p1 place space=income workers=2", "p2 place space=white")
    assert game.player == 1
    assert game.position.of(1).left == 3
    assert table.rule(game, "p1 done") == "DR8"
    assert table.rule(game, "p1 place space=income workers=4") == "DR8"
    assert table.rule(game, "p2 place space=income") == "DR8"
    assert table.rule(game, "p1 place space=income workers=0") == "DR8"
    table.play(game, "p1 place space=income workers=4 special=yes")
    table.play(game, "p2 place space=black", "p2 place space=brown")
    assert game.player == 2, "a player without workers is skipped"


def test_dr8_the_phase_ends_when_all_workers_are_placed(table):
    game = table.at()
    table.play(game, "p1 place space=income workers=6 special=yes", "p2 place space=income workers=6 special=yes")
    assert game.position.turn == 2


def test_dr9_a_spot_takes_one_worker_or_many_and_some_cost_an_aero(table):
    game = table.at()
    assert table.rule(game, "p1 place space=order workers=2") == "DR9"
    assert table.rule(game, "p1 place space=garden workers=2") == "DR9"
    table.play(game, "p1 place space=white workers=2", "p2 place space=white workers=2")
    assert game.position.of(2).aeros == 19
    assert table.rule(game, "p1 place space=white") == "DR9", "the third spot is not for two players"
    poor = table.changed(table.at(), p2={"aeros": 0})
    table.play(poor, "p1 place space=white")
    assert table.rule(poor, "p2 place space=white") == "DR9"


@pytest.mark.parametrize(("players", "spots"), [(2, 3), (3, 4), (4, 5)])
def test_dr9_spots_with_a_number_are_for_so_many_players(table, players, spots):
    game = table.changed(table.at(players), p2={"left": 0})
    placed = tuple(Placed("income", 2, 1) for _ in range(spots - 1))
    assert table.rule(table.changed(game, placed=placed), "p1 place space=income") == ""
    placed += (Placed("income", 2, 1),)
    assert table.rule(table.changed(game, placed=placed), "p1 place space=income") == "DR9"


def test_dr10_only_the_first_special_worker_on_a_space_has_its_benefit(table):
    game = table.at()
    table.play(game, "p1 place space=income workers=3 special=yes", "p2 place space=income workers=3 special=yes")
    assert [player.aeros for player in game.position.players] == [20 + 4 + 2, 20 + 4]
    assert table.rule(game, "p1 place space=white special=yes") == "DR10"


def test_dr11_choosers_move_to_the_front_in_the_order_of_their_spots(table):
    game = table.at(4)
    workers = {f"p{seat}": {"left": 1, "special": False} for seat in (1, 2, 3, 4)}
    game = table.changed(game, **workers)
    table.play(game, "p1 place space=income", "p2 place space=white", "p3 place space=order", "p4 place space=order")
    assert game.position.order == (3, 4, 1, 2)


def test_dr11_the_special_worker_brings_the_place_in_the_order_as_prestige(table):
    game = table.at(3)
    table.play(game, "p1 place space=income", "p2 place space=income", "p3 place space=order special=yes")
    assert game.position.of(3).prestige == 3


@pytest.mark.parametrize(("workers", "aeros"), [(1, 1), (2, 2), (3, 4), (5, 6)])
def test_dr12_every_third_worker_brings_an_aero_more(table, workers, aeros):
    assert table.after(table.at(), f"p1 place space=income workers={workers}").of(1).aeros == 20 + aeros


def test_dr12_the_example_of_the_rulebook(table):
    after = table.after(table.at(), "p1 place space=income workers=3 special=yes")
    assert after.of(1).aeros == 20 + 6


def test_dr13_workers_bring_cubes_of_the_colour(table):
    game = table.at()
    table.play(game, "p1 place space=brown workers=2", "p2 place space=purple workers=2 special=yes")
    assert game.position.of(1).cubes == Cubes(9, 9, 11, 9)
    assert game.position.of(2).cubes == Cubes(9, 9, 9, 12)


def test_dr14_four_workers_buy_what_the_example_says(table):
    game = table.play(table.at(), "p1 place space=territory workers=4")
    for plan, aeros in (
        (("single", "single", "single", "single"), 16),
        (("row", "column"), 16),
        (("row", "single", "single"), 16),
        (("square", "single"), 15),
    ):
        walk = game.copy()
        for shape in plan:
            walk.push(next(one for one in walk.legal_actions if getattr(one, "shape", "") == shape))
        assert walk.position.of(1).aeros == aeros
        assert walk.player == 2
    one = table.due(game, ("territory", 2))
    assert table.rule(one, "p1 terrain at=5/5 shape=square") == "DR14"


def test_dr14_the_first_special_worker_brings_one_free_space(table):
    game = table.play(table.at(), "p1 place space=territory special=yes")
    assert table.rule(game, "p1 terrain at=6/6 shape=row free=yes") == "DR14"
    table.play(game, "p1 terrain at=6/6 free=yes")
    assert game.position.of(1).aeros == 20
    table.play(game, "p1 terrain at=5/5")
    assert game.position.of(1).aeros == 19
    assert game.player == 2
    assert game.position.city.terrain[0] == (Cell(5, 5), Cell(6, 6))


def test_dr15_the_first_cube_lies_around_the_central_propeller(table):
    game = table.play(table.at(), "p1 place space=territory workers=3")
    singles = {line for line in lines(game, "terrain") if "shape" not in line}
    around = {(6, 6), (7, 6), (8, 6), (6, 7), (8, 7), (6, 8), (7, 8), (8, 8)}
    assert singles == {f"p1 terrain at={x}/{y}" for x, y in around}
    assert table.rule(game, "p1 terrain at=4/4") == "DR15"
    assert table.rule(game, "p1 terrain at=7/7") == "DR15"
    assert table.rule(game, "p1 terrain at=4/6 shape=row") == "DR15"
    assert table.rule(game, "p1 terrain at=5/6 shape=row") == ""


def test_dr15_then_each_terrain_touches_the_players_own_also_diagonally(table):
    game = table.ground(table.at(), 1, "6/6")
    game = table.play(game, "p1 place space=territory")
    assert table.rule(game, "p1 terrain at=5/5") == ""
    assert table.rule(game, "p1 terrain at=8/8") == "DR15"
    assert table.rule(game, "p1 terrain at=6/6") == "DR15"


def test_dr15_a_first_cube_that_finds_no_place_lies_beside_a_building_of_another(table):
    game = table.at()
    for at in ("6/6", "7/6", "8/6", "6/7", "8/7", "6/8", "7/8"):
        game = table.built(game, 2, 1, at)
    game = table.ground(game, 2, "8/8")
    game = table.play(game, "p1 place space=territory")
    assert table.rule(game, "p1 terrain at=5/5") == ""
    assert table.rule(game, "p1 terrain at=9/9") == "DR15", "8/8 is terrain and no building"


@pytest.mark.parametrize(("players", "edge"), [(2, 3), (3, 2), (4, 1)])
def test_dr15_the_outer_rings_are_for_larger_groups(table, players, edge):
    game = table.ground(table.at(players), 1, f"{edge}/{edge + 1}")
    game = table.play(game, "p1 place space=territory")
    assert table.rule(game, f"p1 terrain at={edge + 1}/{edge + 2}") == ""
    assert edge == 1 or table.rule(game, f"p1 terrain at={edge - 1}/{edge + 1}") == "DR15"


def test_dr16_a_propeller_is_paid_brings_prestige_and_ground_and_has_one_owner(table):
    game = table.play(table.at(), "p1 place space=construction", "p1 propeller at=3/3")
    one = game.position.of(1)
    assert (one.aeros, one.prestige, one.marker) == (14, 6, 1)
    assert game.position.city.propellers == (Owned(Cell(3, 3), 1),)
    table.play(game, "p2 place space=construction")
    assert table.rule(game, "p2 propeller at=3/3") == "DR16"
    assert table.rule(game, "p2 propeller at=7/7") == "DR16"
    table.play(game, "p2 done", "p1 place space=territory")
    assert table.rule(game, "p1 terrain at=4/4") == ""


def test_dr16_one_worker_is_one_propeller_and_one_building(table):
    game = table.ground(table.at(), 1, "6/6", "8/8")
    table.play(game, "p1 place space=construction special=yes")
    assert game.position.of(1).prestige == 4
    table.play(game, "p1 build number=1 at=6/6")
    assert table.rule(game, "p1 build number=1 at=8/8") == "DR16"
    table.play(game, "p1 propeller at=3/7")
    assert game.player == 2


def test_dr17_a_building_costs_cubes_and_ground_and_its_square_is_income(table):
    game = table.ground(table.at(turn=3), 1, "6/6", "5/6", "5/5")
    table.play(game, "p1 place space=construction")
    assert table.rule(game, "p1 build number=3 at=5/6 shape=square") == "DR17"
    assert table.rule(game, "p1 build number=3 at=6/6 shape=row") == "DR17"
    assert table.rule(game, "p1 build number=7 at=6/6") == "DR17"
    table.play(game, "p1 build number=3 version=a at=5/6 shape=row cube=first")
    one = game.position.of(1)
    assert (one.cubes, one.mat_resources, one.mat_money, one.mat_prestige) == (Cubes(8, 8, 8, 8), 1, 3, 0)
    assert game.position.city.terrain[0] == (Cell(5, 5),)
    assert one.marker == 1
    poor = table.changed(table.ground(table.at(), 1, "6/6"), p1={"cubes": Cubes(white=1)})
    table.play(poor, "p1 place space=construction")
    assert table.rule(poor, "p1 build number=1 at=6/6") == "DR17"


def test_dr17_there_are_only_so_many_of_each_building(table):
    game = table.ground(table.at(), 1, "6/6")
    for k in range(8):
        game = table.built(game, 2, 1, f"{k % 4 + 8}/{k // 4 + 9}")
    game = table.play(game, "p1 place space=construction")
    assert table.rule(game, "p1 build number=1 at=6/6") == "DR17"
    assert table.rule(game, "p1 build number=1 version=b at=6/6") == ""


def test_dr18_buildings_of_the_turn_bring_2_population_and_later_ones_are_refused(table):
    game = table.ground(table.at(turn=2), 1, "6/6", "5/5", "4/4")
    table.play(game, "p1 place space=construction workers=2")
    assert table.rule(game, "p1 build number=3 at=6/6") == "DR18"
    table.play(game, "p1 build number=1 at=6/6")
    assert game.position.of(1).gained.total == 0
    table.play(game, "p1 build number=2 at=5/5")
    assert game.position.of(1).gained.timely == 2


def test_dr19_a_building_0_brings_a_worker_for_the_next_turn_once(table):
    game = table.ground(table.at(), 1, "6/6")
    table.play(game, "p1 place space=construction", "p1 build number=0 at=6/6 cube=first", "p1 done")
    assert (game.position.of(1).extra, game.position.of(1).left) == (1, 4)
    table.play(game, "p2 place space=order", "p1 place space=switch", "p1 switch at=6/6")
    one = game.position.of(1)
    assert (one.extra, one.mat_prestige) == (1, 2), "the worker stays"
    again = table.due(table.changed(game, player=1), ("switch", 1), acted=True)
    after = table.after(again, "p1 switch at=6/6").of(1)
    assert (after.extra, after.mat_prestige) == (1, 0), "and comes only once"


def test_dr19_the_worker_may_be_placed_in_the_next_turn(table):
    game = table.changed(table.at(), p1={"extra": 1, "left": 1, "special": False}, p2={"left": 1, "special": False})
    after = table.after(game, "p1 place space=income", "p2 place space=income")
    assert (after.of(1).left, after.of(1).special, after.of(2).left) == (6, True, 5)


def test_dr20_any_tile_costs_3_aeros_also_one_marked_5(table):
    game = table.at()
    dear = next(space for space, tile in enumerate(game.position.market, start=1) if HOUSE.tile(tile).five)
    table.play(game, "p1 place space=acquire", f"p1 acquire space={dear}")
    assert game.position.of(1).aeros == 17
    assert game.position.market[dear - 1] == 0


def test_dr20_an_own_spot_first_then_the_white_one_for_one_player(table):
    game = table.at()
    table.play(game, "p1 place space=acquire", "p1 done", "p2 place space=acquire", "p2 done")
    assert table.rule(game, "p1 place space=acquire") == ""
    table.play(game, "p1 place space=acquire", "p1 done")
    assert table.rule(game, "p2 place space=acquire") == "DR9"
    poor = table.due(table.changed(table.at(), p1={"aeros": 2}), ("acquire",), acted=True)
    assert table.rule(poor, "p1 acquire space=1") == "DR20"


def test_dr20_the_special_worker_brings_a_cube_of_choice(table):
    game = table.play(table.at(), "p1 place space=acquire special=yes")
    assert table.rule(game, "p1 done") == "DR20"
    assert table.rule(game, "p1 take colour=purple count=2") == "DR20"
    table.play(game, "p1 take colour=purple")
    assert game.position.of(1).cubes.purple == 10
    assert game.position.due.kind == "acquire"


def test_dr21_a_garden_replaces_a_cube_for_1_aero(table):
    game = table.ground(table.at(), 1, "6/6")
    table.play(game, "p1 place space=garden special=yes")
    assert table.rule(game, "p1 garden at=5/5") == "DR21"
    table.play(game, "p1 garden at=6/6")
    assert (game.position.of(1).aeros, game.position.of(1).gained.gardens) == (19, 2)
    assert (game.position.city.gardens, game.position.city.terrain[0]) == ((Cell(6, 6),), ())
    full = table.ground(table.at(), 1, "6/6")
    gardens = tuple(Cell(x, y) for y in (3, 4) for x in (4, 5, 6, 8, 9, 10, 3, 11) if (x, y) not in {(3, 3), (11, 3)})
    gardens += (Cell(3, 5), Cell(11, 5))
    full = table.changed(full, city=replace(full.position.city, gardens=tuple(sorted(gardens))))
    assert table.rule(table.due(full, ("garden",), acted=True), "p1 garden at=6/6") == "DR21"


def test_dr21_each_player_has_one_garden_spot(table):
    game = table.at()
    table.play(game, "p1 place space=garden", "p2 place space=order")
    assert table.rule(game, "p1 place space=garden") == "DR9"


def test_dr22_two_cubes_are_switched_three_with_the_special_worker(table):
    game = table.at()
    for at in ("6/6", "8/8", "6/8", "8/6"):
        game = table.built(game, 1, 1, at)
    game = table.changed(game, p1={"mat_money": 8})
    table.play(game, "p1 place space=switch special=yes", "p1 switch at=6/6")
    assert table.rule(game, "p1 switch at=6/6") == "DR22"
    assert table.rule(game, "p1 switch at=5/5") == "DR22"
    table.play(game, "p1 switch at=8/8", "p1 switch at=6/8")
    one = game.position.of(1)
    assert (one.mat_money, one.mat_prestige, game.player) == (2, 3, 2)


def test_dr23_income_in_order_of_play_with_resources_of_choice(table):
    last = {"left": 1, "special": False}
    game = table.changed(
        table.at(order=(2, 1)),
        p1={**last, "mat_money": 3, "mat_prestige": 4},
        p2={**last, "mat_resources": 3, "prestige": 9, "mat_prestige": 1},
    )
    table.play(game, "p2 place space=order", "p1 place space=order")
    assert (game.position.phase, game.player) == ("income", 2)
    assert (game.position.of(2).prestige, game.position.of(2).gained.tens) == (10, 1)
    assert table.rule(game, "p2 take colour=white count=4") == "DR23"
    assert table.rule(game, "p2 done") == "DR23"
    table.play(game, "p2 take colour=white count=2", "p2 take colour=purple")
    assert game.position.of(2).cubes == Cubes(11, 9, 9, 10)
    assert (game.position.of(1).aeros, game.position.of(1).prestige) == (23, 4)


def test_dr24_the_turn_ends_with_order_tiles_workers_and_zeppelins(table):
    last = {"left": 1, "special": False, "zeppelin": "left1"}
    game = table.holding(table.changed(table.at(), p1=last, p2={**last, "zeppelin": "left2"}), 1, "convert")
    held = game.position.of(1).tiles[0]
    game = table.changed(game, p1={"tiles": (replace(held, used=True),)})
    after = table.after(game, "p1 place space=income", "p2 place space=order")
    assert (after.turn, after.order, after.placed) == (2, (2, 1), ())
    assert after.of(1).tiles == (replace(held, used=False),)
    assert all((player.left, player.special, player.zeppelin) == (5, True, None) for player in after.players)


@pytest.mark.parametrize(
    ("prestige", "points", "marker", "population"), [(9, 2, 1, 2), (8, 1, 5, 0), (8, 2, 0, 1), (5, 26, 2, 6)]
)
def test_dr25_each_ten_reached_or_crossed_brings_the_markers_population(table, prestige, points, marker, population):
    game = table.changed(table.at(), p1={"prestige": prestige, "marker": marker, "mat_prestige": points, "left": 1,
                                        "special": False}, p2={"left": 1, "special": False})  # fmt: skip
    after = table.after(game, "p1 place space=income", "p2 place space=income")
    assert after.of(1).gained.tens == population


def test_dr26_the_mat_ends_at_36(table):
    game = table.changed(table.ground(table.at(), 1, "6/6"), p1={"mat_money": 35})
    table.play(game, "p1 place space=construction", "p1 build number=1 at=6/6")
    assert game.position.of(1).mat_money == 36


def ending(table, game):
    """The end that comes when both have placed their last worker in turn 7."""
    last = {"left": 1, "special": False}
    game = table.changed(game, turn=7, p1=last, p2=last)
    return table.play(game, "p1 place space=order", "p2 place space=order")


def test_dr27_the_end_has_income_then_tiles_then_gardens_then_population(table):
    game = table.at(4)
    game = table.holding(game, 1, "sets", "most_small")
    game = table.built(table.built(game, 1, 1, "6/6"), 1, 3, "6/5", "row")
    game = table.built(game, 2, 6, "3/8", "square")
    garden = (Cell(5, 6), Cell(5, 8))
    city = replace(game.position.city, gardens=garden)
    workers = {f"p{seat}": {"left": 0, "special": False} for seat in (3, 4)}
    cubes = {"aeros": 7, "cubes": Cubes(white=4), "mat_money": 4, "mat_resources": 7, "mat_prestige": 2}
    end = ending(table, table.changed(game, city=city, p1=cubes, **workers)).position
    assert end.of(1).aeros == 11
    assert end.of(1).prestige == 2 + 3 * 2 + 1  # two sets, and one small building beside a garden
    assert end.of(2).prestige == 4
    assert end.of(1).gained.final == 4


def test_dr27_a_building_scores_for_each_garden_it_touches(table):
    game = table.built(table.at(), 1, 3, "6/5", "row")
    city = replace(game.position.city, gardens=(Cell(5, 4), Cell(6, 4), Cell(7, 4), Cell(8, 5)))
    assert ending(table, table.changed(game, city=city)).position.of(1).prestige == 3 * 2


@pytest.mark.parametrize(
    ("one", "two", "winners"), [((3, 5), (2, 9), (1,)), ((3, 17), (3, 24), (1,)), ((3, 14), (3, 24), (1, 2))]
)
def test_dr28_most_population_wins_then_the_nearer_ten_then_both(table, one, two, winners):
    game = table.at()
    gained = [replace(game.position.of(1).gained, tiles=population) for population, _ in (one, two)]
    game = table.changed(
        game, p1={"gained": gained[0], "prestige": one[1]}, p2={"gained": gained[1], "prestige": two[1]}
    )
    outcome = ending(table, game).outcome()
    assert (outcome.termination, outcome.winners) == ("seven_turns", winners)
    assert outcome.scores == {1: one[0], 2: two[0]}


def test_the_house_values_are_those_that_are_agreed():
    assert sum(building.copies for building in HOUSE.buildings) == 86
    assert Counter(tile.back for tile in HOUSE.tiles) == {"white": 32, "grey": 29}
    assert Counter(tile.players for tile in HOUSE.tiles) == {2: 49, 3: 8, 4: 4}
    assert len({tile.kind for tile in HOUSE.tiles}) == 35
    assert HOUSE.origin == "house"


def test_no_version_of_a_house_building_gives_all_that_the_other_gives():
    def per_income(number, version):
        return [asdict(square) for square in HOUSE.building[number, version].squares]

    for number in range(1, 7):
        for one, other in ("ab", "ba"):
            pairs = zip(per_income(number, one), per_income(number, other), strict=True)
            assert any(mine[what] < theirs[what] for mine, theirs in pairs for what in mine), f"{number}{one}"
