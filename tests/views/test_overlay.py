"""Elements of the overlay come and go by the host's page and by plain HTTP triggers."""

import logging
import stat

import pytest

from citytable.views.kept_overlay import beside
from citytable.views.keys import Keys
from citytable.views.overlay import ELEMENTS, TRIGGERS, Overlay
from citytable.views.refusals import Refused
from citytable.views.viewer import HOST, PUBLIC, Viewer, seen_by

pytestmark = pytest.mark.asyncio

KEY = Keys(b"secret", "salon", "game-1").producer_key()
BUTTON = {"Authorization": f"Bearer {KEY}"}


def everything_but(*names):
    return Overlay(tuple(one for one in ELEMENTS if one not in names))


@pytest.mark.parametrize("before", [Overlay(), everything_but("score"), everything_but()])
async def test_a_trigger_does_what_its_name_says(before):
    for element in ELEMENTS:
        others = [one for one in before.hidden if one != element]
        assert element not in before.after(element, "show").hidden
        assert element in before.after(element, "hide").hidden
        assert (element in before.after(element, "toggle").hidden) == (element not in before.hidden)
        for trigger in TRIGGERS:
            assert [one for one in before.after(element, trigger).hidden if one != element] == others
    assert before.after("all", "show") == Overlay()
    assert before.after("all", "hide") == everything_but()
    assert before.after("all", "toggle") == (Overlay() if before == everything_but() else everything_but())


@pytest.mark.parametrize(("element", "trigger", "seen"), [("scroe", "hide", "'scroe'"), ("score", "hid", "'hid'")])
async def test_a_trigger_that_does_not_exist_says_which_do(element, trigger, seen):
    with pytest.raises(Refused, match=seen) as refusal:
        Overlay().after(element, trigger)
    assert refusal.value.status == 404
    assert ("score, turn, delivery, sentence, card, all" if seen == "'scroe'" else "show, hide, toggle") in str(
        refusal.value
    )


async def test_a_button_box_needs_nothing_but_a_key(site):
    async with site.browser() as box:
        async with box.post(site.url("/api/overlay/score/hide"), headers=BUTTON) as response:
            assert (response.status, await response.json()) == (202, {"accepted": True, "hidden": ["score"]})
        async with box.post(site.url("/api/overlay/turn/toggle"), headers=BUTTON, data=b"anything") as response:
            assert (await response.json())["hidden"] == ["score", "turn"]
        async with box.get(site.url("/api/view")) as response:
            assert (await response.json())["data"]["overlay"] == {"hidden": ["score", "turn"]}
    assert site.heard.kept[-1] == Overlay(("score", "turn")), "the next start of the hub knows it"


async def test_the_host_needs_no_key_and_reads_it(site):
    async with site.browser(HOST) as host:
        async with host.post(site.url("/api/overlay/all/hide"), json={}) as response:
            assert response.status == 202
        async with host.get(site.url("/api/overlay")) as response:
            assert await response.json() == {"hidden": list(ELEMENTS), "key": KEY}
        async with host.post(site.url("/api/overlay/all/show"), data=b"x") as response:
            assert response.status == 415, "a foreign page could send this"


@pytest.mark.parametrize(
    ("viewers", "headers", "status"),
    [
        ([], {}, 401),
        ([Viewer(seat=1)], {}, 403),
        ([], {"Authorization": f"Bearer {KEY[:-1]}0x"}, 401),
        ([HOST], {"Authorization": "Bearer "}, 401),
        ([], {"Authorization": f"Basic {KEY}"}, 401),
        ([], BUTTON | {"Origin": "https://elsewhere.example"}, 403),
    ],
)
async def test_nobody_else_changes_what_is_on_air(site, viewers, headers, status):
    async with site.browser(*viewers) as somebody:
        async with somebody.post(site.url("/api/overlay/score/hide"), json={}, headers=headers) as response:
            assert response.status == status
        async with somebody.get(site.url("/api/view")) as response:
            assert (await response.json())["data"]["overlay"] == {"hidden": []}


async def test_the_key_of_a_button_box_opens_nothing_else(site):
    async with site.browser() as box:
        for path in ("/api/overlay", "/api/phones", "/api/view?as=host"):
            async with box.get(site.url(path), headers=BUTTON) as response:
                assert response.status == 401, path
        async with box.post(site.url("/api/enter"), json={"as": "host", "key": KEY}) as response:
            assert response.status == 403


async def test_every_open_overlay_follows_with_one_message(site, midgame):
    async with site.session.ws_connect(site.url("/feed")) as feed, site.browser() as box:
        assert (await feed.receive_json())["data"]["overlay"] == {"hidden": []}
        async with box.post(site.url("/api/overlay/delivery/hide"), headers=BUTTON):
            change = await feed.receive_json()
        assert change["data"] == {"overlay": {"hidden": ["delivery"]}}
        site.server.show(midgame)
        async with box.post(site.url("/api/overlay/delivery/show"), headers=BUTTON):
            assert (await feed.receive_json())["data"] == {"overlay": {"hidden": []}}, "it outlasts a new view"
        async with box.post(site.url("/api/overlay/all/hide"), headers=BUTTON):
            assert (await feed.receive_json())["data"] == {"overlay": {"hidden": list(ELEMENTS)}}, "in one"


async def test_the_key_lasts_from_game_to_game_and_is_that_of_the_table():
    keys = Keys(b"secret", "salon", "game-1", start="monday")
    assert keys.of("game-2").producer_key() == KEY
    others = {Keys(b"another", "salon", "g").producer_key(), Keys(b"secret", "cave", "g").producer_key()}
    assert KEY not in others | {keys.key(HOST), keys.key(PUBLIC)}


async def test_the_state_outlasts_the_hub(tmp_path, caplog, midgame):
    kept = beside(tmp_path / "salon.sqlite3")
    assert kept.on(midgame) == midgame
    kept.keep(everything_but("turn"))
    file = tmp_path / "salon.overlay.json"
    assert beside(tmp_path / "salon.sqlite3").on(midgame).overlay == everything_but("turn")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text('{"hidden": ["scroe"]}')
    with caplog.at_level(logging.WARNING):
        assert kept.on(midgame) == midgame
    assert "all elements are on air" in caplog.text
    assert beside(None).on(midgame) == midgame


async def test_what_is_off_air_is_no_secret(midgame):
    assert seen_by(PUBLIC, midgame).overlay == Overlay()
