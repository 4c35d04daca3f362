"""The toy game on every page, in a real browser, from a hub whose virtual table is being played on."""

from contextlib import asynccontextmanager

import pytest
from playwright.async_api import async_playwright
from tests.patience import WAIT_MS

from citytable import app
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.views.address import At
from citytable.views.viewer import HOST, Viewer

pytestmark = [pytest.mark.broker, pytest.mark.browser, pytest.mark.long(5)]
LOOK_MS = 500


@asynccontextmanager
async def opened(chromium):
    """`await page(address, seen)`: the text of a page once it shows something, and what its console said."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(**chromium)

        async def page(address, seen):
            shown, said = await browser.new_page(locale="en-GB"), []
            shown.on("console", lambda line: said.append(line.text) if line.type in {"error", "warning"} else None)
            shown.on("pageerror", lambda error: said.append(str(error)))
            await shown.goto(address)
            await shown.get_by_text(seen).first.wait_for(timeout=WAIT_MS)
            return " ".join((await shown.inner_text("body")).split()), said

        try:
            yield page
        finally:
            await browser.close()


async def test_every_page_shows_a_game_that_no_screen_knows(twelve, chromium):
    settings = Settings(box=twelve.BOX, options=twelve.Options(), seed=4)
    async with running_hub(settings) as hub, app.virtual_table(settings, hub) as twin, opened(chromium) as page:
        await twin.act(*({"act": "bring", "thing": f"card/{n}", "spot": twelve.ROW[n - 1]} for n in twelve.CARDS))
        await twin.wait(LOOK_MS)
        for player, card, slot in ((1, 12, 0), (2, 9, 0), (1, 11, 1)):  # the last one breaks T4
            await twin.act({"act": "bring", "thing": f"card/{card}", "spot": f"seat/{player}/card/{slot}"})
            await twin.wait(LOOK_MS)
        await twin.wait(8000)  # longer than something may take to settle, and a breach is said calmly
        keys = app.keys_of(settings, hub)
        async with app.screens(hub, keys, At("127.0.0.1")) as port:
            pages = f"http://127.0.0.1:{port}"
            display, complaints = await page(f"{pages}/display", "Seat 1 card 0")
            assert "market row 9 card 10" in display
            assert "Put card 11 back on market row" in display
            host, more = await page(f"{pages}/host#{keys.key(HOST)}", "take, card 9")
            assert "You have a card beside that one. (T4)" in host
            seat, others = await page(f"{pages}/seat/1#{keys.key(Viewer(seat=1))}", "You are seat 1")
            assert "You are seat 1" in seat
            stations, last = await page(f"{pages}/stations", "online")
            assert "supply" in stations
            assert complaints + more + others + last == []  # while the hub is there: afterwards pages rightly complain
