"""A box is entered at the command line with its things laid on the readers of a table."""

import asyncio

import pytest
from msgspec.structs import replace

from citytable.box_desk import rows_of
from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.cli_box import Terminal
from citytable.cli_station import Reach
from citytable.doctor.plan_file import write_plan
from citytable.games.megacity.box import BOX
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.plan import full_plan, load_plan

pytestmark = pytest.mark.broker

KNOWN, ONE, OTHER = "04c0ffee000001", "04c0ffee000002", "04c0ffee000003"
AT = spots.city(Hex(2, 0))
TRIES = 20


async def test_each_side_of_a_platform_gets_the_next_unknown_tag_that_comes_to_a_reader(open_table, tmp_path):
    path, ours = tmp_path / "table.json", path_of("ours", tmp_path)
    write_plan(path, full_plan("table", 2, BOX.shared_spots(), BOX.things(2)))
    write_box(ours, replace(new_box("ours", "megacity"), tags={KNOWN: "bag"}))
    row = next(one for one in rows_of(load_box(ours)) if one.thing == "platform/7")
    async with open_table(plan_path=path, box_path=ours) as table:
        tagging = asyncio.create_task(Terminal(ours, "en").tag(row, Reach(table.hub.broker, load_plan(path), None)))
        for uid in (KNOWN, ONE, OTHER):
            for _ in range(TRIES):  # until the command listens
                await table.twin.act({"act": "lay_tag", "spot": AT, "uid": uid})
                await table.twin.wait(500)
                await table.twin.act({"act": "lift_tag", "spot": AT})
                await table.twin.wait(500)
                if uid == KNOWN or uid in load_box(ours).tags:
                    break
        await tagging
    assert load_box(ours).tags == {KNOWN: "bag", ONE: "platform/7/public", OTHER: "platform/7/commercial"}
