"""R7-R15: the turn and its six standard actions."""

import pytest

from citytable.games.megacity.position import Face, Pieces, Player

MATCHING = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=4, glass=4))


@pytest.mark.parametrize(("players", "actions"), [(2, 3), (3, 2), (4, 2)])
def test_r7_two_standard_actions_a_turn_and_three_with_two_players(table, players, actions):
    game = table.game(players=players)
    table.do(game, *["p1 reorganise column=public"] * actions)
    assert game.position.phase == "over"
    assert table.refused(game, "p1 reorganise column=public") == "R7"
    assert [str(action) for action in game.legal_actions] == ["p1 end_turn"]


def test_r7_the_bag_goes_clockwise_and_opens_the_next_turn(table):
    game = table.game(players=3, player=3)
    position = table.do(game, "p3 end_turn")
    assert (position.player, position.turn, position.phase, position.actions_used) == (1, 6, "main", 0)


def test_r7_only_the_player_with_the_bag_acts(table):
    assert table.refused(table.game(player=2), "p1 take_pieces drawn=steel:3") == "R7"


def test_r7_no_delivery_after_a_standard_action(table):
    game = table.game(hands={1: MATCHING})
    assert table.decisions(game, "deliver")
    table.do(game, "p1 reorganise column=public")
    assert table.decisions(game, "deliver") == set()
    assert table.refused(game, "p1 deliver contract=CO5 platform=14 at=1/0 stood=no") == "R7"


def test_r7_no_standard_action_and_no_second_delivery_after_a_delivery(table):
    hand = Player(
        contracts=("CO5", "CO1"), platforms=(Face(14, "commercial"), Face(13, "commercial")), pieces=Pieces(glass=15)
    )
    game = table.game(hands={1: hand})
    table.do(game, "p1 deliver contract=CO5 platform=14 at=1/0 stood=yes height=50mm pieces=glass:7 judged=yes")
    assert table.refused(game, "p1 take_pieces drawn=steel:3") == "R31"
    assert table.refused(game, "p1 deliver contract=CO1 platform=13 at=0/1 stood=no") == "R31"


def test_a3_a_turn_may_pass_without_any_action(table):
    assert table.do(table.game(), "p1 end_turn").player == 2


def test_r8_only_the_top_card_of_a_column_can_be_taken(table):
    game = table.game()
    assert table.decisions(game, "take_contract") == {f"contract={name}" for name in ("PU1", "IN1", "CO1", "RE1")}
    assert table.refused(game, "p1 take_contract contract=PU2") == "R8"
    assert table.refused(game, "p1 take_contract contract=XX1") == "R8"
    position = table.do(game, "p1 take_contract contract=PU1")
    assert position.players[0].contracts == ("PU1",)
    assert position.columns[0][0] == "PU2"


@pytest.mark.parametrize(("players", "limit"), [(2, 3), (3, 2)])
def test_r8_at_most_two_open_contracts_and_three_with_two_players(table, players, limit):
    hand = Player(contracts=("CO5", "CO1", "RE5")[:limit])
    assert table.refused(table.game(players=players, hands={1: hand}), "p1 take_contract contract=PU1") == "R8"


def test_r8_completed_contracts_do_not_count(table):
    city = [table.built(1, "CO1", "1/0"), table.built(1, "CO2", "0/1"), table.built(1, "CO3", "-1/0")]
    game = table.game(hands={1: Player(contracts=("PU5",))}, city=city)
    assert table.do(game, "p1 take_contract contract=PU1").players[0].contracts == ("PU1", "PU5")


def test_r9_a_platform_of_the_supply_is_taken_and_the_gap_refilled_at_once(table):
    game = table.game()
    position = table.do(game, "p1 take_platform platform=2 revealed=20/industrial")
    assert position.players[0].platforms == (Face(2, "public"),)
    assert position.supply == (Face(1, "public"), Face(3, "public"), Face(20, "industrial"))
    assert len(position.stack) == 20


def test_r9_only_what_lies_in_the_supply(table):
    assert table.refused(table.game(), "p1 take_platform platform=20 revealed=21/commercial") == "R9"


@pytest.mark.parametrize(("players", "limit"), [(2, 3), (3, 2)])
def test_r9_at_most_two_undelivered_platforms_and_three_with_two_players(table, players, limit):
    hand = Player(platforms=(Face(14, "commercial"), Face(13, "commercial"), Face(20, "industrial"))[:limit])
    game = table.game(players=players, hands={1: hand})
    assert table.refused(game, "p1 take_platform platform=1 revealed=21/commercial") == "R9"
    assert table.decisions(game, "take_platform") == set()


@pytest.mark.parametrize("revealed", ["1/public", "2/public", "14/commercial", "22/public", "30/public"])
def test_r4_a_tile_that_lies_elsewhere_or_does_not_exist_cannot_be_turned_up(table, revealed):
    game = table.game(hands={1: Player(platforms=(Face(14, "commercial"),))})
    assert table.refused(game, f"p1 take_platform platform=2 revealed={revealed}") == "R4"


def test_r9_exactly_one_tile_is_turned_up(table):
    assert table.refused(table.game(), "p1 take_platform platform=2 revealed=none") == "R9"
    assert table.refused(table.game(), "p1 take_platform platform=2 revealed=20/industrial,21/commercial") == "R9"


ONE_PLATFORM = (Face(23, "commercial"),)


def drained(table, supply, returned=(), mine=ONE_PLATFORM, **words):
    """Four players in their final turns: 16 platforms delivered, the others in hands, returned tiles in the stack."""
    return table.game(
        players=4,
        hands={1: Player(platforms=mine, pieces=Pieces(unknown=3))},
        rest_to=(2, 3, 4),
        city=table.grown(16, players=4),
        supply=tuple(supply),
        returned=returned,
        stack=(None,) * sum(len(group) for group in returned),
        columns=((), (), (), ()),
        final="completed",
        final_turns=(2, 3, 4),
        **words,
    )


def test_a4_with_an_empty_stack_the_gap_stays(table):
    game = drained(table, (Face(9, "public"), Face(18, "industrial")))
    position = table.do(game, "p1 take_platform platform=9 revealed=none")
    assert position.supply == (Face(18, "industrial"),)


def test_a4_a_refresh_with_a_short_stack_goes_on_with_the_tiles_just_put_under(table):
    supply = (Face(9, "public"), Face(18, "industrial"), Face(20, "industrial"))
    game = drained(table, supply, ((Face(4, "public"),),))
    assert table.refused(game, "p1 refresh revealed=18/industrial,4/public,9/public") == "R13"
    position = table.do(game, "p1 refresh revealed=4/public,18/industrial,9/public")
    assert position.supply == (Face(4, "public"), Face(9, "public"), Face(18, "industrial"))
    assert position.stack == (None,)
    assert position.returned == ((Face(20, "industrial"),),)


def test_a4_a_refresh_without_any_tile_is_refused(table):
    game = drained(table, (), mine=(Face(22, "commercial"), Face(23, "commercial")))
    assert table.refused(game, "p1 refresh revealed=none") == "R13"
    assert table.decisions(game, "refresh") == set()


def test_a2_a_platform_is_taken_as_it_lies(table):
    game = table.game(supply=(Face(1, "industrial"), Face(2, "public"), Face(3, "public")))
    position = table.do(game, "p1 take_platform platform=1 revealed=20/industrial")
    assert position.players[0].platforms == (Face(1, "industrial"),)


def test_r13_the_supply_goes_under_the_stack_and_three_new_ones_come_up(table):
    position = table.do(table.game(), "p1 refresh revealed=20/industrial,9/public,21/residential")
    assert position.supply == (Face(9, "public"), Face(20, "industrial"), Face(21, "residential"))
    assert position.returned == ((Face(1, "public"), Face(2, "public"), Face(3, "public")),)
    assert len(position.stack) == 21


def test_r13_returned_tiles_come_up_in_any_order_of_their_group(table):
    returned = ((Face(4, "public"), Face(9, "public")), (Face(5, "public"),))
    supply = (Face(18, "industrial"), Face(20, "industrial"), Face(21, "commercial"))
    game = drained(table, supply, returned)
    assert table.refused(game, "p1 take_platform platform=18 revealed=5/public") == "R13"
    position = table.do(game, "p1 take_platform platform=18 revealed=9/public")
    assert position.returned == ((Face(4, "public"),), (Face(5, "public"),))
    game.pop()
    assert table.do(game, "p1 take_platform platform=18 revealed=4/public").returned[0] == (Face(9, "public"),)


@pytest.mark.parametrize(("keep", "rule"), [(True, "A2"), (False, None)])
def test_a2_returned_tiles_come_up_on_the_same_side_unless_a_group_plays_otherwise(table, keep, rule):
    supply = (Face(18, "industrial"), Face(20, "industrial"), Face(21, "commercial"))
    game = drained(table, supply, ((Face(4, "public"),),), rulings={"returned_tiles_keep_their_side": keep})
    line = "p1 take_platform platform=18 revealed=4/industrial"
    if rule:
        assert table.refused(game, line) == rule
    else:
        assert table.do(game, line).supply[0] == Face(4, "industrial")


def test_r10_three_pieces_at_random(table):
    game = table.game()
    position = table.do(game, "p1 take_pieces drawn=steel:1,glass:2")
    assert position.players[0].pieces == Pieces(steel=1, glass=2)
    assert position.bag == 147
    assert table.refused(game, "p1 take_pieces drawn=steel:2") == "R10"
    assert table.refused(game, "p1 take_pieces drawn=none") == "R10"


def test_r10_nobody_has_to_tell_the_materials(table):
    position = table.do(table.game(), "p1 take_pieces drawn=unknown:3", "p1 take_pieces drawn=glass:1,unknown:2")
    assert position.players[0].pieces == Pieces(glass=1, unknown=5)


def test_r10_or_one_piece_of_an_announced_material(table):
    game = table.game()
    assert table.refused(game, "p1 take_pieces announced=steel drawn=steel:2") == "R10"
    assert table.refused(game, "p1 take_pieces announced=steel drawn=glass:3") == "R10"
    assert table.refused(game, "p1 take_pieces announced=steel drawn=glass:1") == "R10"
    assert table.do(game, "p1 take_pieces announced=steel drawn=steel:1").players[0].pieces == Pieces(steel=1)


def test_r10_three_others_when_none_of_the_announced_material_is_left(table):
    hands = {seat: Player(pieces=Pieces(steel=15)) for seat in (2, 3)} | {1: Player(pieces=Pieces(steel=5))}
    game = table.game(hands=hands, left_in_city=15)
    assert table.refused(game, "p1 take_pieces announced=steel drawn=steel:3") == "R10"
    position = table.do(game, "p1 take_pieces announced=steel drawn=glass:3")
    assert position.players[0].pieces == Pieces(steel=5, glass=3)
    assert table.do(game, "p1 take_pieces announced=steel drawn=steel:1").bag == 150 - 50 - 3 - 1


def test_r10_a_material_all_told_to_be_outside_cannot_come_out_of_the_bag(table):
    hands = {seat: Player(pieces=Pieces(steel=15)) for seat in (2, 3)} | {1: Player(pieces=Pieces(steel=10))}
    city = [table.built(1, "CO8", "1/0", pieces=Pieces(steel=10))]
    game = table.game(hands=hands, city=city)
    assert table.refused(game, "p1 take_pieces announced=steel drawn=steel:1") == "R10"
    assert table.refused(game, "p1 take_pieces drawn=steel:1,glass:2") == "R5"
    table.do(game, "p1 take_pieces announced=steel drawn=glass:3")


def test_a7_the_last_one_or_two_pieces_are_taken_without_starting_the_end(table):
    game = table.game(bag=2)
    assert table.refused(game, "p1 take_pieces drawn=glass:3") == "R10"
    position = table.do(game, "p1 take_pieces drawn=glass:2")
    assert (position.bag, position.final) == (0, "")


def test_a7_a_group_may_call_too_few_pieces_a_bag_out(table):
    game = table.game(bag=2, rulings={"few_pieces_are_a_bag_out": True})
    position = table.do(game, "p1 take_pieces drawn=glass:2")
    assert (position.final, position.final_turns) == ("bag_out", (2, 3, 1))
    one = table.game(bag=2, rulings={"few_pieces_are_a_bag_out": True})
    assert table.do(one, "p1 take_pieces announced=glass drawn=glass:1").final == ""


def test_a8_an_announced_material_that_is_gone_gives_all_there_are(table):
    position = table.do(table.game(bag=2), "p1 take_pieces announced=steel drawn=glass:2")
    assert (position.bag, position.final) == (0, "")


def test_r11_more_than_fifteen_pieces_go_back_at_the_end_of_the_turn(table):
    game = table.game(hands={1: Player(pieces=Pieces(steel=14))})
    table.do(game, "p1 take_pieces drawn=glass:3")
    assert table.refused(game, "p1 end_turn") == "R11"
    assert table.refused(game, "p1 return_pieces returned=steel:1") == "R11"
    assert table.refused(game, "p1 return_pieces returned=steel:3") == "R11"
    assert table.refused(game, "p1 return_pieces returned=concrete:2") == "R11"
    position = table.do(game, "p1 return_pieces returned=steel:1,glass:1")
    assert position.players[0].pieces == Pieces(steel=13, glass=2)
    assert [str(action) for action in game.legal_actions] == ["p1 end_turn"]


def test_r11_during_the_turn_more_than_fifteen_are_allowed(table):
    game = table.game(players=2, hands={1: Player(pieces=Pieces(steel=15))})
    position = table.do(game, *["p1 take_pieces drawn=glass:3"] * 3)
    assert position.players[0].pieces.total == 24
    assert table.decisions(game, "return_pieces") == {""}


def test_r11_returning_untold_pieces_makes_the_rest_less_known(table):
    game = table.game(hands={1: Player(pieces=Pieces(steel=14))})
    position = table.do(game, "p1 take_pieces drawn=unknown:3", "p1 return_pieces returned=unknown:2")
    assert position.players[0].pieces == Pieces(steel=12, unknown=3)


def test_a6_pieces_on_unfinished_buildings_count_and_only_the_excess_may_go_back(table):
    game = table.game(hands={1: Player(pieces=Pieces(steel=15))})
    assert table.refused(game, "p1 return_pieces returned=none") == "R11"
    assert table.decisions(game, "return_pieces") == set()


def test_r12_an_undelivered_platform_of_ones_own_is_turned_over(table):
    game = table.game(hands={1: Player(platforms=(Face(14, "commercial"),)), 2: Player(platforms=(Face(9, "public"),))})
    assert table.refused(game, "p1 rezone platform=9") == "R12"
    assert table.refused(game, "p1 rezone platform=1") == "R12"
    assert table.do(game, "p1 rezone platform=14").players[0].platforms == (Face(14, "industrial"),)
    assert table.do(game, "p1 rezone platform=14").players[0].platforms == (Face(14, "commercial"),)


def test_a9_rezoning_under_a_building_keeps_its_pieces(table):
    hand = Player(platforms=(Face(14, "commercial"),), pieces=Pieces(steel=7))
    assert table.do(table.game(hands={1: hand}), "p1 rezone platform=14").players[0].pieces == Pieces(steel=7)


def test_a10_contracts_and_platforms_are_never_given_back(table):
    hand = Player(platforms=(Face(14, "commercial"), Face(13, "commercial")), contracts=("CO1", "PU1"))
    game = table.game(hands={1: hand})
    verbs = {str(action).split(" ")[1] for action in game.legal_actions}
    assert verbs == {"take_pieces", "rezone", "refresh", "reorganise", "end_turn"}


def test_r14_the_top_card_of_a_column_goes_to_its_back(table):
    position = table.do(table.game(), "p1 reorganise column=public")
    assert position.columns[0] == ("PU2", "PU3", "PU4", "PU1")
    assert position.actions_used == 1


def few_cards(table, **words):
    city = [table.built(1, name, at) for name, at in (("RE1", "1/0"), ("RE2", "0/1"), ("PU1", "1/1"), ("PU2", "2/0"))]
    columns = (("PU3", "PU4"), ("IN1", "IN2", "IN3", "IN4"), ("CO1", "CO2", "CO3"), ("RE3",))
    return table.game(city=city, columns=columns, **words)


def test_a5_reorganising_a_single_card_is_legal_and_changes_nothing(table):
    game = few_cards(table)
    assert table.do(game, "p1 reorganise column=residential").columns[3] == ("RE3",)
    assert game.position.actions_used == 1


def test_a5_a_group_may_refuse_to_reorganise_a_single_card(table):
    game = few_cards(table, rulings={"single_card_may_be_reorganised": False})
    assert table.refused(game, "p1 reorganise column=residential") == "A5"
    assert table.decisions(game, "reorganise") == {f"column={kind}" for kind in ("public", "industrial", "commercial")}


def test_a5_an_empty_column_cannot_be_reorganised(table):
    game = few_cards(table)
    table.do(game, "p1 take_contract contract=RE3")
    assert table.refused(game, "p1 reorganise column=residential") == "R14"


def test_r15_building_is_no_action(table):
    """Pieces on a pad and pieces beside it are the same to the rules; so is a collapse while building (A50)."""
    verbs = {str(action).split(" ")[1] for action in table.game(hands={1: MATCHING}).legal_actions}
    assert verbs == {
        "take_contract",
        "take_platform",
        "take_pieces",
        "rezone",
        "refresh",
        "reorganise",
        "deliver",
        "end_turn",
    }


def test_a50_building_in_ones_own_turn_is_not_the_rules_business(table):
    game = table.game(hands={1: MATCHING})
    table.do(game, "p1 reorganise column=public")
    assert game.position.players[0].pieces == MATCHING.pieces
