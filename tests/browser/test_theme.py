"""A venue's theme in the browser: its colours, its names, its logo and its letters, and the rest as it was."""

import asyncio
import base64
import json
import re
import shutil
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S, WAIT_MS

from citytable.views.state import View
from citytable.views.theme_file import read_theme

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(15)]

DASHBOARD = Path(__file__).resolve().parents[2] / "dashboard"
AXE = DASHBOARD / "node_modules/axe-core/axe.min.js"
WRONG = "async () => (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)"
COLOURS = {"ground": "#1c0d14", "panel": "#2a1420", "raised": "#3d2030", "quiet": "#d4b8c0", "edge": "#a0788a"}
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><path d="M10 70V30h50v40z" fill="#f0f"/></svg>'
BRAND = """(css) => {
  const { content, backgroundImage, fontSize, display } = getComputedStyle(document.querySelector(css), "::before");
  return { content, image: backgroundImage, size: parseFloat(fontSize), shown: display };
}"""
ROOM_ABOVE = """() => {
  const top = (css) => document.querySelector(css).getBoundingClientRect().top;
  return top(".stage .board") - top(".stage");
}"""
# which of these the page has fetched at last: letters come after the styles
FETCHED = """([wanted, waitMs]) => new Promise((told) => {
  const names = () => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname);
  const look = () => wanted.every((name) => names().includes(name)) && told(names());
  new PerformanceObserver(look).observe({ type: "resource", buffered: true });
  look();
  setTimeout(() => told(names()), waitMs);
})"""
OURS = ["/theme/theme.css", "/theme/font"]
# whether a picture of the page has the colour of the logo somewhere
PAINTED = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  for (let k = 0; k < data.length; k += 4) if (data[k] === 255 && data[k + 1] === 0 && data[k + 2] === 255) return true;
  return false;
}"""


@pytest.fixture
def theme(tmp_path):
    (tmp_path / "logo.svg").write_text(LOGO)
    shutil.copy(DASHBOARD / "src/fonts/archivo.woff2", tmp_path / "own.woff2")
    file = {"name": "Café Méridien", "event": "Round 3", "logo": "logo.svg", "font": "own.woff2", "colours": COLOURS}
    (tmp_path / "salon.json").write_text(json.dumps(file))
    return read_theme(tmp_path / "salon.json")


@pytest.mark.parametrize(
    ("path", "name", "brand"),
    [("/display", "early", ".stage"), ("/display", "final", ".stage"), ("/overlay", "midgame", ".unofficial")],
)
async def test_the_display_and_the_overlay_wear_the_theme(show, recorded, theme, path, name, brand):
    screen = await show(recorded(name), "?lang=fr", path=path, theme=theme)
    await screen.page.evaluate("document.fonts.ready")
    seen = await screen.page.evaluate(BRAND, brand)
    assert seen["content"] == ('"Café Méridien · Round 3"' if path == "/display" else r'"Café Méridien\a Round 3"')
    assert "/theme/logo" in seen["image"]
    assert seen["size"] >= (43 if path == "/display" else 24), "as large as the smallest text of the page"
    panel = await screen.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--panel')")
    assert panel == COLOURS["panel"]
    fetched = await screen.page.evaluate(FETCHED, [OURS, WAIT_MS])
    assert [name for name in OURS if name not in fetched] == []
    async with asyncio.timeout(PATIENCE_S):
        while not await screen.page.evaluate(PAINTED, base64.b64encode(await screen.page.screenshot()).decode()):
            pass  # a logo may come after everything else
    assert not [name for name in fetched if "archivo" in name], "the venue's letters come instead of ours"
    await screen.page.evaluate(AXE.read_text("utf-8"))
    assert await screen.page.evaluate(WRONG) == []


@pytest.mark.parametrize("name", ["early", "midgame", "final", None])
async def test_the_names_lie_over_nothing_else_of_the_display(show, recorded, theme, name):
    screen = await show(View(t_us=0, table="salon") if name is None else recorded(name), path="/display", theme=theme)
    assert (await screen.page.evaluate(BRAND, ".stage"))["shown"] == "grid"
    assert await screen.page.evaluate(ROOM_ABOVE) >= 40, "the board begins below them"
    assert await screen.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


async def test_the_lamp_over_the_wall_has_the_colours_of_the_theme(show, recorded, theme):
    screen = await show(recorded("early"), path="/display", theme=theme)
    lamp = await screen.page.evaluate("getComputedStyle(document.querySelector('.stage')).backgroundImage")
    rgb = [
        f"rgb({', '.join(str(b) for b in bytes.fromhex(COLOURS[name][1:]))})" for name in ("raised", "panel", "ground")
    ]
    assert re.findall(r"rgb\([^)]*\)", lamp) == rgb


async def test_players_and_the_host_fetch_nothing_of_it(show, recorded, theme):
    for path in ("/seat/1", "/host"):
        screen = await show(recorded("midgame"), path=path, theme=theme)
        assert await screen.page.locator("link[href^='/theme/']").count() == 0
