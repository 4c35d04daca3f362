"""A hub with a delay: nothing that leaves it for the public is early."""

import json
from contextlib import asynccontextmanager

import aiohttp
import pytest
from msgspec.structs import replace

from citytable import app, home
from citytable.games import NAMES, box_of
from citytable.hub import _holds
from citytable.settings import Settings
from citytable.table.plan import Misconfigured
from citytable.table.word import Naming
from citytable.views.address import At
from citytable.views.state import Provisional
from citytable.views.viewer import HOST, PUBLIC, seen_by

SETTINGS = Settings(twin=False, phones=True, delay_s=60, speed=1.0)


def named(scene):
    return [player["name"] for player in scene["players"]] if scene else []


async def test_pages_feed_and_home_assistant_are_all_behind(monkeypatch):
    homes = []

    @asynccontextmanager
    async def telling(reported, _broker):
        homes.append(reported)
        yield

    monkeypatch.setattr(home, "telling", telling)
    async with app.running_hub(SETTINGS) as hub:
        at_a_broker = replace(hub, wire="none of this test's business")
        keys = app.keys_of(SETTINGS, hub)
        async with app.screens(hub, keys, At("127.0.0.1")) as port, app.at_home(SETTINGS, at_a_broker):
            await hub.session.say(Naming(names=("Ada", "Bo", "Cy"), by="host"))
            host = {"Cookie": f"{keys.cookie_name(HOST)}={keys.key(HOST)}"}
            async with aiohttp.ClientSession(headers=host) as browser:
                scenes = {}
                for viewer in ("public", "host"):
                    async with browser.get(f"http://127.0.0.1:{port}/api/view?as={viewer}") as response:
                        scenes[viewer] = (await response.json())["data"]["scene"]
            assert named(scenes["host"]) == ["Ada", "Bo", "Cy"]
            assert named(scenes["public"]) == []
            assert seen_by(PUBLIC, homes[0].view).scene is None


@pytest.mark.parametrize("game", NAMES)
def test_what_the_public_waits_for_is_an_act_of_the_game(game, root):
    words = json.loads((root / f"dashboard/src/games/{game}/words/en.json").read_text("utf-8"))
    assert {f"action.{verb}" for verb in box_of(game).suspense} <= set(words)


async def test_the_public_waits_at_a_running_hub_and_the_host_does_not():
    async with app.running_hub(replace(SETTINGS, delay_s=0, hold=True)) as hub:
        seen = []
        hub.delay.show_on(lambda now, public: seen.append((len(now.provisional), len(public.provisional))))
        assert seen == [(0, 0)]
        before = hub.session.view()
        hub.delay.show(replace(before, provisional=(Provisional("p1 deliver contract=PU1 platform=1 at=1/0", "seen"),)))
        assert seen[-1] == (1, 0)


class Plain:
    """A box with nothing that an audience waits for."""

    name = "plain"


def test_a_game_with_nothing_to_wait_for_says_so():
    with pytest.raises(Misconfigured, match="plain has no act whose outcome the public could wait for"):
        _holds(replace(SETTINGS, box=Plain(), hold=True))
