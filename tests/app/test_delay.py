"""A hub with a delay: nothing that leaves it for the public is early."""

from contextlib import asynccontextmanager

import aiohttp
from msgspec.structs import replace

from citytable import app, home
from citytable.settings import Settings
from citytable.table.word import Naming
from citytable.views.address import At
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
