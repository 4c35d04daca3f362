"""R38-R44: landmarks, the two ends of the game, the final decisions."""

import pytest

from citytable.games.megacity.position import Face, Pieces, Player

EMPTY = ((), (), (), ())
TILE = Face(14, "commercial")
LAST = "p1 deliver contract=CO5 platform=14 at={} stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"
FULL = Pieces(steel=4, concrete=5, glass=6)


def almost(table, hands=None, **words):
    """Two players, 11 of 12 standard contracts completed, the last one (CO5) open with seat 1."""
    hand = Player(contracts=("CO5",), platforms=(TILE,), pieces=Pieces(concrete=5, glass=5))
    return table.game(players=2, hands={1: hand} | (hands or {}), city=table.grown(11), columns=EMPTY, **words)


def completed(table, game):
    """The last standard contract is completed."""
    cell = min(line.split("at=")[1] for line in table.decisions(game, "deliver"))
    return table.do(game, LAST.format(cell))


def final(table, hands=None, **words):
    """Two players, everything completed, the final decisions have begun with seat 1."""
    fields = {"final": "completed", "deciding": True, "decisions": (2,)} | words
    return table.game(players=2, hands=hands, city=table.grown(12), columns=EMPTY, **fields)


LANDMARK = Player(contracts=("L-CO",), platforms=(Face(13, "commercial"),), pieces=Pieces(steel=9, glass=5))


def landmark_line(table, game, outcome):
    return f"p{game.position.player} deliver {min(table.decisions(game, 'deliver'))} {outcome}"


BUILT = "stood=yes height=85mm pieces=steel:9,glass:2 judged=yes"


def test_r38_the_landmarks_come_when_the_last_standard_contract_is_taken(table):
    columns = (("PU5",), (), (), ())
    game = table.game(players=2, city=table.grown(11), columns=columns)
    assert table.refused(game, "p1 take_contract contract=L-CO") == "R38"
    position = table.do(game, "p1 take_contract contract=PU5")
    assert position.landmarks == ("L-CO", "L-IN", "L-PU", "L-RE")
    assert position.landmarks_open


def test_r3_landmarks_stay_aside_until_then(table):
    assert "L-" not in " ".join(table.decisions(table.game(), "take_contract"))


def test_r39_a_landmark_only_without_an_open_standard_contract(table):
    game = almost(table)
    assert table.decisions(game, "take_contract") == set()
    assert table.refused(game, "p1 take_contract contract=L-CO") == "R39"


def test_r39_one_open_landmark_at_a_time(table):
    game = almost(table, hands={2: LANDMARK}, player=2)
    assert table.refused(game, "p2 take_contract contract=L-PU") == "R39"


def test_a30_no_landmark_in_the_turn_that_took_the_last_standard_contract(table):
    game = table.game(players=2, city=table.grown(11), columns=(("PU5",), (), (), ()))
    table.do(game, "p1 take_contract contract=PU5")
    assert table.refused(game, "p1 take_contract contract=L-PU") == "R39"


def test_a31_a_player_without_contracts_takes_a_landmark_while_others_hold_standard_ones(table):
    game = almost(table, player=2)
    assert table.decisions(game, "take_contract") == {f"contract=L-{kind}" for kind in ("CO", "IN", "PU", "RE")}
    position = table.do(game, "p2 take_contract contract=L-PU")
    assert position.players[1].contracts == ("L-PU",)
    assert table.refused(game, "p2 take_contract contract=L-PU") == "R39"


def test_r40_after_the_last_standard_contract_everybody_has_one_more_full_turn(table):
    game = almost(table)
    position = completed(table, game)
    assert (position.final, position.final_turns) == ("completed", (2, 1))
    position = table.do(game, "p1 end_turn", *["p2 take_pieces drawn=steel:3"] * 3, "p2 end_turn")
    assert (position.player, position.deciding) == (1, False)
    position = table.do(game, "p1 take_contract contract=L-CO", "p1 end_turn")
    assert position.deciding


def test_a32_the_final_turns_go_clockwise_and_the_completer_is_last(table):
    hand = Player(contracts=("CO5",), platforms=(TILE,), pieces=Pieces(concrete=5, glass=5))
    city = table.grown(15, players=4, leave_out=("CO4",))
    game = table.game(players=4, player=2, hands={2: hand}, city=city, columns=EMPTY)
    cell = min(line.split("at=")[1] for line in table.decisions(game, "deliver"))
    table.do(game, LAST.format(cell).replace("p1", "p2"), "p2 end_turn")
    turns = []
    while not game.position.deciding:
        turns.append(game.position.player)
        table.do(game, f"p{turns[-1]} end_turn")
    assert turns == [3, 4, 1, 2]


def test_a36_the_decisions_go_in_the_same_order_and_then_the_game_is_over(table):
    game = almost(table)
    completed(table, game)
    table.do(game, "p1 end_turn", "p2 end_turn", "p1 end_turn")
    decided = []
    while game.outcome() is None:
        decided.append(game.position.player)
        table.do(game, f"p{decided[-1]} recycle", f"p{decided[-1]} end_turn")
    assert decided == [2, 1]
    assert game.outcome().termination == "completed"
    assert list(game.legal_actions) == []
    assert table.refused(game, "p1 end_turn") == "R41"


def test_r41_every_player_recycles_or_delivers_and_nothing_else(table):
    game = final(table, hands={1: LANDMARK})
    assert {str(action).split(" ")[1] for action in game.legal_actions} == {"recycle", "deliver"}
    assert table.refused(game, "p1 end_turn") == "R41"
    assert table.refused(game, "p1 take_pieces drawn=steel:3") == "R41"


def test_r41_recycling_comes_only_then(table):
    assert table.refused(table.game(), "p1 recycle") == "R41"


def test_r42_recycling_returns_all_pieces_for_one_token(table):
    game = final(table, hands={1: Player(pieces=FULL)})
    bag = game.position.bag
    position = table.do(game, "p1 recycle")
    assert (position.bag, position.players[0].pieces, position.players[0].tokens) == (bag + 15, Pieces(), 1)
    assert table.refused(game, "p1 recycle") == "R41"


@pytest.mark.parametrize(("switch", "tokens"), [(True, 1), (False, 0)])
def test_a38_recycling_nothing_brings_the_token_unless_a_group_says_no(table, switch, tokens):
    game = final(table, rulings={"recycle_with_nothing_scores": switch})
    assert table.do(game, "p1 recycle").players[0].tokens == tokens


def test_a38_an_unfinished_buildings_pieces_go_too(table):
    game = final(table, hands={1: LANDMARK})
    assert table.do(game, "p1 recycle").players[0].pieces == Pieces()


def test_r43_the_final_delivery_is_for_a_landmark_only(table):
    hands = {1: Player(contracts=("CO5",), platforms=(TILE,), pieces=FULL)}
    game = table.game(
        players=2,
        hands=hands,
        city=table.grown(11),
        columns=EMPTY,
        bag=0,
        final="bag_out",
        deciding=True,
        decisions=(2,),
    )
    assert table.decisions(game, "deliver") == set()
    assert table.refused(game, "p1 deliver contract=CO5 platform=14 at=3/0 stood=no") == "R43"


def test_r43_one_chance_and_after_a_collapse_all_pieces_come_back_and_count(table):
    game = final(table, hands={1: LANDMARK})
    position = table.do(game, landmark_line(table, game, "stood=no"))
    assert position.players[0].pieces == LANDMARK.pieces
    assert [str(action) for action in game.legal_actions] == ["p1 end_turn"]
    assert [line.points for line in game.scores()[1].lines if line.reason == "leftover"] == [-5]


@pytest.mark.parametrize(("switch", "tokens", "phase"), [(True, 1, "option"), (False, 0, "over")])
def test_a37_the_final_delivery_brings_bonuses_and_an_option_like_any_other(table, switch, tokens, phase):
    game = final(table, hands={1: LANDMARK}, rulings={"final_delivery_has_bonuses": switch})
    position = table.do(game, landmark_line(table, game, BUILT))
    assert (position.players[0].tokens, position.phase) == (tokens, phase)
    assert position.tallest == position.buildings[-1].at
    table.do(game, "p1 end_turn", "p2 recycle", "p2 end_turn")
    assert game.outcome() is not None


def test_r44_choosing_pieces_from_an_empty_bag_starts_the_final_turns(table):
    game = table.game(bag=0)
    assert table.refused(game, "p1 take_pieces drawn=steel:1") == "R10"
    position = table.do(game, "p1 take_pieces drawn=none")
    assert (position.final, position.final_turns) == ("bag_out", (2, 3, 1))


def test_r44_announcing_a_material_finds_the_bag_empty_too(table):
    position = table.do(table.game(bag=0), "p1 take_pieces announced=glass drawn=none")
    assert position.final == "bag_out"


def test_r44_then_no_pieces_but_cards_and_platforms_can_be_taken(table):
    game = table.game(bag=0)
    table.do(game, "p1 take_pieces drawn=none", "p1 end_turn")
    assert table.refused(game, "p2 take_pieces drawn=none") == "R44"
    assert table.decisions(game, "take_pieces") == set()
    table.do(game, "p2 take_contract contract=PU1", "p2 take_platform platform=1 revealed=20/industrial")


def test_r44_everybody_has_one_more_turn_the_finder_last_and_then_the_decisions(table):
    game = table.game(bag=0)
    table.do(game, "p1 take_pieces drawn=none", *[f"p{seat} end_turn" for seat in (1, 2, 3, 1)])
    assert game.position.deciding
    assert game.position.player == 2
    for seat in (2, 3, 1):
        table.do(game, f"p{seat} recycle", f"p{seat} end_turn")
    assert game.outcome().termination == "bag_out"


@pytest.mark.parametrize(("keeps", "phase"), [(True, "main"), (False, "over")])
def test_a33_the_rest_of_the_turn_may_be_another_kind_of_action(table, keeps, phase):
    game = table.game(bag=0, rulings={"bag_out_keeps_remaining_action": keeps})
    position = table.do(game, "p1 take_pieces drawn=none")
    assert (position.phase, position.actions_used) == (phase, 1)


def test_a34_the_first_trigger_governs(table):
    game = almost(table, bag=0)
    table.do(game, "p1 take_pieces drawn=none", "p1 end_turn", "p2 end_turn")
    position = completed(table, game)
    assert (position.final, position.final_turns) == ("bag_out", ())
    position = table.do(game, "p1 end_turn")
    assert position.deciding


def test_a34_an_empty_bag_in_the_final_turns_is_no_second_trigger(table):
    game = almost(table, bag=0)
    completed(table, game)
    table.do(game, "p1 end_turn")
    assert table.refused(game, "p2 take_pieces drawn=none") == "R44"


@pytest.mark.parametrize(("reopens", "rule"), [(False, "R44"), (True, None)])
def test_a35_taking_stays_closed_when_pieces_come_back(table, reopens, rule):
    city = [table.built(1, "CO1", "1/0")]
    game = table.game(bag=0, city=city, rulings={"taking_reopens_when_pieces_return": reopens})
    table.do(game, "p1 take_pieces drawn=none", "table building_fell at=1/0 to_box=0 left=0")
    line = "p1 take_pieces drawn=unknown:3"
    assert bool(table.decisions(game, "take_pieces")) == reopens
    assert (table.refused(game, line) if rule else table.do(game, line) and None) == rule


def test_a39_after_a_bag_out_without_landmarks_only_recycling_is_left(table):
    hand = Player(contracts=("CO5",), platforms=(TILE,), pieces=Pieces(concrete=5, glass=5))
    game = table.game(hands={1: hand}, bag=0, final="bag_out", deciding=True, decisions=(2, 3))
    assert [str(action) for action in game.legal_actions] == ["p1 recycle"]


def test_a46_a_player_who_never_finishes_holds_the_game_up_unless_there_is_a_round_limit(table):
    game = table.game(turn=30)
    table.do(game, "p1 end_turn", "p2 end_turn", "p3 end_turn")
    assert game.position.final == ""
    limited = table.game(turn=30, player=3, rulings={"round_limit": 10})
    position = table.do(limited, "p3 end_turn")
    assert (position.final, position.deciding, position.player, position.decisions) == ("round_limit", True, 1, (2, 3))
    for seat in (1, 2, 3):
        table.do(limited, f"p{seat} recycle", f"p{seat} end_turn")
    assert limited.outcome().termination == "round_limit"


def test_a46_the_round_limit_ends_the_simplified_game_at_once(table):
    game = table.game(turn=30, player=3, simplified=True, rulings={"round_limit": 10})
    assert table.do(game, "p3 end_turn").phase == "end"
