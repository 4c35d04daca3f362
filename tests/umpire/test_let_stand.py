"""What happened against a rule is recorded as it happened, once the host lets it stand."""

import pytest

from citytable.rules.errors import IllegalAction
from citytable.table.hexes import Hex
from citytable.table.word import Ruling

pytestmark = pytest.mark.long(9)


def let_stand(table, action):
    table.umpire.say(Ruling(action=action, by="host"))
    table.confirmed += table.umpire.judge()


def refused(table):
    return next(one for one in table.umpire.status().disagreements if one.kind == "refused")


def breaking(table):
    return {one.text.split()[1]: one.breaks for one in table.confirmed if one.breaks}


def test_a_third_contract_is_recorded_with_the_rule_it_breaks(table, deal):
    for column in deal.columns[:2]:
        table.take_contract(1, column[0], column[1])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    third = deal.columns[2]
    table.take_contract(1, third[0], third[1])
    let_stand(table, refused(table).action)
    assert table.umpire.status().agrees
    assert table.provisional() == [f"p1 take_contract contract={third[0]}"]
    table.pass_bag(1, 2)
    assert breaking(table) == {"take_contract": "R8"}
    assert set(table.position.players[0].contracts) == {deal.columns[0][0], deal.columns[1][0], third[0]}
    table.take_contract(2, third[1], third[2])  # and play goes on
    assert table.provisional() == [f"p2 take_contract contract={third[1]}"]


def test_a_third_action_of_a_turn_is_recorded(table, deal):
    for column in deal.columns[:2]:
        table.take_contract(1, column[0], column[1])
    platform = next(face for face in deal.supply if face.up == "public")
    spot = table.where(f"platform/{platform.platform}/public")
    table.move(spot, "seat/1/pad/0")
    table.lay("platform/20/industrial", spot)
    let_stand(table, refused(table).action)
    table.pass_bag(1, 2)
    assert breaking(table) == {"take_platform": "R7"}
    assert [face.platform for face in table.position.players[0].platforms] == [platform.platform]
    assert 20 in {face.platform for face in table.position.supply}


def test_a_delivery_to_a_hex_that_touches_nothing_is_recorded_where_it_stands(table, building):
    table.move("seat/1/pad/0", "city/3/0")
    let_stand(table, refused(table).action)
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.pass_bag(1, 2)
    assert breaking(table) == {"deliver": "R25"}
    assert table.position.buildings[-1].at == Hex(3, 0)
    assert table.umpire.status().agrees


def test_a_tower_too_low_counts_if_the_host_lets_it_stand(table, building):
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    low = {"height_mm": 12, "steel": 2, "concrete": 2, "glass": 0, "judged": True}
    with pytest.raises(IllegalAction, match="R18") as refusal:
        table.answer(**low)
    let_stand(table, refusal.value.action)
    assert table.umpire.questions == ()
    table.pass_bag(1, 2)
    assert breaking(table) == {"deliver": "R18"}
    assert table.position.buildings[-1].height_mm == 12


def test_what_cannot_have_happened_does_not_stand_either(table, building):
    with pytest.raises(IllegalAction, match="cannot have happened"):
        let_stand(table, "p1 take_contract contract=ZZ9")
    with pytest.raises(ValueError, match=r"does not fit what is on the table|cannot have happened"):
        let_stand(table, "p1 deliver contract=PU1 platform=31 at=1/0 stood=yes height=9mm pieces=glass:4 judged=yes")
    assert table.umpire.status().agrees


@pytest.mark.parametrize("who_and_what", ["p1 deliver contract=ZZ9", "p4 deliver contract=PU1"])
def test_a_card_or_a_player_that_is_not_there_is_refused_with_a_sentence(table, building, who_and_what):
    with pytest.raises(IllegalAction, match=r"cannot have happened|There is no seat 4"):
        let_stand(table, f"{who_and_what} platform={building.split('/')[1]} at=1/0 stood=yes")


def test_a_legal_action_that_is_let_stand_breaks_nothing(table, deal):
    let_stand(table, "p1 take_pieces announced=steel drawn=steel:1")
    table.draw(1, 2.0)
    table.pass_bag(1, 2, drew=0)
    assert table.done() == ["p1 take_pieces announced=steel drawn=steel:1", "p1 end_turn"]
    assert breaking(table) == {}


@pytest.mark.parametrize("turns", [1, 2, pytest.param(3, marks=pytest.mark.soak)])
def test_a_ruling_may_come_turns_later(table, deal, turns):
    """Nobody put the third card back, and play went on before the host came by."""
    for column in deal.columns[:3]:
        table.take_contract(1, column[0], column[1])
    seat = 1
    for _ in range(turns):
        seat, before = seat % 3 + 1, seat
        table.pass_bag(before, seat)
        table.draw(seat, 6.5)
        table.draw(seat, 7.5)
    assert table.done() == []
    let_stand(table, refused(table).action)
    assert table.umpire.status().agrees
    assert breaking(table) == {"take_contract": "R7"}
    drawn = [f"p{player} take_pieces" for player in (2, 3)[: turns - 1] for _ in range(2)]
    assert [text[:14] for text in table.done() if "take_pieces" in text] == drawn
    assert (table.position.turn, table.position.player) == (turns + 1, seat)
    assert table.provisional() == [f"p{seat} take_pieces drawn=unknown:3"] * 2


def test_after_more_than_a_round_nothing_is_made_up(table, deal):
    for column in deal.columns[:3]:
        table.take_contract(1, column[0], column[1])
    for before, seat in ((1, 2), (2, 3), (3, 1), (1, 2), (2, 3)):
        table.pass_bag(before, seat)
        table.draw(seat, 6.5)
    let_stand(table, refused(table).action)
    assert table.done() == []
    assert not table.umpire.status().agrees


def test_a_delivery_against_a_rule_may_be_ruled_and_told_while_others_play(table, building):
    table.move("seat/1/pad/0", "city/3/0")
    table.lift(table.where("contract/PU1"))
    for before, seat in ((1, 2), (2, 3)):
        table.pass_bag(before, seat)
        table.draw(seat, 6.5)
    let_stand(table, refused(table).action)
    assert table.umpire.status().agrees
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    table.tells("p2 take_pieces")
    assert breaking(table) == {"deliver": "R25"}
    assert [text.split()[:2] for text in table.done()] == [
        ["p1", "deliver"],
        ["p1", "end_turn"],
        ["p2", "take_pieces"],
        ["p2", "end_turn"],
    ]
    assert table.provisional() == ["p3 take_pieces drawn=unknown:3"]
