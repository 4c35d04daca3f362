"""Between two games the wall is calm: the city, the records, what can be played, and the way to join."""

import pytest

from citytable.views.records import Playable, RecordLine, Records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(10)]

PHONE = {"width": 390, "height": 844}
QUIET_MS, PAGE_MS = 60_000, 9_000


@pytest.fixture
def full(book):
    """A book with records and two games that can be played."""
    lines = (
        RecordLine("points", 44, 1, "", "2026-11-08", fresh=True),
        RecordLine("tallest", 61, 2, "Ada", "2026-11-01", fresh=False),
        RecordLine("longest", 6, None, "", "2026-11-01", fresh=False),
        RecordLine("falls", 7, None, "", "2026-10-12", fresh=False),
    )
    playable = (Playable("megacity", "MegaCity: Oceania", 2, 4), Playable("comeback", "Comeback City", 1, 1))
    book.records = Records("megacity", "MegaCity: Oceania", 12, lines, playable)
    return book


async def test_a_minute_after_the_end_the_wall_shows_records_and_then_what_can_be_played(show, recorded, full):
    screen = await show(recorded("final"), clock=True)
    page = screen.page
    assert await page.locator("[data-ambient]").count() == 0
    await page.clock.run_for(QUIET_MS)
    await page.locator("[data-record]").first.wait_for()
    assert await screen.attributes("[data-record]", "data-record") == ["points", "tallest", "longest", "falls"]
    assert await screen.text("[data-record=tallest]") == "Tallest building 61 mm Ada · Nov 1, 2026"
    await page.clock.run_for(PAGE_MS)
    await page.locator("[data-playable]").first.wait_for()
    assert await screen.text("[data-playable=comeback]") == "Comeback City 1 player"


async def test_the_last_city_is_lit_a_few_buildings_at_a_time(show, recorded, full):
    screen = await show(recorded("final"), clock=True)
    await screen.page.emulate_media(reduced_motion="no-preference")
    await screen.page.clock.run_for(QUIET_MS)
    await screen.page.locator(".tower.dark").first.wait_for()
    towers, dark = await screen.page.locator(".tower").count(), await screen.page.locator(".tower.dark").count()
    assert 0 < towers - dark <= 4


async def test_whoever_wants_no_motion_sees_the_whole_city(show, recorded, full):
    screen = await show(recorded("final"), clock=True)
    await screen.page.clock.run_for(QUIET_MS)
    await screen.page.locator("[data-record]").first.wait_for()
    assert await screen.page.locator(".tower.dark").count() == 0


async def test_a_name_is_kept_with_one_tap_and_erased_with_two(show, recorded, book):
    book.offered = ("Ada",)
    screen = await show(recorded("final"), path="/host", size=PHONE)
    names = screen.page.locator("[data-record-names]")
    await names.get_by_role("button", name="Ada agrees").click()
    await names.get_by_role("button", name="Erase Ada").click()
    assert book.kept == ("Ada",)
    await names.get_by_role("button", name="Erase Ada for good").click()
    await names.wait_for(state="detached")
    assert book.kept == ()
