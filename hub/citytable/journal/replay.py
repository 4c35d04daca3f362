"""Replay: the entries of a game give the game back, the same every time."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from citytable.journal.entry import ActionConfirmed, Entry, GameEnded, GameStarted, Undone
from citytable.rules.errors import GameError
from citytable.rules.game import Game

G = TypeVar("G", bound=Game[Any, Any])


class Unreplayable(ValueError):
    """Entries that give no game: the text names the entry and what is wrong with it."""


class _Step(NamedTuple):
    entry: Entry
    before: "_Step | None"


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """The actions (and the end of the game) that stand after every undo, in order; raises `Unreplayable`.

    An undo brings back what stood after the entry it names, so an undo can itself be undone.
    """
    seqs: list[int] = [0]
    after: list[_Step | None] = [None]  # what stood after the entry of the same index in `seqs`
    for entry in entries:
        match entry.body:
            case ActionConfirmed() | GameEnded():
                last: _Step | None = _Step(entry, after[-1])
            case Undone(to=to):
                if not 1 <= to < entry.seq:
                    raise Unreplayable(f"entry {entry.seq} undoes to entry {to}: it must name an earlier one")
                last = after[bisect_right(seqs, to) - 1]
            case _:
                continue
        seqs.append(entry.seq)
        after.append(last)
    chain = []
    step = after[-1]
    while step is not None:
        chain.append(step.entry)
        step = step.before
    return chain[::-1]


def is_over(entries: Iterable[Entry]) -> bool:
    """Whether the end of the game was written and stands."""
    return any(isinstance(entry.body, GameEnded) for entry in standing(entries))


def replay(
    entries: Iterable[Entry],
    start_game: Callable[[GameStarted], G],
    action_from_text: Callable[[str], Any],
) -> G:
    """The game after all its entries, undo honoured; raises `Unreplayable` naming the entry that does not go."""
    entries = list(entries)
    if not entries or not isinstance(entries[0].body, GameStarted):
        seen = entries[0].type if entries else "nothing"
        raise Unreplayable(f"a journal begins with game_started, this one with {seen}")
    game = start_game(entries[0].body)
    for entry in standing(entries):
        if not isinstance(entry.body, ActionConfirmed):
            continue
        try:
            game.push(action_from_text(entry.body.action))
        except GameError as error:
            raise Unreplayable(f"entry {entry.seq}, {entry.body.action!r}: {error}") from error
    return game
