"""The hands' acts on the world: what they move, what they cannot do, and that nothing is lost or doubled."""

import json
import random
from collections import Counter

import pytest

from tabletwin.hands.megacity import building

pytestmark = pytest.mark.long(32)

ALL_PIECES = Counter(range(150))


def supply_numbers(game):
    return [game.world.top(f"supply/platform/{k}").number for k in range(3)]


def with_pieces(game, seat, at_least):
    """Give a seat pieces from the bag on its own cradle."""
    while sum(count for count in by_material(game, seat).values()) < at_least:
        game.act("take_pieces", seat=seat, announced=None)
    return by_material(game, seat)


def by_material(game, seat):
    return Counter(piece.material for piece in game.world.seat(seat).pieces)


def built(game, seat=1, pieces=5, at_least_mm=40):
    """A platform with a tower on a pad of this seat; its number and height."""
    number = supply_numbers(game)[0]
    game.act("take_platform", seat=seat, platform=number)
    with_pieces(game, seat, pieces)
    chosen = Counter(piece.material for piece in game.world.seat(seat).pieces[:pieces])
    told = game.act("build", seat=seat, platform=number, pieces=chosen, at_least_mm=at_least_mm, cube=True)
    return number, told["height_mm"]


# setting up


@pytest.mark.parametrize(("players", "deal"), [(2, 12), (3, 14), (4, 16)])
def test_a_deal_has_two_of_each_type_with_the_card_dealt_first_on_top(new_game, players, deal):
    for seed in range(2):
        game = new_game(seed, seats=4)
        told = game.set_up(players=players, deal=deal, start=None)
        assert sum(len(column) for column in told["columns"].values()) == deal
        assert min(len(column) for column in told["columns"].values()) >= 2
        for kind, column in told["columns"].items():
            lying = [card.contract for card in game.world.lying(f"supply/contract/{kind}")]
            assert lying[::-1] == column
        assert 1 <= told["start"] <= players


def test_the_start_player_has_no_piece_and_clockwise_each_one_more(new_game):
    told = new_game(seats=4).set_up(players=4, deal=16, start=3)
    assert [sum(drawn.values()) for drawn in told["drawn"]] == [2, 3, 0, 1]


def test_after_setting_up_the_readers_have_told_what_lies_on_the_table(game):
    game.wait(3)
    assert game.believed() == game.truth()
    assert game.truth()["city/0/0"] == "central-park"
    assert game.truth()["seat/1/bag"] == "bag"
    assert [[int(n), up] for _, n, up in (game.truth()[f"supply/platform/{k}"].split("/") for k in range(3))] == (
        game.dealt["supply"]
    )


def test_setting_up_again_puts_everything_back_into_the_box_first(game):
    built(game)
    game.set_up(start=2)
    assert game.pieces() == ALL_PIECES
    assert len(game.world.stack) == 21
    game.wait(3)
    assert game.believed() == game.truth()


def test_more_players_than_seats_cannot_be(new_game, refused):
    with pytest.raises(refused, match="4 players: this table has 3 seats"):
        new_game().set_up(players=4)


def test_a_starter_table_that_senses_two_seats_only_can_be_played_on(new_game, starter_plan):
    game = new_game(plan=starter_plan)
    game.dealt = game.set_up(players=2, deal=12)
    number, _ = built(game)
    game.act("take_contract", seat=1, column="public")
    assert game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")["stood"]
    game.wait(2)
    sensed = {spot: thing for spot, thing in game.truth().items() if spot.startswith("seat/")}
    assert game.believed() == sensed
    assert {station.name for station in game.table.stations.values()} == {"seat-1", "seat-2"}


# cards


def test_the_top_card_goes_to_a_free_slot_and_the_next_one_shows(game):
    column = game.dealt["columns"]["public"]
    assert game.act("take_contract", seat=2, column="public") == {"contract": column[0]}
    assert game.truth()["seat/2/card/0"] == f"contract/{column[0]}"
    game.wait(2)
    assert game.believed() == game.truth()


def test_reorganising_lays_the_top_card_below_the_others(game):
    column = game.dealt["columns"]["public"]
    assert game.act("reorganise", seat=1, column="public") == {"top": column[1]}
    assert [card.contract for card in game.world.lying("supply/contract/public")] == [column[0], *column[:0:-1]]


def test_a_finished_contract_leaves_its_slot(game):
    contract = game.act("take_contract", seat=2, column="public")["contract"]
    game.act("finish_contract", seat=2, contract=contract)
    assert game.world.top("seat/2/card/0") is None
    assert [card.contract for card in game.world.seat(2).completed] == [contract]


def test_landmarks_are_laid_out_once_and_taken_by_their_id(game, refused):
    assert game.act("lay_out_landmarks")["landmarks"] == ["L-PU", "L-IN", "L-CO", "L-RE"]
    assert game.act("take_landmark", seat=3, contract="L-CO") == {"contract": "L-CO"}
    assert game.truth()["seat/3/card/0"] == "contract/L-CO"
    with pytest.raises(refused, match="no longer set aside"):
        game.act("lay_out_landmarks")


def test_cards_that_are_not_there_cannot_be_taken(game, refused):
    with pytest.raises(refused, match="no spot 'supply/contract/nonsense'"):
        game.act("take_contract", seat=1, column="nonsense")
    with pytest.raises(refused, match="no 'contract/PU1' lies at seat/1/card/"):
        game.act("finish_contract", seat=1, contract="PU1")
    for _ in range(3):
        game.act("take_contract", seat=1, column="public" if game.world.top("supply/contract/public") else "industrial")
    with pytest.raises(refused, match="no free spot at seat/1/card/"):
        game.act("take_contract", seat=1, column="commercial")


# platforms


def test_a_taken_platform_is_replaced_from_the_stack_with_the_side_up_that_is_told(game):
    number = supply_numbers(game)[1]
    following = game.world.stack[0]
    told = game.act("take_platform", seat=1, platform=number)
    assert told == {"revealed": [following.number, following.up]}
    assert game.world.top("supply/platform/1") is following
    assert game.world.top("seat/1/pad/0").number == number


def test_with_an_empty_stack_the_gap_stays(game):
    game.world.stack.clear()
    assert game.act("take_platform", seat=1, platform=supply_numbers(game)[0]) == {"revealed": None}
    assert game.world.top("supply/platform/0") is None


def test_refreshing_puts_the_supply_under_the_stack_and_shows_three_others(game):
    old, expected = supply_numbers(game), [[tile.number, tile.up] for tile in game.world.stack[:3]]
    assert game.act("refresh", seat=1) == {"revealed": expected}
    assert [tile.number for tile in game.world.stack[-3:]] == old


def test_refreshing_with_one_tile_in_the_stack_turns_the_old_ones_up_again(game):
    old, last = supply_numbers(game), game.world.stack[0]
    del game.world.stack[1:]
    told = game.act("refresh", seat=1)["revealed"]
    assert [number for number, _ in told] == [last.number, *old[:2]]


def test_rezoning_turns_a_platform_over_where_it_lies(game, refused):
    number = supply_numbers(game)[0]
    game.act("take_platform", seat=1, platform=number)
    tile = game.world.top("seat/1/pad/0")
    before = tile.up
    assert game.act("rezone", seat=1, platform=number)["up"] == ({*tile.sides} - {before}).pop()
    game.wait(2)
    assert game.believed()["seat/1/pad/0"] == tile.name
    tile.tower.cube_of = 1
    with pytest.raises(refused, match="a tower stands"):
        game.act("rezone", seat=1, platform=number)


# the bag


def test_three_pieces_at_random_or_one_that_was_announced(game):
    assert sum(game.act("take_pieces", seat=1, announced=None)["drawn"].values()) == 3
    assert game.act("take_pieces", seat=1, announced="glass")["drawn"] == {"glass": 1}
    assert game.pieces() == ALL_PIECES


def test_who_takes_them_one_by_one_lets_the_scale_rest_after_each(game):
    act = {"act": "take_pieces", "seat": 1, "announced": None, "one_by_one": True}
    request, steps_at = game.hands.begin(json.dumps({"id": 1, "acts": [act]})), Counter()
    while not request.done:
        game.step()
        steps_at[len(game.world.bag.pieces)] += 1
    full = max(steps_at)
    assert set(steps_at) == {full, full - 1, full - 2, full - 3}
    assert min(steps_at[full - taken] for taken in (1, 2, 3)) > 15, "a second and a half"


def test_if_none_of_the_announced_material_is_left_three_at_random(game):
    game.world.bag.pieces = [piece for piece in game.world.bag.pieces if piece.material != "steel"]
    assert sum(game.act("take_pieces", seat=1, announced="steel")["drawn"].values()) == 3


def test_a_bag_with_two_pieces_gives_two_and_an_empty_one_none(game):
    game.world.bag.pieces = game.world.bag.pieces[:2]
    assert sum(game.act("take_pieces", seat=1, announced=None)["drawn"].values()) == 2
    assert game.act("take_pieces", seat=1, announced=None)["drawn"] == {}


def test_only_who_has_the_bag_can_reach_into_it_or_pass_it(game, refused):
    for name, fields in (
        ("take_pieces", {"seat": 2, "announced": None}),
        ("pass_bag", {"from": 2, "to": 3}),
        ("return_pieces", {"seat": 2, "pieces": {}}),
    ):
        with pytest.raises(refused, match="the bag is not at seat 2 but at seat/1/bag"):
            game.act(name, **fields)
    game.act("pass_bag", **{"from": 1, "to": 2})
    game.wait(2)
    assert game.believed()["seat/2/bag"] == "bag"
    assert "seat/1/bag" not in game.believed()


def test_pieces_go_back_into_the_bag(game, refused):
    held = with_pieces(game, 1, 6)
    material = max(held, key=held.get)
    assert game.act("return_pieces", seat=1, pieces={material: 2}) == {"returned": {material: 2}}
    assert by_material(game, 1)[material] == held[material] - 2
    with pytest.raises(refused, match=r"99 pieces of steel wanted"):
        game.act("return_pieces", seat=1, pieces={"steel": 99})
    assert game.pieces() == ALL_PIECES


def test_recycling_empties_hand_and_unfinished_buildings(game):
    built(game, pieces=4)
    held = len(game.world.seat(1).pieces)
    assert game.act("recycle", seat=1) == {"returned": held + 4}
    assert game.world.top("seat/1/pad/0").tower.empty
    assert game.world.seat(1).cubes == 8
    assert len(game.world.bag.pieces) == 150 - sum(len(game.world.seat(seat).pieces) for seat in (2, 3))


def test_the_bag_weighs_what_is_in_it(game):
    game.wait(4)
    full = game.grams("seat/1/bag")
    assert full == pytest.approx(game.world.bag.mass_g, abs=1.5)
    with_pieces(game, 1, 9)
    game.wait(5)
    assert full - game.grams("seat/1/bag") == pytest.approx(sum(p.mass_g for p in game.world.seat(1).pieces), abs=0.6)


# building and delivering


def test_a_tower_is_as_high_as_wanted_and_weighs_what_it_is_made_of(game):
    number, height_mm = built(game, pieces=6, at_least_mm=55)
    assert height_mm >= 55
    tile = game.world.top("seat/1/pad/0")
    assert (tile.number, len(tile.tower.placed), tile.tower.cube_of) == (number, 6, 1)
    assert game.world.seat(1).cubes == 7
    game.wait(5)
    assert game.grams("seat/1/pad/0") == pytest.approx(tile.mass_g, abs=1.0)
    assert game.pieces() == ALL_PIECES


def test_the_crane_tells_the_height_within_a_millimetre_and_a_bit(game):
    number, height_mm = built(game)
    assert game.act("measure", seat=1, platform=number) == {"height_mm": height_mm}
    (told,) = game.told("height")
    assert told["spot"] == "seat/1/pad/0"
    assert abs(300.0 - told["range_mm"] - height_mm) <= 2.0


def test_unbuilding_gives_pieces_and_cube_back(game):
    number, _ = built(game, pieces=5)
    held = len(game.world.seat(1).pieces)
    assert sum(game.act("unbuild", seat=1, platform=number)["pieces"].values()) == 5
    assert len(game.world.seat(1).pieces) == held + 5
    assert game.world.seat(1).cubes == 8


def test_building_with_pieces_one_has_not_changes_nothing(game, refused):
    number = supply_numbers(game)[0]
    game.act("take_platform", seat=1, platform=number)
    with pytest.raises(refused, match="5 pieces of steel wanted"):
        game.act("build", seat=1, platform=number, pieces={"steel": 5}, at_least_mm=30, cube=True)
    assert game.world.top("seat/1/pad/0").tower.empty
    assert game.world.seat(1).cubes == 8


def test_a_tower_that_falls_while_it_is_built_is_built_again(game, monkeypatch):
    monkeypatch.setattr(building, "COLLAPSES_WHILE_BUILDING", 1.0)
    number = supply_numbers(game)[0]
    game.act("take_platform", seat=1, platform=number)
    chosen = with_pieces(game, 1, 6)
    told = game.act("build", seat=1, platform=number, pieces=chosen, at_least_mm=40, cube=True)
    assert told["collapses"] == building.COLLAPSES_MOST
    assert len(game.world.top("seat/1/pad/0").tower.placed) == sum(chosen.values())
    assert game.pieces() == ALL_PIECES


def test_a_delivered_platform_stands_on_its_hex_with_its_tower(game):
    number, height_mm = built(game)
    told = game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")
    assert told == {"stood": True, "height_mm": height_mm}
    assert game.world.top("city/1/0").number == number
    game.wait(6)
    assert game.believed() == game.truth()
    assert game.grams("city/1/0") == pytest.approx(game.world.top("city/1/0").mass_g, abs=0.6)


@pytest.mark.parametrize("outcome", ["falls_sliding", "falls_there"])
def test_after_a_fall_pieces_cube_and_platform_are_back(game, outcome):
    number, _ = built(game, pieces=5)
    held = len(game.world.seat(1).pieces)
    told = game.act("deliver", seat=1, platform=number, at=[1, 0], outcome=outcome)
    assert told == {"stood": False, "height_mm": 0}
    assert game.world.top("city/1/0") is None
    assert game.world.top("seat/1/pad/0").number == number
    assert len(game.world.seat(1).pieces) == held + 5
    assert game.world.seat(1).cubes == 8
    assert game.pieces() == ALL_PIECES


def test_a_hex_that_is_taken_takes_no_second_tile(game, refused):
    number, _ = built(game)
    with pytest.raises(refused, match="on city/0/0 lies central-park"):
        game.act("deliver", seat=1, platform=number, at=[0, 0], outcome="stands")
    with pytest.raises(refused, match="no spot 'city/4/0'"):
        game.act("deliver", seat=1, platform=number, at=[4, 0], outcome="stands")


def test_a_park_is_placed_once_and_may_carry_a_monument(game, refused):
    with_pieces(game, 1, 3)
    game.act("place_park", seat=1, at=[2, 0])
    told = game.act("place_monument", seat=1, at=[2, 0])
    assert sum(told["piece"].values()) == 1
    assert game.world.top("city/2/0").monument is not None
    with pytest.raises(refused, match="seat 1 has no park left"):
        game.act("place_park", seat=1, at=[0, 2])
    assert game.pieces() == ALL_PIECES


def test_a_new_central_park_monument_sends_the_old_one_to_the_bag(game):
    with_pieces(game, 1, 3)
    game.act("place_monument", seat=1, at=[0, 0])
    old = game.world.top("city/0/0").monument
    game.act("place_monument", seat=1, at=[0, 0])
    assert old in game.world.bag.pieces
    assert game.pieces() == ALL_PIECES


def test_a_building_that_falls_is_shared_between_box_and_bag(game):
    number, _ = built(game, pieces=6)
    game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")
    told = game.act("collapse", at=[1, 0])
    assert told["to_box"] >= 1
    assert sum(told.values()) == 6
    assert len(game.world.box) == told["to_box"]
    assert len(game.world.top("city/1/0").tower.placed) == told["left"]
    assert game.world.seat(1).cubes == 8
    assert game.pieces() == ALL_PIECES
    assert any(alert["spot"] == "city/1/0" for alert in game.told("alert"))


def test_a_building_loses_its_last_pieces_and_stands(game):
    number, _ = built(game, pieces=6)
    game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")
    before_mm = game.world.top("city/1/0").tower.height_mm
    told = game.act("lose_pieces", at=[1, 0])
    gone = sum(told["to_box"].values()) + sum(told["to_bag"].values())
    assert gone in {1, 2}
    assert len(game.world.top("city/1/0").tower.placed) == 6 - gone
    assert 1 <= told["height_mm"] <= before_mm
    assert game.pieces() == ALL_PIECES


def test_a_monument_that_touched_the_table_goes_to_the_box_and_another_one_is_put_back(game):
    outcomes = set()
    while len(outcomes) < 2:
        with_pieces(game, 1, 1)
        game.act("place_monument", seat=1, at=[0, 0])
        touched = game.act("drop_monument", at=[0, 0])["touched"]
        assert (game.world.top("city/0/0").monument is None) == touched
        outcomes.add(touched)
        assert game.pieces() == ALL_PIECES
    assert game.world.box


# disorder


def test_a_card_lifted_and_put_back_is_where_it_was(game):
    game.act("take_contract", seat=2, column="public")
    before = game.truth()
    for what in ("card", "platform", "column"):
        game.act("hesitate", seat=2, what=what)
    game.wait(2)
    assert game.truth() == before
    assert game.believed() == before
    assert game.act("hesitate", seat=3, what="card") == {"lifted": None}


def test_swapping_slots_changes_places_and_nothing_else(game):
    game.act("take_contract", seat=2, column="public")
    game.act("take_contract", seat=2, column="commercial")
    for name, fields in (("swap_slots", {"seat": 2}), ("swap_supply", {})):
        before = Counter(game.truth().values())
        first, second = game.act(name, **fields)["swapped"]
        assert first.rsplit("/", 1)[0] == second.rsplit("/", 1)[0]
        assert Counter(game.truth().values()) == before
    game.wait(2)
    assert game.believed() == game.truth()


def test_a_misplaced_platform_stays_until_it_is_put_right(game):
    number, _ = built(game)
    game.act("misplace", seat=1, platform=number, at=[3, -3])
    assert game.world.top("city/3/-3").number == number
    told = game.act("put_right", platform=number, spot_prefix="seat/1/pad")
    assert game.world.top(told["spot"]).number == number


def test_an_elbow_is_felt_and_goes_away_again(game):
    game.wait(3)
    before = game.grams("city/2/1")
    game.act("lean", spot="city/2/1")
    felt = [max(message["counts"]) for message in game.told("samples") if message["spot"] == "city/2/1"]
    assert max(felt) > 40 * 2147
    game.wait(5)
    assert game.grams("city/2/1") == pytest.approx(before, abs=0.2)


def test_a_missed_tag_comes_back_by_itself(game):
    game.wait(2)
    game.act("miss_tag", spot="city/0/0", ms=1500)
    game.wait(2)
    events = [message["here"] for message in game.told("tag") if message["spot"] == "city/0/0"]
    assert events[-2:] == [False, True]


def test_any_tag_can_be_laid_down_and_lifted(game):
    game.act("lay_tag", spot="city/3/0", uid="04deadbeef0000")
    game.wait(1)
    assert game.believed()["city/3/0"] == "04deadbeef0000"
    assert game.act("lift_tag", spot="city/3/0") == {"uid": "04deadbeef0000"}


def test_a_station_that_was_off_comes_back_with_a_new_boot_and_an_inventory(game):
    game.act("take_contract", seat=2, column="public")
    game.wait(2)
    believed = game.believed()
    game.forget()
    game.act("reboot", station="seat-2")
    game.wait(3)
    births = game.told("birth")
    assert len(births) == 1
    (inventory,) = game.told("inventory")
    assert inventory["boot"] == births[0]["boot"]
    assert [tag["spot"] for tag in inventory["tags"]] == [spot for spot in believed if spot.startswith("seat/2/")]


def test_a_station_that_is_switched_off_stays_silent_whatever_is_done_there(game, refused):
    game.act("switch_off", station="seat-2")
    game.wait(3)
    game.forget()
    game.act("take_contract", seat=2, column="public")
    game.wait(5)
    assert game.told("birth") == []
    assert "seat/2/card/0" not in {event["spot"] for event in game.told("tag")}
    with pytest.raises(refused, match="no station"):
        game.act("switch_off", station="seat-9")
    for act in ("switch_off", "reboot"):
        with pytest.raises(refused, match="seat-2 is switched off already"):
            game.act(act, station="seat-2")


def test_a_button_pressed_while_two_others_act_is_heard(game):
    answer = game.answer(
        {"act": "press_button", "seat": 3},
        {"act": "take_contract", "seat": 1, "column": "public"},
        {"act": "lean", "spot": "city/1/0"},
    )
    assert len(answer["results"]) == 3
    assert [event["seat"] for event in game.told("button")] == [3]


def test_two_hands_of_one_player_never_lay_two_things_on_one_spot(game):
    first, second, _ = supply_numbers(game)
    game.answer(
        {"act": "take_platform", "seat": 1, "platform": first},
        {"act": "take_platform", "seat": 1, "platform": second},
        {"act": "take_contract", "seat": 1, "column": "public"},
        {"act": "take_contract", "seat": 1, "column": "public"},
    )
    assert all(len(game.world.lying(spot)) <= 1 for spot in game.world.spots if not spot.startswith("supply/contract"))
    assert len([spot for spot in game.truth() if spot.startswith("seat/1/pad/")]) == 2


def test_an_act_that_fails_leaves_the_others_and_keeps_no_spot(game):
    answer = game.answer(
        {"act": "take_platform", "seat": 1, "platform": 99},
        {"act": "take_contract", "seat": 1, "column": "public"},
    )
    assert "platform/99" in answer["error"]
    assert answer["results"][0] is None
    assert answer["results"][1]["contract"]
    assert game.world.claimed == set()


def test_whatever_hands_do_no_piece_is_lost_or_doubled(game):
    rng = random.Random(3)
    number, _ = built(game, pieces=4)
    game.act("deliver", seat=1, platform=number, at=[1, 0], outcome="stands")
    for _ in range(40):
        seat = int(game.world.spot_of(game.world.bag).split("/")[1])
        acts = [
            {"act": "take_pieces", "seat": seat, "announced": rng.choice([None, "steel"])},
            {"act": "hesitate", "seat": rng.randint(1, 3), "what": rng.choice(["card", "platform", "column"])},
            {"act": "place_monument", "seat": seat, "at": [0, 0]},
            {"act": "recycle", "seat": rng.randint(1, 3)},
            {"act": "pass_bag", "from": seat, "to": rng.randint(1, 3)},
        ]
        game.answer(*rng.sample(acts, 2))
        assert game.pieces() == ALL_PIECES
    game.wait(3)
    assert game.believed() == game.truth()


def test_two_hands_at_one_column_take_one_card_after_the_other(game):
    column = game.dealt["columns"]["public"]
    answer = game.answer(
        {"act": "take_contract", "seat": 1, "column": "public"},
        {"act": "take_contract", "seat": 2, "column": "public"},
    )
    assert [result["contract"] for result in answer["results"]] == column[:2]


def test_a_hand_waits_for_a_card_that_another_hand_has_lifted(game):
    contract = game.act("take_contract", seat=2, column="public")["contract"]
    answer = game.answer(
        {"act": "hesitate", "seat": 2, "what": "card"},
        {"act": "finish_contract", "seat": 2, "contract": contract},
    )
    assert answer["results"] == [{"lifted": f"contract/{contract}"}, {}]


def test_nobody_lifts_a_platform_that_is_being_built_on(game):
    number = supply_numbers(game)[0]
    game.act("take_platform", seat=1, platform=number)
    held = with_pieces(game, 1, 6)
    answer = game.answer(
        {"act": "build", "seat": 1, "platform": number, "pieces": held, "at_least_mm": 40},
        {"act": "hesitate", "seat": 1, "what": "platform"},
        {"act": "swap_slots", "seat": 1},
    )
    assert answer["results"][1:] == [{"lifted": None}, {"swapped": None}]
