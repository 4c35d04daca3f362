"""A purchase at the table is confirmed, taken back and put back; a tile that may not be bought is refused."""

from contextlib import asynccontextmanager

import pytest

from citytable import app
from citytable.games import box_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.word import Statement, TakeBack

pytestmark = [pytest.mark.broker, pytest.mark.long(3)]
BOX = box_of("dilluvia")
LOOK_MS = 500
BEGIN = ("table draw_order order=1,2", "p1 zeppelin at=left1", "p2 zeppelin at=left2")


@asynccontextmanager
async def shopping():
    """A hub, and a virtual table on which seat 1 may buy."""
    settings = Settings(box=BOX, options=BOX.options(2), seed=4)
    async with running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        white = hub.play.umpire.position.white[:16]
        await twin.act(*(bring(tile, f"market/{space}") for space, tile in enumerate(white, start=1)))
        await twin.wait(LOOK_MS)
        for line in BEGIN:
            await hub.session.say(Statement(action=line, by="table"))
            await twin.wait(LOOK_MS)
        yield hub, twin, white


def bring(tile, spot):
    return {"act": "bring", "thing": f"tile/{tile}", "spot": spot}


async def test_a_purchase_is_taken_back_and_its_tile_put_back():
    async with shopping() as (hub, twin, white):
        before = hub.play.umpire.position
        await twin.act(bring(white[0], "seat/1/card/1"))
        await twin.wait(LOOK_MS)
        assert str(hub.play.actions[-1]) == "p1 buy space=1"
        *_, entry = await hub.session.entries()
        await hub.session.say(TakeBack(entry=entry.seq, by="host"))
        await twin.wait(LOOK_MS)
        (wrong,) = hub.session.play.umpire.status().disagreements
        assert (wrong.thing, wrong.to) == (f"tile/{white[0]}", ("market/1",))
        await twin.act(bring(white[0], "market/1"))
        await twin.wait(LOOK_MS)
        assert hub.session.play.umpire.status().disagreements == ()
        assert hub.play.umpire.position == before


async def test_a_tile_of_another_line_is_refused_by_its_rule():
    async with shopping() as (hub, twin, white):
        await twin.act(bring(white[15], "seat/1/card/0"))
        await twin.wait(LOOK_MS)
        assert {one.rule for one in hub.session.play.umpire.status().disagreements if one.kind == "refused"} == {"DR5"}
        await twin.act(bring(white[15], "market/16"))
        await twin.wait(LOOK_MS)
        assert hub.session.play.umpire.status().disagreements == ()
