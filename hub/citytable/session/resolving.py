"""Resolving: turns a message of a person into the value that the journal keeps.

Most messages are kept as they are. A few need more: an undo needs the corrections since then, a position on paper must
be a position of this game, a player's undo needs the consent of others.
"""

from typing import Any, TypeVar

import msgspec

from citytable.journal.entry import Cause
from citytable.journal.replay import kept_by_undo
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.consent import Consent, cleared_away
from citytable.session.history import History
from citytable.session.play import Play
from citytable.session.record import check_putting_right
from citytable.table.fact import Fact
from citytable.table.word import (
    Amendment,
    Answer,
    Approval,
    ClearUp,
    Denial,
    GoBack,
    Guide,
    Insertion,
    ModeChoice,
    NextGame,
    PaperPosition,
    PiecesSaid,
    PlayAgain,
    PositionSet,
    Recorded,
    Statement,
    Strike,
    TagNamed,
    TakeBack,
    Undo,
    UndoReplied,
    UndoReply,
    UndoRequest,
    UndoRequested,
    Word,
)

A = TypeVar("A")
P = TypeVar("P")

_SENTENCES = Sentences(__package__, "unfitting.json")


class Resolved(msgspec.Struct, frozen=True):
    """A message as the journal keeps it; `facts` about the table came before it and are not written yet."""

    word: Recorded
    cause: Cause
    facts: tuple[Fact, ...] = ()


def resolved(
    word: Word | TagNamed, play: Play[A, P], history: History[A, P], consent: Consent, now_us: int
) -> Resolved | None:
    """Return the value that the journal keeps for a message, or None if it changes nothing.

    `history` is the game before the message. Raises `GameError` with a sentence if the message makes no sense. The next
    game does not belong to this game: `NextGame` and `PlayAgain` raise `TypeError`.
    """
    match word:
        case NextGame() | PlayAgain():
            raise TypeError("the next game is begun by the session, not resolved")
        case Answer() | Statement() | Approval() | Denial() | PiecesSaid():
            return Resolved(word, "player")
        case UndoRequest() | UndoReply():
            return _with_consent(word, play, history, consent, now_us)
        case ModeChoice() | Guide() if _holds(word, play):
            return None
        case ClearUp():
            return _clearing(word, play, len(history.entries))
        case GoBack(by=by, to=to, why=why):
            return Resolved(Undo(to=to, by=by, why=why), "referee")
        case Amendment() | Insertion() | Strike():
            check_putting_right(word, play, history)
            return Resolved(word, "referee" if word.by == "host" else "player")
        case TakeBack(by=by, entry=entry, why=why):
            kept = kept_by_undo(history.entries, entry - 1)
            return Resolved(Undo(to=entry - 1, by=by, why=why, kept=kept), "referee")
        case PaperPosition(by=by, paper=paper, why=why):
            return Resolved(PositionSet(position=_position(play, paper), by=by, why=why), "referee")
        case _:
            return Resolved(word, "referee")


def _holds(word: ModeChoice | Guide, play: Play[A, P]) -> bool:
    """Return whether the message changes nothing."""
    if isinstance(word, ModeChoice):
        return word.mode == play.umpire.mode
    if word.seats:
        return play.empty.issuperset(word.seats) if word.on else play.empty.isdisjoint(word.seats)
    return word.on == play.guided


def _position(play: Play[A, P], paper: dict[str, Any]) -> str:
    """Return the position on paper in notation; raises `IllegalPosition` with everything that is wrong."""
    rules = play.game if play.umpire.mode == "enforce" else play.game.accepting()
    return rules.from_paper(play.umpire.settled_position, paper)


def check_goes_on(play: Play[A, P], position: P) -> None:
    """Raise `Unfitting` if people set a position in which nobody can do anything, and which is not the end."""
    if not play.game.termination(position) and not any(True for _ in play.game.sayable(position)):
        raise Unfitting(_SENTENCES.text("stands_still"))


def _clearing(word: ClearUp, play: Play[A, P], entries: int) -> Resolved | None:
    clearing = play.clearing
    match word.do:
        case "begin" if clearing is None:
            return Resolved(word, "referee")
        case "close" if clearing is not None and not clearing.closed:
            return Resolved(word, "referee")
        case "stop" if clearing is not None:
            stopped = Undo(to=entries, by=word.by, why="clearing up was stopped")
            return Resolved(stopped, "referee", clearing.seen)
        case _:  # it happened already: a second tap changes nothing
            return None


def _with_consent(
    word: UndoRequest | UndoReply, play: Play[A, P], history: History[A, P], consent: Consent, now_us: int
) -> Resolved:
    if play.clearing is not None:
        raise cleared_away()
    consent.lapse(now_us)
    under_way = tuple(one.action for one in play.umpire.provisional)
    kept: Recorded
    if isinstance(word, UndoRequest):
        agreed = consent.request(word, history.entries, now_us, under_way)
        kept = UndoRequested(by=word.by, to=word.to, why=word.why, under_way=under_way)
    else:
        agreed = consent.reply(word, history.entries, under_way)
        kept = UndoReplied(by=word.by, agrees=word.agrees, under_way=under_way)
    return Resolved(kept if agreed is None else agreed, "player")
