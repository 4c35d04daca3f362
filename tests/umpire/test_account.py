"""The account of a turn: a scale that showed something odd, or that fits nothing, and things that are in a lap."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.spots import supply_platform
from citytable.table import spot as spots

pytestmark = pytest.mark.long(7)

DRAWN = "p1 take_pieces drawn=unknown:3"


def acts(table):
    return [" ".join(text.split()[:2]) for text in table.done()]


def test_a_bag_that_fits_nothing_does_not_hold_the_game_up(table):
    for _ in range(3):
        table.draw(1, 13.0)  # three draws are one too many
    assert [one.kind for one in table.umpire.status().disagreements] == ["mass"]
    table.pass_bag(1, 2)
    if table.umpire.questions:
        table.tells("p1 take_pieces", "p1 take_pieces", "p2 take_pieces")
    assert acts(table) == ["p1 take_pieces", "p1 take_pieces", "p1 end_turn"]
    assert table.umpire.status().agrees
    assert acts_under_way(table) == ["p2 take_pieces"]


def acts_under_way(table):
    return [" ".join(text.split()[:2]) for text in table.provisional()]


def test_what_was_answered_counts_although_the_next_player_has_gone_on(table, deal):
    for grams in (9.0, -3.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    table.take_contract(2, *deal.columns[0][:2])
    assert [one.id for one in table.umpire.questions] == [question.id]
    table.tells("p1 take_pieces")
    assert acts(table) == ["p1 take_pieces", "p1 end_turn"]
    assert acts_under_way(table) == ["p2 take_contract"]


def test_a_draw_that_an_account_found_is_not_drawn_again_by_the_player_who_reports_it(table):
    table.draw(1, 9.0)
    table.draw(1, -3.0)
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces")
    table.draw(2, 9.0)
    table.draw(2, 8.0)
    table.pass_bag(2, 3)
    assert acts(table) == ["p1 take_pieces", "p1 end_turn", "p2 take_pieces", "p2 take_pieces", "p2 end_turn"]


def test_a_platform_in_a_lap_is_not_missing(table, deal):
    table.take_contract(1, *deal.columns[0][:2])
    thing = table.lift(supply_platform(0))
    assert not table.umpire.status().agrees or table.provisional()
    table.lay("platform/20/industrial", supply_platform(0))
    table.pass_bag(1, 2)
    assert acts(table) == ["p1 take_contract", "p1 take_platform", "p1 end_turn"]
    assert table.umpire.status().agrees
    table.lay(thing, spots.pad(1, 0))
    assert (table.umpire.status().agrees, table.provisional()) == (True, [])


def test_what_lay_on_a_pad_once_is_missed_when_it_lies_nowhere(table, building):
    table.lift(spots.pad(1, 0))
    assert not table.umpire.status().agrees


def test_a_platform_that_was_taken_before_the_bag_was_passed_is_not_the_next_players(table, deal):
    """What left the bag on its way may be either player's; the platform in a lap says that it is the next one's."""
    table.take_contract(1, *deal.columns[0][:2])
    table.lift(supply_platform(0))
    table.lay("platform/20/industrial", supply_platform(0))
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.bag_g -= 8.5
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    while table.umpire.questions:
        (question,) = table.umpire.questions
        table.answer(which=next(one for one in question.fields[0].choices if "p2" in one))
    assert acts(table) == ["p1 take_contract", "p1 take_platform", "p1 end_turn"]
    assert acts_under_way(table) == ["p2 take_pieces"]


def test_what_the_next_player_felt_for_and_put_back_early_is_theirs(table, deal):
    """Evening 3011 of the regulars: two steps, both the next player's, before the bag was passed."""
    for column in (0, 1):
        table.take_contract(1, *deal.columns[column][:2])
    for grams in (15.9, -6.9):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    assert "p1" not in question.fields[0].choices[0], "the likeliest answer"
    table.answer(which=question.fields[0].choices[0])
    assert acts(table) == ["p1 take_contract", "p1 take_contract", "p1 end_turn"]
    assert acts_under_way(table) == ["p2 take_pieces"]


def test_what_was_said_may_be_what_was_drawn_early(table, deal):
    """Evening 3003 of the regulars: seat 2 drew before the bag was passed, and reported it after; it is one act."""
    for column in (0, 1):
        table.take_contract(1, *deal.columns[column][:2])
    table.draw(1, 8.6)
    table.pass_bag(1, 2)
    table.say("p2 take_pieces drawn=unknown:3")
    table.tells("p2 take_pieces")
    assert acts(table) == ["p1 take_contract", "p1 take_contract", "p1 end_turn"]
    assert acts_under_way(table) == ["p2 take_pieces"]
    table.take_contract(2, *deal.columns[2][:2])
    table.pass_bag(2, 3)
    assert sorted(acts(table)[3:]) == ["p2 end_turn", "p2 take_contract", "p2 take_pieces"]


def test_a_turn_before_the_one_that_is_asked_about_is_confirmed(table, deal):
    for column in (0, 1):
        table.take_contract(1, *deal.columns[column][:2])
    with_nothing = table.umpire.questions
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.draw(2, 9.0)
    table.pass_bag(2, 3)
    assert (with_nothing, [one.prompt for one in table.umpire.questions]) == ((), ["account"])
    assert acts(table) == ["p1 take_contract", "p1 take_contract", "p1 end_turn"]


def test_a_platform_that_lay_on_another_hex_first_is_not_in_a_lap(table, building):
    """Lost sector, 3 players, seed 402: nobody asked where it stood, once nobody read the next hex."""
    table.move("seat/1/pad/0", "city/1/0")
    table.lift("city/1/0")
    assert not table.umpire.status().agrees


def test_a_player_who_has_too_many_pieces_did_not_draw_what_their_bag_lost(table, deal):
    """They would have had to give some back, so the turn could not pass with a draw of theirs: the next one drew."""
    for turn in range(3):
        for _ in range(1 if turn == 2 else 2):
            table.draw(1, 9.0)
            table.say(DRAWN)
        if turn == 2:
            table.take_contract(1, *deal.columns[0][:2])
        table.pass_bag(1, 2)
        for seat, to in ((2, 3), (3, 1)):
            for grams in (9.0,) if turn == 2 else (9.0, 8.0):
                table.draw(seat, grams)
            if turn == 2:
                table.take_contract(seat, *deal.columns[seat - 1][:2])
            table.pass_bag(seat, to)
            if turn == 2:
                table.tells(f"p{seat} take_pieces")  # and nothing went back: they may hold sixteen by now
    assert table.position.players[0].pieces.total == 15
    table.draw(1, 4.6)
    table.pass_bag(1, 2)
    table.tells("p2 take_pieces")
    assert acts(table)[-1] == "p1 end_turn"
    assert acts_under_way(table) == ["p2 take_pieces"]


def test_what_had_to_go_back_is_asked_where_the_bag_showed_only_the_difference(table):
    """They hold 12 and draw six: three go back before the bag lies down again (R11)."""
    for _ in range(2):
        for seat, to in ((1, 2), (2, 3), (3, 1)):
            for grams in (9.0, 8.0):
                table.draw(seat, grams)
                table.say(f"p{seat} take_pieces drawn=unknown:3")
            table.pass_bag(seat, to)
    assert table.position.players[0].pieces.total == 12
    table.draw(1, 9.5)
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces", "p1 take_pieces", "p1 return_pieces")
    assert acts(table)[-4:] == ["p1 take_pieces", "p1 take_pieces", "p1 return_pieces", "p1 end_turn"]
    assert table.position.players[0].pieces.most == 15


def test_what_was_drawn_and_went_back_on_somebodys_knees_shows_nowhere_and_is_asked(table, deal):
    """The turn could not pass, since nothing had gone back, and the next players' acts were refused (C 1101)."""
    for turn in range(3):
        for seat, to in ((1, 2), (2, 3), (3, 1)):
            column, draws = deal.columns[seat], 2 if turn < 2 else seat == 1
            for grams in (9.0, 8.0)[:draws]:
                table.draw(seat, grams)
                table.say(f"p{seat} take_pieces drawn=unknown:3")
            for k in range(2 - draws):
                table.take_contract(seat, *column[k : k + 2])
            table.pass_bag(seat, to)
    assert table.position.players[0].pieces.total == 15
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    table.draw(2, 9.0)
    assert acts_under_way(table)[-2:] == ["p1 end_turn", "p2 take_pieces"]
    table.tells("p1 take_pieces", "p1 return_pieces")
    assert acts(table)[-4:] == ["p1 take_pieces", "p1 take_pieces", "p1 return_pieces", "p1 end_turn"]


def test_two_draws_that_leave_nothing_to_give_back_are_no_doubt(table):
    for grams in (9.0, 8.0):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    assert not table.umpire.questions
    assert acts(table) == ["p1 take_pieces", "p1 take_pieces", "p1 end_turn"]


def test_what_was_announced_is_one_piece_unless_it_weighs_as_much_as_three(table):
    """Three at random are drawn if the bag has none of the material left (R10), which is seldom."""
    table.say("p1 take_pieces announced=glass")
    table.draw(1, 0.5)
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    if table.umpire.questions:
        table.answer(which=table.umpire.questions[0].fields[0].choices[0])
    assert table.done()[0] == "p1 take_pieces announced=glass drawn=glass:1"


def test_who_is_asked_how_an_announced_draw_came_out_reads_both_ways(table):
    """So many pieces are in players' hands that no glass may be left in the bag."""
    here = table.position
    held = (12, HOUSE.pieces["glass"], 12)
    players = tuple(replace(one, pieces=Pieces(unknown=n)) for one, n in zip(here.players, held, strict=True))
    table.umpire.put_right(replace(here, players=players, bag=HOUSE.all_pieces - sum(held)), restoring=False)
    table.umpire.judge()
    table.say("p1 take_pieces announced=glass")
    table.draw(1, 6.0)
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    ways = ("p1 take_pieces announced=glass drawn=glass:1", "p1 take_pieces announced=glass drawn=unknown:3")
    assert set(ways) <= set(question.fields[0].choices)
    table.answer(which=ways[1])
    assert table.done()[0] == ways[1]


def test_what_is_said_while_the_bag_is_on_its_way_takes_the_place_of_what_was_inferred(table):
    """It was refused (R7): a draw that only the scale showed was held for a third act."""
    table.confirmed.clear()
    table.draw(1, 8.6)
    table.say(DRAWN)
    table.draw(1, 2.5)
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.say("p1 take_pieces announced=steel drawn=steel:1")
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    assert table.done() == [DRAWN, "p1 take_pieces announced=steel drawn=steel:1", "p1 end_turn"]


def test_a_draw_that_was_said_before_the_own_scale_lost_anything_is_the_early_one(table):
    """It was counted twice: as what was answered, and as what was said."""
    table.confirmed.clear()
    table.draw(1, 9.2)
    table.draw(1, 8.8)
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.bag_g -= 2.0  # drawn on the way
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    assert [one.prompt for one in table.umpire.questions] == ["account"]
    table.say("p2 take_pieces announced=concrete drawn=concrete:1")
    table.draw(2, 7.4)
    table.tells("p1 take_pieces", "p1 take_pieces", "p2 take_pieces")
    assert acts_under_way(table) == ["p2 take_pieces", "p2 take_pieces"]
    table.pass_bag(2, 3)
    assert [text for text in table.done() if text.startswith("p2")] == [
        "p2 take_pieces announced=concrete drawn=concrete:1",
        "p2 take_pieces drawn=unknown:1-3",
        "p2 end_turn",
    ]


def test_who_is_asked_may_say_that_the_next_player_did_it_or_nobody(table):
    """A hand was in the bag at its place, and the next player drew on the way: that was not among the choices."""
    table.stir(spots.bag(1))
    table.stir(spots.bag(1))
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.bag_g -= 11.1
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    (question,) = table.umpire.questions
    assert {"p2 take_pieces drawn=unknown:3", "nothing"} <= set(question.fields[0].choices)
    table.answer(which="p2 take_pieces drawn=unknown:3")
    assert acts(table) == ["p1 end_turn"]
    assert acts_under_way(table) == ["p2 take_pieces"]


def test_a_question_about_a_turn_that_went_otherwise_is_asked_anew(table, deal):
    """Somebody leafs through a column for so long that it looked like an act, and its next card comes up after all."""
    table.confirmed.clear()
    column = "supply/contract/industrial"
    second, third = (f"contract/{name}" for name in deal.columns[1][1:3])
    turns_up(table, column, second)
    table.move(supply_platform(0), table.free(1, "pad"))
    turns_up(table, column, third)
    table.draw(1, 3.4)
    table.lay("platform/20/industrial", supply_platform(0))
    table.lift(column)
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    table.lay(third, column)
    turns_up(table, column, second)
    known = [one.words["known"] for one in table.umpire.questions if one.prompt == "account"]
    assert not any("p1 reorganise" in one for one in known)


def turns_up(table, column, below):
    table.lift(column)
    table.lay(below, column)


def test_what_a_scale_shows_oddly_and_a_card_in_a_hand_come_to_no_contradiction_together(table, deal):
    """Seat 2 had their hand in the bag, and seat 1 a card in theirs.

    Two things that are odd were taken for one that is impossible, and nothing was confirmed any more.
    """
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    table.lift(table.where(f"contract/{deal.columns[0][0]}"))
    table.take_contract(2, *deal.columns[1][:2])
    for grams in (210.0, -3.5, 9.0):
        table.draw(2, grams)
    table.say("p2 take_pieces drawn=unknown:3")
    table.pass_bag(2, 3)
    assert acts(table)[-1] == "p2 end_turn"


def test_a_question_about_a_turn_stays_when_a_later_turn_turns_out_otherwise(table, deal):
    """The question was lost and its account was not: nobody could answer, and nothing was confirmed any more."""
    for grams in (9.0, -3.0):
        table.draw(1, grams)
    table.lay("stranger", "seat/3/pad/0")
    table.pass_bag(1, 2)
    table.move(supply_platform(0), "seat/2/pad/0")
    table.lay("platform/20/industrial", supply_platform(0))
    table.pass_bag(2, 3)
    table.lift("seat/3/pad/0")
    assert "account" in [one.prompt for one in table.umpire.questions]
    taken = deal.supply[0]
    other = next(side for side in HOUSE.platforms[taken.platform] if side != taken.up)
    table.lift("seat/2/pad/0")
    table.lay(f"platform/{taken.platform}/{other}", "seat/2/pad/0")
    assert "account" in [one.prompt for one in table.umpire.questions]
    table.tells("p1 take_pieces")
    assert acts(table)[:2] == ["p1 take_pieces", "p1 end_turn"]


def test_the_next_player_may_have_drawn_twice_while_the_bag_was_on_its_way(table):
    """One draw of theirs was all that could be said, and the second never was (B 52007)."""
    table.draw(1, 2.7)
    table.say("p1 take_pieces announced=glass")
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    table.bag_g -= 19.2
    table.lay("bag", spots.bag(2))
    table.weigh(spots.bag(2), table.bag_g)
    table.tells("p2 take_pieces", "p2 take_pieces")
    table.pass_bag(2, 3)
    assert acts(table)[-5:] == ["p1 take_pieces", "p1 end_turn", "p2 take_pieces", "p2 take_pieces", "p2 end_turn"]


def test_pieces_that_nobody_is_thought_to_have_taken_are_asked_about(table, deal):
    """Evening 60024 of the strangers: the bag passed two cradles unweighed, and only one piece had been said.

    No way fitted what it had lost, so the likeliest was that nobody took it, and that was believed.
    """
    for column in (0, 1):
        table.take_contract(1, *deal.columns[column][:2])
    table.move(spots.bag(1), spots.bag(2))
    table.weigh(spots.bag(1), 0.0)
    table.say("p2 take_pieces announced=steel")
    table.move(spots.bag(2), spots.bag(3))
    table.bag_g -= 16.8
    table.weigh(spots.bag(3), table.bag_g)
    assert [(one.prompt, one.about) for one in table.umpire.questions] == [("account", "p2 end_turn")]
    table.tells("p2 take_pieces")
    assert acts(table).count("p2 take_pieces") == 2


def test_who_is_asked_is_offered_numbers_that_are_unlikely_but_may_be_true(table):
    """Three light pieces went back, and only one or two could be chosen (strangers, no habit: 39)."""
    for seat, to in ((1, 2), (2, 3), (3, 1)) * 2:
        for grams in (9.0, 8.0):
            table.draw(seat, grams)
        table.pass_bag(seat, to)
        while table.umpire.questions:
            table.tells(*[f"p{seat} take_pieces"] * 2)
    for grams in (9.1, 6.7, -1.2):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    assert question.fields[0].choices[0].endswith("returned=unknown:1-3")


def test_a_step_that_no_act_made_does_not_keep_a_player_from_what_readers_show(table, deal):
    """It was taken for a draw, and what the player took besides was one act too many (strangers, no habit: 56)."""
    table.draw(1, 1.7)
    table.take_contract(1, *deal.columns[0][:2])
    table.move(supply_platform(0), spots.pad(1, 0))
    table.lay("platform/20/industrial", supply_platform(0))
    table.pass_bag(1, 2)
    table.tells()
    assert acts(table) == ["p1 take_contract", "p1 take_platform", "p1 end_turn"]
    assert table.umpire.status().agrees


@pytest.mark.parametrize("again", [False, True])
def test_a_draw_that_others_have_told_of_is_not_done_once_more_as_its_player_reports_it(table, again):
    """The hub was away, so the report came after the answer, and counted as a second draw (A 61002)."""
    table.draw(1, 7.0)
    table.draw(1, 8.0)
    table.bag_g -= 9.0
    table.pass_bag(1, 2)
    table.tells("p1 take_pieces", "p1 take_pieces", "p2 take_pieces")
    if again:
        table.draw(2, 9.5)
    table.say("p2 take_pieces drawn=unknown:3")
    assert table.provisional() == ["p2 take_pieces drawn=unknown:3"] * (1 + again)


def test_a_bag_that_lies_on_a_wrong_cradle_for_a_moment_leaves_what_that_one_showed_in_its_turn(table, deal):
    """Evening 93024 of the regulars: a draw in the turn before was asked about, and its step fitted nothing."""
    table.take_contract(1, *deal.columns[0][:2])
    table.draw(1, 9.0)
    table.lift(spots.bag(1))
    table.weigh(spots.bag(1), 0.0)
    for seat in (2, 1):  # a bag in the lap of seat 2, which passes it the wrong way first
        table.lay("bag", spots.bag(seat))
        table.stir(spots.bag(seat))
        table.lift(spots.bag(seat))
        table.weigh(spots.bag(seat), 0.0)
    table.bag_g -= 8.7
    table.lay("bag", spots.bag(3))
    table.weigh(spots.bag(3), table.bag_g)
    table.tells("p1 take_pieces")
    table.tells("p2 take_pieces")
    assert acts(table) == ["p1 take_contract", "p1 take_pieces", "p1 end_turn", "p2 take_pieces", "p2 end_turn"]


def test_what_the_next_player_took_from_their_own_cradle_is_not_offered_as_taken_before(table):
    """Evening 93017 of the regulars: the answer counted it twice, since its own step was left over."""
    for seat, steps_g in ((1, (9.0, -3.0)), (2, (3.4, 2.5))):
        for grams in steps_g:
            table.draw(seat, grams)
        table.pass_bag(seat, seat + 1)
    table.draw(3, 2.7)
    table.say("p3 take_pieces announced=steel drawn=steel:1")
    table.tells("p1 take_pieces")
    (question,) = (one for one in table.umpire.questions if one.prompt == "account")
    assert not [choice for choice in question.fields[0].choices if "announced" in choice]


def test_who_finds_no_glass_in_the_bag_has_drawn_once(table, deal):
    """The announcement and what came of it were two draws, and a contract was one act too many (strangers 98007)."""
    here = table.position
    held = (12, HOUSE.all_pieces - 24, 12)
    players = tuple(replace(one, pieces=Pieces(unknown=n)) for one, n in zip(here.players, held, strict=True))
    table.umpire.put_right(replace(here, players=players, bag=0), restoring=False)
    table.umpire.judge()
    table.confirmed.clear()
    table.say("p1 take_pieces announced=glass")
    table.say("p1 take_pieces announced=glass drawn=none")
    table.take_contract(1, *deal.columns[0][:2])
    table.pass_bag(1, 2)
    assert acts(table) == ["p1 take_pieces", "p1 take_contract", "p1 end_turn"]


def test_who_returns_more_than_they_drew_has_drawn_besides(table):
    """They announced a second piece to nobody; no story had what they said, and the game stopped (strangers 98007)."""
    table.confirmed.clear()
    here = table.position
    players = (here.players[0], replace(here.players[1], pieces=Pieces(unknown=15)), *here.players[2:])
    bag = HOUSE.all_pieces - sum(one.pieces.total for one in players)
    table.umpire.put_right(replace(here, players=players, bag=bag), restoring=False)
    table.umpire.judge()
    table.draw(1, 10.8)
    table.pass_bag(1, 2)
    assert [one.prompt for one in table.umpire.questions] == ["account"]
    table.draw(2, 4.5)
    table.say("p2 take_pieces announced=glass drawn=glass:1")
    table.draw(2, -4.0)
    table.say("p2 return_pieces returned=unknown:2")
    table.pass_bag(2, 3)
    table.tells("p1 take_pieces", "p1 take_pieces")
    while table.umpire.questions:
        table.tells("p2 take_pieces", "p2 return_pieces")
    told = ["take_pieces", "take_pieces", "end_turn", "take_pieces", "take_pieces", "return_pieces", "end_turn"]
    assert [one.split()[1] for one in table.done()] == told


def test_what_was_seen_first_and_said_last_was_done_first(table, deal):
    """What they said last was told as an act after the one that they had said first (passers-by 1137)."""
    table.confirmed.clear()
    card = deal.columns[0][0]
    table.take_contract(1, *deal.columns[0][:2])
    table.say(DRAWN)
    table.say(f"p1 take_contract contract={card}")
    assert table.provisional() == [f"p1 take_contract contract={card}", DRAWN]
