"""R1-R6: the deal."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.entering import unread_copy, with_values
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Face, Options, Pieces
from citytable.rules.errors import IllegalAction, IllegalPosition, OutcomeOpen

DEAL_3 = (
    "table set_up columns=PU1,PU2,PU3,PU4|IN1,IN2,IN3,IN4|CO1,CO2,CO3|RE1,RE2,RE3"
    " supply=14/commercial,3/public,21/residential start=2 drawn=steel:1,unknown:1|none|glass:1"
)


@pytest.fixture
def fresh():
    return MegaCity(Options(players=3))


def changed(**fields):
    return replace(action_from_text(DEAL_3), **fields)


@pytest.mark.parametrize("players", [1, 5])
def test_r1_two_to_four_players(players):
    with pytest.raises(IllegalPosition, match="R1"):
        MegaCity(Options(players=players))


def test_r1_a_start_player_is_one_of_the_seats(table, fresh):
    assert table.refused(fresh, str(changed(start=4))) == "R1"
    assert table.do(fresh, DEAL_3).player == 2


def test_r2_the_deal_is_the_first_action_and_only_once(table, fresh):
    assert [str(action) for action in fresh.legal_actions] == ["table set_up"]
    assert table.refused(fresh, "p1 end_turn") == "R2"
    table.do(fresh, DEAL_3)
    assert table.refused(fresh, DEAL_3) == "R2"


@pytest.mark.parametrize(("players", "count"), [(2, 12), (3, 14), (4, 16)])
def test_r2_twelve_fourteen_or_sixteen_contracts_are_dealt(table, players, count):
    columns = table._columns(players, [])
    assert sum(map(len, columns)) == count
    drawn = tuple(Pieces(unknown=k) for k in range(players))
    deal = changed(columns=columns, start=1, drawn=drawn)
    table.do(MegaCity(Options(players=players)), str(deal))
    fewer = (columns[0][1:], *columns[1:])
    assert table.refused(MegaCity(Options(players=players)), str(replace(deal, columns=fewer))) == "R2"


def test_r2_fewer_than_two_of_a_type_is_dealt_again(table, fresh):
    columns = (
        ("PU1", "PU2", "PU3", "PU4", "PU5"),
        ("IN1", "IN2", "IN3", "IN4"),
        ("CO1",),
        ("RE1", "RE2", "RE3", "RE4"),
    )
    assert table.refused(fresh, str(changed(columns=columns))) == "R2"


@pytest.mark.parametrize("wrong", ["IN1", "L-PU", "XX1", "PU1"])
def test_r2_a_column_holds_each_card_of_its_type_once(table, fresh, wrong):
    columns = (("PU1", wrong, "PU3", "PU4"), ("IN5", "IN2", "IN3", "IN4"), ("CO1", "CO2", "CO3"), ("RE1", "RE2", "RE3"))
    assert table.refused(fresh, str(changed(columns=columns))) == "R2"


def test_r2_only_the_dealt_cards_are_in_the_game(table, fresh):
    position = table.do(fresh, DEAL_3)
    assert {len(column) for column in position.columns} == {3, 4}
    assert "PU5" not in str(position)


def test_a1_columns_keep_the_order_of_the_deal_with_the_first_on_top(table, fresh):
    columns = (("PU4", "PU2", "PU3", "PU1"), *changed().columns[1:])
    table.do(fresh, str(changed(columns=columns)))
    assert "contract=PU4" in table.decisions(fresh, "take_contract")
    assert "contract=PU1" not in table.decisions(fresh, "take_contract")


def test_r3_landmarks_stay_aside_at_the_deal(table, fresh):
    position = table.do(fresh, DEAL_3)
    assert position.landmarks == ()
    assert not position.landmarks_open


def test_r4_three_platforms_are_turned_up_and_twenty_one_stay_in_the_stack(table, fresh):
    position = table.do(fresh, DEAL_3)
    assert position.supply == (Face(3, "public"), Face(14, "commercial"), Face(21, "residential"))
    assert position.stack == (None,) * 21


@pytest.mark.parametrize(
    "supply",
    [
        (Face(3, "public"), Face(14, "commercial")),
        (Face(3, "public"), Face(3, "industrial"), Face(14, "commercial")),
        (Face(3, "residential"), Face(14, "commercial"), Face(21, "residential")),
        (Face(30, "public"), Face(14, "commercial"), Face(21, "residential")),
    ],
)
def test_r4_the_supply_is_three_different_platforms_of_the_deck(table, fresh, supply):
    assert table.refused(fresh, str(changed(supply=supply))) == "R4"


def test_r4_a_platform_that_nobody_has_entered_may_lie_with_any_side_up(table):
    """In an own box people call a platform by any number that is not entered: what it shows is what it shows."""
    unread, deal = unread_copy(HOUSE, "ours"), DEAL_3.replace("14/commercial", "14/public")
    assert "public" not in HOUSE.platforms[14]
    game = MegaCity(Options(players=3), unread)
    game.push(action_from_text(deal))
    assert Face(14, "public") in game.position.supply
    entered = with_values(unread, "platform/14", {"side_1": "industrial", "side_2": "public"})
    MegaCity(Options(players=3), entered).push(action_from_text(deal))
    other = with_values(unread, "platform/14", {"side_1": "industrial", "side_2": "commercial"})
    for deck in (other, HOUSE):
        with pytest.raises(IllegalAction) as refused:
            MegaCity(Options(players=3), deck).push(action_from_text(deal))
        assert refused.value.rule == "R4"


def test_r5_from_the_start_player_clockwise_each_draws_one_piece_more(table, fresh):
    position = table.do(fresh, DEAL_3)
    assert [player.pieces.total for player in position.players] == [2, 0, 1]
    assert position.bag == 147


@pytest.mark.parametrize("drawn", [(1, 0, 2), (2, 0), (2, 0, 1, 0)])
def test_r5_nobody_draws_another_number(table, fresh, drawn):
    pieces = tuple(Pieces(unknown=count) for count in drawn)
    assert table.refused(fresh, str(changed(drawn=pieces))) == "R5"


def test_r6_central_park_lies_alone_and_everybody_has_a_park_and_no_tokens(table, fresh, at):
    position = table.do(fresh, DEAL_3)
    assert [(park.at, park.owner, park.monument) for park in position.parks] == [(at("0/0"), None, None)]
    assert [(player.park, player.tokens) for player in position.players] == [(True, 0)] * 3
    assert position.tallest is None


def test_a_deal_with_something_untold_names_what_is_open(fresh):
    with pytest.raises(OutcomeOpen) as refusal:
        fresh.push(changed(supply=None, start=None))
    assert refusal.value.missing == ("supply", "start")
    assert changed(supply=None, start=None) in fresh.legal_actions
