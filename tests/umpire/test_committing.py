"""Commit points: when what was seen no longer dissolves, and when it still does."""

import pytest

from citytable.rules.errors import Unfitting
from citytable.table import spot as spots
from citytable.table.fact import SensorFault
from citytable.table.word import ModeChoice


def done(table):
    return [one.split()[1] for one in table.done()]


def deliver(table):
    table.move("seat/1/pad/0", "city/1/0")
    card = table.where("contract/PU1")
    table.lift(card)
    return card


def answer_form(table):
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)


def take(table, deal, seat, *columns):
    for k in columns:
        table.take_contract(seat, *deal.columns[k][:2])


class TestADelivery:
    def test_is_confirmed_when_its_contract_is_turned_over_and_people_have_said_how_it_came_out(self, table, building):
        deliver(table)
        assert done(table) == []
        answer_form(table)
        assert done(table) == ["deliver"]
        assert table.position.player == 1, "he may add something yet"

    def test_that_is_confirmed_is_not_withdrawn_by_taking_it_back(self, table, building):
        card = deliver(table)
        answer_form(table)
        table.lay("contract/PU1", card)
        table.move("city/1/0", "seat/1/pad/0")
        assert len(table.position.buildings) == 1
        assert {wrong.thing for wrong in table.umpire.status().disagreements} >= {building, "contract/PU1"}

    def test_that_is_confirmed_falls_as_a_building_of_the_city(self, table, building):
        deliver(table)
        answer_form(table)
        table.fall("city/1/0")
        assert table.umpire.questions[0].prompt == "building_fell"

    def test_waits_for_what_it_may_have_knocked_over(self, table, building):
        """A25: that fell before its bonuses, so it comes first in the record."""
        deliver(table)
        table.fall("city/0/0", "alert")
        answer_form(table)
        assert done(table) == []
        table.fall("city/0/0", "withdrawn")
        assert done(table) == ["deliver"]

    def test_of_which_the_silence_before_is_not_cleared_up_waits_for_the_end_of_the_turn(self, table, building):
        with table.silence():
            table.draw(1, 0.2)
        deliver(table)
        answer_form(table)
        assert done(table) == []


class TestATap:
    def test_confirms_what_is_under_way(self, table, deal):
        take(table, deal, 1, 0)
        table.approve(*table.provisional())
        assert done(table) == ["take_contract"]
        assert table.provisional() == []

    def test_confirms_no_more_than_was_tapped_on(self, table, deal):
        take(table, deal, 1, 0, 1)
        table.approve(table.provisional()[0])
        assert done(table) == ["take_contract"]
        assert len(table.provisional()) == 1

    def test_holds_when_things_are_put_back(self, table, deal):
        take(table, deal, 1, 0)
        table.approve(*table.provisional())
        table.lift("supply/contract/public")
        table.move("seat/1/card/0", "supply/contract/public")
        assert done(table) == ["take_contract"]
        assert not table.umpire.status().agrees

    def test_on_what_is_no_longer_under_way_is_refused(self, table, deal):
        take(table, deal, 1, 0)
        seen = table.provisional()
        table.draw(1, 6.0)
        with pytest.raises(Unfitting, match="check again"):
            table.approve("p1 take_pieces drawn=unknown:3", *seen)
        assert done(table) == []

    def test_while_the_table_differs_holds_and_waits_until_it_agrees(self, table, deal):
        take(table, deal, 1, 0)
        card = table.lift("supply/contract/industrial")
        table.approve(f"p1 take_contract contract={deal.columns[0][0]}")
        assert done(table) == []
        table.lay(card, "supply/contract/industrial")
        assert done(table) == ["take_contract"]

    def test_on_a_delivery_waits_for_its_form(self, table, building):
        deliver(table)
        table.approve(*table.provisional())
        assert done(table) == []
        answer_form(table)
        assert done(table) == ["deliver"]


def test_a_turn_whose_scales_rest_does_not_wait_for_the_next_turns(table, deal):
    """All of it waited for the last cradle, on which somebody had a hand (B 84011)."""
    table.untold = []
    for seat, columns in ((1, (0, 1)), (2, (2, 3))):
        for k in columns:
            table.take_contract(seat, *deal.columns[k][:2])
        table.pass_bag(seat, seat + 1)
    table.stir("seat/3/bag")
    table.umpire.feed(table.untold)
    table.untold = None
    table.confirmed += table.umpire.judge()
    assert [text.split()[0] for text in table.done()] == ["p1"] * 3
    table.weigh("seat/3/bag", table.bag_g)
    assert [text.split()[0] for text in table.done()] == ["p1"] * 3 + ["p2"] * 3


def test_a_bag_in_a_lap_is_not_passed_by_an_act_of_the_next_player(table, deal):
    """He may be too quick, and what is drawn in a lap is weighed later: the cradle shows whose it was."""
    take(table, deal, 1, 0)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    take(table, deal, 2, 2)
    assert done(table) == []
    table.bag_g -= 9.0
    table.lay("bag", "seat/1/bag")
    table.weigh("seat/1/bag", table.bag_g)
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces")
    assert [one.split()[1] for one in table.done()[1:]] == ["take_pieces", "end_turn"]


def test_nor_is_it_where_the_player_before_had_nothing_left_to_do(table, deal):
    """A draw from a lap is weighed later, and is his or that of the next player."""
    take(table, deal, 1, 0, 1)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    take(table, deal, 2, 2)
    assert done(table) == []
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    assert done(table) == ["take_contract", "take_contract", "end_turn"]
    assert [one.split()[1] for one in table.provisional()] == ["take_contract"]


class TestACradleThatNobodyReads:
    @pytest.fixture
    def table(self, table):
        broken = SensorFault(t_us=table.t_us, spot=spots.bag(2), sensor="reader", what="no answer", on=True)
        table.umpire.feed([broken])
        return table

    def lift(self, table):
        table.lift("seat/1/bag")
        table.weigh("seat/1/bag", 0.0)

    def test_proves_no_turn_passed_by_a_bag_that_only_left(self, table):
        self.lift(table)
        assert done(table) == []
        table.bag_g -= 6.0
        table.lay("bag", "seat/1/bag")
        table.weigh("seat/1/bag", table.bag_g)
        assert table.provisional() == ["p1 take_pieces drawn=unknown:3"]

    def test_is_made_up_for_by_the_next_player_where_the_one_before_had_nothing_left_to_do(self, table, deal):
        take(table, deal, 1, 0, 1)
        self.lift(table)
        assert done(table) == []
        take(table, deal, 2, 2)
        assert done(table) == ["take_contract", "take_contract", "end_turn"]

    def test_is_not_made_up_for_where_rules_hold_nobody_back(self, table, deal):
        table.umpire.say(ModeChoice(mode="advise", by="host"))
        take(table, deal, 1, 0, 1)
        self.lift(table)
        take(table, deal, 2, 2)
        assert done(table) == []

    def test_holds_nobody_up_when_the_bag_comes_to_light_again(self, table, deal):
        self.lift(table)
        take(table, deal, 2, 0)
        assert done(table) == []
        table.lay("bag", "seat/3/bag")
        table.weigh("seat/3/bag", table.bag_g)
        assert done(table) == ["end_turn", "take_contract", "end_turn"]

    def test_is_made_up_for_by_a_word(self, table):
        self.lift(table)
        table.say("p1 end_turn")
        assert done(table) == ["end_turn"]


def test_a_bag_that_is_lifted_again_does_not_take_back_that_it_was_passed(table, deal):
    """Evening 3020 of the regulars: a draw at the next cradle was unexplained as long as the turn had passed."""
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    table.lift("supply/platform/0")  # so that the table is not quite as it is told
    table.pass_bag(2, 3)
    table.draw(3, 0.9)
    table.lift("seat/3/bag")
    table.weigh("seat/3/bag", 0.0)
    table.lay("bag", "seat/1/bag")
    table.weigh("seat/1/bag", table.bag_g)
    assert [one.split()[1] for one in table.provisional()] == ["take_pieces", "end_turn", "end_turn", "end_turn"]


def test_a_park_tile_that_lay_on_a_pad_when_the_turn_passed_keeps_nothing_open(table, deal):
    """It was in somebody's way there. No act brings it there, and nobody was asked (strangers, 42003)."""
    table.lay("park/1", spots.pad(1, 1))
    table.take_contract(1, *deal.columns[0][:2])
    table.take_contract(1, *deal.columns[1][:2])
    table.pass_bag(1, 2)
    table.lift(spots.pad(1, 1))
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_contract", "end_turn"]
