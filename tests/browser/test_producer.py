"""The producer's page: with nothing but the key of the host's link, what is on air stands beside its buttons."""

import base64
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.views.keys import Keys
from citytable.views.state import Happened

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(10)]

KEY = Keys(b"secret", "salon", "game-1").producer_key()
AXE = Path(__file__).resolve().parents[2] / "dashboard/node_modules/axe-core/axe.min.js"
WRONG = "async () => (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)"
# the colour in the middle of a picture
MIDDLE = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(image.width / 2, image.height / 2, 1, 1).data];
}"""
PHONE = {"width": 390, "height": 844}


async def opened(show, view, query="?lang=en", key=KEY, **how):
    """The page, by the link that the host has; nobody has entered as the host."""
    return await show(view, f"{query}#{key}" if key else query, path="/producer", **how)


async def test_a_button_takes_an_element_off_the_picture_beside_it(show, recorded):
    screen = await opened(show, recorded("midgame"))
    assert screen.page.url.endswith("/producer?lang=en"), "the key is not left where a shared screen shows it"
    overlay = screen.page.frame_locator("[data-preview] iframe")
    await overlay.locator("[data-element='score']").wait_for()
    await screen.page.locator("[data-air='score']").click()
    await overlay.locator("[data-element='score']").wait_for(state="detached")
    await expect(screen.page.locator("[data-air='score']")).to_have_attribute("aria-pressed", "false")
    await screen.page.get_by_role("button", name="Hide everything").click()
    await expect(overlay.locator("[data-element]")).to_have_count(0)
    await screen.page.reload()
    await expect(screen.page.get_by_role("button", name="Show everything")).to_be_visible()
    await screen.page.locator("[data-display='wall']").get_by_role("button", name="the scores").click()
    await expect(screen.page.locator("[data-display='wall'] [aria-pressed='true']")).to_have_text("the scores")


async def test_the_preview_is_transparent_and_follows_the_choices(show, recorded):
    screen = await opened(show, recorded("midgame"))
    frame = screen.page.locator("[data-preview] iframe")
    overlay = screen.page.frame_locator("[data-preview] iframe")
    await overlay.locator("[data-element='score']").wait_for()
    png = await frame.screenshot()
    middle = await screen.page.evaluate(MIDDLE, base64.b64encode(png).decode())
    assert max(middle[:3]) < 100, f"what lies under it is seen, and no white ground: {middle}"
    await screen.page.get_by_label("Size").select_option("150 %")
    await screen.page.get_by_label("Language of the overlay").select_option("Français")
    address = f"http://127.0.0.1:{screen.port}/overlay?lang=fr&scale=150"
    assert await screen.page.get_by_label("The address for OBS").input_value() == address
    await screen.page.locator("[data-with-card]").click()
    address += "&show=score,turn,delivery,sentence,card"
    await screen.page.get_by_role("button", name="Sample events").click()
    await overlay.get_by_text("150 %").wait_for()
    assert await screen.page.get_by_label("The address for OBS").input_value() == address, "samples are for the preview"


async def test_the_city_card_has_its_code_when_the_game_is_over(show, recorded):
    screen = await opened(show, recorded("midgame"))
    assert await screen.page.locator("[data-end] a").count() == 0
    screen.server.show(recorded("final"))
    await screen.page.locator("[data-end] a[href='/card']").wait_for()


async def test_the_host_needs_no_key_and_everybody_else_is_told_where_it_is(show, recorded):
    screen = await show(recorded("midgame"), "?lang=en", path="/host")
    await screen.page.get_by_role("button", name="Stream…").click()
    link = await screen.page.locator("[data-stream] a[href*='/producer']").get_attribute("href")
    assert link == f"/producer?lang=en#{KEY}"
    await screen.page.goto(f"http://127.0.0.1:{screen.port}/producer?lang=en")
    await screen.page.locator("[data-air='score']").wait_for()
    stranger = await opened(show, recorded("midgame"), "?lang=fr", key="")
    assert "l'hôte" in await stranger.text("[role='alert']")


async def test_a_wrong_key_changes_nothing_and_says_so(show, recorded):
    screen = await opened(show, recorded("midgame"), key="wrong")
    await screen.page.locator("[data-air='score']").click()
    assert "key" in await screen.text("[role='alert']")
    await expect(screen.page.locator("[data-air='score']")).to_have_attribute("aria-pressed", "true")
    screen.complaints.clear()  # a browser notes the 401


@pytest.mark.parametrize(
    ("name", "query", "size"), [("midgame", "?lang=en", {"width": 1440, "height": 900}), ("final", "?lang=fr", PHONE)]
)
async def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(show, recorded, name, query, size):
    screen = await opened(show, recorded(name), query, size=size)
    await screen.page.frame_locator("[data-preview] iframe").locator("[data-element]").first.wait_for()
    await screen.page.evaluate(AXE.read_text("utf-8"))
    assert await screen.page.evaluate(WRONG) == []
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_key_moments_of_the_public_game_are_there_and_outlast_its_ticker(show, recorded):
    at_us = 1_790_000_000_000_000
    delivered = Happened(no=7, t_us=at_us, key="action.deliver", words={"contract": "CO4"}, seat=2)
    view = recorded("midgame")
    screen = await opened(show, replace(view, happened=(delivered,)))
    await screen.page.get_by_text("Key moments (1)").click()
    expected = await screen.page.evaluate(f"new Date({at_us // 1000}).toTimeString().slice(0, 8)")
    assert await screen.text("[data-moment]") == f"{expected} 2 delivers the commercial contract of 40 mm"
    fell = Happened(no=48, t_us=at_us + 9, key="action.building_fell", words={"at": "1/0"}, seat=None)
    screen.server.show(replace(view, happened=(fell,)))
    await screen.page.get_by_text("Key moments (2)").wait_for()
    assert await screen.attributes("[data-moment]", "data-moment") == ["48", "7"]
