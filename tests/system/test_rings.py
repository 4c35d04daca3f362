"""The loop closed: from a virtual cell, card or platform through station, wire, hub and back to a lit ring."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from citytable.games.megacity.actions import TakePieces
from citytable.games.megacity.city import can_slide_in, delivery_hexes
from citytable.games.megacity.pieces import HOUSE
from citytable.rehearsal.megacity.acts import holds
from citytable.table import spot as spots
from citytable.table.hexes import Hex

pytestmark = [pytest.mark.broker, pytest.mark.long(25)]

# seed 6: seat 1 begins, the commercial column shows CO1, and platform 7 lies in the supply with its commercial side up
CONTRACT, PLATFORM, FIRST = "CO1", 7, 1
AT = Hex(1, -1)


@pytest.fixture(scope="module")
def roles(root) -> dict[str, Any]:
    """The roles as the file has them, not as the hub's renderer reads them."""
    return json.loads((root / "hub/citytable/views/roles.json").read_text())


@pytest.fixture(scope="module")
def look_of(roles) -> Callable[..., tuple[str, tuple[int, int, int]]]:
    """`look_of("legal", seat)`: pattern and colour."""

    def look(name: str, seat: int | None = None):
        role = next(role for role in roles["roles"] if role["role"] == name)
        rgb = roles["seats"][str(seat)] if role["rgb"] == "seat" else role["rgb"]
        return role["pattern"], tuple(rgb)

    return look


def _is(one, look) -> bool:
    pattern, rgb = look
    return one is not None and one.pattern == pattern and one.looks_like(rgb)


async def test_after_the_deal_the_pads_of_the_seat_to_act_shine_and_nobody_elses(open_table, look_of):
    async with open_table() as table:
        assert await table.rings() == {}, "before the deal nothing is lit"
        await table.deal()
        shining = await table.rings()
        first = table.game.position.player
        assert {spot for spot, one in shining.items() if _is(one, look_of("turn", first))} == {
            spots.pad(first, k) for k in range(3)
        }
        assert set(shining) == {light.spot for light in table.seen.lights}
        await table.do(TakePieces(player=first))
        await table.pass_bag()
        other = table.game.position.player
        shining = await table.rings()
        assert {spot for spot in shining if spot.startswith("seat/")} == {spots.pad(other, k) for k in range(3)}
        assert _is(shining[spots.pad(other, 0)], look_of("turn", other))


async def test_exactly_the_hexes_where_one_may_deliver_shine_in_the_colour_of_the_seat(open_table, look_of):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=1)
        await _shows_the_legal_hexes(table, look_of)
        await table.do(TakePieces(player=FIRST))  # R16: now it is too late to deliver
        assert all(light.role not in {"legal", "legal_lift"} for light in table.seen.lights)
        assert {spot for spot in await table.rings() if spot.startswith("city/")} == {"city/0/0"}


async def _shows_the_legal_hexes(table, look_of) -> None:
    position = table.game.position
    assert position.player == FIRST
    legal = {spots.city(cell): cell for cell in delivery_hexes(position)}
    assert legal
    shining = await table.rings()
    assert {spot for spot in shining if spot.startswith("city/")} - {"city/0/0"} == set(legal)
    for spot, cell in legal.items():
        role = "legal" if can_slide_in(position, cell) else "legal_lift"
        assert _is(shining[spot], look_of(role, FIRST)), (spot, shining[spot])
    assert _is(shining["city/0/0"], look_of("central_park"))
    assert {(light.spot, light.seat) for light in table.seen.lights if light.role in {"legal", "legal_lift"}} == {
        (spot, FIRST) for spot in legal
    }


async def test_the_tallest_building_wears_its_crown_once_the_bag_is_passed(open_table, look_of):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        await table.deliver(CONTRACT, PLATFORM, AT)
        assert holds(table.hub.play.umpire.position, table.game.position)
        assert table.game.position.tallest == AT
        assert _is(await table.ring(spots.city(AT)), look_of("tallest"))
        (tile,) = [tile for tile in table.seen.scene.board.tiles if tile.tallest]
        assert (tile.spot, tile.owner) == (spots.city(AT), FIRST)


async def test_a_station_that_starts_anew_gets_its_picture_again(open_table):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=1)
        before = await table.rings()
        stations = {spot: station for spot, station in table.settings.plan().station_of().items() if spot in before}
        sector = stations["city/1/0"]
        await table.twin.act({"act": "reboot", "station": sector})
        await table.twin.wait(1000)
        assert await table.rings() == before
        assert sector in {health.station for health in table.hub.session.view().health if health.online}


async def test_what_a_cell_carries_is_on_the_page_when_it_has_settled(open_table):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        pad = _pad_of(table)
        empty = _live(table, pad)
        await table.build(CONTRACT, PLATFORM)
        assert any(live.moving for view in table.views for live in view.live if live.spot == pad)
        await table.twin.wait(1500)
        built = _live(table, pad)
        assert not built.moving
        assert built.thing == f"platform/{PLATFORM}/commercial"
        assert built.mass_g > empty.mass_g + 3 * HOUSE.contracts[CONTRACT].pieces
        at = list(AT)
        await table.twin.act({"act": "deliver", "seat": FIRST, "platform": PLATFORM, "at": at, "outcome": "stands"})
        await table.twin.wait(1500)
        there = _live(table, spots.city(AT))
        assert there.thing == built.thing
        assert there.mass_g == pytest.approx(built.mass_g, abs=2.0), "what stood on the pad stands on the hex"
        assert _live(table, pad) is None or _live(table, pad).mass_g == pytest.approx(0.0, abs=2.0)


def _live(table, spot):
    return next((live for live in table.hub.session.view().live if live.spot == spot), None)


def _pad_of(table) -> str:
    thing = f"platform/{PLATFORM}/commercial"
    return next(live.spot for live in table.hub.session.view().live if live.thing == thing)


async def test_a_fall_is_suspected_at_once_and_then_confirmed(open_table, every_loss_is_a_fall):
    async with open_table() as table:
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        await table.deliver(CONTRACT, PLATFORM, AT)
        table.views.clear()
        (fell,) = await table.twin.act({"act": "collapse", "at": list(AT)})
        await table.twin.wait(3000)
        lines = [
            (view.t_us, line.no, line.provisional)
            for view in table.views
            for line in view.happened
            if line.key == "sensed.fell" and line.words["spot"] == spots.city(AT)
        ]
        suspected = next(line for line in lines if line[2])
        confirmed = next(line for line in lines if not line[2])
        assert suspected[1] == confirmed[1], "the suspicion became the confirmation"
        assert suspected[0] <= confirmed[0]
        (question,) = table.hub.session.play.questions
        assert question.prompt == "building_fell"
        values = {field.name: field.proposed for field in question.fields} | {
            "to_box": fell["to_box"],
            "left": fell["left"],
        }
        await table.answer(values)
        await table.do(TakePieces(player=table.game.position.player))
        seat = table.game.position.player % 2 + 1
        await table.twin.act({"act": "pass_bag", "from": table.game.position.player, "to": seat})
        await table.until_seat(seat)
        (building,) = table.hub.play.umpire.position.buildings
        assert not building.standing
        assert await table.ring(spots.city(AT)) is None, "nothing stands, so nothing is the tallest"
