"""Short turns: a turn that ended with actions left, in which something may have been done that nothing shows.

Players hardly ever leave an action unused. Where a reader or a scale would have shown whatever was taken, they did.
They are asked where nobody reads the place from which something is taken, where something lay on top as they passed the
turn, and, where a turn has no account, if the bag lost as much as two draws may weigh. Those who said all that they
did, and that their turn was over or whose readers would show none of it, are asked about the bag only: a draw that was
said may be half of a step. Those who did nothing at all, though their platform lay on a hex, are asked whether what
stood on it fell. They are asked as well whether what the next player is told to have fetched meanwhile was theirs.
Those who said draws only leave the rest to the readers, and a card may be in their hand.
What others said, such as that a building fell, is nothing that they said.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Generic, TypeVar

import msgspec

from citytable.table.spot import Spot, hex_of
from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer, unsaid
from citytable.umpire.foresight import Moved
from citytable.umpire.node import Cue, Node, last_act, turn_ends
from citytable.umpire.reaching import set_out_before
from citytable.umpire.staying import passed_us, sent_us
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


class ShortTurn(msgspec.Struct, Generic[A], frozen=True):
    """The node before which something may have been done, which turn of the story that is, and what it may have been.

    A way is one act, or two of which the second undoes the first.
    """

    k: int
    turn: int
    ways: tuple[tuple[A, ...], ...]


def short_turn(
    explainer: Explainer[A, P],
    chosen: Explanation[A, P],
    last: int,
    full_turns: int,
    several: Set[Spot],
    tried: Set[Spot],
) -> ShortTurn[A] | None:
    """Return the first short turn of an explanation's first `last` acts; None where there is none.

    `full_turns`: so many turns of the story people have said were over. `several`: scales that lost as much in
    a step as two draws may weigh. `tried`: where people have said whether a delivery stood.
    """
    game, turn, said, begun = explainer.game, 0, list[bool](), 0
    for end, (before, node) in enumerate(pairwise(chosen.path[: last + 1]), start=1):
        if game.seat(node.position) == game.seat(before.position):
            is_theirs = node.action is not None and game.asker(node.action) == game.seat(before.position)
            said += [node.said and not (node.cue and node.cue.accounted)] if is_theirs else []
            continue
        turn, acts_said, said, begins = turn + 1, said, [], begun
        all_said = all(acts_said or [node.said])
        says_all = all_said and node.said
        begun = end
        k = last_act(chosen.path, end - 1) + 1
        left = game.actions_left(chosen.path[k - 1].position)
        if turn <= full_turns or not left:
            continue
        found = list(_not_shown(explainer, chosen, k, several))
        if all_said:
            acts = range(begins + 1, end)
            says_it = node.said and (
                not acts or not all(_is_to_be_said(explainer, chosen, at, chosen.path[at]) for at in acts)
            )
            found = [one for one in found if one.changes or not (says_it or _is_to_be_said(explainer, chosen, k, one))]
        turn_of_theirs = chosen.path[begins + 1 : end]
        ways: list[tuple[A, ...]] = [(one.cue.action,) for one in turn_of_theirs if one.cue and one.cue.again]
        ways += [(one.action,) for one in found if one.action is not None]
        ways += _undone(explainer, chosen.path[k - 1]) if left > 1 and not (says_all and acts_said) else []
        ways += [] if says_all else _lay_there(explainer, chosen, k, end)
        ways += [] if says_all else _for_the_next(explainer, chosen, k, end)
        ways += _fell_at_once(explainer, chosen, begins, tried) if end == begins + 1 and not node.said else []
        if ways:
            return ShortTurn(k, turn, tuple(dict.fromkeys(ways)))
    return None


def _is_to_be_said(explainer: Explainer[A, P], chosen: Explanation[A, P], k: int, node: Node[A, P]) -> bool:
    """Return whether nobody reads where an act lays anything: then nobody waits for a reader to notice it.

    Of a station that happens to be silent people do not think.
    """
    moved, observed = explainer.foresight.moved(chosen.path[k - 1].layout, node.layout), explainer.observed
    laid_at = [spot for one in moved if one.came for spot in one.spots]
    return all(observed.unread(spot) and not observed.unheard(spot) for spot in laid_at)


def nowhere(explainer: Explainer[A, P], before: Node[A, P], node: Node[A, P]) -> frozenset[str]:
    """Return the things that an act brings somewhere, and that nobody reads anywhere."""
    came = (one.came for one in explainer.foresight.moved(before.layout, node.layout))
    return frozenset[str]().union(*came).difference(*explainer.observed.lying.values())


def without_later(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], k: int, action: A | None
) -> tuple[Node[A, P], ...]:
    """Return a path without the same decision after node `k`: what nobody saw taken may have been taken sooner."""
    acts = (None if node.action is None else game.decision(node.action) for node in path[k:])
    mine = None if action is None else game.decision(action)
    later = next((n for n, act in enumerate(acts, start=k) if act is not None and act == mine), 0)
    return path if not later or path[later].cued else (*path[:later], *path[later + 1 :])


def _not_shown(
    explainer: Explainer[A, P], chosen: Explanation[A, P], k: int, several: Set[Spot]
) -> Iterator[Node[A, P]]:
    """Yield what may have been done just before node `k`."""
    game, before = explainer.game, chosen.path[k - 1]
    for node in unsaid(explainer, before):
        is_of_turn = game.seat(node.position) == game.seat(before.position)
        if node.action is not None and is_of_turn and _leaves_no_trace(explainer, chosen, k, node, several):
            yield node


def _lay_there(explainer: Explainer[A, P], chosen: Explanation[A, P], k: int, end: int) -> Iterator[tuple[A, ...]]:
    """Yield what may have been done just before node `k`, by what lay on top when the turn set out to pass at `end`.

    The next player has lifted it since, and what is read below it lies as if nothing had been done.
    """
    game, observed, before = explainer.game, explainer.observed, chosen.path[k - 1]
    out_us = sent_us(game, chosen.path, end, observed)
    below = frozenset[str]().union(*(hidden.things for hidden in before.layout.hidden))
    for node in unsaid(explainer, before):
        moved = explainer.foresight.moved(before.layout, node.layout)
        came = [(thing, one.spots) for one in moved for thing in one.came]
        lay = all(
            thing in below and observed.left_at.get(thing) in spots and observed.left_us[thing] > out_us > 0
            for thing, spots in came
        )
        if came and lay and node.action is not None and game.seat(node.position) == game.seat(before.position):
            yield (node.action,)


def _for_the_next(explainer: Explainer[A, P], chosen: Explanation[A, P], k: int, end: int) -> Iterator[tuple[A, ...]]:
    """Yield what may have been done just before node `k` with what the next player is told to have fetched meanwhile.

    Somebody took it in their own turn, and laid it on their neighbour's side.
    """
    game, foresight, before = explainer.game, explainer.foresight, chosen.path[k - 1]
    seat = game.seat(before.position)
    then = next((n for n in turn_ends(game, chosen.path) if n > end), len(chosen.path) - 1)
    over_us = passed_us(game, chosen.path, end, explainer.observed)
    early = set_out_before(foresight, over_us, chosen.path[end : then + 1], explainer.observed)
    fetched = {_left(moved) for moved in early if _left(moved) & _came(moved)}
    for node in unsaid(explainer, before) if fetched else ():
        mine = _left(foresight.moved(before.layout, node.layout))
        if mine and mine in fetched and node.action is not None and game.seat(node.position) == seat:
            yield (node.action,)


def _left(moved: Sequence[Moved]) -> frozenset[str]:
    return frozenset[str]().union(*(one.left for one in moved))


def _came(moved: Sequence[Moved]) -> frozenset[str]:
    return frozenset[str]().union(*(one.came for one in moved))


def _fell_at_once(
    explainer: Explainer[A, P], chosen: Explanation[A, P], begins: int, tried: Set[Spot]
) -> Iterator[tuple[A, ...]]:
    """Yield the deliveries that may have fallen in a turn after node `begins` in which nothing else was done.

    A thing of its player lay on a hex in it, and is gone from there: all that stood on it fell before anything weighed
    it, or it was only tried how it looks there.
    """
    game, observed, before = explainer.game, explainer.observed, chosen.path[begins]
    since_us = sent_us(game, chosen.path, begins, observed) if begins else 0
    for one in observed.arrivals:
        is_gone = one.thing not in observed.at(one.spot)
        if hex_of(one.spot) is None or one.spot in tried or one.t_us <= since_us or not is_gone:
            continue
        for fell in map(game.fall_of, game.attempts(before.position, one.thing, one.spot)):
            told = () if fell is None else explainer.nodes(before, fell, Cue(fell), accepted=False)
            yield from ((node.action,) for node in told if node.action is not None)


def _undone(explainer: Explainer[A, P], before: Node[A, P]) -> Iterator[tuple[A, ...]]:
    """Yield what was seen done after a node and then undone, two acts of one turn: mostly it was a look."""
    game, seen = explainer.game, {(one.thing, one.spot) for one in explainer.observed.arrivals}
    for node in unsaid(explainer, before):
        moved = explainer.foresight.moved(before.layout, node.layout)
        came = [(thing, one.spots) for one in moved for thing in one.came]
        was_seen = came and all(any((thing, spot) in seen for spot in spots) for thing, spots in came)
        if node.action is None or not was_seen or game.seat(node.position) != game.seat(before.position):
            continue
        backs = (one for one in unsaid(explainer, node) if one.layout.regions == before.layout.regions)
        yield from ((node.action, back.action) for back in backs if back.action is not None)


def _leaves_no_trace(
    explainer: Explainer[A, P], chosen: Explanation[A, P], k: int, node: Node[A, P], several: Set[Spot]
) -> bool:
    """Return whether the table may look as it does, one act more just before node `k` or not.

    What it takes was read by nobody, or belongs to a step that may be two draws; what it lays may be in a hand.
    """
    before, observed = chosen.path[k - 1], explainer.observed
    moved = explainer.foresight.moved(before.layout, node.layout)
    taken = [spot for one in moved for spot in one.spots if one.left]
    if not (taken or node.changes) or not all(map(observed.unread, taken)):
        return False
    if not {change.spot for change in node.changes} <= several:
        return False
    path = explainer.going_on((*chosen.path[:k], node), without_later(explainer.game, chosen.path, k, node.action), k)
    if path is None:
        return False
    seen = explainer.costs.seen(path)
    missing, unexpected = _wrong(seen)
    missing_before, unexpected_before = _wrong(chosen)
    at_odds = missing - missing_before - nowhere(explainer, before, node) or unexpected - unexpected_before
    return not at_odds and set(seen.scales) <= set(chosen.scales)


def _wrong(seen: Explanation[A, P]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the things that are missing somewhere, and those that lie where they should not."""
    missing = frozenset(thing for one in seen.match.differing for thing in one.missing)
    return missing, frozenset(thing for one in seen.match.differing for _, thing in one.unexpected)
