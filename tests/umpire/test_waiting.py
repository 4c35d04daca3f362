"""A turn that is over and lacks an answer waits for it by the table as it was, while people play on."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.spots import contract_column, shared_spots
from citytable.table.fact import TagCame
from citytable.table.plan import full_plan
from citytable.table.word import Answer, ModeChoice
from citytable.umpire.observed import Observed
from citytable.umpire.steps import Step
from citytable.umpire.waiting import _since as since_then
from citytable.umpire.weights import Weights

pytestmark = pytest.mark.long(4)


@pytest.fixture
def asked(starter):
    """Seat 1 took the public contract and passed the bag with actions left: they are asked what else they did."""
    starter.table.confirmed.clear()
    contract = starter.table.lying[contract_column("public")]
    starter.move(contract_column("public"), "seat/1/card/0")
    starter.pass_bag(1, 2)
    assert questions(starter) == ["besides"]
    starter.contract = contract
    return starter


def go_on(here):
    """Somebody lays down what nobody knows: the table as it is now is not understood."""
    here.table.lay("stranger", "seat/2/pad/0")
    assert not here.table.umpire.status().agrees


def questions(here):
    return [question.prompt for question in here.table.umpire.questions]


def done(here):
    return [f"p1 take_contract contract={here.contract.removeprefix('contract/')}", "p1 end_turn"]


def test_a_question_stays_while_something_else_is_in_a_hand(asked):
    go_on(asked)
    assert questions(asked) == ["besides"]


def test_its_answer_counts_though_the_table_has_gone_on(asked):
    go_on(asked)
    asked.table.answer(which="nothing")
    assert asked.table.done() == done(asked)
    assert questions(asked) == []
    asked.table.lift("seat/2/pad/0")
    assert asked.table.umpire.status().agrees


def test_what_is_answered_may_just_have_been_shown_to_be_so(starter):
    """Seat 1 laid the contract down and took it back; seat 2 takes it while seat 1 still answers (A 31006)."""
    table, contract = starter.table, starter.table.lying[contract_column("public")]
    starter.move(contract_column("public"), "seat/1/card/0")
    starter.lift("seat/1/card/0")
    table.t_us += 9_000_000  # a hand may lay it down yet
    starter.pass_bag(1, 2)
    assert questions(starter) == ["besides"]
    asked, t_us = table.umpire.questions[0].id, table.t_us + 1_000_000
    table.umpire.feed([TagCame(t_us=t_us, spot="seat/2/card/0", uid=contract, thing=contract)])
    table.umpire.say(Answer(question=asked, values={"which": "nothing"}, by="seat 1"))
    table.confirmed += table.umpire.judge()
    table.answer(which="nothing")  # nor was anything else done in a turn with an action left
    took = f"take_contract contract={contract.removeprefix('contract/')}"
    assert f"p1 {took}" not in table.done()
    assert table.provisional() == [f"p2 {took}"]


def test_what_was_done_since_is_not_lost(asked):
    column = contract_column("commercial")
    contract = asked.table.lying[column]
    asked.move(column, "seat/2/card/0")
    go_on(asked)
    asked.table.answer(which="nothing")
    assert asked.table.done() == done(asked)
    asked.table.lift("seat/2/pad/0")
    assert asked.table.provisional() == [f"p2 take_contract contract={contract.removeprefix('contract/')}"]


def test_a_draw_since_then_is_not_lost_either(asked):
    asked.weigh("seat/2/bag", asked.table.bag_g - 9.0)
    go_on(asked)
    asked.table.answer(which="nothing")
    assert asked.table.done() == done(asked)
    asked.table.lift("seat/2/pad/0")
    assert asked.table.provisional() == ["p2 take_pieces drawn=unknown:3"]


def test_another_act_that_people_name_is_believed_by_both(asked):
    go_on(asked)
    choices = asked.table.umpire.questions[0].fields[0].choices
    refresh = next(choice for choice in choices if "refresh" in choice)
    asked.table.answer(which=refresh)
    assert refresh in [*asked.table.provisional(), *asked.table.done()]
    assert asked.table.done() in ([], [*done(asked)[:1], refresh, "p1 end_turn"])


def test_a_record_that_was_corrected_leaves_nothing_waiting(asked):
    go_on(asked)
    asked.table.umpire.put_right(asked.table.umpire.position, restoring=True)
    asked.table.umpire.judge()
    assert questions(asked) == []


def test_a_wrong_answer_is_refused_and_changes_nothing(asked):
    go_on(asked)
    with pytest.raises(ValueError, match="p9"):
        asked.table.answer(which="p9 end_turn")
    assert questions(asked) == ["besides"]
    assert asked.table.done() == []


def test_a_table_in_another_mode_asks_anew(asked):
    go_on(asked)
    asked.table.umpire.say(ModeChoice(mode="advise", by="host"))
    asked.table.umpire.judge()
    asked.table.lift("seat/2/pad/0")
    assert questions(asked) == ["besides"]


def test_what_the_next_player_draws_is_not_asked_of_the_one_before(some):
    """Seat 1's draw came in parts, and they are asked about it; seat 2's draws are seat 2's."""
    here = some(full_plan("full", 2, shared_spots(), {}))
    for grams in (4.0, 4.5):
        here.table.bag_g -= grams
        here.weigh("seat/1/bag", here.table.bag_g)
    here.pass_bag(1, 2)
    first = [question.id for question in here.table.umpire.questions]
    for _ in range(2):
        here.table.bag_g -= 8.0
        here.weigh("seat/2/bag", here.table.bag_g)
    assert [question.id for question in here.table.umpire.questions] == first
    assert first


def step(no, spot, grams):
    return Step(no, no * 1_000_000, spot, grams)


def waited(before, since, after, foreign_g=()):
    """The table as it has gone on, after what waited was confirmed: it left these steps."""
    observed = Observed().with_steps((*before, *since))
    then = replace(Observed(), weights=Weights(last_step=before[-1].no))
    return since_then(observed, then, replace(Observed().with_steps(after), foreign_g=dict(foreign_g)), {})


def test_whose_a_step_is_stays_as_people_said_it():
    """They said it of the table as it was, and in the one that had gone on the step stayed where it was (A 19010)."""
    told = waited([step(1, "seat/1/bag", -4.3)], [step(2, "seat/2/bag", -4.6)], [step(1, "seat/2/bag", -4.3)])
    assert [one.spot for one in told.steps] == ["seat/2/bag", "seat/2/bag"]


def test_a_glass_that_is_gone_when_its_turn_is_confirmed_holds_nothing_up():
    """It lay on a park while a turn waited for an answer, and was taken away meanwhile (A 19009)."""
    gone = [step(2, "city/2/0", -13.9)]
    told = waited([step(1, "city/2/0", 13.1)], gone, [], {"city/2/0": 13.1}.items())
    assert [(one.grams, one.free) for one in told.steps] == [(-13.9, True)]


@pytest.mark.parametrize("did", ["p1 reorganise column=public", "p1 take_contract contract={top}"])
@pytest.mark.parametrize("has_time", [True, False])
def test_what_the_next_player_takes_does_not_say_what_became_of_what_lay_on_it(starter, deal, did, has_time):
    """Somebody reorganised the column, or its top card lies beside a slot: it was guessed (A 51047).

    Where seat 2 had time to reorganise it, what seat 1 answered was lost.
    """
    top, below = deal.columns[0][:2]
    starter.table.confirmed.clear()
    starter.pass_bag(1, 2)
    starter.lay(f"contract/{below}", "seat/2/card/0")
    if not has_time:
        starter.move(contract_column("industrial"), "seat/2/card/1")
    assert "besides" in questions(starter)
    assert starter.table.done() == []
    starter.table.answer(which=did.format(top=top))
    if starter.table.umpire.questions:
        starter.table.answer(which="nothing")
    assert starter.table.done() == [did.format(top=top), "p1 end_turn"]
    assert f"p2 take_contract contract={below}" in starter.table.provisional()


def passes_and_lifts(table):
    """Seat 1 passes the bag, and lifts their building before the next cradle has come to rest."""
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    building = table.lift("seat/1/pad/0")
    table.weigh("seat/2/bag", table.bag_g)
    return building


def test_what_is_lifted_when_a_turn_is_over_does_not_hold_it_up(table, building, deal):
    table.take_contract(1, *deal.columns[1][:2])
    table.draw(1, 7.0)
    passes_and_lifts(table)
    assert sorted(one.split()[1] for one in table.done()) == ["end_turn", "take_contract", "take_pieces"]
    assert [one.thing for one in table.umpire.status().disagreements] == [building]


def test_a_turn_is_asked_about_while_something_is_in_a_hand(table, building):
    for grams in (4.0, 4.5):
        table.draw(1, grams)
    building = passes_and_lifts(table)
    table.tells("p1 take_pieces")
    assert [one.split()[1] for one in table.done()] == ["take_pieces", "end_turn"]
    table.lay(building, "seat/1/pad/0")
    assert (table.provisional(), table.umpire.status().agrees) == ([], True)


def test_a_turn_confirmed_a_round_late_leaves_a_later_one_what_left_the_bag_in_it(table, deal):
    """The bag had come to seat 2 for the second time, and was not weighed there yet (A 87006)."""
    for grams in (9.0, -3.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    for seat, k in ((2, 0), (3, 1)):
        table.take_contract(seat, *deal.columns[k][:2])
        table.pass_bag(seat, seat % 3 + 1)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.bag_g -= 9.0
    table.stir("seat/2/bag")
    table.lay("bag", "seat/2/bag")
    table.tells("p1 take_pieces")
    table.weigh("seat/2/bag", table.bag_g)
    acts = [" ".join(one.split()[:2]) for one in table.done() + table.provisional()]
    assert acts[-2:] == ["p1 take_pieces", "p1 end_turn"]


def test_a_turn_confirmed_late_leaves_the_next_one_what_left_the_bag_in_it(table, deal):
    """The bag was on its way to the third player then, who was told to have drawn (strangers, no habit: 188)."""
    for grams in (9.0, -3.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    table.take_contract(2, *deal.columns[0][:2])
    table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    table.bag_g -= 9.0
    table.lay("bag", "seat/3/bag")
    table.tells("p1 take_pieces")
    table.weigh("seat/3/bag", table.bag_g)
    if table.umpire.questions:
        table.tells("p2 take_pieces")
    assert [" ".join(one.split()[:2]) for one in table.done()[2:] + table.provisional()] == [
        "p2 take_contract",
        "p2 take_pieces",
        "p2 end_turn",
    ]


def test_what_a_player_says_while_their_account_is_open_is_no_act_besides(table):
    """They were asked about one piece, said it on their phone, and answered: it was two draws (passers-by, 7)."""
    table.draw(1, 3.0)
    table.pass_bag(1, 2)
    (before,) = table.umpire.questions
    table.say("p1 take_pieces announced=glass drawn=glass:1")
    assert all(one.fields[0].choices != before.fields[0].choices for one in table.umpire.questions)
    while table.umpire.questions:
        table.answer(which="nothing")
    assert table.done() == ["p1 take_pieces announced=glass drawn=glass:1", "p1 end_turn"]
