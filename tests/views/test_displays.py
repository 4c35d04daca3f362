"""The host, or a button box, chooses what each display shows; it outlasts new views and the overlay's triggers."""

import aiohttp
import pytest

from citytable.views.overlay import DISPLAYS_MAX, Overlay
from citytable.views.refusals import Refused
from citytable.views.viewer import HOST


async def test_the_host_assigns_a_display_and_every_page_is_told(site):
    async with site.browser(HOST) as host, aiohttp.ClientSession() as somebody:
        async with host.post(site.url("/api/displays/bar/scores"), json={}) as response:
            assert (response.status, (await response.json())["displays"]) == (202, {"bar": "scores"})
        async with host.post(site.url("/api/overlay/turn/hide"), json={}):
            pass
        async with somebody.get(site.url("/api/view")) as response:
            assert (await response.json())["data"]["overlay"] == {"hidden": ["turn"], "displays": {"bar": "scores"}}
        async with somebody.post(site.url("/api/displays/bar/dark"), json={}) as response:
            assert response.status == 401


def test_a_display_that_shows_the_game_again_needs_no_entry():
    assert Overlay().assigned("bar", "dark").assigned("bar", "game").displays == {}


@pytest.mark.parametrize(("display", "shows"), [("a b", "city"), ("x" * 17, "city"), ("bar", "weather")])
def test_what_is_no_display_and_what_none_can_show_is_refused(display, shows):
    with pytest.raises(Refused):
        Overlay().assigned(display, shows)


def test_there_is_an_end_to_displays():
    overlay = Overlay()
    for k in range(DISPLAYS_MAX):
        overlay = overlay.assigned(f"d{k}", "city")
    with pytest.raises(Refused):
        overlay.assigned("one-more", "city")
