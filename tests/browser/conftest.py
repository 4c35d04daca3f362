"""The real server, the real page, the system's Chromium."""

import dataclasses
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Browser, Page, async_playwright
from tests.patience import WAIT_MS

from citytable.games.megacity.blanks import blanks
from citytable.games.megacity.pieces import HOUSE
from citytable.journal.entry import Entry
from citytable.rules.errors import IllegalAction
from citytable.table.blank import Blank
from citytable.table.health import CellZero
from citytable.table.word import Receipt
from citytable.views.answers import OtherWay
from citytable.views.care import Bench, Care, CareWish, Newcomer, Place, Running
from citytable.views.gate import Gate
from citytable.views.hands import HandsDoor
from citytable.views.keys import Keys
from citytable.views.next_game import Choices
from citytable.views.records import NameWish, RecordNames, Records
from citytable.views.server import Doors, Server
from citytable.views.signal import Curve, Signal
from citytable.views.state import View
from citytable.views.tags import Enrolment, TagHere, TagWish, UnknownTag
from citytable.views.theme import Theme
from citytable.views.viewer import viewer_from_text
from citytable.views.vitals import Vitals

RECORDED = Path(__file__).resolve().parents[1] / "views/recorded"
BIG = {"width": 1920, "height": 1080}


KEYS = Keys(b"secret", "salon", "game-1")


def link(path: str) -> str:
    """What the link to a page has behind its address; empty for the pages of everybody."""
    viewer = path[1:].replace("table/", "seat/")  # a virtual table is opened by the key of a seat
    return f"#{KEYS.key(viewer_from_text(viewer))}" if viewer == "host" or viewer.startswith("seat/") else ""


MAY_SAY: list[str] = []


STANDING: list[Entry] = []
PAPER: dict[str, Any] = {}
CHOICES = [Choices(after="game-1", over=False, players=3, players_max=4, simplified=False, names=())]
SIGNALS: dict[int, Signal] = {}
WAYS: dict[int, tuple[OtherWay, ...]] = {}
ZEROS: list[CellZero] = []
TURNED_AWAY: list[str] = []
BLINKING: list[str] = []
HANDS: list[HandsDoor | None] = [None]


class Book:
    """The records of the table, and the names in them."""

    def __init__(self) -> None:
        self.records = Records("megacity", "MegaCity: Oceania", 0, (), ())
        self.offered: tuple[str, ...] = ()
        self.kept: tuple[str, ...] = ()

    def shown(self, *, over: bool) -> Records:
        return self.records if over else replace(self.records, records=())

    def names(self) -> RecordNames:
        return RecordNames(self.offered, self.kept)

    def wish(self, wish: NameWish) -> None:
        self.offered = tuple(name for name in self.offered if name != wish.name)
        self.kept = tuple(sorted({*self.kept, wish.name} if wish.keep else {*self.kept} - {wish.name}))


BOOKS = [Book()]


class Tags:
    """A tag that nobody knows lies on a hex."""

    def __init__(self) -> None:
        self.enrolled: list[TagWish] = []

    def tags(self) -> Enrolment:
        unknown = () if self.enrolled else (UnknownTag("city/1/0", "04a1b2c3d4e5f6"),)
        return Enrolment(unknown, ("platform/7/public", "bag"), len(self.enrolled), game="megacity")

    async def enrol(self, wish: TagWish) -> None:
        self.enrolled.append(wish)


TAGS = Tags()


PADS = ("seat/1/pad/0", "seat/1/bag")
HEXES = ("city/1/0", "city/2/0", "city/1/1")
CARE = Care(
    can=("adopt", "calibrate", "level", "examine", "update"),
    newcomers=(Newcomer("e66138528355a82f", "pico_2_w", "1.4.0"),),
    places=(Place("sector-1", "sector", HEXES, planned=True),),
    benches=(Bench("seat-1", PADS, 1, 3, 1), Bench("sector-1", HEXES, 0, 3, 0)),
    running=(Running("seat-1", "1.4.0", "9f86d081", newest=True), Running("park", "1.3.0", "", newest=False)),
)


class Stations:
    """What may be done at the stations, and what pages wished."""

    def __init__(self) -> None:
        self.now = CARE
        self.wishes: list[CareWish] = []

    async def care(self) -> Care:
        return self.now

    async def do(self, wish: CareWish) -> None:
        self.wishes.append(wish)


STATIONS = Stations()


@pytest.fixture
def stations() -> Iterator[Stations]:
    """The stations as pages look after them; as they were again after the test."""
    yield STATIONS
    STATIONS.now = CARE
    STATIONS.wishes.clear()


@pytest.fixture
def tags() -> Iterator[Tags]:
    """What was enrolled; nothing again after the test."""
    yield TAGS
    TAGS.enrolled.clear()


@pytest.fixture
def book() -> Iterator[Book]:
    """The record book of the next page; an empty one again after the test."""
    BOOKS.append(Book())
    yield BOOKS[-1]
    del BOOKS[1:]


async def _say(_word: object) -> Receipt:
    return Receipt(was=41, now=42)


async def _standing() -> tuple[Entry, ...]:
    return tuple(STANDING)


class RecordOfGame:
    """What entries rest on, and what they may have been."""

    async def signal(self, seq: int) -> Signal:
        return SIGNALS.get(seq, Signal(seq, 0, 0, (), ()))

    async def otherwise(self, seq: int) -> tuple[OtherWay, ...]:
        return WAYS.get(seq, ())


async def _identify(station: str, trial: str) -> bool:
    BLINKING.append(f"{station} {trial}".strip())
    return True


@pytest.fixture
def blinking() -> Iterator[list[str]]:
    """The stations that were told to blink; empty again after the test."""
    yield BLINKING
    BLINKING.clear()


@pytest.fixture
def signals() -> Iterator[dict[int, Signal]]:
    """What entries rest on, by their numbers; empty again after the test."""
    yield SIGNALS
    SIGNALS.clear()


@pytest.fixture
def ways() -> Iterator[dict[int, tuple[OtherWay, ...]]]:
    """What entries may have been, by their numbers; empty again after the test."""
    yield WAYS
    WAYS.clear()


@pytest.fixture
def may_say() -> Iterator[list[str]]:
    """What people may say was done, in notation; empty again after the test."""
    yield MAY_SAY
    MAY_SAY.clear()


@pytest.fixture
def standing() -> Iterator[list[Entry]]:
    """The entries that the record shows; empty again after the test."""
    yield STANDING
    STANDING.clear()


@pytest.fixture
def zeros() -> Iterator[list[CellZero]]:
    """The zeros that the stations page shows; empty again after the test."""
    yield ZEROS
    ZEROS.clear()


@pytest.fixture
def turned_away() -> Iterator[list[str]]:
    """The addresses that the stations page shows as not let in; empty again after the test."""
    yield TURNED_AWAY
    TURNED_AWAY.clear()


@pytest.fixture
def no_hands() -> Iterator[None]:
    """A virtual table whose door is closed; after the test there is none again."""
    HANDS.append(HandsDoor(9, "closed"))
    yield
    del HANDS[1:]


@pytest.fixture
def choices() -> Iterator[list[Choices]]:
    """What may be chosen for the next game: the last of these; as it was again after the test."""
    yield CHOICES
    del CHOICES[1:]


@pytest.fixture
def paper() -> Iterator[dict[str, Any]]:
    """The form for the city as it stands; empty again after the test."""
    yield PAPER
    PAPER.clear()


class Game:
    """What pages read of the game."""

    def sayable(self) -> tuple[str, ...]:
        return tuple(MAY_SAY)

    def declined(self) -> tuple[tuple[str, IllegalAction], ...]:
        texts = {"en": "You have used all your actions this turn.", "fr": "Vous avez fait toutes vos actions."}
        return tuple(
            (action, IllegalAction("R7", texts, action)) for action in ("p2 refresh", "p2 take_pieces", "p1 refresh")
        )

    def blanks(self) -> tuple[Blank, ...]:
        return blanks(HOUSE)

    @property
    def senses(self) -> "Game":
        return self

    def load(self, station: str, now_us: int) -> Signal:
        curve = Curve(f"{station}/0", (0, 2000, 4000, 6000), (0.0, 1.0, 120.0, 118.0))
        return Signal(0, now_us - 6_000_000, now_us, (curve,), ())

    def tags(self, station: str) -> tuple[TagHere, ...]:
        return (TagHere(f"{station}/0", "04aa", "platform/7/public"), TagHere(f"{station}/0", "04bb", None))

    def tremor(self, spots: Collection[str], now_us: int) -> Signal:
        curves = tuple(Curve(spot, (0, 2000, 4000), (62.0, 64.0, 63.0)) for spot in sorted(spots))
        return Signal(0, now_us - 6_000_000, now_us, curves, ())

    def paper(self) -> dict[str, Any]:
        return PAPER


GAME = Game()


def _doors(view: View) -> Doors:
    return Doors(
        say=_say,
        game=lambda: GAME,
        declined=GAME.declined,
        now_us=lambda: view.t_us,
        health=lambda: view.health,
        zeros=lambda _today: tuple(ZEROS),
        turned_away=lambda: tuple(TURNED_AWAY),
        vitals=lambda: Vitals("salon", 0.0, (), 0, 0, 0, ()),
        entries=_standing,
        record=RecordOfGame,
        identify=_identify,
        choices=lambda: CHOICES[-1],
        hands=lambda _: HANDS[-1],
        keep_overlay=lambda _: None,
        records=BOOKS[-1],
        tags=TAGS,
        care=STATIONS,
    )


@pytest.fixture
def recorded() -> Callable[[str], View]:
    return lambda name: msgspec.json.decode((RECORDED / f"{name}.json").read_bytes(), type=View)


def gate_of(view: View) -> Gate:
    """The gate of the game that is shown."""
    return Gate(KEYS, lambda: 0.0, len(view.scene.players) if view.scene else 0)


@dataclass
class Screen:
    """A page that shows a view, and the server behind it."""

    page: Page
    server: Server
    port: int
    complaints: list[str] = field(default_factory=list)

    async def restart(self, view: View, first_seq: int, gate: Gate | None = None) -> None:
        """Another server on the same port."""
        self.server = Server(view, _doors(view), gate or gate_of(view), first_seq)
        await self.server.start("127.0.0.1", self.port)

    async def another(self, path: str, query: str) -> Page:
        """Another page of the same server, opened by a link with its key; to be closed."""
        assert self.page.context.browser is not None
        page = await self.page.context.browser.new_page(reduced_motion="reduce", locale="en-GB")
        page.set_default_timeout(WAIT_MS)
        await page.goto(f"http://127.0.0.1:{self.port}{path}{query}{link(path)}")
        return page

    async def sent(self, tap: Callable[[], Awaitable[None]]) -> Any:
        """What the page posts when it is tapped, once the server has answered: another view may follow."""
        async with self.page.expect_request(lambda request: request.method == "POST") as posted:
            await tap()
        request = await posted.value
        assert request.url.endswith("/api/say")
        await request.response()
        return json.loads(request.post_data or "")

    async def text(self, css: str) -> str:
        """What stands in an element, spaces made single."""
        return re.sub(r"\s+", " ", await self.page.locator(css).first.inner_text()).strip()

    async def attributes(self, css: str, name: str) -> list[str]:
        """An attribute of every element that matches."""
        return await self.page.locator(css).evaluate_all(f"all => all.map(one => one.getAttribute('{name}'))")


# every canvas of a page, as long as something holds it; what its drawings hold; and the shaders that were compiled
DRAWINGS = """() => {
  const canvas = HTMLCanvasElement.prototype, { getContext } = canvas, canvases = new Set();
  canvas.getContext = function (...wish) {
    canvases.add(new WeakRef(this));
    return getContext.apply(this, wish);
  };
  const gl = WebGL2RenderingContext.prototype;
  const count = { Buffer: 0, Texture: 0, VertexArray: 0, Program: 0, compiled: 0 };
  for (const kind of ["Buffer", "Texture", "VertexArray", "Program"]) {
    const [create, remove] = [gl[`create${kind}`], gl[`delete${kind}`]];
    gl[`create${kind}`] = function () {
      count[kind] += 1;
      count.compiled += kind === "Program";
      return create.apply(this);
    };
    gl[`delete${kind}`] = function (one) {
      count[kind] -= 1;
      return remove.call(this, one);
    };
  }
  globalThis.drawings = () => ({ canvases: [...canvases].filter((one) => one.deref()).length, ...count });
}"""


@dataclass
class Drawings:
    """What a page holds of its drawings."""

    page: Page

    async def count_on(self, url: str) -> None:
        """Open an address, and count what is drawn there from the start."""
        await self.page.add_init_script(f"({DRAWINGS})()")
        await self.page.goto(url)

    async def held(self) -> dict[str, int]:
        """What is still there of each kind, after what nothing holds was thrown away."""
        session = await self.page.context.new_cdp_session(self.page)
        for _ in range(3):
            await session.send("HeapProfiler.collectGarbage")
        await session.detach()
        return cast("dict[str, int]", await self.page.evaluate("drawings()"))


@pytest.fixture
def drawings() -> Callable[[Page], Drawings]:
    return Drawings


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: dict[str, Any]) -> AsyncIterator[Browser]:
    """One Chromium for all files of a worker; every page has cookies and storage of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**chromium)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def show(browser: Browser) -> AsyncIterator[Callable[..., Awaitable[Screen]]]:
    """`await show(view)`: open the display (or another page) on it, by a link with its key unless `entered` is false.

    At the end no page may have complained.
    """
    screens: list[Screen] = []

    async def open_page(
        view: View,
        query: str = "",
        size: dict[str, int] = BIG,
        path: str = "/display",
        *,
        entered: bool = True,
        clock: bool = False,
        theme: Theme | None = None,
    ) -> Screen:
        server = Server(view, dataclasses.replace(_doors(view), theme=theme), gate_of(view), first_seq=1000)
        port = await server.start("127.0.0.1", 0)
        page = await browser.new_page(viewport=size, reduced_motion="reduce", locale="en-GB")
        page.set_default_timeout(WAIT_MS)
        screen = Screen(page, server, port)
        screens.append(screen)
        if path == "/display" and "city=" not in query:
            query += f"{'&' if query else '?'}city=flat"  # whether the model is shown depends on the computer
        page.on(
            "console", lambda line: screen.complaints.append(line.text) if line.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: screen.complaints.append(str(error)))
        if clock:  # which the test puts forward
            await page.clock.install()
        await page.goto(f"http://127.0.0.1:{port}{path}{query}{link(path) if entered else ''}")
        await page.locator("main").wait_for()
        if path == "/display":  # the board is a file of its own
            await page.locator(".board > *").first.wait_for()
        if clock:  # and else it would go on by itself
            await page.clock.pause_at((await page.evaluate("Date.now()") + 1000) / 1000)
        return screen

    yield open_page
    for screen in screens:
        await screen.page.close()
        await screen.server.stop()
    complaints = [line for screen in screens for line in screen.complaints]
    # what the browser says when the hub is gone is what the test wanted, and a computer without graphics draws slowly
    wanted = ("WebSocket connection", "GPU stall due to ReadPixels")
    assert [line for line in complaints if not any(text in line for text in wanted)] == []


AXE = Path(__file__).resolve().parents[2] / "dashboard/node_modules/axe-core/axe.min.js"
# everything that is wrong, and where; axe leaves contrasts that it cannot tell to people, and they count, too
FOUND = """async () => {
  const rules = { "label-content-name-mismatch": { enabled: true } }; // people say aloud what stands on a button
  const { violations, incomplete } = await axe.run(document, { resultTypes: ["violations", "incomplete"], rules });
  const why = ({ any }) => any[0]?.data?.messageKey ?? "";
  const unclear = incomplete.filter(({ id }) => id === "color-contrast" || id in rules);
  return [...violations, ...unclear].flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${why(node)}`),
  );
}"""


@pytest.fixture
def found_on() -> Callable[[Page], Awaitable[list[str]]]:
    """`await found_on(page)`: what axe says about a page as it stands."""

    async def found(page: Page) -> list[str]:
        await page.evaluate(AXE.read_text("utf-8"))
        return cast("list[str]", await page.evaluate(FOUND))

    return found


@pytest.fixture
def filled() -> str:
    """Return the script that gives the share of its part of the wall that the city takes with one ring of hexes."""
    return """() => {
  const { width, height } = document.querySelector('.stage').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.board svg polygon')].map((one) => one.getBoundingClientRect());
  const across = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
  const down = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
  return (across * down) / (width * height);
}"""
