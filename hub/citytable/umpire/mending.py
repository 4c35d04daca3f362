"""Mending: one act of a long story was another one, and everything after it happened all the same.

A search starts again after an act that it gives up, and does not reach the end of a story that has gone on for several
turns. So each inferred act is left out in turn, or another one is put in its place or before it, and the rest is kept.
If somebody reached ahead for an act, it may also belong to an earlier player.

Rule 1: the turns stay as they were.
Rule 2: the thing that an act moves must have left its place before the act's turn was over.
Rule 3: no act is given up while the thing that it moved is in a hand: the thing may come back.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

from citytable.table.spot import Spot
from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer, gone_round
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.staying import passed_us
from citytable.umpire.weighing import LAID_THERE

A = TypeVar("A")
P = TypeVar("P")


def mended(explainer: Explainer[A, P], best: Explanation[A, P], old: tuple[Node[A, P], ...]) -> Explanation[A, P]:
    """Return the old story or the best one with one act changed, if that explains a thing or a step more than the best.

    An act for which somebody reached ahead, by the best story, may belong to the previous player. Things that came up
    are named as they lie now. If no change helps, the best story is returned as it is.
    """
    found, least = best, 1 if best.early else LAID_THERE if best.complete else UNEXPLAINED
    for story in [best] if best.path == old else [best, explainer.costs.seen(old)]:
        for path in _mendings(explainer, story):
            other = explainer.costs.seen(path)
            if other.mismatch <= best.mismatch - least and other.mismatch < found.mismatch:
                found = other
        for path in _turned_up(explainer, story):
            other = explainer.search(path)
            if other.mismatch < min(best.mismatch, found.mismatch):
                found = other
        whole = gone_round(explainer, story)
        if (whole.mismatch, len(whole.path)) < (found.mismatch, len(found.path)):
            found = whole
    return found


def without_undone(explainer: Explainer[A, P], best: Explanation[A, P]) -> Explanation[A, P]:
    """Return an explanation without an act that was undone before the next player's turn had come: somebody looked.

    While the bag went on, they put back the card that they had lifted off its column.
    """
    for undone, by in _undone(explainer, best.path) if best.complete else ():
        told = explainer.without(best.path, by)
        whole = told and explainer.without(told, undone)
        if whole and (other := explainer.costs.seen(whole)).complete:
            return without_undone(explainer, other)
    return best


def _undone(explainer: Explainer[A, P], path: tuple[Node[A, P], ...]) -> Iterator[tuple[int, int]]:
    """Yield inferred acts, each with the act of the next turn that brought everything back too soon."""
    touched, ends, observed = explainer.foresight.touched, turn_ends(explainer.game, path), explainer.observed
    laid_us = {(one.thing, one.spot): one.t_us for one in observed.arrivals}
    for first, end, last in zip([0, *ends], ends, [*ends[1:], len(path) - 1], strict=False):
        came_us = passed_us(explainer.game, path, end, observed)
        for by in range(end + 1, last + 1) if came_us else ():
            spots, lies = touched(path[by - 1].position, path[by].layout), path[by].layout.region_of
            came = {(thing, spot) for spot in spots for thing in lies(spot).things} & laid_us.keys()
            if path[by].cued or not came or max(laid_us[one] for one in came) >= came_us:
                continue
            for k in range(first + 1, end):
                is_same = not path[k].cued and touched(path[k - 1].position, path[k].layout) == spots
                if is_same and all(path[k - 1].layout.region_of(spot) == lies(spot) for spot in spots):
                    yield k, by


def _mendings(explainer: Explainer[A, P], story: Explanation[A, P]) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the path with one act changed, or moved to an earlier turn."""
    for k in range(len(story.path) - 1, 0, -1):
        yield from _changed(explainer, story, k)
        yield from _brought_forward(explainer, story.path, k) if story.early else ()


def _brought_forward(
    explainer: Explainer[A, P], path: tuple[Node[A, P], ...], k: int
) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the path in which an earlier player did the inferred act of node `k`."""
    game, ends = explainer.game, turn_ends(explainer.game, path)
    begins = max((one for one in ends if one < k), default=0)
    if not begins or path[k].cued or k in ends:
        return
    spots = explainer.foresight.touched(path[k - 1].position, path[k].layout)
    for at in range(begins, 0, -1):
        for act in _acts(explainer, path[at - 1], spots, ()):
            told = explainer.going_on((*path[:at], act), path[:k], at)
            whole = told and explainer.going_on(told, path, k + 1)
            if whole and len(turn_ends(game, whole)) == len(ends):
                yield whole


def _turned_up(explainer: Explainer[A, P], story: Explanation[A, P]) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the path in which an act turned up another thing, one that is somewhere although no act laid it there."""
    path = story.path if any(found.unexpected for found in story.match.differing) else ()
    for k, (before, node) in enumerate(pairwise(path), start=1):
        if node.cued or node.action is None:
            continue
        for other in explainer.nodes(before, explainer.game.decision(node.action), None, accepted=node.accepted):
            whole = explainer.going_on((*path[:k], other), path, k + 1) if other.action != node.action else None
            if whole is not None:
                yield whole


def _changed(explainer: Explainer[A, P], story: Explanation[A, P], k: int) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the path without its node `k`, and with another act in its place or before it."""
    path, node, before = story.path, story.path[k], story.path[k - 1]
    game, foresight = explainer.game, explainer.foresight
    read = set(map(game.component, explainer.observed.read))  # such as a tile with its other side up
    missing = {one for found in story.match.differing for one in found.missing if game.component(one) not in read}
    moved = foresight.moved(before.layout, node.layout)
    is_fixed = node.cued or game.seat(node.position) != game.seat(before.position)
    is_fixed |= any(missing & (one.left | one.came) for one in moved)
    spots = frozenset(spot for found in story.match.differing for spot in found.region.spots)
    spots |= frozenset() if is_fixed else foresight.touched(before.position, node.layout)
    over_us = _over_us(explainer, path, k)
    others = (
        act for act in _acts(explainer, before, spots, story.scales) if not _is_late(explainer, before, act, over_us)
    )
    for told in (path[:k], *((*path[:k], act) for act in others)):
        for rest in (k, k + 1):
            if (rest == k and len(told) == k) or (rest > k and is_fixed):
                continue  # nothing would be changed, or what has to stay would go
            for later in _later(explainer, path[rest - 1 :], told[k - 1 :]):
                whole = explainer.going_on(told, (*path[:rest], *later), rest)
                if whole is not None and len(turn_ends(game, whole)) == len(turn_ends(game, path)):
                    yield whole


def _later(
    explainer: Explainer[A, P], since: tuple[Node[A, P], ...], told: tuple[Node[A, P], ...]
) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the nodes after the first of `since`, and again without acts inferred for spots that an act changes.

    For example, a card that was taken left its column with another one on top. Until the card is in a slot, this looks
    like a reorganised column.
    """
    yield since[1:]
    game, touched = explainer.game, explainer.foresight.touched
    moved = frozenset[Spot]()
    for one, act in pairwise(told):
        if _lies_there(explainer, one, act):
            moved |= touched(one.position, act.layout)
    kept = tuple(
        node
        for before, node in pairwise(since)
        if node.cued
        or game.seat(node.position) != game.seat(before.position)
        or moved.isdisjoint(touched(before.position, node.layout))
    )
    if len(kept) < len(since) - 1:
        yield kept


def _lies_there(explainer: Explainer[A, P], before: Node[A, P], act: Node[A, P]) -> bool:
    """Return whether something that an act moves lies where that brings it."""
    moved, at = explainer.foresight.moved(before.layout, act.layout), explainer.observed.at
    return any(not one.came.isdisjoint(at(spot)) for one in moved for spot in one.spots)


def _acts(
    explainer: Explainer[A, P], before: Node[A, P], spots: frozenset[Spot], scales: tuple[Spot, ...]
) -> Iterator[Node[A, P]]:
    """Yield the acts that the player may have done after a node and that these spots or scales show."""
    for choice in explainer.foresight.choices(before.position):
        if choice.spots <= spots.union(scales) and not choice.needs_word:
            for node in explainer.nodes(before, choice.decision, None, accepted=False):
                touched = explainer.foresight.touched(before.position, node.layout)
                shows = touched & spots or any(change.spot in scales for change in node.changes)
                if shows and explainer.game.seat(node.position) == explainer.game.seat(before.position):
                    yield node


def _over_us(explainer: Explainer[A, P], path: tuple[Node[A, P], ...], k: int) -> int:
    """Return when the turn of node `k` was over; 0 where nobody knows, or it goes on."""
    end = next((one for one in turn_ends(explainer.game, path) if one >= k), 0)
    return passed_us(explainer.game, path, end, explainer.observed) if end else 0


def _is_late(explainer: Explainer[A, P], before: Node[A, P], act: Node[A, P], over_us: int) -> bool:
    """Return whether something that an act moves left its place only after its turn, or nobody knows when.

    A thing from a place without a reader may have been in a lap for any time. A replacement for a thing that was taken
    may come much later.
    """
    moved, observed = explainer.foresight.moved(before.layout, act.layout), explainer.observed
    came = frozenset[str]().union(*(one.came for one in moved))
    if (not came and not act.changes) or not over_us:
        return True
    came = came & frozenset[str]().union(*(one.left for one in moved)) or came
    taken = [spot for one in moved for spot in one.spots if one.left]
    if taken and all(map(observed.unread, taken)):
        came &= observed.left_us.keys()
    return max((observed.set_out_us.get(one, observed.left_us.get(one, over_us)) for one in came), default=0) >= over_us
