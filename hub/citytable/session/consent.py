"""Consent: a player's undo takes back the actions of others only when they have agreed.

Rule 1: a player who takes back only their own actions needs no consent.
Rule 2: everybody else whose action would be taken back is asked once, with one tap. One refusal ends the request, also
        from a player who agreed before. Only the players concerned and the host are heard.
Rule 3: actions that are under way count too, and so do those that are confirmed meanwhile: their players are asked as
        well, because the table is put back without these actions.
Rule 4: a player cannot take back a correction by the host.
Rule 5: nobody has to wait: the request lapses after `LAPSES_US`, and the host may take back without asking.
Rule 6: while the table is being cleared, players cannot request an undo: only the host can go on with the game.
"""

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from citytable.journal.entry import CORRECTIONS, ActionConfirmed, Entry
from citytable.journal.replay import standing
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.table.word import (
    HOST_SEAT,
    ClearUp,
    PositionSet,
    Undo,
    UndoReplied,
    UndoReply,
    UndoRequest,
    UndoRequested,
    seat_of,
)
from citytable.views.state import UndoAsked
from citytable.views.wording import wording

LAPSES_US = 120_000_000
_SENTENCES = Sentences(__package__, "consent.json")


def _unfitting(key: str, **words: object) -> Unfitting:
    return Unfitting(_SENTENCES.text(key, **words))


def cleared_away() -> Unfitting:
    """Return the refusal for players who want to take something back while the table is cleared (Rule 6)."""
    return _unfitting("clearing")


def taken_back(entries: Sequence[Entry], to: int) -> tuple[Entry, ...]:
    """Return the actions that an undo to entry `to` would take back. Raises `Unfitting` with a sentence.

    An undo restores the record as it was after an entry, so it would also drop later corrections of older entries.
    """
    stood = standing(entry for entry in entries if entry.seq <= to)
    stands = standing(entries)
    if stands[: len(stood)] != stood:
        raise _unfitting("put_right", to=to)
    return stands[len(stood) :]


def _person(speaker: str) -> int:
    """Return the seat of a speaker, `HOST_SEAT` for the host; raises `Unfitting` for a speaker that is no person."""
    seat = seat_of(speaker)
    if seat is None:
        raise _unfitting("nobody")
    return seat


def _seats(actions: Sequence[str]) -> set[int]:
    found = (wording(action)[2] for action in actions)
    return {seat for seat in found if seat is not None}


class Consent:
    """Collects consent for one undo at a time. `asked` is what screens show of it."""

    def __init__(self) -> None:
        self.asked: UndoAsked | None = None

    def request(
        self, request: UndoRequest, entries: Sequence[Entry], now_us: int, under_way: tuple[str, ...]
    ) -> Undo | None:
        """Ask the players concerned; return the undo at once if there are none. Raises `Unfitting` with a sentence.

        `under_way` are the actions since the last entry, in notation.
        """
        seat = _person(request.by)
        if seat == HOST_SEAT:
            raise _unfitting("host_asks")
        if self.asked is not None:
            raise _unfitting("asked", seat=self.asked.seat)
        taken = taken_back(entries, request.to)
        if any(isinstance(entry.body, PositionSet) for entry in taken):
            raise _unfitting("set")
        if not taken:
            raise _unfitting("nothing", to=request.to)
        self.asked = UndoAsked(
            seat=seat,
            to=request.to,
            why=request.why,
            actions=(),
            waiting=(),
            until_us=now_us + LAPSES_US,
        )
        return self._settled(entries, under_way)

    def reply(self, reply: UndoReply, entries: Sequence[Entry], under_way: tuple[str, ...]) -> Undo | None:
        """Take a consent or a refusal; return the undo once all have agreed. Raises `Unfitting` for another seat."""
        if self.asked is None:
            raise _unfitting("not_asked")
        concerned = (HOST_SEAT, self.asked.seat, *self.asked.waiting, *self.asked.agreed)
        seat = _person(reply.by)
        if reply.agrees and seat == HOST_SEAT:
            raise _unfitting("host_agrees")
        if seat not in (self.asked.waiting if reply.agrees else concerned):
            raise _unfitting("not_concerned", seat=seat, waiting=", ".join(map(str, self.asked.waiting)) or "-")
        if not reply.agrees:
            self.asked = None
            return None
        self.asked = replace(self.asked, agreed=(*self.asked.agreed, seat))
        return self._settled(entries, under_way)

    def _settled(self, entries: Sequence[Entry], under_way: tuple[str, ...]) -> Undo | None:
        asked = self.asked
        if asked is None:
            return None
        actions = (*_texts(taken_back(entries, asked.to)), *under_way)
        waiting = tuple(sorted(_seats(actions) - {asked.seat} - set(asked.agreed)))
        self.asked = replace(asked, waiting=waiting, actions=actions)
        if waiting:
            return None
        agreed = tuple(f"seat {seat}" for seat in asked.agreed)
        return Undo(to=asked.to, by=f"seat {asked.seat}", why=asked.why, agreed=agreed)

    def lapse(self, now_us: int) -> bool:
        """Forget a request that has lapsed; return whether there was one."""
        lapsed = self.asked is not None and now_us >= self.asked.until_us
        if lapsed:
            self.asked = None
        return lapsed

    def recall(self, entries: Sequence[Entry]) -> None:
        """Take over the record of an earlier run of the hub: the last request, if it is still open."""
        wishes = [k for k, entry in enumerate(entries) if isinstance(entry.body, UndoRequested)]
        for k in range(wishes[-1] if wishes else len(entries), len(entries)):
            earlier, entry = entries[:k], entries[k]
            with suppress(ValueError):  # refused then, too
                match entry.body:
                    case UndoRequested(by=by, to=to, why=why, under_way=under_way):
                        self.request(UndoRequest(by=by, to=to, why=why), earlier, entry.at_us, under_way)
                    case UndoReplied(by=by, agrees=agrees, under_way=under_way):
                        self.reply(UndoReply(by=by, agrees=agrees), earlier, under_way)
                    case body if isinstance(body, (*CORRECTIONS, PositionSet, ClearUp)):
                        self.forget()

    def forget(self) -> None:
        """Forget the request: it was done, or something else was corrected in the meantime."""
        self.asked = None


def _texts(taken: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(entry.body.action for entry in taken if isinstance(entry.body, ActionConfirmed))
