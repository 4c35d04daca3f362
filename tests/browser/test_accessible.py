"""axe, the checker of accessibility, finds nothing on any page, and no text whose contrast it cannot tell."""

import pytest
from msgspec.structs import replace

from citytable.views.care import Step, Work

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(10)]

PHONE = {"width": 390, "height": 844}
BIG = {"width": 1920, "height": 1080}


@pytest.mark.parametrize(
    ("path", "name", "size"),
    [
        ("/display", "midgame", BIG),
        ("/display", "final", BIG),
        ("/display", "early", PHONE),
        ("/seat/1", "midgame", PHONE),
        ("/host", "midgame", BIG),
        ("/stations", "midgame", PHONE),
        ("/overlay", "midgame", BIG),
        ("/announcer", "midgame", BIG),
        ("/card", "final", PHONE),
        ("/api", "midgame", PHONE),
        ("/overlay?test", "midgame", BIG),
        ("/overlay", "midgame", PHONE),
        ("/overlay?test", "midgame", PHONE),
    ],
)
async def test_axe_finds_nothing(found_on, show, recorded, path, name, size):
    screen = await show(recorded(name), path=path, size=size)
    assert await found_on(screen.page) == []


# which of these elements are not covered by the links that stay at the top of the host's page
IN_SIGHT = """(found) => {
  const { bottom } = document.querySelector("nav").getBoundingClientRect();
  return found.filter((css) => document.querySelector(css).getBoundingClientRect().top >= bottom);
}"""


@pytest.mark.parametrize("query", ["", "?lang=fr"])
async def test_axe_tells_every_contrast_of_the_host_page_of_a_phone_however_far_it_is_scrolled(
    found_on, show, recorded, query
):
    """But for what lies under the links: there is nothing to see of it."""
    screen = await show(recorded("midgame"), query, path="/host", size=PHONE)
    page = screen.page
    await page.wait_for_load_state("networkidle")
    for share in (0.2, 0.4, 0.7, 0.9):
        await page.evaluate(f"scrollTo(0, {share} * (document.documentElement.scrollHeight - innerHeight))")
        found = [line.partition(": ")[2].rpartition(" ")[0] for line in await found_on(page)]
        assert [css for css in found if css.startswith("nav")] == []
        assert await page.evaluate(IN_SIGHT, found) == []
    assert await page.evaluate("document.querySelector('nav').offsetHeight") <= 112, "as far as sections keep away"


@pytest.mark.parametrize("form", list("pacnsdgr"))  # the keys of their buttons
async def test_axe_tells_every_contrast_of_a_form_of_the_host_page_of_a_phone(found_on, show, recorded, form):
    screen = await show(recorded("midgame"), path="/host", size=PHONE)
    page = screen.page
    await page.wait_for_load_state("networkidle")
    await page.locator(f"[aria-keyshortcuts='{form}']").first.click()
    await page.wait_for_load_state("networkidle")
    for top in range(0, await page.evaluate("document.documentElement.scrollHeight - innerHeight"), 600):
        await page.evaluate(f"scrollTo(0, {top})")
        found = [line.partition(": ")[2].rpartition(" ")[0] for line in await found_on(page)]
        assert await page.evaluate(IN_SIGHT, found) == [], (top, found)


async def test_what_only_screen_readers_say_makes_no_page_longer(show, recorded):
    screen = await show(recorded("midgame"), path="/seat/2", size=PHONE)
    spoken = screen.page.locator(".spoken")
    await spoken.first.wait_for(state="attached")
    assert await spoken.evaluate_all("all => Math.max(...all.map((one) => one.offsetHeight))") == 1


async def test_axe_finds_nothing_where_there_is_no_page(found_on, show, recorded):
    screen = await show(recorded("midgame"), path="/nowhere", size=PHONE)
    assert await found_on(screen.page) == []
    screen.complaints.clear()  # the browser says that nothing is there


async def test_axe_finds_nothing_on_the_wall_before_the_first_game(found_on, show, recorded):
    screen = await show(replace(recorded("early"), scene=None, health=(), happened=(), live=()))
    assert await found_on(screen.page) == []


async def test_axe_finds_nothing_at_the_door_until_something_is_amiss(found_on, show, recorded):
    screen = await show(recorded("midgame"), path="/host", entered=False)
    await screen.page.locator("input[name=pin]").wait_for()
    assert await found_on(screen.page) == []
    await screen.page.evaluate("document.querySelector('main').append(document.createElement('select'))")
    assert [line.split(":")[0] for line in await found_on(screen.page)] == ["select-name"]


async def test_axe_finds_nothing_in_the_forms_of_the_stations_page(found_on, show, recorded, stations):
    screen = await show(recorded("midgame"), path="/host", size=PHONE)
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    for part in ("adopt", "calibrate", "level", "examine", "update"):
        await screen.page.locator(f"[data-care={part}] summary").click()
    await screen.page.locator("[data-enrol] summary").click()
    assert await found_on(screen.page) == []
    step = Step("put", "city/1/0", 500.0)
    why = {"en": "no cell felt the weight"}
    for state in ("asks", "refuses"):
        work = Work("calibrate", "sector-1", state=state, no=1, number=1, tasks=3, what="scale", step=step, why=why)
        stations.now = replace(stations.now, work=work)
        await screen.page.locator(f"[data-work={state}]").wait_for()
        assert await found_on(screen.page) == []
