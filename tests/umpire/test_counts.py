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
