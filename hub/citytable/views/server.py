"""Serves the screens: one page, one feed, and the addresses to which people send answers and reports.

`_app` lists beside each address who may use it; `views/gate.py` decides who may send what. The server knows no umpire
and no link: it passes people's messages to the callables in `Doors`. An invalid request gets a sentence in every
language; a slow reader loses their own place in the feed and disturbs nobody else.
"""

import asyncio
import contextlib
import errno
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

import msgspec
from aiohttp import web
from msgspec.structs import replace
from prometheus_client import CONTENT_TYPE_LATEST

from citytable.journal.entry import Entry
from citytable.rules.errors import IllegalAction
from citytable.table.blank import Blank
from citytable.table.health import CellZero, Health
from citytable.table.spot import Spot
from citytable.table.word import Receipt, Word
from citytable.views import api_pages
from citytable.views.answers import (
    Accepted,
    Assigned,
    Hidden,
    OnAir,
    Sayable,
    Spoken,
    Stations,
    Wellness,
    declined,
    with_latest_lines,
)
from citytable.views.box import NO_BOX, BoxDoor
from citytable.views.box_pages import BoxPages
from citytable.views.care import NO_CARE, CareDoor
from citytable.views.care_pages import CarePages
from citytable.views.exchange import as_json, body_of, errors_refused
from citytable.views.feed import Feed, FeedEvent
from citytable.views.frame import Frame
from citytable.views.gate import Gate
from citytable.views.hands import HandsDoor
from citytable.views.listener import Listener
from citytable.views.lost import Handler, log, send_refusals
from citytable.views.next_game import Choices
from citytable.views.origin import only_ours, protect
from citytable.views.outlet import Outlet
from citytable.views.overlay import Overlay
from citytable.views.places import LIMITS, Limits
from citytable.views.post import BODY_BYTES_MAX, quoted, read_enter, read_name_wish, read_word, thrown
from citytable.views.record_pages import Recorded, RecordPages
from citytable.views.records import NO_RECORDS, RecordsDoor
from citytable.views.refusals import refused
from citytable.views.signal import Signal
from citytable.views.state import View
from citytable.views.tags import NO_TAGS, TagHere, TagsDoor
from citytable.views.theme import Theme
from citytable.views.theme_pages import ThemePages
from citytable.views.viewer import HOST, PUBLIC, Seen, Viewer, seen_by, viewer_from_text
from citytable.views.vitals import Vitals, exposition
from citytable.views.wording import wording

STATIC = Path(__file__).parent / "static"
PAGES = (
    "/display",
    "/announcer",
    "/card",
    "/producer",
    "/host",
    "/seat/{seat:[1-4]}",
    "/stations",
    "/table",
    "/table/{seat:[1-4]}",
)
GOODBYE = 1001  # the last message of the feed when the hub is stopped on purpose: nobody should look for a fault
SENT_AWAY = 1008  # ... to a reader whose access ends
READERS_MAX = 500
READERS_PER_ADDRESS_MAX = 40  # one phone cannot take all places; a café's screens may share the hub's own address
HOST_COOKIE_SECONDS = 30 * 86_400
SEAT_COOKIE_SECONDS = 86_400  # an evening
ENDED_COOKIE_SECONDS = 3600  # for the result and the next game: afterwards nothing is left on a guest's phone
KEEP = "public, max-age=31536000, immutable"
LINE_BYTES_MAX = 65_536  # of an address; a longer one is refused before anybody could give it a sentence
PING_SECONDS = 20  # a phone that left silently is noticed by its missing answer


class PortBusy(RuntimeError):
    """Another program listens on the port: the text names the port and what to do."""


class Loads(Protocol):
    """The senses of the table, as far as pages read them."""

    def load(self, station: str, now_us: int) -> Signal:
        """Return the load on a station's spots, in the last seconds; raises `KeyError` for an unknown station."""
        ...

    def tags(self, station: str) -> tuple[TagHere, ...]:
        """Return the tags that the readers of a station read now; raises `KeyError` for an unknown station."""
        ...

    def tremor(self, spots: Collection[Spot], now_us: int) -> Signal:
        """Return the load on those of these spots that have scales, in the last seconds."""
        ...


class Playable(Protocol):
    """The game on the table, as far as pages read it."""

    def sayable(self) -> tuple[str, ...]:
        """Return the actions that people may report now, in notation."""
        ...

    def blanks(self) -> tuple[Blank, ...]:
        """Return the actions as forms."""
        ...

    def paper(self) -> dict[str, Any]:
        """Return the form for the position on paper, filled in as far as it is known."""
        ...

    @property
    def senses(self) -> Loads:
        """Return the table's senses."""
        ...


@dataclass(frozen=True)
class Doors:
    """The callables of the server. If one raises `IllegalAction` or `ValueError`, the sender gets its sentence."""

    say: Callable[[Word], Awaitable[Receipt]]  # the one door for people's messages
    game: Callable[[], Playable]  # the game on the table
    now_us: Callable[[], int]  # hub time
    health: Callable[[], tuple[Health, ...]]  # of every station
    zeros: Callable[[date], tuple[CellZero, ...]]  # of every load cell
    turned_away: Callable[[], tuple[str, ...]]  # the addresses that the broker refuses
    entries: Callable[[], Awaitable[tuple[Entry, ...]]]  # the actions that count
    record: Callable[[], Recorded]  # the signals of entries, and possible corrections
    vitals: Callable[[], Vitals]  # the signs of this moment
    identify: Callable[[str, str], Awaitable[bool]]
    """Let a station's lights blink or, by a word of `TRIALS`, try its LEDs; False when nobody is there."""
    choices: Callable[[], Choices]  # the choices for the next game
    hands: Callable[[Viewer], HandsDoor | None]  # of a seat at a virtual table
    keep_overlay: Callable[[Overlay], None]  # for the next start of the hub; it may take its time
    declined: Callable[[], tuple[tuple[str, IllegalAction], ...]] = tuple  # what no rule allows now, in notation
    records: RecordsDoor = NO_RECORDS  # of this table
    tags: TagsDoor = NO_TAGS  # for its plan file
    care: CareDoor = NO_CARE  # for its stations
    box: BoxDoor = NO_BOX  # of its owner
    theme: Theme | None = None  # of its venue


def _viewer(request: web.Request) -> Viewer:
    text = request.query.get("as", "public")
    try:
        return viewer_from_text(text)
    except ValueError:
        raise refused(400, "no_viewer", seen=repr(text[:40])) from None


def _since(request: web.Request) -> int | None:
    text = request.query.get("since")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 18:
        raise refused(400, "no_number", seen=repr(text[:40]))
    return int(text)


def _keep(request: web.Request, response: web.Response, cookie: tuple[str, str], age_s: int) -> None:
    """Let a browser keep a cookie, its name and value, for this time."""
    name, value = cookie
    response.set_cookie(name, value, max_age=age_s, httponly=True, samesite="Strict", secure=request.secure or None)


def _forget(request: web.Request, response: web.Response, names: Iterable[str]) -> None:
    """Let a browser forget these cookies."""
    for name in names:
        response.del_cookie(name, httponly=True, samesite="Strict", secure=request.secure or None)


async def _keep_asset(request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers keep an asset for good: its name changes with its content. A phone has few bytes to spare."""
    if request.path.startswith("/assets/") and response.status < 400:
        response.headers["Cache-Control"] = KEEP
        for needless in ("ETag", "Last-Modified", "Accept-Ranges"):
            response.headers.pop(needless, None)


@dataclass(frozen=True, eq=False)
class Reader:
    """A reader of the feed; `away` is set when their access ends."""

    viewer: Viewer
    cookies: Mapping[str, str]
    away: asyncio.Event


class Server:
    """Serves a view. `first_seq` numbers the feed's first snapshot: hand in the hub's start time in milliseconds."""

    def __init__(
        self,
        view: View,
        doors: Doors,
        gate: Gate,
        first_seq: int,
        static: Path = STATIC,
        limits: Limits = LIMITS,
    ) -> None:
        self._view = self._public = view
        self._overlay = view.overlay
        self._keeping = asyncio.Lock()
        self._doors = doors
        self._theme = ThemePages(doors.theme)
        self._gate = gate
        self._first_seq = first_seq
        self._static = static
        self._limits = limits
        self._feeds: dict[Viewer, Feed] = {}
        self._readers: dict[Outlet, Reader] = {}
        self._readers_at: Counter[tuple[str, bool]] = Counter()  # of an address, the public apart from who has entered
        self._runner: web.AppRunner | None = None
        self._listener: Listener | None = None
        self._stopping = asyncio.Event()

    def show(self, view: View, public: View | None = None) -> None:
        """Show a new view to everybody; never blocks. `public` is what the public sees instead, if it is behind."""
        self._view = replace(view, overlay=self._overlay)
        self._public = self._view if public is None or public is view else replace(public, overlay=self._overlay)
        for viewer, feed in self._feeds.items():
            frames = [_frame(event) for event in feed.show(self._seen(viewer))]
            for outlet in [outlet for outlet, reader in self._readers.items() if reader.viewer == viewer]:
                for frame in frames:
                    outlet.put(frame)

    def send_away(self) -> None:
        """Disconnect the readers whose keys are no longer valid."""
        for outlet, reader in list(self._readers.items()):
            if reader.viewer != PUBLIC and reader.viewer not in self._gate.entered(reader.cookies):
                del self._readers[outlet]
                reader.away.set()

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port (0 picks a free one). Raises `PortBusy`."""
        self._runner = web.AppRunner(
            self._app(),
            access_log=None,
            shutdown_timeout=1,
            logger=log,
            max_line_size=LINE_BYTES_MAX,
            keepalive_timeout=self._limits.headers_s,
        )
        await self._runner.setup()
        assert self._runner.server is not None  # since it is set up
        self._listener = Listener(self._runner.server, self._limits)
        try:
            return await self._listener.start(host, port)
        except OSError as error:
            await self.stop()
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortBusy(
                f"port {port} on {host} is in use by another program: stop it, or choose another port with --port"
            ) from error

    async def stop(self) -> None:
        """Close every connection and the port."""
        self._stopping.set()
        if self._listener is not None:
            await self._listener.stop()
            self._listener = None
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def _app(self) -> web.Application:
        middlewares = (send_refusals, only_ours(self._limits.names), self._remember)
        app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=middlewares)
        app.on_response_prepare.append(protect)
        for page in ("/", *PAGES):
            app.router.add_get(page, self._page)
        app.router.add_get("/overlay", self._overlay_page)
        get, post, host, people = app.router.add_get, app.router.add_post, self._for_host, self._for_people
        post("/api/enter", self._post_enter)
        post("/api/leave", self._post_leave)
        get("/api/entered", self._get_entered)
        get("/feed", self._read_feed)  # the roles of a browser
        get("/api/view", self._get_view)  # the same
        get("/api/hands", self._get_hands)  # the same
        self._add_stations(app.router)
        get("/api/tremor", self._get_tremor)
        get("/api/records", self._get_records)
        get("/api/records/names", host(self._get_names))
        post("/api/records/names", host(self._post_name))
        CarePages(self._doors.tags, self._doors.care).add_to(app.router, host)
        BoxPages(self._doors.box).add_to(app.router, host)
        api_pages.add_to(app.router)
        self._theme.add_to(app.router)
        get("/healthz", self._get_healthz)
        get("/metrics", self._get_metrics)
        get("/api/overlay", host(self._get_overlay))
        post("/api/overlay/{element}/{trigger}", self._post_overlay)  # the host, or a button box with a key
        post("/api/displays/{display}/{shows}", self._post_display)  # the same
        post("/api/say", people(self._post_word))
        get("/api/sayable", people(self._get_sayable))
        get("/api/declined", people(self._get_declined))
        get("/api/dice", people(self._get_dice))
        RecordPages(self._doors.entries, self._doors.record).add_to(app.router, host, people)
        get("/api/phones", host(self._get_phones))
        get("/api/blanks", host(self._get_blanks))
        get("/api/paper", host(self._get_paper))
        get("/api/game", host(self._get_game))
        if (self._static / "assets").is_dir():
            app.router.add_static("/assets", self._static / "assets")
            app.on_response_prepare.append(_keep_asset)
        return app

    def _add_stations(self, router: web.UrlDispatcher) -> None:
        router.add_get("/api/stations", self._get_stations)
        router.add_get("/api/stations/{station}/load", self._for_host(self._get_load))
        router.add_get("/api/stations/{station}/tags", self._for_host(self._get_tags_there))
        router.add_get("/api/stations/{station}/log", self._for_host(self._get_log))
        router.add_post("/api/stations/{station}/identify", self._for_host(self._post_identify))
        router.add_post("/api/stations/{station}/lights/{trial}", self._for_host(self._post_identify))

    @web.middleware
    async def _remember(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Reserve a place for the address of a device that has shown a key."""
        if request.cookies and self._listener is not None and self._gate.entered(request.cookies):
            self._listener.know(request.remote or "")
        return await handler(request)

    def _for_host(self, handler: Handler) -> Handler:
        async def admitted(request: web.Request) -> web.StreamResponse:
            self._gate.admit(request.cookies, HOST)
            return await handler(request)

        return admitted

    def _for_people(self, handler: Handler) -> Handler:
        """Wrap a handler for the host and the players; the handler checks which of them."""

        async def admitted(request: web.Request) -> web.StreamResponse:
            self._gate.admit_somebody(request.cookies)
            return await handler(request)

        return admitted

    async def _post_enter(self, request: web.Request) -> web.Response:
        said = read_enter(await body_of(request))
        cookie = self._gate.enter(viewer_from_text(said.who), said.key, request.remote or "")
        response = as_json(Accepted(), 202)
        age_s = HOST_COOKIE_SECONDS if said.who == HOST.text else self._seat_cookie_s()
        _keep(request, response, cookie, age_s)
        return response

    def _seat_cookie_s(self) -> int:
        scene = self._view.scene
        return ENDED_COOKIE_SECONDS if scene is not None and scene.ended else SEAT_COOKIE_SECONDS

    async def _post_leave(self, request: web.Request) -> web.Response:
        await body_of(request)
        response = as_json(Accepted(), 202)
        _forget(request, response, self._gate.leave(request.cookies, request.remote or ""))
        return response

    async def _get_entered(self, request: web.Request) -> web.Response:
        entered = self._gate.entered(request.cookies)
        response = as_json([viewer.text for viewer in entered])
        for seat in entered:
            if not seat.host:  # a phone asks when its game ends, and when a correction lets it go on
                _keep(request, response, self._gate.cookie(seat), self._seat_cookie_s())
        _forget(request, response, self._gate.outdated(request.cookies))  # of another game
        return response

    async def _get_phones(self, _request: web.Request) -> web.Response:
        return as_json(self._gate.passes())

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return self._file("index.html", request.path)

    async def _overlay_page(self, request: web.Request) -> web.StreamResponse:
        return self._file("overlay.html", request.path)

    def _file(self, name: str, path: str) -> web.StreamResponse:
        if not (self._static / name).is_file():
            raise refused(503, "not_built")
        return self._theme.page(self._static / name, path)

    async def _get_overlay(self, _request: web.Request) -> web.Response:
        return as_json(OnAir(self._overlay.hidden, self._gate.producer_key()))

    async def _post_overlay(self, request: web.Request) -> web.Response:
        await self._admit_producer(request)
        await self._produce(self._overlay.after(request.match_info["element"], request.match_info["trigger"]))
        return as_json(Hidden(self._overlay.hidden), 202)

    async def _post_display(self, request: web.Request) -> web.Response:
        await self._admit_producer(request)
        await self._produce(self._overlay.assigned(request.match_info["display"], request.match_info["shows"]))
        return as_json(Assigned(self._overlay.displays or {}), 202)

    async def _admit_producer(self, request: web.Request) -> None:
        if not self._gate.is_producer(request.headers.get("Authorization", "")):
            self._gate.admit(request.cookies, HOST)
            await body_of(request)

    async def _produce(self, overlay: Overlay) -> None:
        """Show the producer's choice, and save it."""
        self._overlay = overlay
        self.show(self._view, self._public)
        async with self._keeping:  # the latest is kept last
            await asyncio.to_thread(self._doors.keep_overlay, self._overlay)

    async def _get_records(self, _request: web.Request) -> web.Response:
        scene = self._public.scene
        return as_json(self._doors.records.shown(over=scene is not None and bool(scene.ended)))

    async def _get_names(self, _request: web.Request) -> web.Response:
        return as_json(self._doors.records.names())

    async def _post_name(self, request: web.Request) -> web.Response:
        wish = read_name_wish(await body_of(request))
        with errors_refused():
            await asyncio.to_thread(self._doors.records.wish, wish)
        return as_json(self._doors.records.names(), 202)

    async def _get_view(self, request: web.Request) -> web.Response:
        return as_json(self._feed(self._looks(request)).snapshot())

    async def _get_hands(self, request: web.Request) -> web.Response:
        door = self._doors.hands(self._looks(request))
        if door is None:
            raise refused(404, "no_hands")
        return as_json(door)

    async def _get_stations(self, _request: web.Request) -> web.Response:
        doors = self._doors
        return as_json(
            Stations(
                t_us=doors.now_us(),
                table=self._view.table,
                stations=tuple(with_latest_lines(one) for one in doors.health()),
                zeros=doors.zeros(datetime.now().astimezone().date()),
                turned_away=doors.turned_away(),
            )
        )

    async def _get_tremor(self, _request: web.Request) -> web.Response:
        live = self._public is self._view  # a delayed public would see what comes
        spots = {spot for one in self._view.provisional for spot in one.spots} if live else set()
        return as_json(self._doors.game().senses.tremor(spots, self._doors.now_us()))

    async def _get_load(self, request: web.Request) -> web.Response:
        with _strangers_refused(request):
            return as_json(self._doors.game().senses.load(request.match_info["station"], self._doors.now_us()))

    async def _get_tags_there(self, request: web.Request) -> web.Response:
        with _strangers_refused(request):
            return as_json(self._doors.game().senses.tags(request.match_info["station"]))

    async def _get_log(self, request: web.Request) -> web.Response:
        with _strangers_refused(request):
            said = {one.station: one.said for one in self._doors.health()}
            return as_json(said[request.match_info["station"]])

    async def _post_identify(self, request: web.Request) -> web.Response:
        await body_of(request)
        trial = request.match_info.get("trial", "")
        if not await self._doors.identify(request.match_info["station"], trial):
            raise refused(404, "no_station", seen=quoted(request.match_info["station"]))
        return as_json(Accepted(), 202)

    async def _get_healthz(self, _request: web.Request) -> web.Response:
        wrong = self._doors.vitals().wrong
        return as_json(Wellness(not wrong, wrong), 503 if wrong else 200)

    async def _get_metrics(self, _request: web.Request) -> web.Response:
        signs = exposition(self._doors.vitals(), len(self._readers))
        return web.Response(body=signs, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})

    async def _post_word(self, request: web.Request) -> web.Response:
        word = read_word(await body_of(request))
        self._gate.admit_word(request.cookies, word, (*self._view.questions, *self._doors.box.asked(word)))
        with errors_refused():
            receipt = await self._doors.say(word)
        return as_json(Spoken(receipt.was, receipt.now), 202)

    async def _get_sayable(self, _request: web.Request) -> web.Response:
        return as_json([Sayable(action, *wording(action)) for action in self._doors.game().sayable()])

    async def _get_declined(self, _request: web.Request) -> web.Response:
        return as_json([declined(action, refusal) for action, refusal in self._doors.declined()])

    async def _get_dice(self, request: web.Request) -> web.Response:
        question = request.query.get("question", "")
        return as_json(thrown(question, self._view.questions, random.SystemRandom()))

    async def _get_blanks(self, _request: web.Request) -> web.Response:
        return as_json(self._doors.game().blanks())

    async def _get_paper(self, _request: web.Request) -> web.Response:
        return as_json(self._doors.game().paper())

    async def _get_game(self, _request: web.Request) -> web.Response:
        return as_json(self._doors.choices())

    def _looks(self, request: web.Request) -> Viewer:
        viewer = _viewer(request)
        self._gate.admit(request.cookies, viewer)
        return viewer

    def _feed(self, viewer: Viewer) -> Feed:
        if viewer not in self._feeds:
            self._feeds[viewer] = Feed(self._seen(viewer), self._first_seq)
        return self._feeds[viewer]

    def _seen(self, viewer: Viewer) -> Seen:
        return seen_by(viewer, self._public if viewer == PUBLIC else self._view)

    async def _read_feed(self, request: web.Request) -> web.WebSocketResponse:
        viewer, since = self._looks(request), _since(request)
        public = viewer == PUBLIC  # strangers never shut out the host and the players
        address = (request.remote or "", public)
        if public and len(self._readers) >= READERS_MAX:
            raise refused(503, "full", most=READERS_MAX)
        if self._readers_at[address] >= READERS_PER_ADDRESS_MAX:
            raise refused(503, "full_here", most=READERS_PER_ADDRESS_MAX)
        if not web.WebSocketResponse().can_prepare(request):
            raise refused(400, "no_socket")
        socket = web.WebSocketResponse(heartbeat=PING_SECONDS, max_msg_size=BODY_BYTES_MAX)
        await socket.prepare(request)
        outlet = Outlet(socket, request.transport)
        missed = self._feed(viewer).since(since)
        reader = Reader(viewer, request.cookies, asyncio.Event())
        self._readers[outlet] = reader  # no await since `missed` was read: nothing falls in between
        self._readers_at[address] += 1
        try:
            await self._attend(socket, outlet, reader, missed)
        finally:
            self._readers.pop(outlet, None)
            self._readers_at[address] -= 1
        return socket

    async def _attend(
        self, socket: web.WebSocketResponse, outlet: Outlet, reader: Reader, missed: tuple[FeedEvent, ...]
    ) -> None:
        """Write until the reader leaves or is sent away, or the server stops; discard everything the reader sends."""
        tasks = [
            asyncio.create_task(outlet.run(map(_frame, missed), lambda: _frame(self._feed(reader.viewer).snapshot()))),
            asyncio.create_task(_until_gone(socket)),
            asyncio.create_task(reader.away.wait()),
            asyncio.create_task(self._stopping.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await socket.close(code=GOODBYE if self._stopping.is_set() else SENT_AWAY)


@contextlib.contextmanager
def _strangers_refused(request: web.Request) -> Iterator[None]:
    """Refuse a station that the table does not know."""
    try:
        yield
    except KeyError:
        raise refused(404, "no_station", seen=quoted(request.match_info["station"])) from None


def _frame(event: FeedEvent) -> Frame:
    return Frame(msgspec.json.encode(event))


async def _until_gone(socket: web.WebSocketResponse) -> None:
    async for _ in socket:
        pass
