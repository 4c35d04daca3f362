"""Pieces that were counted as they were put on: the sensible answer when a delivery is asked about."""

import pytest
from msgspec import structs

from citytable.games.megacity.pieces import HOUSE, Deck
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table.fact import PiecesCounted
from citytable.umpire.whole_game import whole

PAD = "seat/1/pad/0"


def asked(table):
    """The question about the delivery of what stands on seat 1's pad."""
    table.move(PAD, "city/1/0")
    table.lift(table.where("contract/PU1"))
    (question,) = table.umpire.questions
    return question


@pytest.mark.parametrize("unsure", [False, True])
def test_a_count_goes_with_its_platform_and_is_a_word_of_the_question(table, building, unsure):
    table.umpire.feed([PiecesCounted(t_us=9, spot=PAD, n=4, unsure=unsure)])
    words = asked(table).words
    assert words["unsure" if unsure else "counted"] == "4"
    assert ("counted" in words) is not unsure


@pytest.mark.parametrize(("height_mm", "proposed"), [(31.0, 31), (25.9, None), (23.5, None), (21.0, 21)])
def test_a_height_that_decides_the_contract_is_proposed_and_one_that_does_not_is_left_open(
    table, building, height_mm, proposed
):
    table.measure(PAD, height_mm)  # PU1 asks for 25 mm, the crane is 2 mm to either side
    question = asked(table)
    assert {field.name: field.proposed for field in question.fields}["height_mm"] == proposed
    assert (question.words["low_mm"], question.words["high_mm"]) == (str(int(height_mm - 2)), str(int(height_mm + 2)))


def test_without_a_count_nothing_is_said_of_pieces(table, building):
    assert set(asked(table).words) == {"action"}


@pytest.mark.parametrize(
    ("banned", "proposed"),
    [((), [3, 2, 2]), (("no_glass",), [4, 3, 0]), (("no_glass", "no_steel"), [0, 7, 0])],
)
def test_the_form_begins_with_the_pieces_that_were_counted(table, building, banned, proposed):
    contract = structs.replace(HOUSE.contracts["PU1"], requirements=banned)
    deck = Deck("test", "house", (contract,), HOUSE.platforms, HOUSE.pieces)
    game = whole(MegaCityTable(deck))
    action = game.action(f"p1 deliver contract=PU1 platform={building.split('/')[1]} at=1/0 stood=yes")
    fields = {field.name: field for field in game.questions(table.position, action, {"pieces": 7})}
    assert [fields[material].proposed for material in ("steel", "concrete", "glass")] == proposed


@pytest.mark.parametrize(
    ("contract", "n", "unsure", "proposed"),
    [
        ("PU2", 7, False, 7),
        ("PU2", 7, True, 5),
        ("PU2", 4, True, 5),
        ("PU3", 9, True, 9),
        ("PU3", 15, True, 12),
        ("PU3", 4, True, 6),
    ],
    ids=["sure", "exactly 5", "too few", "6 or more", "more than the hand", "fewer than the card"],
)
def test_an_unsure_count_is_one_that_may_be_delivered(table, building, contract, n, unsure, proposed):
    """R17: PU2 has exactly 5 pieces, PU3 6 or more; the player holds at most 12."""
    players = [structs.replace(one, pieces=Pieces(unknown=10, maybe=2)) for one in table.position.players]
    position = structs.replace(table.position, players=tuple(players))
    game = whole(MegaCityTable(HOUSE))
    action = game.action(f"p1 deliver contract={contract} platform={building.split('/')[1]} at=1/0 stood=yes")
    form = game.questions(position, action, {"pieces": n, "unsure": unsure})
    assert sum(field.proposed for field in form if field.kind == "share") == proposed


def test_a_height_that_was_not_measured_is_not_proposed(table, building):
    assert {field.name: field.proposed for field in asked(table).fields}["height_mm"] is None


def counts_fewer(table, count=2):
    """Somebody miscounts what seat 1 holds, a round before: there are seven."""
    count = f"table count_pieces seat=1 count={count}"
    table.say(count)
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    assert table.done()[0] == count
    table.confirmed.clear()


def test_who_delivers_with_more_pieces_than_was_believed_is_asked_about_that_delivery(table, building):
    """R17: PU1 needs 4 pieces. What rests on the hex, and the contract turned over, tell more than a count believed."""
    counts_fewer(table)
    question = asked(table)
    assert question.about == f"p1 deliver contract=PU1 platform={building.split('/')[1]} at=1/0 stood=yes"
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(1, 2)
    counted, delivered, passed = table.done()
    assert counted == "table count_pieces seat=1 count=4 maybe=3"
    assert delivered == f"{question.about} height=31mm pieces=steel:4 judged=yes"
    assert passed == "p1 end_turn"
    assert table.position.players[0].pieces == Pieces(maybe=3)


def test_no_count_is_corrected_for_a_contract_that_was_only_laid_aside(table, building):
    counts_fewer(table)
    table.lift(table.where("contract/PU1"))
    table.pass_bag(1, 2)
    assert not [one for one in table.provisional() if "count_pieces" in one or "deliver" in one]


def test_no_count_is_corrected_for_an_act_that_it_does_not_stand_in_the_way_of(table, building, deal):
    """Each story was looked at once more with each count corrected, and the search ended sooner."""
    counts_fewer(table)
    table.untold = []
    table.take_contract(1, *deal.columns[1][:2])
    table.umpire.feed(table.untold)
    state = table.umpire._state
    explainer = table.umpire._means.explainer_of(state)
    found = [
        [str(node.action).split()[1] for node in one.path[1:]]
        for one in explainer._walk(explainer.costs.seen(state.path))
    ]
    assert ["take_contract"] in found
    assert ["count_pieces", "take_contract"] not in found


def test_a_count_that_was_corrected_for_a_delivery_goes_with_it(table, building):
    """The platform was only tried on a hex, and the count was confirmed (C 997)."""
    counts_fewer(table)
    table.move(PAD, "city/1/0")
    column = table.where("contract/PU1")
    table.lift(column)
    assert [one.split()[1] for one in table.provisional()] == ["count_pieces", "deliver"]
    table.lay("contract/PU1", column)
    table.move("city/1/0", PAD)
    table.draw(1, 9.0)
    table.draw(1, 8.0)
    table.pass_bag(1, 2)
    assert not [one for one in (*table.done(), *table.provisional()) if "count_pieces" in one]


def test_who_has_a_piece_left_for_a_monument_held_more_than_was_believed(table, building):
    """R34: of four pieces that somebody counted none is left after PU1."""
    counts_fewer(table, 4)
    table.weigh("city/0/0", 14.0)
    table.move(PAD, "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.weigh("city/0/0", 17.0)
    table.pass_bag(1, 2)
    assert [one.split()[1] for one in table.done()] == [
        "deliver",
        "count_pieces",
        "place_central_park_monument",
        "end_turn",
    ]
