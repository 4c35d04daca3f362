"""The door before the host's page and the players' phones, and how phones come through it."""

import re

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.views.gate import Gate
from citytable.views.keys import Keys
from citytable.views.viewer import HOST, Viewer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(7)]

BIG = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
KEYS = Keys(b"secret", "salon", "game-1")
SEAT_2 = Viewer(seat=2)
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize(
    ("at", "size", "query", "wrong"),
    [
        (("/host", HOST), BIG, "", "does not open the host's page"),
        (("/seat/2", SEAT_2), PHONE, "?lang=fr", "n'ouvre pas la place 2"),
    ],
)
async def test_a_stranger_types_the_pin_and_is_in(show, recorded, at, size, query, wrong):
    path, viewer = at
    screen = await show(recorded("midgame"), query, path=path, entered=False, size=size)
    page = screen.page
    assert await page.evaluate(WIDER) <= 0
    await page.locator("input[name=pin]").fill("000000")
    await page.locator("form button").click()
    await expect(page.get_by_role("alert")).to_contain_text(wrong)
    pin = KEYS.pin(viewer)
    await page.locator("input[name=pin]").fill(f"{pin[:3]} {pin[3:]}")
    await page.locator("form button").click()
    await expect(page.locator("[data-door]")).to_have_count(0)
    await expect(page.locator(".now" if viewer == HOST else "[data-seat='2']")).to_be_visible()
    screen.complaints[:] = [line for line in screen.complaints if "403" not in line]  # what the wrong one was told


@pytest.mark.parametrize(
    ("query", "reads"), [("", "terminal where this table was started"), ("?lang=fr", "terminal où")]
)
async def test_the_virtual_table_opened_by_hand_says_where_its_pin_is_and_opens_with_it(
    show, recorded, no_hands, query, reads
):
    screen = await show(recorded("final"), query, path="/table", entered=False, size=PHONE)
    page = screen.page
    assert reads in await screen.text("[data-door]")
    await page.locator("input[name=pin]").fill(KEYS.pin(Viewer(seat=1)))
    await page.locator("form button").click()
    await page.locator("[data-coach]").wait_for()


async def test_at_the_end_the_virtual_table_shows_the_points_and_a_way_to_play_again(show, recorded, no_hands):
    screen = await show(recorded("final"), path="/table/1")
    scene = recorded("final").scene
    await screen.page.locator("[data-again]").wait_for()
    assert await screen.attributes("[data-coach=ended] [data-score]", "data-score") == [
        str(player.seat) for player in scene.players
    ]
    assert await screen.sent(screen.page.locator("[data-again]").click) == {"type": "play_again", "by": "seat 1"}


async def test_a_link_leaves_no_key_in_the_address_and_opens_the_page_for_good(show, recorded):
    screen = await show(recorded("midgame"), "?lang=en", path="/host")
    page = screen.page
    await expect(page.locator(".now")).to_be_visible()
    assert page.url.endswith("/host?lang=en")
    await page.reload()
    await expect(page.locator(".now")).to_be_visible()
    assert await page.evaluate("document.cookie") == ""


async def test_the_first_load_of_a_phone_fits_into_60_kb_with_all_headers(show, recorded):
    screen = await show(recorded("early"), "?lang=en", path="/seat/2", size=PHONE)
    network = await screen.page.context.new_cdp_session(screen.page)
    await screen.page.wait_for_load_state("networkidle")  # on a busy machine the load before would count, too
    await network.send("Network.enable")
    await network.send("Network.clearBrowserCache")
    asked, loaded = {}, []
    network.on("Network.requestWillBeSent", lambda one: asked.update({one["requestId"]: one["request"]["url"]}))
    network.on("Network.loadingFinished", lambda one: loaded.append((one["encodedDataLength"], one["requestId"])))
    await screen.page.reload()
    await expect(screen.page.get_by_role("heading", name="My contracts")).to_be_visible()
    await screen.page.wait_for_load_state("networkidle")
    assert len(loaded) > 10
    assert 40_000 < sum(size for size, _ in loaded) <= 60_000, [(size, asked.get(no)) for size, no in loaded]


async def test_with_a_new_game_a_phone_is_a_stranger_again(show, recorded):
    screen = await show(recorded("midgame"), size=PHONE, path="/seat/2")
    page = screen.page
    await expect(page.locator("[data-seat='2']")).to_be_visible()
    await screen.server.stop()
    await screen.restart(recorded("midgame"), 2000, Gate(Keys(b"secret", "salon", "game-2"), lambda: 0.0, 3))
    await expect(page.locator("[data-door='seat/2']")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "language", "reads"),
    [(BIG, "en", "Start citytable with --host"), (PHONE, "fr", "Lancez citytable avec --host")],
)
async def test_the_host_shows_every_player_his_code(show, recorded, size, language, reads):
    screen = await show(recorded("midgame"), f"?lang={language}", path="/host", size=size)
    page = screen.page
    await page.get_by_role("button", name=re.compile("phones|téléphones")).click()
    passes = page.locator("[data-pass]")
    await expect(passes).to_have_count(3)
    assert await screen.attributes("[data-pass] a", "href") == [
        f"/{seat.text}#{KEYS.key(seat)}" for seat in map(Viewer, (1, 2, 3))
    ]
    assert KEYS.pin(SEAT_2) in (await screen.text("[data-pass='2']")).replace(" ", "")
    assert reads in await screen.text("[data-phones]"), "127.0.0.1 is no address for a phone"
    assert await page.evaluate(WIDER) <= 0


async def test_a_host_logs_out_and_is_before_the_door_again(show, recorded):
    screen = await show(recorded("midgame"), "?lang=en", path="/host")
    page = screen.page
    await page.locator("[data-leave]").click()
    await expect(page.locator("[data-door='host']")).to_be_visible()
    await page.reload()
    await expect(page.locator("[data-door='host']")).to_be_visible()


async def test_a_phone_is_to_forget_a_game_an_hour_after_its_end_and_shows_it_until_then(show, recorded):
    final = recorded("final")
    going_on = replace(final, scene=replace(final.scene, ended="", winners=(), phase="main"))
    screen = await show(going_on, path="/seat/2", size=PHONE)
    page = screen.page

    async def kept_s():
        (cookie,) = await page.context.cookies()
        return cookie["expires"] - await page.evaluate("Date.now() / 1000")

    await expect(page.locator("[data-seat='2']")).to_be_visible()
    assert await kept_s() > 80_000
    for view, least_s, most_s in ((final, 3000, 3600), (going_on, 80_000, 86_400)):
        async with page.expect_response("**/api/entered"):
            screen.server.show(view)
        assert least_s < await kept_s() <= most_s
    screen.server.show(final)
    await page.reload()
    await expect(page.locator("[data-seat='2'] .final")).to_be_visible()
    stored = "[localStorage.length, sessionStorage.length, document.cookie]"
    assert await page.evaluate(stored) == [0, 0, ""]
