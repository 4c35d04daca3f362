"""Doubts: scales may leave open whether a story that explains the table contains one act more or fewer."""

from collections import Counter
from itertools import chain, groupby, pairwise
from typing import Generic, TypeVar

from citytable.table.spot import Spot
from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer, unsaid
from citytable.umpire.node import Node, replayed
from citytable.umpire.steps import Step
from citytable.umpire.weighing import (
    IN_PARTS,
    TOGETHER,
    Change,
    in_parts,
    is_under_foreign,
    left_over,
    may_be_fewer,
    may_be_unseen,
    most_g,
    own_in_silence,
)

A = TypeVar("A")
P = TypeVar("P")


class Doubts(Generic[A, P]):
    """The doubts about one explainer's table. `accounted` are the scales whose acts an account has already settled."""

    def __init__(self, explainer: Explainer[A, P], accounted: frozenset[Spot] = frozenset()) -> None:
        self._explainer = explainer
        self._accounted = accounted
        self._game = explainer.game
        self._observed = explainer.observed
        self._seen = explainer.costs.seen

    def hidden(self, chosen: Explanation[A, P], until: int) -> tuple[A, ...]:
        """Return other acts that may have happened before node `until` of the chosen path.

        They show on scales only: either by less than a scale's zero may have drifted in a silence, or in one step
        together with another act of their kind. The table would fit as well with them as without.
        """
        own_g, kind = own_in_silence(self._observed.steps), self._observed.piece.kind
        bridged = {step.spot for step in self._observed.steps if step.bridged} | self.loose(chosen.path)
        found: dict[A, None] = {}
        for k in range(min(until, len(chosen.path) - 1), 0, -1):
            before = chosen.path[k - 1]
            for node in unsaid(self._explainer, before):
                untold = all(
                    change.spot in bridged or may_be_unseen(change, own_g.get(change.spot, 0.0), kind)
                    for change in node.changes
                )
                if untold and node.action is not None and self._is_as_good(chosen, k, node):
                    found[node.action] = None
        return tuple(found)

    def loose(self, path: tuple[Node[A, P], ...]) -> frozenset[Spot]:
        """Return the scales that showed a path in parts or too weakly, or showed something that may have been put back.

        Also those for which people said that one step was a part of another.
        """
        free = {step.spot for step in self._observed.steps if step.free or step.joined}
        return (self._in_parts(path) | self.light(path) | free | self._covered(path)) - self._accounted

    def _covered(self, path: tuple[Node[A, P], ...]) -> frozenset[Spot]:
        """Return the scales on which there is still something that belongs to no game."""
        holds, observed = self._explainer.costs.weighing(path), self._observed
        return frozenset(
            spot
            for spot, pieces in holds.items()
            if is_under_foreign(
                [step for step in observed.steps if step.spot == spot],
                most_g(pieces, observed.piece.kind),
                observed.foreign_g.get(spot, 0.0),
            )
        )

    def _in_parts(self, path: tuple[Node[A, P], ...]) -> frozenset[Spot]:
        """Return the scales that showed in parts what the path says."""
        spots, piece = {step.spot for step in self._observed.steps}, self._observed.piece
        return frozenset(spot for spot in spots if in_parts(*self._on(spot, path), piece))

    def light(self, path: tuple[Node[A, P], ...]) -> frozenset[Spot]:
        """Return the scales that showed so little of one turn of the path that it may contain one draw fewer."""
        spots = [
            {change.spot for _, node in turn for change in node.changes}
            for _, turn in groupby(pairwise(path), key=lambda pair: self._game.seat(pair[0].position))
        ]
        once = {spot for spot, turns in Counter(chain.from_iterable(spots)).items() if turns == 1}
        piece = self._observed.piece
        return frozenset(spot for spot in once if may_be_fewer(*self._on(spot, path), piece))

    def _on(self, spot: Spot, path: tuple[Node[A, P], ...]) -> tuple[list[Change], list[Step]]:
        """Return what a path should do to a scale, and what the scale showed."""
        changed = [change for node in path for change in node.changes if change.spot == spot]
        return changed, [step for step in self._observed.steps if step.spot == spot]

    def doubted(self, chosen: Explanation[A, P]) -> Node[A, P] | None:
        """Return a node of the chosen path that shows on such scales only, if the table also agrees without it."""
        loose, path = self.loose(chosen.path), chosen.path
        for k, (before, node) in enumerate(pairwise(path), start=1):
            shows = {change.spot for change in node.changes}
            if node.cued or not shows or not shows <= loose or node.layout.regions != before.layout.regions:
                continue
            if self._may_be_none(chosen, k):
                return node
        return None

    def _may_be_none(self, chosen: Explanation[A, P], k: int) -> bool:
        """Return whether the table also agrees without node `k` of the chosen path, which lays nothing.

        It must also agree if other pieces were given back then: in that case two acts are doubtful.
        """
        same = replayed(self._game, chosen.path[:k], chosen.path[k + 1 :])
        rest = same or self._explainer.without(chosen.path, k)
        return rest is not None and (self._agrees(rest, chosen) if same is None else self._seen(rest).complete)

    def never(self, path: tuple[Node[A, P], ...], k: int) -> frozenset[int]:
        """Return the numbers of the steps that were no act if node `k` of the path did not happen."""
        rest = self._explainer.without(path, k) or (*path[:k], *path[k + 1 :])
        spots = {change.spot for change in path[k].changes}
        return frozenset(step.no for spot in spots for step in left_over(*self._on(spot, rest), self._observed.piece))

    def _is_as_good(self, chosen: Explanation[A, P], k: int, node: Node[A, P]) -> bool:
        """Return whether the chosen path explains the table as well with one node more, its `k`-th, which lays nothing.

        Where one act came in parts, or something came and went, another act may have come in parts as well.
        """
        if node.layout.regions != chosen.path[k - 1].layout.regions:
            return False
        told = (*chosen.path[:k], node)
        parts = {change.spot for change in node.changes} <= self._in_parts(chosen.path)
        path = self._explainer.going_on(told, chosen.path, k) if parts else replayed(self._game, told, chosen.path[k:])
        return path is not None and self._agrees(path, chosen, IN_PARTS if parts else TOGETHER)

    def _agrees(self, path: tuple[Node[A, P], ...], chosen: Explanation[A, P], odd: int = TOGETHER) -> bool:
        """Return whether a path with other decisions explains the table as well, or is equally `odd`."""
        other = self._seen(path)
        return other.mismatch <= chosen.mismatch + odd and self._explainer.decided(other) != self._explainer.decided(
            chosen
        )
