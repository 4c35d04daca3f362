"""The story: what the umpire believes to have happened since the last confirmed action, and on whose statement.

A story is a value: every function returns a new one, or None if it is impossible.
"""

from collections.abc import Callable
from itertools import takewhile
from typing import Generic, Self, TypeAlias, TypeVar

import msgspec

from citytable.umpire import slipping
from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer, without_weighed
from citytable.umpire.mending import mended, without_undone
from citytable.umpire.node import Cue, Node, replayed, turn_ends, with_cue
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


class Story(msgspec.Struct, Generic[A, P], frozen=True):
    """A path from the confirmed position (its root), and the cues it is told by, in their order.

    The first `sure` nodes explained the whole table once. `given_up` is a path that did so before, and may again.
    """

    path: tuple[Node[A, P], ...]
    cues: tuple[Cue[A], ...] = ()
    sure: int = 1
    given_up: tuple[Node[A, P], ...] = ()

    def cues_before(self, k: int) -> int:
        """Return how many cues the nodes before the `k`-th contain."""
        return sum(node.cued for node in self.path[:k])

    def with_path(self, path: tuple[Node[A, P], ...]) -> Self:
        """Return the same cues with another path: no more of it is sure than before."""
        return msgspec.structs.replace(self, path=path, sure=min(self.sure, len(path)))

    def with_nodes(self, path: tuple[Node[A, P], ...]) -> Self:
        """Return the story with another path and the cues of its nodes; cues that the story has not used stay."""
        told = tuple(node.cue for node in path if node.cue is not None)
        unused = self.cues[self.cues_before(len(self.path)) :]
        return msgspec.structs.replace(self, path=path, cues=(*told, *unused))

    def after(self, finished: tuple[A, ...], game: WholeGame[A, P]) -> int:
        """Return how many nodes of the path, its root among them, are these decisions."""
        pairs = zip(self.path[1:], finished, strict=False)
        same = takewhile(lambda pair: pair[0].action is not None and game.decision(pair[0].action) == pair[1], pairs)
        return 1 + sum(1 for _ in same)

    def affirmed(self, *actions: A | None) -> Self:
        """Mark acts of the path that are one of these as stated: they stay, and two of them never become one."""
        path = tuple(
            msgspec.structs.replace(node, cue=Cue(node.action, node.accepted, accounted=_is_accounted(node)))
            if node.action is not None and node.action in actions and not node.said
            else node
            for node in self.path
        )
        return self.with_nodes(path)

    def closed(self, k: int) -> Self:
        """Note that people looked at the first `k` acts and said that they are right."""
        path = list(self.path)
        for at, node in enumerate(path[1 : k + 1], start=1):
            if node.action is not None:
                path[at] = msgspec.structs.replace(
                    node, cue=Cue(node.action, node.accepted, final=at == k, said_us=_said_us(node))
                )
        return self.with_nodes(tuple(path))

    def reported_again(self, k: int) -> Self:
        """Note that somebody reported node `k` once more: it counts as one act, and may have been two."""
        node = self.path[k]
        if node.cue is None:
            return self
        cue = msgspec.structs.replace(node.cue, again=True)
        return self.with_nodes((*self.path[:k], msgspec.structs.replace(node, cue=cue), *self.path[k + 1 :]))


def _is_accounted(node: Node[A, P]) -> bool:
    return node.cue is not None and node.cue.accounted


def _said_us(node: Node[A, P]) -> int:
    return 0 if node.cue is None else node.cue.said_us


Explaining: TypeAlias = Callable[[tuple[Cue[A], ...]], Explainer[A, P]]


def explained(story: Story[A, P], explaining: Explaining[A, P]) -> tuple[Story[A, P], Explanation[A, P]]:
    """Return the best story now.

    Things that are lifted may be put back turned over, or where no reader is: a story for that is kept.
    """
    explainer, given_up = explaining(story.cues), story.given_up if _is_told_by(story.given_up, story.cues) else ()
    best = explainer.best(story.path, story.sure)
    if given_up and not best.complete:
        again = explainer.best(given_up, len(given_up))
        best = again if again.complete else best
    if len(best.path) < story.sure:
        given_up = story.path
    is_told = best.complete and not best.scales and not best.early and not _came_up_turned(best)
    best = without_undone(explainer, best if is_told else mended(explainer, best, story.path))
    exact = best.complete and _out_of_play(explainer, best)
    sure = len(best.path) if exact else min(story.sure, len(best.path))
    return msgspec.structs.replace(story, path=best.path, sure=sure, given_up=given_up), best


def _is_told_by(path: tuple[Node[A, P], ...], cues: tuple[Cue[A], ...]) -> bool:
    """Return whether a path contains the first statements of these cues; people may have said otherwise since."""
    told = [node.cue for node in path if node.cue is not None]
    return all(cue.sensed or cue in told for cue in cues[: len(told)])


def _came_up_turned(best: Explanation[A, P]) -> bool:
    """Return whether a thing that this story turned up shows its other side: it is named as it lies."""
    turned = frozenset[str]().union(*(found.turned for found in best.match.differing))
    return any(not turned.isdisjoint(one.things) for one in best.last.layout.unlike(best.path[0].layout))


def _out_of_play(explainer: Explainer[A, P], best: Explanation[A, P]) -> bool:
    """Return whether everything in a wrong place was out of play when the current turn began.

    For example, a delivered contract that is still in its slot. Otherwise a hand may hold things.
    """
    begins = max(turn_ends(explainer.game, best.path), default=0)
    out_of_play = best.path[begins].layout.done_with
    return all(thing in out_of_play for found in best.match.differing for _, thing in found.unexpected)


def slipped_in(story: Story[A, P], cue: Cue[A], k: int, explaining: Explaining[A, P]) -> Story[A, P] | None:
    """Return the story with a cue inserted as node `k` of the path."""
    path = slipping.slipped_in(explaining(story.cues), story.path, cue, k)
    if path is None or (k == len(story.path) and not cue.accepted):
        return None
    at = story.cues_before(k)
    cues = (*story.cues[:at], cue, *story.cues[at:])
    return msgspec.structs.replace(story, path=path, cues=cues, sure=story.sure + (k < story.sure))


def cued(story: Story[A, P], cue: Cue[A], explaining: Explaining[A, P]) -> Story[A, P] | None:
    """Return the story with a cue, if necessary in place of inferred acts."""
    cues = (*story.cues, cue)
    explainer = explaining(cues)
    # a story that never explained the whole table gives way to what people now say
    best = explainer.best(story.path[: story.sure] if cue.accepted else story.path, story.sure)
    if cue.accepted and (k := slipping.place_of(explainer, cue, story.path, story.sure, best.mismatch)):
        return slipped_in(story, cue, k, explaining)  # play has gone on since then
    if best.cues <= len(story.cues):
        mismatch = explaining(story.cues).costs.seen(story.path).mismatch
        best = _in_place_of_inferred(story, explainer, mismatch)
        best = best if best.cues > len(story.cues) else _in_place_of_weighed(story, explainer, mismatch) or best
    if best.cues <= len(story.cues) and story.given_up:  # by the table, it was taken, until it went further
        best = explainer.best(story.given_up, len(story.given_up))
    if best.cues <= len(story.cues):
        return None
    return msgspec.structs.replace(story, cues=cues).with_path(best.path)


def _in_place_of_inferred(story: Story[A, P], explainer: Explainer[A, P], mismatch: int) -> Explanation[A, P]:
    """Return the best explanation in which inferred acts give way to a statement, if it explains as much as before.

    The table need not be explained at this moment: the bag may be on its way.
    """
    said = max((k for k, node in enumerate(story.path) if node.cued), default=0)
    best = explainer.best(story.path, min(story.sure, said + 1))
    return best if best.mismatch <= mismatch else explainer.costs.seen(story.path)


def _in_place_of_weighed(story: Story[A, P], explainer: Explainer[A, P], mismatch: int) -> Explanation[A, P] | None:
    """Return the story with a statement and without acts that only a scale showed; None if it explains no more.

    A hand on the bag looks like a draw, and the rules allow no further act beside that.
    """
    found = [explainer.best(one, len(one)) for one in without_weighed(explainer, story.path)]
    told = [one for one in found if one.cues > len(story.cues) and one.mismatch < mismatch]
    return min(told, key=lambda one: one.mismatch, default=None)


def sided(story: Story[A, P], mine: str, cue: Cue[A], game: WholeGame[A, P]) -> Story[A, P] | None:
    """Return the story that people chose of two: this cue replaces `mine` at the last possible place of the path.

    A choice of `mine` confirms every act of the path with that text.
    """
    of_mine = [k for k, node in enumerate(story.path) if node.action is not None and game.text(node.action) == mine]
    if game.text(cue.action) == mine:
        seen = (msgspec.structs.replace(node, shown=node.shown or k in of_mine) for k, node in enumerate(story.path))
        affirmed = msgspec.structs.replace(story, path=tuple(seen)).affirmed(*(story.path[k].action for k in of_mine))
        return affirmed if of_mine else None
    for k in reversed(of_mine):
        told = with_cue(game, story.path[:k], cue)
        if told is not None and not story.path[k].said:
            path = (*told[:k], msgspec.structs.replace(told[k], shown=True), *told[k + 1 :])
            at = story.cues_before(k)
            later = story.cues[at + story.path[k].cued :]
            cues = (*story.cues[:at], cue, *(other for other in later if other.action != cue.action))
            return msgspec.structs.replace(story, cues=cues).with_path(path)
    return None


def named(story: Story[A, P], k: int, action: A, game: WholeGame[A, P]) -> Story[A, P]:
    """Return the story in which people named what no reader reads in the action of node `k`."""
    before, node = story.path[:k], story.path[k]
    retold = msgspec.structs.replace(node, action=action)
    path = replayed(game, before, (retold, *story.path[k + 1 :])) or before
    return msgspec.structs.replace(story, path=path)


def filled_in(story: Story[A, P], k: int, cue: Cue[A] | None, explaining: Explaining[A, P]) -> Story[A, P]:
    """Return the story in which the cue of node `k` became this one; None: it never happened.

    Everything that was done meanwhile stays.
    """
    at = story.cues_before(k)
    later = story.cues[at + story.path[k].cued :]
    cues = (*story.cues[:at], *(() if cue is None else (cue,)), *later)
    explainer, without = explaining(cues), (*story.path[:k], *story.path[k + 1 :])
    path = explainer.without(story.path, k) if cue is None else slipping.slipped_in(explainer, without, cue, k)
    return msgspec.structs.replace(story, path=path or story.path[:k], cues=cues)
