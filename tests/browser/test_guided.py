"""Two people with phones and no table: they read their own phone, tap what it names, and deliver a building."""

import asyncio
import re
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from tests.patience import PATIENCE_S, WAIT_MS

from citytable.app import keys_of, screens
from citytable.games import box_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.word import Statement
from citytable.views.address import At
from citytable.views.viewer import HOST, Viewer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(5)]

PHONE = {"width": 390, "height": 844}
STEPS = 60
DEAL = (
    "table set_up columns=PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3 "
    "supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"
)


@pytest_asyncio.fixture(loop_scope="session")
async def table(browser):
    """The host's page and the phones of two seats, at a table without sensors, after the deal; and the hub."""
    async with AsyncExitStack() as stack:
        box = box_of("megacity")
        settings = Settings(box=box, options=box.options(2), twin=False, phones=True, speed=1.0)
        hub = await stack.enter_async_context(running_hub(settings))
        keys = keys_of(settings, hub)
        port = await stack.enter_async_context(screens(hub, keys, At("127.0.0.1")))
        await hub.session.say(Statement(action=DEAL, by="table"))

        async def page(path, viewer):
            context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
            stack.push_async_callback(context.close)
            opened = await context.new_page()
            opened.set_default_timeout(WAIT_MS)
            await opened.goto(f"http://127.0.0.1:{port}/{path}#{keys.key(viewer)}")
            return opened

        yield await page("host", HOST), [await page(f"seat/{n}", Viewer(seat=n)) for n in (1, 2)], hub


async def step(phone):
    """Do what this phone asks for, if it asks for anything: answer its form, also with a height, or tap *Done*."""
    form = phone.locator("form[data-form]").first
    choice = form.get_by_role("button").filter(has_text=re.compile("platform|Yes|Confirm")).first
    if await choice.count():  # looked at as one: a form may be gone again a moment later
        height = form.locator("[name=height_mm]")
        if await height.count() and not await height.input_value():
            await height.fill("90")  # nobody measured it, so nothing is proposed
        await choice.tap()
        return "answered"
    done = phone.locator("[data-report]")
    if await done.count():
        said = await phone.locator("[data-lesson] .do").inner_text()
        await done.tap()
        return said
    return ""


async def test_one_tap_begins_and_two_phones_lead_to_the_first_delivery(table):
    host, phones, hub = table
    await host.locator("[data-guide=false]").tap()
    await phones[0].locator("[data-lesson]").wait_for()
    told = []
    for _ in range(STEPS):
        before = hub.session.view()
        told += [said for phone in phones if (said := await step(phone))]
        if any(one.startswith("p") and " deliver " in one for one in map(str, hub.play.actions)):
            break
        async with asyncio.timeout(PATIENCE_S):
            while hub.session.view() == before:
                await phones[0].wait_for_timeout(20)
        await phones[0].wait_for_timeout(50)  # as long as a page takes to draw it
    assert any(" deliver " in str(one) for one in hub.play.actions), told
    assert told[0].startswith("Take the top card of the public column")

    await phones[1].locator("[data-guide=true]").tap()
    await phones[0].locator("[data-lesson]").wait_for(state="detached")
