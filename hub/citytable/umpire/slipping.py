"""Slipping in: an act that people report after others became known, at its place before them."""

from collections.abc import Iterator
from typing import TypeVar

from citytable.umpire.explaining import Explainer, unsaid
from citytable.umpire.node import Cue, Node, replayed, with_cue

A = TypeVar("A")
P = TypeVar("P")


def slipped_in(
    explainer: Explainer[A, P], path: tuple[Node[A, P], ...], cue: Cue[A], k: int
) -> tuple[Node[A, P], ...] | None:
    """Return the path with the act of a cue inserted as node `k`; None if that is impossible.

    Until the host let an act stand, later acts were explained without it; those that are impossible after it are left
    out.
    """
    game = explainer.game
    told = with_cue(game, path[:k], cue)
    if told is None or not cue.accepted:
        return told and explainer.going_on(told, path, k)
    for node in path[k:]:
        further = replayed(game, told, (node,))
        if further is None and node.cued:
            break  # statements are believed in their order
        told = further or told
    return _filled_up(explainer, told, k + 1)


def _filled_up(explainer: Explainer[A, P], path: tuple[Node[A, P], ...], k: int) -> tuple[Node[A, P], ...]:
    """Return the path from node `k` on with added acts for what scales have shown and the path does not contain."""
    costs = explainer.costs
    left = sum(costs.scales(path).values())
    while left:
        fuller = ((sum(costs.scales(more).values()), more) for more in _fuller(explainer, path, k))
        left, path = next(((less, more) for less, more in fuller if less < left), (0, path))
    return path


def _fuller(explainer: Explainer[A, P], path: tuple[Node[A, P], ...], k: int) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield the path with one more act that lays nothing, in place of each node from the `k`-th on."""
    for at in range(k, len(path)):
        before = path[at - 1]
        for node in unsaid(explainer, before):
            if node.layout.regions == before.layout.regions:
                more = replayed(explainer.game, (*path[:at], node), path[at:])
                yield from () if more is None else (more,)


def place_of(explainer: Explainer[A, P], cue: Cue[A], path: tuple[Node[A, P], ...], sure: int, mismatch: int) -> int:
    """Return the place in a path at which a cue leaves less mismatch than this; 0 for none.

    The first `sure` nodes stay as they are. Of places that are equally good, the first one counts at which it was its
    player's turn. After more than a round nobody knows any more in which turn a scale showed something.
    """
    game = explainer.game
    asker = game.asker(cue.action)
    stories = {k: slipped_in(explainer, path, cue, k) for k in range(sure, len(path) + 1)}
    found = (
        (explainer.costs.seen(story).mismatch, game.seat(path[k - 1].position) != asker, k)
        for k, story in stories.items()
        if story is not None and not _comes_round(explainer, story)
    )
    least, _, k = min(found, default=(mismatch, False, 0))
    return k if least < mismatch else 0


def _comes_round(explainer: Explainer[A, P], path: tuple[Node[A, P], ...]) -> bool:
    turns = explainer.turns(path)
    return len(turns) > len(set(turns)) + 1
