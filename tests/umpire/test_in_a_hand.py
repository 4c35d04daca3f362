"""A thing in a hand is a state like others: nothing is confirmed that depends on where it goes."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES
from citytable.games.megacity.spots import contract_column, landmark, supply_platform

pytestmark = pytest.mark.long(4)

TAKE, REORGANISE = "p1 take_contract contract={top}", "p1 reorganise column=public"


def lift_top(table, deal):
    top, below = deal.columns[0][:2]
    table.lift("supply/contract/public")
    table.lay(f"contract/{below}", "supply/contract/public")
    return top


def done(table):
    return [one.split()[1] for one in table.done()]


def test_a_card_that_is_held_while_the_bag_passes_confirms_nothing(table, deal):
    """A card lifted and held was confirmed as a reorganised column, and its player accused of breaking R8."""
    top = lift_top(table, deal)
    table.pass_bag(1, 2)
    assert done(table) == []
    assert table.umpire.questions == (), "a hand may still lay it down"
    table.lay(f"contract/{top}", "seat/1/card/0")
    assert done(table) == ["take_contract", "end_turn"]


def test_a_card_that_is_held_is_asked_about_though_nothing_else_is_sensed(table, deal):
    """Until something moved somewhere, a table that lay still was never looked at again (B 84019)."""
    lift_top(table, deal)
    table.pass_bag(1, 2)
    table.wait(1)
    assert table.umpire.questions == ()
    table.wait(9)
    (question,) = table.umpire.questions
    assert TAKE.format(top=deal.columns[0][0]) in question.fields[0].choices
    assert not table.umpire.looks_again_us


def test_the_last_card_of_a_column_that_is_held_while_the_bag_passes_confirms_nothing(table, deal):
    """Somebody who looked for what lay below it had taken it, as their player's second act (B 70002)."""
    last = deal.columns[0][-1]
    columns = ((last,), *table.position.columns[1:])
    table.lift("supply/contract/public")
    table.umpire.put_right(replace(table.position, columns=columns), restoring=False)
    table.lay(f"contract/{last}", "supply/contract/public")
    table.lift("supply/contract/public")
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    assert done(table) == []
    table.t_us += 9_000_000
    table.weigh("seat/2/pad/0", 0.1)
    (question,) = table.umpire.questions
    assert question.fields[0].choices == (TAKE.format(top=last), "nothing")


def test_a_card_that_its_player_reads_when_they_have_passed_the_bag_was_taken(table, building, deal):
    """It had lain in their slot when the turn was over. That the next player reorganised the column fitted as well, and
    a delivered contract that lay in its slot yet kept the table from being looked at (A 33001).
    """
    number = building.split("/")[1]
    table.move("seat/1/pad/0", "city/1/0")
    built = "height=31mm pieces=steel:4 judged=yes"
    table.say(f"p1 deliver contract=PU1 platform={number} at=1/0 stood=yes {built}")
    table.pass_bag(1, 2)
    assert done(table)[-1] == "end_turn"
    top, below = deal.columns[1][:2]
    table.take_contract(2, top, below)
    spot = table.where(next(one for one in table.lying.values() if one.startswith("platform/") and one != building))
    table.move(spot, "seat/2/pad/0")
    table.lay("platform/23/residential", spot)
    table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    table.lay("bag", "seat/3/bag")
    table.lift("seat/2/card/0")
    table.weigh("seat/3/bag", table.bag_g)
    table.lay(f"contract/{top}", "seat/2/card/0")
    assert sorted(done(table)[-3:]) == ["end_turn", "take_contract", "take_platform"]


@pytest.mark.parametrize(("said", "acts"), [(TAKE, ["take_contract"]), (REORGANISE, ["reorganise"]), ("nothing", [])])
def test_what_was_done_with_a_card_that_stays_in_a_hand_is_asked_once(table, deal, said, acts):
    top = lift_top(table, deal)
    table.t_us += 9_000_000
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    assert (question.prompt, question.seat) == ("besides", 1)
    assert question.fields[0].choices == (REORGANISE, TAKE.format(top=top), "nothing")
    table.answer(which=said.format(top=top))
    assert done(table) == [*acts, "end_turn"]
    assert table.umpire.status().agrees
    if said == TAKE:
        table.lay(f"contract/{top}", "seat/1/card/0")
    if said == "nothing":
        table.lift("supply/contract/public")
        table.lay(f"contract/{top}", "supply/contract/public")
    assert table.umpire.status().agrees


def test_turns_before_it_are_not_held_up(table, deal):
    table.draw(1, 6.0)
    table.draw(1, 7.0)
    table.pass_bag(1, 2)
    lift_top(table, deal)
    table.pass_bag(2, 3)
    assert done(table) == ["take_pieces", "take_pieces", "end_turn"]


def test_own_contracts_in_the_hand_hold_nobody_up(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    card = table.lift("seat/1/card/0")
    for seat, to in ((2, 3), (3, 1), (1, 2)):
        table.draw(seat, 6.0)
        table.draw(seat, 7.0)
        table.pass_bag(seat, to)
        assert table.umpire.status().agrees, "a card in a hand is no alarm"
    assert done(table)[2:] == ["take_pieces", "take_pieces", "end_turn"] * 3
    table.lay(card, "seat/1/card/2")
    assert table.umpire.status().agrees


def test_own_contracts_on_a_pad_hold_nobody_up_and_break_no_rule(table, deal):
    """Somebody laid their card on their platform, and no turn of anybody was confirmed any more (B 64007)."""
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    table.move(table.where(f"contract/{deal.columns[0][0]}"), "seat/1/pad/2")
    table.draw(2, 8.5)
    table.take_contract(2, *deal.columns[1][:2])
    table.pass_bag(2, 3, drew=1)
    assert sorted(done(table)[-3:]) == ["end_turn", "take_contract", "take_pieces"]
    assert [one.kind for one in table.umpire.status().disagreements] == ["unexpected"]


def test_a_card_that_was_just_taken_and_lies_on_a_pad_is_not_theirs_yet(table, deal):
    """It may have been somebody else's: they lay it there for the moment."""
    column = table.where(f"contract/{deal.columns[0][0]}")
    table.move(column, "seat/1/pad/2")
    table.lay(f"contract/{deal.columns[0][1]}", column)
    table.pass_bag(1, 2)
    assert done(table) == []


@pytest.fixture
def turned(table, deal):
    """Seat 3 looks at the other side of a tile of the supply; gives its spot and both sides."""
    face, spot = deal.supply[0], supply_platform(0)
    back = next(side for side in HOUSE.platforms[face.platform] if side != face.up)
    table.lift(spot)
    table.lay(f"platform/{face.platform}/{back}", spot)
    return spot, table.lying[spot]


def test_a_tile_of_the_supply_that_somebody_turns_over_holds_nobody_up(table, deal, turned):
    """No act turns it over. What it hides is to be put right all the same (B 64007)."""
    table.take_contract(1, *deal.columns[0][:2])
    table.draw(1, 8.5)
    table.pass_bag(1, 2, drew=1)
    assert sorted(done(table)) == ["end_turn", "take_contract", "take_pieces"]
    wrong = {(one.kind, one.thing) for one in table.umpire.status().disagreements}
    assert ("unexpected", turned[1]) in wrong


def test_nor_does_it_when_it_is_taken_like_that(table, turned):
    """Whoever takes it has it with that side up: they took it, and rezoned it."""
    table.move(turned[0], "seat/1/pad/0")
    table.lay("platform/20/industrial", turned[0])
    assert [one.action.split()[1] for one in table.umpire.provisional] == ["take_platform", "rezone"]


def test_a_landmark_that_left_its_place_and_lies_nowhere_is_waited_for(table, deal):
    """People may lay landmarks out late, so one that was taken as the bag was passed was never missed (A 61015)."""
    slot, card = landmark(0), "contract/L-RE"
    for kind in TYPES:
        table.lift(contract_column(kind))
    there = replace(table.position, columns=((),) * len(TYPES), landmarks=("L-PU", "L-RE"), landmarks_open=True)
    table.umpire.put_right(there, restoring=False)
    table.lay(card, slot)
    table.draw(1, 8.5)
    table.lift(slot)
    table.pass_bag(1, 2, drew=1)
    assert done(table) == []
    table.lay(card, "seat/1/card/0")
    assert sorted(done(table)) == ["end_turn", "take_contract", "take_pieces"]


def test_what_the_next_players_draw_meanwhile_is_not_overlooked(table, deal):
    """13 and 15 g off their scales were confirmed as no draw while a card of seat 1 was in a hand."""
    table.take_contract(1, *deal.columns[0][:2])
    card = table.lift("seat/1/card/0")
    table.pass_bag(1, 2)
    table.draw(2, 6.0)
    table.draw(2, 7.0)
    table.pass_bag(2, 3)
    table.draw(3, 7.0)
    table.draw(3, 8.0)
    table.pass_bag(3, 1)
    table.lay(card, "seat/1/card/0")
    assert done(table) == ["take_contract", "end_turn", *["take_pieces", "take_pieces", "end_turn"] * 2]


def test_whose_draw_it_was_is_not_settled_while_a_card_may_be_in_a_hand(table, deal):
    """With it taken seat 3 had no action left, and the draw was the next player's. It was only not read (A 71017)."""
    columns = (deal.columns[0][-2:], *table.position.columns[1:])
    table.lift("supply/contract/public")
    table.umpire.put_right(replace(table.position, columns=columns), restoring=False)
    top, last = columns[0]
    table.lay(f"contract/{top}", "supply/contract/public")
    for k in (1, 2):
        table.take_contract(1, *deal.columns[k][:2])
    table.pass_bag(1, 2)
    table.draw(2, 9.0)
    table.draw(2, 9.0)
    table.lift("supply/contract/public")
    table.pass_bag(2, 3)
    table.confirmed.clear()
    table.lay(f"contract/{top}", "seat/3/card/0")
    table.draw(3, 7.7)
    table.draw(3, 4.8)
    table.pass_bag(3, 1)
    table.t_us += 9_000_000
    table.weigh("seat/2/pad/0", 3.0)
    (question,) = table.umpire.questions
    assert question.fields[0].choices == (f"p3 take_contract contract={last}", "nothing")
    table.answer(which="nothing")
    assert [text for text in table.provisional() if "take_pieces" in text] == ["p3 take_pieces drawn=unknown:3"]
    table.tells("p3 take_pieces")
    assert done(table)[-3:] == ["take_contract", "take_pieces", "end_turn"]


def test_a_delivered_contract_that_lies_there_yet_holds_nobody_up(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    assert table.umpire.questions == (), "the tower may rest there on its way"
    table.pass_bag(1, 2)
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    assert done(table) == ["deliver", "end_turn"]
    table.pass_bag(2, 3)
    assert done(table) == ["deliver", "end_turn", "end_turn"]
    table.lift(table.where("contract/PU1"))
    assert table.umpire.status().agrees


def test_a_turn_whose_end_is_said_waits_for_the_bag(table):
    """The bag lay where it was: three turns were said to have passed, or the next player was left out."""
    table.draw(1, 6.0)
    table.draw(1, 7.0)
    table.say("p1 end_turn")
    assert done(table) == []
    table.pass_bag(1, 2)
    assert done(table) == ["take_pieces", "take_pieces", "end_turn"]
    assert table.position.player == 2


def test_what_is_drawn_while_an_earlier_turn_is_not_confirmed_yet_stays(table, building):
    """The first grab of two was forgotten with the turn before, and the other one taken for the whole draw."""
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.pass_bag(1, 2)
    table.draw(2, 7.0)
    table.draw(2, 8.5)
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(2, 3)
    assert done(table) == ["deliver", "end_turn", "take_pieces", "take_pieces", "end_turn"]


def test_of_two_players_none_is_skipped_who_says_so_and_then_hands_the_bag_on(table_of_two):
    """The bag still lay at the first seat, so both turns were said to have passed."""
    table = table_of_two
    before = table.done()
    for grams in (6.0, 7.0, 6.5):
        table.draw(1, grams)
    table.say("p1 end_turn")
    assert table.done() == before
    table.pass_bag(1, 2)
    assert done(table)[len(before) :] == ["take_pieces"] * 3 + ["end_turn"]
    assert table.position.player == 2


def test_a_card_that_is_lifted_when_a_turn_is_over_and_lies_nowhere_yet_is_no_act_of_that_turn(table, deal):
    """Somebody leafs through a column while a question about the turn before last is open. It was confirmed that the
    player of that turn took the card, which lay in its column again by then (strangers, 46021).
    """
    for grams in (14.8, 1.8, 4.1):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    table.take_contract(2, deal.columns[1][0], deal.columns[1][1])
    spot = next(spot for spot, thing in table.lying.items() if thing.startswith("platform/"))
    table.move(spot, "seat/2/pad/0")
    table.lay("platform/23/residential", spot)
    (question,) = table.umpire.questions
    assert question.prompt == "account"
    table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    top = lift_top(table, deal)
    table.lay("bag", "seat/3/bag")
    table.weigh("seat/3/bag", table.bag_g)
    assert [one.about for one in table.umpire.questions] == [question.about]
    table.lift("supply/contract/public")
    table.lay(f"contract/{top}", "supply/contract/public")
    table.answer(which=question.fields[0].choices[0])
    assert sorted(done(table)) == [
        "end_turn",
        "end_turn",
        "take_contract",
        "take_pieces",
        "take_pieces",
        "take_platform",
    ]


def test_such_a_card_counts_for_the_turn_once_it_lies_in_its_players_slot(table, deal):
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    top = lift_top(table, deal)
    table.lay(f"contract/{top}", "seat/1/card/0")
    assert any(one.startswith("p1 take_contract") for one in [*table.done(), *table.provisional()])


def test_what_lay_on_top_when_the_turn_passed_is_asked_about_though_the_next_player_lifts_it_at_once(table, deal):
    """The column looked as before, and nothing had been done to it (A 51043)."""
    top, below = deal.columns[0][:2]
    column = "supply/contract/public"
    table.lift(column)
    table.lay(f"contract/{below}", column)
    table.t_us += 9_000_000
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.lift(column)
    table.lay(f"contract/{top}", column)
    table.weigh("seat/2/bag", table.bag_g)
    assert table.done() == []
    assert [(one.prompt, one.fields[0].choices) for one in table.umpire.questions] == [
        ("besides", ("nothing", REORGANISE))
    ]
    table.answer(which=REORGANISE)
    assert table.done() == [REORGANISE, "p1 end_turn"]


def test_two_cards_of_which_the_lower_one_was_taken_first_were_reorganised_before(table_of_two):
    """They were told to have been taken the other way round, and the column to have lain still (A 91018)."""
    table = table_of_two
    column, cards = contract_column("public"), table.position.columns[0][:2]
    top, below = (f"contract/{card}" for card in cards)
    columns = (cards, *table.position.columns[1:])
    table.umpire.put_right(replace(table.position, columns=columns), restoring=False)
    table.untold = []
    table.lift(column)
    table.lay(below, column)
    table.lift(column)
    table.lay(top, column)
    table.lay(below, "seat/1/card/0")
    table.move(column, "seat/1/card/1")
    table.pass_bag(1, 2)
    table.umpire.feed(table.untold)
    acts = [one.text.split()[1] for one in table.umpire.judge()]
    assert acts == ["reorganise", "take_contract", "take_contract", "end_turn"]
