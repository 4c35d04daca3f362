"""After a correction: an undo waits for the table to be put back, everything else goes on at once."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Pieces
from citytable.table.word import TableStays
from citytable.umpire.restoring import AsItWas

pytestmark = pytest.mark.long(6)


@pytest.fixture
def after_a_turn(table, deal):
    """Seat 1 took a contract and drew three pieces, the bag is at seat 2; and the game before that turn."""
    before = MegaCity(Options(players=3), HOUSE)
    before.push(deal)
    table.take_contract(1, deal.columns[0][0], deal.columns[0][1])
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    assert len(table.confirmed) == 3
    return table, before.position


def put_back(table, deal):
    """What people do to take the turn back."""
    table.pass_bag(2, 1)
    table.draw(1, -9.0)
    column = "supply/contract/public"
    table.lift(column)
    table.move(table.where(f"contract/{deal.columns[0][0]}"), column)


def test_after_an_undo_nothing_is_inferred_until_the_table_is_put_back(after_a_turn, deal):
    table, before = after_a_turn
    table.confirmed.clear()
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    assert table.umpire.judge() == ()
    assert table.umpire.restoring
    wrong = {(one.kind, one.thing, one.to) for one in table.umpire.status().disagreements}
    assert ("unexpected", f"contract/{deal.columns[0][0]}", ("supply/contract/public",)) in wrong
    assert ("unexpected", "bag", ("seat/1/bag",)) in wrong
    put_back(table, deal)
    assert not table.umpire.restoring
    assert table.umpire.status().agrees
    assert (table.done(), table.provisional()) == ([], [])
    table.take_contract(1, deal.columns[1][0], deal.columns[1][1])
    assert table.provisional() == [f"p1 take_contract contract={deal.columns[1][0]}"]


def test_after_an_undo_the_table_may_stay_as_it_is(after_a_turn, deal):
    """Then what differs is what was done from there: here the same turn again, but for the pieces."""
    table, before = after_a_turn
    table.confirmed.clear()
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.umpire.judge()
    table.umpire.say(TableStays(by="host"))
    table.confirmed += table.umpire.judge()
    assert table.done() == [f"p1 take_contract contract={deal.columns[0][0]}", "p1 end_turn"]


WAYS = ["at once", "at the wrong cradle", "last", "one by one", "slowly", "before anybody said so"]


@pytest.mark.parametrize("pieces", WAYS)
def test_pieces_that_were_drawn_go_back_whenever_they_do_and_play_goes_on(after_a_turn, deal, pieces):
    table, before = after_a_turn
    table.confirmed.clear()
    if pieces == "before anybody said so":
        table.draw(2, -9.0)
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.umpire.judge()
    if pieces in ("at once", "at the wrong cradle"):
        table.draw(2, -9.0)
    table.pass_bag(2, 1)
    if pieces == "one by one":
        for _ in range(2):
            table.draw(1, -4.5)
    column = "supply/contract/public"
    table.lift(column)
    table.move(table.where(f"contract/{deal.columns[0][0]}"), column)
    if pieces == "last":
        assert [(one.kind, one.spots) for one in table.umpire.status().disagreements] == [("mass", ("seat/1/bag",))]
        table.draw(1, -9.0)
    if pieces == "slowly":  # by what they weigh these may be all
        table.draw(1, -3.0)
        table.draw(1, -3.0)
        table.draw(1, -3.0)
    assert not table.umpire.restoring
    assert table.umpire.status().agrees
    table.draw(1, 9.0)
    table.pass_bag(1, 2)
    assert table.done() == ["p1 take_pieces drawn=unknown:3", "p1 end_turn"]


def test_pieces_that_stay_out_of_the_bag_are_waited_for_until_somebody_says_that_they_do(after_a_turn, deal):
    table, before = after_a_turn
    table.confirmed.clear()
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.pass_bag(2, 1)
    column = "supply/contract/public"
    table.lift(column)
    table.move(table.where(f"contract/{deal.columns[0][0]}"), column)
    assert table.umpire.restoring
    table.umpire.say(TableStays(by="host"))
    assert table.umpire.judge() == ()
    assert table.umpire.status().agrees


def test_what_was_drawn_and_is_not_confirmed_goes_back_as_well(after_a_turn):
    table, _ = after_a_turn
    table.draw(2, 8.0)
    assert table.provisional() == ["p2 take_pieces drawn=unknown:3"]
    table.umpire.put_right(table.umpire.position, restoring=True, scales=AsItWas(table.umpire.position))
    table.umpire.judge()
    assert table.umpire.restoring
    table.draw(2, -8.0)
    assert (table.umpire.restoring, table.umpire.status().agrees, table.provisional()) == (False, True, [])


def test_what_was_drawn_before_an_undo_is_not_the_piece_that_it_takes_out_of_the_bag(after_a_turn):
    """A draw nobody confirmed and a monument back in the bag: by range alone the draw is that one piece."""
    table, _ = after_a_turn
    target = replace(table.position, bag=table.position.bag - 1)
    then = AsItWas(target, {"bag": (table.bag_g - 3.0,)})
    table.draw(2, 14.7)
    table.umpire.put_right(target, restoring=True, scales=then)
    table.umpire.judge()
    assert table.umpire.restoring
    table.draw(2, -11.7)
    assert (table.umpire.restoring, table.umpire.status().agrees, table.provisional()) == (False, True, [])


def test_when_the_bag_weighs_as_it_did_by_half_of_other_pieces_the_rest_may_come(after_a_turn, deal):
    table, before = after_a_turn
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before, {"bag": (table.bag_g + 9.0,)}))
    put_back(table, deal)
    assert (table.umpire.restoring, table.umpire.status().agrees) == (False, True)
    table.draw(1, -4.0)
    assert (table.umpire.status().agrees, table.provisional()) == (True, [])


def test_a_draw_after_which_the_bag_weighs_as_it_did_is_a_draw(after_a_turn, deal):
    """More came back than had been drawn, and then as much is drawn again."""
    table, before = after_a_turn
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before, {"bag": (table.bag_g + 9.0,)}))
    table.draw(2, -5.0)
    table.pass_bag(2, 1)
    table.lift("supply/contract/public")
    table.move(table.where(f"contract/{deal.columns[0][0]}"), "supply/contract/public")
    table.draw(1, -10.0)
    table.draw(1, 6.5)
    assert table.provisional() == ["p1 take_pieces drawn=unknown:3"]
    table.draw(1, 5.0)
    assert table.provisional() == ["p1 take_pieces drawn=unknown:3"] * 2
    assert table.umpire.status().agrees


@pytest.mark.parametrize(
    ("rest_g", "drawn"), [((-6.0,), "unknown:3"), ((-2.0, -4.0), "unknown:3"), ((6.5, -12.5), "unknown:1-3")]
)
def test_until_the_bag_weighs_as_it_did_the_rest_may_come(after_a_turn, deal, rest_g, drawn):
    table, before = after_a_turn
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before, {"bag": (table.bag_g + 9.0,)}))
    table.draw(2, -3.0)  # three light pieces weigh as much
    table.pass_bag(2, 1)
    table.lift("supply/contract/public")
    table.move(table.where(f"contract/{deal.columns[0][0]}"), "supply/contract/public")
    assert not table.umpire.restoring
    for grams in rest_g:
        table.draw(1, grams)
    assert (table.umpire.status().agrees, table.provisional()) == (True, [])
    table.confirmed.clear()
    table.draw(1, 8.0)
    table.pass_bag(1, 2)
    assert table.done() == [f"p1 take_pieces drawn={drawn}", "p1 end_turn"]
    assert table.umpire.questions == ()


def test_what_may_be_the_rest_of_what_goes_back_is_an_act_where_the_rules_want_one(table, building):
    first, *others = table.position.players
    last_words = replace(table.position, deciding=True, players=(replace(first, pieces=Pieces(unknown=3)), *others))
    then = replace(last_words, bag=last_words.bag + 3)
    table.umpire.put_right(then, restoring=True, scales=AsItWas(then))
    table.umpire.judge()
    table.draw(1, -3.0)
    table.draw(1, -6.0)
    assert table.provisional() == ["p1 recycle"]
    table.pass_bag(1, 2)
    assert table.done() == ["p1 recycle", "p1 end_turn"]


@pytest.mark.parametrize("bag", ["before the tags", "after them"])
def test_where_other_pieces_went_in_than_came_out_the_bag_weighs_again_as_it_did(after_a_turn, deal, bag):
    """Three drawn and three given back: no piece is owed, and yet the bag is lighter."""
    table, before = after_a_turn
    then = replace(before, bag=table.position.bag)
    table.umpire.put_right(then, restoring=True, scales=AsItWas(then, {"bag": (table.bag_g + 4.4,)}))
    if bag == "before the tags":
        table.draw(2, -4.4)
    table.pass_bag(2, 1)
    table.lift("supply/contract/public")
    table.move(table.where(f"contract/{deal.columns[0][0]}"), "supply/contract/public")
    if bag == "after them":
        table.draw(1, -4.4)
    assert (table.umpire.restoring, table.umpire.status().agrees, table.provisional()) == (False, True, [])


def test_a_park_that_went_back_with_its_monument_comes_without_it(table, delivered):
    at = "city/2/0"
    before = table.position
    table.lay("park/1", at)
    table.weigh(at, 14.0)
    table.weigh(at, 17.0)
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.umpire.judge()
    table.lift(at)
    table.weigh(at, 0.0)
    assert not table.umpire.restoring
    table.lay("park/1", at)
    table.weigh(at, 14.0)
    assert table.provisional() == ["p1 place_park at=2/0"]
    assert table.umpire.status().agrees


@pytest.mark.parametrize(
    ("weights_g", "back"),
    [((60.0, 65.7), True), ((60.0, 62.6), True), ((60.0,), False), ((65.7,), False), ((60.0, 86.0), False)],
)
def test_where_one_piece_stood_another_may_be_put_in_its_place(table, delivered, weights_g, back):
    """A monument that replaced an older one goes, and of the bag comes a piece like the older, but not the same."""
    at = "city/0/0"
    table.weigh(at, 60.0)
    table.weigh(at, 62.1)
    table.pass_bag(1, 2)
    assert [park.monument for park in table.position.parks if park.owner is None] == [Pieces(unknown=1)]
    then = replace(table.position, player=1, turn=table.position.turn - 1)
    table.umpire.put_right(then, restoring=True, scales=AsItWas(then, {"central-park": (64.4,)}))
    table.umpire.judge()
    for weight_g in weights_g:
        table.weigh(at, weight_g)
    table.pass_bag(2, 1)
    assert table.umpire.restoring != back


@pytest.mark.parametrize(
    ("returned", "steps_g", "back"),
    [
        (1, (5.15, -3.73), True),  # three light ones were drawn, and of the bag comes a heavy one
        (1, (5.15, -1.8, -1.9), True),
        (1, (5.15,), False),
        (3, (6.0, -11.0), True),
        (3, (-11.0,), False),
        (3, (2.0, -160.0), False),
    ],
)
def test_who_drew_and_gave_back_does_not_find_the_same_pieces_again(after_a_turn, deal, returned, steps_g, back):
    """A draw of three out of a full hand: so many of them went back."""
    table, before = after_a_turn
    then = replace(before, bag=table.position.bag + 3 - returned)
    table.umpire.put_right(then, restoring=True, scales=AsItWas(then, {"bag": (table.bag_g + 7.4,)}))
    table.umpire.judge()
    table.pass_bag(2, 1)
    for grams in steps_g:
        table.draw(1, grams)
    table.lift("supply/contract/public")
    table.move(table.where(f"contract/{deal.columns[0][0]}"), "supply/contract/public")
    assert table.umpire.restoring != back
    if back:
        assert (table.umpire.status().agrees, table.provisional()) == (True, [])


def test_acts_that_happen_to_weigh_as_much_as_the_rest_of_what_went_back_are_acts(after_a_turn, deal):
    """What is drawn and given back in a turn, and the last that had been put back: all together they are nothing."""
    table, before = after_a_turn
    first, *others = before.players
    full = replace(before, players=(replace(first, pieces=Pieces(unknown=12)), *others))
    table.umpire.put_right(full, restoring=True, scales=AsItWas(full, {"bag": (table.bag_g + 9.0,)}))
    table.umpire.judge()
    put_back(table, deal)
    table.confirmed.clear()
    for grams in (-4.71, 6.95, 5.73, -8.14):
        table.draw(1, grams)
    table.pass_bag(1, 2)
    draw = "p1 take_pieces drawn=unknown:3"
    assert table.done() == [draw, draw, "p1 return_pieces returned=unknown:3", "p1 end_turn"]


def test_a_station_that_falls_silent_meanwhile_puts_nothing_back(after_a_turn, deal):
    """What lies wrong there is unknown, not gone: else it would be a move as soon as it is heard again."""
    table, before = after_a_turn
    table.confirmed.clear()
    table.station("sector-9", ("city/3/0",), up=False)  # it was silent before, and nobody waits for it
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.umpire.judge()
    there = tuple(table.lying)
    table.station("all", there, up=False)
    assert table.umpire.restoring
    table.station("all", there, up=True)
    assert table.umpire.restoring
    put_back(table, deal)
    for spot in [spot for spot in table.loads_g if not spot.startswith("seat/2")]:
        table.weigh(spot, table.loads_g[spot])
    assert (table.umpire.restoring, table.done(), table.provisional()) == (False, [], [])


def test_scales_of_which_nobody_can_know_what_they_should_show_are_not_waited_for(after_a_turn):
    table, _ = after_a_turn
    table.umpire.put_right(table.umpire.position, restoring=True)
    table.umpire.judge()
    assert (table.umpire.restoring, table.umpire.status().agrees) == (False, True)


def test_while_the_table_is_put_back_a_fall_is_no_cue_and_nobody_can_say_what_was_done(after_a_turn, deal):
    table, before = after_a_turn
    table.umpire.put_right(before, restoring=True, scales=AsItWas(before))
    table.fall("city/1/0")
    assert table.umpire.questions == ()
    with pytest.raises(ValueError, match="being put back"):
        table.say("p1 take_pieces announced=steel drawn=steel:1")


def test_a_corrected_value_leaves_what_is_under_way_as_it_was(after_a_turn, deal):
    table, before = after_a_turn
    table.take_contract(2, deal.columns[2][0], deal.columns[2][1])
    under_way = table.provisional()
    other = MegaCity.from_position(before, HOUSE)
    for line in (f"p1 take_contract contract={deal.columns[0][0]}", "p1 take_pieces drawn=steel:3", "p1 end_turn"):
        other.push(table.umpire._means.game.action(line))
    table.umpire.put_right(other.position, restoring=False)
    assert table.umpire.judge() == ()
    assert table.provisional() == under_way
    assert table.position.players[0].pieces.steel == 3
    assert table.umpire.status().agrees


PARK = "city/0/0"


@pytest.fixture
def unread(after_a_turn):
    """The reader below Central Park sees nothing any more, and the host lets everything stand as it lies."""
    table, _ = after_a_turn
    table.confirmed.clear()
    park = table.lift(PARK)
    assert not table.umpire.status().agrees
    table.umpire.put_right(table.umpire.position, restoring=True)
    table.umpire.judge()
    assert table.umpire.restoring
    table.umpire.say(TableStays(by="host"))
    table.umpire.judge()
    return table, park


def test_what_nobody_reads_and_people_let_stand_holds_up_no_turn(unread, deal):
    """A tag that is dead, or a reader that has gone blind without a fault: the game went on for nobody."""
    table, _ = unread
    assert table.umpire.status().agrees
    table.take_contract(2, deal.columns[1][0], deal.columns[1][1])
    table.draw(2, 9.0)
    table.pass_bag(2, 3)
    assert len(table.done()) == 3


def test_once_it_is_read_again_it_has_to_lie_there(unread):
    table, park = unread
    table.lay(park, PARK)
    assert table.umpire.status().agrees
    table.lift(PARK)
    assert [(one.kind, one.thing) for one in table.umpire.status().disagreements] == [("missing", park)]


def test_what_people_let_stand_is_no_reason_why_another_thing_may_be_missing(unread, deal):
    table, _ = unread
    column = "supply/contract/public"
    table.lift(column)
    assert not table.umpire.status().agrees


def test_a_bag_that_is_in_somebodys_hand_meanwhile_is_known_where_it_comes_to(after_a_turn, deal):
    table, _ = after_a_turn
    table.confirmed.clear()
    table.take_contract(2, deal.columns[1][0], deal.columns[1][1])
    table.draw(2, 9.0)
    bag = table.lift("seat/2/bag")
    table.weigh("seat/2/bag", 0.0)
    table.umpire.put_right(table.umpire.provisional_position, restoring=True)
    table.umpire.judge()
    table.umpire.say(TableStays(by="host"))
    table.umpire.judge()
    table.lay(bag, "seat/3/bag")
    table.weigh("seat/3/bag", table.bag_g)
    assert table.done()[-1:] == ["p2 end_turn"]


def test_what_is_under_way_stays_as_far_as_it_can_have_been(table, deal):
    """All of it was explained anew, and of columns that were reorganised meanwhile nothing was known (B 84004)."""
    for column in deal.columns[:2]:
        table.take_contract(1, *column[:2])
    columns = (table.position.columns[0], table.position.columns[1][1:], *table.position.columns[2:])
    table.umpire.put_right(replace(table.position, columns=columns), restoring=False)
    assert table.provisional() == [f"p1 take_contract contract={deal.columns[0][0]}"]
