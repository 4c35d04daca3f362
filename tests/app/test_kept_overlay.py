"""What a producer has hidden outlasts the hub, where its journal is kept."""

import aiohttp

from citytable import app
from citytable.settings import Settings
from citytable.views.address import At
from citytable.views.kept_overlay import beside


async def test_a_hub_that_starts_again_remembers_what_was_hidden(tmp_path):
    path = tmp_path / "salon.sqlite3"
    settings = Settings(twin=False, phones=True, speed=1.0, journal_path=path)
    hidden = []
    for trigger in ("score/hide", "turn/hide"):
        async with app.running_hub(settings) as hub, aiohttp.ClientSession() as box:
            keys = app.keys_of(settings, hub)
            async with app.screens(hub, keys, At("127.0.0.1"), overlay=beside(path)) as port:
                pages, headers = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {keys.producer_key()}"}
                async with box.get(f"{pages}/api/view") as response:
                    hidden.append((await response.json())["data"]["overlay"]["hidden"])
                async with box.post(f"{pages}/api/overlay/{trigger}", headers=headers) as response:
                    hidden.append((await response.json())["hidden"])
    assert hidden == [[], ["score"], ["score"], ["score", "turn"]]
