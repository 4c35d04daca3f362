"""The gate: who may do what. The public may look; players speak for their own seats, and the host for the table.

Whoever opens a link with a key, or types a PIN, is given a cookie, and is from then on the one it was for. A browser
may be several: a phone that goes round a small table is every seat.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping
from math import ceil

import msgspec

from citytable.table.question import Field, Question, Statement
from citytable.views.keys import PIN_DIGITS, Keys
from citytable.views.refusals import Refused, refused
from citytable.views.tries import Tries
from citytable.views.undo import UndoWish, UndoWord
from citytable.views.viewer import HOST, PUBLIC, Viewer, fields_for, waiting_for

SEATS = tuple(Viewer(seat=seat) for seat in (1, 2, 3, 4))
PEOPLE = (HOST, *SEATS)
"""Everybody who can enter."""


class Pass(msgspec.Struct, frozen=True):
    """How a player comes in: a link to his seat with the key behind `#`, or the PIN. `GET /api/phones` gives a list."""

    seat: int
    link: str
    pin: str


class Gate:
    """Knows everybody by cookies. `now_s` is any clock that only goes forward, `seats` how many play."""

    def __init__(self, keys: Keys, now_s: Callable[[], float], seats: int) -> None:
        self._keys = keys
        self._seats = seats
        self._tries = Tries(now_s)

    def change(self, keys: Keys, seats: int) -> None:
        """From now on these are the keys, for so many; who has entered by others, or plays no more, is a stranger."""
        self._keys, self._seats = keys, seats

    def entered(self, cookies: Mapping[str, str]) -> tuple[Viewer, ...]:
        """Whom a browser has entered as."""
        return tuple(one for one in PEOPLE if self._fits(one, cookies.get(self._keys.cookie_name(one), "")))

    def enter(self, viewer: Viewer, word: str, address: str) -> tuple[str, str]:
        """A cookie's name and value for the right key or PIN; raises `Refused`, after many wrong PINs for any."""
        word = "".join(word.split())
        if not self._fits(viewer, word):
            self._check_pin(viewer, word, address)
        return self._keys.cookie_name(viewer), self._keys.key(viewer)

    def passes(self) -> tuple[Pass, ...]:
        """What lets the players of the game in."""
        players = SEATS[: self._seats]
        return tuple(Pass(one.seat or 0, f"/{one.text}#{self._keys.key(one)}", self._keys.pin(one)) for one in players)

    def admit(self, cookies: Mapping[str, str], viewer: Viewer) -> None:
        """Let nobody else look or speak as this one; raises `Refused`."""
        entered = self.entered(cookies)
        if viewer != PUBLIC and viewer not in entered:
            key = "host_only" if viewer.host else "seat_only"
            raise refused(403 if entered else 401, key, seat=viewer.seat)

    def admit_somebody(self, cookies: Mapping[str, str]) -> None:
        """Let in the host and the players; raises `Refused`."""
        if not self.entered(cookies):
            raise refused(401, "strangers")

    def admit_answer(self, cookies: Mapping[str, str], viewer: Viewer, question: Question) -> tuple[Field, ...]:
        """What this one is asked: only who is asked answers, and the host; raises `Refused`."""
        self.admit(cookies, viewer)
        if fields := fields_for(viewer, question):
            return fields
        seats = [str(seat) for seat in waiting_for(question)]
        if not seats:
            raise refused(403, "host_decides")
        en, fr = ("seat", "la place") if len(seats) == 1 else ("seats", "les places")
        raise refused(403, "not_asked", seats={"en": f"{en} {' and '.join(seats)}", "fr": f"{fr} {' et '.join(seats)}"})

    def admit_statement(self, cookies: Mapping[str, str], viewer: Viewer, statement: Statement) -> None:
        """Players tell what they did themselves, or what happened on the table; raises `Refused`."""
        self._admit_acts(cookies, viewer, (statement.action,))

    def admit_vouch(self, cookies: Mapping[str, str], viewer: Viewer, actions: Iterable[str]) -> None:
        """Players tap on what they did themselves; raises `Refused`."""
        self._admit_acts(cookies, viewer, actions)

    def _admit_acts(self, cookies: Mapping[str, str], viewer: Viewer, actions: Iterable[str]) -> None:
        self.admit(cookies, viewer)
        who = {action.split(maxsplit=1)[0] if action.strip() else "" for action in actions}
        if not viewer.host and not who <= {f"p{viewer.seat}", "table"}:
            raise refused(403, "not_his", seat=viewer.seat)

    def admit_undo(self, cookies: Mapping[str, str], said: UndoWish | UndoWord) -> None:
        """Consent comes from the seat itself; raises `Refused`."""
        self.admit(cookies, Viewer(seat=said.seat) if said.seat else HOST)

    def _fits(self, viewer: Viewer, word: str) -> bool:
        return self._plays(viewer) and _same(self._keys.key(viewer), word)

    def _plays(self, viewer: Viewer) -> bool:
        return viewer.seat is None or viewer.seat <= self._seats

    def _check_pin(self, viewer: Viewer, word: str, address: str) -> None:
        if len(word) != PIN_DIGITS:
            raise _wrong(viewer)  # an old link, or a slip: that is not trying
        if wait_s := self._tries.wait_s(address):
            raise refused(429, "too_many_tries", minutes=ceil(wait_s / 60))
        if not (self._plays(viewer) and _same(self._keys.pin(viewer), word)):
            self._tries.wrong(address)
            raise _wrong(viewer)


def _same(key: str, word: str) -> bool:
    """Takes as long whichever letter is wrong; what arrives need not be sound text."""
    return hmac.compare_digest(key.encode(), word.encode(errors="replace"))


def _wrong(viewer: Viewer) -> Refused:
    return refused(403, "wrong_pin_host" if viewer.host else "wrong_pin_seat", seat=viewer.seat, digits=PIN_DIGITS)
