"""What the screens say of a choice that the player has: the effect of a severity, what the next shock hits."""

import pytest

from citytable.games.comeback.deck import EARLIER
from citytable.games.comeback.entering import label
from citytable.games.comeback.scene import scene
from citytable.languages import LANGUAGES
from citytable.table.spot import Spot

FIRST = EARLIER[0]
CITY = "R15 R13|G14 G13|C01 C02 C03|I01|R01 R02|G01"
STORM = {"phase": "disaster", "disaster": "hurricane", "action_points": 8}
QUAKE = {"phase": "disaster", "disaster": "earthquake", "action_points": 8}
BIRD = {"phase": "disaster", "disaster": "giant_bird", "action_points": 8}


def board_of(game, deck):
    return scene(game.position, game.position, (), deck).board


@pytest.mark.parametrize("level", range(8))
def test_the_effect_of_a_severity_is_what_it_then_does(table, level):
    game = table.game(CITY, **STORM)
    said = board_of(game, table.deck).severities[level]
    before = len(game.position.city)
    after = table.do(game, f"p1 severity level={level}")
    assert (said.level, said.lost) == (level, before - len(after.city))
    assert said.rubble == sum(there.rubble for there in after.city)
    assert said.cut == bool(after.broken_lines)


def test_some_severity_destroys_and_some_leaves_rubble(table):
    said = board_of(table.game(CITY, **STORM), table.deck).severities
    assert any(one.lost for one in said)
    assert any(one.rubble for one in said)
    assert not said[0].cut
    assert said[7].cut


def test_the_bird_eats_a_building_for_each_counter_and_no_more_than_there_are(table):
    game = table.game("R15|R13|C01", **BIRD)
    assert board_of(game, table.deck).severities == ()  # it has to land first
    table.do(game, "p1 trample at=1/4")
    assert [one.lost for one in board_of(game, table.deck).severities] == [0, 1, 2, 2, 2, 2, 2, 2]


def test_nothing_is_said_of_severities_once_one_is_chosen(table):
    game = table.game(CITY, **STORM)
    table.do(game, "p1 severity level=2")
    assert board_of(game, table.deck).severities == ()


def test_the_next_step_of_an_earthquake_is_shown_before_it_is_taken(table):
    game = table.game(CITY, **QUAKE)
    table.do(game, "p1 roll blue=3 white=4", "p1 target at=3/4")
    hit = board_of(game, table.deck).next_hit
    assert hit == ("grid/3/5",)
    after = table.do(game, "p1 shake")
    assert {Spot(f"grid/{there.at}") for there in after.city if there.rubble} == {"grid/3/4", *hit}


def test_a_bonus_says_what_its_helper_does_and_a_disaster_what_happens(table):
    game = table.game(CITY, helpers=("planning_commission",), **STORM)
    board = board_of(game, table.deck)
    assert set(board.happens) == set(LANGUAGES)
    assert board.bonuses[0].does["en"].startswith("You have three free discards")


def test_a_card_of_the_house_is_offered_by_its_name_too():
    assert label(FIRST, "R13")["en"].startswith("R13 High-rise: Residential")


def test_at_the_end_the_scene_lists_the_reasons_for_points(played):
    *_, (game, _) = played(1)
    shown = scene(game.position, game.position, (), FIRST)
    assert {line.reason for player in shown.players for line in player.lines} <= set(shown.reasons)
    assert shown.reasons == ("zone", "saved")
