"""The host writes down how a game stands that was played without the hub, line by line, and it goes on from there."""

import pytest
from playwright.async_api import expect
from tests.patience import WAIT_MS

from citytable.app import keys_of, screens
from citytable.games import box_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.word import Statement
from citytable.views.address import At
from citytable.views.viewer import HOST

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(4)]

DEALS = {
    "comeback": ["table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08"],
    "dilluvia": ["table set_up market=5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10", "table draw_order order=1,2"],
}


@pytest.mark.parametrize(
    ("game", "players", "line", "wrong", "right"),
    [
        ("comeback", 1, "hand", "C07 C01", "C07"),
        ("dilluvia", 2, "1.cubes", "pink:2", "white:2"),
    ],
)
async def test_a_line_is_changed_and_what_cannot_be_is_told(browser, game, players, line, wrong, right):
    box = box_of(game)
    settings = Settings(box=box, options=box.options(players), twin=False, phones=True, speed=1.0)
    async with running_hub(settings) as hub:
        for action in DEALS[game]:
            await hub.session.say(Statement(action=action, by="table"))
        keys = keys_of(settings, hub)
        async with screens(hub, keys, At("127.0.0.1")) as port:
            context = await browser.new_context(locale="en-GB")
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            await page.goto(f"http://127.0.0.1:{port}/host?lang=fr#{keys.key(HOST)}")
            await page.get_by_role("button", name="Noter la partie telle qu'elle est…").click()
            form = page.locator("[data-paper]")
            for value in (wrong, right):
                await form.locator(f"[name='{line}']").fill(value)
                await form.get_by_role("button", name="Continuer à partir d'ici").click()
                await form.get_by_role("button", name="Oui, continuer à partir d'ici").click()
                if value == wrong:
                    await expect(form.get_by_role("alert")).to_be_visible()
            await expect(form).to_have_count(0)
            await context.close()
        position = hub.play.umpire.position
    assert (position.hand == ("C07",)) if game == "comeback" else (position.of(1).cubes.white == 2)
