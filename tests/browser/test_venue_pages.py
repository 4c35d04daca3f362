"""The venue's public page: a hall reads it on a wall, and a player on a phone."""

from importlib import resources

import pytest

from citytable.venue.draw import draw
from citytable.venue.evening import after, evening_of
from citytable.venue.facts import EveningBegun, PlayerCame, ResultRuled, TableOpened
from citytable.venue_desk.pages import Pages

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines"),
    *("Jo", "Kim", "Lou", "Mia", "Ned", "Ola", "Pia", "Quintus-Maximilian"),
)
TABLES = ("north", "east", "south", "west", "salon")
OVER = "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"


def _evening():
    """An evening of 17 players in its second round, one table of which still plays."""
    evening = evening_of([EveningBegun(2, 4, 4, 3), *map(TableOpened, TABLES), *map(PlayerCame, NAMES)])
    for round_no in (1, 2):
        evening = after(evening, draw(evening))
        for seating in evening.rounds[-1].seatings:
            if round_no == 1 or seating.table != "west":
                points = tuple(20 + 3 * k for k in range(len(seating.players)))
                evening = after(evening, ResultRuled(round_no, seating.table, points, ""))
    return evening


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [(1920, 1080), (390, 844)], ids=["wall", "phone"])
async def test_an_evening_of_17_fits_a_wall_without_scrolling_and_a_phone_in_its_width(browser, size, language):
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
    try:
        style = resources.files("citytable.venue_desk").joinpath("pages.css").read_text("utf-8")
        await page.set_content(Pages(language).evening("friday", _evening()))
        await page.add_style_tag(content=style)
        wider, higher = await page.evaluate(OVER)
        assert wider <= 0
        assert higher <= 0 or size[0] < 1000
    finally:
        await page.close()
