"""A game that began on phones goes on at a table with its first station: only what is asked changes."""

import msgspec
import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import Hub, running_hub
from citytable.rehearsal.megacity.acts import set_up_act
from citytable.rehearsal.twin import running_twin
from citytable.settings import Settings
from citytable.table.plan import CellPlan, Plan, SpotPlan, StationPlan, tag_uid
from citytable.table.word import Statement
from citytable.views.viewer import PUBLIC, Seen, seen_by

pytestmark = [pytest.mark.broker, pytest.mark.long(3)]

COLUMNS = "PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
ON_PHONES = (
    f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1",
    "p1 take_contract contract=PU1",
    "p1 end_turn",
    "p2 take_contract contract=IN1",
)
NEXT = "p1 take_contract contract=CO1"
CRADLE = SpotPlan("seat/1/bag", cells=(CellPlan(counts_per_g=716.0, zero_counts=0, capacity_g=3000),), reader=True)
STATION = StationPlan("seat-1", "seat", (CRADLE,))
LOOKS = 40


async def _say(hub: Hub, *actions: str) -> None:
    for action in actions:
        await hub.session.say(Statement(action=action, by="host"))


def _seen(hub: Hub) -> Seen:
    return seen_by(PUBLIC, hub.session.view())


async def test_with_a_cradle_the_turn_is_passed_by_the_bag_and_everything_else_is_said_as_before(tmp_path):
    phones = Settings(
        options=Options(players=2), twin=False, phones=True, speed=1.0, journal_path=tmp_path / "journal.sqlite3"
    )
    async with running_hub(phones) as hub:
        await _say(hub, *ON_PHONES)
        before, sayable = _seen(hub), hub.play.sayable()
    plan = Plan(phones.plan().table, 4, (STATION,), {tag_uid("bag"): "bag"})
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
    station = replace(phones, phones=False, plan_path=tmp_path / "plan.json", speed=5.0)
    async with running_hub(station) as hub, running_twin(plan, "megacity", hub.broker, 1, 5.0) as twin:
        assert "going on with game" in " ".join(hub.notices)
        after = _seen(hub)
        assert (after.scene, after.trying, after.questions) == (before.scene, before.trying, before.questions)
        assert hub.play.sayable() == sayable
        await twin.act({**set_up_act(phones.options, HOUSE), "start": 1})  # the bag with its pieces comes to seat 1
        for _ in range(LOOKS):
            await twin.wait(500)
            if hub.play.seat == 1:
                break
        assert [str(action) for action in hub.play.actions] == [*ON_PHONES, "p2 end_turn"]
        await _say(hub, NEXT)
        assert [one.action for one in _seen(hub).trying] == [NEXT]
        assert _seen(hub).questions == ()
