"""Nobody sits at a seat: the host's page says what a bot does there, and a tap reports it."""

import asyncio

import pytest
from playwright.async_api import expect
from tests.patience import PATIENCE_S, WAIT_MS

from citytable.app import keys_of, screens
from citytable.games import box_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.word import Statement
from citytable.views.address import At
from citytable.views.viewer import HOST

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MARKET = "5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10"


async def test_a_bot_plays_for_an_empty_seat_and_a_person_reports_what_it_did(browser):
    box = box_of("dilluvia")
    settings = Settings(box=box, options=box.options(2), twin=False, phones=True, speed=1.0)
    async with running_hub(settings) as hub:

        async def say(action):
            await hub.session.say(Statement(action=action, by="table"))

        await say(f"table set_up market={MARKET}")
        await say("table draw_order order=1,2")
        keys = keys_of(settings, hub)
        async with screens(hub, keys, At("127.0.0.1")) as port:
            context = await browser.new_context(locale="en-GB")
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            await page.goto(f"http://127.0.0.1:{port}/host?lang=en#{keys.key(HOST)}")
            await page.locator("[data-bot='2']").click()
            await expect(page.locator("[data-bot='2']")).to_have_attribute("aria-pressed", "true")
            await expect(page.locator("[data-bot-says]")).to_have_count(0)  # it is the other seat's turn
            await say("p1 zeppelin at=left1")
            await expect(page.locator("[data-bot-says]")).to_be_visible()
            await page.get_by_role("button", name="Done", exact=True).click()
            async with asyncio.timeout(PATIENCE_S):
                while not str(hub.play.umpire.position.of(2).zeppelin or ""):
                    await page.wait_for_timeout(20)
            await context.close()
