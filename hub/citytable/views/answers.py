"""The answers of the web server that belong to no other part of the hub, as JSON."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from citytable.rules.errors import IllegalAction
from citytable.table.health import CellZero, Health
from citytable.views.overlay import Element, Shows
from citytable.views.wording import wording


class Accepted(msgspec.Struct, frozen=True):
    """The request was accepted."""

    accepted: bool = True


class Spoken(msgspec.Struct, frozen=True):
    """A message was accepted: the number of the journal's last entry before it (`was`) and after it (`now`)."""

    was: int
    now: int
    accepted: bool = True


class Hidden(msgspec.Struct, frozen=True):
    """A trigger is accepted: the elements of the overlay that are off air now."""

    hidden: tuple[Element, ...]
    accepted: bool = True


class Assigned(msgspec.Struct, frozen=True):
    """What each named display shows, if that is not the game."""

    displays: dict[str, Shows]
    accepted: bool = True


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not accepted: the number of the rule, if there is one, and a sentence in each language."""

    rule: str
    text: dict[str, str]


class Wellness(msgspec.Struct, frozen=True):
    """Whether the hub works, and what is wrong: `broker`, `journal`, `stuck`."""

    ok: bool
    wrong: tuple[str, ...]


LINES_SHOWN = 20
"""Of each station's log in `Stations`; `GET /api/stations/<name>/log` has all that the hub keeps."""


class Stations(msgspec.Struct, frozen=True):
    """The content of the stations page. `t_us` is hub time; `zeros`: how far the zero of every load cell has drifted.

    `turned_away`: the addresses that the hub's own broker has rejected within the last two minutes.
    """

    t_us: int
    table: str
    stations: tuple[Health, ...]  # by name
    zeros: tuple[CellZero, ...]  # in the plan's order
    turned_away: tuple[str, ...]


def with_latest_lines(health: Health) -> Health:
    """Return the health of a station with the latest of its log, for the page that asks for all stations every 2 s."""
    return replace(health, said=health.said[-LINES_SHOWN:])


class OnAir(msgspec.Struct, frozen=True):
    """The producer's state: the elements that are off air, and the key for triggers."""

    hidden: tuple[Element, ...]
    key: str


class Sayable(msgspec.Struct, frozen=True):
    """An action that a person may report, ready to be worded."""

    action: str  # in notation
    key: str
    words: dict[str, str]
    seat: int | None


class Declined(msgspec.Struct, frozen=True):
    """A kind of action that no rule allows now: its wording, the rule, and its sentence by language."""

    key: str
    words: dict[str, str]
    seat: int | None
    rule: str
    why: dict[str, str]


def declined(action: str, refusal: IllegalAction) -> Declined:
    """Return an action that is refused with the wording of its notation."""
    return Declined(*wording(action), refusal.rule, refusal.text)


class OtherWay(msgspec.Struct, frozen=True):
    """A way to put an action right, ready to be worded: as `action`, without it, or with `action` before it.

    With `strike` the action never was, and `action` is empty.
    """

    how: Literal["amend", "strike", "insert"]
    action: str  # in notation
    key: str
    words: dict[str, str]
    seat: int | None


def other_way(how: Literal["amend", "strike", "insert"], action: str) -> OtherWay:
    """Return a way to put an action right with the wording of its notation."""
    return OtherWay(how, action, *wording(action))


class Written(msgspec.Struct, frozen=True):
    """An action that counts in the journal, ready for screens. `seq` is the number that corrections name.

    `breaks`: the rule that it breaks, if the host accepted it.
    """

    seq: int
    at_us: int
    cause: str
    action: str  # in notation
    breaks: str
    key: str
    words: dict[str, str]
    seat: int | None
