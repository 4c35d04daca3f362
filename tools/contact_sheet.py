"""Photograph 49 states of the screens in 3 sizes and 2 languages, and compare them with those that were last accepted.

    .venv/bin/python tools/contact_sheet.py                  # writes var/contact-sheet/ and says what looks different
    .venv/bin/python tools/contact_sheet.py --only seat      # only states whose name begins so
    .venv/bin/python tools/contact_sheet.py --accept         # from now on they should look as they do now

The server is the hub's, its views are in `contact_states.py` and `contact_games.py`, and Chromium photographs. Only
fingerprints are kept in git (`contact_sheet.json`): difference hashes of 32 by 24 points, which tell whether something
has moved and do not mind
how letters are smoothed. `var/contact-sheet/index.html` shows all pictures, those that look different first.
"""

import argparse
import asyncio
import html
import json
import os
import shutil
import sys
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from math import exp, sin
from pathlib import Path
from typing import Any

from contact_states import State, states
from playwright.async_api import Browser, Page, async_playwright

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.table.blank import Blank
from citytable.table.health import CellZero
from citytable.table.word import Receipt
from citytable.views.answers import OtherWay
from citytable.views.care import Care, CareWish, Work
from citytable.views.gate import Gate
from citytable.views.keys import Keys
from citytable.views.next_game import Choices, OtherGame
from citytable.views.records import NameWish, Playable, RecordLine, RecordNames, Records
from citytable.views.server import Doors, Server
from citytable.views.signal import Curve, Signal
from citytable.views.tags import Enrolment, TagHere, TagWish, UnknownTag
from citytable.views.viewer import viewer_from_text
from citytable.views.vitals import Vitals

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED = Path(__file__).with_name("contact_sheet.json")
OUT = ROOT / "var/contact-sheet"
SIZES = {"wall": (1920, 1080), "laptop": (1280, 800), "phone": (390, 844)}
LANGUAGES = ("en", "fr")
LOOKS, LOOK_MS = 20, 300
MOST_BITS = 24  # of 744 that may differ: what the smoothing of letters makes of them
KEYS = Keys(b"contact sheet", "salon", "game-1")
DONE = ("p1 take_contract contract=CO4", "p1 end_turn", "p2 take_pieces drawn=unknown:1-3")

HASH = """async (png) => {
  const [wide, high] = [32, 24];
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(wide, high);
  const brush = canvas.getContext("2d");
  brush.imageSmoothingQuality = "high";
  brush.drawImage(picture, 0, 0, wide, high);
  const dots = brush.getImageData(0, 0, wide, high).data;
  const light = (k) => 3 * dots[4 * k] + 6 * dots[4 * k + 1] + dots[4 * k + 2];
  let bits = "";
  for (let k = 0; k < wide * high; k++) if (k % wide) bits += light(k) > light(k - 1) + 20 ? "1" : "0";
  return bits.match(/.{1,4}/g).map((four) => parseInt(four, 2).toString(16)).join("");
}"""
"""Of each two neighbours in a small grey picture: whether the right one is lighter. A data address needs no server."""


@dataclass(frozen=True)
class Game:
    """What pages read of the game of a state."""

    state: State

    def sayable(self) -> tuple[str, ...]:
        """Return what may be reported."""
        return self.state.sayable

    def blanks(self) -> tuple[Blank, ...]:
        """Return the forms of all actions."""
        return self.state.blanks

    @property
    def senses(self) -> "Game":
        """Return itself, which has the loads."""
        return self

    def load(self, _station: str, _now_us: int) -> Signal:
        """Return no curve."""
        return Signal(0, 0, 0, (), ())

    def tags(self, _station: str) -> tuple[TagHere, ...]:
        """Return no tag."""
        return ()

    def tremor(self, spots: Collection[str], now_us: int) -> Signal:
        """Return a load that comes to rest on each of them."""
        t_ms = tuple(range(0, 6000, 40))
        grams = tuple(63 + 9 * exp(-ms / 1500) * sin(ms / 90) for ms in t_ms)
        curves = tuple(Curve(spot, t_ms, grams) for spot in sorted(spots))
        return Signal(0, now_us - 6_000_000, now_us, curves, ())

    def paper(self) -> dict[str, Any]:
        """Return no form for a position."""
        return {}


def differing_bits(one: str, other: str) -> int:
    """Return in how many bits two fingerprints of one length differ; all where their lengths do."""
    if len(one) != len(other):
        return 4 * max(len(one), len(other))
    return (int(one, 16) ^ int(other, 16)).bit_count()


def compared(now: Mapping[str, str], accepted: Mapping[str, str]) -> dict[str, str]:
    """Return what is to be said of each picture that is new or looks different, by its name."""
    said = {}
    for name, print_ in now.items():
        if name not in accepted:
            said[name] = "new"
        elif (bits := differing_bits(print_, accepted[name])) > MOST_BITS:
            said[name] = f"{bits} bits differ"
    return said


class Book:
    """Records of a table that has played for a while."""

    def shown(self, *, over: bool) -> Records:
        """Return them."""
        mine = RecordLine("tallest", 71, 2, "", "2026-11-27", fresh=over)
        points = RecordLine("points", 41, 1, "Ada", "2026-11-20", fresh=False)
        falls = RecordLine("falls", 5, None, "", "2026-11-13", fresh=False)
        playable = (Playable("megacity", "MegaCity: Oceania", 2, 4), Playable("dilluvia", "Dilluvia Project", 2, 4))
        return Records("megacity", "MegaCity: Oceania", 12, (mine, points, falls), playable)

    def names(self) -> RecordNames:
        """Return one of each."""
        return RecordNames(("Bo",), ("Ada",))

    def wish(self, _wish: NameWish) -> None:
        """Do nothing."""


class Tags:
    """A tag that nobody knows lies on a hex."""

    def tags(self) -> Enrolment:
        """Return it, and two things without one."""
        return Enrolment((UnknownTag("city/1/0", "04a1b2c3d4e5f6"),), ("platform/7/public", "bag"), 2, game="megacity")

    async def enrol(self, _wish: TagWish) -> None:
        """Do nothing."""


class RecordOfGame:
    """What entries rest on: nothing that was kept."""

    async def signal(self, seq: int) -> Signal:
        """Return no curve."""
        return Signal(seq, 0, 0, (), ())

    async def otherwise(self, _seq: int) -> tuple[OtherWay, ...]:
        """Return no other way."""
        return ()


class Stations:
    """What a state says may be done at the stations."""

    at_work = False

    def __init__(self, care: Care) -> None:
        self._care = care

    @property
    def work(self) -> Work | None:
        """Return the latest work."""
        return self._care.work

    async def care(self) -> Care:
        """Return it."""
        return self._care

    async def do(self, _wish: CareWish) -> None:
        """Do nothing."""


def choices() -> Choices:
    """Return what may be chosen for the next game, another game included."""
    other = OtherGame(
        game="dilluvia", title="Dilluvia Project", players=3, players_min=2, players_max=4, simplified=False
    )
    alone = OtherGame(
        game="comeback", title="Comeback City", box="ours", players=1, players_min=1, players_max=1, simplified=True
    )
    return Choices(
        after="game-1",
        over=False,
        players=3,
        players_max=4,
        simplified=False,
        names=("Ada", "Maximilienne-Aurélie", "Jean-Christophe"),
        title="MegaCity: Oceania",
        others=(alone, other),
    )


def doors(state: State) -> Doors:
    """Return doors behind which nothing happens."""
    view = state.view
    entries = tuple(Entry(no, no * 1_000_000, "sensor", ActionConfirmed(action=one)) for no, one in enumerate(DONE, 1))

    async def say(_word: object) -> Receipt:
        return Receipt(was=1, now=1)

    async def standing() -> tuple[Entry, ...]:
        return entries

    async def identify(_station: str) -> bool:
        return True

    game = Game(state)
    return Doors(
        say=say,
        game=lambda: game,
        now_us=lambda: view.t_us,
        health=lambda: view.health,
        zeros=lambda _today: tuple(
            CellZero("city/1/0", cell, 1.4, view.t_us, str(date(2026, 11, 2)), "") for cell in range(2)
        ),
        turned_away=lambda: (),
        vitals=lambda: Vitals("salon", 0.0, (), 0, 0, 0, ()),
        entries=standing,
        record=RecordOfGame,
        identify=identify,
        choices=choices,
        hands=lambda _: None,
        keep_overlay=lambda _: None,
        records=Book(),
        tags=Tags(),
        care=Stations(state.care),
        theme=state.theme,
    )


def address(state: State, port: int, language: str) -> str:
    """Return the address of a state's page, with the key where it needs one."""
    path, _, query = state.path.partition("?")
    viewer = path[1:]
    key = f"#{KEYS.key(viewer_from_text(viewer))}" if viewer == "host" or viewer.startswith("seat/") else ""
    return f"http://127.0.0.1:{port}{path}?{query}&lang={language}{key}"


async def photograph(page: Page, file: Path) -> str:
    """Wait until a page is still, keep its picture, and return its fingerprint."""
    await page.evaluate("document.fonts.ready")
    await page.wait_for_timeout(700)  # what a page fetches after its first look
    picture, before = await page.screenshot(path=file), b""
    for _ in range(LOOKS):  # without a graphics card the model takes its time
        if picture == before:
            break
        await page.wait_for_timeout(LOOK_MS)
        picture, before = await page.screenshot(path=file), picture
    return str(await page.evaluate(HASH, b64encode(picture).decode()))


async def posed(page: Page, server: Server, state: State) -> None:
    """Bring a page to what the picture shows."""
    await page.locator("#app > *").first.wait_for()
    if state.path == "/host":
        await page.locator("main").wait_for()
    if state.path == "/producer":
        await page.frame_locator("iframe:not([data-preview])").locator("[data-element]").first.wait_for()
    for css in state.opens:
        part = page.locator(css)
        await part.locator("summary").or_(part).first.click()
    if state.opens or state.care.work is not None:
        opened = "[data-displays], [data-care][open], [data-enrol][open], [data-next-game], [data-parts]"
        shown = page.locator(opened if state.care.work is None else "[data-work]").first
        await shown.wait_for()
        await shown.evaluate("part => part.scrollIntoView({ block: 'center' })")
    if state.path.startswith("/display"):
        await page.locator("main.wall").wait_for()
        if "city=3d" in state.path:
            await page.locator(".model .roof").first.wait_for(state="attached")
        if await page.locator("main.moment").count():
            await page.locator("[data-tremor]").wait_for()  # it is fetched, which takes longer on a busy machine
    if state.later is not None:
        await page.locator(".board > *").first.wait_for()  # it knows what was before
        server.show(state.later)
        await page.locator("[data-replay], [data-outcome]").wait_for()


async def one_state(browser: Browser, state: State) -> dict[str, str]:
    """Photograph a state in all sizes and languages; return the fingerprints by name."""
    server = Server(state.view, doors(state), Gate(KEYS, lambda: 0.0, 4), first_seq=1)
    port = await server.start("127.0.0.1", 0)
    prints = {}
    try:
        for language in LANGUAGES:
            for size, (width, height) in SIZES.items():
                page = await browser.new_page(
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce",
                    locale="en-GB",
                    bypass_csp=True,
                )
                if state.by_host:
                    await page.goto(address(replace(state, path="/host"), port, language))
                    await page.locator("main").wait_for()
                await page.goto(address(state, port, language))
                await posed(page, server, state)
                name = f"{state.name}-{size}-{language}"
                prints[name] = await photograph(page, OUT / f"{name}.png")
                await page.close()
                server.show(state.view)
    finally:
        await server.stop()
    return prints


def sheet(names: Iterable[str], said: Mapping[str, str]) -> str:
    """Return the page that shows all pictures, those of which something is said first."""
    ordered = sorted(names, key=lambda name: (name not in said, name))
    figures = "".join(
        f'<figure><img loading="lazy" src="{name}.png" alt=""><figcaption>{html.escape(name)} '
        f"<b>{html.escape(said.get(name, ''))}</b></figcaption></figure>"
        for name in ordered
    )
    style = "body{display:flex;flex-wrap:wrap;gap:8px;background:#888;font:14px arial}figure{margin:0}img{height:270px}"
    return f"<!doctype html><title>Contact sheet</title><style>{style}</style>{figures}"


async def photographed(only: str) -> dict[str, str]:
    """Photograph all states whose name begins so; return the fingerprints by name."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    prints: dict[str, str] = {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=sandbox)
        for state in states():
            if state.name.startswith(only):
                prints |= await one_state(browser, state)
        await browser.close()
    return prints


def main() -> int:
    """Photograph, compare, and say what looks different; returns 1 if anything does."""
    parser = argparse.ArgumentParser(description="photograph the screens")
    parser.add_argument("--only", default="", help="states whose name begins so")
    parser.add_argument("--accept", action="store_true", help="they should look as they do now")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    prints = asyncio.run(photographed(options.only))
    accepted = json.loads(ACCEPTED.read_text()) if ACCEPTED.exists() else {}
    said = compared(prints, accepted)
    (OUT / "index.html").write_text(sheet(prints, said), "utf-8")
    for name, what in said.items():
        print(f"{name}: {what}")
    print(f"{len(prints)} pictures in {OUT.relative_to(ROOT)}, {len(said)} look different")
    if options.accept:
        kept = prints if not options.only else accepted | prints
        ACCEPTED.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n")
        return 0
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
