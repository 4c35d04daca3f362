"""A silence of the hub or of a station: what was done meanwhile is one step of a scale; what is too light is asked."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Pieces
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.journal.entry import Entry, GameStarted
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.table.fact import StationWent
from citytable.table.plan import full_plan

PARK, BAG = "city/0/0", "seat/1/bag"
MONUMENT = "p1 place_central_park_monument piece=unknown:1"
STATIONS = {"park": (PARK,), "seat-1": (BAG, "seat/1/pad/0"), "seat-2": ("seat/2/bag",)}


@pytest.fixture
def founded(table, building):
    """Central Park has a monument; seat 1 has a public building to deliver and pieces to spare."""
    position = table.position
    park, first = replace(position.parks[0], monument=Pieces(unknown=1)), position.players[0]
    first = replace(first, pieces=replace(first.pieces, unknown=first.pieces.unknown - 1))
    table.umpire.put_right(replace(position, parks=(park,), players=(first, *position.players[1:])), restoring=False)
    table.weigh(PARK, 17.3)
    return table


def deliver(table):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)


def away(table, minutes=0):
    """Nobody hears the stations for a while."""
    for up in (False, True):
        for name, spots in STATIONS.items():
            table.station(name, spots, up=up)
        table.t_us += minutes * 60_000_000


def test_an_exchange_of_monuments_in_a_silence_is_seen_by_what_both_scales_show_after_it(founded):
    """A power cut, and its journal: Central Park became 0.9 g lighter, the bag 3.08 g heavier, each in one step."""
    deliver(founded)
    away(founded)
    founded.weigh(PARK, 17.3 - 0.9)
    founded.draw(1, -3.08)
    founded.pass_bag(1, 2)
    assert founded.done()[1:] == [MONUMENT, "p1 end_turn"]
    assert founded.umpire.questions_asked == 1, "that of the delivery"


def test_the_old_monument_in_the_bag_is_no_part_of_what_is_asked_about_it(founded):
    """The next player drew early, said so, and the monument's step was counted among theirs (A 47048)."""
    deliver(founded)
    founded.weigh(PARK, 14.2)
    founded.draw(1, -3.1)
    founded.weigh(PARK, 16.5)
    for grams in (7.6, 1.9, -1.8):
        founded.draw(1, grams)
    founded.pass_bag(1, 2)
    (question,) = founded.umpire.questions
    assert MONUMENT in question.words["known"]
    founded.tells("p2 take_pieces")
    assert founded.done()[1:] == [MONUMENT, "p1 end_turn"]


@pytest.mark.parametrize("answer", ["nothing", MONUMENT])
def test_what_may_have_been_too_light_to_tell_from_a_zero_that_wandered_is_asked(founded, answer):
    deliver(founded)
    away(founded)
    founded.weigh(PARK, 17.3 + 0.4)
    founded.draw(1, -0.5)
    founded.pass_bag(1, 2)
    assert [one.split()[1] for one in founded.done()] == ["deliver"]
    (question,) = founded.umpire.questions
    assert (question.prompt, question.seat) == ("besides", 1)
    assert question.fields[0].choices == ("nothing", MONUMENT)
    founded.answer(which=answer)
    assert founded.done()[1:] == [*([MONUMENT] if answer == MONUMENT else []), "p1 end_turn"]
    assert founded.umpire.status().agrees


def test_an_answer_holds_although_the_table_goes_on_meanwhile(founded):
    deliver(founded)
    away(founded)
    founded.weigh(PARK, 17.3)
    founded.draw(1, 0.0)
    founded.pass_bag(1, 2)
    founded.draw(2, 6.0)
    founded.answer(which=MONUMENT)
    assert founded.done()[1:] == [MONUMENT, "p1 end_turn"]
    assert founded.provisional() == ["p2 take_pieces drawn=unknown:3"]


def test_a_silence_before_the_delivery_hid_no_monument(founded):
    away(founded)
    founded.weigh(PARK, 17.3)
    founded.draw(1, 0.0)
    deliver(founded)
    founded.pass_bag(1, 2)
    assert founded.done()[1:] == ["p1 end_turn"]


def test_pieces_drawn_in_a_short_silence_weigh_enough_to_be_seen_or_were_not_drawn(table):
    """Three pieces weigh more than a zero wanders in a minute."""
    table.station("seat-1", (BAG,), up=False)
    table.station("seat-1", (BAG,), up=True)
    table.draw(1, 0.3)
    table.pass_bag(1, 2)
    assert table.done() == ["p1 end_turn"]


DRAW = "p1 take_pieces drawn=unknown:3"
SOME = "p1 take_pieces drawn=unknown:1-3"


@pytest.mark.parametrize("drawn", [[SOME], [SOME, SOME]])
def test_two_draws_in_one_silence_show_as_one_step_and_are_asked_about(table, drawn):
    """7 g are three pieces as well as six."""
    away(table)
    table.draw(1, 7.0)
    table.pass_bag(1, 2)
    assert table.done() == []
    (question,) = table.umpire.questions
    assert (question.prompt, question.seat) == ("account", 1)
    assert question.fields[0].choices == (SOME, f"{SOME} | {SOME}", "p2 take_pieces drawn=unknown:1-3", "nothing")
    table.answer(which=" | ".join(drawn))
    assert table.done() == [*drawn, "p1 end_turn"]
    assert table.umpire.questions_asked == 1


def test_what_left_the_bag_while_nobody_listened_is_asked_although_the_turn_has_passed_since(table, deal):
    """The hub was killed after the first draw; the next player had drawn, too, when it came back (A 61001).

    The step across the silence was taken for the scale's own, and the draw was lost.
    """
    table.draw(1, 7.6)
    with table.silence():
        table.take_contract(1, *deal.columns[0][:2])
        table.lift(BAG)
        table.t_us += 20_000_000
        table.lay("bag", "seat/2/bag")
        table.t_us += 20_000_000
        table.bag_g -= 10.9
    table.weigh(BAG, 0.0)
    table.weigh("seat/2/bag", table.bag_g)
    (question,) = table.umpire.questions
    assert (question.prompt, table.done()) == ("account", [])
    assert any("p2 take_pieces" in choice for choice in question.fields[0].choices)


def test_draws_that_were_heard_one_by_one_are_not_asked_about(table):
    table.draw(1, 8.0)
    table.draw(1, 9.0)
    away(table)
    table.draw(1, 0.0)
    table.pass_bag(1, 2)
    assert table.done() == [SOME, DRAW, "p1 end_turn"]
    assert not table.umpire.questions_asked


def test_a_draw_before_the_turn_is_asked_also_where_a_silence_hid_nothing(table):
    """The hub had been killed in that turn, so it had no account, and the draw fitted nobody for ever (A 61009)."""
    away(table)
    table.draw(1, 0.0)
    table.say("p1 end_turn")
    table.draw(1, 12.9)
    table.pass_bag(1, 2)
    assert [question.prompt for question in table.umpire.questions] == ["account"]


def test_a_step_across_a_silence_that_is_light_for_two_draws_is_asked_with_one_as_the_first_answer(table):
    away(table)
    table.draw(1, 1.6)
    table.pass_bag(1, 2)
    (question,) = table.umpire.questions
    assert (table.done(), question.fields[0].choices[0]) == ([], SOME)


def test_a_turn_has_no_room_for_a_third_draw(table):
    table.draw(1, 6.0)
    away(table)
    table.draw(1, 7.0)
    table.pass_bag(1, 2)
    assert table.done() == [SOME, SOME, "p1 end_turn"]


def test_a_turn_that_passed_in_a_silence_waits_for_the_scales_to_tell(founded):
    """The readers tell at once what lies there now, a scale at rest within a second."""
    deliver(founded)
    away(founded)
    founded.lift(BAG)
    founded.lay("bag", "seat/2/bag")
    founded.weigh(BAG, 0.0)
    founded.weigh("seat/2/bag", founded.bag_g + 3.08)
    assert [one.split()[1] for one in founded.done()] == ["deliver"]
    founded.weigh(PARK, 17.3 - 0.9)
    assert founded.done()[1:] == [MONUMENT, "p1 end_turn"]


def test_the_longer_nobody_listened_the_more_a_scale_may_have_wandered(founded):
    deliver(founded)
    away(founded, minutes=20)
    founded.weigh(PARK, 17.3 - 0.9)
    founded.draw(1, -1.1)
    founded.pass_bag(1, 2)
    assert [one.split()[1] for one in founded.done()] == ["deliver"]
    assert founded.umpire.questions[0].fields[0].choices == ("nothing", MONUMENT)


def test_turns_that_passed_in_a_silence_have_passed(table):
    """Readers tell afterwards where the bag lay and when: it came all the way round."""
    with table.silence():
        for seat, to in ((1, 2), (2, 3), (3, 1)):
            table.t_us += 20_000_000
            table.pass_bag(seat, to)
    assert table.done() == ["p1 end_turn", "p2 end_turn", "p3 end_turn"]
    assert table.umpire.status().agrees


def test_a_bag_that_was_taken_back_at_once_has_not_been_passed(table):
    with table.silence():
        table.lift(BAG)
        table.lay("bag", "seat/2/bag")
        table.lift("seat/2/bag")
        table.lay("bag", BAG)
    assert table.done() == table.provisional() == []
    assert table.umpire.status().agrees


def test_what_was_done_in_turns_that_passed_in_a_silence_is_told_by_the_tags(table, deal):
    top, below = deal.columns[0][:2]
    with table.silence():
        table.take_contract(1, top, below)
        table.t_us += 20_000_000
        table.pass_bag(1, 2)
        table.t_us += 20_000_000
        table.pass_bag(2, 3)
        table.t_us += 20_000_000
        table.pass_bag(3, 1)
    assert table.done() == [f"p1 take_contract contract={top}", "p1 end_turn", "p2 end_turn", "p3 end_turn"]


def test_coming_back_confirms_nothing_that_nobody_writes_down(table, building, monkeypatch):
    """Killed after the answer, while the bag lay on the next cradle and was not weighed yet: the delivery was gone.

    What nobody tells of disturbs no more, so it became confirmed at the start of the hub, before it wrote anything.
    """
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.lift(BAG)
    table.weigh(BAG, 0.0)
    table.lay("bag", "seat/2/bag")
    table.stir("seat/2/bag")
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    assert table.done() == []
    play = Play(
        MegaCityTable(HOUSE), full_plan("salon", 3, shared_spots(), ()), MegaCity(Options(players=3), HOUSE).start
    )
    play.umpire, silent = table.umpire, (*table.loads_g, *table.lying)
    monkeypatch.setattr(play.senses, "unheard", lambda t_us: (StationWent(t_us=t_us, station="all", spots=silent),))
    before = table.position
    recall(play, (Entry(1, table.t_us, "system", GameStarted(game="megacity")),), lambda _: play)
    assert set(table.umpire.observed.silent) == {"all"}
    assert table.position == before
    table.station("all", silent, up=True)
    for spot, grams in (*table.loads_g.items(), ("seat/2/bag", table.bag_g)):
        table.weigh(spot, grams)
    assert [text.split()[1] for text in table.done()] == ["deliver", "end_turn"]


def test_what_left_the_bag_in_a_turn_that_nobody_heard_is_asked_of_its_player(table):
    """Its station was away for a whole turn. Nobody was asked, and the next player but one had drawn (B 52046)."""
    for seat, to in ((1, 2), (2, 3)):
        table.pass_bag(seat, to)
    spots = ("bag", *(f"{kind}/{k}" for kind in ("card", "pad") for k in range(3)))
    table.station("seat-1", tuple(f"seat/1/{spot}" for spot in spots), up=False)
    table.lift("seat/3/bag")
    table.weigh("seat/3/bag", 0.0)
    table.say("p3 end_turn")
    table.bag_g -= 11.3
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    table.tells("p1 take_pieces")
    table.pass_bag(2, 3)
    acts = [" ".join(one.split()[:2]) for one in (*table.done(), *table.provisional())]
    assert acts == ["p1 end_turn", "p2 end_turn", "p3 end_turn", "p1 take_pieces", "p1 end_turn", "p2 end_turn"]
