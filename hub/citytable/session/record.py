"""The record of the game on the table: the evidence for an entry, and possible corrections of it.

Players correct their own actions, in one of the ways that are offered; the host corrects anything.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.journal.replay import standing
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.history import History
from citytable.session.play import Play
from citytable.session.witness import Witness
from citytable.table.word import HOST_SEAT, Amendment, Insertion, Strike, seat_of
from citytable.umpire.otherwise import Otherwise, otherwise
from citytable.views.answers import OtherWay, other_way
from citytable.views.signal import NoEntry, Signal
from citytable.views.wording import wording

A = TypeVar("A")
P = TypeVar("P")

_SENTENCES = Sentences(__package__, "unfitting.json")


@dataclass(frozen=True)
class Record(Generic[A, P]):
    """Of one play. `history` reads it from the journal."""

    play: Play[A, P]
    witness: Witness[A, P]
    history: Callable[[], Awaitable[History[A, P]]]

    async def signal(self, seq: int) -> Signal:
        """Return the sensors' signal around an entry, as `Witness.signal` does; raises the same."""
        return await self.witness.signal(seq, tuple((await self.history()).entries))

    async def otherwise(self, seq: int) -> tuple[OtherWay, ...]:
        """Return the ways to put an action right, the likeliest first; raises `NoEntry`."""
        ways = ways_to_put_right(self.play, await self.history(), seq)
        return tuple(other_way(way.how, way.action or "") for way in ways)


def ways_to_put_right(play: Play[A, P], history: History[A, P], seq: int) -> tuple[Otherwise[str], ...]:
    """Return the possible corrections of the action of entry `seq`, in notation; raises `NoEntry`."""
    acts = [one for one in standing(history.entries) if isinstance(one.body, ActionConfirmed)]
    k = next((k for k, one in enumerate(acts) if one.seq == seq), None)
    if k is None:
        raise NoEntry(seq)
    position, rules = history.played.start, play.game.accepting()
    actions: Sequence[A] = history.played.actions
    for action in actions[:k]:
        position = rules.applied(position, action)
    ways = otherwise(play.game, position, actions[k], actions[k + 1 :], play.umpire.observed)
    return tuple(Otherwise(way.how, None if way.action is None else play.game.text(way.action)) for way in ways)


def check_putting_right(word: Amendment | Insertion | Strike, play: Play[A, P], history: History[A, P]) -> None:
    """Raise `Unfitting` if players correct the action of another, or in a way that is not offered."""
    seat = seat_of(word.by)
    if seat == HOST_SEAT:
        return
    seq = word.before if isinstance(word, Insertion) else word.entry
    if not _is_theirs(history.entries, seq, seat):
        raise Unfitting(_SENTENCES.text("not_theirs", seq=seq))
    if _way(word) not in ways_to_put_right(play, history, seq):
        raise Unfitting(_SENTENCES.text("not_offered", seq=seq))


def _way(word: Amendment | Insertion | Strike) -> Otherwise[str]:
    match word:
        case Strike():
            return Otherwise("strike", None)
        case Amendment(action=action):
            return Otherwise("amend", action)
        case Insertion(action=action):
            return Otherwise("insert", action)


def _is_theirs(entries: Sequence[Entry], seq: int, seat: int | None) -> bool:
    """Return whether entry `seq` counts, and is an action of this seat, or of nobody."""
    there = next((one.body for one in standing(entries) if one.seq == seq), None)
    return isinstance(there, ActionConfirmed) and wording(there.action)[2] in {seat, None}
