"""Describes every address of the web server: who may use it, its input and output, and its refusals.

The server does not read this list; a test compares the two, address by address.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from citytable.table.blank import Blank
from citytable.table.health import Said
from citytable.table.word import Word
from citytable.views.answers import (
    Accepted,
    Assigned,
    Declined,
    Hidden,
    OnAir,
    OtherWay,
    Sayable,
    Spoken,
    Stations,
    Wellness,
    Written,
)
from citytable.views.box import BoxShown, BoxWish
from citytable.views.care import Care, CareWish
from citytable.views.exchange import BODY_SECONDS_MAX
from citytable.views.feed import FeedEvent
from citytable.views.gate import Pass
from citytable.views.hands import HandsDoor
from citytable.views.next_game import Choices
from citytable.views.post import BODY_BYTES_MAX, EnterBody
from citytable.views.records import NameWish, RecordNames, Records
from citytable.views.signal import Signal
from citytable.views.tags import Enrolment, TagHere, TagWish
from citytable.views.viewer import Asked

Who: TypeAlias = Literal["all", "viewer", "people", "host", "producer"]
"""Who may: everybody; as `?as=` says; the host and the players; the host; the host, or a key in `Authorization`."""
PAGE, FILE, METRICS, SOCKET, FORM = "a page", "a file", "text of Prometheus", "a WebSocket", "a JSON object"
"""Answers that are no value of the hub's own."""


class Operation(msgspec.Struct, frozen=True):
    """A method at an address. `path` has its variable parts in braces, `takes` and `gives` are types.

    `refuses` leaves out everything that follows from `who` and `takes`: see `statuses`.
    """

    group: str
    method: Literal["get", "post"]
    path: str
    who: Who
    about: str
    gives: Any
    status: int = 200
    takes: Any = None  # of a post: None is any JSON at all, such as `{}`
    query: tuple[str, ...] = ()
    refuses: tuple[int, ...] = ()
    or_gives: Any = None

    @property
    def statuses(self) -> tuple[int, ...]:
        """Return the statuses of its refusals, in their order."""
        by_who = {"all": (), "viewer": (400, 401, 403), "people": (401,), "host": (401, 403), "producer": (401, 403)}
        body = () if self.method == "get" else (408, 413, 415)
        return tuple(sorted({*by_who[self.who], *body, *self.refuses, *((400,) if self.takes is not None else ())}))


def _page(path: str, about: str) -> Operation:
    return Operation("Pages", "get", path, "all", about, PAGE, query=("lang",), refuses=(503,))


def _get(group: str, path: str, who: Who, about: str, gives: Any, **more: Any) -> Operation:
    return Operation(group, "get", path, who, about, gives, **more)


def _post(group: str, path: str, who: Who, about: str, gives: Any, **more: Any) -> Operation:
    return Operation(group, "post", path, who, about, gives, 202, **more)


OPERATIONS = (
    _page("/", "The big screen."),
    _page("/display", "The big screen, which also fits phones."),
    _page("/announcer", "For a person who speaks about the game: margins, what may come next, records and facts."),
    _page("/card", "The city card: a picture (PNG) of the game that has ended, painted by the browser."),
    _page("/overlay", "The elements for a stream on a transparent ground."),
    _page("/producer", "The producer's page: what is on air beside a preview of it. Asks for the link with the key."),
    _page("/host", "The host's page: what to put right, open questions, the record and its corrections."),
    _page("/seat/{seat}", "A player's page: the questions for this seat."),
    _page("/stations", "The state of every station, the ones with problems first."),
    _page("/table", "The virtual table, where you play with your own hands."),
    _page("/table/{seat}", "The virtual table, for the hands of this seat."),
    _get(
        "Pages",
        "/assets/{file}",
        "all",
        "A file of the pages; its name changes with its content.",
        FILE,
        refuses=(404,),
    ),
    _get("Pages", "/theme/theme.css", "all", "The style sheet of the venue's theme.", FILE, refuses=(404,)),
    _get("Pages", "/theme/logo", "all", "Its logo: SVG or PNG.", FILE, refuses=(404,)),
    _get("Pages", "/theme/font", "all", "Its letters: WOFF2.", FILE, refuses=(404,)),
    _get("Pages", "/api", "all", "This description, as a page.", PAGE),
    _get("Pages", "/api/openapi.json", "all", "This description, for programs (OpenAPI 3.1).", FORM),
    _get("Pages", "/api/asyncapi.json", "all", "The description of the feed, for programs (AsyncAPI 3.0).", FORM),
    _get("Pages", "/api/wire.json", "all", "The description of what stations send over MQTT (AsyncAPI 3.0).", FORM),
    _post(
        "Entering",
        "/api/enter",
        "all",
        "Enter as the host or as a seat, with the key of a link or the PIN: sets a "
        "cookie, which goes with every later request. A browser may enter more than once.",
        Accepted,
        takes=EnterBody,
        refuses=(403, 429),
    ),
    _post("Entering", "/api/leave", "all", "Log out: this browser's cookies are removed.", Accepted),
    _get(
        "Entering",
        "/api/entered",
        "all",
        "What this browser has entered as. Sets the cookies of its seats again: for a day, or an hour after the end.",
        tuple[str, ...],
    ),
    _get("Entering", "/api/phones", "host", "The link and the PIN of every seat.", tuple[Pass, ...]),
    _get(
        "Looking",
        "/feed",
        "viewer",
        "The feed. With `since` the events after this number are sent first.",
        SOCKET,
        status=101,
        query=("as", "since"),
        refuses=(503,),
    ),
    _get("Looking", "/api/view", "viewer", "One `snapshot` event, for a single look.", FeedEvent, query=("as",)),
    _get(
        "Looking",
        "/api/hands",
        "viewer",
        "The door through which the hands of a virtual table are moved.",
        HandsDoor,
        query=("as",),
        refuses=(404,),
    ),
    _get(
        "Looking",
        "/api/records",
        "all",
        "The table's records in the game that is on it, and the games it can play.",
        Records,
    ),
    _get(
        "Speaking",
        "/api/dice",
        "people",
        "What the hub throws for an open question about dice, by its fields; the answer is still to be sent.",
        dict[str, int],
        query=("question",),
        refuses=(404,),
    ),
    _get(
        "Speaking",
        "/api/sayable",
        "people",
        "The actions that can be reported now.",
        tuple[Sayable, ...],
    ),
    _get(
        "Speaking",
        "/api/declined",
        "people",
        "The kinds of actions that no rule allows now, with the reason.",
        tuple[Declined, ...],
    ),
    _post(
        "Speaking",
        "/api/say",
        "people",
        "Say something: an answer, a statement, a ruling, a correction.",
        Spoken,
        takes=Word,
        refuses=(403, 409, 503),
    ),
    _get("Speaking", "/api/entries", "people", "The actions that stand, oldest first.", tuple[Written, ...]),
    _get(
        "Speaking",
        "/api/entries/{seq}/trace",
        "host",
        "The signal behind an entry.",
        Signal,
        refuses=(404, 503),
    ),
    _get(
        "Speaking",
        "/api/entries/{seq}/otherwise",
        "people",
        "The ways to put an action right, the likeliest first.",
        tuple[OtherWay, ...],
        refuses=(404,),
    ),
    _get("Speaking", "/api/blanks", "host", "The actions as forms.", tuple[Blank, ...]),
    _get(
        "Speaking",
        "/api/paper",
        "host",
        "The form for the position as it stands, filled in as far as the hub knows it.",
        FORM,
    ),
    _get("Speaking", "/api/game", "host", "The choices for the next game.", Choices),
    _get("Producing", "/api/overlay", "host", "What is off air, and the key for triggers.", OnAir),
    _post(
        "Producing",
        "/api/overlay/{element}/{trigger}",
        "producer",
        "Show or hide an element of every open overlay, "
        "or all of them. With the key in `Authorization` no cookie and no body is needed.",
        Hidden,
        refuses=(404,),
    ),
    _post(
        "Producing",
        "/api/displays/{display}/{shows}",
        "producer",
        "Choose what a display shows; admitted like a trigger of the overlay.",
        Assigned,
        refuses=(404, 409),
    ),
    _get(
        "Keeping",
        "/api/records/names",
        "host",
        "The names of players that may be kept, and those that are.",
        RecordNames,
    ),
    _post(
        "Keeping",
        "/api/records/names",
        "host",
        "Keep a player's name with their records, or erase it everywhere.",
        RecordNames,
        takes=NameWish,
    ),
    _get(
        "Keeping",
        "/api/box",
        "host",
        "The owner's box on the table; with `thing` the question what is printed on it.",
        BoxShown,
        or_gives=Asked,
        query=("thing",),
        refuses=(400,),
    ),
    _post(
        "Keeping",
        "/api/box",
        "host",
        "Begin a new game with another box of this computer, as its things on the readers say.",
        BoxShown,
        takes=BoxWish,
    ),
    _get(
        "Stations",
        "/api/stations",
        "all",
        "The state of every station and of every zero. The feed does not carry this, so ask again for news.",
        Stations,
    ),
    _get(
        "Stations",
        "/api/stations/{station}/load",
        "host",
        "The load on the spots of a station, in the last six seconds.",
        Signal,
        refuses=(404,),
    ),
    _get(
        "Stations",
        "/api/stations/{station}/tags",
        "host",
        "What the readers of a station read now.",
        tuple[TagHere, ...],
        refuses=(404,),
    ),
    _get(
        "Stations",
        "/api/stations/{station}/log",
        "host",
        "The log of a station as far as the hub keeps it, oldest line first.",
        tuple[Said, ...],
        refuses=(404,),
    ),
    _get(
        "Stations",
        "/api/tremor",
        "all",
        "The load where an act is not confirmed yet, in the last six seconds. Nothing while the public is behind.",
        Signal,
    ),
    _post(
        "Stations",
        "/api/stations/{station}/identify",
        "host",
        "Let all lights of a station blink for ten seconds.",
        Accepted,
        refuses=(404,),
    ),
    _post(
        "Stations",
        "/api/stations/{station}/lights/{trial}",
        "host",
        "Try all LEDs of a station: `red`, `green`, `blue`, or `round`: each in turn. Another word ends it.",
        Accepted,
        refuses=(404,),
    ),
    _get("Stations", "/api/tags", "host", "Unknown tags on readers, and the things without a tag.", Enrolment),
    _post(
        "Stations",
        "/api/tags",
        "host",
        "Write into the plan file, or into the box on the table, that a tag is on a thing.",
        Enrolment,
        takes=TagWish,
    ),
    _get("Stations", "/api/care", "host", "What may be done at the stations, and the work under way.", Care),
    _post("Stations", "/api/care", "host", "Begin, answer or end work at the stations.", Care, takes=CareWish),
    _get("The hub", "/healthz", "all", "Whether the hub is well; 503 with the same answer if not.", Wellness),
    _get("The hub", "/metrics", "all", "The hub's vital signs.", METRICS),
)

STATUSES = {
    400: "what was sent cannot be read, a field is missing or out of range, or the request makes no sense now",
    401: "this browser has not entered as anybody, or the key of a trigger is wrong",
    403: "only the host or another seat may do this, or the key or PIN is wrong",
    404: "there is no such thing",
    408: f"the body did not arrive within {BODY_SECONDS_MAX} seconds",
    409: "no such question is open, or a rule forbids it",
    413: f"the body has more than {BODY_BYTES_MAX} bytes",
    415: "the body is not `application/json`",
    429: "there were too many wrong PINs",
    503: "the hub cannot do this now: too many readers, the pages are not built, or the journal cannot be used",
}
ALWAYS = (
    "Any request may be refused: 403 with a foreign `Origin`, 404 where nothing is, 405 for another method, 421 with a "
    "foreign `Host`, 503 with too many connections"
)
