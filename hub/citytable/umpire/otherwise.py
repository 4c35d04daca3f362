"""Otherwise: what may have happened in place of a confirmed act, or beside it, for people who correct the record.

Rule 1: everything confirmed since stays. Only ways are offered that the rest of the record can follow; if an act of the
        rest then breaks a rule, it has happened all the same. A player's act is never replaced by a fall, which nobody
        does.
Rule 2: the record that fits the present table comes first, then the one that breaks fewer rules, then the one that
        changes less: other values of the same act, another act, no act, one more act. Falls come last.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from citytable.rules.errors import IllegalAction
from citytable.umpire.matching import Matches
from citytable.umpire.observed import Observed
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

How: TypeAlias = Literal["amend", "strike", "insert"]
_CHANGES_LEAST: tuple[How, ...] = ("amend", "strike", "insert")


class Otherwise(msgspec.Struct, Generic[A], frozen=True):
    """One way to put an act right: it was `action`, it never was (None), or `action` is missing before it."""

    how: How
    action: A | None

    def instead_of(self, wrong: A) -> tuple[A, ...]:
        """Return the actions that this way puts in place of the confirmed action `wrong`."""
        if self.action is None:
            return ()
        return (self.action,) if self.how == "amend" else (self.action, wrong)


def otherwise(
    game: WholeGame[A, P], before: P, wrong: A, since: Sequence[A], observed: Observed
) -> tuple[Otherwise[A], ...]:
    """Return the ways to correct `wrong`, which was done from the position `before`, the likeliest first.

    `since` is what was confirmed after it.
    """
    record = _Record(game, before, wrong, tuple(since), observed)
    found = [(rank, way) for way in record.ways() if (rank := record.rank(way)) is not None]
    found.sort(key=lambda one: one[0])
    return tuple(way for _, way in found)


class _Record(Generic[A, P]):
    """The record from the doubted act on, and the table as it is."""

    def __init__(self, game: WholeGame[A, P], before: P, wrong: A, since: tuple[A, ...], observed: Observed) -> None:
        self._game = game
        self._before = before
        self._wrong = wrong
        self._since = since
        self._observed = observed
        self._matcher = Matches().matcher(observed)

    def ways(self) -> Iterator[Otherwise[A]]:
        """Yield every way, in no order."""
        yield Otherwise("strike", None)
        for action in self._possible():
            yield Otherwise("insert", action)
            if action != self._wrong and self._game.asker(action) == self._game.asker(self._wrong):
                yield Otherwise("amend", action)

    def _possible(self) -> Iterator[A]:
        """Yield complete actions that the rules allow there."""
        known: set[A] = set()
        for decision in self._game.sayable(self._before):
            for one in self._complete(decision):
                if one not in known:
                    known.add(one)
                    yield one

    def _complete(self, decision: A) -> Iterator[A]:
        """Yield the outcomes of a decision; an open outcome is that of the confirmed act."""
        cases = [case.action for case in self._game.cases(self._before, decision)]
        for actions in (cases, (_like(self._wrong, decision),)):
            whole = [one for action in actions if self._after(one := self._as_it_lies(action)) is not None]
            if whole:
                yield from chain.from_iterable(map(self._by_count, whole))
                return

    def _as_it_lies(self, action: A) -> A:
        """Return an action with the things that came up in it, as far as the table still shows them."""
        position = self._before
        with suppress(IllegalAction):
            for one in (action, *self._since):
                position = self._game.supposed(position, one)
            bindings = self._matcher.match(self._game.layout(position)).bindings
            return self._game.complete(self._before, action, dict(bindings))
        return action

    def _by_count(self, action: A) -> Iterator[A]:
        """Yield an action, and the same with every number of pieces that it may have moved."""
        yield action
        after = self._after(action)
        if after is None or not self._game.moves_pieces(action):
            return
        was = {one.spot: one.pieces for one in self._game.layout(self._before).scales}
        moved = max((abs(one.pieces - was.get(one.spot, 0)) for one in self._game.layout(after).scales), default=0)
        most = max((moved, *self._game.counts(action, moved, self._observed.piece))) if moved else 0
        for n in range(1, most + 1):
            if self._after(one := self._game.with_count(action, (n,))) is not None:
                yield one

    def _after(self, action: A) -> P | None:
        """Return the position after a complete and legal action; else None."""
        try:
            self._game.accepting().applied(self._before, action)  # it knows what is still open as well
            return self._game.applied(self._before, action)
        except IllegalAction:
            return None

    def rank(self, way: Otherwise[A]) -> tuple[int, ...] | None:
        """Return how unlikely a way is, the main part first; None if it makes the rest of the record impossible."""
        position, broken = self._before, 0
        for action in (*way.instead_of(self._wrong), *self._since):
            try:
                position = self._game.applied(position, action)
            except IllegalAction:
                broken += 1
                try:
                    position = self._game.accepting().applied(position, action)
                except IllegalAction:
                    return None
        mismatch = self._matcher.match(self._game.layout(position)).mismatch
        other = way.how == "amend" and type(way.action) is not type(self._wrong)
        fell = way.how == "insert" and way.action is not None and self._game.accident_at(way.action) is not None
        return mismatch, fell, broken, other, _CHANGES_LEAST.index(way.how)


def _like(wrong: Any, decision: Any) -> Any:
    """Return a decision with the outcome of another act of its kind."""
    if type(wrong) is not type(decision):
        return decision
    left_open = (name for name, value in msgspec.structs.asdict(decision).items() if value is None)
    return msgspec.structs.replace(decision, **{name: getattr(wrong, name) for name in left_open})
