"""The host's desk: how the table does, what is next, keys for the buttons, every page, and the wall in small."""

import pytest
from msgspec.structs import replace

from citytable.table.status import Status

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(5)]

PHONE = {"width": 390, "height": 844}
PAGES = {"display", "overlay", "announcer", "card", "stations", "producer", "host", "table"}


async def test_one_line_says_how_the_table_does_and_another_what_to_do_next(show, recorded):
    view = recorded("midgame")
    screen = await show(view, path="/host")
    desk = screen.page.locator("[data-desk]")
    assert "10 of 11 stations in order" in await screen.text("[data-desk] li.alarm")
    assert await desk.locator("a").get_attribute("href") == "/stations"
    first = await screen.text("#now [data-wrong] span")
    assert await screen.text("[data-next-thing]") == f"Next: {first}"
    calm = replace(view, status=Status(), questions=(), undo=None, clearing=None, restoring=False)
    screen.server.show(calm)
    await screen.page.get_by_text("nothing to do: the game is going on").wait_for()
    assert "0 open questions" in await desk.inner_text()
    coming = tuple(replace(one, online=False, faults=()) for one in calm.health)
    screen.server.show(replace(calm, health=coming))
    await screen.page.get_by_text("0 of 11 stations in order").wait_for()
    assert await desk.locator("li.alarm").count() == 0, "they have not spoken yet, and nobody misses them"
    screen.server.show(recorded("final"))
    await screen.page.locator("[data-next-thing]", has_text="begin the next game").wait_for()


async def test_buttons_show_their_keys_and_a_field_or_the_switch_keeps_them_quiet(show, recorded):
    screen = await show(recorded("midgame"), path="/host")
    page = screen.page
    opens = page.locator("[data-opens=displays]")
    await opens.wait_for()
    shown = "button => getComputedStyle(button, '::after').content"
    assert (await opens.evaluate(shown)).startswith('"d"')
    await page.keyboard.press("Control+d")
    assert await opens.count() == 1
    await page.keyboard.press("d")
    await page.locator("[data-displays] input").fill("bar")
    await page.keyboard.press("a")
    assert await page.locator("[data-displays] input").input_value() == "bara"
    assert await page.locator("section[data-pages]").count() == 0
    await page.get_by_label("Use keys for the buttons").uncheck()
    await page.locator("h1").first.click()
    await page.keyboard.press("a")
    assert await page.locator("section[data-pages]").count() == 0
    keys = await page.locator("button[aria-keyshortcuts]").evaluate_all("all => all.map(one => one.ariaKeyShortcuts)")
    assert len(keys) == len(set(keys)) >= 6


@pytest.mark.parametrize(("query", "size"), [("", None), ("?lang=fr", PHONE)])
async def test_every_page_has_a_link_and_a_code(show, recorded, query, size):
    screen = await show(recorded("midgame"), query, path="/host", **({"size": size} if size else {}))
    await screen.page.locator("[aria-keyshortcuts=a]").click()
    links = await screen.attributes("[data-pages] li:has(svg) a", "href")
    assert links == sorted(links, key=links.index)
    assert {link.partition("?")[0].strip("/") for link in links} == PAGES
    assert all(link.endswith(query) for link in links)
    heights = await screen.page.locator("[data-pages] small").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(heights) < 30  # each is on one line
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_the_host_sees_the_wall_in_small_and_what_another_display_shows(show, recorded):
    screen = await show(recorded("early"), path="/host")
    page = screen.page
    await page.locator("[data-opens=displays]").click()
    wall = page.frame_locator("[data-preview=wall]")
    await wall.locator("[data-tile='city/0/-1'], [data-tile]").first.wait_for()
    box = await page.locator(".preview").bounding_box()
    frame = await page.locator("[data-preview=wall]").bounding_box()
    assert abs(frame["width"] - box["width"]) < 4, "all of it is there"
    await page.locator("[data-display=wall]").get_by_role("button", name="nothing").click()
    await wall.locator(".wall.dark").wait_for(state="attached")
