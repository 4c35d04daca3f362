"""A turn that ends with actions left: players are asked what else they did where nothing would have shown it."""

import pytest

from citytable.games.megacity.actions import EndTurn, TakePlatform
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES
from citytable.games.megacity.spots import contract_column, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.umpire.node import Cue, Node, replayed, root
from citytable.umpire.short_turn import without_later
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(6)

DRAWN = "p1 take_pieces drawn=unknown:3"


def taken(here):
    """Seat 1 takes the public contract, and says nothing."""
    here.table.confirmed.clear()
    contract = here.table.lying[contract_column("public")]
    here.move(contract_column("public"), "seat/1/card/0")
    return f"p1 take_contract contract={contract.removeprefix('contract/')}"


def question(here):
    (asked,) = here.table.umpire.questions
    return asked


def test_they_are_asked_what_they_took_from_where_nobody_reads(starter):
    contract = taken(starter)
    spot, thing = starter.tile("public")
    starter.table.lying.pop(spot)
    starter.pass_bag(1, 2)
    asked = question(starter)
    assert (asked.prompt, asked.seat, asked.words["known"]) == ("besides", 1, contract)
    assert asked.fields[0].choices[0] == "nothing"
    number = thing.split("/")[1]
    way = next(one for one in asked.fields[0].choices if f"platform={number} " in one)
    starter.table.answer(which=way)
    starter.table.answer(**{"revealed/0": "platform/20/industrial"})
    if starter.table.umpire.questions:  # there is time for one more
        starter.table.answer(which="nothing")
    assert starter.table.done() == [
        contract,
        f"p1 take_platform platform={number} revealed=20/industrial",
        "p1 end_turn",
    ]
    starter.lay(thing, "seat/1/pad/0")  # which was in a lap
    assert starter.table.umpire.status().agrees


def test_that_they_did_nothing_else_is_believed(starter):
    contract = taken(starter)
    starter.end_turn(1, 2)
    assert starter.table.done() == [contract, "p1 end_turn"]


def test_what_is_laid_down_late_is_no_question(starter):
    contract = taken(starter)
    spot, thing = starter.tile("public")
    starter.table.lying.pop(spot)
    starter.pass_bag(1, 2)
    starter.lay(thing, "seat/1/pad/0")
    starter.table.answer(**{"revealed/0": "platform/20/industrial"})
    acts = [one.split()[1] for one in starter.table.provisional() or starter.table.done()]
    assert acts == ["take_contract", "take_platform", "end_turn"]
    assert starter.table.provisional()[0] == contract


def test_who_said_all_that_they_did_is_not_asked(starter):
    starter.table.say(taken(starter))
    starter.table.say("p1 end_turn")
    starter.pass_bag(1, 2)
    assert starter.table.umpire.questions == ()
    assert [one.split()[1] for one in starter.table.done()] == ["take_contract", "end_turn"]


def test_what_only_a_silent_station_would_have_read_nobody_had_to_say(starter):
    """Nobody says that they took a card: the slots read it, and were unplugged (passers-by 61001)."""
    table, (_, thing) = starter.table, starter.tile("public")
    spots = ("bag", *(f"{kind}/{k}" for kind in ("card", "pad") for k in range(3)))
    table.confirmed.clear()
    table.lying.pop(contract_column("public"))
    table.say(f"p1 take_platform platform={thing.split('/')[1]} revealed=20/industrial")
    starter.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.station("seat-1", tuple(f"seat/1/{one}" for one in spots), up=False)
    starter.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.answer(which="nothing")  # of the bag, which nobody weighed
    assert any(choice.startswith("p1 take_contract") for choice in question(starter).fields[0].choices)


def test_somebody_who_says_what_fell_did_not_say_what_the_player_did(starter, ready):
    """Seat 2 refreshed a supply that nobody reads while others reported a fall, and was offered all else (B 64012)."""
    table = starter.table
    starter.move("seat/1/pad/0", "city/1/0")
    table.say(f"p1 deliver contract={ready[0]} platform={ready[1]} at=1/0 stood=yes")
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    starter.end_turn(1, 2)
    table.say("table building_fell at=1/0 to_box=4 left=0")
    starter.pass_bag(2, 1)
    assert any(choice.startswith("p2 refresh") for choice in question(starter).fields[0].choices)


def test_who_said_their_draws_and_holds_a_card_is_asked(starter):
    """Readers would show the card, had they laid it down before they passed the bag (A 31011)."""
    column = contract_column("public")
    contract = starter.table.lying.pop(column)
    starter.table.confirmed.clear()
    starter.table.say("p1 take_pieces drawn=unknown:3")
    starter.table.say("p1 end_turn")
    starter.pass_bag(1, 2)
    assert question(starter).prompt == "besides"
    starter.table.answer(which=f"p1 take_contract contract={contract.split('/')[1]}")
    starter.lay(contract, "seat/1/card/0")
    starter.table.answer(which="nothing")
    assert sorted(one.split()[1] for one in starter.table.done()) == ["end_turn", "take_contract", "take_pieces"]


def test_where_all_is_read_nobody_is_asked(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "end_turn"]


@pytest.mark.parametrize("draws", [1, 2])
def test_a_bag_that_lost_as_much_as_two_draws_may_weigh_is_asked_about(table, draws):
    table.draw(1, 10.8)
    table.pass_bag(1, 2, drew=draws)
    assert [one.split()[1] for one in table.done()] == [*["take_pieces"] * draws, "end_turn"]
    assert table.umpire.status().agrees


def test_a_bag_that_lost_more_than_a_draw_can_weigh_was_drawn_from_twice(table):
    table.draw(1, 24.0)
    table.pass_bag(1, 2)
    assert table.umpire.questions == ()
    assert table.done() == [DRAWN, DRAWN, "p1 end_turn"]


def test_a_bag_that_lost_what_a_draw_weighs_may_have_been_drawn_from_twice(table):
    """Players hardly ever leave an action unused, and two draws of light pieces weigh no more."""
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    (asked,) = table.umpire.questions
    assert [one.count("take_pieces") for one in asked.fields[0].choices[:2]] == [2, 1]


def test_a_bag_that_lost_what_a_draw_weighs_was_drawn_from_once_where_all_else_is_done(table, deal):
    table.draw(1, 9.0)
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    assert sorted(one.split()[1] for one in table.done()) == ["end_turn", "take_contract", "take_pieces"]


def draws(here, seat, *grams):
    for each in grams:
        here.table.draw(seat, each)
        here.table.say(f"p{seat} take_pieces drawn=unknown:3")


def test_a_return_at_the_end_of_a_turn_is_no_act_so_that_one_may_have_come_before_it(starter):
    for grams in ((9.0, 8.8, 8.9), (8.7, 9.1)):
        draws(starter, 1, *grams)
        starter.table.t_us += 5_000_000
        starter.end_turn(1, 2)
        starter.table.say("p2 end_turn")
        starter.pass_bag(2, 1)
    draws(starter, 1, 8.8)
    starter.table.draw(1, -8.8)
    starter.table.say("p1 return_pieces returned=unknown:3")
    spot, thing = starter.tile("public")
    starter.table.lying.pop(spot)
    starter.pass_bag(1, 2)
    asked = question(starter)
    assert asked.prompt == "besides"
    starter.table.answer(which=f"p1 take_platform platform={thing.split('/')[1]} revealed=?")
    starter.table.answer(**{"revealed/0": "platform/20/industrial"})
    starter.table.answer(which="nothing")
    acts = [one.split()[1] for one in starter.table.done()[-4:]]
    assert acts == ["take_pieces", "take_platform", "return_pieces", "end_turn"]


@pytest.mark.parametrize(("cue", "left"), [(False, 2), (True, 3)])
def test_a_platform_that_nobody_saw_taken_may_have_been_taken_in_an_earlier_turn(starter, cue, left):
    game = whole(MegaCityTable(HOUSE))
    passes, taking = EndTurn(player=1), TakePlatform(player=1, platform=1)
    path: tuple = (root(game, starter.table.position),)
    for act in (passes, EndTurn(player=2), taking):
        told = Node(act, Cue(act) if cue and act is taking else None, path[0].position, path[0].layout, ())
        path = replayed(game, path, (told,))
    kept = without_later(game, path, 1, taking)
    assert [node.action for node in kept[1:]] == [passes, EndTurn(player=2), path[3].action][:left]


def test_what_was_done_besides_is_asked_once_though_play_has_gone_on(starter):
    draws(starter, 1, 9.0)
    spot, thing = starter.tile("public")
    starter.table.lying.pop(spot)
    starter.lift("seat/1/bag")
    starter.weigh("seat/1/bag", 0.0)
    starter.table.bag_g -= 9.5
    starter.lay("bag", "seat/1/bag")
    starter.weigh("seat/1/bag", starter.table.bag_g)
    starter.pass_bag(1, 2)
    draws(starter, 2, 8.0)
    contract = starter.table.lying[contract_column("public")].removeprefix("contract/")
    starter.move(contract_column("public"), "seat/2/card/0")
    starter.table.say(f"p2 take_contract contract={contract}")
    starter.pass_bag(2, 1)
    starter.lay(thing, "seat/1/pad/0")
    starter.table.tells("p2 take_pieces")
    assert [one.prompt for one in starter.table.umpire.questions].count("besides") == 1


@pytest.mark.parametrize("whose", [1, 2])
def test_what_lies_on_the_neighbours_side_as_the_turn_passes_may_be_of_either_player(table, deal, whose):
    """They took it in their turn, and laid it down beside; it was told as fetched by the next one (passers-by, 5)."""
    table.take_contract(1, *deal.columns[0][:2])
    number = deal.supply[0].platform
    table.move(supply_platform(0), "seat/2/pad/0")
    table.lay("platform/20/industrial", supply_platform(0))
    table.pass_bag(1, 2)
    (asked,) = table.umpire.questions
    theirs = next(one for one in asked.fields[0].choices if f"platform={number}" in one)
    assert (asked.prompt, asked.seat, theirs.split()[0]) == ("besides", 1, "p1")
    table.answer(which=theirs if whose == 1 else "nothing")
    if whose == 1:
        assert not table.umpire.status().agrees, "it belongs on the other pad"
        table.move("seat/2/pad/0", "seat/1/pad/0")
    assert any(f"p{whose} take_platform platform={number}" in one for one in table.done() + table.provisional())
    assert table.umpire.status().agrees


def test_who_only_reports_that_their_turn_is_over_is_asked_what_was_seen_done_and_undone(table, building):
    """Nothing was said of what they had done twice, and with that word it was forgotten (C 973)."""
    number, side = building.split("/")[1:]
    back = next(one for one in HOUSE.platforms[int(number)] if one != side)
    for up in (back, side):
        table.lift("seat/1/pad/0")
        table.lay(f"platform/{number}/{up}", "seat/1/pad/0")
        table.t_us += 10_000_000
    table.pass_bag(1, 2)
    table.wait(20)
    table.say("p1 end_turn")
    (asked,) = table.umpire.questions
    assert (asked.prompt, asked.seat) == ("besides", 1)
    table.answer(which=f"p1 rezone platform={number} | p1 rezone platform={number}")
    assert table.done() == [f"p1 rezone platform={number}"] * 2 + ["p1 end_turn"]


def test_what_came_up_below_a_card_and_was_covered_since_is_in_no_hand(table, deal):
    """Who answered held the next card, too; seat 2 had put it below, and that was lost (passers-by 1207)."""
    top, below, third = deal.columns[0][:3]
    column = contract_column("public")
    table.move(column, "seat/2/card/0")
    table.lay(f"contract/{below}", column)
    table.draw(1, 3.0)
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    table.pass_bag(1, 2)
    table.lift(column)
    table.lay(f"contract/{third}", column)
    table.answer(which=f"p1 take_contract contract={top}")
    table.move("seat/2/card/0", "seat/1/card/0")
    assert f"p1 take_contract contract={top}" in table.done()
    assert table.provisional() == ["p2 reorganise column=public"]
    assert table.umpire.status().agrees


def test_what_changes_nothing_and_is_reported_again_later_may_have_been_done_twice(table_of_two):
    """Seat 2 reorganised a column of one card twice; the second report was lost, and it was not asked (1212)."""
    table = table_of_two
    k, (top, below) = next((k, column) for k, column in enumerate(table.position.columns) if len(column) == 2)
    table.take_contract(1, top, below)
    again = f"p1 reorganise column={TYPES[k]}"
    for _ in range(2):
        table.say(again)
        table.t_us += 6_000_000
        table.weigh("seat/2/pad/2", 3.0)
        table.weigh("seat/2/pad/2", 0.0)
    table.pass_bag(1, 2)
    (asked,) = table.umpire.questions
    assert (asked.prompt, asked.fields[0].choices[:2]) == ("besides", ("nothing", again))
    table.answer(which=again)
    assert table.done()[-3:] == [again, again, "p1 end_turn"]
