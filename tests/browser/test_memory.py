"""The memory of pages stays flat over an evening: the same game again and again, as fast as the pages take it."""

import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games import box_of, chance_of
from citytable.views.state import View
from citytable.views.wording import happened

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.asyncio(loop_scope="session")]

Show = Callable[..., Awaitable[Any]]
GAMES, ACTS = 4, 400
SLOW_MS = 120_000  # until the model is there, without a graphics card
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
LINES = 12  # of the ticker
SMALL = {"width": 1000, "height": 600}
PAGES = [
    ("megacity", "/display", "?city=flat", 2),
    ("megacity", "/display", "?city=3d", 40),  # draws slowly without a graphics card: few moments of a game
    ("megacity", "/overlay", "", 2),
    ("megacity", "/seat/1", "", 2),
    ("megacity", "/host", "", 2),
    ("comeback", "/display", "", 1),
    ("comeback", "/seat/1", "", 1),
    ("dilluvia", "/display", "", 1),
    ("dilluvia", "/seat/1", "", 1),
]


def game_of(name: str, view: View) -> Iterator[View]:
    """What a table shows in a game, act by act, until its end or until it has taken long enough."""
    rng, box, lines = random.Random(1), box_of(name), ()
    bot = Greedy() if name == "megacity" else RandomBot(rng)
    game, table, dealer = box.begin(box.options(min(3, box.players[-1]))), box.table(), chance_of(name, rng)
    for count in range(ACTS):
        if game.outcome() is not None:
            return
        decisions = list(game.legal_actions)
        action = dealer.outcome(game, bot.choose(game, decisions) if game.player else decisions[0])
        game.push(action)
        t_us = view.t_us + count * 100_000
        lines = (*lines, happened(count, t_us, str(action)))[-LINES:]
        scene = table.scene(game.position, game.position, (), game.position)  # of points only their sums
        yield replace(view, t_us=t_us, scene=scene, happened=lines, provisional=(), questions=(), live=())


async def taken(page: Page) -> dict[str, float]:
    """The heap and the nodes of a page, after what is not needed was thrown away."""
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    for _ in range(2):
        await session.send("HeapProfiler.collectGarbage")
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    await session.detach()
    found = {one["name"]: one["value"] for one in metrics}
    return {name: found[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}


@pytest.mark.timeout(0)
@pytest.mark.parametrize("watched", PAGES, ids=lambda one: f"{one[0]}{one[1]}{one[2]}")
async def test_an_evening_leaves_nothing_on_a_page(
    show: Show, recorded: Callable[[str], View], drawings: Any, watched: tuple[str, str, str, int]
) -> None:
    game, path, query, each = watched
    moments = list(game_of(game, recorded("midgame")))
    last = recorded("midgame") if game == "megacity" else moments[len(moments) // 2]
    screen, ends = await show(last, query, SMALL, path), []
    page = screen.page
    counted = drawings(page)
    await counted.count_on(page.url)
    await page.locator("[data-city='3d']" if "3d" in query else "main").first.wait_for(timeout=SLOW_MS)
    for _ in range(GAMES):
        for moment in moments[::each]:
            screen.server.show(moment)
            await page.evaluate(DRAWN)
        screen.server.show(last)  # each end is looked at in the same state
        await page.evaluate(DRAWN)
        ends.append(await taken(page) | await counted.held())
    sizes = " ".join(f"{end['JSHeapUsedSize'] / 1e6:.2f}" for end in ends)
    print(f"{game} {path}{query}: {sizes} MB, {ends[-1]}")
    first, last_one = ends[1], ends[-1]  # until then the page has fetched and compiled what it needs
    assert last_one.pop("JSHeapUsedSize") < 1.1 * first.pop("JSHeapUsedSize")
    assert last_one == first, "the same game leaves the same on the page"
