"""The stations page: what needs somebody comes first, and nothing runs off a phone."""

import re

import pytest
from msgspec.structs import replace

from citytable.table.health import CellHealth, CellZero, Health, ReaderHealth, Report, Said
from citytable.views.care import Calibrate, Step, Tap, Work

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(30)]

PHONE = {"width": 390, "height": 844}
FAULT = {
    "en": "The hex next to the centre of the city, to the right (reader): the tag reader does not answer",
    "fr": "L'hexagone voisin du centre de la ville, devant à droite (lecteur) : le lecteur ne répond pas",
}


def report(spots):
    """Six cells and readers of a sector."""
    return Report(
        at_us=0,
        gap_us=21_000,
        dropped=0,
        refused=0,
        free_bytes=131_072,
        cells=tuple(CellHealth(spot, 0, 80.0 + k, 0, 190, 44.0, k) for k, spot in enumerate(spots)),
        readers=tuple(ReaderHealth(spot, 99, 1) for spot in spots),
        rangers=(),
    )


@pytest.fixture
def table(recorded):
    """A whole table: one station complains, one is silent, one is not of the plan and was restarted by its watchdog."""
    view = recorded("midgame")
    health = [replace(one, kind="sector", hardware="pico_w", report=report(SPOTS)) for one in view.health]
    health[3] = replace(health[3], faults=(FAULT,), said=(Said(view.t_us - 4_000_000, "error", "tags: EIO"),))
    health[5] = replace(health[5], online=False, last_seen_us=view.t_us - 61_000_000)
    stray = Health("a-name-as-long-as-a-name-may-be-32", True, 1, "0.0.9", None, view.t_us, 0, 0, reset="watchdog")
    return replace(view, health=(*health, stray))


SPOTS = ("city/1/0", "city/2/0", "city/3/0", "city/2/-1", "city/1/1", "city/2/1")


async def opened(screen):
    """All stations, opened by taps."""
    for summary in await screen.page.locator("[data-station] > summary").all():
        await summary.click()


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, PHONE])
async def test_what_needs_somebody_comes_first(show, table, size):
    screen = await show(table, size=size, path="/stations")
    names = await screen.attributes("[data-station]", "data-station")
    states = await screen.attributes("[data-station]", "data-state")
    assert names[:2] == [table.health[5].station, table.health[3].station]
    assert states[:3] == ["silent", "bad", "good"]
    assert len(names) == len(table.health)
    assert await screen.text("[data-summary]") == f"2 of {len(names)} stations have problems"
    assert FAULT["en"] in await screen.text("[data-state='bad']")
    assert "61 s" in await screen.text("[data-state='silent']")
    wide = await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


async def test_the_host_reads_the_whole_log_of_a_station_the_latest_line_first(show, table, found_on):
    said = tuple(Said(table.t_us - (61 - k) * 1_000_000, "warning", f"line {k}") for k in range(60))
    station = replace(table.health[3], said=said)
    screen = await show(replace(table, health=(station,)), path="/host", size=PHONE)
    page = screen.page
    await page.goto(page.url.replace("/host", "/stations"))
    await page.locator("[data-station] > summary").click()
    assert await page.locator("[data-station] li").count() == 3
    await page.locator(f"[data-log='{station.station}']").click()
    lines = page.locator("[data-log] ~ ol li")
    await lines.first.wait_for()
    assert [line.rpartition(": ")[2] for line in await lines.all_inner_texts()] == [
        f"line {k}" for k in range(59, -1, -1)
    ]
    assert "60 lines" in await screen.text("[data-log] ~ p")
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert await found_on(page) == []


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, PHONE])
async def test_no_table_leaves_its_card(show, table, size):
    long = ("supply/contract/commercial", "supply/contract/residential")
    supply = replace(table.health[0], kind="supply", report=report(long))
    screen = await show(replace(table, health=(supply,)), "?lang=fr", size=size, path="/stations")
    await opened(screen)
    right = "getBoundingClientRect().right"
    fits = f"all => all.map(one => one.{right} <= one.closest('details').{right})"
    assert set(await screen.page.locator("[data-station] table").evaluate_all(fits)) == {True}
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_the_page_follows_the_table_and_says_when_it_cannot(show, table):
    screen = await show(table, path="/stations")
    assert await screen.text("[data-summary]") != "Stations"
    await screen.page.wait_for_load_state("networkidle")  # the words of the game are there
    await screen.server.stop()
    await screen.page.locator(".notice").wait_for()
    said = await screen.text(".notice")
    assert re.fullmatch(r"The table is closed\. This is how it was at \d\d:\d\d\.", said)
    calm = replace(table, health=tuple(replace(one, online=True, faults=()) for one in table.health))
    await screen.restart(calm, 2000)
    await screen.page.locator(".notice").wait_for(state="detached")
    well = f"All {len(calm.health)} stations are online"
    await screen.page.locator("[data-summary]", has_text=well).wait_for()
    assert await screen.text("[data-summary]") == well
    await screen.page.context.set_offline(True)
    await screen.page.get_by_text("The hub is not responding. This is the state of").wait_for()
    away = ("ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED")
    screen.complaints[:] = [line for line in screen.complaints if not any(text in line for text in away)]


async def test_every_cell_shows_how_far_its_zero_went_and_whether_it_wants_calibrating(show, table, zeros):
    zeros += [
        CellZero("city/1/0", 0, -12.4, table.t_us - 120_000_000, "2026-11-02", "drifted"),
        CellZero("city/2/0", 0, 0.31, table.t_us - 1_000_000, "2026-11-02", ""),
        CellZero("city/3/0", 0, None, None, None, "unknown"),
        CellZero("seat/1/pad/0", 0, None, None, None, "unknown"),
    ]
    screen = await show(table, size=PHONE, path="/stations")
    await opened(screen)
    card = screen.page.locator("[data-state='good']:has([data-zero])").first
    await card.locator("[data-zero]").first.wait_for()
    lines = await card.locator("[data-zero]").all_inner_texts()
    assert [" ".join(line.split()) for line in lines] == [
        "Hex 1/0 −12.4 g 2 min 2026-11-02 recalibrate: it has drifted",
        "Hex 2/0 +0.3 g 1 s 2026-11-02",
        "Hex 3/0 – – –",
    ]
    wide = await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


async def test_who_is_not_let_in_is_shown_with_what_to_do(show, table, turned_away):
    turned_away.append("192.168.50.31")
    screen = await show(table, size=PHONE, path="/stations")
    told = await screen.text("[data-turned-away]")
    assert told.startswith(
        "192.168.50.31 is trying to log in with a wrong user or password. If it is a station, adopt it"
    )
    turned_away.append("192.168.50.7")
    await screen.page.get_by_text("192.168.50.31, 192.168.50.7 are trying to log in").wait_for()
    wide = await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


async def test_the_page_speaks_french(show, table):
    screen = await show(table, "?lang=fr", path="/stations")
    assert "silencieuse" in await screen.text("[data-state='silent']")
    assert FAULT["fr"] in await screen.text("[data-state='bad']")


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, PHONE])
async def test_a_station_is_one_line_with_its_cause_until_it_is_tapped(show, table, size):
    screen = await show(table, size=size, path="/stations")
    lines = screen.page.locator("[data-station]")
    heights = [(await line.bounding_box())["height"] for line in await lines.all()]
    assert max(heights) < (70 if size["width"] > 1000 else 190)
    assert FAULT["en"] in await screen.text("[data-state='bad'] summary")
    assert await screen.page.locator("[data-station] table:visible").count() == 0
    await lines.first.locator("summary").click()
    assert await screen.page.locator("[data-station] table:visible").count() == 1
    await lines.first.get_by_text("Enter as the host").wait_for()


NAMES = {
    "seat/2/pad/1": ("Seat 2's pad 2", "Socle 2 de la place 2"),
    "seat/2/card/0": ("Seat 2's card slot 1", "Emplacement de carte 1 de la place 2"),
    "seat/2/bag": ("Seat 2's cradle", "Support de sac de la place 2"),
    "city/0/0": ("The centre of the city", "Le centre de la ville"),
    "supply/platform/1": ("The platform supply 2", "La réserve de plateformes 2"),
    "supply/contract/commercial": ("The commercial column", "La colonne du type commercial"),
}


@pytest.mark.parametrize(("query", "k"), [("?lang=en", 0), ("?lang=fr", 1)])
async def test_a_place_has_the_name_that_people_give_it(show, table, recorded, query, k):
    one = replace(table.health[0], report=report(tuple(NAMES)))
    screen = await show(replace(table, health=(one,), scene=recorded("midgame").scene), query, path="/stations")
    await opened(screen)
    await screen.page.wait_for_load_state("networkidle")  # the words of the game are there
    for spot, names in NAMES.items():
        line = screen.page.locator(f"td[title='{spot}']").first
        assert (await line.inner_text()).lower() == names[k].lower()


async def test_the_host_sees_the_load_and_lets_the_lights_blink(show, table, blinking):
    screen = await show(table, path="/host")
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    first = screen.page.locator("[data-state='good']").first
    await first.locator("summary").click()
    await first.locator("[data-load] path").first.wait_for()
    assert "118 g" in await first.locator("[data-load]").inner_text()
    assert "tag 04bb, not enrolled" in await first.locator("[data-tags]").inner_text()
    async with screen.page.expect_response("**/identify") as answered:
        await first.get_by_role("button", name="Make it blink").click()
    assert (await answered.value).status == 202
    assert blinking == [await first.get_attribute("data-station")]


async def test_the_host_tries_each_colour_and_each_led_of_a_station(show, table, blinking):
    screen = await show(table, path="/host")
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    first = screen.page.locator("[data-state='good']").first
    await first.locator("summary").click()
    for name in (
        "Try the LEDs",
        "All are red: next",
        "All are green: next",
        "All are blue: next",
        "They light up one after another: done",
    ):
        async with screen.page.expect_response("**/lights/*") as answered:
            await first.get_by_role("button", name=name).click()
        assert (await answered.value).status == 202
    await first.get_by_role("button", name="Try the LEDs").wait_for()
    station = await first.get_attribute("data-station")
    assert blinking == [f"{station} {trial}" for trial in ("red", "green", "blue", "round", "end")]


async def test_the_host_holds_a_thing_to_a_reader_and_says_what_it_is(show, table, tags):
    screen = await show(table, path="/host", size=PHONE)
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    enrol = screen.page.locator("[data-enrol]")
    await enrol.locator("summary").click()
    await enrol.get_by_label("2 things have no tag").select_option("bag")
    await enrol.locator("[data-tag]").get_by_role("button", name="This is the bag").click()
    await enrol.get_by_text("1 tag has been enrolled since the hub started").wait_for()
    assert [(one.uid, one.thing) for one in tags.enrolled] == [("04a1b2c3d4e5f6", "bag")]


async def test_things_without_a_tag_have_the_names_of_their_game_in_the_language_of_the_page(show, table):
    screen = await show(table, path="/host", size=PHONE)
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations") + "?lang=fr")
    enrol = screen.page.locator("[data-enrol]")
    await enrol.locator("summary").click()
    await enrol.locator("option").first.wait_for(state="attached")
    assert await enrol.locator("option").all_inner_texts() == ["la plateforme 7 (public)", "le sac"]


async def test_nobody_but_the_host_enrols(show, table):
    screen = await show(table, path="/stations")
    assert await screen.page.locator("[data-enrol]").count() == 0


async def test_the_host_says_with_what_a_seat_is_calibrated_and_goes_on_where_it_stopped(show, table, stations):
    screen = await show(table, path="/host", size=PHONE)
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    panel = screen.page.locator("[data-care=calibrate]")
    await panel.locator("summary").click()
    await panel.get_by_label("Heights of the gauge blocks").fill("20; 50 100")
    async with screen.page.expect_response("**/api/care"):
        await panel.get_by_role("button", name="Go on").click()
    assert stations.wishes == [Calibrate("seat-1", 500, 200, (20, 50, 100))]
    await panel.get_by_label("What").select_option("seat/1/bag")
    assert await panel.get_by_label("Second weight").count() == 0
    async with screen.page.expect_response("**/api/care"):
        await panel.get_by_role("button", name="Begin").click()
    assert stations.wishes[1:] == [Calibrate("seat/1/bag", 500)]


async def test_a_tap_is_seen_at_once_and_counts_once(show, table, stations):
    step = Step("put", "city/1/0", 500.0)
    stations.now = replace(stations.now, work=Work("calibrate", "sector-1", state="asks", no=4, step=step))
    screen = await show(table, path="/host", size=PHONE)
    await screen.page.goto(screen.page.url.partition("#")[0].replace("/host", "/stations"))
    done = screen.page.get_by_role("button", name="Done")
    await done.scroll_into_view_if_needed()
    place = await done.bounding_box()
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    stations.now = replace(stations.now, work=replace(stations.now.work, state="runs"))
    await screen.page.mouse.dblclick(*middle)  # the button may be drawn anew meanwhile; a finger does not wait for it
    await screen.page.get_by_text("The hub is weighing").wait_for()
    assert stations.wishes == [Tap(4)]
    await screen.page.mouse.click(*middle)
    await screen.page.wait_for_load_state("networkidle")
    assert stations.wishes == [Tap(4)], "where the tap was nothing stops the work"


async def _by_the_host(show, table):
    screen = await show(table, path="/host")
    await screen.page.locator("main").wait_for()
    await screen.page.goto(f"http://127.0.0.1:{screen.port}/stations?lang=en")
    await screen.page.locator("[data-care=calibrate]").wait_for()
    return screen


async def test_what_was_chosen_stands_there_again_after_stop(show, table, stations):
    screen = await _by_the_host(show, table)
    form = screen.page.locator("[data-care=calibrate]")
    await form.locator("summary").click()
    await form.locator("select").first.select_option("sector-1")
    await form.locator("input[type=number]").first.fill("321")
    stations.now = replace(stations.now, work=Work("calibrate", "sector-1", state="done"))
    await form.locator("[data-work]").wait_for()
    stations.now = replace(stations.now, work=None)
    await form.locator("form").wait_for()
    assert await form.locator("select").first.input_value() == "sector-1"
    assert await form.locator("input[type=number]").first.input_value() == "321"


async def test_a_line_says_which_station_does_not_run_the_program_of_the_hub(show, table):
    screen = await _by_the_host(show, table)
    await screen.page.locator("[data-station=park] .older").wait_for()
    assert await screen.page.locator(".older").count() == 1, "nothing is said of the one that does, or is not there"
