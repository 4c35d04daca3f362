"""What people do at a table, in single motions, by somebody who knows the rulebook and not the umpire.

Each test says what is really done by the rules. Whatever was confirmed at the end has to be that. Where a turn is not
confirmed something must be asked, for people had nothing left to do.
"""

from contextlib import suppress

import pytest

from citytable.games.megacity.spots import contract_column, supply_platform
from citytable.table import spot as spots

pytestmark = pytest.mark.long(27)

PIECE_G = 2.9
ONE = "platform/1/public"
NEXT = [f"platform/{number}/industrial" for number in (13, 14, 15, 16, 17, 18, 19)]
TAKES_PU1 = "p1 take_contract contract=PU1"
TAKES_ONE = "p1 take_platform platform=1 revealed=13/industrial"
FAILS = "p1 deliver contract=PU1 platform=1 at=1/0 stood=no"
DRAWS = "p{} take_pieces drawn=unknown:3"
ENDS = "p{} end_turn"


def test_a_supply_is_refreshed_twice_one_by_one(evening):
    for three in (NEXT[:3], NEXT[3:6]):
        evening.refreshes(1, *three)
        for k, tile in enumerate(three):
            evening.table.lift(supply_platform(k))
            evening.table.lay(tile, supply_platform(k))
    evening.passes(1)
    evening.ends_right()


def test_a_refresh_leaves_a_gap_that_the_next_player_fills(evening):
    evening.takes_card(1, "PU1")
    evening.refreshes(1, *NEXT[:3])
    evening.sweeps(*NEXT[:2])
    evening.passes(1)
    evening.nothing_wrong()
    evening.takes_card(2, "IN1")
    evening.wait(20)
    evening.table.lay(NEXT[2], supply_platform(2))
    evening.passes(2)
    evening.ends_right()


def test_two_players_leave_gaps_and_the_third_fills_both(evening):
    evening.does(TAKES_ONE)
    evening.move_tile(supply_platform(0), spots.pad(1, 0))
    evening.passes(1)
    evening.does("p2 take_platform platform=2 revealed=14/industrial")
    evening.move_tile(supply_platform(1), spots.pad(2, 0))
    evening.passes(2)
    evening.nothing_wrong()
    evening.table.lay(NEXT[0], supply_platform(0))
    evening.table.lay(NEXT[1], supply_platform(1))
    evening.draws(3, 8.8)
    evening.passes(3)
    evening.ends_right()


def test_a_platform_goes_into_a_lap_and_the_refresh_leaves_a_gap(evening):
    evening.does(TAKES_ONE)
    evening.table.lift(supply_platform(0))
    evening.table.lay(NEXT[0], supply_platform(0))
    evening.refreshes(1, *NEXT[1:4])
    evening.sweeps(*NEXT[1:3])
    evening.passes(1)
    evening.nothing_wrong()
    evening.draws(2, 8.8)
    evening.table.lay(NEXT[3], supply_platform(2))
    evening.passes(2)
    evening.lay_tile(ONE, spots.pad(1, 0))
    evening.passes(3)
    evening.ends_right()


def test_two_platforms_go_into_laps_before_a_refresh(evening):
    evening.does(TAKES_ONE)
    evening.table.lift(supply_platform(0))
    evening.table.lay(NEXT[0], supply_platform(0))
    evening.draws(1, 8.5)
    evening.passes(1)
    evening.does("p2 take_platform platform=13 revealed=14/industrial")
    evening.table.lift(supply_platform(0))
    evening.table.lay(NEXT[1], supply_platform(0))
    evening.draws(2, 8.5)
    evening.passes(2)
    evening.refreshes(3, *NEXT[2:5])
    evening.sweeps(*NEXT[2:5])
    evening.passes(3)
    evening.lay_tile(NEXT[0], spots.pad(2, 0))
    evening.lay_tile(ONE, spots.pad(1, 0))
    evening.draws(1, 8.2)
    evening.passes(1)
    evening.ends_right()


def test_a_platform_is_taken_before_the_third_one_is_turned_up(evening):
    evening.refreshes(1, *NEXT[:3])
    evening.sweeps(*NEXT[:2])
    evening.does("p1 take_platform platform=13 revealed=16/industrial")
    evening.move_tile(supply_platform(0), spots.pad(1, 0))
    evening.table.lay(NEXT[2], supply_platform(2))
    evening.table.lay(NEXT[3], supply_platform(0))
    evening.passes(1)
    evening.ends_right()


def test_the_platform_turned_up_is_taken_into_the_lap_at_once(evening):
    evening.refreshes(1, *NEXT[:3])
    evening.sweeps(*NEXT[:3])
    evening.does("p1 take_platform platform=14 revealed=16/industrial")
    evening.table.lift(supply_platform(1))
    evening.table.lay(NEXT[3], supply_platform(1))
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.lay_tile(NEXT[1], spots.pad(1, 0))
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.ends_right()


@pytest.mark.parametrize("grabs_g", [(5.6, 6.1, 5.7), (17.4,), (2.9, 5.6, 8.9), (8.8, 5.9, -2.7, 5.5)])
def test_two_draws_flow_into_one_another(evening, grabs_g):
    evening.does(DRAWS.format(1), DRAWS.format(1))
    evening.draw(1, *grabs_g)
    evening.passes(1)
    evening.ends_right()


def test_an_announced_piece_is_reported_after_the_hand_took_it(evening):
    evening.does("p1 take_pieces announced=glass drawn=glass:1")
    evening.draw(1, 3.0)
    evening.takes_card(1, "PU1")
    evening.table.say("p1 take_pieces announced=glass")
    evening.passes(1)
    evening.ends_right()


def test_an_announced_piece_is_reported_when_the_bag_has_gone(evening):
    evening.takes_card(1, "PU1")
    evening.does("p1 take_pieces announced=glass drawn=glass:1")
    evening.draw(1, 2.8)
    evening.passes(1)
    with suppress(ValueError):
        evening.table.say("p1 take_pieces announced=glass")
    evening.takes_card(2, "IN1")
    evening.draws(2, 8.6)
    evening.passes(2)
    evening.ends_right()


def test_a_count_is_put_right_a_round_late(evening):
    evening.takes_card(1, "PU1")
    evening.does("p1 take_pieces drawn=unknown:1")
    evening.draw(1, 3.4)
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.answer_honestly()
    evening.nothing_wrong()
    evening.table.say("table count_pieces seat=1 count=1")
    assert evening.table.umpire.provisional_position.players[0].pieces.most == 1


def test_a_draw_is_half_on_the_cradle_and_half_on_the_way(evening):
    evening.takes_card(1, "PU1")
    evening.does(DRAWS.format(1))
    evening.draw(1, 2.8)
    evening.passes(1, takes_g=5.9)
    evening.draws(2, 8.8)
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


@pytest.mark.parametrize("first", [True, False])
def test_both_players_draw_while_the_bag_is_on_its_way(evening, first):
    if first:
        evening.draws(1, 8.8)
    else:
        evening.takes_card(1, "PU1")
    evening.does(DRAWS.format(1))
    evening.does_early(DRAWS.format(2))
    evening.passes(1, takes_g=17.6)
    evening.does(DRAWS.format(2))
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


def test_the_next_player_draws_on_the_way_and_the_scales_cannot_tell_who(evening):
    evening.takes_card(1, "PU1")
    evening.does_early(DRAWS.format(2))
    evening.passes(1, takes_g=8.5)
    evening.does(DRAWS.format(2))
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


def test_pieces_too_many_go_back_on_the_way(evening):
    for _ in range(2):
        evening.draws(1, 8.6, 8.8)
        evening.passes(1)
        evening.pass_round(2, 3)
        evening.answer_honestly()
    evening.draws(1, 8.7, 8.7)
    evening.does("p1 return_pieces returned=unknown:3")
    evening.passes(1, takes_g=-8.2)
    evening.draws(2, 8.6)
    evening.passes(2)
    evening.ends_right()


def test_the_bag_comes_back_for_a_forgotten_draw(evening):
    """Seat 1 passed the bag, asks for it again and draws: that was never an act of seat 2."""
    evening.takes_card(1, "PU1")
    evening.pass_bag(1, 2)
    evening.pass_bag(2, 1)
    evening.draw(1, 8.6)
    evening.pass_bag(1, 2)
    evening.wait(10)
    assert not [act for act in evening.table.done() if act.startswith(("p2", "p3"))], evening.told()


def test_the_bag_goes_the_wrong_way_round_first(evening):
    evening.takes_card(1, "PU1")
    evening.draws(1, 8.6)
    evening.does(ENDS.format(1))
    evening.pass_bag(1, 3)
    evening.nothing_wrong()
    evening.pass_bag(3, 2)
    evening.takes_card(2, "IN1")
    evening.draws(2, 9.3)
    evening.passes(2)
    evening.ends_right()


def test_the_bag_goes_back_and_forth_for_a_laugh(evening):
    evening.takes_card(1, "PU1")
    evening.takes_one()
    evening.pass_bag(1, 2)
    evening.pass_bag(2, 1)
    evening.passes(1)
    evening.draws(2, 8.8, 8.3)
    evening.passes(2)
    evening.ends_right()


def test_a_glass_on_central_park_after_a_public_delivery_is_no_monument(evening):
    evening.builds()
    evening.delivers()
    evening.add("city/0/0", 240.0)
    evening.passes(1)
    evening.wait(60)
    evening.add("city/0/0", -240.0)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_phone_lies_on_the_pad_beside_a_tower_for_a_round(evening):
    evening.builds()
    evening.add(spots.pad(1, 0), 180.0)
    evening.takes_card(1, "CO1")
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.add(spots.pad(1, 0), -180.0)
    evening.delivers()
    evening.passes(1)
    evening.ends_right()


def test_a_phone_on_the_cradle_is_taken_from_under_the_bag(evening):
    evening.add(spots.bag(2), 180.0)
    evening.takes_card(1, "PU1")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.draws(2, 8.1)
    evening.add(spots.bag(2), -180.0)
    evening.draws(2, 8.9)
    evening.passes(2)
    evening.ends_right()


def test_a_phone_on_the_bag_is_taken_off_when_the_bag_is_passed(evening):
    evening.add(spots.bag(1), 180.0)
    evening.does(DRAWS.format(1))
    evening.table.bag_g -= 8.6
    evening.add(spots.bag(1), -8.6)
    evening.takes_card(1, "PU1")
    evening.add(spots.bag(1), -180.0)
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_the_scale_of_a_monument_settles_after_the_bag_was_passed(evening):
    evening.builds()
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.table.stir("city/0/0")
    evening.passes(1)
    evening.nothing_wrong()
    evening.add("city/0/0", 3.1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_contract_is_held_for_a_round_while_others_play(evening):
    evening.does(TAKES_PU1)
    evening.lift_card("PU1", "PU2")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.takes_card(2, "IN1")
    evening.draws(2, 9.0)
    evening.passes(2)
    evening.draws(3, 8.5, 8.6)
    evening.passes(3)
    evening.nothing_wrong()
    evening.table.lay("contract/PU1", spots.card(1, 0))
    evening.draws(1, 8.8, 9.0)
    evening.passes(1)
    evening.ends_right()


def test_a_card_is_looked_at_and_put_back(evening):
    evening.lift_card("PU1", "PU2")
    evening.draws(1, 8.8)
    evening.table.lift(contract_column("public"))
    evening.table.lay("contract/PU1", contract_column("public"))
    evening.takes_card(1, "IN1")
    evening.passes(1)
    evening.ends_right()


def test_a_tower_stands_on_a_hex_that_touches_nothing_first(evening):
    evening.builds()
    evening.carry(spots.pad(1, 0), "city/0/2")
    evening.wait(40)
    evening.does("p1 deliver contract=PU1 platform=1 at=0/1 stood=yes")
    evening.carry("city/0/2", "city/0/1")
    evening.turn_over("PU1")
    evening.fill_in_form()
    evening.passes(1)
    evening.ends_right()


def test_another_hex_is_chosen_when_the_contract_is_turned_over_already(evening):
    evening.builds()
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.turn_over("PU1")
    evening.wait(15)
    evening.does("p1 deliver contract=PU1 platform=1 at=-1/1 stood=yes")
    evening.carry("city/1/0", "city/-1/1")
    evening.fill_in_form()
    evening.passes(1)
    evening.ends_right()


def test_a_felt_fall_is_taken_home_without_a_word(evening):
    evening.builds()
    evening.does(FAILS)
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.table.fall("city/1/0", lost_g=3 * PIECE_G)
    evening.add("city/1/0", -3 * PIECE_G)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.passes(1)
    evening.add(spots.pad(1, 0), 3 * PIECE_G)
    evening.pass_round(2, 3)
    evening.delivers("0/1")
    evening.passes(1)
    evening.ends_right()


def test_an_unfelt_fall_is_said(evening):
    evening.builds()
    evening.does(FAILS)
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.add("city/1/0", -3 * PIECE_G)
    evening.table.say(FAILS)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.passes(1)
    evening.ends_right()


def test_pieces_that_are_gone_at_rest_are_no_standing_delivery(evening):
    evening.builds()
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.add("city/1/0", -2 * PIECE_G)
    evening.turn_over("PU1")
    assert evening.table.umpire.questions
    proposed = {one.name: one.proposed for asked in evening.table.umpire.questions for one in asked.fields}
    assert proposed.get("height_mm") is None


def test_a_platform_is_flipped_only_to_look(evening):
    evening.takes_one()
    evening.passes(1)
    evening.flip(spots.pad(1, 0))
    evening.draws(2, 8.8)
    evening.flip(spots.pad(1, 0))
    evening.passes(2)
    evening.passes(3)
    for _ in range(4):
        evening.flip(spots.pad(1, 0))
    evening.draws(1, 8.9, 8.5)
    evening.passes(1)
    evening.ends_right()


def test_a_turn_is_ended_by_word_and_then_by_hand(evening):
    evening.takes_card(1, "PU1")
    evening.draws(1, 8.8)
    evening.table.say("p1 end_turn")
    evening.passes(1)
    evening.takes_card(2, "IN1")
    evening.draws(2, 8.6)
    evening.passes(2)
    evening.ends_right()


def test_a_draw_comes_between_the_word_and_the_hand(evening):
    evening.takes_card(1, "PU1")
    evening.table.say("p1 end_turn")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


def test_a_platform_stays_in_the_lap_through_two_refreshes(evening):
    evening.does(TAKES_ONE)
    evening.table.lift(supply_platform(0))
    evening.table.lay(NEXT[0], supply_platform(0))
    evening.refreshes(1, *NEXT[1:4])
    evening.sweeps(*NEXT[1:4])
    evening.passes(1)
    evening.refreshes(2, *NEXT[4:7])
    evening.sweeps(*NEXT[4:7])
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.passes(3)
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.lay_tile(ONE, spots.pad(1, 0))
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.ends_right()


def test_a_refresh_that_is_not_liked_is_swept_up_and_its_gaps_are_filled_late(evening):
    """The first refresh shows two only, is not liked, and is swept up again: what never came up was not turned up."""
    evening.sweeps(*NEXT[:2])
    evening.table.lay(NEXT[2], supply_platform(2))
    evening.refreshes(1, *NEXT[:3])
    evening.table.lift(supply_platform(2))
    evening.table.lift(supply_platform(1))
    evening.table.lift(supply_platform(0))
    evening.table.lay(NEXT[3], supply_platform(2))
    evening.refreshes(1, *NEXT[3:6])
    evening.passes(1)
    evening.table.lay(NEXT[4], supply_platform(0))
    evening.nothing_wrong()
    evening.takes_card(2, "IN1")
    evening.table.lay(NEXT[5], supply_platform(1))
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_two_players_hold_a_card_at_the_same_time(evening):
    evening.does(TAKES_PU1)
    evening.lift_card("PU1", "PU2")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.does("p2 take_contract contract=IN1")
    evening.lift_card("IN1", "IN2")
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.draws(3, 8.7)
    evening.passes(3)
    evening.table.lay("contract/IN1", spots.card(2, 0))
    evening.table.lay("contract/PU1", spots.card(1, 0))
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.ends_right()


def test_the_next_player_takes_a_platform_before_the_bag_comes(evening):
    evening.takes_card(1, "PU1")
    evening.does(ENDS.format(1), "p2 take_platform platform=1 revealed=13/industrial")
    evening.take_tile(0, spots.pad(2, 0), NEXT[0])
    evening.pass_bag(1, 2)
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.ends_right()


def test_a_monument_settles_two_turns_late(evening):
    evening.builds()
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.table.stir("city/0/0")
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.draws(3, 8.7)
    evening.nothing_wrong()
    evening.add("city/0/0", 3.1)
    evening.passes(3)
    evening.ends_right()


def test_a_presentation_is_withdrawn(evening):
    evening.builds()
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.turn_over("PU1")
    evening.wait(10)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.table.lay("contract/PU1", spots.card(1, 0))
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_platform_is_turned_over_early_for_the_own_turn(evening):
    """Seat 1 rezones early, before the bag has come: it is an act of their own turn."""
    evening.takes_one()
    evening.passes(1)
    evening.pass_round(2)
    evening.flip(spots.pad(1, 0))
    evening.draws(3, 8.7)
    evening.passes(3)
    evening.does("p1 rezone platform=1")
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.ends_right()


def test_a_hand_rests_on_the_bag_and_takes_three_pieces_with_it(evening):
    """A hand rests on the bag for a while (200 g) and takes three pieces with it."""
    evening.add(spots.bag(1), 200.0)
    evening.does("p1 take_pieces drawn=unknown:3")
    evening.table.bag_g -= 8.7
    evening.add(spots.bag(1), -208.7)
    evening.takes_card(1, "PU1")
    evening.passes(1)
    evening.ends_right()


def test_hand_leans_on_central_park_and_leaves_a_monument(evening):
    """A hand leans on Central Park, 300 g for two seconds, and a piece is there after it."""
    evening.builds()
    evening.delivers()
    evening.does("p1 place_central_park_monument piece=unknown:1")
    evening.add("city/0/0", 300.0)
    evening.add("city/0/0", -296.9)
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_tile_of_the_stack_on_a_pad_for_a_moment_before_the_draws(evening):
    evening.lay_tile(NEXT[0], spots.pad(1, 2))
    evening.wait(8)
    evening.lift_tile(spots.pad(1, 2))
    evening.draws(1, 8.7, 8.8)
    evening.passes(1)
    evening.ends_right()


def test_tile_of_the_stack_on_a_pad_for_a_moment(evening):
    evening.draws(1, 8.7)
    evening.lay_tile(NEXT[0], spots.pad(1, 2))
    evening.wait(8)
    evening.lift_tile(spots.pad(1, 2))
    evening.takes_card(1, "PU1")
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()
