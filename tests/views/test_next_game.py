"""The next game through the server's door: the host's, and whose phones do not belong to it lose their place."""

import aiohttp
import pytest
from msgspec.structs import replace

from citytable.table.word import NextGame
from citytable.views.gate import PEOPLE
from citytable.views.keys import Keys
from citytable.views.viewer import HOST, Viewer

SEAT_1 = Viewer(seat=1)
WISH = {"type": "next_game", "after": "game-1", "players": 2, "by": "host"}


async def test_the_host_sees_what_may_be_chosen_and_chooses(site):
    async with site.session.get(site.url("/api/game")) as response:
        assert await response.json() == {
            "after": "game-1",
            "over": False,
            "players": 3,
            "players_min": 2,
            "players_max": 3,
            "simplified": False,
            "names": [],
            "title": "",
            "others": [],
            "rulings": [],
        }
    said = {**WISH, "simplified": True, "same_people": True, "names": ["Anna", ""], "rulings": {"round_limit": 40}}
    async with site.session.post(site.url("/api/say"), json=said) as response:
        assert response.status == 202
    assert site.heard.words == [
        NextGame(
            after="game-1",
            players=2,
            simplified=True,
            same_people=True,
            names=("Anna", ""),
            rulings={"round_limit": 40},
            by="host",
        )
    ]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({}, 400),
        ({**WISH, "players": "two"}, 400),
        ({**WISH, "by": "seat 1"}, 403),
        ({**WISH, "players": 4}, 400),
        ({**WISH, "names": ["x" * 17]}, 400),
        ({**WISH, "rulings": {"round_limit": -1}}, 400),
        ({**WISH, "rulings": {"round_limit": "many"}}, 400),
    ],
)
async def test_what_makes_no_sense_begins_nothing(site, said, status):
    async with site.session.post(site.url("/api/say"), json=said) as response:
        assert response.status == status
        assert set((await response.json())["text"]) == {"en", "fr"}
    assert site.heard.words == []


@pytest.mark.parametrize("who", [(), (SEAT_1,)])
@pytest.mark.parametrize(("verb", "path"), [("GET", "/api/game"), ("POST", "/api/say")])
async def test_nobody_but_the_host_begins_a_game(site, verb, path, who):
    async with site.browser(*who) as browser, browser.request(verb, site.url(path), json=WISH) as response:
        assert response.status == (403 if who else 401)
    assert site.heard.words == []


async def test_with_new_people_the_players_phones_are_strangers_and_everybody_else_stays(site, midgame):
    keys = Keys(b"secret", "salon", "game-1")
    feeds = {}
    for who in ("host", "seat/1", "public"):
        feeds[who] = await site.session.ws_connect(site.url(f"/feed?as={who}"))
        await feeds[who].receive_json()
    site.server._gate.change(keys.of("game-1"), 3)
    site.server.send_away()
    site.server.show(replace(midgame, table="the same people"))
    for feed in feeds.values():
        assert (await feed.receive_json())["data"]["table"] == "the same people"
    site.server._gate.change(keys.of("game-2"), 3)
    site.server.send_away()
    site.server.show(replace(midgame, table="new people"))
    assert (await feeds["seat/1"].receive()).type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}
    assert feeds["seat/1"].close_code == aiohttp.WSCloseCode.POLICY_VIOLATION, "the table is not closed"
    for who in ("host", "public"):
        assert (await feeds[who].receive_json())["data"]["table"] == "new people"
    async with site.session.get(site.url("/api/entered")) as response:
        assert await response.json() == ["host"]
    for feed in feeds.values():
        await feed.close()


def test_all_keys_but_the_hosts_are_of_the_game():
    keys = Keys(b"secret", "salon", "game-1")
    assert [who for who in PEOPLE if keys.key(who) == keys.of("game-2").key(who)] == [HOST]


async def test_a_phone_at_a_seat_where_nobody_plays_any_more_is_a_stranger_though_the_others_stay(site, midgame):
    keys = Keys(b"secret", "salon", "game-1")
    feed = await site.session.ws_connect(site.url("/feed?as=seat/3"))
    await feed.receive_json()
    site.server._gate.change(keys.of("game-1"), 2)
    site.server.send_away()
    assert (await feed.receive()).type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}
    async with site.session.get(site.url("/api/entered")) as response:
        assert await response.json() == ["host", "seat/1", "seat/2"]
    gone = Viewer(seat=3)
    for word in (keys.key(gone), keys.pin(gone)):
        async with site.session.post(site.url("/api/enter"), json={"as": "seat/3", "key": word}) as response:
            assert response.status == 403
    await feed.close()
