"""The gate: who may do what. The public may look; players speak for their own seats, and the host for the table.

A link with a key, or a PIN, sets a cookie, which makes the browser the host or a seat. One browser may be several: a
phone that players share is every seat.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping
from math import ceil

import msgspec

from citytable.table.question import Field, Question
from citytable.table.spot import seat_of as spot_seat
from citytable.table.word import (
    HOST_SEAT,
    Amendment,
    Answer,
    Approval,
    ClearUp,
    Denial,
    GoBack,
    Guide,
    Insertion,
    ModeChoice,
    Naming,
    NextGame,
    PaperPosition,
    PiecesSaid,
    PlayAgain,
    Ruling,
    Statement,
    Strike,
    TableStays,
    TakeBack,
    UndoReply,
    UndoRequest,
    Word,
    seat_of,
)
from citytable.views.audit import Audit
from citytable.views.keys import PIN_DIGITS, Keys
from citytable.views.post import check_values, quoted
from citytable.views.refusals import SENTENCES, Refused, refused
from citytable.views.tries import Tries
from citytable.views.viewer import HOST, PUBLIC, Viewer, fields_for, waiting_for

HOST_PIN_TRIES = 20
"""Wrong PINs of the host until the next start of the hub; then only the link opens the page."""
SEATS = tuple(Viewer(seat=seat) for seat in (1, 2, 3, 4))
PEOPLE = (HOST, *SEATS)
"""Everybody who can enter."""


_ALL, _HOST, _SEATS = frozenset({"host", "seat"}), frozenset({"host"}), frozenset({"seat"})
MAY_SAY: dict[type, frozenset[str]] = {
    Answer: _ALL,
    Statement: _ALL,
    Approval: _ALL,
    Denial: _ALL,
    PiecesSaid: _ALL,
    UndoReply: _ALL,
    Guide: _ALL,
    UndoRequest: _SEATS,  # the host goes back without asking
    Ruling: _HOST,
    ModeChoice: _HOST,
    TableStays: _HOST,
    GoBack: _HOST,
    TakeBack: _HOST,
    Amendment: _ALL,  # players only for their own actions, which the session checks
    Insertion: _ALL,
    Strike: _ALL,
    PaperPosition: _HOST,
    ClearUp: _HOST,
    Naming: _HOST,
    NextGame: _HOST,
    PlayAgain: _SEATS,  # the host chooses the next game; the session knows which tables allow this message
}
"""Who may say what. Of players' words `admit_word` also checks that they are about what is theirs."""


class Pass(msgspec.Struct, frozen=True):
    """The ways to enter as a seat: a link with the key after `#`, or the PIN. `GET /api/phones` returns a list."""

    seat: int
    link: str
    pin: str


class Gate:
    """Recognise people by cookies. `now_s` is any clock that only goes forward, `seats` the number of players.

    The host's PIN is for the first device: it is closed as soon as a browser is the host's, and after `HOST_PIN_TRIES`
    wrong ones. `on_pin_closed` is called then.
    """

    def __init__(
        self, keys: Keys, now_s: Callable[[], float], seats: int, on_pin_closed: Callable[[], None] = lambda: None
    ) -> None:
        self._keys = keys
        self._seats = seats
        self._tries = Tries(now_s)
        self._audit = Audit(now_s)
        self._host_tries = HOST_PIN_TRIES  # 0: closed
        self._on_pin_closed = on_pin_closed

    def change(self, keys: Keys, seats: int) -> None:
        """Use these keys for this many players from now on; browsers with other keys have to enter again."""
        self._keys, self._seats = keys, seats

    def entered(self, cookies: Mapping[str, str]) -> tuple[Viewer, ...]:
        """Return the roles of a browser."""
        return tuple(one for one in PEOPLE if self._fits(one, cookies.get(self._keys.cookie_name(one), "")))

    def outdated(self, cookies: Mapping[str, str]) -> tuple[str, ...]:
        """Return the cookies of this table that open nothing any more: a browser has no use for them."""
        names = {one: self._keys.cookie_name(one) for one in PEOPLE}
        return tuple(name for one, name in names.items() if name in cookies and not self._fits(one, cookies[name]))

    def enter(self, viewer: Viewer, word: str, address: str) -> tuple[str, str]:
        """Return the name and value of a cookie for the right key or PIN; raises `Refused`, also after many tries."""
        word = "".join(word.split())
        by_link = self._fits(viewer, word)
        if not by_link:
            self._check_pin(viewer, word, address)
        self._audit.entered(viewer, address, "link" if by_link else "PIN")
        if viewer == HOST:
            self._close_host_pin("a device is the host's")
        return self.cookie(viewer)

    def cookie(self, viewer: Viewer) -> tuple[str, str]:
        """Return the name and value of the cookie by which a browser has entered as a viewer."""
        return self._keys.cookie_name(viewer), self._keys.key(viewer)

    def leave(self, cookies: Mapping[str, str], address: str) -> tuple[str, ...]:
        """Return the cookies that a browser is to forget: all by which it has entered."""
        entered = self.entered(cookies)
        for viewer in entered:
            self._audit.left(viewer, address)
        return tuple(self._keys.cookie_name(viewer) for viewer in entered)

    def passes(self) -> tuple[Pass, ...]:
        """Return the links and PINs of the players of this game."""
        players = SEATS[: self._seats]
        return tuple(Pass(one.seat or 0, f"/{one.text}#{self._keys.key(one)}", self._keys.pin(one)) for one in players)

    def admit(self, cookies: Mapping[str, str], viewer: Viewer) -> None:
        """Raise `Refused` unless this browser has entered as the viewer, or the viewer is the public."""
        entered = self.entered(cookies)
        if viewer != PUBLIC and viewer not in entered:
            key = "host_only" if viewer.host else "seat_only"
            raise refused(403 if entered else 401, key, seat=viewer.seat)
        if viewer == HOST:
            self._close_host_pin("a device is the host's")

    def admit_somebody(self, cookies: Mapping[str, str]) -> None:
        """Raise `Refused` unless this browser has entered as the host or as a player."""
        if not self.entered(cookies):
            raise refused(401, "strangers")

    def is_producer(self, authorization: str) -> bool:
        """Report whether an `Authorization` header has the producer's key; raise `Refused` for a wrong one."""
        if not authorization:
            return False
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer" or not _same(self._keys.producer_key(), key.strip()):
            raise refused(401, "wrong_key")
        return True

    def producer_key(self) -> str:
        """Return the key that triggers of the overlay carry."""
        return self._keys.producer_key()

    def admit_word(self, cookies: Mapping[str, str], word: Word, questions: Iterable[Question]) -> None:
        """Raise `Refused` for a message that this speaker may not send. `questions` are the open ones."""
        speaker = _viewer_of(word.by)
        self.admit(cookies, speaker)
        if ("host" if speaker.host else "seat") not in MAY_SAY[type(word)]:
            raise refused(403, "players_only" if speaker.host else "host_only")
        match word:
            case Answer():
                check_values(word.values, _asked(speaker, word.question, questions))
            case Statement(action=action) | Denial(action=action):
                _check_own(speaker, (action,))
            case Approval(actions=actions):
                _check_own(speaker, actions)
            case PiecesSaid(spot=spot) if not speaker.host and spot_seat(spot) != speaker.seat:
                raise refused(403, "not_their_own", seat=speaker.seat)
            case _:
                return

    def _fits(self, viewer: Viewer, word: str) -> bool:
        return self._plays(viewer) and _same(self._keys.key(viewer), word)

    def _plays(self, viewer: Viewer) -> bool:
        return viewer.seat is None or viewer.seat <= self._seats

    def _check_pin(self, viewer: Viewer, word: str, address: str) -> None:
        if len(word) != PIN_DIGITS:
            raise _wrong(viewer)  # an old link, or a slip: that is not trying
        if viewer == HOST and not self._host_tries:
            raise refused(403, "pin_closed")
        if wait_s := self._tries.wait_s(address):
            raise refused(429, "too_many_tries", minutes=ceil(wait_s / 60))
        if not (self._plays(viewer) and _same(self._keys.pin(viewer), word)):
            self._audit.wrong_pin(viewer, address, self._tries.wrong(address))
            self._count_wrong(viewer)
            raise _wrong(viewer)

    def _count_wrong(self, viewer: Viewer) -> None:
        if viewer == HOST and self._host_tries == 1:
            self._close_host_pin(f"{HOST_PIN_TRIES} wrong ones were typed")
        elif viewer == HOST:
            self._host_tries -= 1

    def _close_host_pin(self, why: str) -> None:
        if self._host_tries:
            self._host_tries = 0
            self._audit.host_pin_closed(why)
            self._on_pin_closed()


def _same(key: str, word: str) -> bool:
    """Compare in constant time, so that the time does not show which letter is wrong. `word` may be invalid text."""
    return hmac.compare_digest(key.encode(), word.encode(errors="replace"))


def _wrong(viewer: Viewer) -> Refused:
    return refused(403, "wrong_pin_host" if viewer.host else "wrong_pin_seat", seat=viewer.seat, digits=PIN_DIGITS)


def _viewer_of(speaker: str) -> Viewer:
    """Return the speaker `by` of a message; raises `Refused` for a speaker that is not a person."""
    seat = seat_of(speaker)
    if seat is None:
        raise refused(403, "no_speaker", seen=quoted(speaker))
    return HOST if seat == HOST_SEAT else Viewer(seat=seat)


def _asked(speaker: Viewer, name: str, questions: Iterable[Question]) -> tuple[Field, ...]:
    """Return the questions to this speaker: only the people asked may answer, and the host. Raises `Refused`."""
    question = next((question for question in questions if question.id == name), None)
    if question is None:
        raise refused(409, "no_question", seen=quoted(name))
    if fields := fields_for(speaker, question):
        return fields
    seats = [str(seat) for seat in waiting_for(question)]
    if seats == ["0"]:
        raise refused(403, "host_only")
    if not seats:
        raise refused(403, "host_decides")
    others = {language: f" {word} ".join(seats) for language, word in SENTENCES.texts["and"].items()}
    raise refused(403, "not_asked", n=len(seats), seats=others)


def _check_own(speaker: Viewer, actions: Iterable[str]) -> None:
    """Raise `Refused` if players speak about anything but their own actions and events on the table."""
    actors = {action.split(maxsplit=1)[0] if action.strip() else "" for action in actions}
    if not speaker.host and not actors <= {f"p{speaker.seat}", "table"}:
        raise refused(403, "not_their_own", seat=speaker.seat)
