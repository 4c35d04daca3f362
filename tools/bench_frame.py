"""How long the wall takes: a frame of the full city, and a delivery until it can be read.

A frame stands beside one of an empty table on the same page. A delivery (contract, target, band) stands beside a bare
page that shows the same message as text. Both columns are of one run.

Chromium draws without a graphics card (SwiftShader). The page draws frames for its own measurement when it opens and
reads one point of each, which waits until the frame is there; a script of this bench only looks at the clock before and
after.

    .venv/bin/python tools/bench_frame.py
"""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

import msgspec
from bench_feed import FIRST_SEQ, served, yardstick
from msgspec.structs import replace
from playwright.async_api import Browser, Page, async_playwright
from websockets.asyncio.server import broadcast

from citytable.views.feed import Feed
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, seen_by

VIEWS = Path(__file__).resolve().parents[1] / "tests/views/recorded"
RECORDED, DELIVERY = VIEWS / "final.json", VIEWS / "midgame.json"
DELIVERIES = 30
LOADS = 3
SIZES = ((1280, 720), (1920, 1080))
SOFTWARE = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
CLOCK = """() => {
  const own = WebGL2RenderingContext.prototype, { clear, readPixels } = own;
  let began = 0;
  globalThis.frames_ms = [];
  own.clear = function (...words) { began ||= performance.now(); return clear.apply(this, words); };
  own.readPixels = function (...words) {
    readPixels.apply(this, words);
    if (began) globalThis.frames_ms.push(performance.now() - began);
    began = 0;
  };
}"""
WATCH = """() => {
  const drawn = (look) => requestAnimationFrame(() => setTimeout(look));
  const stamp = () => { globalThis.seen_ms ||= performance.timeOrigin + performance.now(); };
  const look = () => document.querySelector("[data-delivery] [data-band]") && drawn(stamp);
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}"""
BARE = """(port) => new Promise((open) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const stamp = () => { globalThis.seen_ms ||= performance.timeOrigin + performance.now(); };
  socket.onopen = open;
  socket.onmessage = ({ data }) => {
    document.body.textContent = JSON.stringify(JSON.parse(data));
    requestAnimationFrame(() => setTimeout(stamp));
  };
})"""
MEASURED = "() => globalThis.frames_ms.length >= 5"


def table(*, empty: bool) -> View:
    """Return a table at the end of a game, or the same one before anything stands."""
    view = msgspec.json.decode(RECORDED.read_bytes(), type=View)
    scene = view.scene
    assert scene is not None
    tiles = scene.board["tiles"]
    kept = tiles[:1] if empty else tiles
    playing = replace(scene, ended="", winners=(), board={**scene.board, "tiles": kept})
    return replace(view, scene=playing, provisional=(), questions=(), live=())


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run Chromium with software rendering."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        raise SystemExit("Chromium is missing on this machine")
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*SOFTWARE, *sandbox])
        yield browser
        await browser.close()


async def frames_ms(browser: Browser, port: int, size: tuple[int, int]) -> list[float]:
    """Return the times of the frames that the page draws when it opens; the first has shadows and shaders in it."""
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    await page.add_init_script(f"({CLOCK})()")
    await page.goto(f"http://127.0.0.1:{port}/display")
    await page.wait_for_function(MEASURED, timeout=120_000)
    found = await page.evaluate("globalThis.frames_ms")
    await page.close()
    return [float(one) for one in found[1:]]


async def measured() -> None:
    """Measure and print."""
    async with (
        chromium() as browser,
        served(table(empty=True)) as (bare, _),
        served(table(empty=False)) as (full, _),
    ):
        for size in SIZES:
            took: dict[str, list[float]] = {"empty": [], "full": []}
            for _ in range(LOADS):
                took["empty"] += await frames_ms(browser, bare, size)
                took["full"] += await frames_ms(browser, full, size)
            empty_ms, full_ms = median(took["empty"]), median(took["full"])
            print(
                f"{size[0]:4} x {size[1]:4}: an empty table {empty_ms:6.1f} ms a frame, the full city "
                f"{full_ms:6.1f} ms = {full_ms / empty_ms:4.2f} times"
            )


async def _seen_ms(page: Page, show: Callable[[], None]) -> float:
    """Show something; return after how long the page has drawn it."""
    await page.evaluate("globalThis.seen_ms = 0")
    begun_ms = time.time() * 1000
    show()
    drawn = await page.wait_for_function("() => globalThis.seen_ms")
    return float(await drawn.json_value()) - begun_ms


async def delivered() -> None:
    """Measure how soon a delivery can be read, and print."""
    delivery = msgspec.json.decode(DELIVERY.read_bytes(), type=View)
    before = replace(delivery, provisional=(), questions=())
    (event,) = Feed(seen_by(PUBLIC, before), FIRST_SEQ).show(seen_by(PUBLIC, delivery))
    said = msgspec.json.encode(event).decode()
    async with chromium() as browser, served(before) as (port, server), yardstick() as (there, bare_port):
        size = {"width": SIZES[0][0], "height": SIZES[0][1]}
        ours, bare = [await browser.new_page(viewport=size, reduced_motion="reduce") for _ in range(2)]
        await ours.add_init_script(f"({WATCH})()")
        await ours.goto(f"http://127.0.0.1:{port}/display?city=flat")
        await ours.locator("[data-tile]").first.wait_for()
        await bare.evaluate(BARE, bare_port)
        took: dict[str, list[float]] = {"bare": [], "ours": []}
        for _ in range(DELIVERIES):
            took["bare"].append(await _seen_ms(bare, lambda: broadcast(there, said)))
            took["ours"].append(await _seen_ms(ours, lambda: server.show(delivery)))
            server.show(before)
            await ours.locator("[data-delivery]").wait_for(state="detached")
        middle = {name: median(all_ms) for name, all_ms in took.items()}
        print(
            f"a delivery: a bare page has its message after {middle['bare']:5.1f} ms, contract, target and band "
            f"are on the wall after {middle['ours']:5.1f} ms = {middle['ours'] / middle['bare']:4.1f} times; "
            f"the longest {max(took['ours']):5.1f} ms"
        )


def main() -> None:
    """Run."""
    asyncio.run(delivered())
    asyncio.run(measured())


if __name__ == "__main__":
    main()
