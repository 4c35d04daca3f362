"""What people are asked about a turn that is over: neither what they do next nor what they put back answers it."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.position import TYPES, Pieces
from citytable.games.megacity.spots import contract_column
from citytable.table.word import ModeChoice
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.waiting import kept_waiting

COMMERCIAL = contract_column("commercial")
KIND = TYPES.index("commercial")


def acts(table):
    return [" ".join(text.split()[:2]) for text in table.done()]


def under_way(table):
    return [" ".join(text.split()[:2]) for text in table.provisional()]


def choices(table):
    (question,) = (one for one in table.umpire.questions if one.prompt == "account")
    return question.fields[0].choices


@pytest.fixture
def accounted(table, deal):
    """Seat 1 took a platform, drew in two grabs, which may be two draws, and passed the bag: they are asked."""
    face = deal.supply[0]
    spot = table.where(f"platform/{face.platform}/{face.up}")
    table.move(spot, "seat/1/pad/0")
    table.lay("platform/20/industrial", spot)
    for grams in (4.0, 4.5):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    assert choices(table)
    table.supplied = spot
    return table


def test_what_the_player_fetches_when_their_turn_is_over_is_no_answer(table_of_two):
    """Two draws or three: the card that they took early was told in place of the third, and nobody was asked more."""
    for grams in (9.0, 8.0):
        table_of_two.draw(1, grams)
    table_of_two.pass_bag(1, 2)
    offered = choices(table_of_two)
    table_of_two.confirmed.clear()
    top = table_of_two.lift(COMMERCIAL)
    table_of_two.lay(table_of_two.umpire.position.columns[KIND][1].join(("contract/", "")), COMMERCIAL)
    table_of_two.lay(top, "seat/1/card/0")
    assert choices(table_of_two) == offered
    assert table_of_two.done() == []


def test_a_tile_that_was_turned_over_after_it_was_laid_is_confirmed_as_it_lies(accounted):
    accounted.lift(accounted.supplied)
    accounted.lay("platform/20/residential", accounted.supplied)
    accounted.tells("p1 take_pieces")
    assert "p1 take_platform platform=" in accounted.done()[0]
    assert accounted.done()[0].endswith("revealed=20/residential")


@pytest.fixture
def lifted(table, deal):
    """Seat 1 lifted the top contract of a column and passed the bag; they are asked whether it went below."""
    top, below = deal.columns[KIND][:2]
    table.lift(COMMERCIAL)
    table.lay(f"contract/{below}", COMMERCIAL)
    table.pass_bag(1, 2)
    table.t_us += 9_000_000
    table.weigh("seat/3/pad/0", 0.0)
    assert [one.prompt for one in table.umpire.questions] == ["besides"]
    return top, below


def test_a_card_that_lies_on_top_again_does_not_answer_whether_it_went_below(table, lifted):
    """Seat 1 put it below, and seat 2 has taken the one that lay on top since: it comes to their slot later."""
    top, below = lifted
    (question,) = table.umpire.questions
    table.move(COMMERCIAL, "nowhere")
    table.lay(f"contract/{top}", COMMERCIAL)
    assert table.umpire.questions == (question,)
    assert table.done() == []
    table.answer(which="p1 reorganise column=commercial")
    assert acts(table) == ["p1 reorganise", "p1 end_turn"]
    table.lay(f"contract/{below}", "seat/2/card/0")
    assert f"p2 take_contract contract={below}" in table.provisional()


def test_who_put_it_back_says_so(table, lifted):
    top, _ = lifted
    table.lift(COMMERCIAL)
    table.lay(f"contract/{top}", COMMERCIAL)
    table.answer(which="nothing")
    assert acts(table) == ["p1 end_turn"]
    assert table.umpire.status().agrees


def test_what_was_done_in_a_later_turn_is_not_named_as_done_besides(table, lifted, deal):
    for seat, to in ((2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.take_contract(1, *deal.columns[0][:2])
    table.umpire.say(ModeChoice(mode="advise", by="host"))
    table.confirmed += table.umpire.judge()
    (question,) = table.umpire.questions
    assert question.words["known"] == "p1 end_turn"


def test_all_that_a_player_may_have_done_is_offered_however_unlikely(table):
    """They rested a hand on the bag, drew twice meanwhile, and no weight of pieces comes near what the scale shows."""
    position = table.position
    first = replace(position.players[0], pieces=Pieces(unknown=10))
    table.umpire.put_right(replace(position, players=(first, *position.players[1:])), restoring=False)
    for grams in (-200.0, 170.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    offered = [[act.split()[1] for act in choice.split(" | ")] for choice in choices(table) if choice != "nothing"]
    assert ["take_pieces", "take_pieces", "return_pieces"] in offered
    table.tells("p1 take_pieces", "p1 take_pieces", "p1 return_pieces")
    assert table.done()[:2] == ["p1 take_pieces drawn=unknown:1-3"] * 2


def test_what_was_said_too_soon_and_counts_for_the_turn_that_waited_is_said_once(table, building):
    """A delivery that fell, said while the bag was in a hand, was told again in its player's next turn (A 47004)."""
    number = building.split("/")[1]
    fell = f"p1 deliver contract=PU1 platform={number} at=1/0 stood=no"
    for grams in (4.0, 4.5):
        table.draw(1, grams)
    table.lift("seat/1/bag")
    table.say(fell)
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.tells("p2 take_pieces")
    assert table.done() == [fell, "p1 end_turn"]
    for seat, to in ((2, 3), (3, 1)):
        table.pass_bag(seat, to)
    assert fell not in table.provisional()


def test_what_the_next_player_drew_is_answered_while_a_card_in_a_hand_is_asked_about(table, lifted, deal):
    """The answer to the second question was taken for one to the first, and refused for the whole game (A 53019)."""
    for kind in (0, 1):
        table.take_contract(2, *deal.columns[kind][:2])
    table.draw(2, 9.0)
    table.pass_bag(2, 3)
    assert {one.prompt for one in table.umpire.questions} == {"account", "besides"}
    table.tells("p3 take_pieces")
    assert [one.prompt for one in table.umpire.questions] == ["besides"]
    assert "p3 take_pieces" in under_way(table)


def test_what_was_done_with_a_card_is_asked_before_what_the_bag_lost_in_its_turn(table, deal):
    """Only one draw was offered, as the column was told to have been reorganised beside it (A 91017)."""
    table.draw(1, 19.4)
    table.lift(COMMERCIAL)
    table.lay(f"contract/{deal.columns[KIND][1]}", COMMERCIAL)
    table.t_us += 10_000_000
    table.pass_bag(1, 2)
    for kind in (0, 1):
        table.take_contract(2, *deal.columns[kind][:2])
    table.draw(2, 9.0)
    table.pass_bag(2, 3)
    assert [(one.prompt, one.about.split()[0]) for one in table.umpire.questions] == [("besides", "p1")]


def test_who_names_an_act_after_the_pieces_that_they_gave_back_did_it_before(table, deal):
    """Giving back ends what a player may do, and the phone's words came in another order (A 77003)."""
    position = table.position
    first = replace(position.players[0], pieces=Pieces(unknown=14))
    table.umpire.put_right(replace(position, players=(first, *position.players[1:])), restoring=False)
    table.draw(1, 8.7)
    table.say("p1 take_pieces drawn=unknown:3")
    table.draw(1, -6.0)
    table.say("p1 return_pieces returned=unknown:2")
    table.say(f"p1 take_contract contract={deal.columns[0][0]}")
    assert [one.split()[1] for one in table.provisional()] == ["take_pieces", "take_contract", "return_pieces"]


@pytest.mark.parametrize(("is_touched", "prompts"), [(True, ["account", "besides"]), (False, ["besides"])])
def test_the_account_of_a_later_turn_is_asked_while_the_bag_is_touched(accounted, is_touched, prompts):
    """Beside what an earlier turn waits for, it went with each hand in the bag: nobody could answer it (B 88007)."""
    asked = accounted.umpire._state
    other = replace(asked.questions[0], id="of an earlier turn", prompt="besides")
    asked = replace(asked, waiting=replace(asked.waiting, account=None, questions=(other,)))
    if is_touched:
        accounted.stir("seat/2/bag")
    now = replace(asked, observed=accounted.umpire.observed, account=None, questions=())
    assert [one.prompt for one in kept_waiting(accounted.umpire._means, now, asked).questions] == prompts


def test_what_a_hand_holds_is_asked_though_the_table_disagrees_otherwise(table, deal):
    """The question about the card went with each act of the next player, and came back (A 87009)."""
    table.lift(COMMERCIAL)
    table.lay(f"contract/{deal.columns[KIND][1]}", COMMERCIAL)
    table.pass_bag(1, 2)
    table.wait(10)
    asked = table.umpire._state
    differs = replace(asked, best=replace(asked.best, mismatch=2 * UNEXPLAINED), waiting=None)
    waits = kept_waiting(table.umpire._means, differs, asked)
    assert waits.waiting.questions == asked.questions
    touched = kept_waiting(table.umpire._means, replace(waits, lifted=None, questions=()), waits)
    assert touched.questions == asked.questions
