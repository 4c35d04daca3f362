"""A real browser whose hub goes away: how often its pages ask, by a clock that the test puts forward."""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(13)]

OUTAGE_S = 120
CHROMIUM_SAID = "net::ERR_CONNECTION_REFUSED"
# notes when the page asks, by the clock of the test, and lets the test wait until nothing is under way
WATCHED = """
const asked = (window.asked = []), waiting = [];
let open = 0;
window.settled = () => new Promise((go) => (open ? waiting.push(go) : go()));
const begin = () => (asked.push(Date.now()), open++);
const end = () => { if (!--open) for (const go of waiting.splice(0)) go(); };
const fetched = window.fetch;
window.fetch = (...how) => (begin(), fetched(...how).finally(end));
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    begin();
    for (const event of ["open", "error"]) this.addEventListener(event, end, { once: true });
  }
};
"""


def most_in_a_second(asked):
    return max(sum(at <= other < at + 1000 for other in asked) for at in asked)


@pytest.mark.parametrize("path", ["/host", "/seat/2", "/display", "/stations"])
async def test_in_an_outage_a_page_asks_at_most_once_a_second_and_comes_back(show, recorded, path):
    screen = await show(recorded("midgame"), path=path)
    page = screen.page
    await page.clock.install()
    await page.add_init_script(WATCHED)
    await page.reload()
    await page.locator("main").wait_for()
    await page.clock.pause_at((await page.evaluate("Date.now()") + 1000) / 1000)
    await page.evaluate("settled()")
    await page.wait_for_load_state("networkidle")  # its parts are there
    await screen.server.stop()
    await page.get_by_text("The table is closed").wait_for()
    await page.evaluate("asked.length = 0")
    for _ in range(OUTAGE_S):
        await page.clock.run_for(1000)
        await page.evaluate("settled()")
    asked = await page.evaluate("asked")
    assert most_in_a_second(asked) == 1
    assert OUTAGE_S / 8 <= len(asked) <= OUTAGE_S / 2, "it has not given up, and asks more rarely"
    await screen.restart(recorded("final"), 5000)
    await page.clock.run_for(4100)
    await page.locator("main:not(.stale)").first.wait_for()
    screen.complaints[:] = [line for line in screen.complaints if CHROMIUM_SAID not in line]


async def test_the_page_of_the_virtual_table_says_that_the_hub_is_lost(show, recorded, no_hands):
    """What lies there is the hub's word, too: it must not look as if it went on."""
    page = (await show(recorded("midgame"), path="/table/1")).page
    feeds = []
    await page.route_web_socket(re.compile("/feed"), lambda feed: feeds.append((feed, feed.connect_to_server())))
    await page.reload()
    await page.get_by_text("The virtual table is not responding").wait_for()
    await page.route_web_socket(re.compile("/feed"), lambda feed: None)  # nobody answers any more
    await feeds[0][0].close(code=3000)
    await page.get_by_text("Connection lost. This is the table as of").wait_for()
    assert await page.locator("main.stale").count() == 1


@pytest.mark.parametrize("path", ["/display", "/seat/2", "/overlay"])
async def test_a_page_whose_hub_came_back_in_another_version_begins_anew(show, recorded, path):
    screen = await show(recorded("midgame"), path=path)
    page = screen.page

    async def answer(route):
        """As the hub, whose page has another script by now if it was updated."""
        response = await route.fetch()
        text = await response.text()
        await route.fulfill(response=response, body=text.replace("/assets/core-", "/assets/core-another-"))

    async def come_back():
        await screen.server.stop()
        if path != "/overlay":  # on air nothing is said of it
            await page.get_by_text("The table is closed").wait_for()
        await screen.restart(recorded("midgame"), 5000)

    await page.evaluate("window.opened = true")
    async with page.expect_response(lambda one: one.request.resource_type == "fetch" and one.url.endswith(path)):
        await come_back()
    assert await page.evaluate("opened"), "the same version goes on"
    await page.route(
        lambda url: url.endswith(path), lambda route: answer(route) if is_fetch(route) else route.continue_()
    )
    async with page.expect_event("load"):
        await come_back()
    await page.locator("main").first.wait_for()
    screen.complaints[:] = [line for line in screen.complaints if CHROMIUM_SAID not in line]


def is_fetch(route):
    return route.request.resource_type == "fetch"
