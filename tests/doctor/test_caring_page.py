"""The host looks after stations in a browser: hub, broker, virtual stations, a board on a desk, and Chromium."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, async_playwright
from tests.patience import WAIT_MS

from citytable.app import keys_of, running_hub, screens, virtual_table
from citytable.caring import caring
from citytable.doctor.plan_file import write_plan
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.link.credentials import Credentials
from citytable.rehearsal.twin import Twin
from citytable.settings import Settings
from citytable.table.plan import full_plan, load_plan
from citytable.views.address import At
from citytable.views.extras import Extras
from citytable.views.viewer import HOST

pytestmark = [pytest.mark.broker, pytest.mark.browser, pytest.mark.long(23)]
UID = "e66138528355a82f"
PHONE = {"width": 390, "height": 844}


class Desk(NamedTuple):
    """A page of the host at a running table, the hands at that table, and its plan file."""

    page: Page
    twin: Twin
    plan_file: Any
    hub: Any
    logins: Credentials


@pytest.fixture
async def host(tmp_path, free_port, chromium) -> AsyncIterator[Desk]:
    """A virtual table whose plan file has no supply station yet."""
    plan = full_plan("salon", 2, shared_spots(("public", "private")), ())
    path = tmp_path / "salon.json"
    write_plan(path, replace(plan, stations=tuple(one for one in plan.stations if one.station != "supply")))
    settings = Settings(
        options=Options(players=2),
        seed=3,
        speed=5.0,
        plan_path=path,
        listen=f"127.0.0.1:{free_port}",
        broker_dir=tmp_path / "broker",
    )
    async with (
        running_hub(settings) as hub,
        virtual_table(settings, hub) as twin,
        caring(settings, hub) as care,
    ):
        keys = keys_of(settings, hub)
        async with (
            screens(hub, keys, At("127.0.0.1", 0, ()), extras=Extras(care=care)) as port,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(**chromium)
            page = await browser.new_page(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
            page.set_default_timeout(WAIT_MS)
            await page.goto(f"http://127.0.0.1:{port}/host#{keys.key(HOST)}")
            await page.locator("main").wait_for()
            await page.goto(f"http://127.0.0.1:{port}/stations")
            yield Desk(page, twin, path, hub, Credentials(tmp_path / "broker", "salon"))
            await browser.close()


async def opened(page, part):
    """The part of the page that looks after this, opened."""
    panel = page.locator(f"[data-care={part}]")
    await panel.locator("summary").click()
    return panel


async def test_a_board_is_given_its_place(host, desk, come):
    board = desk(UID, host.hub.broker, user="new", password=host.logins.login("new"))
    await come(host.hub.broker, "new", UID)
    panel = await opened(host.page, "adopt")
    await panel.get_by_label("Which one").wait_for()
    await panel.get_by_label("Place at the table").select_option("supply")
    await panel.get_by_role("button", name="Give it this place").click()
    await panel.get_by_text("The supply has joined the table").wait_for()
    assert "supply" in {one.station for one in load_plan(host.plan_file).stations}
    assert board.starts == 2
    await panel.get_by_role("button", name="Close").click()
    await panel.get_by_text("No new station is waiting for a place").wait_for()


async def test_a_scale_is_calibrated_by_doing_what_the_page_says(host):
    panel = await opened(host.page, "calibrate")
    await panel.get_by_label("Station").select_option("park")
    await panel.get_by_label("Weight in grams", exact=True).fill("500")
    await panel.get_by_role("button", name="Begin").click()
    for sentence, act in (
        ("Take everything except the weight-holder off the centre of the city", None),
        ("Put 500 g on the centre of the city, in the middle", {"act": "put_weight", "grams": 500.0}),
        ("Put 200 g in its place", {"act": "put_weight", "grams": 200.0}),
        ("Take everything except the weight-holder off the centre of the city again", {"act": "take_weight"}),
    ):
        await panel.get_by_text(sentence, exact=True).wait_for()
        if sentence.startswith("Put 200"):
            await host.twin.act({"act": "take_weight", "spot": "city/0/0"})
        if act is not None:
            await host.twin.act({**act, "spot": "city/0/0"})
        await panel.get_by_role("button", name="Done").click()
    await panel.get_by_text("is calibrated").wait_for()
    assert "200 g weighed 200" in await panel.inner_text()
    assert load_plan(host.plan_file).spot_plans()["city/0/0"].cells[0].calibrated is not None


async def test_a_forgotten_weight_is_explained_in_french_and_left_for_later(host):
    await host.page.goto(host.page.url + "?lang=fr")
    panel = await opened(host.page, "calibrate")
    await panel.get_by_label("Station").select_option("park")
    await panel.get_by_role("button", name="Commencer").click()
    for _ in range(4):
        await panel.get_by_role("button", name="C'est fait").click()
    await panel.get_by_text("aucun capteur n'a senti le poids").wait_for()
    await panel.get_by_role("button", name="Plus tard").click()
    await panel.get_by_text("Laissé pour plus tard").wait_for()


async def test_the_scales_are_checked_and_the_one_that_is_not_level_is_named(host):
    await host.twin.act({"act": "disturb_cell", "spot": "city/1/0", "cell": 0, "factor": 12})
    panel = await opened(host.page, "level")
    await panel.get_by_role("button", name="Check every scale").click()
    await panel.get_by_text("1 scale needs attention").wait_for()
    assert "ell 0 is noisy" in await panel.inner_text()


async def test_a_station_is_examined_and_an_unplugged_cell_comes_first(host):
    await host.twin.act({"act": "unplug_cell", "spot": "city/0/0", "cell": 0})
    panel = await opened(host.page, "examine")
    await panel.get_by_label("Station").select_option("park")
    await panel.get_by_role("button", name="Examine it").click()
    await panel.get_by_text("The hub is measuring").wait_for()
    assert await panel.locator(".title").inner_text() == "The centre of the city", "another page did not choose it"
    await panel.get_by_text("1 thing to check").wait_for()
    assert await panel.locator(".title").inner_text() == "The centre of the city"
    assert "check the plug of the cell's HX711" in await panel.locator("li").inner_text()
    await panel.get_by_text("Show all").click()
    assert await panel.locator("dl div").count() > 5


async def test_a_stranger_sees_no_form(host, chromium):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**chromium)
        page = await browser.new_page()
        await page.goto(host.page.url)
        await page.locator("[data-station]").first.wait_for()
        assert await page.locator("[data-care], [data-enrol]").count() == 0
        await browser.close()
