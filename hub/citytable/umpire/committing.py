"""Commit points: the node of a story up to which the story can no longer disappear.

Rule 1: the story explains the whole table.
Rule 2: the turn has passed: a reader reads the thing that shows whose turn it is at its new place. If no reader is
        there, somebody said so, or the next player has acted and the previous one had only the pass left to do. If the
        thing was there only for a moment and nobody did anything, it may have gone the wrong way; the next act decides.
Rule 3: or an action ended itself by its player's last motion: the contract of a delivery is turned over.
Rule 4: or somebody tapped on it: "that's right".
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeVar

from citytable.table.spot import Spot
from citytable.umpire.costs import Explanation
from citytable.umpire.foresight import Foresight
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.reaching import set_out_us
from citytable.umpire.staying import brought, passed_us, sent_us, stay
from citytable.umpire.steps import Step
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

MOMENT_US = 3_000_000  # nobody takes the bag, thinks and passes it on in less


def turn_passed(foresight: Foresight[A, P], best: Explanation[A, P], observed: Observed, *, lenient: bool) -> int:
    """Return the last node by which the turn has certainly passed; 0 for none. `lenient`: the rules stop nobody."""
    path = best.path if best.complete else ()
    for k in reversed(turn_ends(foresight.game, path)):
        if _is_brief(foresight, path, k, observed):
            if not all(observed.weighed(scale.spot) for scale in path[k].layout.scales):
                return 0  # a step that is to come may be of any of these turns
        elif has_passed(path, k, observed) or (not lenient and _next_acted(foresight, path, k)):
            return k
    return 0


def ended_in_turn(foresight: Foresight[A, P], best: Explanation[A, P]) -> int:
    """Return the last node that is over although the turn may go on (Rules 3 and 4); 0 for none."""
    over = (k for k, node in enumerate(best.path) if _is_over(foresight, node)) if best.complete else ()
    return max(over, default=0)


def _is_over(foresight: Foresight[A, P], node: Node[A, P]) -> bool:
    tapped = node.cue is not None and node.cue.final
    return tapped or (node.action is not None and foresight.game.ends_itself(node.action))


def turn_ended_before(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], k: int) -> int:
    """Return the last node before the `k`-th after which another turn begins; 0 for none."""
    return max(turn_ends(foresight.game, path[:k]), default=0)


def has_passed(path: tuple[Node[A, P], ...], k: int, observed: Observed) -> bool:
    """Return whether the thing that node `k` passed on is there, or was reported to be where no reader is.

    A bag in a lap leaves its place, too, although the turn goes on. The thing may have gone further since.
    """
    later = {thing for node in path[k + 1 :] for region in brought(path[k], node) for thing in region.things}
    for region in brought(path[k - 1], path[k]):
        readable = [spot for spot in region.spots if not observed.unread(spot)]
        if not readable and not path[k].cued:
            return False
        wanted = [thing for thing in region.things if thing not in later]
        if readable and wanted and not any(thing in observed.at(spot) for spot in readable for thing in wanted):
            return False
    return True


def _is_brief(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], k: int, observed: Observed) -> bool:
    """Return whether the last turn of a path, ended by node `k`, lasted only a moment and had no act.

    The scale had no time to weigh the bag, and the bag was not heavier or lighter afterwards.
    """
    game, before = foresight.game, max(turn_ends(foresight.game, path[:k]), default=0)
    if k + 1 < len(path) or k - 1 > before or path[k].cued:
        return False
    things = {thing for region in brought(path[k - 1], path[k]) for thing in region.things}
    regions = path[before].layout.regions
    lay = {spot for one in regions if not things.isdisjoint(one.things) for spot in one.spots}
    came_us = (at_us for spot in lay for at_us in observed.stays.get(spot, ())[-1:])
    began_us = passed_us(game, path, before, observed) if before else max(came_us, default=0)
    is_weighed = any(observed.unweighed(spot) or observed.rested_us.get(spot, 0) >= began_us for spot in lay)
    if not began_us or is_weighed or any(step.thing in things and step.t_us > began_us for step in observed.steps):
        return False
    return sent_us(game, path, k, observed) < began_us + MOMENT_US


def _next_acted(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], k: int) -> bool:
    """Return whether the player after node `k` has acted and the previous one had only the pass left to do."""
    game, before = foresight.game, path[k - 1]
    seat = game.seat(path[k].position)
    if not any(node.action is not None and game.asker(node.action) == seat for node in path[k + 1 :]):
        return False
    return all(choice.decision == path[k].action for choice in foresight.choices(before.position))


def of_later_turns(game: WholeGame[A, P], path: Sequence[Node[A, P]], last: int, observed: Observed) -> frozenset[int]:
    """Return the numbers of the steps of turns after node `last`, on the scales that change hands with the turn.

    A reader may report later than the scale that a thing has come; then the time decides.
    """
    lay = defaultdict[str, set[Spot]](set)
    for scale in (scale for node in path for scale in node.layout.scales):
        lay[scale.name].add(scale.spot)
    wandering = {spot for spots in lay.values() if len(spots) > 1 for spot in spots}
    begin = [last, *(k for k in turn_ends(game, path) if k > last)]
    theirs = {(spot, stay(game, path, k, spot, observed)) for k in begin for spot in wandering & _scales(path[k])}
    over_us, new = passed_us(game, path, last, observed), _scales(path[last]) - _scales(path[0])
    return frozenset(
        step.no
        for step in observed.steps
        if (step.stay and (step.spot, step.stay) in theirs) or (over_us and step.t_us > over_us and step.spot in new)
    )


def of_this_turn(
    foresight: Foresight[A, P], path: Sequence[Node[A, P]], last: int, observed: Observed
) -> frozenset[int]:
    """Return the steps since node `last`, in a turn that goes on, on scales that the node did not change.

    They may be the beginning of the next act: for example, an old monument is taken away first.
    """
    done_us = set_out_us(foresight, path[last - 1], path[last], observed)
    if not done_us or last in turn_ends(foresight.game, path[: last + 1]):
        return frozenset()
    others = _scales(path[last]) - {change.spot for change in path[last].changes}
    return frozenset(step.no for step in observed.steps if step.spot in others and step.t_us > done_us)


def _scales(node: Node[A, P]) -> frozenset[Spot]:
    return frozenset(scale.spot for scale in node.layout.scales)


def still_needed(rest: Sequence[Node[A, P]], steps: Sequence[Step]) -> frozenset[int]:
    """Return the numbers of the steps that show these unconfirmed nodes: the last ones on their scales."""
    wanted = Counter(change.spot for node in rest for change in node.changes)
    on = {spot: [step.no for step in steps if step.spot == spot] for spot in wanted}
    return frozenset(no for spot, count in wanted.items() for no in on[spot][-count:])
