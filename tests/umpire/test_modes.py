"""What the table makes of acts that a rule forbids: enforce, advise, record only."""

import pytest

from citytable.table.hexes import Hex
from citytable.table.word import ModeChoice

pytestmark = pytest.mark.long(6)

LENIENT = ["advise", "record"]


def breaking(table):
    return {one.text.split()[1]: one.breaks for one in table.confirmed if one.breaks}


def shown(table):
    return {one.action.split()[1]: one.breaks for one in table.umpire.provisional}


@pytest.fixture(params=LENIENT)
def mode(request, table):
    table.umpire.say(ModeChoice(mode=request.param, by="host"))
    return request.param


def third_contract(table, deal):
    for column in deal.columns[:2]:
        table.take_contract(1, column[0], column[1])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.confirmed.clear()
    table.take_contract(1, deal.columns[2][0], deal.columns[2][1])


def test_a_third_contract_is_taken_as_it_happened(table, deal, mode):
    third_contract(table, deal)
    assert table.umpire.status().agrees
    assert shown(table) == {"take_contract": "R8" if mode == "advise" else ""}
    table.pass_bag(1, 2)
    assert breaking(table) == {"take_contract": "R8"}
    assert len(table.position.players[0].contracts) == 3


def test_what_is_put_back_dissolves_in_every_mode(table, deal, mode):
    third_contract(table, deal)
    slot = table.where(f"contract/{deal.columns[2][0]}")
    column = table.where(f"contract/{deal.columns[2][1]}")
    table.lift(column)
    table.move(slot, column)
    assert table.provisional() == []


def test_a_delivery_to_a_hex_that_touches_nothing_stands_there(table, building, mode):
    table.move("seat/1/pad/0", "city/3/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(1, 2)
    assert breaking(table) == {"deliver": "R25"}
    assert table.position.buildings[-1].at == Hex(3, 0)


def test_a_platform_that_only_rests_on_a_wrong_hex_is_delivered_where_it_comes_to(table, building, mode):
    table.move("seat/1/pad/0", "city/3/0")
    table.move("city/3/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    assert shown(table) == {"deliver": ""}


def test_a_tower_too_low_counts_as_it_is(table, building, mode):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=12, steel=2, concrete=2, glass=0, judged=True)
    assert breaking(table) == {"deliver": "R18"}


def test_pieces_that_nobody_has_are_refused_in_every_mode(table, building, mode):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    with pytest.raises(ValueError, match="cannot have happened"):
        table.answer(height_mm=31, steel=40, concrete=0, glass=0, judged=True)
    assert table.umpire.questions


def test_a_player_who_keeps_more_than_fifteen_pieces_passes_the_bag(table, mode):
    for seat, to in ((1, 2), (2, 3), (3, 1)) * 3:
        for grams in (8.0, 9.0):
            table.draw(seat, grams)
            table.say(f"p{seat} take_pieces drawn=unknown:3")
        table.pass_bag(seat, to)
    table.confirmed.clear()
    assert table.position.players[0].pieces.total == 18
    assert breaking(table) == {}


def test_a_legal_story_is_believed_before_one_against_the_rules(table, deal, mode):
    table.move("supply/contract/public", "seat/2/card/0")  # before the bag is there
    table.lay(f"contract/{deal.columns[0][1]}", "supply/contract/public")
    table.pass_bag(1, 2)
    table.answer(which="nothing")  # of seat 1, who may have laid it on the wrong side
    assert [text.split()[1] for text in table.done()] == ["end_turn"]
    assert shown(table) == {"take_contract": ""}


def test_back_in_enforce_what_is_under_way_is_to_be_put_right_again(table, deal, mode):
    third_contract(table, deal)
    table.umpire.say(ModeChoice(mode="enforce", by="host"))
    table.confirmed += table.umpire.judge()
    assert not any("take_contract" in text for text in table.provisional())
    assert [one.rule for one in table.umpire.status().disagreements] == ["R8"]


def test_record_only_says_where_things_belong_and_no_rule(table, deal):
    table.umpire.say(ModeChoice(mode="record", by="host"))
    table.lay("contract/PU1", "city/3/0")
    table.umpire.say(ModeChoice(mode="enforce", by="host"))
    table.umpire.say(ModeChoice(mode="record", by="host"))
    assert {one.rule for one in table.umpire.status().disagreements} == {""}


def test_what_people_say_against_a_rule_is_believed(table, mode):
    for _ in range(3):
        table.say("p1 take_pieces announced=steel drawn=steel:1")
        table.draw(1, 3.0)
    table.pass_bag(1, 2)
    assert table.position.players[0].pieces.steel == 3
    assert breaking(table) == {"take_pieces": "R7"}
