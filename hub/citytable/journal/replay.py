"""Replay: the entries of a game give the game back, the same every time."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from citytable.journal.entry import (
    CORRECTIONS,
    ActionConfirmed,
    Counted,
    Entry,
    GameEnded,
    GameStarted,
    ValuesEntered,
)
from citytable.languages.sentences import Sentences
from citytable.rules.errors import GameError, IllegalAction, LocalisedError, Unreadable
from citytable.rules.game import Game
from citytable.table.word import Amendment, ClearUp, Insertion, PositionSet, Strike, Undo

A_co = TypeVar("A_co", covariant=True)
P_co = TypeVar("P_co", covariant=True)
G = TypeVar("G", bound=Game[Any, Any])

_SENTENCES = Sentences(__package__, "replay.json")


class Unreplayable(LocalisedError):
    """Entries cannot be replayed: the text names the entry and the error."""

    @classmethod
    def worded(cls, key: str, **words: object) -> Self:
        """Return the error with the sentence `key` of `replay.json`."""
        text = _SENTENCES.text(key, **words)
        return cls(text["en"], text)


class Played(Protocol[A_co, P_co]):
    """A game as far as it was replayed."""

    @property
    def position(self) -> P_co:
        """Return the position it has come to."""
        ...

    @property
    def start(self) -> P_co:
        """Return the position it began with."""
        ...

    @property
    def actions(self) -> tuple[A_co, ...]:
        """Return the actions that led there from its start."""
        ...


def standing(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the actions (and the end of the game) that count after all corrections, in order.

    A correction of an action removes the end of the game: the rules then decide whether it still ends there. An amended
    action counts with its new body under its old number, an inserted one under the number of its insertion. An undo
    brings back the actions that counted after the entry it names, with the later corrections that it keeps. So an undo
    can itself be undone. A position that was set replaces everything before it. Raises `Unreplayable`.
    """
    corrections: dict[int, Entry] = {}
    seqs: list[int] = [0]
    after: list[tuple[Entry, ...]] = [()]  # the actions that counted after the entry of the same index in `seqs`
    for entry in entries:
        match entry.body:
            case ActionConfirmed() | GameEnded():
                stands = (*after[-1], entry)
            case Undo(to=to, kept=kept):
                if not 1 <= to < entry.seq:
                    raise Unreplayable.worded("undoes", seq=entry.seq, to=to)
                stands = after[bisect_right(seqs, to) - 1]
                for seq in kept:
                    if seq not in corrections:
                        raise Unreplayable(f"entry {entry.seq} keeps entry {seq}, which is not an earlier correction")
                    stands = _corrected(corrections[seq], stands)
            case PositionSet():
                stands = (entry,)
            case Amendment() | Insertion() | Strike():
                corrections[entry.seq] = entry
                stands = _corrected(entry, after[-1])
            case _:
                continue
        seqs.append(entry.seq)
        after.append(stands)
    return after[-1]


def kept_by_undo(entries: Sequence[Entry], to: int) -> tuple[int, ...]:
    """Return the corrections since entry `to` that remain, of actions that an undo to it keeps.

    The entry right after `to` is the one to be taken back. Of corrections before another undo, those remain that were
    valid after the entry it names, and those it kept. Corrections before a position was set do not remain.
    """
    return _corrections_of(entries, to, since=to + 1)


def _corrections_of(entries: Sequence[Entry], to: int, since: int) -> tuple[int, ...]:
    """Return the corrections after entry `since` of actions that stood after entry `to`."""
    found: dict[int, int] = {}  # a correction and the entry that it corrects
    corrected: dict[int, int] = {}
    left = {entry.seq for entry in standing(entry for entry in entries if entry.seq <= to)}
    seqs: list[int] = [0]
    after = [found]  # the corrections found after the entry of the same index in `seqs`
    for entry in (entry for entry in entries if entry.seq > since):
        match entry.body:
            case Undo(to=back, kept=kept):
                held = (*after[bisect_right(seqs, back) - 1], *kept)
                known = left.union(held)
                found = {seq: corrected[seq] for seq in held if corrected.get(seq) in known}
            case PositionSet():
                found = {}
            case Amendment(entry=wrong) | Strike(entry=wrong) | Insertion(before=wrong):
                corrected[entry.seq] = wrong
                if wrong in left or wrong in found:  # an inserted action may itself be corrected
                    found = found | {entry.seq: wrong}
            case _:
                continue
        seqs.append(entry.seq)
        after.append(found)
    return tuple(found)


def as_done(
    entries: Sequence[Entry], replayed: Callable[[tuple[Entry, ...]], Played[A_co, P_co]]
) -> Played[A_co, P_co] | None:
    """Return the game after the last entry, an undo, as far as the undo moves things on the table.

    The actions that it takes back or brings again were done. A correction only changed the record, and nothing on the
    table: so corrections that the undo removes count here as if they stayed. Returns None if the last entry is not an
    undo, or if nobody can know.
    """
    *before, last = entries
    if not isinstance(last.body, Undo):
        return None
    to = last.body.to
    if any(isinstance(entry.body, PositionSet) for entry in before if entry.seq > to):
        return None
    try:
        return replayed((*before, replace(last, body=replace(last.body, kept=_corrections_of(before, to, to)))))
    except Unreplayable:
        return None


def _corrected(entry: Entry, stands: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the actions that count after a correction; raises `Unreplayable`."""
    body = entry.body
    if not isinstance(body, Amendment | Insertion | Strike):
        raise TypeError(f"entry {entry.seq} is not a correction: {entry.type}")
    wrong = body.before if isinstance(body, Insertion) else body.entry
    k = next((k for k, one in enumerate(stands) if one.seq == wrong), None)
    if k is None or not isinstance(stands[k].body, ActionConfirmed):
        raise Unreplayable.worded("corrects", seq=entry.seq, wrong=wrong)
    stands = tuple(one for one in stands if not isinstance(one.body, GameEnded))
    if isinstance(body, Strike):
        return (*stands[:k], *stands[k + 1 :])
    correct = ActionConfirmed(action=body.action, by=body.by)
    if isinstance(body, Amendment):
        return (*stands[:k], replace(stands[k], body=correct), *stands[k + 1 :])
    return (*stands[:k], replace(entry, body=correct), *stands[k:])


def is_over(entries: Iterable[Entry]) -> bool:
    """Return whether the end of the game was written and counts."""
    return any(isinstance(entry.body, GameEnded) for entry in standing(entries))


def ending(entries: Iterable[Entry]) -> str:
    """Return the termination that counts; empty while the game goes on."""
    ends = [entry.body.termination for entry in standing(entries) if isinstance(entry.body, GameEnded)]
    return ends[-1] if ends else ""


class ClearedUp(Struct, frozen=True):
    """Hold how far clearing up has come: the components that were counted, and whether it was closed."""

    counted: frozenset[str] = frozenset()
    closed: bool = False


def cleared_up(entries: Iterable[Entry]) -> ClearedUp | None:
    """Return the progress of clearing up; None if it did not begin, or was stopped."""
    cleared: ClearedUp | None = None
    for entry in entries:
        match entry.body:
            case ClearUp(do="begin"):
                cleared = ClearedUp()
            case Counted(components=components) if cleared is not None:
                cleared = replace(cleared, counted=cleared.counted.union(components))
            case ClearUp(do="close") if cleared is not None:
                cleared = replace(cleared, closed=True)
            case Undo() | PositionSet():  # corrections of the record move nothing on the table
                cleared = None
    return cleared


def replay(
    entries: Iterable[Entry],
    start_game: Callable[[GameStarted], G],
    action_from_text: Callable[[str], Any],
    game_at: Callable[[G, str], G],
) -> G:
    """Return the game after all its entries and corrections; raises `Unreplayable`, which names the entry at fault.

    `game_at` returns the same game in a position that people set.

    An action recorded against a rule is accepted, and so is one that only an earlier correction, or values entered
    later, made illegal: all of them happened. If the rules refuse anything else, the game was never played like this.
    """
    entries = list(entries)
    corrected = any(isinstance(entry.body, (*CORRECTIONS, ValuesEntered)) for entry in entries)
    if not entries or not isinstance(entries[0].body, GameStarted):
        seen = entries[0].type if entries else "nothing"
        raise Unreplayable(f"a journal begins with game_started, this one with {seen}")
    game = start_game(entries[0].body)
    for entry in standing(entries):
        try:
            if isinstance(entry.body, PositionSet):
                game = game_at(game, entry.body.position)
        except GameError as error:
            raise Unreplayable(f"entry {entry.seq} sets a position that cannot be: {error}") from error
        if not isinstance(entry.body, ActionConfirmed):
            continue
        try:
            _play(game, action_from_text(entry.body.action), accept=corrected or bool(entry.body.breaks))
        except GameError as error:
            key = "line" if isinstance(error, Unreadable) else "action"  # the former quotes the action itself
            action = repr(entry.body.action)
            raise Unreplayable.worded(key, seq=entry.seq, action=action, why=with_rule(error)) from error
    return game


def with_rule(error: GameError) -> object:
    """Return the sentence of a refusal, by language, with the rule that it names."""
    if isinstance(error, IllegalAction):
        return {language: f"{error.rule}: {text}" for language, text in error.text.items()}
    return error.text or error


def _play(game: Game[Any, Any], action: Any, *, accept: bool) -> None:
    try:
        game.push(action)
    except IllegalAction:
        if not accept:
            raise
        game.accept(action)
