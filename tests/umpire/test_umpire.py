"""The umpire in front of a table of facts: what is inferred, what is asked, when it becomes confirmed."""

import pytest

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES
from citytable.rules.errors import IllegalAction
from citytable.table.fact import MassMoving, SensorFault
from citytable.table.hexes import Hex


def test_a_contract_that_changes_its_place_is_taken(table, deal):
    top, below = deal.columns[0][:2]
    table.take_contract(1, top, below)
    assert table.provisional() == [f"p1 take_contract contract={top}"]
    assert table.done() == []
    table.pass_bag(1, 2)
    assert table.done() == [f"p1 take_contract contract={top}", "p1 end_turn"]
    assert table.position.player == 2


def test_a_card_lifted_and_put_back_dissolves(table, deal):
    top, below = deal.columns[0][:2]
    table.take_contract(1, top, below)
    spot = table.where(f"contract/{top}")
    table.lift(spot)
    table.lift("supply/contract/public")
    table.lay(f"contract/{top}", "supply/contract/public")
    assert table.provisional() == []
    assert table.umpire.status().agrees


def test_a_card_lifted_from_a_column_of_two_and_put_back_is_not_reorganised_twice(table_of_two):
    """Lost sector, seed 35008 with 2 players: and of three draws that were seen after it one was told, in parts."""
    table = table_of_two
    k, (top, below) = next((k, column) for k, column in enumerate(table.position.columns) if len(column) == 2)
    column = f"supply/contract/{TYPES[k]}"
    for lies, comes in ((top, below), (below, top)):
        assert table.lift(column) == f"contract/{lies}"
        table.lay(f"contract/{comes}", column)
    assert table.provisional() == []
    for grams in (6.8, 5.9, 8.8):
        table.draw(1, grams)
    assert table.provisional() == ["p1 take_pieces drawn=unknown:3"] * 3


def test_a_platform_turned_over_and_back_is_not_rezoned_twice(table, deal):
    taken = deal.supply[0]
    table.move("supply/platform/0", "seat/1/pad/0")
    table.lay("platform/20/industrial", "supply/platform/0")
    other = next(side for side in HOUSE.platforms[taken.platform] if side != taken.up)
    for up in (other, taken.up):
        table.lift("seat/1/pad/0")
        table.lay(f"platform/{taken.platform}/{up}", "seat/1/pad/0")
    assert table.provisional() == [f"p1 take_platform platform={taken.platform} revealed=20/industrial"]


def test_a_platform_taken_and_refilled_tells_which_tile_was_turned_up(table, deal):
    taken = deal.supply[0]
    table.move("supply/platform/0", "seat/1/pad/1")
    table.lay("platform/20/industrial", "supply/platform/0")
    assert table.provisional() == [f"p1 take_platform platform={taken.platform} revealed=20/industrial"]
    table.pass_bag(1, 2)
    assert table.position.player == 2
    assert table.umpire.status().agrees


def test_until_the_supply_is_refilled_the_table_asks_for_it_and_nothing_is_confirmed(table, deal):
    table.move("supply/platform/0", "seat/1/pad/0")
    table.pass_bag(1, 2)
    assert table.position.player == 1
    (missing,) = table.umpire.status().disagreements
    assert (missing.kind, missing.to) == ("missing", ("supply/platform/0",)), "the slot that is empty, and no other"
    table.lay("platform/20/industrial", "supply/platform/0")
    assert table.position.player == 2


def test_what_went_under_the_stack_did_not_come_up_again(table, deal):
    """Seed 7007: a platform in the hand, to be turned over, was taken for a refreshed supply of the same tiles."""
    taken = deal.supply[0]
    table.move("supply/platform/0", "seat/1/pad/0")
    table.lay("platform/20/industrial", "supply/platform/0")
    table.lift("seat/1/pad/0")
    assert table.provisional() == [f"p1 take_platform platform={taken.platform} revealed=20/industrial"]
    assert not table.umpire.status().agrees
    other = next(side for side in HOUSE.platforms[taken.platform] if side != taken.up)
    table.lay(f"platform/{taken.platform}/{other}", "seat/1/pad/0")
    assert [one.split()[1] for one in table.provisional()] == ["take_platform", "rezone"]


def test_a_hand_in_the_bag_draws_three_pieces(table):
    table.draw(1, 6.5)
    assert table.provisional() == ["p1 take_pieces drawn=unknown:3"]


def test_an_announced_piece_is_one_piece_although_three_could_weigh_as_much(table):
    table.draw(1, 3.2)
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    assert table.provisional() == ["p1 take_pieces announced=steel drawn=steel:1"]
    table.pass_bag(1, 2, drew=0)
    assert table.position.players[0].pieces.steel == 1


def test_an_announced_material_is_never_inferred(table):
    table.draw(1, 3.2)
    table.pass_bag(1, 2, drew=1)
    assert table.done() == ["p1 take_pieces drawn=unknown:1-3", "p1 end_turn"]


def test_two_hands_do_two_actions_at_once(table, deal):
    top, below = deal.columns[1][:2]
    table.lift("supply/contract/industrial")
    table.draw(1, 5.0)
    table.lay(f"contract/{top}", "seat/1/card/0")
    table.lay(f"contract/{below}", "supply/contract/industrial")
    assert sorted(table.provisional()) == [f"p1 take_contract contract={top}", "p1 take_pieces drawn=unknown:3"]


def test_pieces_drawn_just_before_the_bag_is_passed_belong_to_the_turn_before(table):
    table.stir("seat/1/bag")
    table.bag_g -= 9.0
    table.pass_bag(1, 2, drew=1)
    assert table.done() == ["p1 take_pieces drawn=unknown:3", "p1 end_turn"]


def test_nothing_is_confirmed_while_the_bag_still_swings(table):
    table.lift("seat/1/bag")
    table.lay("bag", "seat/2/bag")
    assert table.provisional() == ["p1 end_turn"]
    assert table.done() == []
    table.weigh("seat/2/bag", table.bag_g)
    assert table.done() == ["p1 end_turn"]


def test_a_third_action_is_no_explanation(table, deal):
    for kind, column in zip(("public", "industrial"), deal.columns, strict=False):
        table.take_contract(1, column[0], column[1])
        assert kind
    table.draw(1, 5.0)
    assert len(table.provisional()) == 2
    table.pass_bag(1, 2)
    assert table.done() == []


def test_a_third_contract_is_refused_with_its_rule(table, deal):
    for column in deal.columns[:2]:
        table.take_contract(1, column[0], column[1])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.take_contract(1, deal.columns[2][0], deal.columns[2][1])
    wrong = {one.thing: one for one in table.umpire.status().disagreements}
    refused = wrong[f"contract/{deal.columns[2][0]}"]
    assert (refused.kind, refused.rule, refused.to) == ("refused", "R8", ("supply/contract/commercial",))
    assert set(refused.text) == {"en", "fr"}
    table.move("seat/1/card/2", "supply/contract/commercial")
    assert table.umpire.status().disagreements


def test_cards_that_change_slots_are_no_action(table, deal):
    top, below = deal.columns[0][:2]
    table.take_contract(1, top, below)
    table.move("seat/1/card/0", "seat/1/card/2")
    assert table.provisional() == [f"p1 take_contract contract={top}"]
    assert table.umpire.status().agrees


def test_a_tag_missed_for_a_moment_changes_nothing(table):
    thing = table.lift("supply/platform/1")
    assert table.provisional() == []
    table.lay(thing, "supply/platform/1")
    assert table.umpire.status().agrees


def test_an_unregistered_tag_is_named_and_stops_nothing(table):
    table.lay_unregistered("04ffffffffffff", "city/2/0")
    (wrong,) = table.umpire.status().disagreements
    assert (wrong.kind, wrong.thing, wrong.spots) == ("unregistered", "04ffffffffffff", ("city/2/0",))
    table.pass_bag(1, 2)
    assert table.done() == ["p1 end_turn"]


def test_what_lies_at_a_silent_station_is_unknown_not_gone(table):
    table.station("seat-1", ("seat/1/bag", "seat/1/card/0", "seat/1/card/1", "seat/1/card/2"), up=False)
    table.lift("seat/1/bag")
    kinds = [wrong.kind for wrong in table.umpire.status().disagreements]
    assert kinds == ["station_silent"]


def test_a_column_of_one_card_reorganised_must_be_said(table):
    table.say("p1 refresh")
    assert table.provisional() == ["p1 refresh"] or table.provisional()[0].startswith("p1 refresh")


def test_an_illegal_statement_is_refused_with_its_rule(table):
    with pytest.raises(IllegalAction) as refusal:
        table.say("p2 take_pieces drawn=unknown:3")
    assert refusal.value.rule == "R7"
    assert table.umpire.status().agrees


def test_a_delivery_is_provisional_when_the_platform_lies_and_asks_when_the_contract_is_turned(table, building):
    table.measure("seat/1/pad/0", 31.0)
    table.move("seat/1/pad/0", "city/1/0")
    assert table.provisional() == [f"p1 deliver contract=PU1 platform={building.split('/')[1]} at=1/0 stood=yes"]
    assert not table.umpire.questions
    table.lift(table.where("contract/PU1"))
    (question,) = table.umpire.questions
    assert question.seat == 1
    assert {field.name: field.proposed for field in question.fields}["height_mm"] == 31
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(1, 2)
    (delivered,) = table.position.buildings
    assert (delivered.height_mm, delivered.pieces.steel, table.position.tallest) == (31, 4, Hex(1, 0))
    assert table.position.players[0].tokens == 2
    assert table.position.players[0].pieces.most == 2


@pytest.mark.parametrize("lands_g", [None, 40.0], ids=["before it lands", "while it lands"])
def test_a_delivery_to_a_hex_whose_scale_was_unplugged_is_asked_about_like_any_other(table, building, lands_g):
    table.lift("seat/1/pad/0")
    if lands_g is not None:
        table.umpire.feed([MassMoving(t_us=table.t_us, spot="city/1/0")])
        table.weigh("city/1/0", lands_g)
    broken = SensorFault(t_us=table.t_us, spot="city/1/0", sensor="cell", what="cell 0: out of its range", on=True)
    table.umpire.feed([MassMoving(t_us=table.t_us, spot="city/1/0"), broken])
    table.lay(building, "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(1, 2)
    assert [text.split()[1] for text in table.done()] == ["deliver", "end_turn"]
    assert "stood=yes" in table.done()[0]


def test_a_card_that_lies_on_after_its_delivery_was_not_taken_and_breaks_no_rule(table, building):
    """The display gave R31 as the reason: after a delivery nothing may be taken."""
    table.move("seat/1/pad/0", "city/1/0")
    (wrong,) = (one for one in table.umpire.status().disagreements if one.thing == "contract/PU1")
    assert (wrong.kind, wrong.rule, wrong.spots) == ("unexpected", "", (table.where("contract/PU1"),))


def test_a_turn_is_not_confirmed_while_its_question_is_open(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.pass_bag(1, 2)
    assert table.done() == []
    table.answer(height_mm=31, steel=2, concrete=2, glass=0, judged=True)
    assert [text.split()[1] for text in table.done()] == ["deliver", "end_turn"]


def test_a_question_that_waits_for_rounds_holds_nobody_up(table, building):
    """Nobody looked at his phone: the form vanished after a round, and the table asked for the bag back."""
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    seat, done = 1, ["end_turn"]
    for acts in (2, 1, 0, 2, 2, 1, 0):
        seat, before = seat % 3 + 1, seat
        table.pass_bag(before, seat)
        for _ in range(acts):
            table.draw(seat, 6.5)
        done += [*["take_pieces"] * acts, "end_turn"]
        assert table.umpire.status().agrees
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    for _ in range(2):  # who drew once in a turn is asked whether that is all
        seat_asked = table.umpire.questions[0].seat
        table.tells(f"p{seat_asked} take_pieces")
    table.pass_bag(seat, seat % 3 + 1)
    assert [text.split()[1] for text in table.done()] == ["deliver", *done]
    assert [text.split()[0] for text in table.done() if "take_pieces" in text] == [
        f"p{k}" for k in (2, 2, 3, 2, 2, 3, 3, 1)
    ]


def test_an_answer_that_breaks_a_rule_is_refused_and_the_question_stays(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    with pytest.raises(IllegalAction) as refusal:
        table.answer(height_mm=12, steel=2, concrete=2, glass=0, judged=True)
    assert refusal.value.rule == "R18"
    assert len(table.umpire.questions) == 1


def test_a_platform_that_pauses_on_a_wrong_hex_is_followed(table, building):
    table.move("seat/1/pad/0", "city/0/1")
    table.move("city/0/1", "city/1/0")
    table.lift(table.where("contract/PU1"))
    assert "at=1/0" in table.provisional()[0]


def test_a_platform_on_a_hex_where_it_may_not_go_is_refused_with_its_rule(table, building):
    table.move("seat/1/pad/0", "city/3/0")
    wrong = {one.thing: one for one in table.umpire.status().disagreements}[building]
    assert (wrong.kind, wrong.rule) == ("refused", "R25")
    assert wrong.to == ("seat/1/pad/0", "seat/1/pad/1", "seat/1/pad/2")
    table.pass_bag(1, 2)
    assert table.done() == []


def test_a_tower_that_falls_on_its_hex_is_a_delivery_that_fell(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    table.fall("city/1/0")
    table.move("city/1/0", "seat/1/pad/0")
    table.pass_bag(1, 2)
    assert [text.split()[1] for text in table.done()] == ["deliver", "end_turn"]
    assert "stood=no" in table.done()[0]
    assert table.position.players[0].contracts == ("PU1",)


def test_a_fall_on_the_way_is_said(table, building):
    number = building.split("/")[1]
    table.move("seat/1/pad/0", "seat/1/pad/2")
    table.say(f"p1 deliver contract=PU1 platform={number} at=1/0 stood=no")
    table.pass_bag(1, 2)
    assert "stood=no" in table.done()[0]


def test_a_park_placed_after_a_delivery_is_inferred(table, delivered):
    table.lay("park/1", "city/2/0")
    table.pass_bag(1, 2)
    assert "p1 place_park at=2/0" in table.done()


def test_a_monument_on_central_park_is_seen_by_its_weight(table, delivered):
    table.weigh("city/0/0", 60.0)
    table.weigh("city/0/0", 62.1)
    table.pass_bag(1, 2)
    assert any("place_central_park_monument" in text for text in table.done())


def test_a_building_of_the_city_that_falls_is_asked_about(table, delivered):
    table.pass_bag(1, 2)
    table.fall("city/1/0")
    table.answer(what_fell="all", to_box=1, left=0)
    table.draw(2, -5.0)
    table.pass_bag(2, 3)
    assert any("building_fell at=1/0 to_box=1" in text for text in table.done())
    assert not table.position.buildings[0].standing
    assert table.position.box == 1


def test_a_fall_that_people_deny_never_happened(table, delivered):
    table.pass_bag(1, 2)
    table.fall("city/1/0")
    table.answer(what_fell="nothing", to_box=0, left=0)
    table.pass_bag(2, 3)
    assert table.position.buildings[0].standing


def test_a_fall_that_is_only_an_alert_or_withdrawn_is_no_cue(table, delivered):
    table.pass_bag(1, 2)
    table.fall("city/1/0", "alert")
    table.fall("city/1/0", "withdrawn")
    assert not table.umpire.questions


def test_an_answer_about_a_tower_that_fell_is_no_answer_about_the_next_one(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    card = table.where("contract/PU1")
    table.lift(card)
    table.umpire.feed([MassMoving(t_us=table.t_us, spot="seat/1/bag")])
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.fall("city/1/0")
    table.move("city/1/0", "seat/1/pad/0")
    table.lay("contract/PU1", card)
    table.weigh("seat/1/bag", table.bag_g)
    assert table.done() == [], "a hand was in the bag all the while"
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(card)
    table.answer(height_mm=27, steel=1, concrete=3, glass=0, judged=True)
    assert table.position.buildings[0].height_mm == 27
    assert table.umpire.questions_asked == 3  # the second, what fell, dissolved when the tower was taken back


@pytest.mark.parametrize(("spot", "grams"), [("seat/1/bag", 412.0), ("seat/1/bag", 9.0), ("city/0/0", 3.0)])
def test_what_was_laid_on_a_scale_and_taken_away_again_was_nothing(table, spot, grams):
    """A phone on the bag, pieces that went into it by mistake, a piece that somebody set down on the park."""
    table.weigh("city/0/0", 14.0)
    table.draw(1, 9.0)
    stood_g = table.loads_g[spot]
    table.weigh(spot, stood_g + grams)
    table.weigh(spot, stood_g)
    table.pass_bag(1, 2, drew=1)
    assert table.done() == ["p1 take_pieces drawn=unknown:3", "p1 end_turn"]


@pytest.mark.parametrize(("grams", "shown"), [(-412.0, 412.0), (90.0, -90.0)])
def test_a_weight_that_is_not_right_says_which_way_and_how_much(table, grams, shown):
    table.draw(1, grams)
    (wrong,) = table.umpire.status().disagreements
    assert (wrong.kind, wrong.spots, wrong.grams) == ("mass", ("seat/1/bag",), shown)


def test_what_two_people_report_at_once_is_one_act(table):
    table.draw(1, 3.0)
    announced = "p1 take_pieces announced=steel drawn=steel:1"
    table.say(announced)
    table.say(announced)
    assert table.provisional() == [announced]
    table.draw(1, 2.5)
    table.weigh("city/0/0", 14.0)
    table.weigh("city/0/0", 0.0)
    table.say(announced)
    assert table.provisional() == [announced, announced]


def test_a_column_of_one_card_that_is_reported_twice_is_reorganised_once(table_of_two):
    """The table would look the same, so nobody does it twice; the second report may come any time."""
    table = table_of_two
    k, (top, below) = next((k, column) for k, column in enumerate(table.position.columns) if len(column) == 2)
    table.take_contract(1, top, below)
    for _ in range(2):
        table.say(f"p1 reorganise column={TYPES[k]}")
        for grams in (3.0, 6.0, 9.0):
            table.weigh("seat/2/pad/2", grams)
    assert [one.split()[1] for one in table.provisional()] == ["take_contract", "reorganise"]
