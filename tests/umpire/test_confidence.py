"""How sure an act under way is: what speaks for it, and what makes it doubtful."""

import pytest

from citytable.table.fact import Fell, MassMoving, SensorFault, TagCame
from citytable.umpire.confidence import SAID, SAID_ANEW, SHARES, WEIGHED, WHOLE


def last(table):
    return table.umpire.provisional[-1].confidence


def round_the_table(table):
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)


def test_what_explains_a_quiet_table_whole_is_sure(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    assert last(table) == (WHOLE, ("tags",), ())


def test_what_only_a_scale_shows_is_less_sure(table):
    table.draw(1, 6.5)
    assert last(table) == (WEIGHED, ("weight",), ())
    assert WEIGHED < WHOLE


def test_what_was_said_is_surer_than_what_was_seen(table):
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    assert last(table).value == SAID > WHOLE
    assert last(table).grounds == ("said",)


def test_what_was_said_and_the_table_never_looked_like_is_less_sure(table):
    table.lift("seat/1/bag")
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    assert "new" in last(table).doubts
    assert last(table).value == SAID_ANEW < SAID


def test_a_card_in_the_hand_leaves_what_was_whole_before_nearly_as_sure(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    table.lift("supply/contract/industrial")
    assert last(table).doubts == ("differs",)
    assert last(table).value == pytest.approx(WHOLE * SHARES["differs"], abs=0.01)


def test_what_never_explained_the_whole_table_is_less_sure(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    assert last(table).doubts == ("differs", "new")
    assert last(table).value == pytest.approx(WHOLE * SHARES["differs"] * SHARES["new"], abs=0.01)


def test_of_two_contracts_that_fit_a_building_each_is_half_as_sure(table, building, deal):
    table.move("seat/1/pad/0", "city/1/0")
    alone = last(table).value
    table.move("city/1/0", "seat/1/pad/0")
    table.take_contract(1, *deal.columns[0][1:3])
    round_the_table(table)
    table.move("seat/1/pad/0", "city/1/0")
    assert "others" in last(table).doubts
    assert last(table).value == pytest.approx(alone / 2, abs=0.01)
    table.lift(table.where("contract/PU1"))
    assert last(table) == (WHOLE, ("tags",), ()), "the one that was turned over"


def test_a_card_that_left_its_column_and_lies_nowhere_may_be_on_its_way_to_a_slot(table, deal):
    top, below = deal.columns[0][:2]
    table.lift("supply/contract/public")
    table.lay(f"contract/{below}", "supply/contract/public")
    assert table.provisional() == ["p1 reorganise column=public"]
    assert last(table) == (pytest.approx(WHOLE * SHARES["hand"], abs=0.01), ("tags",), ("hand",))
    table.lay(f"contract/{top}", "seat/1/card/0")
    assert table.provisional() == [f"p1 take_contract contract={top}"]
    assert last(table) == (WHOLE, ("tags",), ())


def test_a_scale_that_moves_makes_doubtful_what_shows_on_it(table, deal):
    table.draw(1, 6.5)
    table.umpire.feed([MassMoving(t_us=table.t_us, spot="seat/1/bag")])
    assert last(table).doubts == ("moving",)
    table.umpire.feed([MassMoving(t_us=table.t_us, spot="city/1/0")])
    table.weigh("seat/1/bag", table.bag_g)
    assert last(table).doubts == (), "the city has nothing to do with it"


def test_what_nobody_reads_makes_doubtful_what_would_show_there(table, deal):
    broken = SensorFault(t_us=table.t_us, spot="supply/contract/public", sensor="reader", what="no answer", on=True)
    table.umpire.feed([broken])
    table.lay(f"contract/{deal.columns[0][0]}", "seat/1/card/0")
    assert "unread" in last(table).doubts
    assert last(table).value < WHOLE


def test_nothing_is_surer_than_what_the_sense_says_of_itself(table, deal):
    top, below = deal.columns[0][:2]
    table.take_contract(1, top, below)
    listed = TagCame(t_us=table.t_us, spot="seat/1/card/0", uid=top, thing=f"contract/{top}", confidence=0.6)
    table.umpire.feed([listed])
    assert last(table).value == pytest.approx(0.6 * WHOLE, abs=0.01)


def test_a_fall_is_as_sure_as_it_was_felt(table, delivered):
    table.umpire.feed([Fell(t_us=table.t_us, spot="city/1/0", lost_g=60.0, stage="confirmed", confidence=0.8)])
    table.umpire.judge()
    fell = table.umpire.provisional[-1]
    assert fell.action.startswith("table building_fell")
    assert fell.confidence.grounds[0] == "fell"
    assert fell.confidence.value <= 0.8
