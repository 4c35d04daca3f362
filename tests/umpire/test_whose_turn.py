"""Whose act it was, where nothing but the moment tells: before the bag was passed or after it."""

import random
from contextlib import suppress

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import EndTurn, SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rehearsal.megacity.acts import public
from citytable.rules.errors import IllegalAction
from citytable.table import spot as spots
from citytable.table.plan import full_plan
from citytable.umpire.late import is_of_the_turn_before
from citytable.umpire.umpire import Umpire

pytestmark = pytest.mark.long(21)

NEW = ("platform/20/industrial", "platform/21/commercial", "platform/22/commercial")
REFRESH = "p1 refresh revealed=20/industrial,21/commercial,22/commercial"


def refresh(table, new=NEW):
    """All tiles of the supply go, others come."""
    for k in range(3):
        table.lift(f"supply/platform/{k}")
    for k, thing in enumerate(new):
        table.lay(thing, f"supply/platform/{k}")


def refresh_while_the_bag_goes(table, new):
    """The tiles go while it lies at seat 1, and when others have come it is already gone."""
    for k in range(3):
        table.lift(f"supply/platform/{k}")
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    for k, thing in enumerate(new):
        table.lay(thing, f"supply/platform/{k}")
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)


def test_tiles_turned_up_while_the_bag_lay_at_a_seat_were_turned_up_by_that_player(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    refresh(table)
    table.pass_bag(1, 2)
    assert table.umpire.questions == ()
    assert [one.split()[1] for one in table.done()] == ["take_contract", "refresh", "end_turn"]
    assert table.position.player == 2


def test_a_column_turned_before_the_bag_was_passed_was_turned_by_the_player_before(table, deal):
    table.move("supply/platform/0", "seat/1/pad/0")
    table.lay(NEW[0], "supply/platform/0")
    table.lift("supply/contract/public")
    table.lay(f"contract/{deal.columns[0][1]}", "supply/contract/public")
    table.t_us += 10_000_000
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    assert question.fields[0].choices[0] == "p1 reorganise column=public", "or the card is in a hand"
    table.answer(which="p1 reorganise column=public")
    assert [one.split()[1] for one in table.done()] == ["take_platform", "reorganise", "end_turn"]


def test_a_tile_that_filled_a_gap_before_all_were_changed_was_the_one_that_came_up(table):
    table.move("supply/platform/0", "seat/1/pad/0")
    table.lay("platform/19/industrial", "supply/platform/0")
    refresh(table)
    table.pass_bag(1, 2)
    assert table.umpire.questions == ()
    assert [one.split()[1] for one in table.done()] == ["take_platform", "refresh", "end_turn"]
    assert table.done()[0].endswith("revealed=19/industrial")


def test_whose_act_it_was_is_asked_where_the_table_showed_no_moment_before_the_bag_was_gone(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    refresh_while_the_bag_goes(table, NEW)
    (question,) = table.umpire.questions
    assert question.fields[0].choices == (REFRESH, "p1 end_turn")
    table.answer(which="p1 end_turn")
    assert table.done() == [f"p1 take_contract contract={deal.columns[0][0]}", "p1 end_turn"]


def test_what_was_read_before_the_bag_left_is_the_act_of_the_player_who_had_it_though_a_station_is_silent(table, deal):
    table.station("sector-1", ("city/1/0",), up=True)
    table.station("sector-1", ("city/1/0",), up=False)
    table.take_contract(1, *deal.columns[0][:2])
    refresh(table)
    table.pass_bag(1, 2)
    assert table.umpire.questions == ()
    assert table.done() == [f"p1 take_contract contract={deal.columns[0][0]}", REFRESH, "p1 end_turn"]


DRAWN = "p1 take_pieces drawn=unknown:3"
OTHERS = ("platform/20/industrial", "platform/21/commercial", "platform/23/residential")
TURNED_UP = "refresh revealed=20/industrial,21/commercial,23/residential"
STEPS_G = [(7.0, 7.0, 8.0), (6.98, 0.6, 7.07, 8.38), (7.0, 7.0, 8.0, 8.0)]


@pytest.mark.parametrize("steps_g", STEPS_G)
def test_what_was_seen_before_the_bag_was_passed_was_done_before_whatever_the_scale_makes_likelier(
    table_of_two, steps_g
):
    # soak, seed 29023 with 2 players: two draws weighed as much as three, and the tiles were the next player's
    table = table_of_two
    for seat in (1, 2):  # so that it is known what pieces weigh
        for grams in (8.0, 8.3):
            table.draw(seat, grams)
        table.pass_bag(seat, 3 - seat, drew=2)
    table.confirmed.clear()
    for grams in steps_g:
        table.draw(1, grams)
    refresh(table, OTHERS)
    table.pass_bag(1, 2)
    if table.umpire.questions:
        (question,) = table.umpire.questions
        assert question.prompt == "account"
        twice = [one for one in question.fields[0].choices if one.count("p1 take_pieces") == 2 and "p2" not in one]
        table.answer(which=twice[0])
    assert table.umpire.questions == ()
    assert sorted(one.split()[1] for one in table.done()) == ["end_turn", "refresh", "take_pieces", "take_pieces"]
    assert (table.provisional(), table.umpire.status().agrees) == ([], True)


@pytest.mark.parametrize(
    ("said", "done", "under_way"),
    [
        (f"p1 {TURNED_UP}", [DRAWN, DRAWN, f"p1 {TURNED_UP}", "p1 end_turn"], []),
        (DRAWN, [DRAWN, DRAWN, DRAWN, "p1 end_turn"], [f"p2 {TURNED_UP}"]),
    ],
)
def test_what_both_stories_have_is_named_and_it_is_asked_what_was_done_besides(table_of_two, said, done, under_way):
    table = table_of_two
    for grams in (8.0, 8.3, 7.9):
        table.draw(1, grams)
    refresh_while_the_bag_goes(table, OTHERS)
    (question,) = table.umpire.questions
    assert (question.prompt, question.words) == ("besides", {"known": " | ".join([DRAWN, DRAWN, "p1 end_turn"])})
    assert question.fields[0].choices == (DRAWN, f"p1 {TURNED_UP}")
    table.answer(which=said)
    if "refresh" in said:  # then three steps are two draws, or one of them is the next player's
        (question,) = table.umpire.questions
        table.answer(which=next(one for one in question.fields[0].choices if "p2" not in one))
    assert table.umpire.questions == ()
    assert sorted(one.split()[1] for one in table.done()[1:]) == sorted(one.split()[1] for one in done)
    assert (table.provisional(), table.umpire.status().agrees) == (under_way, True)


def test_who_says_again_that_their_turn_was_over_does_not_end_the_next_one(table_of_two):
    """The bag went to the other player and came back at once; it lies there yet."""
    table = table_of_two
    table.pass_bag(1, 2)
    table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    table.lay("bag", "seat/1/bag")
    table.weigh("seat/1/bag", table.bag_g - 5.0)  # somebody drew on the way, and the turn is asked about
    table.say("p1 end_turn")
    table.answer(which="nothing")
    table.lift("supply/platform/0")
    table.lay("platform/20/industrial", "supply/platform/0")
    assert table.done()[1:] == ["p1 end_turn", "p2 end_turn"]


def test_who_says_so_when_the_bag_has_just_come_back_means_the_turn_before(table_of_two):
    """Ten seconds had gone since they had passed it, so that the word ended a turn of one second (A 61009)."""
    table = table_of_two
    table.draw(1, 8.5)
    table.pass_bag(1, 2, drew=1)
    table.t_us += 3_500_000
    table.pass_bag(2, 1)
    umpire = table.umpire
    assert is_of_the_turn_before(umpire._means, umpire._state, EndTurn(player=1))
    table.t_us += 3_000_000
    table.weigh("seat/2/pad/0", 0.1)
    assert not is_of_the_turn_before(umpire._means, umpire._state, EndTurn(player=1)), "they may pass by now"


@pytest.mark.parametrize("draws", [0, 2], ids=["plays nothing", "plays all"])
def test_a_platform_that_left_before_the_bag_was_taken_by_the_player_who_had_it(table, draws):
    """Nobody filled the gap until the turn after the next, so that it looked like that player's (regulars, 12024)."""
    table.draw(1, 9.0)
    table.lift("supply/platform/0")
    table.t_us += 5_000_000
    for seat in (1, 2):
        for _ in range(draws * (seat - 1)):
            table.draw(2, 9.0)
            table.say("p2 take_pieces drawn=unknown:3")
        table.lift(f"seat/{seat}/bag")
        table.weigh(f"seat/{seat}/bag", 0.0)
        table.lay("bag", f"seat/{seat + 1}/bag")
        table.weigh(f"seat/{seat + 1}/bag", table.bag_g)
    table.lay(NEW[0], "supply/platform/0")
    story = [" ".join(text.split()[:2]) for text in (*table.done(), *table.provisional())]
    assert "p1 take_platform" in story


def test_late_words_of_two_players_end_no_turn_that_has_only_begun(table_of_two):
    """The bag went round at once, and both say then that their turn was over (strangers, 13007)."""
    table = table_of_two
    for seat in (1, 2, 1):
        table.pass_bag(seat, 3 - seat)
    for seat in (2, 1):
        with suppress(IllegalAction):
            table.say(f"p{seat} end_turn")
    assert table.done()[1:] == ["p1 end_turn", "p2 end_turn", "p1 end_turn"]
    assert table.provisional() == []


def draw_in_the_lap(table, grams):
    """The first player has the bag in their lap; it comes to the second one, and lies not still yet."""
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.bag_g -= grams
    table.lay("bag", "seat/2/bag")
    table.stir("seat/2/bag")


def test_what_a_player_says_just_after_they_passed_the_bag_is_of_their_turn(table):
    draw_in_the_lap(table, 13.5)
    table.say("p1 take_pieces drawn=unknown:3")
    table.weigh("seat/2/bag", table.bag_g)
    table.tells("p1 take_pieces")
    assert table.done() == ["p1 take_pieces drawn=unknown:3", "p1 take_pieces drawn=unknown:1-3", "p1 end_turn"]


def test_what_a_player_says_and_readers_show_was_done_whatever_a_hand_on_the_bag_looked_like(table, deal):
    table.draw(1, 5.2)
    table.take_contract(1, *deal.columns[1][:2])
    table.say(f"p1 take_contract contract={deal.columns[1][0]}")
    table.move(supply_platform(0), spots.pad(1, 0))
    table.lay("platform/20/industrial", supply_platform(0))
    platform = table.lying[spots.pad(1, 0)].split("/")[1]
    table.say(f"p1 take_platform platform={platform} revealed=20/industrial")
    assert [one.split()[1] for one in table.provisional()] == ["take_contract", "take_platform"]
    table.pass_bag(1, 2, drew=0)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_platform", "end_turn"]


def test_a_piece_that_a_player_announces_just_after_they_passed_the_bag_is_the_one_they_drew(table):
    draw_in_the_lap(table, 3.0)
    table.weigh("seat/2/bag", table.bag_g)
    table.say("p1 take_pieces announced=glass")
    assert [str(node.action) for node in table.umpire._state.path[1:]] == [
        "p1 take_pieces announced=glass drawn=glass:1",
        "p1 end_turn",
    ]


def test_long_after_the_bag_was_passed_a_word_of_the_player_before_is_refused(table):
    draw_in_the_lap(table, 13.5)
    table.t_us += 20_000_000
    table.stir("seat/2/bag")
    with pytest.raises(IllegalAction, match="R7"):
        table.say("p1 take_pieces drawn=unknown:3")


@pytest.fixture
def table_of_four(fact_table, lay_out):
    """Four players; the bag lies before the one who begins. Gives the table and the seats in order of their turns."""
    game = MegaCity(Options(players=4), HOUSE)
    table = fact_table(Umpire(MegaCityTable(HOUSE), game.position, full_plan("salon", 4, shared_spots(), ())))
    deal = public(Dealer(random.Random(2)).outcome(game, SetUp()))
    for seat in (1, 2, 3, 4):
        table.weigh(spots.bag(seat), 0.0)
    lay_out(table, deal)
    table.lay("central-park", "city/0/0")
    table.lay("bag", spots.bag(deal.start))
    table.weigh(spots.bag(deal.start), table.bag_g)
    table.say(str(deal))
    assert table.umpire.status().agrees
    table.confirmed.clear()
    return table, [(deal.start - 1 + k) % 4 + 1 for k in range(4)]


def test_what_left_a_bag_that_went_the_wrong_way_first_is_no_draw_of_a_later_turn(table_of_four):
    """It was laid before the last player, then before the second, who drew before it was weighed (B 48031)."""
    table, (first, second, third, last) = table_of_four
    table.lift(spots.bag(first))
    table.weigh(spots.bag(first), 0.0)
    table.lay("bag", spots.bag(last))
    table.weigh(spots.bag(last), table.bag_g)
    table.lift(spots.bag(last))
    table.weigh(spots.bag(last), 0.0)
    table.lay("bag", spots.bag(second))
    table.lift(spots.bag(second))
    table.bag_g -= 18.0
    table.lay("bag", spots.bag(third))
    table.weigh(spots.bag(third), table.bag_g)
    table.pass_bag(third, last)
    assert f"p{second} end_turn" not in table.done()


@pytest.fixture
def gone_on_at_once(table_of_four):
    """The bag was laid before the second player, and before the third a second later."""
    table, (first, second, third, _) = table_of_four
    table.lift(spots.bag(first))
    table.weigh(spots.bag(first), 0.0)
    table.lay("bag", spots.bag(second))
    table.move(spots.bag(second), spots.bag(third))
    table.weigh(spots.bag(third), table.bag_g)
    assert table.done() == [f"p{first} end_turn"]
    assert table.provisional() == [f"p{second} end_turn"]
    return table, second, third


def test_a_bag_that_was_laid_before_the_wrong_player_may_come_back(gone_on_at_once):
    """It came back after eight seconds; the turn was confirmed as one in which nothing was done (B 52043)."""
    table, second, third = gone_on_at_once
    table.lift(spots.bag(third))
    table.weigh(spots.bag(third), 0.0)
    table.lay("bag", spots.bag(second))
    table.weigh(spots.bag(second), table.bag_g)
    assert table.provisional() == []
    assert len(table.done()) == 1


def test_a_turn_of_a_moment_was_one_if_the_next_player_does_something(gone_on_at_once):
    table, second, third = gone_on_at_once
    table.draw(third, 9.0)
    assert table.done()[1:] == [f"p{second} end_turn"]


def test_what_comes_into_an_empty_bag_is_nothing_foreign_on_its_cradle(table_of_two):
    """The cradle counted as a place of single pieces, and was called 3 g too heavy once the bag had gone on (soak)."""
    table = table_of_two
    position = table.position
    table.umpire.put_right(replace(position, bag=0, box=position.box + position.bag), restoring=False)
    table.confirmed.clear()
    table.draw(1, -3.0)
    table.take_contract(1, *position.columns[1][:2])
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "end_turn"]
    assert table.umpire.status().agrees
