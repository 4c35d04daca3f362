"""A person at a browser plays whole turns at the virtual table: once with the mouse, once with the keyboard."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from tests.patience import PATIENCE_S, WAIT_MS

pytestmark = [pytest.mark.browser, pytest.mark.broker, pytest.mark.asyncio(loop_scope="session")]

BIG = {"width": 1920, "height": 1080}
RUN = ("run", "--no-open", "--port", "0", "--seed", "5", "--speed", "10")
CARD = "[data-place='seat/1/card/{}'][data-thing]"
COLUMN = "[data-place^='supply/contract/'][data-thing]"


@asynccontextmanager
async def run_table(*options):
    """A virtual table where bots play: the links that the command `host` prints."""
    command = Path(sys.executable).with_name("citytable")
    run = await asyncio.create_subprocess_exec(command, *RUN, *options, stdout=asyncio.subprocess.PIPE)
    journal, links = None, ""
    async with asyncio.timeout(PATIENCE_S):
        while journal is None:  # into a pipe goes the command that prints the link, and no key
            line = (await run.stdout.readline()).decode()
            assert line, f"citytable run ended with code {await run.wait()}"  # the end would come again and again
            journal = re.match(r"host .* --journal (\S+)", line)
        while "/table#" not in links:
            asked = await asyncio.create_subprocess_exec(
                command, "host", "--journal", journal[1], stdout=asyncio.subprocess.PIPE
            )
            links = (await asked.communicate())[0].decode()
    try:
        yield {path: re.search(rf"http\S+/{path}#\S+", links)[0] for path in ("host", "table")}
    finally:
        run.terminate()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await run.communicate()
        except TimeoutError:
            run.kill()
            raise


@asynccontextmanager
async def opened(browser, *links):
    """A page of the virtual table for each of these links."""
    shown = [await browser.new_page(viewport=BIG, reduced_motion="reduce", locale="en-GB") for _ in links]
    try:
        for page, link in zip(shown, links, strict=True):
            page.set_default_timeout(WAIT_MS)
            await page.goto(link)
            await page.locator("[data-coach]").wait_for()
        yield shown
    finally:
        for page in shown:
            await page.close()


@asynccontextmanager
async def visited(browser, *options, pages=1):
    """The pages of seat 1 at a virtual table where bots play."""
    async with run_table(*options) as links, opened(browser, *[links["table"]] * pages) as shown:
        yield shown


async def link_of(browser, host, seat):
    """The link to the virtual table for the player of a seat, as the host's page has it for their phone."""
    page = await browser.new_page(locale="en-GB")
    await page.goto(host)
    await page.get_by_role("button", name="Let players' phones join").click()
    key = await page.locator(f"[data-pass='{seat}'] a").get_attribute("href")
    await page.close()
    return host.split("/host")[0] + key.replace("/seat/", "/table/")


@pytest_asyncio.fixture(loop_scope="session")
async def table(browser):
    """The page of seat 1 at a virtual table where two bots play MegaCity, and another browser's."""
    async with visited(browser, "--players", "2", pages=2) as pages:
        yield pages


async def drag(page, start, goal):
    """Move what is at one place to another with the mouse, and let go."""
    ends = [await page.locator(css).first.bounding_box() for css in (start, goal)]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(to_x, to_y, steps=5)
    await page.mouse.up()


async def press(page, *places):
    """Choose a thing and then its place, with the keyboard alone."""
    for css in places:
        await page.locator(css).first.focus()
        await page.keyboard.press("Enter")


@pytest.mark.soak
async def test_a_person_plays_a_turn_by_drag_and_one_by_keyboard_and_another_browser_sees_it(table):
    page, other = table
    await page.locator("[data-sit]").click()
    await other.locator("[data-coach=person]").wait_for()
    await page.get_by_text("Your turn").wait_for()
    await drag(page, COLUMN, "[data-place='seat/1/card/0']")
    await other.locator(CARD.format(0)).wait_for()
    await drag(page, "[data-place='seat/1/bag']", "[data-place='seat/2/bag']")
    await page.get_by_text("Seat 2 is playing").wait_for()

    await page.get_by_text("Your turn").wait_for()
    await press(page, COLUMN, "[data-place='seat/1/card/1']")
    await other.locator(CARD.format(1)).wait_for()
    await press(page, "[data-place='seat/1/bag']", "[data-place='seat/2/bag']")
    await page.get_by_text("Seat 2 is playing").wait_for()


TILE = "[data-place^='supply/platform/'][data-thing]"
PAD = "[data-place='seat/{}/pad/0'][data-thing]"


@pytest.mark.long(27)
async def test_two_people_at_two_browsers_play_at_one_table_and_see_what_the_other_does(browser):
    async with run_table("--players", "2") as links:
        second = await link_of(browser, links["host"], 2)
        async with opened(browser, links["table"], second) as (one, two):
            for page in (one, two):
                await page.locator("[data-sit]").click()
            for page in (one, two):
                await page.locator("[data-coach=person]").wait_for()
            turns = [(one, 1, two, 2), (two, 2, one, 1)]
            first = one.get_by_text("Your turn").or_(one.get_by_text("Seat 2 is playing")).first
            if "Your turn" not in await first.inner_text():
                turns.reverse()
            for page, seat, other, next_seat in turns:
                await page.get_by_text("Your turn").wait_for()
                await drag(page, TILE, f"[data-place='seat/{seat}/pad/0']")
                for each in (page, other):
                    await each.locator(PAD.format(seat)).wait_for()
                await drag(page, f"[data-place='seat/{seat}/bag']", f"[data-place='seat/{next_seat}/bag']")
                await page.get_by_text(f"Seat {next_seat} is playing").wait_for()
            things = [
                [await page.locator(PAD.format(seat)).get_attribute("data-thing") for seat in (1, 2)]
                for page in (one, two)
            ]
            assert things[0] == things[1]


COLUMN_OF = "[data-place='supply/contract/{}'][data-thing]"
PLATFORM = "[data-place^='supply/platform/'][data-thing^='platform/{}/']"


async def read(page):
    """Do at the table what the page says, word by word; return the sentence."""
    said = await page.locator("[data-lesson] .do").inner_text()
    if found := re.fullmatch(r"Take the top card of the (\w+) column and put it in one of your card slots\.", said):
        await press(page, COLUMN_OF.format(found[1]), "[data-place^='seat/1/card/']:not([data-thing])")
    elif found := re.match(r"Take platform (\d+) and put it on one of your pads", said):
        await press(page, PLATFORM.format(found[1]), "[data-place^='seat/1/pad/']:not([data-thing])")
    elif said.startswith("Draw 3 pieces from the bag"):
        await page.get_by_role("button", name="Reach into the bag").click()
    elif found := re.match(r"Say “(\w+)”, look into the bag", said):
        assert await page.locator("[data-report]").count() == 0  # the button says it, and nobody says it twice
        await page.get_by_role("button", name=f"Look for {found[1]}").click()
    else:
        assert said.startswith("Put the bag on seat 2's cradle."), said
        await press(page, "[data-place='seat/1/bag']", "[data-place='seat/2/bag']")
    return said


@pytest.mark.soak
async def test_a_newcomer_plays_a_whole_turn_by_what_the_page_says(table):
    page, _ = table
    await page.locator("[data-sit]").click()
    await page.locator("[data-guide=false]").click()
    done = []
    while not (done and done[-1].startswith("Put the bag")):
        await page.locator("[data-lesson].mine .do").wait_for()
        done.append(await read(page))
        await page.wait_for_function(
            "said => document.querySelector('[data-lesson].mine .do')?.innerText !== said", arg=done[-1]
        )
    assert len(done) == 4  # three acts of a game for two, and the bag
    await page.get_by_text("Seat 2 is playing").wait_for()


@pytest.mark.soak
async def test_a_person_flips_passes_and_builds_cards_of_comeback_city(browser, found_on):
    async with visited(browser, "--game", "comeback") as (page,):
        await page.locator("[data-sit]").click()
        await page.locator("[data-coach=person]").wait_for()
        assert await found_on(page) == []
        cards = page.locator("[data-place='seat/1/card/1'][data-thing], [data-place='seat/1/card/2'][data-thing]")
        while await cards.count():  # the bot may have laid one
            thing = await cards.first.get_attribute("data-thing")
            place = await page.locator("[data-open]").first.get_attribute("data-open")
            await drag(page, f"[data-thing='{thing}']", f"[data-place='{place}']")
            await page.locator(f"[data-spot='{place}']").wait_for()  # the hub has read it
        await page.get_by_text("Build your city").wait_for()
        await page.get_by_text("With your hands on the table: flip a card").wait_for()
        assert not await page.locator("[data-may]").count()  # a card that is only reported would lie where it was
        flipped = page.locator("[data-flipped]")
        while "Build or discard it" not in await flipped.inner_text():
            before = await flipped.get_attribute("data-flipped")
            await page.locator("[data-flip]").click()
            await page.wait_for_function(
                "before => document.querySelector('[data-flipped]').dataset.flipped !== before", arg=before
            )
        card = await flipped.get_attribute("data-flipped")
        place = await page.locator("[data-open]").last.get_attribute("data-open")
        await press(page, "[data-place='seat/1/card/0']", f"[data-place='{place}']")
        await page.locator(f"[data-card='{card}'][data-spot='{place}']").wait_for()
        assert int(await page.locator("[data-pile=passed] .number").inner_text()) >= 1


SPACE = "[data-action-space] button"  # for workers


@pytest.mark.soak
async def test_a_person_buys_a_tile_of_dilluvia_by_laying_it_before_them_and_places_workers(browser):
    async with visited(browser, "--game", "dilluvia", "--players", "2") as (page,):
        await page.locator("[data-sit]").click()
        await page.locator("[data-coach=person]").wait_for()
        bought = 0
        while True:
            await page.locator(f"[data-turn='1'] [data-may] button, {SPACE}").first.wait_for()
            now = await page.locator("[data-turn]").inner_text()
            if "Place a zeppelin" in now:
                await page.locator("[data-may] button").click()
                await page.locator("[data-turn] [data-choice^='berth/']").first.click()
            elif "Buy from the market" in now and not bought:
                tile = await page.locator(".market .lit[data-thing]").first.get_attribute("data-thing")
                await drag(page, ".market .lit[data-thing]", "[data-place='seat/1/card/0']")
                await page.locator(f"[data-place='seat/1/card/0'][data-thing='{tile}']").wait_for()
                bought += 1
                continue
            elif "Buy from the market" in now:
                await page.get_by_role("button", name="I am done").click()
            else:
                await page.locator("[data-action-space=income] button").click()
                ask = page.locator("[data-here] button")
                while await ask.count():
                    await ask.first.click()
                await page.locator("[data-action-space=income] .taken").first.wait_for()
                break
            await page.wait_for_function("now => document.querySelector('[data-turn]').innerText !== now", arg=now)
        assert bought


@pytest.mark.soak
async def test_a_person_taps_the_city_of_dilluvia_to_lay_out_a_space(browser):
    async with visited(browser, "--game", "dilluvia", "--players", "2") as (page,):
        await page.locator("[data-sit]").click()
        await page.locator("[data-coach=person]").wait_for()
        space, mine = page.locator("[data-tap]"), page.locator("[data-ground=terrain][data-owner='1']")
        while not await mine.count():
            await page.locator(f"[data-turn='1'] [data-may] button, [data-tap], {SPACE}").first.wait_for()
            now = await page.locator("[data-turn]").inner_text()
            if await space.count():
                await space.first.focus()
                await page.keyboard.press("Enter")
                choice = page.locator("[data-here] button")
                while await choice.count():
                    await choice.first.click()
                break
            if "Place a zeppelin" in now:
                await page.locator("[data-may] button").click()
                await page.locator(".market [data-choice^='berth/']").first.click()
            elif "Buy from the market" in now:
                await page.get_by_role("button", name="I am done").click()
            else:
                await page.locator("[data-action-space=territory] button").click()
                ask = page.locator("[data-here] button")
                while await ask.count():
                    await ask.first.click()
            await page.wait_for_function("now => document.querySelector('[data-turn]').innerText !== now", arg=now)
        await mine.first.wait_for()


@pytest.mark.soak
async def test_whoever_sees_a_game_end_plays_again_without_the_host(browser):
    async with visited(browser, "--game", "comeback", "--speed", "20") as (page,):
        await page.locator("[data-coach=ended]").wait_for(timeout=500_000)
        await page.locator("[data-again]").click()
        await page.locator("[data-coach=person]").wait_for()
        assert await page.locator("[data-door]").count() == 0
