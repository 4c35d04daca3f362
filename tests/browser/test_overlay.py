"""The overlay over a picture: transparent, legible at every scale, and silent about what only the table needs."""

import base64
import json

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.table.scene import PlayerScene
from citytable.views.keys import Keys
from citytable.views.state import Happened, View
from citytable.views.theme_file import read_theme

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(16)]

ELEMENTS = ["turn", "score", "delivery", "sentence"]
SAFE = {"left": 96, "top": 54, "right": 1920 - 96, "bottom": 1080 - 54}
NAMES = ["Maximilienne-Aurélie", "Bartholomäus-Friedel", "Constance-Philippine", "Wilhelmina-Charlotte"]
SAMPLE_MS = 3000

# pixels of a picture that are not fully transparent, inside the elements and outside
ALPHA = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0);
  const boxes = [...document.querySelectorAll("[data-element]")].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const [x, y] = [Math.floor(left), Math.floor(top)];
    return [x, y, Math.ceil(right) - x, Math.ceil(bottom) - y];
  });
  const opaque = boxes.map((box) => count(pen.getImageData(...box).data));
  for (const box of boxes) pen.clearRect(...box);
  return { opaque, outside: count(pen.getImageData(0, 0, image.width, image.height).data) };
  function count(data) {
    let n = 0;
    for (let k = 3; k < data.length; k += 4) n += data[k] > 0;
    return n;
  }
}"""
# what is wrong with where the elements and their words are; a line's box is a little higher than its letters
AMISS = """(safe) => {
  const amiss = [], all = [...document.querySelectorAll("[data-element]")];
  const box = (one) => one.getBoundingClientRect();
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const within = (a, b, air = 0) =>
    a.left >= b.left - 1 && a.right <= b.right + 1 && a.top + air >= b.top - 1 && a.bottom - air <= b.bottom + 1;
  for (const one of all) {
    const name = one.dataset.element;
    if (!within(box(one), safe)) amiss.push(`${name} is outside the margins`);
    for (const other of all)
      if (one !== other && !apart(box(one), box(other))) amiss.push(`${name} lies over ${other.dataset.element}`);
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (texts.currentNode.data.trim()) amiss.push(...leaves(one, texts.currentNode));
  }
  return amiss;
  function leaves(one, text) {
    const range = document.createRange(), around = [];
    range.selectNodeContents(text);
    for (let up = text.parentElement; up !== one.parentElement; up = up.parentElement)
      if (getComputedStyle(up).display !== "inline") around.push(up);
    const cut = (line) => around.some((up) => !within(line, box(up), line.height * 0.15));
    return [...range.getClientRects()].some(cut) ? [`"${text.data}" is cut off in ${one.dataset.element}`] : [];
  }
}"""


@pytest.fixture
def worst(recorded):
    """Four players with long names, a delivery under way, and after it the longest sentence there is."""
    view = recorded("midgame")
    board = view.scene.board
    players = tuple(PlayerScene(seat + 1, score=100 + seat, name=name) for seat, name in enumerate(NAMES))
    area = board["areas"][0] | {"seat": 4}
    scene = replace(view.scene, players=players, board=board | {"areas": [*board["areas"], area]})
    return replace(view, scene=scene)


def long_sentence(view):
    why = "Le bâtiment de la place trois est tombé pendant que nous le mesurions, " * 3
    line = Happened(no=99, t_us=0, key="action.position_set", words={"why": why[:200]}, seat=4)
    return replace(view, provisional=(), happened=(line,))


async def alpha(screen):
    png = await screen.page.screenshot(omit_background=True)
    return await screen.page.evaluate(ALPHA, base64.b64encode(png).decode())


async def shown(screen):
    return [name for name in await screen.attributes("[data-element]", "data-element") if name != "unofficial"]


@pytest.mark.parametrize("scale", [50, 100, 200])
async def test_only_its_panels_are_seen_and_no_word_is_cut_off_together_and_alone(show, worst, scale):
    screen = await show(worst, f"?lang=fr&scale={scale}", path="/overlay")
    assert await shown(screen) == ELEMENTS
    assert await screen.page.evaluate(AMISS, SAFE) == []
    seen = await alpha(screen)
    assert seen["outside"] == 0
    assert all(n > 0 for n in seen["opaque"])
    for name in ELEMENTS:
        await screen.page.goto(f"http://127.0.0.1:{screen.port}/overlay?lang=fr&scale={scale}&show={name}")
        await screen.page.locator(f"[data-element='{name}']").wait_for()
        assert await shown(screen) == [name]
        assert await screen.page.evaluate(AMISS, SAFE) == []
        size = f"document.querySelector('.region:has([data-element={name}])').style.getPropertyValue('--fit')"
        assert await screen.page.evaluate(size) == "1.000", "alone an element is as big as it was asked to be"
    height = (await screen.page.locator("[data-line]").bounding_box())["height"]
    assert height == pytest.approx(0.73 * scale, rel=0.1), "one line of text, at the scale that was asked for"
    await screen.page.goto(f"http://127.0.0.1:{screen.port}/overlay?lang=fr&scale={scale}")
    screen.server.show(long_sentence(worst))
    await screen.page.get_by_text("saisie telle quelle").wait_for()
    await expect(screen.page.locator("[data-element='delivery']")).to_have_count(0)
    assert await screen.page.evaluate(AMISS, SAFE) == []


async def test_a_themes_name_and_logo_stay_within_the_margins_and_beside_the_elements(show, worst, tmp_path):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 10"><path d="M0 0h60v10z" fill="#fff"/></svg>'
    (tmp_path / "logo.svg").write_text(drawing)
    (tmp_path / "salon.json").write_text(json.dumps({"name": "M" * 24, "event": "W" * 24, "logo": "logo.svg"}))
    screen = await show(worst, "?lang=fr&scale=200", path="/overlay", theme=read_theme(tmp_path / "salon.json"))
    assert await screen.page.evaluate(AMISS, SAFE) == []
    assert (await alpha(screen))["outside"] == 0


async def test_an_address_that_makes_no_sense_is_noted_in_test_mode_and_ignored_on_air(show, worst):
    screen = await show(worst, "?lang=en&show=scroe,turn&scale=300", path="/overlay")
    assert await shown(screen) == ["turn"]
    assert await screen.page.locator("[data-note]").count() == 0
    assert (await alpha(screen))["outside"] == 0
    await screen.page.goto(f"http://127.0.0.1:{screen.port}/overlay?lang=en&show=scroe,turn&scale=300&test")
    note = await screen.text("[data-note]")
    assert "no element “scroe”. Choose from score, turn, delivery, sentence, card" in note
    assert "“300” is not possible: give a whole number from 50 to 200" in note


@pytest.mark.parametrize("game", ["megacity", "comeback", "dilluvia", None])
async def test_test_mode_cycles_through_samples_without_a_game(show, worst, game):
    view = View(t_us=0, table="salon") if game is None else replace(worst, scene=replace(worst.scene, game=game))
    screen = await show(view, "?lang=fr&scale=200&test", path="/overlay", clock=True)
    page = screen.page
    await page.locator("[data-note]").wait_for()
    await page.locator("[data-element]").first.wait_for()
    sentences, elements = set(), set()
    for _ in range(8):
        elements |= set(await shown(screen))
        assert await page.evaluate(AMISS, SAFE) == []
        sentences |= set(await page.locator("[data-element='sentence']").all_inner_texts())
        await page.clock.run_for(SAMPLE_MS)
    assert len(sentences) >= 2
    assert elements == set(ELEMENTS) - ({"delivery"} if game is None else set())


async def test_onlookers_read_what_happens_and_no_instruction_to_the_table(show, worst):
    screen = await show(worst, "?lang=en", path="/overlay")
    assert await screen.text("[data-element='sentence']") == "2 Delivers a building?"
    assert await screen.text("[data-band]") == "54–59?"
    page = await screen.text("main")
    assert "Waiting" not in page
    assert "Put platform" not in page, "nor is an alarm of the table on air"
    gone = Happened(no=100, t_us=0, key="sensed.station_went", words={"station": "seat-1"})
    past = tuple(line for line in worst.happened if not line.provisional)
    screen.server.show(replace(worst, provisional=(), happened=(*past, gone)))
    await screen.page.get_by_text("Passes the bag").wait_for()


async def test_the_outcome_of_a_delivery_stays_for_six_seconds_and_is_not_shown_again(show, worst):
    screen = await show(worst, "?lang=en&show=delivery", path="/overlay", clock=True)
    await screen.page.locator("[data-delivery='CO4']").wait_for()
    words = {"contract": "PU5", "at": "1/-1", "stood": "yes"}
    line = Happened(no=99, t_us=5_000_000_000, key="action.deliver", words=words, seat=1)
    screen.server.show(replace(worst, provisional=(), happened=(*worst.happened[:-1], line)))
    await screen.page.locator("[data-outcome='PU5']").wait_for()
    assert "52 mm" in await screen.text("[data-outcome]")
    assert await screen.page.evaluate(AMISS, SAFE) == []
    await screen.page.clock.run_for(5900)
    assert await shown(screen) == ["delivery"]
    await screen.page.clock.run_for(200)
    assert await shown(screen) == []
    await screen.page.reload()
    await screen.page.locator("main").wait_for()
    assert await shown(screen) == []


async def test_it_reads_the_public_feed_and_survives_a_restart_of_the_hub(show, recorded):
    screen = await show(recorded("early"), "?lang=en", path="/overlay", clock=True)
    async with screen.page.expect_websocket() as opened:
        await screen.page.reload()
    assert "as=public" in (await opened.value).url
    await screen.page.locator("[data-turn]").wait_for()
    await screen.server.stop()
    await screen.page.locator("main.stale").wait_for()
    assert (await alpha(screen))["outside"] == 0, "on air nobody reads that the hub is gone"
    await screen.restart(recorded("midgame"), first_seq=900)
    await screen.page.clock.run_for(4000)
    await screen.page.locator("main:not(.stale) [data-turn='2']").wait_for()


async def test_the_end_names_the_winner(show, recorded):
    screen = await show(recorded("final"), "?lang=en", path="/overlay")
    assert await screen.text("[data-element='turn']") == "Seat 1 wins"
    assert "House deck" in await screen.text("[data-element='unofficial']")


async def test_the_end_has_the_code_of_the_city_card_where_the_address_wishes_it_and_phones_can_follow(show, recorded):
    screen = await show(recorded("final"), "?lang=fr&show=card,turn", path="/overlay")
    assert await shown(screen) == ["turn"], "no phone reaches a page at 127.0.0.1"
    address = f"http://0.0.0.0:{screen.port}/overlay?lang=fr&scale=200"
    await screen.page.goto(f"{address}&show=card,turn,score,sentence")
    await screen.page.locator("[data-element='card'] svg").wait_for()
    assert await screen.page.evaluate(AMISS, SAFE) == []
    assert (await alpha(screen))["outside"] == 0
    await screen.page.goto(address)
    await screen.page.locator("[data-element='turn']").wait_for()
    assert await screen.page.locator("[data-element='card']").count() == 0, "it is not there by itself"


async def test_elements_come_and_go_from_the_hosts_page_and_by_a_button_box(show, worst):
    screen = await show(worst, "?lang=en", path="/overlay")
    key = Keys(b"secret", "salon", "game-1").producer_key()
    box = await screen.page.context.request.post(
        f"http://127.0.0.1:{screen.port}/api/overlay/turn/hide", headers={"Authorization": f"Bearer {key}"}
    )
    assert box.status == 202
    await screen.page.locator("[data-element='turn']").wait_for(state="detached")
    assert await shown(screen) == ["score", "delivery", "sentence"]
    await screen.page.reload()
    await screen.page.locator("[data-element='score']").wait_for()
    assert await shown(screen) == ["score", "delivery", "sentence"], "the hub remembers"
    host = await screen.another("/host", "?lang=en")
    await host.get_by_role("button", name="Stream…").click()
    await expect(host.locator("[data-air='turn']")).to_have_attribute("aria-pressed", "false")
    await host.locator("[data-air='turn']").click()
    await screen.page.locator("[data-element='turn']").wait_for()
    await host.get_by_role("button", name="Hide everything").click()
    await expect(screen.page.locator("[data-element]")).to_have_count(0)
    assert (await alpha(screen))["outside"] == 0, "with nothing on air there is no unofficial line either"
    await host.get_by_role("button", name="Show everything").click()
    await expect(screen.page.locator("[data-element]")).to_have_count(len(ELEMENTS) + 1)
    await host.get_by_text("For a button box").click()
    assert key in await host.locator("pre").inner_text()
    await host.close()


async def test_key_moments_have_timecodes(show, recorded, standing):
    at_us = 1_790_000_000_000_000
    standing += [
        Entry(41, at_us, "sensor", ActionConfirmed("p2 take_pieces drawn=steel:1")),
        Entry(42, at_us + 61_000_000, "player", ActionConfirmed("p2 deliver contract=CO4 platform=6 at=1/1")),
    ]
    screen = await show(recorded("midgame"), "?lang=en", path="/host", size={"width": 390, "height": 844})
    await screen.page.get_by_role("button", name="Stream…").click()
    await screen.page.get_by_text("Key moments (1)").click()
    expected = await screen.page.evaluate(f"new Date({at_us // 1000 + 61_000}).toTimeString().slice(0, 8)")
    assert await screen.text("[data-moment]") == f"{expected} 2 Delivers the commercial contract of 40 mm".replace(
        "Delivers", "delivers"
    )
    assert await screen.attributes("[data-moment] time", "datetime") == ["2026-09-21T14:14:21.000Z"]
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
