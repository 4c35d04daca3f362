"""Explaining: the shortest sequence of decisions after which the layout is the observed table.

Rule 1: nothing is guessed. A decision that changes nothing the table can see, or that the rules want said aloud, enters
        an explanation only as a cue: a statement of a person or a fall that was sensed.
Rule 2: every step of an explanation must bring the layout nearer to the table. Of two, the first of which only scales
        show or which takes from where nobody reads, the second must: what is given back looks like the last that was
        taken, put back, until both are in the story, and a platform turned over at once comes from nowhere.
Rule 3: what was explained before keeps standing while it explains as much as anything else does.
"""

import heapq
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, pairwise
from typing import Generic, TypeVar

import msgspec

from citytable.table.spot import Spot
from citytable.umpire.costs import Costs, Explanation
from citytable.umpire.foresight import Foresight, Way
from citytable.umpire.light import Light
from citytable.umpire.looks import leads_over
from citytable.umpire.matching import UNEXPLAINED, Matcher
from citytable.umpire.node import Cue, Node, gives_back, pieces_moved, replayed, turn_ends, weighed_only
from citytable.umpire.observed import UNREGISTERED, Observed
from citytable.umpire.unfilled import with_older_first

A = TypeVar("A")
P = TypeVar("P")

EXPANSIONS_MAX = 60
DEPTH_MAX = 9  # three actions, pieces given back, the bag passed, and the next player's first acts
MORE = 2  # acts beyond that, so that a story that waits for an answer goes on while people play


def _differing(here: Explanation[A, P]) -> frozenset[Spot]:
    """The spots of all regions where the table is not as explained."""
    return frozenset(spot for found in here.match.differing for spot in found.region.spots)


def _hides(here: Explanation[A, P]) -> bool:
    """Return whether the table is not seen as explained; a contract that was delivered long ago may lie in its slot."""
    done_with = here.path[0].layout.done_with
    lying = (thing for found in here.match.differing for _, thing in found.unexpected)
    return any(found.missing for found in here.match.differing) or not done_with.issuperset(lying)


def _gone_by(observed: Observed) -> frozenset[Spot]:
    """Return where something came to in the turn that goes on, and lies no more: what was passed went further."""
    came = ((spot, us[-1]) for spot, us in observed.stays.items() if us)
    return frozenset(spot for spot, us in came if us > observed.turn_us and not observed.at(spot))


def _better(one: Explanation[A, P], other: Explanation[A, P]) -> bool:
    return (one.mismatch, len(one.path)) < (other.mismatch, len(other.path))


def unsaid(explainer: "Explainer[A, P]", before: Node[A, P]) -> Iterator[Node[A, P]]:
    """Yield every act after a node that the rules allow, that the table shows, and that needs no word."""
    for choice in explainer.foresight.choices(before.position):
        if not choice.needs_word:
            yield from explainer.nodes(before, choice.decision, None, accepted=False)


def as_open(explainer: "Explainer[A, P]", before: Node[A, P], node: Node[A, P]) -> Node[A, P]:
    """Return an act that nobody said with its count as open as it may be, so that the rules allow what follows."""
    if node.action is None:
        return node
    counts = explainer.game.counts(node.action, pieces_moved(node), explainer.observed.piece)
    action = explainer.game.with_count(node.action, tuple(counts))
    told = replayed(explainer.game, (before,), (msgspec.structs.replace(node, action=action),))
    return node if told is None else msgspec.structs.replace(told[-1], changes=node.changes)


def gone_round(explainer: "Explainer[A, P]", story: Explanation[A, P]) -> Explanation[A, P]:
    """Return a story with a round in which nobody did anything, where it leaves one out; else as it is."""
    rounds, path = explainer.costs.rounds, story.path
    if not rounds.missing(path):
        return story
    told = ((rounds.filled_in(path, k), k) for k in range(len(path), 0, -1))
    whole = (one and explainer.going_on(one, path, k) for one, k in told)
    stories = (explainer.costs.seen(one) for one in whole if one)
    return min((story, *stories), key=lambda one: (rounds.missing(one.path), one.mismatch, rounds.astray(one.path)))


def without_weighed(explainer: "Explainer[A, P]", path: tuple[Node[A, P], ...]) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield a path without one of the acts of which only a scale tells, or without all such acts of a turn."""
    alone, ends = list(weighed_only(path)), turn_ends(explainer.game, path)
    turns = [[*same] for _, same in groupby(alone, key=lambda k: bisect_left(ends, k))]
    for gone in [[k] for k in alone] + [turn for turn in turns if len(turn) > 1]:
        told: tuple[Node[A, P], ...] | None = path
        for k in reversed(gone):
            told = told and explainer.without(told, k)
        if told is not None:
            yield told


def in_their_order(explainer: "Explainer[A, P]", before: Node[A, P], told: A, *, accepted: bool) -> A:
    """Return the act as it is named by what lies there now, in the order in which that came where it is known."""
    way = explainer.foresight.told(before.position, told, accepted=accepted)
    if way is None:
        return told
    nodes = explainer.nodes(before, explainer.game.decision(told), None, accepted=accepted)
    same = [node.action for node in nodes if node.action and node.layout.regions == way.layout.regions]
    return same[-1] if same else told


def _shown(explanation: Explanation[A, P], observed: Observed) -> Explanation[A, P]:
    """Return an explanation, its last node noted as seen where it explains a table of which every station is heard."""
    last = explanation.last
    if last.shown or not explanation.complete or _hides(explanation) or observed.silent:
        return explanation
    path = (*explanation.path[:-1], msgspec.structs.replace(last, shown=True))
    return msgspec.structs.replace(explanation, path=path)


def _moved_since(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P], observed: Observed) -> bool:
    """Return whether something that an act brings somewhere was turned over there, or has left, if nobody reads there.

    A further act did that. Of neither alone anything shows: nothing has come up in its place, or nobody reads that.
    What came up unseen before is no such thing.
    """
    component, open_region = foresight.game.component, here.last.layout.open_region
    unexpected = [one for found in here.match.differing for one in found.unexpected]
    lies = {(component(thing), spot) for spot, thing in unexpected}
    unseen = frozenset[str]().union(*(one.among for one in open_region.unknowns)) if open_region else frozenset[str]()
    lie = {component(thing) for _, thing in unexpected if thing not in unseen}
    return any(
        any((component(thing), spot) in lies for spot in one.spots)
        or (component(thing) in lie and all(map(observed.unread, one.spots)))
        for one in foresight.moved(here.last.layout, node.layout)
        for thing in one.came
    )


def _lay_meanwhile(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P], observed: Observed) -> bool:
    """Return whether an act turns up what lay there meanwhile, and has gone: a further act took it."""
    gone = {(one.thing, one.spot) for one in observed.arrivals if one.thing not in observed.at(one.spot)}
    gone -= {(thing, spot) for thing, spot in gone if any(thing in one.things for one in here.last.layout.regions)}
    moved = foresight.moved(here.last.layout, node.layout) if gone else ()
    return any((thing, spot) in gone for one in moved for thing in one.came for spot in one.spots)


def _felt(node: Node[A, P], observed: Observed) -> bool:
    """Return whether every scale that shows an act has shown something."""
    return {change.spot for change in node.changes} <= {step.spot for step in observed.steps}


def _begins_unread(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P], observed: Observed) -> bool:
    """Return whether an act takes from where nobody reads, and lays where something else than before was read.

    A platform taken there and turned over at once is told by two acts, and nearer to the table by both only.
    """
    moved = foresight.touched(here.last.position, node.layout)
    read = {spot for spot in moved if not observed.unread(spot)}
    return moved != read and bool(read) and read <= _differing(here)


def _has_to_go_back(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P]) -> bool:
    """Return whether an act gives back what the rules want back before the turn passes.

    Its scale shows nothing of it where as much was drawn on somebody's knees before it went back.
    """
    act = foresight.game.passing(here.last.position) if gives_back(here.last, node) else None
    return act is not None and foresight.told(here.last.position, act, accepted=False) is None


def _is_same_act(one: Node[A, P], other: Node[A, P]) -> bool:
    """Return whether two nodes after the same position are the same act, for the same word."""
    return (one.action, one.cue, one.changes, one.accepted) == (other.action, other.cue, other.changes, other.accepted)


class Explainer(Generic[A, P]):
    """Searches explanations of one observed table, as it is now. `lenient`: also by acts that a rule forbids."""

    def __init__(
        self,
        foresight: Foresight[A, P],
        matcher: Matcher,
        cues: tuple[Cue[A], ...],
        named: Mapping[A, A],
        *,
        lenient: bool = False,
    ) -> None:
        """`named`: actions whose unknowns nobody reads, and the same with what people named."""
        self.game = foresight.game
        self.foresight = foresight
        self._named = named
        self._lenient = lenient
        self.observed = matcher.observed
        self._gone_by = _gone_by(self.observed)
        self._cues = cues
        self._matcher = matcher
        self._light = Light(self.game, self.observed)
        self.costs = Costs(foresight, matcher, self._light, len(cues))
        self._bests: dict[tuple[tuple[int, ...], int], tuple[tuple[Node[A, P], ...], Explanation[A, P]]] = {}
        # by ids of a position and a cue, which are kept alive
        self._nodes: dict[tuple[int, A, int, bool], tuple[P, Cue[A] | None, tuple[Node[A, P], ...]]] = {}
        # by the ids of a path's nodes, which are kept alive
        self._nearest: dict[tuple[int, ...], tuple[Explanation[A, P], tuple[Explanation[A, P], ...]]] = {}
        self._order = count()
        # of stories told before, by the id of the position before each node
        self._told_before: dict[int, list[tuple[P, Node[A, P]]]] = {}

    def best(self, old: tuple[Node[A, P], ...], sure: int = 1) -> Explanation[A, P]:
        """The best explanation now, given the path of the one before.

        Its first `sure` nodes explained the whole table once: they give way only to another complete explanation.
        """
        asked = (tuple(map(id, old)), sure)
        known = self._bests.get(asked)
        if known is None:
            for before, node in pairwise(old):
                self._told_before.setdefault(id(before.position), []).append((before.position, node))
            best = self._without_needless(self._told(self._best(old, sure)))
            known = self._bests[asked] = (old, _shown(best, self.observed))
        return known[1]

    def _best(self, old: tuple[Node[A, P], ...], sure: int) -> Explanation[A, P]:
        seen = self._told(self.costs.seen(old))  # what has come up since is no new act
        if not seen.mismatch:
            return seen
        old, best = seen.path, self._search(seen)
        for keep in range(len(old) - 1, 0, -1):
            found = before = self.costs.seen(old[:keep])
            if best.mismatch and len(old) - keep <= DEPTH_MAX:  # else it would end too soon to be better
                found = gone_round(self, self._search(found))
            may_be = found.complete or keep >= sure or self._passes_as_read(found, best)
            may_be |= found.mismatch < best.mismatch and self._lies_again(before, old[keep:sure])
            is_better = _better(found, best) if may_be else self._is_as_read(found, best, old[1:sure])
            if is_better and not self._gainsaid(found, best):
                best = found
            elif best.mismatch:
                best = self._beside(best, found)
        return best

    def _beside(self, best: Explanation[A, P], found: Explanation[A, P]) -> Explanation[A, P]:
        """The best explanation, another one noted beside it if that explains as much in as few acts."""
        if (found.mismatch, len(found.path)) != (best.mismatch, len(best.path)):
            return best
        others = (best.others | found.others | {frozenset(self.decided(found))}) - {frozenset(self.decided(best))}
        return best if others == best.others else msgspec.structs.replace(best, others=others)

    def _gainsaid(self, one: Explanation[A, P], other: Explanation[A, P]) -> bool:
        """Return whether one takes back that the turn passed for nothing.

        A bag in somebody's hands tells as much of it; one that lies again where it was shows no turn.
        Or it never led where the table was seen meanwhile, and other scales are all that speaks for it.
        """
        fewer = one.mismatch == other.mismatch and len(self.turns(one.path)) < len(self.turns(other.path))
        if fewer and one.last.layout.regions != other.last.layout.regions:
            return True
        return other.complete and one.broken >= other.broken and not self._leads_over(one.path, other.path)

    def _leads_over(self, rival: tuple[Node[A, P], ...], chosen: tuple[Node[A, P], ...]) -> bool:
        return leads_over(rival, chosen, turn_ends(self.game, chosen), self.observed)

    def _passes_as_read(self, one: Explanation[A, P], other: Explanation[A, P]) -> bool:
        """Return whether one passes the turn as readers show it, and only scales are against it: its account tells."""
        is_read = one.match.mismatch < UNEXPLAINED <= other.match.mismatch
        return is_read and len(self.turns(one.path)) > len(self.turns(other.path))

    def _is_as_read(self, one: Explanation[A, P], other: Explanation[A, P], sure: Sequence[Node[A, P]]) -> bool:
        """Return whether one is no worse than the other, agrees with all readers, and only it does.

        Of what was sure it gives up only what scales had shown: a step of a scale may be its own, its account tells.
        """
        if one.mismatch > other.mismatch or not one.match.mismatch < UNEXPLAINED <= other.match.mismatch:
            return False
        read = (node.action for node in sure if node.cued or not node.changes)
        told = [node.action for node in one.path]
        return all(action in told for action in read)

    def _lies_again(self, before: Explanation[A, P], given_up: tuple[Node[A, P], ...]) -> bool:
        """Return whether all that these acts moved lies again as it did before them: somebody only looked at it.

        What only a scale has shown, or people have said, does not lie anywhere again. Nobody knows what lies where no
        reader is.
        """
        if any(node.cued or node.changes for node in given_up):
            return False
        moved = (self.foresight.touched(one.position, node.layout) for one, node in pairwise((before.last, *given_up)))
        unlike, unread = _differing(before), self.observed.unread
        return all(spots and spots.isdisjoint(unlike) and not any(map(unread, spots)) for spots in moved)

    def turns(self, path: tuple[Node[A, P], ...]) -> list[int]:
        """Return whose turns they are, one after the other."""
        return [seat for seat, _ in groupby(self.game.seat(node.position) for node in path)]

    def _told(self, explanation: Explanation[A, P]) -> Explanation[A, P]:
        """The explanation with what has come to light since its nodes were made: a supply refilled after the taking."""
        bindings = explanation.match.bindings
        for k, node in enumerate(explanation.path):
            if not bindings or node.action is None:
                continue
            before = explanation.path[k - 1]
            read = with_older_first(bindings, before.layout)
            told = self.foresight.completed(before.position, node.action, read, accepted=node.accepted)
            if told != node.action:
                told = told if node.cued else in_their_order(self, before, told, accepted=node.accepted)
                retold = msgspec.structs.replace(node, action=told)
                path = replayed(self.game, explanation.path[:k], (retold, *explanation.path[k + 1 :]))
                return explanation if path is None else self._told(self.costs.seen(path))
        return explanation

    def rivals(self, chosen: Explanation[A, P]) -> tuple[Explanation[A, P], ...]:
        """Other complete explanations as short as the chosen one, by other decisions, that end in another position.

        The table has looked meanwhile like the chosen one; one that never led there is none. So the moment tells what
        nothing else does: whether tiles were turned up before the bag was passed.
        """
        mine = self.decided(chosen)
        found: list[Explanation[A, P]] = []
        for rival in self._walk(self.costs.seen(chosen.path[:1])):
            if not rival.complete or len(rival.path) != len(chosen.path) or self.decided(rival) == mine:
                continue
            if rival.broken > chosen.broken or rival.early > chosen.early:
                continue
            if rival.last.position != chosen.last.position and self._leads_over(rival.path, chosen.path):
                found.append(rival)
        return tuple(found)

    def without(self, path: tuple[Node[A, P], ...], k: int) -> tuple[Node[A, P], ...] | None:
        """The path as it is if its node `k` never was; None when the rest cannot have been then."""
        return self.going_on(path[:k], path, k + 1)

    def going_on(
        self, told: tuple[Node[A, P], ...], path: tuple[Node[A, P], ...], k: int
    ) -> tuple[Node[A, P], ...] | None:
        """Return the nodes `told`, and after them those of the path from `k` on; None when that cannot have been."""
        whole, until = self.as_far_as(told, path, k)
        return whole if until == len(path) else None

    def as_far_as(
        self, told: tuple[Node[A, P], ...], path: tuple[Node[A, P], ...], k: int
    ) -> tuple[tuple[Node[A, P], ...], int]:
        """Return the nodes `told`, then those of the path from `k` on that can have been, and the first that cannot.

        How many pieces the rules want back, or whether any, depends on how many were drawn.
        """
        for at, (before, node) in enumerate(pairwise(path[k - 1 :]), start=k):
            further = replayed(self.game, told, (node,)) or self._due_there(told, node)
            if further is None and (node.cued or not gives_back(before, node)):
                return told, at
            told = further or told
        return told, len(path)

    def _due_there(self, told: tuple[Node[A, P], ...], node: Node[A, P]) -> tuple[Node[A, P], ...] | None:
        """Return the nodes `told` with the return that is due there, in place of a node or before it."""
        last = told[-1]
        for due in unsaid(self, last):
            if not gives_back(last, due):
                continue
            if [change.spot for change in due.changes] == [change.spot for change in node.changes]:
                return (*told, due)
            if more := replayed(self.game, (*told, due), (node,)):
                return more
        return None

    def decided(self, explanation: Explanation[A, P]) -> Counter[A]:
        """Return what was decided, in any order, whatever came of it."""
        return Counter(self.game.decision(node.action) for node in explanation.path if node.action is not None)

    def search(self, path: tuple[Node[A, P], ...]) -> Explanation[A, P]:
        """Return the best explanation that begins with this path."""
        return self._search(self.costs.seen(path))

    def _search(self, start: Explanation[A, P]) -> Explanation[A, P]:
        best = start
        for found in self._walk(start):
            best = found if _better(found, best) else self._beside(best, found)
            if not best.mismatch:
                break
        return best

    def _walk(self, start: Explanation[A, P]) -> Iterator[Explanation[A, P]]:
        """Explanations that begin with `start`, nearest to the table first."""
        heap = [(start.mismatch, len(start.path), next(self._order), start)]
        depth_max = max(DEPTH_MAX, len(start.path) + MORE)
        for _ in range(EXPANSIONS_MAX):
            if not heap:
                return
            _, depth, _, near = heapq.heappop(heap)
            yield near
            if not near.mismatch or depth > depth_max:
                continue
            for further in self._all_nearer(near):
                heapq.heappush(heap, (further.mismatch, len(further.path), next(self._order), further))

    def _all_nearer(self, here: Explanation[A, P]) -> tuple[Explanation[A, P], ...]:
        """Return what is nearer than an explanation, worked out once: searches that begin elsewhere pass it, too."""
        key = tuple(map(id, here.path))
        known = self._nearest.get(key)
        if known is None:
            known = self._nearest[key] = (here, tuple(self._nearer(here)))
        return known[1]

    def _nearer(self, here: Explanation[A, P]) -> Iterator[Explanation[A, P]]:
        for decision, cue in self._decisions(here):
            yield from self._further(here, decision, cue, accepted=cue is not None and cue.accepted)
        is_late = any(True for _ in self.game.named_later(here.path[0].position))
        for act in self.game.named_later(here.last.position) if is_late else ():
            yield from self._further(here, act, None, accepted=False, begins=True)
        for recount in self.game.recounts(here.last.position):
            yield from self._recounted(here, recount)
        for attempt in self._attempts(here) if self._lenient else ():
            yield from self._further(here, attempt, None, accepted=True)

    def _without_needless(self, explanation: Explanation[A, P]) -> Explanation[A, P]:
        """Return the explanation without counts that were corrected for an act which it tells otherwise by now."""
        for k, (before, node) in enumerate(pairwise(explanation.path), start=1):
            shows = node.cued or node.changes or node.layout.regions != before.layout.regions
            if shows or all(node.action != recount for recount in self.game.recounts(before.position)):
                continue
            then = explanation.path[k + 1 : k + 2]  # what it was corrected for
            is_needed = bool(then) and replayed(self.game, explanation.path[:k], then) is None
            if not is_needed and (path := self.without(explanation.path, k)) is not None:
                return self._without_needless(self.costs.seen(path))
        return explanation

    def _recounted(self, here: Explanation[A, P], recount: A) -> Iterator[Explanation[A, P]]:
        """Yield what an act makes of it that a rule allows only by another number: nobody could know that one."""
        told = self.foresight.told(here.last.position, recount, accepted=False)
        if told is None:
            return
        node = Node(told.action, None, told.position, told.layout, ())
        for further in self._due(here, self.costs.seen((*here.path, node))):
            if replayed(self.game, here.path, further.path[-1:]) is None:  # else the number is in nobody's way
                yield further

    def _further(
        self, here: Explanation[A, P], decision: A, cue: Cue[A] | None, *, accepted: bool, begins: bool = False
    ) -> Iterator[Explanation[A, P]]:
        """Yield what a decision makes of it; `begins`: also where it only makes the next act possible."""
        for node in self.nodes(here.last, decision, cue, accepted=accepted):
            path = (*here.path, node)
            is_nearer = self.costs.of_layout(node.layout, here.cues + node.cued) < here.mismatch
            if is_nearer and (further := self.costs.nearer(path, here.mismatch)):
                yield further
                if _lay_meanwhile(self.foresight, here, node, self.observed):  # however near that is by itself
                    yield from self._due(here, further)
                continue
            if is_nearer:
                leads_on = node.layout.regions == here.last.layout.regions and _felt(node, self.observed)
            else:  # Rule 2, whatever the scales say
                leads_on = begins or _begins_unread(self.foresight, here, node, self.observed)
                leads_on = leads_on or self._went_by(here, node)
                leads_on = leads_on or _lay_meanwhile(self.foresight, here, node, self.observed)
                leads_on = leads_on or _has_to_go_back(self.foresight, here, node)
            if leads_on or _moved_since(self.foresight, here, node, self.observed):
                yield from self._due(here, self.costs.seen(path))
            yield from self._said_after(here, node)

    def _said_after(self, here: Explanation[A, P], node: Node[A, P]) -> Iterator[Explanation[A, P]]:
        """Yield what people said next, where only an act that nobody said makes it possible: more was drawn than that.

        Its scale may be against that; the account of the turn tells how it was.
        """
        cue = self._cues[here.cues] if here.cues < len(self._cues) else None
        if cue is None or not any(weighed_only((here.last, node))) or not _felt(node, self.observed):
            return
        if self.foresight.told(here.last.position, cue.action, accepted=cue.accepted) is None:
            drawn = as_open(self, here.last, node)
            for said in self.nodes(drawn, cue.action, cue, accepted=cue.accepted):
                if further := self.costs.nearer((*here.path, drawn, said), here.mismatch):
                    yield further

    def _went_by(self, here: Explanation[A, P], node: Node[A, P]) -> bool:
        """Return whether an act ends a turn, and what it passes has gone further since, or is in somebody's hands.

        From there it may come to the one after the next player.
        """
        if self.game.seat(node.position) == self.game.seat(here.last.position):
            return False
        if self._passes_in_hands(here.last, node):
            return True
        to = self.foresight.touched(here.last.position, node.layout) - _differing(here)
        return bool(to) and to <= self._gone_by

    def _passes_in_hands(self, before: Node[A, P], node: Node[A, P]) -> bool:
        """Return whether an act ends a turn by passing something on that left where it is read, and is read nowhere."""
        if self.game.seat(node.position) == self.game.seat(before.position):
            return False
        moved = self.foresight.moved(before.layout, node.layout)
        passed, unread = {thing for one in moved for thing in one.came}, self.observed.unread
        if any(unread(spot) for one in moved if one.left for spot in one.spots):
            return False
        return bool(passed) and passed.isdisjoint(frozenset[str]().union(*self.observed.lying.values()))

    def _due(self, here: Explanation[A, P], further: Explanation[A, P]) -> Iterator[Explanation[A, P]]:
        """Explanations nearer to the table by one act more than one that is not, with no scale more against them."""
        for decision, cue in self._decisions(further):
            for node in self.nodes(further.last, decision, cue, accepted=cue is not None and cue.accepted):
                if self._passes_in_hands(further.last, node):
                    continue  # nobody's turn passes unread because somebody has something in their hands
                beyond = self.costs.nearer((*further.path, node), here.mismatch)
                if beyond and set(beyond.scales) <= set(here.scales):
                    yield beyond

    def _decisions(self, here: Explanation[A, P]) -> Iterator[tuple[A, Cue[A] | None]]:
        shown = _differing(here) | self._gone_by
        if here.cues < len(self._cues):
            cue = self._cues[here.cues]
            yield cue.action, cue
            if cue.otherwise is not None:
                yield cue.otherwise, cue
        for choice in self.foresight.choices(here.last.position):
            if choice.spots <= shown and not choice.needs_word:
                yield choice.decision, None
        if not here.match.mismatch:  # the weight belongs to what else is being done, as long as there is something
            for accident in self.game.accidents(here.last.position) if here.scales else ():
                if self.game.accident_at(accident) in here.scales:
                    yield accident, None

    def _attempts(self, here: Explanation[A, P]) -> Iterator[A]:
        """Return acts against a rule that may have been done, by things in wrong places and by weights."""
        for found in here.match.differing:
            for spot, thing in found.unexpected:
                if not thing.startswith(UNREGISTERED):
                    yield from self.game.attempts(here.last.position, thing, spot)
        for spot in here.scales:
            yield from self.game.attempts(here.last.position, "", spot)

    def nodes(self, before: Node[A, P], decision: A, cue: Cue[A] | None, *, accepted: bool) -> tuple[Node[A, P], ...]:
        """Return what a decision may make of a node, each way it can come out once."""
        asked = (id(before.position), decision, id(cue), accepted)
        known = self._nodes.get(asked)
        if known is None:
            told = self._worked_out(before, decision, cue, accepted=accepted)
            nodes = tuple(self._as_before(before, node) for node in told)
            known = self._nodes[asked] = (before.position, cue, nodes)
        return known[2]

    def _as_before(self, before: Node[A, P], node: Node[A, P]) -> Node[A, P]:
        """Return a node as a story told before has it, so that what is known of that is not worked out again."""
        same = (one for _, one in self._told_before.get(id(before.position), ()) if _is_same_act(one, node))
        return next(same, node)

    def _worked_out(
        self, before: Node[A, P], decision: A, cue: Cue[A] | None, *, accepted: bool
    ) -> Iterator[Node[A, P]]:
        for way in self.foresight.ways(before.position, decision, accepted=accepted):
            if cue is not None or way.visible or way.layout.open_region is not None:
                for told in self._told_ways(before, way, accepted=accepted):
                    if cue is None and not told.visible:
                        continue  # Rule 1
                    changed = () if cue is not None and cue.accounted else told.changes
                    yield Node(told.action, cue, told.position, told.layout, changed, accepted)

    def _told_ways(self, before: Node[A, P], way: Way[A, P], *, accepted: bool) -> Iterator[Way[A, P]]:
        """Yield the way, its unknowns replaced by what the table shows or people name, or by what came to light."""
        now = self._matcher.match(way.layout).bindings
        if len(now) > 0 and way.layout is not before.layout:
            now = with_older_first(now, before.layout)
        came = self._light.bindings(before.position, way.layout)
        ways = (self._told_way(before, way, bindings, accepted=accepted) for bindings in (now, *came))
        yield from {told.action: told for told in ways}.values()

    def _told_way(
        self, before: Node[A, P], way: Way[A, P], bindings: Mapping[str, str], *, accepted: bool
    ) -> Way[A, P]:
        action = self.foresight.completed(before.position, way.action, bindings, accepted=accepted)
        action = self._named.get(action, action)
        if action == way.action:
            return way
        told = self.foresight.told(before.position, action, accepted=accepted)
        return way if told is None else told  # what was named may lie elsewhere by now
