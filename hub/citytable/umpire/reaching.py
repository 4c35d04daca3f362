"""Too soon: an act of a player whose turn had not begun when they lifted what it moves, or a weight before its act."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple, TypeVar

from citytable.table.layout import Layout
from citytable.table.piece_mass import PieceKind
from citytable.table.spot import Spot
from citytable.umpire.foresight import Foresight, Moved
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed, has_lain
from citytable.umpire.staying import passed_us, sent_us

A = TypeVar("A")
P = TypeVar("P")

AT_ONCE_US = 1_000_000  # hands of two players that act at the same time
ANEW_US = 10_000_000  # so long what a station reads is told after it was heard again, one thing after the other


def turns_over(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> dict[int, int]:
    """Return when each turn of a path was over, by the node that ends it; 0 where nobody knows.

    That is when the thing that shows whose turn it is leaves for its next place, as far as somebody reads it.
    """
    return {end: _over_us(foresight, path, end, observed) for end in turn_ends(foresight.game, path)}


def reached_ahead(
    foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed, over_us: Mapping[int, int]
) -> int:
    """Return how many acts moved what had left its place while the turn before theirs went on."""
    ends = (*over_us, len(path) - 1)
    acts = ((us, path[begins : end + 1]) for (begins, end), us in zip(pairwise(ends), over_us.values(), strict=True))
    return sum(1 for us, turn in acts for _ in set_out_before(foresight, us, turn, observed))


def fetched(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many acts of the last turn moved what had left its place while the turn before went on."""
    begins = max(turn_ends(foresight.game, path), default=0)
    over_us = _over_us(foresight, path, begins, observed) if begins else 0
    return sum(1 for _ in set_out_before(foresight, over_us, path[begins:], observed))


def lay_there_a_turn_before(
    foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed, over_us: Mapping[int, int]
) -> int:
    """Return how many acts only laid what had lain there since before the turn before theirs: nobody reaches so far.

    It was an act of an earlier turn. Nobody said it.
    """
    ends = tuple(over_us)
    turns = zip(over_us.values(), ends[1:], (*ends[2:], len(path) - 1), strict=False)
    laid_us, found = {(one.thing, one.spot): one.t_us for one in observed.arrivals}, 0
    for over, begins, end in turns if laid_us else ():
        for before, node in pairwise(path[begins : end + 1]) if over else ():
            moved = foresight.moved(before.layout, node.layout)
            found += not node.cued and _lay_before(moved, over, laid_us, observed)
    return found


def _lay_before(moved: Sequence[Moved], t_us: int, laid_us: Mapping[tuple[str, Spot], int], observed: Observed) -> bool:
    """Return whether everything that an act brings lay at its place before a moment, and lies there yet."""
    came = [(thing, spot) for one in moved for thing in one.came for spot in one.spots if thing in observed.at(spot)]
    if not came or {thing for thing, _ in came} != frozenset[str]().union(*(one.came for one in moved)):
        return False
    return all(0 < laid_us.get(one, 0) < t_us for one in came)


def in_two_turns(
    foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed, over_us: Mapping[int, int]
) -> int:
    """Return how many acts that nobody said laid something before a turn was over, and took something there after it.

    Nobody stops in the middle of an act until what shows whose turn it is has been passed on: it was two acts.
    """
    known_us = observed.heard_us + ANEW_US
    laid_us = {(one.thing, one.spot): one.t_us for one in observed.arrivals if one.t_us > known_us}
    found = 0
    for before, node in pairwise(path) if laid_us and over_us else ():
        for one in () if node.cued else foresight.moved(before.layout, node.layout):
            came = ((thing, spot) for thing in one.came for spot in one.spots)
            came_us = min((laid_us[each] for each in came if each in laid_us), default=0)
            left = (thing for thing in one.left if observed.left_at.get(thing) in one.spots)
            left_us = max((observed.left_us[thing] for thing in left), default=0)
            found += any(0 < came_us < us < left_us for us in over_us.values())
    return found


def _over_us(foresight: Foresight[A, P], path: Sequence[Node[A, P]], begins: int, observed: Observed) -> int:
    """Return when the turn before node `begins` was over; 0 where nobody knows."""
    over_us = sent_us(foresight.game, path, begins, observed) - AT_ONCE_US
    said_us = over_by_word_us(path[begins])
    return min(over_us, said_us) if said_us else max(0, over_us)


def set_out_before(
    foresight: Foresight[A, P], t_us: int, acts: Sequence[Node[A, P]], observed: Observed
) -> Iterator[tuple[Moved, ...]]:
    """Yield what acts after the first of these nodes moved, if all of it had left its place before a moment."""
    for before, node in pairwise(acts) if t_us else ():
        if not node.cued and _left_before(foresight, t_us, before, node, observed):
            yield foresight.moved(before.layout, node.layout)


def _left_before(
    foresight: Foresight[A, P], t_us: int, before: Node[A, P], node: Node[A, P], observed: Observed
) -> bool:
    """Return whether everything that an act moves had left its place before a moment."""
    moved = foresight.moved(before.layout, node.layout)
    left_us = [_set_out_for_us(thing, moved, observed, t_us) for one in moved for thing in one.left]
    return bool(left_us) and max(left_us) < t_us


def _set_out_for_us(thing: str, moved: Sequence[Moved], observed: Observed, unknown_us: int) -> int:
    """Return when a thing set out for where an act lays it; it may have been lifted there since and laid down again."""
    to = {spot for one in moved if thing in one.came for spot in one.spots}
    known_us = observed.set_out_us if has_lain(observed, thing, to) else observed.left_us
    return known_us.get(thing, unknown_us)


def laid_too_soon(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many single pieces were laid down, as only scales show, before what the acts before moved set out.

    A piece on a park before its building was delivered is no monument.
    """
    laid_us = {step.spot: step.t_us for step in observed.steps if step.grams > 0}  # the last time
    seats = [foresight.game.seat(node.position) for node in path] if laid_us else []
    too_soon = 0
    for k in range(1, len(seats)):
        gains = _felt_only(path[k - 1], path[k], observed.piece.kind) if seats[k] == seats[k - 1] else []
        if not gains:
            continue
        begins = next((one for one in range(k, 0, -1) if seats[one - 1] != seats[k]), 0)
        acts = pairwise(path[begins : k + 1])
        moved_us = max(set_out_us(foresight, before, node, observed) for before, node in acts)
        too_soon += all(laid_us.get(spot, moved_us) < moved_us - AT_ONCE_US for spot in gains)
    return too_soon


class CameUp(NamedTuple):
    """What an act put in place of something else: when that left, and when the other was last read there, or elsewhere.

    0 is for what nobody knows, and for never.
    """

    replaced_us: int
    beside_us: int
    elsewhere_us: int


def turned_up_too_soon(came_up: Iterable[CameUp]) -> int:
    """Return how many acts turned up what lay elsewhere already when the thing that it replaces left its place.

    What a station tells when it is heard again may have been so for a while, in whatever order.
    """
    return sum(0 < one.elsewhere_us < one.replaced_us - AT_ONCE_US for one in came_up)


def came_up_before(came_up: Iterable[CameUp]) -> int:
    """Return how many acts turned up what lay beside the thing that it replaces already when that left its place.

    Of two tiles that were taken it mostly came up for the other one.
    """
    return sum(0 < one.beside_us < one.replaced_us - AT_ONCE_US for one in came_up)


def out_of_order(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many acts that nobody said fetched what lay at its new place before an earlier act of its turn began.

    That is when the earlier one's things set out.
    """
    there = path[0].layout.taken_to
    came_us = {(one.thing, one.spot): one.t_us for one in observed.arrivals if one.spot in there}
    found, begun_us, seat = 0, 0, foresight.game.seat(path[0].position)
    for before, node in pairwise(path) if len(came_us) > 1 else ():
        begun_us = begun_us if foresight.game.seat(before.position) == seat else 0
        seat = foresight.game.seat(before.position)
        moved = () if node.cued else foresight.moved(before.layout, node.layout)
        fetched = {(thing, spot) for one in moved for thing in one.came for spot in one.spots} & came_us.keys()
        found += bool(fetched) and max(came_us[one] for one in fetched) < begun_us
        begun_us = max(begun_us, *(observed.set_out_us.get(thing, 0) for thing, _ in fetched), 0)
    return found


def came_up(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> Iterator[CameUp]:
    """Yield of each act of a path what it put in place of something else, and when."""
    known_us, component = observed.heard_us + ANEW_US, foresight.game.component
    lay = [(component(one.thing), one) for one in observed.arrivals if one.t_us > known_us]
    things = {thing for thing, _ in lay}
    lay_first = {thing for one in path[0].layout.regions for thing in one.things} if lay else set[str]()
    for before, node in pairwise(path) if lay else ():
        for moved in foresight.moved(before.layout, node.layout):
            left = set(map(component, moved.left))  # what is turned over takes nothing's place
            came = things.intersection(map(component, moved.came)) - left if left else set[str]()
            if came:
                there = [(one.t_us, one.spot in moved.spots) for thing, one in lay if thing in came]
                beside_us, elsewhere_us = (max((us for us, at in there if at == is_at), default=0) for is_at in (1, 0))
                yield CameUp(_replaced_us(moved, lay_first, observed), beside_us, elsewhere_us)


def _replaced_us(moved: Moved, lay_first: Set[str], observed: Observed) -> int:
    """Return when the first of the things left that were taken there; 0 where that is not known of each.

    Nobody knows it of one that was put back there meanwhile. What `lay_first` came there only if it was put back.
    """
    left_us = [observed.left_us[thing] for thing in moved.left if observed.left_at.get(thing) in moved.spots]
    came = [one.thing for one in observed.arrivals if one.spot in moved.spots]
    was_back = any(came.count(thing) > (thing not in lay_first) for thing in moved.left)
    return min(left_us) if len(left_us) == len(moved.left) and not was_back else 0


def _felt_only(before: Node[A, P], node: Node[A, P], kind: PieceKind) -> list[Spot]:
    """Return the places of single pieces that became heavier by an act that nobody said and nothing else shows."""
    if node.cued or not node.changes or node.layout.regions != before.layout.regions:
        return []
    places = {scale.spot for scale in node.layout.scales if scale.pieces < kind.handful}
    return [change.spot for change in node.changes if change.pieces > 0 and change.spot in places]


def set_out_us(foresight: Foresight[A, P], before: Node[A, P], node: Node[A, P], observed: Observed) -> int:
    """Return when the last of the things set out that an act moved, and that lie there now."""
    moved = foresight.moved(before.layout, node.layout)
    there = (thing for one in moved for spot in one.spots for thing in one.came & observed.at(spot))
    return max((observed.set_out_us.get(thing, 0) for thing in there), default=0)


def over_by_word_us(end: Node[A, P]) -> int:
    """Return when a person said that a turn was over; 0 where nobody did."""
    return 0 if end.cue is None or end.cue.sensed else end.cue.said_us


def after_turn(
    foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed
) -> Iterator[tuple[Moved, ...]]:
    """Yield what was moved by each act of a turn whose things lay at their place yet when that turn was over.

    It is when their player says so, or when the bag lies at the next cradle and a reader saw the thing lie there yet.
    """
    for first, last in pairwise((0, *turn_ends(foresight.game, path))):
        said_us = over_by_word_us(path[last])
        passed_at_us = passed_us(foresight.game, path, last, observed)
        for before, node in pairwise(path[first:last]) if said_us or passed_at_us else ():
            moved = foresight.moved(before.layout, node.layout)
            over_us = [us for us in (said_us, passed_at_us * _was_read(moved, observed)) if us]
            if not node.cued and over_us and _left_after(min(over_us), moved, observed):
                yield moved


def told_turns_late(foresight: Foresight[A, P], path: Sequence[Node[A, P]], over_us: Mapping[int, int]) -> int:
    """Return how many acts a path has in a later turn than the one in which their player reported them.

    They have passed the turn on since. Nobody says in one turn what they will do in their next.
    """
    game, turn_over_us = foresight.game, dict[int, int]()  # by player, of their last turn in the path before this one
    found, begins = 0, 0
    for end in (*over_us, len(path)):
        player = game.seat(path[begins].position)
        said = (node.cue for node in path[begins + 1 : end] if node.said and node.cue is not None)
        over = turn_over_us.get(player, 0)
        found += sum(0 < cue.said_us < over and game.asker(cue.action) == player for cue in said)
        turn_over_us[player], begins = over_us.get(end, 0), end
    return found


def felt_later(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many falls a path has in a turn that had passed when a sensor first suspected them."""
    felt = [k for k, node in enumerate(path) if node.cue is not None and node.cue.felt_us]
    ends = turn_ends(foresight.game, path) if felt else []
    found = 0
    for k in felt:
        end, cue = next((one for one in ends if one >= k), 0), path[k].cue
        over_us = passed_us(foresight.game, path, end, observed) if end else 0
        found += cue is not None and 0 < over_us < cue.felt_us
    return found


def in_a_hand(foresight: Foresight[A, P], moved: Sequence[Moved], last: Layout, observed: Observed) -> bool:
    """Return whether something that an act moved to where a reader would see it lies nowhere yet, on no side.

    What went further by another act of the path, as its `last` layout says, is in no hand.
    """
    component = foresight.game.component
    read = set(map(component, observed.read))
    for one in moved:
        expected = one.came & observed.left_us.keys() & set[str]().union(*(region.things for region in last.regions))
        if not read.issuperset(map(component, expected)) and not all(map(observed.unread, one.spots)):
            return True
    return False


def _was_read(moved: Sequence[Moved], observed: Observed) -> bool:
    return not any(observed.unread(spot) for one in moved if one.left for spot in one.spots)


def _left_after(t_us: int, moved: Sequence[Moved], observed: Observed) -> bool:
    left_us = [_set_out_for_us(thing, moved, observed, 0) for one in moved for thing in one.left]
    return bool(left_us) and min(left_us) > t_us
