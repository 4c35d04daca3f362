"""The memory of pages stays flat over an evening: whole games, as fast as the pages take them."""

import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page

from citytable.bots.greedy import Greedy
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
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
    ("/display", "", 2),
    ("/display", "?city=3d", 40),  # draws slowly without a graphics card: few moments of a game
    ("/seat/1", "", 2),
    ("/host", "", 2),
]


def game_of(view: View, seed: int) -> Iterator[View]:
    """What a table shows in one game, act by act, until its end or until it has taken long enough."""
    rng, table, lines = random.Random(seed), MegaCityTable(HOUSE), ()
    dealer, bot, game = Dealer(rng), Greedy(), MegaCity(Options(players=3))
    for count in range(ACTS):
        if game.outcome() is not None:
            return
        action = dealer.outcome(game, bot.choose(game, list(game.legal_actions)))
        game.push(action)
        t_us = view.t_us + (seed * ACTS + count) * 100_000
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
@pytest.mark.parametrize(("path", "query", "each"), PAGES)
async def test_an_evening_leaves_nothing_on_a_page(
    show: Show, recorded: Callable[[str], View], path: str, query: str, each: int
) -> None:
    view, ends = recorded("midgame"), []
    screen = await show(view, "", SMALL, path)
    page = screen.page
    if query:
        page = await screen.another(path, query)
        await page.set_viewport_size(SMALL)
        await page.locator("[data-city='3d']").wait_for(timeout=SLOW_MS)
    for seed in range(GAMES):
        for count, moment in enumerate(game_of(view, seed)):
            if count % each == 0:
                screen.server.show(moment)
                await page.evaluate(DRAWN)
        screen.server.show(view)  # each end is looked at in the same state
        await page.evaluate(DRAWN)
        ends.append(await taken(page))
    if query:
        await page.close()
    print(f"{path}{query}:", *(f"{end['JSHeapUsedSize'] / 1e6:.2f} MB" for end in ends), ends[-1])
    first, last = ends[1], ends[-1]  # until then the page has fetched and compiled what it needs
    assert last["JSHeapUsedSize"] < 1.1 * first["JSHeapUsedSize"]
    assert last["Nodes"] < 1.1 * first["Nodes"]
    assert last["JSEventListeners"] <= 1.1 * first["JSEventListeners"]
