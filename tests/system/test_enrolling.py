"""A tag that the host enrols during a game counts at once, where it lies, and a hub that comes back knows it."""

import pytest
from msgspec.structs import replace

from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.doctor.plan_file import write_plan
from citytable.enrolling import Enrolling
from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.hub import replayed
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.plan import full_plan, load_plan
from citytable.views.tags import TagWish

pytestmark = [pytest.mark.broker, pytest.mark.long(3)]

BARE = "contract/L-RE"  # the thing without a tag
STICKER = "04c0ffee000001"
DEAD, STRANGER = "04c0ffee000002", "04c0ffee000003"
AT = spots.city(Hex(2, 0))


async def test_a_tag_counts_at_once_where_it_lies_and_after_a_restart(open_table, tmp_path):
    path = tmp_path / "table.json"
    write_plan(path, full_plan("table", 2, BOX.shared_spots(), tuple(one for one in BOX.things(2) if one != BARE)))
    async with open_table(plan_path=path) as table:
        await table.deal()
        play = table.hub.session.play
        page = Enrolling(path, BOX, lambda: play.umpire.observed.lying, table.hub.session.say)
        await table.twin.act({"act": "lay_tag", "spot": AT, "uid": STICKER})
        await table.twin.wait(3000)  # longer than something may take to settle
        assert play.umpire.observed.at(AT) == {f"?{STICKER}"}
        assert [one.uid for one in page.tags().unknown] == [STICKER]
        await page.enrol(TagWish(STICKER, BARE))
        assert play.umpire.observed.at(AT) == {BARE}
        assert load_plan(path).tags[STICKER] == BARE
        assert [one.kind for one in play.umpire.status().disagreements] == ["unexpected"]
        again = Play(BOX.table(), load_plan(path), MegaCity(table.settings.options, HOUSE).position)
        recall(again, (await table.hub.journal.entries("table-seed-6")).entries, lambda one: replayed(one, BOX))
        assert again.umpire.observed.at(AT) == {BARE}
        await table.twin.act({"act": "lift_tag", "spot": AT})
        await table.twin.wait(3000)
        assert play.umpire.observed.at(AT) == frozenset()
        assert play.umpire.status().agrees
        await table.twin.act({"act": "lay_tag", "spot": AT, "uid": STICKER})
        await table.twin.wait(3000)
        assert play.umpire.observed.at(AT) == {BARE}


async def test_a_dead_tag_of_a_box_is_replaced_in_mid_game_and_another_copy_is_named_by_its_box(open_table, tmp_path):
    path, ours, theirs = tmp_path / "table.json", path_of("ours", tmp_path), path_of("theirs", tmp_path)
    write_plan(path, full_plan("table", 2, BOX.shared_spots(), tuple(one for one in BOX.things(2) if one != BARE)))
    write_box(ours, replace(new_box("ours", "megacity"), tags={DEAD: BARE}))
    write_box(theirs, replace(new_box("theirs", "megacity"), tags={STRANGER: "contract/PU1"}))
    async with open_table(plan_path=path, box_path=ours) as table:
        await table.deal()
        play = table.hub.session.play
        page = Enrolling(path, BOX, lambda: play.umpire.observed.lying, table.hub.session.say, ours)
        await table.twin.act({"act": "lay_tag", "spot": AT, "uid": STRANGER})
        await table.twin.wait(3000)
        (wrong,) = play.umpire.status().disagreements
        assert (wrong.kind, wrong.thing, wrong.spots) == ("unexpected", "contract/PU1", (AT,))
        assert wrong.text["en"].startswith(
            "This belongs to the box theirs, but this table is playing with another one: take it"
        )
        await table.twin.act({"act": "lift_tag", "spot": AT})
        await table.twin.act({"act": "lay_tag", "spot": AT, "uid": STICKER})
        await table.twin.wait(3000)
        assert [one.uid for one in page.tags().unknown] == [STICKER]
        await page.enrol(TagWish(STICKER, BARE, replaces=True))
        assert play.umpire.observed.at(AT) == {BARE}
        assert load_box(ours).tags == {STICKER: BARE}
        started = (await table.hub.journal.entries(table.hub.game_id)).entries[0].body
        assert not {DEAD, STRANGER} & set(started.plan.tags)
