"""A story that has gone on: what was done later stays when something before it turns out to have been otherwise."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.spots import contract_column, supply_platform
from citytable.table import spot as spots
from citytable.umpire.mending import mended, without_undone
from citytable.umpire.node import Node, replayed

pytestmark = pytest.mark.long(3)

HEX = "city/1/0"
TILE_G = 16.0


@pytest.fixture
def city(table, delivered):
    """A building of 40 g stands in the city; it is seat 2's turn."""
    table.weigh(HEX, TILE_G + 40.0)
    table.pass_bag(1, 2)
    table.confirmed.clear()
    return table


def kinds(texts):
    return [" ".join(text.split()[:2]) for text in texts]


def mended_from(table, path):
    """The story mended, before anything is searched anew."""
    explainer = table.umpire._means.explainer_of(table.umpire._state)
    return mended(explainer, explainer.costs.seen(path), path)


def path_of(table, *texts):
    """The story in which these acts were done since what was confirmed."""
    game, path = table.umpire._means.game, table.umpire._state.path[:1]
    nodes = [Node(game.action(text), None, path[0].position, path[0].layout, ()) for text in texts]
    return replayed(game, path, tuple(nodes))


def test_what_was_done_since_a_fall_that_was_none_was_done(city, deal):
    """While the bag is in a lap nothing leads to what its players did, so none of it can be found again."""
    city.weigh(HEX, TILE_G + 31.0)
    city.take_contract(2, *deal.columns[1][:2])
    city.pass_bag(2, 3)
    city.draw(3, 9.0)
    city.lift(spots.bag(3))
    city.weigh(HEX, TILE_G + 39.9)
    assert kinds(city.provisional()) == ["p2 take_contract", "p2 end_turn", "p3 take_pieces"]


def test_a_card_that_was_taken_was_not_put_below_its_column(table, deal):
    """It is in a hand for a round, until it lies in its player's slot; a search does not reach so far back."""
    column = deal.columns[0]
    table.take_contract(1, *deal.columns[1][:2])
    card = table.lift(contract_column("public"))
    table.lay(f"contract/{column[1]}", contract_column("public"))
    table.pass_bag(1, 2)
    for seat, to in ((2, 3), (3, 1)):
        for grams in (9.0, 8.0):
            table.draw(seat, grams)
        table.pass_bag(seat, to)
    for grams in (9.0, 8.0):
        table.draw(1, grams)
    table.lay(card, table.free(1, "card"))
    table.pass_bag(1, 2)
    assert kinds(table.done())[:4] == ["p1 take_contract", "p1 take_contract", "p1 end_turn", "p2 take_pieces"]


def test_what_left_its_place_in_the_turn_before_was_done_in_that_turn(table, deal):
    """A card is gone from its column to somebody's hand; the story had that as the next player's, who reached ahead."""
    table.untold = []
    table.lift(contract_column("commercial"))
    table.lay(f"contract/{deal.columns[2][1]}", contract_column("commercial"))
    table.move(supply_platform(0), spots.pad(1, 0))
    table.lay("platform/20/industrial", supply_platform(0))
    table.t_us += 10_000_000
    table.pass_bag(1, 2)
    table.draw(2, 9.0)
    table.umpire.feed(table.untold)
    platform = next(iter(table.umpire.observed.at(spots.pad(1, 0)))).split("/")[1]
    path = path_of(
        table,
        f"p1 take_platform platform={platform} revealed=20/industrial",
        "p1 end_turn",
        "p2 reorganise column=commercial",
        "p2 take_pieces drawn=unknown:3",
    )
    *first, passed, drawn = kinds(str(node.action) for node in mended_from(table, path).path[1:])
    assert sorted(first) == ["p1 reorganise", "p1 take_platform"]  # in either order
    assert (passed, drawn) == ("p1 end_turn", "p2 take_pieces")


def test_a_card_that_comes_to_its_player_later_was_taken_in_their_turn_and_its_column_not_reorganised(table, deal):
    """A hand on the bag looked like a draw, so that nothing was left to take the card with."""
    column = deal.columns[3]
    table.untold = []
    table.draw(1, 5.2)
    table.take_contract(1, *deal.columns[1][:2])
    card = table.lift(contract_column("residential"))
    table.lay(f"contract/{column[1]}", contract_column("residential"))
    table.pass_bag(1, 2)
    table.lay(card, table.free(1, "card"))
    table.umpire.feed(table.untold)
    path = path_of(
        table,
        f"p1 take_contract contract={deal.columns[1][0]}",
        "p1 take_pieces drawn=unknown:3",
        "p1 end_turn",
        "p2 reorganise column=residential",
    )
    told = kinds(str(node.action) for node in mended_from(table, path).path[1:])
    assert told == ["p1 take_contract", "p1 take_contract", "p1 end_turn"]


def test_a_column_that_lies_as_before_was_looked_at_though_something_else_is_not_understood(table, deal):
    """Its first card was put below for a while, and a platform came to a hex that it may not lie on."""
    column = contract_column("public")
    first, second = (f"contract/{card}" for card in deal.columns[0][:2])
    table.lift(column)
    table.lay(second, column)
    table.lay("platform/20/industrial", "city/2/0")
    table.draw(1, 9.0)
    table.lift(column)
    table.lay(first, column)
    table.pass_bag(1, 2)
    assert kinds(table.provisional()) == ["p1 take_pieces", "p1 end_turn"]


def test_nothing_is_given_up_while_what_it_moved_is_in_a_hand(table):
    """A tile that was taken and is lifted again would be one of those swept away."""
    table.move(supply_platform(0), spots.pad(1, 0))
    table.lay("platform/20/industrial", supply_platform(0))
    for k in range(3):
        table.lift(supply_platform(k))
    for k, thing in enumerate(("platform/21/commercial", "platform/22/commercial", "platform/19/industrial")):
        table.lay(thing, supply_platform(k))
    path = table.umpire._state.path
    assert len(path) == 3
    table.lift(spots.pad(1, 0))
    assert mended_from(table, path).path == path


def test_a_bag_that_lies_again_where_it_was_tells_of_no_turn(table_of_two):
    table = table_of_two
    table.draw(1, 9.0)
    for seat, to in ((1, 2), (2, 1)):
        table.pass_bag(seat, to)
    assert kinds(table.provisional()) == ["p1 take_pieces"]


def test_what_people_say_the_next_player_drew_early_stays_said(table, deal):
    """Who answered that counts their acts by it: one more is too many, and no other act takes its place."""
    table.take_contract(1, *deal.columns[0][:2])
    for grams in (9.0, 8.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces", "p2 take_pieces")
    table.draw(2, 2.2)
    table.say("p2 take_pieces announced=steel drawn=steel:1")
    assert table.umpire.status().agrees
    table.take_contract(2, *deal.columns[1][:2])
    assert "refused" in {one.kind for one in table.umpire.status().disagreements}


def test_what_others_said_of_an_early_draw_and_its_player_reports_later_is_one_draw(table):
    """Their own word came after the answer, and was believed beside it (A 83011)."""
    for grams in (9.0, 8.0, 8.5):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces", "p1 take_pieces", "p2 take_pieces")
    table.say("p2 take_pieces drawn=unknown:3")
    assert [one for one in table.provisional() if "take_pieces" in one] == ["p2 take_pieces drawn=unknown:3"]


def test_steps_of_later_turns_stay_when_the_bag_has_gone_on(table, deal):
    """Two steps that are one draw or two, while the turn before waits for an answer."""
    for seat, to in ((1, 2), (2, 3)):
        table.take_contract(seat, *deal.columns[seat - 1][:2])
        for grams in (9.0, 8.0):
            table.draw(seat, grams)
        table.pass_bag(seat, to)
    table.lift(spots.bag(3))
    table.weigh(spots.bag(3), 0.0)
    table.tells("p1 take_pieces")
    table.lay("bag", spots.bag(1))
    table.weigh(spots.bag(1), table.bag_g)
    table.tells("p2 take_pieces", "p3 take_pieces")
    assert kinds(table.done())[-3:] == ["p2 take_contract", "p2 take_pieces", "p2 end_turn"]


def test_a_card_that_left_its_column_after_a_turn_was_not_taken_in_it(table, deal):
    """The first player had an action left, and their turn waits for an answer."""
    for grams in (9.0, -3.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    for grams in (9.0, 8.0):
        table.draw(2, grams)
    path = table.umpire._state.path
    table.untold = []
    table.lay(table.lift(contract_column("public")), table.free(1, "card"))
    table.lay(f"contract/{deal.columns[0][1]}", contract_column("public"))
    table.umpire.feed(table.untold)
    assert mended_from(table, path).path == path


def test_a_scale_that_comes_to_rest_after_the_turn_was_ended_by_word_belongs_to_that_turn(table, delivered):
    """The monument stood there when its player said that their turn was over; its scale tells a moment later."""
    table.weigh("city/0/0", 14.0)
    table.say("p1 end_turn")
    table.weigh("city/0/0", 16.9)
    table.pass_bag(1, 2)
    assert kinds(table.done()) == ["p1 deliver", "p1 place_central_park_monument", "p1 end_turn"]


def test_a_tile_that_came_up_unread_and_was_taken_a_round_later_is_the_one_that_had_come_up(table, deal):
    """Nobody saw it in the supply, where the next one lies since it was taken (B 56005)."""
    first, spot = deal.supply[0], supply_platform(0)
    table.move(spot, "seat/1/pad/0")
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        for grams in (8.0, 7.0)[seat == 1 :]:
            table.draw(seat, grams)
        table.pass_bag(seat, to)
    table.lay("platform/20/industrial", "seat/1/pad/1")
    table.lay("platform/21/residential", spot)
    story = [*table.done(), *table.provisional()]
    assert story[0] == f"p1 take_platform platform={first.platform} revealed=?"
    assert "table turn_up revealed=20/industrial" in story
    assert story[-1] == "p1 take_platform platform=20 revealed=21/residential"
    assert table.umpire.status().agrees


@pytest.mark.parametrize("early", [True, False])
def test_a_card_that_is_put_back_as_the_bag_goes_on_was_looked_at(table, building, deal, early):
    """They were told to have reorganised the column, and the next player to have done so once more (B 88006)."""
    number, side = building.split("/")[1:]
    column, (top, below) = contract_column("public"), (f"contract/{card}" for card in deal.columns[0][:2])
    columns = (deal.columns[0][:2], *table.position.columns[1:])
    table.umpire.put_right(replace(table.position, columns=columns), restoring=False)
    table.untold = []
    table.lift(column)
    table.lay(below, column)
    table.lift("seat/1/pad/0")
    table.lay(f"platform/{number}/{next(one for one in HOUSE.platforms[int(number)] if one != side)}", "seat/1/pad/0")
    table.lift("seat/1/bag")
    for puts_back in (early, not early):
        if puts_back:
            table.lift(column)
            table.lay(top, column)
        else:
            table.lay("bag", "seat/2/bag")
    table.umpire.feed(table.untold)
    acts = ["p1 reorganise column=public", f"p1 rezone platform={number}", "p1 end_turn", "p2 reorganise column=public"]
    explainer = table.umpire._means.explainer_of(table.umpire._state)
    told = without_undone(explainer, explainer.costs.seen(path_of(table, *acts)))
    assert [str(node.action) for node in told.path[1:]] == ([acts[1], acts[2]] if early else acts)
