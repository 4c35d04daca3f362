"""Alternatives: other decisions for the same spot that explain the table as well as one act of a story does.

Also acts on spots without a reader, one of which would explain everything else that shows.
"""

from collections.abc import Iterator
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.costs import BROKEN, Explanation
from citytable.umpire.explaining import Explainer, without_weighed
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.node import Node, replayed

A = TypeVar("A")
P = TypeVar("P")


def alternatives(explainer: Explainer[A, P], best: Explanation[A, P], k: int) -> tuple[A, ...]:
    """Return other acts at the same spots that may have happened instead of node `k`; none if a person stated it.

    For example, a player has delivered one of their two contracts and turned over neither.
    """
    if best.path[k].action is None or best.path[k].cued:
        return ()
    others = _others(explainer, best, k)
    return tuple(one.action for one in others if one.action is not None and _is_as_good(explainer, best, k, one))


def other_falls(explainer: Explainer[A, P], best: Explanation[A, P], k: int) -> tuple[A, ...]:
    """Return other deliveries that may have been tried instead of node `k`, which fell; none if a person stated it.

    After a fall no contract is turned over, so nothing shows for which contract the building was.
    """
    node, game = best.path[k], explainer.game
    if node.action is None or node.cue is None or node.said or game.accident_at(node.action) is not None:
        return ()
    falls = {game.fall_of(one.action) for one in _others(explainer, best, k) if one.action is not None}
    cues = [replace(node.cue, action=fell, otherwise=None) for fell in falls if fell is not None]
    nodes = (one for cue in cues for one in explainer.nodes(best.path[k - 1], cue.action, cue, accepted=False))
    found = [one.action for one in nodes if one.action is not None and _is_as_good(explainer, best, k, one)]
    return tuple(sorted(found, key=game.text))


def _others(explainer: Explainer[A, P], best: Explanation[A, P], k: int) -> Iterator[Node[A, P]]:
    """Yield the nodes that other decisions at the same spots would make of node `k`, as if nobody had stated it."""
    game, before, node = explainer.game, best.path[k - 1], best.path[k]
    if node.action is None:
        return
    mine, spots = game.decision(node.action), game.spots_of(game.decision(node.action))
    for choice in explainer.foresight.choices(before.position):
        if spots and choice.spots == spots and not choice.needs_word and choice.decision != mine:
            yield from explainer.nodes(before, choice.decision, None, accepted=False)


def _is_as_good(explainer: Explainer[A, P], best: Explanation[A, P], k: int, other: Node[A, P]) -> bool:
    path = explainer.going_on((*best.path[:k], other), best.path, k + 1)
    return path is not None and explainer.costs.seen(path).mismatch <= best.mismatch


def unseen_ways(explainer: Explainer[A, P], short: Explanation[A, P]) -> tuple[A, ...]:
    """Return acts on spots without a reader, each of which would complete an explanation; the likeliest first.

    Everything else about them shows: the tower is gone from its pad, and its contract is turned over. A hand on a scale
    may look like an act that the rules do not allow beside them.
    """
    spots = (spot for region in short.last.layout.regions for spot in region.spots)
    if any(found.unexpected for found in short.match.differing) or not any(map(explainer.observed.unread, spots)):
        return ()
    stories = chain([short.path], without_weighed(explainer, short.path))
    return next(filter(None, (_unseen_ways(explainer, path) for path in stories)), ())


def _unseen_ways(explainer: Explainer[A, P], path: tuple[Node[A, P], ...]) -> tuple[A, ...]:
    for k in range(len(path), 0, -1):
        before = path[k - 1]
        told = ((act, _missing_with(explainer, path[:k], act, path[k:])) for act in _unseen(explainer, before))
        found = {act: missing for act, missing in told if missing is not None}
        if len(set(found.values())) == 1:
            return tuple(sorted(found, key=lambda act: explainer.game.rank(before.position, act)))
    return ()


def _unseen(explainer: Explainer[A, P], before: Node[A, P]) -> Iterator[A]:
    for decision in explainer.game.decisions(before.position):
        spots = explainer.game.spots_of(decision)
        if spots and all(map(explainer.observed.unread, spots)) and not explainer.game.needs_word(decision):
            ways = (case.action for case in explainer.game.cases(before.position, decision))
            yield from (way for way in ways if explainer.game.spots_of(way))


def _missing_with(
    explainer: Explainer[A, P], path: tuple[Node[A, P], ...], act: A, rest: tuple[Node[A, P], ...]
) -> tuple[tuple[str, ...], ...] | None:
    """Return what is in a hand yet if an act was done before the rest; None where more is left unexplained.

    A scale that is at odds without the act, too, does not count: the account of its turn explains that.
    """
    last, costs = path[-1], explainer.costs
    whole = replayed(explainer.game, path, (Node(act, None, last.position, last.layout, ()), *rest))
    if whole is None:
        return None
    seen = costs.seen(whole)
    if costs.beside_scales(whole, seen.mismatch - BROKEN * seen.broken) >= UNEXPLAINED:
        return None
    if not costs.scales(whole).keys() <= costs.scales((*path, *rest)).keys():
        return None
    if any(found.unexpected for found in seen.match.differing):
        return None
    return tuple(found.missing for found in seen.match.differing)
