"""A table with sensors plays with a box that nobody listed: what a card says is asked where a reader first sees it."""

import pytest

from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.doctor.plan_file import write_plan
from citytable.games.megacity.actions import TakeContract
from citytable.games.megacity.box import BOX
from citytable.table.plan import full_plan
from citytable.table.word import Answer

pytestmark = [pytest.mark.broker, pytest.mark.long(3)]

ASKED_AT_MOST = 10  # times, each thing of the seat and of the table


async def test_a_contract_on_a_reader_is_asked_at_its_seat_and_the_turn_is_sensed_as_ever(open_table, tmp_path):
    path, ours = tmp_path / "table.json", path_of("ours", tmp_path)
    write_plan(path, full_plan("table", 2, BOX.shared_spots(), BOX.things(2)))
    write_box(ours, new_box("ours", "megacity"))
    async with open_table(plan_path=path, box_path=ours, box=load_box(ours).box()) as table:
        await table.deal()
        play, seat = table.hub.session.play, table.game.position.player
        contract = table.game.position.columns[0][0]
        await table.do(TakeContract(seat, contract))
        asked = {one.words["thing"]: one for one in play.questions if one.prompt == "values"}
        assert asked[f"contract/{contract}"].seat == seat
        printed = {"pieces": 3, "plus": False, "height_mm": 33, "requirement_1": "none", "prestige": 4}
        for _ in range(ASKED_AT_MOST):
            for question in [one for one in play.questions if one.prompt == "values"]:
                thing = question.words["thing"]
                said = {one.name: one.proposed for one in BOX.entering.form(thing).fields}
                values = printed if thing == f"contract/{contract}" else said
                await table.hub.session.say(Answer(question=question.id, values=values, by=f"seat {seat}"))
        assert [one for one in play.questions if one.prompt == "values"] == []
        (card,) = table.hub.session.view().scene.board.areas[seat - 1].open_contracts
        assert (card.height_mm, card.pieces, card.prestige) == (33, 3, 4)
        assert [str(one.action) for one in play.umpire.provisional] == [f"p{seat} take_contract contract={contract}"]
        await table.pass_bag()
        assert table.hub.play.seat != seat
        assert table.hub.play.umpire.status().agrees
