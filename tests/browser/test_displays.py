"""What a display shows is chosen on the host's page, display by display."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(3)]

PHONE = {"width": 390, "height": 844}
ASSIGN = """fetch('/api/displays/bar/records', {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}',
})"""


async def test_the_host_assigns_each_display_what_it_shows(show, recorded):
    host = await show(recorded("midgame"), path="/host", size=PHONE)
    bar = await host.another("/display", "?screen=bar&city=flat")
    wall = await host.another("/display", "?city=flat")
    for page in (bar, wall):
        await page.set_viewport_size({"width": 1920, "height": 1080})
        await page.locator(".board > *").first.wait_for()
    await host.page.get_by_role("button", name="Displays…").click()
    await host.page.get_by_label("Name of another display").fill("bar")
    await host.page.keyboard.press("Enter")
    await host.page.locator("[data-display=bar]").get_by_role("button", name="the scores").click()
    await bar.locator(".stage").wait_for(state="hidden")
    assert await bar.locator("[data-score]").first.is_visible()
    assert await wall.locator(".stage").is_visible()
    await host.page.locator("[data-display=wall]").get_by_role("button", name="the city").click()
    await wall.locator("main > .side").wait_for(state="hidden")
    await host.page.locator("[data-display=bar]").get_by_role("button", name="nothing").click()
    await bar.locator("main > .side").wait_for(state="hidden")
    await host.page.locator("[data-display=bar]").get_by_role("button", name="the game").click()
    await bar.locator(".stage").wait_for()
    for page in (bar, wall):
        await page.close()


async def test_a_display_can_show_the_records_in_the_middle_of_a_game(show, recorded, book):
    host = await show(recorded("midgame"), path="/host", size=PHONE)
    bar = await host.another("/display", "?screen=bar&city=flat")
    await host.page.evaluate(ASSIGN)
    await bar.locator("[data-ambient=records]").wait_for()
    await bar.close()
