"""A bag on its way from one player to the next: who drew from it before it lay on a cradle again."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import EndTurn
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rules.errors import IllegalAction
from citytable.umpire.node import Node, replayed
from citytable.umpire.passing import brought_back
from citytable.umpire.unfitting import Unfitting
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(6)

P2_TOO = "p2 take_pieces drawn=unknown:1-3"
BOTH_DREW = f"p1 take_pieces drawn=unknown:1-3 | {P2_TOO}"
P1_DREW, P2_DREW = ("p1 take_pieces drawn=unknown:3", "p2 take_pieces drawn=unknown:3")


def take(table, deal, seat, *columns):
    for k in columns:
        table.take_contract(seat, *deal.columns[k][:2])


def passed_by_a_lap(table, grams=9.0):
    """Seat 1 hands the bag over, and it is lighter when it lies on the cradle of seat 2."""
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.bag_g -= grams
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)


def passed_by_a_cradle_that_never_rests(table, grams, to):
    """Seat 1 hands the bag over, it lies at seat 2 for a moment, and it is lighter on the next cradle."""
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.stir("seat/2/bag")
    table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    table.bag_g -= grams
    table.lay("bag", f"seat/{to}/bag")
    table.weigh(f"seat/{to}/bag", table.bag_g)


def test_who_had_nothing_left_to_do_did_not_draw(table, deal):
    take(table, deal, 1, 0, 1)
    passed_by_a_lap(table)
    assert table.umpire.status().agrees
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_contract", "end_turn"]
    assert table.provisional() == [P2_DREW]
    take(table, deal, 2, 2)
    table.pass_bag(2, 3, drew=1)
    assert sorted(one.split()[1] for one in table.done()[3:]) == ["end_turn", "take_contract", "take_pieces"]


@pytest.mark.parametrize("who", [1, 2])
def test_where_both_may_have_drawn_they_are_asked(table, deal, who):
    take(table, deal, 1, 0)
    passed_by_a_lap(table)
    (question,) = table.umpire.questions
    (field,) = question.fields
    assert field.choices[0] == P1_DREW
    assert set(field.choices) == {P1_DREW, P2_DREW, BOTH_DREW, "nothing"}
    assert table.done() == []
    table.answer(which=(P1_DREW, P2_DREW)[who - 1])
    mine = [P1_DREW] if who == 1 else []
    assert table.done()[1:] == [*mine, "p1 end_turn"]
    assert table.provisional() == ([] if who == 1 else [P2_DREW])
    assert (table.umpire.questions, table.umpire.status().agrees) == ((), True)
    table.pass_bag(2, 3, drew=who - 1)
    assert table.done()[-1] == "p2 end_turn"


def test_both_may_have_drawn_while_the_bag_was_on_its_way(table, deal):
    """One chose a piece in their lap, which the other player's draw hides: the next scale shows one step."""
    take(table, deal, 1, 0)
    table.say("p1 take_pieces announced=concrete drawn=concrete:1")
    passed_by_a_lap(table, grams=10.4)
    (question,) = table.umpire.questions
    assert question.fields[0].choices == (P2_TOO, "nothing")
    table.answer(which=P2_TOO)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_pieces", "end_turn"]
    assert table.provisional() == [P2_TOO]
    assert table.umpire.status().agrees
    table.pass_bag(2, 3, drew=1)
    assert table.done()[3] == P2_TOO


def test_the_answer_that_both_drew_gives_each_their_pieces(table, deal):
    take(table, deal, 1, 0)
    passed_by_a_lap(table, grams=14.0)
    table.answer(which=BOTH_DREW)
    assert [one.split()[0] for one in table.done()] == ["p1", "p1", "p1"]
    assert table.provisional() == [P2_TOO]
    assert table.umpire.status().agrees


def test_a_bag_that_weighs_the_same_was_only_passed(table, deal):
    take(table, deal, 1, 0)
    passed_by_a_lap(table, grams=0.3)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "end_turn"]


def test_what_is_drawn_from_the_cradle_afterwards_is_a_draw_of_its_own(table, deal):
    take(table, deal, 1, 0, 1)
    passed_by_a_lap(table)
    table.draw(2, 9.0)
    assert table.provisional() == [P2_DREW, P2_DREW]
    table.pass_bag(2, 3)
    assert [one.split()[1] for one in table.done()[3:]] == ["take_pieces", "take_pieces", "end_turn"]


def test_who_drew_is_none_of_those_who_were_asked_about(table, deal):
    take(table, deal, 1, 0)
    passed_by_a_lap(table)
    with pytest.raises(Unfitting, match="p3 take_pieces"):
        table.answer(which="p3 take_pieces drawn=unknown:3")
    assert len(table.umpire.questions) == 1


def test_what_was_drawn_is_not_lost_with_a_bag_that_lay_on_its_cradle_unread(table, deal):
    # evening 1013 of the first family: the bag was put back beside its reader, lighter, and passed from there
    take(table, deal, 1, 0)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.bag_g -= 7.0
    for grams in (table.bag_g, 0.0):
        table.weigh("seat/1/bag", grams)
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    (question,) = table.umpire.questions
    assert {one.split()[0] for one in question.fields[0].choices} == {"p1", "p2", "nothing"}
    assert table.done() == []


@pytest.mark.parametrize("who", [2, 3])
def test_a_cradle_that_never_came_to_rest_may_have_been_drawn_from_too(table, deal, who):
    """Seat 1 has done all they can. The bag lies at seat 2 and goes on to seat 3 before it was weighed."""
    for seat in (2, 3):
        table.weigh(f"seat/{seat}/bag", 0.0)
    take(table, deal, 1, 0, 1)
    passed_by_a_cradle_that_never_rests(table, 9.0, to=3)
    table.tells(f"p{who} take_pieces")
    acts = [" ".join(one.split()[:2]) for one in (*table.done(), *table.provisional())]
    assert [one for one in acts if "take_pieces" in one] == [f"p{who} take_pieces"]
    assert table.umpire.status().agrees


def test_what_left_the_bag_in_a_lap_between_two_stays_at_one_cradle_is_no_later_turns(table_of_two):
    """Seat 2 drew with the bag on their knees, and seat 1 was to have drawn it when it came back (B 82004)."""
    table = table_of_two
    for column in table.position.columns[:3]:
        table.take_contract(1, *column[:2])
    passed_by_a_cradle_that_never_rests(table, 22.0, to=1)
    table.tells("p2 take_pieces", "p2 take_pieces")
    assert [" ".join(one.split()[:2]) for one in table.done()[-3:]] == [
        "p2 take_pieces",
        "p2 take_pieces",
        "p2 end_turn",
    ]
    assert table.provisional() == []
    assert table.umpire.status().agrees


def test_a_whole_turn_in_which_no_cradle_weighed_the_bag_is_asked_about_whatever_was_said_before(table, deal):
    """What seat 1 said they drew fitted well, and what seat 2 drew in their lap was left out (A 81020)."""
    take(table, deal, 1, 0)
    table.say("p1 take_pieces drawn=unknown:3")
    passed_by_a_cradle_that_never_rests(table, 6.0, to=3)
    (question,) = table.umpire.questions
    assert question.about == "p2 end_turn", "of seat 1 all is known"
    assert any(one.startswith("p2 take_pieces") for one in question.fields[0].choices)
    assert table.done() == []


def test_a_late_report_decides_who_drew_on_the_way(starter, deal):
    """It leaves seat 1 no action for a draw; the bag had gone on before they said so."""
    table = starter.table
    for k in (0, 1):
        starter.lay(f"contract/{deal.columns[k][0]}", f"seat/1/card/{k}")
    passed_by_a_lap(table)
    assert P1_DREW in table.provisional()
    table.say("p1 refresh revealed=4/public,5/public,6/public")
    assert [one.split()[1] for one in (*table.done(), *table.provisional())] == [
        *["set_up", "take_contract", "take_contract", "refresh", "end_turn", "take_pieces"]
    ]
    assert table.umpire.status().agrees


def test_a_bag_that_went_on_before_anybody_judged_passed_two_turns(table):
    """All is told at once, as after a network that was stalled: it lay at seat 2 for a moment."""
    table.untold = []
    table.lift("seat/1/bag")
    table.lay("bag", "seat/2/bag")
    table.lift("seat/2/bag")
    table.lay("bag", "seat/3/bag")
    table.umpire.feed(table.untold)
    table.untold = None
    table.weigh("seat/3/bag", table.bag_g)
    assert table.umpire.status().agrees
    assert [*table.done(), *table.provisional()] == ["p1 end_turn", "p2 end_turn"]


def test_a_bag_that_no_cradle_read_on_its_way_passed_no_turn(table):
    table.lift("seat/1/bag")
    table.lay("bag", "seat/3/bag")
    assert [*table.done(), *table.provisional()] == []


def test_what_the_next_player_says_while_the_bag_is_on_its_way_to_them_is_of_their_turn(table, deal):
    take(table, deal, 1, 0)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.say(P2_DREW)
    table.bag_g -= 9.0
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.tells("p2 take_pieces")
    assert [one.split()[1] for one in table.done()] == ["take_contract", "end_turn"]
    assert (table.provisional(), table.umpire.status().agrees) == ([P2_DREW], True)


@pytest.mark.parametrize(
    "word", ["p3 take_pieces drawn=unknown:3", "p2 return_pieces returned=unknown:1", "p2 end_turn"]
)
def test_what_could_not_be_of_the_next_players_turn_is_refused_while_the_bag_is_on_its_way(table, word):
    table.lift("seat/1/bag")
    with pytest.raises(IllegalAction):
        table.say(word)


def test_what_the_next_player_says_while_the_bag_lies_at_another_seat_is_refused(table):
    with pytest.raises(IllegalAction, match="R7"):
        table.say(P2_DREW)


def test_what_was_drawn_in_a_lap_and_given_back_in_part_is_asked_about(table, deal):
    """No act makes such a step, and the next player's draw explained it better than nothing (A 33005)."""
    for more in ("a draw", "a choice", "a contract"):
        table.draw(1, 8.9)
        if more == "a contract":
            take(table, deal, 1, 1)
        else:
            table.draw(1, 8.7 if more == "a draw" else 2.4)
        if more == "a choice":
            table.say("p1 take_pieces announced=steel drawn=steel:1")
        for seat, to in ((1, 2), (2, 3), (3, 1)):
            table.pass_bag(seat, to, drew={"a draw": 2}.get(more, 1) if seat == 1 else 0)
    take(table, deal, 1, 0)
    passed_by_a_lap(table, grams=4.0)
    (question,) = table.umpire.questions
    assert [len(one.split(" | ")) for one in question.fields[0].choices if "return_pieces" in one] == [2]
    assert table.done()[-1] == "p3 end_turn"
    table.draw(2, 9.0)
    assert question in table.umpire.questions, "what is done since answers nothing"


@pytest.mark.parametrize("acts", [1, 2])
def test_what_is_counted_and_put_back_was_nobodys_draw(table, deal, acts):
    """Seat 2 pours the bag out before they lay it down, and counts: what is missing at first comes back (B 52003)."""
    take(table, deal, 1, *range(acts))
    passed_by_a_lap(table, 20.0)
    table.draw(2, -19.8)
    assert table.umpire.questions == ()
    assert [one.split()[1] for one in table.done()] == ["take_contract"] * acts + ["end_turn"]
    assert (table.provisional(), table.umpire.status().agrees) == ([], True)


@pytest.mark.parametrize("acts", [1, 2])
def test_a_hand_on_the_bag_as_its_cradle_comes_to_rest_gave_and_took_nothing(table, deal, acts):
    """It let go when the scale had weighed the bag, which looked like a draw (B 82075)."""
    take(table, deal, 1, *range(acts))
    passed_by_a_lap(table, -7.7)
    table.t_us -= 700_000
    table.draw(2, 7.6)
    take(table, deal, 2, 2, 3)
    table.pass_bag(2, 3)
    assert table.umpire.questions == ()
    assert [one.split()[1] for one in table.done()] == [
        *["take_contract"] * acts,
        "end_turn",
        *["take_contract"] * 2,
        "end_turn",
    ]


def test_a_player_who_keeps_the_bag_in_their_lap_for_the_whole_turn_has_one(table, building, deal):
    """It came to seat 2 without lying at seat 1 before. Only what seat 1 did shows that it was their turn (C 959)."""
    for seat, to in ((1, 2), (2, 3)):
        table.pass_bag(seat, to)
    take(table, deal, 3, 1, 2)
    table.confirmed.clear()
    table.lift("seat/3/bag")
    table.weigh("seat/3/bag", 0.0)
    platform = building.split("/")[1]
    back = next(side for side in HOUSE.platforms[int(platform)] if side != building.split("/")[2])
    table.lift("seat/1/pad/0")
    table.lay(f"platform/{platform}/{back}", "seat/1/pad/0")
    table.say("p1 take_pieces announced=glass drawn=glass:1")
    table.bag_g -= 1.5
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.wait(8)
    (question,) = table.umpire.questions
    assert question.fields[0].choices[0] == "nothing", "a second piece, if any, was the next player's"
    table.answer(which="nothing")
    assert table.done()[2:] == [
        "p3 end_turn",
        f"p1 rezone platform={platform}",
        "p1 take_pieces announced=glass drawn=glass:1",
        "p1 end_turn",
    ]
    assert (table.provisional(), table.umpire.questions) == ([], ())


def test_a_hand_that_may_be_on_the_bag_holds_a_turn_up_for_a_moment_only(table, deal):
    """Nothing was confirmed while nothing else was sensed, and the umpire explained the table again all the time."""
    take(table, deal, 1, 0, 1)
    passed_by_a_lap(table, -7.7)
    assert table.done() == []
    table.wait(2)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_contract", "end_turn"]


def test_a_step_of_two_turns_of_which_no_scale_rested_is_asked_of_each_player(table, deal):
    """The second turn had an account with no step in it, and so nothing was drawn there (strangers, no habit: 13)."""
    take(table, deal, 1, 0, 1)
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    for seat in (2, 3):
        table.lay("bag", f"seat/{seat}/bag")
        table.stir(f"seat/{seat}/bag")
        table.lift(f"seat/{seat}/bag")
        table.weigh(f"seat/{seat}/bag", 0.0)
    table.bag_g -= 27.0
    table.lay("bag", "seat/1/bag")
    table.weigh("seat/1/bag", table.bag_g)
    asked = []
    while table.umpire.questions:
        (question,) = table.umpire.questions
        asked.append(question.about)
        table.tells(*[f"{question.about.split()[0]} take_pieces"] * 2)
    assert asked == ["p2 end_turn", "p3 end_turn"]
    acts = [one.split()[:2] for one in table.done()]
    assert (acts.count(["p2", "take_pieces"]), acts.count(["p3", "take_pieces"])) == (2, 2)


def test_who_had_the_bag_without_its_coming_to_rest_may_have_drawn_twice(table, deal):
    """All that was gone was one draw of theirs at most, and nobody was asked (strangers, no habit: 135)."""
    table.stir("seat/1/bag")
    passed_by_a_cradle_that_never_rests(table, 36.0, to=3)
    for player in ("p1", "p2"):
        assert [one.about for one in table.umpire.questions] == [f"{player} end_turn"]
        table.tells(*[f"{player} take_pieces"] * 2)
    assert [" ".join(one.split()[:2]) for one in table.done() + table.provisional()] == [
        "p1 take_pieces",
        "p1 take_pieces",
        "p1 end_turn",
        "p2 take_pieces",
        "p2 take_pieces",
        "p2 end_turn",
    ]


def test_who_had_a_hand_in_the_bag_before_it_came_to_rest_is_asked_what_of_it_was_theirs(table):
    """All that was gone was told of the two before, and they were asked for anything but a draw (strangers: 304)."""
    table.stir("seat/1/bag")
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    for seat in (2, 3):
        table.lay("bag", f"seat/{seat}/bag")
        for _ in range(4):
            table.stir(f"seat/{seat}/bag")
        if seat == 2:
            table.lift("seat/2/bag")
            table.weigh("seat/2/bag", 0.0)
    table.bag_g -= 48.0
    table.weigh("seat/3/bag", table.bag_g)
    for player in ("p1", "p2"):
        table.tells(*[f"{player} take_pieces"] * 2)
    table.pass_bag(3, 1)
    assert [(one.prompt, one.about) for one in table.umpire.questions] == [("account", "p3 end_turn")]
    table.tells("p3 take_pieces", "p3 take_pieces")
    assert [one.split()[:2] for one in table.done()].count(["p3", "take_pieces"]) == 2


def test_what_somebody_put_back_in_a_turn_that_no_cradle_weighed_is_offered(table):
    """They were only asked how often they had drawn, in the turn before theirs (strangers, tower nudged: 303)."""
    here = table.position
    players = (here.players[0], replace(here.players[1], pieces=Pieces(unknown=14)), here.players[2])
    held = sum(one.pieces.total for one in players)
    table.umpire.put_right(replace(here, players=players, bag=HOUSE.all_pieces - held), restoring=False)
    passed_by_a_cradle_that_never_rests(table, 8.0, to=3)
    table.tells()
    table.tells("p2 take_pieces", "p2 return_pieces")
    acts = [" ".join(one.split()[:2]) for one in table.done()]
    assert acts == ["p1 end_turn", "p2 take_pieces", "p2 return_pieces", "p2 end_turn"]


def test_who_lays_the_bag_on_a_neighbours_cradle_and_draws_drew_in_their_own_turn(table, deal):
    """The turn was confirmed without the draw: the step counted for the neighbour's cradle (B 90017)."""
    take(table, deal, 1, 0)
    for at, to, grams in ((1, 3, 0.0), (3, 1, 9.0)):
        table.lift(f"seat/{at}/bag")
        table.weigh(f"seat/{at}/bag", 0.0)
        table.bag_g -= grams
        table.lay("bag", f"seat/{to}/bag")
        table.weigh(f"seat/{to}/bag", table.bag_g)
    table.pass_bag(1, 2, drew=1)
    acts = [" ".join(one.split()[:2]) for one in (*table.done(), *table.provisional())]
    assert acts == ["p1 take_contract", "p1 take_pieces", "p1 end_turn"]


def test_a_turn_that_looked_like_a_bag_astray_at_first_keeps_what_was_done_on_its_way(table_of_two):
    """Seat 2 did nothing that readers show and sent the bag on; only later acts showed that (passers-by 1205)."""
    table = table_of_two
    top, below = next(column for column in table.position.columns if len(column) == 2)
    table.take_contract(1, top, below)
    table.move("supply/platform/0", "seat/1/pad/0")
    table.lay("platform/20/industrial", "supply/platform/0")
    table.draw(1, 2.2)
    table.draw(1, 10.6)
    table.pass_bag(1, 2)
    table.bag_g += 13.6
    table.pass_bag(2, 1)
    state, game = table.umpire._state, whole(MegaCityTable(HOUSE))
    assert [one.spot for one in state.observed.steps] == ["seat/1/bag"] * 3
    root = state.path[0]
    passes = (Node(EndTurn(player=seat), None, root.position, root.layout, ()) for seat in (1, 2))
    path = replayed(game, state.path, tuple(passes))
    assert [one.spot for one in brought_back(path, state.observed).steps] == ["seat/1/bag", "seat/1/bag", "seat/2/bag"]


def test_what_the_next_player_drew_on_the_way_is_of_their_turn_now_and_not_of_one_that_waits(starter):
    """Seat 1 was still asked about a turn of the round before, and that got the draw (strangers 98212)."""
    table = starter.table
    starter.pass_bag(1, 2)
    for kind in ("industrial", "commercial", "industrial"):
        table.say(f"p2 reorganise column={kind}")
        table.t_us += 6_000_000
    table.bag_g -= 10.6
    starter.pass_bag(2, 1)
    (step,) = table.umpire._state.observed.steps
    assert (step.spot, step.stay) == ("seat/1/bag", step.t_us - 2_000_000)
    assert [one.prompt for one in table.umpire.questions] == ["besides"]
    assert table.provisional()[-1] == "p1 take_pieces drawn=unknown:3"
