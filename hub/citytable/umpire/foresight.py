"""Foresight: what people may do from a position, and how the table should look after it, computed once.

The rules are pure functions, and the table is explained again with every message, mostly from the same positions as
before. Positions are compared as objects, because hashing one costs more than the cache saves.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

import msgspec

from citytable.rules.errors import IllegalAction
from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.umpire.weighing import Change, changes
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

POSITIONS_KEPT = 256


class Choice(msgspec.Struct, Generic[A], frozen=True):
    """A legal decision, the spots without which it cannot have happened, and whether it needs a statement."""

    decision: A
    spots: frozenset[Spot]
    needs_word: bool


class Way(msgspec.Struct, Generic[A, P], frozen=True):
    """One way an action comes out: the position and the layout after it, and how it changes the scales.

    `visible`: the table or a scale shows something of it.
    """

    action: A
    position: P
    layout: Layout
    changes: tuple[Change, ...]
    visible: bool


class Moved(msgspec.Struct, frozen=True):
    """Things that leave spots which belong together, from one layout to another, and things that come to them."""

    spots: tuple[Spot, ...]
    left: frozenset[str]
    came: frozenset[str]


def _moved(before: Layout, after: Layout) -> tuple[Moved, ...]:
    was = {one.spots: frozenset(one.things) for one in before.unlike(after)}
    now = {one.spots: frozenset(one.things) for one in after.unlike(before)}
    none: frozenset[str] = frozenset()
    pairs = ((spots, was.get(spots, none), now.get(spots, none)) for spots in was | now)
    return tuple(Moved(spots, lay - lies, lies - lay) for spots, lay, lies in pairs if lay != lies)


class _Outlook(Generic[A, P]):
    """Everything that was worked out for one position."""

    def __init__(self, position: P, layout: Layout) -> None:
        self.position = position
        self.layout = layout
        self.choices: tuple[Choice[A], ...] | None = None
        self.ways: dict[tuple[A, bool], tuple[Way[A, P], ...]] = {}
        self.told: dict[tuple[A, bool], Way[A, P] | None] = {}
        self.completed: dict[tuple[A, bool, tuple[tuple[str, str], ...]], A] = {}
        self.touched: dict[int, tuple[Layout, frozenset[Spot]]] = {}  # by id of a layout, which is kept alive


class Foresight(Generic[A, P]):
    """The cached answers about one game.

    `accepted` uses rules under which an action counts as it happened, legal or not.
    """

    def __init__(self, game: WholeGame[A, P]) -> None:
        self.game = game
        self._accepting = game.accepting()
        self._moves: dict[tuple[int, int], tuple[Layout, Layout, tuple[Moved, ...]]] = {}  # by ids, kept alive
        self._outlooks: dict[int, _Outlook[A, P]] = {}  # by id of the position, which an outlook keeps alive

    def rules(self, *, accepted: bool) -> WholeGame[A, P]:
        """Return the rules by which an act is judged that counts as it happened, or not."""
        return self._accepting if accepted else self.game

    def layout(self, position: P) -> Layout:
        """Return the layout of a position: what the table should look like."""
        return self._outlook(position).layout

    def moved(self, before: Layout, after: Layout) -> tuple[Moved, ...]:
        """Return the things that are elsewhere in one layout than in the previous one."""
        known = self._moves.get((id(before), id(after)))
        if known is None:
            if len(self._moves) >= POSITIONS_KEPT:
                self._moves.clear()
            known = self._moves[id(before), id(after)] = (before, after, _moved(before, after))
        return known[2]

    def touched(self, position: P, layout: Layout) -> frozenset[Spot]:
        """Return the spots at which a layout differs from the position's own."""
        outlook = self._outlook(position)
        known = outlook.touched.get(id(layout))
        if known is None:
            was = outlook.layout.by_spots
            others = (region for region in layout.unlike(outlook.layout) if region != was.get(region.spots))
            spots = frozenset(spot for region in others for spot in region.spots)
            known = outlook.touched[id(layout)] = (layout, spots)
        return known[1]

    def choices(self, position: P) -> tuple[Choice[A], ...]:
        """Return the legal decisions."""
        outlook = self._outlook(position)
        if outlook.choices is None:
            outlook.choices = tuple(self._choices(position))
        return outlook.choices

    def _choices(self, position: P) -> Iterator[Choice[A]]:
        for decision in self.game.decisions(position):
            yield Choice(decision, self.game.spots_of(decision), self.game.needs_word(decision))

    def ways(self, position: P, decision: A, *, accepted: bool) -> tuple[Way[A, P], ...]:
        """Return the outcomes that a decision can have."""
        outlook = self._outlook(position)
        known = outlook.ways.get((decision, accepted))
        if known is None:
            cases = self.rules(accepted=accepted).cases(position, decision)
            known = tuple(self._way(outlook, case.action, case.after) for case in cases)
            outlook.ways[decision, accepted] = known
        return known

    def told(self, position: P, action: A, *, accepted: bool) -> Way[A, P] | None:
        """Return the outcome of an action that is now known better; None if it is illegal."""
        outlook = self._outlook(position)
        if (action, accepted) not in outlook.told:
            try:
                after = self.rules(accepted=accepted).supposed(position, action)
            except IllegalAction:
                outlook.told[action, accepted] = None
            else:
                outlook.told[action, accepted] = self._way(outlook, action, after)
        return outlook.told[action, accepted]

    def completed(self, position: P, action: A, bindings: Mapping[str, str], *, accepted: bool) -> A:
        """Return the action with the things that matching the table found."""
        if not bindings:
            return action
        outlook = self._outlook(position)
        asked = (action, accepted, tuple(bindings.items()))
        if asked not in outlook.completed:
            found = self.rules(accepted=accepted).complete(position, action, dict(bindings))
            outlook.completed[asked] = found
        return outlook.completed[asked]

    def _way(self, outlook: _Outlook[A, P], action: A, after: P) -> Way[A, P]:
        layout = self.game.layout(after)
        changed: tuple[Change, ...] = ()
        if self.game.moves_pieces(action):
            changed = changes(outlook.layout, layout, self.game.exchanges(outlook.position, action))
        visible = bool(changed) or layout.regions != outlook.layout.regions
        return Way(action, after, layout, changed, visible)

    def _outlook(self, position: P) -> _Outlook[A, P]:
        """Return the cached answers about a position; the one that was not used for longest is dropped."""
        known = self._outlooks.pop(id(position), None)
        if known is None:
            known = _Outlook(position, self.game.layout(position))
            if len(self._outlooks) >= POSITIONS_KEPT:
                del self._outlooks[next(iter(self._outlooks))]
        self._outlooks[id(position)] = known
        return known
