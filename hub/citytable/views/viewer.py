"""Decides what each viewer may see: `seen_by` is the only way out of the hub, and `Seen` the only value that leaves it.

In MegaCity little is secret: the contents of the bag and the order of the stack, which no scene holds, and the towers
on a player's own pads until they are delivered.
"""

import re

import msgspec

from citytable.table.checklist import BagBack, Checklist
from citytable.table.health import Health
from citytable.table.layout import Light
from citytable.table.lesson import Lesson
from citytable.table.mode import Mode
from citytable.table.question import Field, Question
from citytable.table.scene import Scene
from citytable.table.spot import seat_of
from citytable.table.status import Status
from citytable.views.collapse import Collapse
from citytable.views.lights import lit
from citytable.views.overlay import Overlay
from citytable.views.state import Happened, Held, Live, Provisional, Trouble, UndoAsked, View
from citytable.views.wording import happened, wording


class Viewer(msgspec.Struct, frozen=True):
    """A viewer: the public (`seat` None), the player of a seat, or the host, who may answer for anybody."""

    seat: int | None = None
    host: bool = False

    @property
    def text(self) -> str:
        """Return the text that `viewer_from_text` reads."""
        return "host" if self.host else f"seat/{self.seat}" if self.seat is not None else "public"


PUBLIC = Viewer()
HOST = Viewer(host=True)


def viewer_from_text(text: str) -> Viewer:
    """Read `public`, `host` or `seat/2`; raise `ValueError` quoting what was read.

    >>> viewer_from_text("seat/2")
    Viewer(seat=2)
    """
    if text == "public":
        return PUBLIC
    if text == "host":
        return HOST
    match = re.fullmatch(r"seat/([1-4])", text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a viewer: write public, host, or seat/1 to seat/4")
    return Viewer(seat=int(match[1]))


class Trying(msgspec.Struct, frozen=True):
    """A provisional action, ready to be worded."""

    key: str
    words: dict[str, str]
    seat: int | None
    stage: str
    spots: tuple[str, ...]
    action: str  # in notation: the action that a tap names
    confidence: float
    grounds: tuple[str, ...]
    doubts: tuple[str, ...]
    breaks: str  # the rule it breaks, if the mode accepts it and shows rules


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question. `fields` is for viewers who may answer; `waiting` has the seats that have not answered yet.

    `texts` as in `Question`.
    """

    id: str
    seat: int | None
    prompt: str
    words: dict[str, str]
    fields: tuple[Field, ...]
    waiting: tuple[int, ...]
    about: str
    texts: dict[str, dict[str, str]] = {}


class Undo(msgspec.Struct, frozen=True):
    """An undo that a player has asked for; `lines` are the actions it takes back, oldest first."""

    seat: int
    to: int
    why: str
    lines: tuple[Happened, ...]
    waiting: tuple[int, ...]
    agreed: tuple[int, ...]
    until_us: int


class Clearing(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of clearing up: see `citytable.table.checklist`."""

    lying: int
    counted: int
    components: int
    unseen: tuple[str, ...]
    silent: tuple[str, ...]
    bag: BagBack | None
    closed: bool
    ready: bool  # everything is back


class Station(msgspec.Struct, frozen=True):
    """The state of a station, as far as an onlooker cares."""

    station: str
    online: bool
    faults: tuple[dict[str, str], ...]  # language -> sentence


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A view as one viewer sees it; the feed carries it and the screens draw it."""

    t_us: int
    table: str
    scene: Scene | None
    lights: tuple[Light, ...]  # one per lit spot, the same as the rings show
    trying: tuple[Trying, ...]
    status: Status
    restoring: bool  # after an undo the table still has to be put back; `status` says how
    clearing: Clearing | None  # the progress of clearing up; `status` lists what is left to clear
    mode: Mode  # how acts that a rule forbids are treated
    undo: Undo | None  # an undo that a player asks for and others have to agree to
    questions: tuple[Asked, ...]
    troubles: tuple[Trouble, ...]  # what stops the hub itself
    stations: tuple[Station, ...]
    live: tuple[Live, ...]  # sorted by spot
    held: tuple[Held, ...]  # a building carried from a player's place: everybody sees it
    happened: tuple[Happened, ...]
    collapse: Collapse | None  # a fall that was confirmed last of all; for the public and the host
    lesson: Lesson | None  # the instruction of a guided game; None in other games
    overlay: Overlay  # what a producer has taken off air


def _trying(action: Provisional) -> Trying:
    key, words, seat = wording(action.action)
    return Trying(key=key, words=words, seat=seat, **msgspec.structs.asdict(action))


def fields_for(viewer: Viewer, question: Question) -> tuple[Field, ...]:
    """Return the fields that a viewer may answer: all of them for the host, a voter's own field for the voter, and the
    rest for the seat that is asked, or for every seat.
    """
    return tuple(field for field in question.fields if viewer.host or _is_asked(viewer, question, field))


def _is_asked(viewer: Viewer, question: Question, field: Field) -> bool:
    if viewer.seat is None:
        return False
    return question.seat in (None, viewer.seat) if field.voters is None else viewer.seat in field.voters


def waiting_for(question: Question) -> tuple[int, ...]:
    """Return the seats that have not answered yet; empty if the whole table is asked."""
    if question.seat is None:
        return ()
    own = {question.seat} if any(field.voters is None for field in question.fields) else set()
    return tuple(sorted(own.union(*(field.voters or () for field in question.fields))))


_HEADING = ("",)
"""The keys of the texts that everybody reads; the others are of fields and choices."""


def asked_of(question: Question, viewer: Viewer) -> Asked:
    """Return a question as a viewer sees it."""
    fields = fields_for(viewer, question)
    texts = {key: text for key, text in question.texts.items() if fields or key in _HEADING}
    return Asked(
        id=question.id,
        seat=question.seat,
        prompt=question.prompt,
        words={**wording(question.about)[1], **question.words},
        fields=fields,
        waiting=waiting_for(question),
        about=question.about,
        texts=texts,
    )


def _undo(asked: UndoAsked) -> Undo:
    lines = tuple(happened(no, 0, action) for no, action in enumerate(asked.actions))
    return Undo(asked.seat, asked.to, asked.why, lines, asked.waiting, asked.agreed, asked.until_us)


def _clearing(list_: Checklist) -> Clearing:
    return Clearing(**msgspec.structs.asdict(list_), ready=list_.ready)


def _station(health: Health) -> Station:
    return Station(station=health.station, online=health.online, faults=health.faults)


def seen_by(viewer: Viewer, view: View) -> Seen:
    """Return the part of a view that a viewer may see."""
    live = (spot for spot in view.live if seat_of(spot.spot) in (None, viewer.seat))
    return Seen(
        t_us=view.t_us,
        table=view.table,
        scene=view.scene,
        lights=lit(view),
        trying=tuple(_trying(action) for action in view.provisional),
        status=view.status,
        restoring=view.restoring,
        clearing=None if view.clearing is None else _clearing(view.clearing),
        mode=view.mode,
        undo=None if view.undo is None else _undo(view.undo),
        questions=tuple(asked_of(question, viewer) for question in view.questions),
        troubles=view.troubles,
        stations=tuple(_station(health) for health in view.health),
        live=tuple(sorted(live, key=lambda spot: spot.spot)),
        held=view.held,
        happened=view.happened,
        collapse=view.collapse if viewer.seat is None else None,
        lesson=view.lesson,
        overlay=view.overlay,
    )
