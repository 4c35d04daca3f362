"""A hub reads the finished games of its journal once, and shows their records."""

import json
from pathlib import Path

import aiohttp
import pytest
from msgspec.structs import replace

from citytable import app
from citytable.book_keeping import playable, record_book
from citytable.doctor.plan_file import write_plan
from citytable.games import box_of
from citytable.games.megacity.pieces import HOUSE
from citytable.journal.entry import ActionConfirmed, Draft, GameEnded, GameStarted
from citytable.journal.journal import Journal
from citytable.settings import Settings
from citytable.table.plan import full_plan
from citytable.views.address import At
from citytable.views.extras import Extras
from citytable.views.viewer import HOST

PLAYED = Path(__file__).resolve().parents[1] / "games/playthroughs/2p-falls-1.jsonl"
BOX = box_of("megacity")


@pytest.fixture
async def settings(tmp_path):
    """Of a table in whose journal there is a finished game."""
    path = tmp_path / "salon.sqlite3"
    acts = [line["action"] for line in map(json.loads, PLAYED.read_text().splitlines()) if "action" in line]
    options = BOX.written(BOX.options(2))
    started = GameStarted(game="megacity", options=options, deck=HOUSE.name, deck_sha256=BOX.fingerprint())
    async with Journal.open(path) as journal:
        bodies = (started, *(ActionConfirmed(action=act) for act in acts), GameEnded(termination="landmark"))
        await journal.commit("old", [Draft(1_700_000_000_000_000, "system", body) for body in bodies])
    return Settings(twin=False, phones=True, speed=1.0, journal_path=path)


async def test_the_records_of_finished_games_are_shown_and_names_are_the_hosts(settings):
    async with app.running_hub(settings) as hub, record_book(settings, hub) as book, aiohttp.ClientSession() as web:
        while not book.known:  # it is read in the background
            await hub.journal.games()
        keys = app.keys_of(settings, hub)
        async with app.screens(hub, keys, At("127.0.0.1"), extras=Extras(book)) as port:
            pages, cookies = f"http://127.0.0.1:{port}/api/records", {keys.cookie_name(HOST): keys.key(HOST)}
            async with web.get(pages) as response:
                told = await response.json()
            async with web.get(f"{pages}/names") as response:
                assert response.status == 401
            async with web.post(f"{pages}/names", json={"name": "Eve", "keep": True}, cookies=cookies) as response:
                assert response.status == 400
                assert "Eve" in (await response.json())["text"]["en"]
            async with web.post(f"{pages}/names", json={"name": "Eve", "keep": False}, cookies=cookies) as response:
                assert await response.json() == {"offered": [], "kept": []}
    assert (told["game"], told["title"], told["games"]) == ("megacity", "MegaCity: Oceania", 1)
    assert [one["key"] for one in told["records"]] == ["points", "tallest", "longest", "falls"]
    assert {one["day"] for one in told["records"]} == {"2023-11-14"}


def test_a_table_of_phones_plays_every_game_and_a_table_of_sensors_those_it_has_spots_for(settings):
    assert [one.game for one in playable(settings)] == ["megacity", "comeback", "dilluvia"]
    assert [one.game for one in playable(Settings(speed=1.0))] == ["megacity", "comeback", "dilluvia"]
    plan = settings.journal_path.with_name("cafe.json")
    write_plan(plan, full_plan("cafe", 3, box_of("megacity").shared_spots(), ()))
    own = replace(settings, phones=False, plan_path=plan)
    assert [one.game for one in playable(own)] == ["megacity"]
