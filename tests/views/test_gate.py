"""Who may do what: the doors of a running server, as a stranger, a player and the host find them."""

import re
from typing import get_args

import aiohttp
import pytest
from msgspec.structs import replace

from citytable.table.question import Field
from citytable.table.word import Approval, Statement, UndoReply, UndoRequest, Word
from citytable.views.gate import HOST_PIN_TRIES, MAY_SAY, PEOPLE, SEATS
from citytable.views.keys import Keys
from citytable.views.tries import TRIES_OF_ALL, TRIES_OF_ONE, WINDOW_S
from citytable.views.viewer import HOST

KEYS = Keys(b"secret", "salon", "game-1")
SEAT_1, SEAT_2, *_ = SEATS
ASKED = "p2 deliver contract=CO4 platform=6 at=1/1"
VALUES = {"height_mm": 57, "steel": 3, "concrete": 4, "glass": 0, "judged": True}
FOR_HOST = [
    ("GET", "/api/view?as=host", None),
    ("GET", "/feed?as=host", None),
    ("GET", "/api/entries/7/trace", None),
    ("GET", "/api/stations/park/load", None),
    ("GET", "/api/stations/park/tags", None),
    ("GET", "/api/stations/park/log", None),
    ("POST", "/api/stations/park/identify", {}),
    ("POST", "/api/stations/park/lights/red", {}),
    ("GET", "/api/box", None),
    ("POST", "/api/box", {"name": ""}),
    ("GET", "/api/tags", None),
    ("POST", "/api/tags", {"uid": "04a1b2c3d4e5f6", "thing": "bag"}),
    ("GET", "/api/care", None),
    ("POST", "/api/care", {"do": "adopt", "uid": "e66138528355a82f", "station": "park"}),
    ("POST", "/api/care", {"do": "calibrate", "where": "park", "first_g": 500}),
    ("POST", "/api/care", {"do": "level"}),
    ("GET", "/api/phones", None),
    ("GET", "/api/paper", None),
    ("GET", "/api/blanks", None),
    ("POST", "/api/say", {"type": "paper", "paper": {"player": 1}, "by": "host"}),
    ("POST", "/api/say", {"type": "ruling", "action": "p1 end_turn", "by": "host"}),
    ("POST", "/api/say", {"type": "mode", "mode": "record", "by": "host"}),
    ("POST", "/api/say", {"type": "clear_up", "do": "close", "by": "host"}),
    ("POST", "/api/say", {"type": "go_back", "to": 1, "by": "host"}),
    ("POST", "/api/say", {"type": "stays", "by": "host"}),
    ("POST", "/api/say", {"type": "undo_reply", "agrees": False, "by": "host"}),
    ("POST", "/api/say", {"type": "answer", "question": ASKED, "values": VALUES, "by": "host"}),
    ("POST", "/api/say", {"type": "statement", "action": "p1 end_turn", "by": "host"}),
    ("POST", "/api/say", {"type": "approval", "actions": ["p1 end_turn"], "by": "host"}),
]
FOR_SEAT_2 = [
    ("GET", "/api/view?as=seat/2", None),
    ("GET", "/feed?as=seat/2", None),
    ("POST", "/api/say", {"type": "undo_request", "by": "seat 2", "to": 1}),
    ("POST", "/api/say", {"type": "undo_reply", "agrees": True, "by": "seat 2"}),
    ("POST", "/api/say", {"type": "undo_reply", "agrees": False, "by": "seat 2"}),
    ("POST", "/api/say", {"type": "play_again", "by": "seat 2"}),
    ("POST", "/api/say", {"type": "answer", "question": ASKED, "values": VALUES, "by": "seat 2"}),
    ("POST", "/api/say", {"type": "statement", "action": "p2 end_turn", "by": "seat 2"}),
    ("POST", "/api/say", {"type": "approval", "actions": ["p2 end_turn"], "by": "seat 2"}),
    ("POST", "/api/say", {"type": "pieces_said", "spot": "seat/2/pad/0", "n": 6, "by": "seat 2"}),
]


async def asked(browser, site, method, path, body):
    """The status, and what is said."""
    async with browser.request(method, site.url(path), json=body) as response:
        return response.status, (await response.json() if response.status >= 400 else {})


def reached(site):
    """Whether anything came through to the hub."""
    return bool(site.heard.words)


@pytest.mark.parametrize(("method", "path", "body"), [*FOR_HOST, *FOR_SEAT_2, ("GET", "/api/entries", None)])
async def test_a_stranger_is_told_how_to_enter_and_nothing_happens(site, method, path, body):
    async with site.browser() as stranger:
        status, told = await asked(stranger, site, method, path, body)
    assert status == 401
    assert told["text"].keys() == {"en", "fr"}
    assert re.search(r"/host|/seat/", told["text"]["en"])
    assert not reached(site)


@pytest.mark.parametrize(("method", "path", "body"), FOR_HOST)
async def test_what_is_the_hosts_is_no_players(site, method, path, body):
    async with site.browser(*SEATS) as players:
        status, _ = await asked(players, site, method, path, body)
    assert status == 403
    assert not reached(site)


@pytest.mark.parametrize(("method", "path", "body"), FOR_SEAT_2)
async def test_nobody_is_another_player_not_even_the_host(site, method, path, body):
    for others in ((SEAT_1,), (HOST, SEAT_1)):
        async with site.browser(*others) as browser:
            status, told = await asked(browser, site, method, path, body)
        assert status == 403
        assert "seat 2" in told["text"]["en"]
    assert not reached(site)


@pytest.mark.parametrize(("method", "path", "body"), FOR_SEAT_2)
async def test_a_player_may_do_what_is_his(site, method, path, body):
    async with site.browser(SEAT_2) as player, player.request(method, site.url(path), json=body) as response:
        # the feed wants a WebSocket: he is let in, and then told so
        assert response.status in {200, 202, 400}
        assert response.status != 400 or path.startswith("/feed")


@pytest.mark.parametrize(
    "path", ["/", "/display", "/overlay", "/host", "/seat/2", "/stations", "/api/view", "/api/stations"]
)
async def test_everybody_may_look(site, path):
    async with site.browser() as stranger, stranger.get(site.url(path)) as response:
        assert response.status == 200


async def test_a_player_answers_nobody_elses_question_though_the_host_may(site):
    body = {"type": "answer", "question": ASKED, "values": VALUES}
    async with site.browser(SEAT_1, HOST) as browser:
        status, told = await asked(browser, site, "POST", "/api/say", body | {"by": "seat 1"})
        assert (status, "is for seat 2." in told["text"]["en"]) == (403, True)
        status, _ = await asked(browser, site, "POST", "/api/say", body | {"by": "host"})
        assert status == 202
    assert [answer.by for answer in site.heard.words] == ["host"]


def voted_on(midgame, *voters, filled_in=False):
    """Seat 2 fills in a height, these judge it."""
    fields = (Field("height_mm", "mm"), Field("judged", "yesno", voters=voters))
    question = replace(midgame.questions[0], fields=fields[1:] if filled_in else fields)
    return replace(midgame, questions=(question,))


async def test_each_answers_his_part_and_no_other(site, midgame):
    site.server.show(voted_on(midgame, 1, 3))
    parts = [(2, {"height_mm": 61}, 202), (2, {"judged": True}, 400), (3, {"judged": False}, 202)]
    async with site.browser(*SEATS) as phone:
        for seat, values, wanted in [*parts, (3, {"height_mm": 61}, 400), (4, {"judged": True}, 403)]:
            body = {"type": "answer", "question": ASKED, "values": values, "by": f"seat {seat}"}
            status, _ = await asked(phone, site, "POST", "/api/say", body)
            assert (seat, values, status) == (seat, values, wanted)
    assert [(answer.by, answer.values) for answer in site.heard.words] == [
        ("seat 2", {"height_mm": 61}),
        ("seat 3", {"judged": False}),
    ]


@pytest.mark.parametrize(("left", "told"), [((1, 3), "is for seats 1 and 3."), ((), "Only the host can")])
async def test_who_has_answered_is_told_who_is_still_asked(site, midgame, left, told):
    site.server.show(voted_on(midgame, *left, filled_in=True))
    async with site.browser(SEAT_2) as phone:
        body = {"type": "answer", "question": ASKED, "values": {"height_mm": 61}, "by": "seat 2"}
        status, said = await asked(phone, site, "POST", "/api/say", body)
    assert status == 403
    assert told in said["text"]["en"]
    assert site.heard.words == []


@pytest.mark.parametrize("action", ["p2 end_turn", "p02 end_turn", "p1", " ", "P1 end_turn", "p1x end_turn", "p11 x"])
async def test_a_player_states_what_he_did_himself_or_the_table_and_nothing_else(site, action):
    async with site.browser(SEAT_1) as player:
        expected = 202 if action == "p1" else 403  # whether it is an action is the umpire's question
        assert (await asked(player, site, "POST", "/api/say", {"type": "statement", "action": action, "by": "seat 1"}))[
            0
        ] == expected
        fell = {"type": "statement", "action": "table building_fell at=1/0 to_box=2 left=0", "by": "seat 1"}
        assert (await asked(player, site, "POST", "/api/say", fell))[0] == 202
    assert site.heard.words[-1] == Statement(action=fell["action"], by="seat 1")


@pytest.mark.parametrize("others", [["p2 end_turn"], [" "]])
async def test_a_player_taps_on_what_he_did_himself_and_nothing_else(site, others):
    async with site.browser(SEAT_1) as player:
        for actions, expected in ((["p1 take_pieces", *others], 403), (["p1 take_pieces", "table x"], 202)):
            told = await asked(
                player, site, "POST", "/api/say", {"type": "approval", "actions": actions, "by": "seat 1"}
            )
            assert told[0] == expected
    assert site.heard.words == [Approval(actions=("p1 take_pieces", "table x"), by="seat 1")]


async def test_one_phone_may_be_several_seats(site):
    async with site.browser(SEAT_1, SEAT_2) as phone:
        for said in (
            {"type": "undo_request", "by": "seat 1", "to": 3},
            {"type": "undo_reply", "agrees": True, "by": "seat 2"},
        ):
            assert (await asked(phone, site, "POST", "/api/say", said))[0] == 202
    assert site.heard.words == [UndoRequest(by="seat 1", to=3), UndoReply(by="seat 2", agrees=True)]


@pytest.mark.parametrize("word", ["key", "pin", "pin with a blank"])
async def test_a_link_or_a_pin_gives_a_cookie_that_no_script_and_no_other_site_gets(site, word):
    key = {"key": KEYS.key(HOST), "pin": KEYS.pin(HOST)}.get(word, f" {KEYS.pin(HOST)[:3]} {KEYS.pin(HOST)[3:]}")
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:  # unsafe: also for numbers
        async with browser.post(site.url("/api/enter"), json={"as": "host", "key": key}) as response:
            assert response.status == 202
            cookie = response.headers["Set-Cookie"]
        assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="))
        async with browser.get(site.url("/api/entered")) as response:
            assert await response.json() == ["host"]
        assert (await asked(browser, site, "POST", "/api/say", {"type": "mode", "mode": "record", "by": "host"}))[
            0
        ] == 202


@pytest.mark.parametrize(
    ("who", "key", "status"),
    [
        ("host", KEYS.key(SEAT_1), 403),
        ("seat/1", KEYS.key(HOST), 403),
        ("seat/2", KEYS.pin(SEAT_1), 403),
        ("host", Keys(b"secret", "terrace", "game-1").key(HOST), 403),
        ("seat/1", Keys(b"secret", "salon", "game-0").key(SEAT_1), 403),
        ("host", "ééé", 403),
        ("host", "", 400),
        ("host", "x" * 65, 400),
        ("public", KEYS.key(HOST), 400),
        ("seat/5", "123456", 400),
    ],
)
async def test_no_other_key_opens_a_door(site, who, key, status):
    said = {"as": who, "key": key}
    async with site.browser() as stranger, stranger.post(site.url("/api/enter"), json=said) as response:
        assert response.status == status
        assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize("cookie", ["", "x", "\x80\xff", KEYS.pin(HOST), KEYS.key(SEAT_1), KEYS.key(HOST)[:-1]])
async def test_a_cookie_that_does_not_fit_is_none(site, cookie):
    headers = {"Cookie": f"{KEYS.cookie_name(HOST)}={cookie}"}
    async with site.browser() as stranger, stranger.get(site.url("/api/entered"), headers=headers) as response:
        assert (response.status, await response.json()) == (200, [])


async def test_after_too_many_wrong_pins_the_right_one_waits_and_the_link_does_not(site):
    async with site.browser() as mallory:
        for _ in range(TRIES_OF_ONE):
            assert (await asked(mallory, site, "POST", "/api/enter", {"as": "host", "key": "000000"}))[0] == 403
        right = {"as": "host", "key": KEYS.pin(HOST)}
        status, told = await asked(mallory, site, "POST", "/api/enter", right)
        assert (status, "Wait 5 min" in told["text"]["en"]) == (429, True)
        assert (await asked(mallory, site, "POST", "/api/enter", {"as": "seat/1", "key": KEYS.pin(SEAT_1)}))[0] == 429
        assert (await asked(mallory, site, "POST", "/api/enter", {"as": "seat/1", "key": KEYS.key(SEAT_1)}))[0] == 202
        site.clock.now_s += WINDOW_S
        assert (await asked(mallory, site, "POST", "/api/enter", right))[0] == 202


async def test_an_old_link_is_no_try(site):
    async with site.browser() as phone:
        for _ in range(TRIES_OF_ALL + 1):
            old = {"as": "seat/1", "key": Keys(b"secret", "salon", "game-0").key(SEAT_1)}
            assert (await asked(phone, site, "POST", "/api/enter", old))[0] == 403
        assert (await asked(phone, site, "POST", "/api/enter", {"as": "seat/1", "key": KEYS.pin(SEAT_1)}))[0] == 202


async def test_a_form_of_a_foreign_web_page_enters_nowhere(site):
    async with site.browser() as stranger:
        said = f'{{"as": "host", "key": "{KEYS.key(HOST)}"}}'
        async with stranger.post(site.url("/api/enter"), data=said, headers={"Content-Type": "text/plain"}) as response:
            assert response.status == 415


async def test_the_host_has_a_link_and_a_pin_for_every_player_of_the_game(site, midgame):
    async with site.browser(HOST) as host, host.get(site.url("/api/phones")) as response:
        passes = await response.json()
    assert [one["seat"] for one in passes] == [player.seat for player in midgame.scene.players]
    assert passes[1] == {"seat": 2, "link": f"/seat/2#{KEYS.key(SEAT_2)}", "pin": KEYS.pin(SEAT_2)}


async def test_whom_one_has_entered_as_is_told(site):
    async with site.browser(*PEOPLE) as browser, browser.get(site.url("/api/entered")) as response:
        assert await response.json() == ["host", "seat/1", "seat/2", "seat/3"]


def test_every_word_has_its_speakers():
    assert set(MAY_SAY) == set(get_args(Word))


@pytest.mark.parametrize("speaker", ["table", "silence"])
async def test_nobody_speaks_for_the_table_or_for_silence(site, speaker):
    async with site.browser(*PEOPLE) as browser:
        stated = {"type": "statement", "action": "p1 end_turn", "by": speaker}
        status, told = await asked(browser, site, "POST", "/api/say", stated)
    assert (status, repr(speaker) in told["text"]["en"]) == (403, True)
    assert site.heard.words == []


async def test_the_host_asks_nobody_for_an_undo_and_a_player_makes_no_ruling(site):
    request = {"type": "undo_request", "by": "host", "to": 3}
    ruling = {"type": "ruling", "by": "seat 1", "action": "p1 end_turn"}
    async with site.browser(*PEOPLE) as browser:
        for said, sentence in ((request, "make the undo yourself"), (ruling, "host")):
            status, told = await asked(browser, site, "POST", "/api/say", said)
            assert (status, sentence in told["text"]["en"]) == (403, True)
    assert site.heard.words == []


def pin_of_host():
    return {"as": "host", "key": KEYS.pin(HOST)}


@pytest.mark.parametrize("way", ["link", "pin", "cookie"])
async def test_the_hosts_pin_is_for_the_first_device_only(site, way):
    async with site.browser(HOST) as first, site.browser() as second:
        match way:
            case "link":
                await asked(second, site, "POST", "/api/enter", {"as": "host", "key": KEYS.key(HOST)})
            case "pin":
                assert (await asked(second, site, "POST", "/api/enter", pin_of_host()))[0] == 202
            case _:
                await asked(first, site, "GET", "/api/phones", None)
        status, told = await asked(second, site, "POST", "/api/enter", pin_of_host())
        assert (status, "citytable host" in told["text"]["en"]) == (403, True)
        assert (await asked(second, site, "POST", "/api/enter", {"as": "host", "key": KEYS.key(HOST)}))[0] == 202


async def test_a_month_of_guessing_finds_no_host_pin(site, caplog):
    async with site.browser() as mallory:
        for _ in range(2 * HOST_PIN_TRIES):
            await asked(mallory, site, "POST", "/api/enter", {"as": "host", "key": "000000"})
            site.clock.now_s += WINDOW_S / TRIES_OF_ONE
        assert (await asked(mallory, site, "POST", "/api/enter", pin_of_host()))[0] == 403
        assert (await asked(mallory, site, "POST", "/api/enter", {"as": "host", "key": KEYS.key(HOST)}))[0] == 202
    assert f"{HOST_PIN_TRIES} wrong ones were typed" in caplog.text


async def test_who_enters_who_is_wrong_and_who_leaves_is_logged_without_a_key(site, caplog):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        for _ in range(TRIES_OF_ONE):
            await asked(browser, site, "POST", "/api/enter", {"as": "seat/1", "key": "000000"})
        await asked(browser, site, "POST", "/api/enter", {"as": "host", "key": KEYS.key(HOST)})
        await asked(browser, site, "POST", "/api/leave", {})
    lines = [record.getMessage() for record in caplog.records if record.name == "citytable.views.audit"]
    assert lines == [
        "127.0.0.1 typed a wrong PIN for seat/1",
        f"127.0.0.1 typed {TRIES_OF_ONE} wrong PINs, the last one for seat/1, and has to wait",
        "127.0.0.1 entered as host with the link",
        "the host's PIN is no longer valid: a device is the host's; the host's link still opens the page",
        "127.0.0.1 logged out as host",
    ]
    assert KEYS.key(HOST) not in caplog.text


async def test_who_logs_out_is_a_stranger_again(site):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        for who in (HOST, SEAT_2):
            await asked(browser, site, "POST", "/api/enter", {"as": who.text, "key": KEYS.key(who)})
        assert (await asked(browser, site, "POST", "/api/leave", {}))[0] == 202
        async with browser.get(site.url("/api/entered")) as response:
            assert await response.json() == []
        for method, path, body in (*FOR_HOST, *FOR_SEAT_2):
            assert (await asked(browser, site, method, path, body))[0] == 401
    assert not reached(site)


async def test_the_cookie_of_a_game_that_is_over_is_taken_off_the_phone(site):
    old = Keys(b"secret", "salon", "game-0")
    cookies = {old.cookie_name(SEAT_1): old.key(SEAT_1), KEYS.cookie_name(SEAT_2): KEYS.key(SEAT_2), "other": "x"}
    assert set(cookies) >= {KEYS.cookie_name(SEAT_1)}
    phone = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), cookies=cookies)
    async with phone, phone.get(site.url("/api/entered")) as response:
        assert await response.json() == ["seat/2"]
        forgotten, kept = sorted(response.headers.getall("Set-Cookie"))
    assert kept.startswith(f"{KEYS.cookie_name(SEAT_2)}={KEYS.key(SEAT_2)};")
    assert forgotten.startswith(f'{KEYS.cookie_name(SEAT_1)}=""')
    assert "Max-Age=0" in forgotten


async def test_an_hour_after_a_game_has_ended_a_players_phone_keeps_nothing(site, midgame):
    """A phone asks at the end. The result can be looked at until then, and a game that goes on is not lost."""
    over = replace(midgame, scene=replace(midgame.scene, ended="completed"))
    async with site.browser(HOST, SEAT_1) as phone:
        for view, seconds in ((midgame, 86_400), (over, 3600), (midgame, 86_400)):
            site.server.show(view)
            async with phone.get(site.url("/api/entered")) as response:
                assert await response.json() == ["host", "seat/1"]
                (kept,) = response.headers.getall("Set-Cookie")
            assert kept.startswith(f"{KEYS.cookie_name(SEAT_1)}=")
            assert f"Max-Age={seconds};" in kept
            assert "HttpOnly" in kept
        site.server.show(over)
        said = {"as": "seat/1", "key": KEYS.key(SEAT_1)}
        async with phone.post(site.url("/api/enter"), json=said) as response:
            assert "Max-Age=3600" in response.headers["Set-Cookie"]


@pytest.mark.parametrize(("who", "days"), [(HOST, 30), (SEAT_1, 1)])
async def test_a_players_phone_keeps_its_cookie_for_a_day_only(site, who, days):
    said = {"as": who.text, "key": KEYS.key(who)}
    async with aiohttp.ClientSession() as browser, browser.post(site.url("/api/enter"), json=said) as response:
        assert f"Max-Age={days * 86_400}" in response.headers["Set-Cookie"]


async def test_of_others_towers_a_player_says_nothing(site):
    said = {"type": "pieces_said", "spot": "seat/1/pad/0", "n": 6, "by": "seat 2"}
    async with site.browser(*SEATS) as players:
        assert (await asked(players, site, "POST", "/api/say", said))[0] == 403
        assert (await asked(players, site, "POST", "/api/say", {**said, "spot": "city/0/0"}))[0] == 403
    async with site.browser(HOST) as host:
        assert (await asked(host, site, "POST", "/api/say", {**said, "by": "host"}))[0] == 202
