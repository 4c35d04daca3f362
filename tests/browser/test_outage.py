"""A real browser whose hub goes away: how often its pages ask, by a clock that the test puts forward."""

import asyncio

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

OUTAGE_S = 120
CHROMIUM_SAID = "net::ERR_CONNECTION_REFUSED"


class Requests:
    """Counts what a page asks of its hub, and knows when all of it has been answered or has failed."""

    def __init__(self, page):
        self.count, self._open, self._changed = 0, 0, asyncio.Event()
        page.on("request", lambda _: self._begin())
        page.on("requestfailed", lambda _: self._end())
        page.on("requestfinished", lambda _: self._end())
        page.on("websocket", self._socket)

    def _socket(self, socket):
        self._begin()
        socket.on("close", lambda _: self._end())

    def _begin(self):
        self.count += 1
        self._open += 1

    def _end(self):
        self._open -= 1
        self._changed.set()

    async def settled(self):
        while self._open:
            self._changed.clear()
            async with asyncio.timeout(20):
                await self._changed.wait()


@pytest.mark.parametrize("path", ["/host", "/seat/2", "/display", "/stations"])
async def test_in_an_outage_a_page_asks_at_most_once_a_second_and_comes_back(show, recorded, path):
    screen = await show(recorded("midgame"), path=path)
    page = screen.page
    await page.clock.install()
    requests = Requests(page)
    await page.reload()
    await page.locator("main").wait_for()
    await screen.server.stop()
    await requests.settled()
    for _ in range(3):  # what was under way when the hub went
        await page.clock.run_for(1000)
        await requests.settled()
    counts = []
    for _ in range(OUTAGE_S):
        requests.count = 0
        await page.clock.run_for(1000)
        await requests.settled()
        counts.append(requests.count)
    assert max(counts) <= 1, counts
    assert sum(counts) >= OUTAGE_S / 8, "it has not given up"
    await screen.restart(recorded("final"), 5000)
    await page.clock.run_for(4100)
    await page.locator("main:not(.stale)").first.wait_for()
    screen.complaints[:] = [line for line in screen.complaints if CHROMIUM_SAID not in line]
