"""Falls: what was sensed to fall, from the first suspicion until it is believed and lies still.

A fall counts from the moment in which it was suspected: what was over and done with by then, it was not part of.
"""

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Generic, NamedTuple, Self, TypeVar

from msgspec import structs

from citytable.table.fact import Fell, MassSettled
from citytable.table.spot import Spot
from citytable.umpire.explaining import Node
from citytable.umpire.observed import Observed
from citytable.umpire.story import Story
from citytable.umpire.table_game import TableGame

A = TypeVar("A")
P = TypeVar("P")


class Felt(NamedTuple, Generic[A]):
    """A fall that is believed, and the decisions that were over and done with before it."""

    fact: Fell
    finished: tuple[A, ...]


@dataclass(slots=True)
class Falls(Generic[A]):
    """Of one table. `lost_percent` is what spots lost of what stood there, by the last fall that was sensed."""

    lost_percent: dict[Spot, int] = field(default_factory=dict)
    _suspected: dict[Spot, tuple[A, ...]] = field(default_factory=dict)  # and what was finished then
    _falling: dict[Spot, tuple[Fell, float | None, tuple[A, ...]]] = field(default_factory=dict)  # with the load before

    def apart(self) -> Self:
        """A copy that goes its own way."""
        return replace(self, **{part.name: copy(getattr(self, part.name)) for part in fields(self)})

    def open(self) -> bool:
        """Whether something may be falling now."""
        return bool(self._suspected or self._falling)

    def forget(self) -> None:
        """Whatever was suspected is no longer waited for."""
        self._suspected.clear()
        self._falling.clear()

    def felt(self, fact: Fell, finished: tuple[A, ...], observed: Observed, *, told: bool) -> Felt[A] | None:
        """Take a fact in; gives the fall it makes believed. `told`: people are asked already what falls there."""
        if fact.stage == "alert":
            self._suspected.setdefault(fact.spot, finished)
            return None
        finished = self._suspected.pop(fact.spot, finished)
        if fact.stage != "confirmed" or told:
            return None
        if fact.spot in observed.moving:  # it is still falling: how much is gone shows when it rests
            self._falling[fact.spot] = (fact, observed.mass_g.get(fact.spot), finished)
            return None
        return Felt(fact, finished)

    def settled(self, fact: MassSettled) -> Felt[A] | None:
        """What fell lies still: what rests there now tells how much is gone."""
        if fact.spot not in self._falling:
            return None
        fell, before_g, finished = self._falling.pop(fact.spot)
        lost_g = 0.0 if before_g is None else max(0.0, before_g - fact.mass_g)
        return Felt(structs.replace(fell, t_us=fact.t_us, lost_g=lost_g), finished)


def under_way_to(game: TableGame[A, P], story: Story[A, P], spot: Spot, k: int) -> tuple[int, A | None]:
    """Which node of the story goes to this spot, and the same come out as a fall; from node `k` on the first counts."""
    found: tuple[int, A | None] = (0, None)
    for no, node in enumerate(story.path):
        if node.action is None or spot not in game.spots_of(node.action):
            continue
        found = (no, game.fall_of(node.action))
        if found[1] is not None and no >= k:
            break
    return found


def finished(
    game: TableGame[A, P], path: tuple[Node[A, P], ...], answered: Collection[str], *, complete: bool
) -> tuple[A, ...]:
    """The decisions that are over and done with: those before the delivery that is under way.

    Something may still fall in that one: it is not told how it came out, or the path does not explain all (`complete`).
    """
    done: list[A] = []
    for before, node in pairwise(path):
        action = node.action
        if action is None:
            break
        if game.fall_of(action) is not None:
            open_yet = game.text(action) not in answered and game.questions(before.position, action, {})
            if open_yet or (node is path[-1] and not complete):
                break
        done.append(game.decision(action))
    return tuple(done)
