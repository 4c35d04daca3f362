"""R16-R30: what a building must be, where it may go, what a delivery brings."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.city import can_slide_in
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import Face, Pieces, Player
from citytable.rules.errors import OutcomeOpen

TILE = Face(14, "commercial")
CO5 = "p1 deliver contract=CO5 platform=14 at=1/0"  # 7 pieces, 45 mm, no steel
STOOD = "stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"


def hand(contracts=("CO5",), platforms=(TILE,), **pieces):
    return Player(contracts=contracts, platforms=platforms, pieces=Pieces(**(pieces or {"concrete": 7, "glass": 8})))


@pytest.fixture
def game(table):
    return table.game(hands={1: hand()})


def one(table, contract, **pieces):
    """A game in which seat 1 can only deliver this contract."""
    kind = table.deck.contracts[contract].type
    number = next(n for n, sides in reversed(table.deck.platforms.items()) if kind in sides)
    tile = Face(number, kind)
    game = table.game(hands={1: hand((contract,), (tile,), **pieces)})
    return game, f"p1 deliver contract={contract} platform={number} at=1/0"


def test_r16_the_platform_shows_the_contracts_type(table):
    game = table.game(hands={1: hand(platforms=(Face(14, "industrial"),))})
    assert table.refused(game, f"{CO5} stood=no") == "R16"
    table.do(game, "p1 rezone platform=14", "p1 end_turn", "p2 end_turn", "p3 end_turn")
    table.do(game, f"{CO5} {STOOD}")


@pytest.mark.parametrize(("pieces", "rule"), [("glass:6", "R17"), ("glass:8", "R17"), ("glass:7", None)])
def test_r17_exactly_the_number_of_pieces(table, game, pieces, rule):
    line = f"{CO5} stood=yes height=45mm pieces={pieces} judged=yes"
    assert (table.refused(game, line) if rule else table.do(game, line) and None) == rule


@pytest.mark.parametrize(("count", "rule"), [(5, "R17"), (6, None), (9, None)])
def test_r17_with_a_plus_at_least_the_number(table, count, rule):
    game, line = one(table, "CO6", steel=10)
    line += f" stood=yes height=50mm pieces=steel:{count} judged=yes"
    assert (table.refused(game, line) if rule else table.do(game, line) and None) == rule


def test_r17_a_building_has_only_pieces_of_the_play_area(table):
    game = table.game(hands={1: hand(concrete=2, glass=8)})
    assert table.refused(game, f"{CO5} {STOOD}") == "R17"


def test_r17_without_enough_pieces_there_is_nothing_to_deliver(table):
    game = table.game(hands={1: hand(concrete=6)})
    assert table.decisions(game, "deliver") == set()
    assert table.refused(game, f"{CO5} stood=no") == "R17"


def test_untold_pieces_turn_out_to_be_what_the_building_is_made_of(table):
    game = table.game(hands={1: hand(concrete=2, unknown=8)})
    position = table.do(game, f"{CO5} {STOOD}")
    assert position.players[0].pieces == Pieces(unknown=3)
    game.pop()
    too_much = f"{CO5} stood=yes height=45mm pieces=concrete:3,glass:4,unknown:1 judged=yes"
    assert table.refused(game, too_much) == "R17"


def test_untold_pieces_cannot_become_more_than_the_deck_has(table):
    hands = {2: Player(pieces=Pieces(glass=15)), 3: Player(pieces=Pieces(glass=15)), 1: hand(unknown=15)}
    city = [
        table.built(2, "CO8", "0/1", pieces=Pieces(steel=10)),
        table.built(2, "IN7", "-1/0", pieces=Pieces(glass=14)),
    ]
    game = table.game(hands=hands, city=city)
    assert table.refused(game, f"{CO5} stood=yes height=45mm pieces=glass:7 judged=yes") == "R5"
    table.do(game, f"{CO5} stood=yes height=45mm pieces=glass:6,concrete:1 judged=yes")


@pytest.mark.parametrize(("height_mm", "rule"), [(44, "R18"), (45, None), (200, None)])
def test_r18_the_height_is_a_minimum(table, game, height_mm, rule):
    line = f"{CO5} stood=yes height={height_mm}mm pieces=glass:7 judged=yes"
    assert (table.refused(game, line) if rule else table.do(game, line) and None) == rule


def test_a14_what_the_table_does_not_confirm_is_withdrawn_and_the_turn_goes_on(table, game):
    """R19-R22, the judged part of R23, A47 and A48 are one answer of the people: `judged`."""
    assert table.refused(game, f"{CO5} stood=yes height=45mm pieces=glass:7 judged=no") == "A14"
    assert game.position.phase == "main"
    table.do(game, "p1 take_pieces drawn=steel:3")


def test_r19_ports_are_judged_by_the_people(game):
    assert missing_of(game, f"{CO5} stood=yes height=45mm pieces=glass:7") == ("judged",)


def test_r20_the_vent_is_judged_by_the_people(table):
    """R20 and its exception BUILD ON VENT ask the same question of the people."""
    game, line = one(table, "IN2", steel=4)
    assert table.refused(game, f"{line} stood=yes height=25mm pieces=steel:4 judged=no") == "A14"
    table.do(game, f"{line} stood=yes height=25mm pieces=steel:4 judged=yes")


def test_r21_pieces_that_touch_nothing_are_judged_by_the_people(table, game):
    assert table.refused(game, f"{CO5} stood=yes height=45mm pieces=glass:7 judged=no") == "A14"


def test_r22_the_cube_is_no_piece(table, game):
    position = table.do(game, f"{CO5} {STOOD}")
    assert position.buildings[0].pieces.total == 7


@pytest.mark.parametrize(
    ("contract", "forbidden", "height_mm", "count"),
    [("CO5", "steel", 45, 7), ("RE3", "concrete", 30, 5), ("PU4", "glass", 40, 6)],
)
def test_r23_a_forbidden_material_is_refused_and_does_not_count_as_usable(table, contract, forbidden, height_mm, count):
    allowed = next(m for m in ("steel", "glass") if m != forbidden)
    game, line = one(table, contract, **{forbidden: 8, allowed: count})
    tail = f"stood=yes height={height_mm}mm judged=yes"
    assert table.refused(game, f"{line} {tail} pieces={allowed}:{count - 1},{forbidden}:1") == "R23"
    table.do(game, f"{line} {tail} pieces={allowed}:{count}")
    poor, line = one(table, contract, **{forbidden: 8, allowed: count - 1})
    assert table.refused(poor, f"{line} stood=no") == "R17"


def test_r23_a_landmark_wants_both_its_requirements(table):
    """L-CO: a lower archway, which people judge, and no concrete, which is counted."""
    city = table.grown(12)
    hands = {1: hand(("L-CO",), (TILE,), steel=9, concrete=1, glass=5)}
    game = table.game(players=2, hands=hands, city=city, columns=((), (), (), ()), final="completed", final_turns=(2,))
    line = f"p1 deliver {min(table.decisions(game, 'deliver'))} stood=yes height=85mm"
    assert table.refused(game, f"{line} pieces=steel:9,concrete:1,glass:1 judged=yes") == "R23"
    assert table.refused(game, f"{line} pieces=steel:9,glass:2 judged=no") == "A14"
    table.do(game, f"{line} pieces=steel:9,glass:2 judged=yes")


def test_r24_the_contract_and_the_platform_are_ones_own(table, game):
    assert table.refused(game, "p1 deliver contract=CO1 platform=14 at=1/0 stood=no") == "R24"
    assert table.refused(game, "p1 deliver contract=XX1 platform=14 at=1/0 stood=no") == "R24"
    assert table.refused(game, "p1 deliver contract=CO5 platform=13 at=1/0 stood=no") == "R24"


def missing_of(game, line):
    with pytest.raises(OutcomeOpen) as refusal:
        game.push(action_from_text(line))
    return refusal.value.missing


def test_a_delivery_names_what_is_still_open(game):
    assert missing_of(game, CO5) == ("stood", "height_mm", "pieces", "judged")
    assert missing_of(game, f"{CO5} stood=yes height=47mm") == ("pieces", "judged")
    assert missing_of(game, f"{CO5} stood=yes height=47mm pieces=glass:6,unknown:1 judged=yes") == ("pieces",)


def test_r25_the_first_platform_touches_central_park(table, game):
    ring = {"1/0", "1/-1", "0/-1", "-1/0", "-1/1", "0/1"}
    assert table.decisions(game, "deliver") == {f"contract=CO5 platform=14 at={cell}" for cell in ring}
    assert table.refused(game, CO5.replace("1/0", "2/0") + " stood=no") == "R25"


def test_r25_later_ones_touch_any_tile_and_lie_on_an_empty_hex(table):
    game = table.game(hands={1: hand()}, city=[table.built(1, "CO1", "1/0")])
    cells = {line.split("at=")[1] for line in table.decisions(game, "deliver")}
    assert cells == {"1/-1", "0/-1", "-1/0", "-1/1", "0/1", "2/0", "2/-1", "1/1"}
    assert table.refused(game, f"{CO5} stood=no") == "R25"
    assert table.refused(game, CO5.replace("1/0", "0/0") + " stood=no") == "R25"


def test_r25_nothing_lies_more_than_three_platforms_away(table):
    city = [table.built(1, name, at) for name, at in (("CO1", "1/0"), ("CO2", "2/0"), ("RE1", "3/0"))]
    game = table.game(hands={1: hand()}, city=city)
    assert table.refused(game, CO5.replace("1/0", "4/0") + " stood=no") == "R25"
    assert table.refused(game, CO5.replace("1/0", "99/0") + " stood=no") == "R25"
    assert "contract=CO5 platform=14 at=3/-1" in table.decisions(game, "deliver")


BENT = [("CO1", "1/0"), ("CO2", "1/1"), ("RE1", "0/2"), ("RE2", "-1/2"), ("IN1", "-2/2")]


def test_a11_distance_is_measured_as_the_crow_flies(table):
    city = [table.built(1, name, at) for name, at in BENT]
    game = table.game(hands={1: hand()}, city=city)
    position = table.do(game, CO5.replace("1/0", "-3/2") + " " + STOOD)
    assert len(position.buildings) == 6


def test_a11_a_group_may_count_along_the_tiles(table):
    city = [table.built(1, name, at) for name, at in BENT]
    game = table.game(hands={1: hand()}, city=city[:3], rulings={"distance_along_tiles": True})
    assert table.refused(game, CO5.replace("1/0", "-1/3") + " stood=no") == "A11"
    assert table.refused(game, CO5.replace("1/0", "-1/-1") + " stood=no") == "R25"
    assert "at=-1/3" not in " ".join(table.decisions(game, "deliver"))
    table.do(game, CO5.replace("1/0", "1/2") + " " + STOOD)


NARROW = [("CO1", "1/0"), ("CO2", "2/0"), ("RE1", "1/1"), ("RE2", "0/2"), ("IN1", "-1/2"), ("PU1", "-1/1")]


def test_a12_a_hex_one_cannot_slide_into_is_legal_and_can_be_told(table, at):
    city = [table.built(1, name, where) for name, where in NARROW]
    game = table.game(hands={1: hand()}, city=city)
    assert not can_slide_in(game.position, at("0/1"))
    assert can_slide_in(game.position, at("-1/0"))
    table.do(game, CO5.replace("1/0", "0/1") + " " + STOOD)


def test_a12_a_group_may_want_two_open_sides(table):
    city = [table.built(1, name, where) for name, where in NARROW]
    game = table.game(hands={1: hand()}, city=city, rulings={"must_slide_in": True})
    assert table.refused(game, CO5.replace("1/0", "0/1") + " stood=no") == "A12"
    assert "contract=CO5 platform=14 at=0/1" not in table.decisions(game, "deliver")


def test_r26_a_fall_gives_everything_back_and_ends_the_turn(table, game):
    before = game.position
    position = table.do(game, f"{CO5} stood=no")
    assert position.players == before.players
    assert position.buildings == ()
    assert position.phase == "over"
    assert [str(action) for action in game.legal_actions] == ["p1 end_turn"]


def test_r26_the_fallen_building_may_be_tried_again_on_a_later_turn(table, game):
    table.do(game, f"{CO5} stood=no", "p1 end_turn", "p2 end_turn", "p3 end_turn", f"{CO5} {STOOD}")
    assert game.position.players[0].completed == ("CO5",)


def test_a15_a_delivery_either_stood_or_fell_and_what_was_measured_before_a_fall_does_not_matter(table, game):
    table.do(game, f"{CO5} stood=no height=12mm pieces=steel:1 judged=no")
    assert game.position.phase == "over"


def test_r27_success_completes_the_contract_and_leaves_platform_and_pieces_in_the_city(table, game, at):
    position = table.do(game, f"{CO5} {STOOD}")
    me = position.players[0]
    assert (me.contracts, me.platforms, me.completed) == ((), (), ("CO5",))
    assert me.pieces == Pieces(concrete=4, glass=4)
    (building,) = position.buildings
    assert (building.at, building.face, building.owner, building.height_mm) == (at("1/0"), TILE, 1, 45)
    assert game.scores()[1].lines[0].points == table.deck.contracts["CO5"].prestige


def test_r28_the_first_building_of_the_city_is_the_tallest_and_wins_a_token(table, game, at):
    position = table.do(game, f"{CO5} {STOOD}")
    assert position.tallest == at("1/0")
    assert position.players[0].tokens == 1


@pytest.mark.parametrize(("height_mm", "tallest", "tokens"), [(59, "0/1", 0), (60, "0/1", 0), (61, "1/0", 1)])
def test_r28_only_a_higher_building_is_the_new_tallest(table, at, height_mm, tallest, tokens):
    city = [table.built(2, "CO1", "0/1", height_mm=60)]
    game = table.game(hands={1: hand()}, city=city)
    position = table.do(game, f"{CO5} stood=yes height={height_mm}mm pieces=concrete:3,glass:4 judged=yes")
    assert (position.tallest, position.players[0].tokens) == (at(tallest), tokens)


@pytest.mark.parametrize(("switch", "tokens"), [(False, 0), (True, 1)])
def test_a20_equal_height_is_no_new_tallest_unless_a_group_says_so(table, switch, tokens):
    city = [table.built(2, "CO1", "0/1", height_mm=60)]
    game = table.game(hands={1: hand()}, city=city, rulings={"equal_height_is_new_tallest": switch})
    position = table.do(game, f"{CO5} stood=yes height=60mm pieces=concrete:3,glass:4 judged=yes")
    assert position.players[0].tokens == tokens
    assert (position.tallest == position.buildings[1].at) == switch


def test_a21_heights_are_whole_millimetres(table, game):
    """The ruler is rounded down before it becomes an action: the notation has no fractions."""
    assert game.position.buildings == ()
    position = table.do(game, f"{CO5} stood=yes height=47mm pieces=glass:7 judged=yes")
    assert position.buildings[0].height_mm == 47


@pytest.mark.parametrize(("pieces", "tokens"), [("glass:7", 1), ("concrete:1,glass:6", 0)])
def test_r29_a_building_of_a_single_material_wins_a_token(table, pieces, tokens):
    city = [table.built(2, "CO1", "0/1", height_mm=99)]
    game = table.game(hands={1: hand()}, city=city)
    position = table.do(game, f"{CO5} stood=yes height=45mm pieces={pieces} judged=yes")
    assert position.players[0].tokens == tokens


def test_r29_a_building_of_no_pieces_is_of_no_material(table):
    """It breaks R17, but may be let stand."""
    game = table.game(hands={1: hand()}, city=[table.built(2, "CO1", "0/1", height_mm=99)])
    game.accept(action_from_text(f"{CO5} stood=yes height=45mm pieces=none judged=yes"))
    assert game.position.players[0].tokens == 0


def test_a24_the_cube_does_not_spoil_a_single_material(table, game):
    position = table.do(game, f"{CO5} stood=yes height=45mm pieces=glass:7 judged=yes")
    assert position.players[0].tokens == 2


def test_r30_up_to_three_tokens_from_one_delivery_and_they_are_kept(table, at):
    game, line = one(table, "PU1", steel=5)
    position = table.do(
        game,
        f"{line} stood=yes height=25mm pieces=steel:4 judged=yes",
        "p1 place_central_park_monument piece=steel:1",
    )
    assert position.players[0].tokens == 3
    position = table.do(game, "table building_fell at=1/0 to_box=4 left=0", "table monument_fell at=0/0")
    assert position.players[0].tokens == 3


def test_a16_a_building_whose_pieces_shifted_stands_and_is_measured_again(table):
    game = table.game(city=[table.built(1, "CO1", "1/0", height_mm=50)])
    position = table.do(game, "table pieces_lost at=1/0 to_box=none to_bag=none height=48mm")
    assert position.buildings[0].height_mm == 48
    assert table.refused(game, "table pieces_lost at=1/0 to_box=none to_bag=none height=48mm") == "A26"


def test_a25_what_a_delivery_knocks_over_is_resolved_before_its_bonuses(table, at):
    city = [table.built(2, "CO1", "0/1", height_mm=90), table.built(3, "CO2", "-1/0", height_mm=30)]
    game = table.game(hands={1: hand()}, city=city)
    position = table.do(game, f"{CO5} {STOOD} knocked=(building_fell at=0/1 to_box=1 left=1)")
    assert position.tallest == at("1/0")
    assert position.players[0].tokens == 1
    assert (position.box, position.left_in_city) == (1, 1)
    assert position.players[1].completed == ("CO1",)


def test_a25_the_deliverers_own_building_may_fall_with_the_others_and_comes_back_to_him(table):
    city = [table.built(2, "CO1", "0/1", height_mm=90)]
    game = table.game(hands={1: hand()}, city=city)
    position = table.do(game, f"{CO5} stood=no knocked=(building_fell at=0/1 to_box=0 left=0)")
    assert position.players[0] == game.start.players[0]
    assert not position.buildings[0].standing
    assert position.phase == "over"


def test_a25_every_fall_of_a_delivery_is_checked(table):
    game = table.game(hands={1: hand()}, city=[table.built(2, "CO1", "0/1")])
    fell = "(building_fell at=0/1 to_box=0 left=0)"
    assert table.refused(game, f"{CO5} {STOOD} knocked={fell}{fell}") == "R35"
    assert table.refused(game, f"{CO5} {STOOD} knocked=(building_fell at=1/0 to_box=0 left=0)") == "R35"
    assert table.refused(game, f"{CO5} {STOOD} knocked=(building_fell at=0/1 to_box=9 left=0)") == "R35"
    assert missing_of(game, f"{CO5} {STOOD} knocked=(building_fell at=0/1)") == ("knocked",)


def eight_buildings(table, **words):
    names = ["PU1", "PU2", "IN1", "IN2", "CO1", "CO2", "RE1", "RE2"]
    cells = ["1/0", "1/-1", "0/-1", "-1/0", "-1/1", "0/1", "2/0", "2/-1"]
    city = [table.built(1, name, cell) for name, cell in zip(names, cells, strict=True)]
    return table.game(players=2, hands={1: hand()}, city=city, **words)


def test_a43_a_ninth_building_is_allowed(table):
    position = table.do(eight_buildings(table), CO5.replace("1/0", "1/1") + " " + STOOD)
    assert len(position.players[0].completed) == 9


def test_a43_a_group_may_count_the_cubes_and_a_fallen_building_gives_one_back(table):
    game = eight_buildings(table, rulings={"at_most_eight_buildings": True})
    assert table.refused(game, CO5.replace("1/0", "1/1") + " stood=no") == "A43"
    assert table.decisions(game, "deliver") == set()
    table.do(game, "table building_fell at=1/0 to_box=0 left=0", CO5.replace("1/0", "1/1") + " " + STOOD)


def test_a45_tokens_never_run_out(table):
    game = table.game(hands={1: replace(hand(), tokens=60)})
    assert table.do(game, f"{CO5} {STOOD}").players[0].tokens == 61


def test_a47_what_no_sensor_can_decide_is_one_answer_of_the_people(game):
    assert missing_of(game, f"{CO5} stood=yes height=45mm pieces=glass:7") == ("judged",)


def test_a48_touching_a_port_is_enough_and_is_part_of_that_answer(table, game):
    """No field tells how much of a port is covered: the people who judge are asked about contact."""
    position = table.do(game, f"{CO5} {STOOD}")
    assert position.buildings[0].__struct_fields__ == (
        "at",
        "face",
        "owner",
        "contract",
        "pieces",
        "height_mm",
        "standing",
    )


def test_a49_a_building_that_fits_several_contracts_completes_the_one_named(table):
    game = table.game(hands={1: hand(("CO1", "CO2"), (TILE,), glass=5)})
    both = {line.split(" ")[0] for line in table.decisions(game, "deliver")}
    assert both == {"contract=CO1", "contract=CO2"}
    position = table.do(
        game, "p1 deliver contract=CO2 platform=14 at=1/0 stood=yes height=40mm pieces=glass:5 judged=yes"
    )
    assert position.players[0].contracts == ("CO1",)
