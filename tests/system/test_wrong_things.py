"""Things that lie where they should not: the table says so, lights the place, and what happens then."""

import json

import pytest

from citytable.games.megacity.actions import TakePieces
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.spots import CITY
from citytable.rehearsal.megacity.acts import holds
from citytable.table import spot as spots
from citytable.table.hexes import Hex

pytestmark = [pytest.mark.broker, pytest.mark.long(7)]

CONTRACT, PLATFORM = "CO1", 7  # of seed 6: see test_rings.py
KEYS = "04c0ffee000001"  # somebody's bus pass
AT = Hex(2, 0)


@pytest.fixture(scope="module")
def wrong_rgb(root):
    roles = json.loads((root / "hub/citytable/views/roles.json").read_text())["roles"]
    return tuple(next(role["rgb"] for role in roles if role["role"] == "wrong"))


async def test_a_tag_nobody_registered_is_named_until_it_is_taken_away_and_holds_nothing_up(open_table, wrong_rgb):
    async with open_table() as table:
        await table.deal()
        await table.twin.act({"act": "lay_tag", "spot": spots.city(AT), "uid": KEYS})
        await table.twin.wait(3000)  # longer than something may take to settle
        (wrong,) = table.hub.session.play.umpire.status().disagreements
        assert (wrong.kind, wrong.spots, wrong.thing) == ("unregistered", (spots.city(AT),), KEYS)
        assert (await table.ring(spots.city(AT))).looks_like(wrong_rgb)
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
        assert holds(table.hub.play.umpire.position, table.game.position)
        assert not table.hub.session.play.umpire.status().agrees, "it still lies there"
        await table.twin.act({"act": "lift_tag", "spot": spots.city(AT)})
        await table.twin.wait(3000)  # longer than something may take to settle
        assert table.hub.session.play.umpire.status().agrees
        assert await table.ring(spots.city(AT)) is None


async def test_a_platform_where_it_may_not_go_is_refused_with_its_rule_and_the_way_back(open_table, wrong_rgb):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        seat, before = table.game.position.player, table.hub.play.umpire.position
        far = next(cell for cell in CITY if cell not in delivery_hexes(table.game.position) and cell != Hex(0, 0))
        await table.build(CONTRACT, PLATFORM)
        await table.twin.act({"act": "misplace", "seat": seat, "platform": PLATFORM, "at": list(far)})
        await table.twin.wait(6000)  # longer than a tower rests on its way
        (wrong,) = table.hub.session.play.umpire.status().disagreements
        assert (wrong.kind, wrong.rule, wrong.spots) == ("refused", "R25", (spots.city(far),))
        assert wrong.thing == f"platform/{PLATFORM}/commercial"
        assert set(wrong.to) == {spots.pad(seat, k) for k in range(3)}
        assert wrong.text["en"] == "That hex touches no tile of the city."
        assert wrong.text["fr"].startswith("Cet hexagone ne touche aucune tuile")
        assert (await table.ring(spots.city(far))).looks_like(wrong_rgb)
        assert len({await _brightness(table, spots.city(far)) for _ in range(3)}) > 1, "it pulses"
        assert table.hub.play.umpire.position == before, "nothing of it is confirmed"
        await table.twin.act({"act": "put_right", "platform": PLATFORM, "spot_prefix": f"seat/{seat}/pad"})
        await table.twin.wait(3000)  # longer than something may take to settle
        assert table.hub.session.play.umpire.status().agrees
        assert await table.ring(spots.city(far)) is None


async def _brightness(table, spot) -> int:
    """How brightly a ring shines, a part of a pulse later than the last time."""
    await table.twin.wait(310)
    (seen,) = await table.twin.act({"act": "look", "spot": spot})
    return max(max(pixel) for pixel in seen["pixels"])
