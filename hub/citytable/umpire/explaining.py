"""Explaining: find the shortest sequence of decisions after which the layout is the observed table.

Rule 1: nothing is guessed. A decision that changes nothing visible on the table, or that needs a statement by the
        rules, enters an explanation only as a cue: a person's statement, or a fall that was sensed.
Rule 2: every step of an explanation must bring the layout nearer to the table. If the first of two steps shows only on
        a scale, or takes from a place without a reader, only the second must. For example, pieces that are given back
        look like a draw that was undone until both acts are in the story, and a platform that was taken and turned over
        at once seems to come from nowhere.
Rule 3: the previous explanation stays as long as it explains as much as any other.
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
    """Return the spots of all regions in which the table differs from the explanation."""
    return frozenset(spot for found in here.match.differing for spot in found.region.spots)


def _hides(here: Explanation[A, P]) -> bool:
    """Return whether the table differs from the explanation; a contract delivered long ago may be in its slot."""
    done_with = here.path[0].layout.done_with
    lying = (thing for found in here.match.differing for _, thing in found.unexpected)
    return any(found.missing for found in here.match.differing) or not done_with.issuperset(lying)


def _gone_by(observed: Observed) -> frozenset[Spot]:
    """Return the spots to which something came in the current turn and where it no longer is: it went further."""
    came = ((spot, us[-1]) for spot, us in observed.stays.items() if us)
    return frozenset(spot for spot, us in came if us > observed.turn_us and not observed.at(spot))


def _better(one: Explanation[A, P], other: Explanation[A, P]) -> bool:
    return (one.mismatch, len(one.path)) < (other.mismatch, len(other.path))


def unsaid(explainer: "Explainer[A, P]", before: Node[A, P]) -> Iterator[Node[A, P]]:
    """Yield every act after a node that the rules allow, that the table shows, and that needs no statement."""
    for choice in explainer.foresight.choices(before.position):
        if not choice.needs_word:
            yield from explainer.nodes(before, choice.decision, None, accepted=False)


def as_open(explainer: "Explainer[A, P]", before: Node[A, P], node: Node[A, P]) -> Node[A, P]:
    """Return an inferred act, with its count as open as possible while the rules still allow the acts after it."""
    if node.action is None:
        return node
    counts = explainer.game.counts(node.action, pieces_moved(node), explainer.observed.piece)
    action = explainer.game.with_count(node.action, tuple(counts))
    told = replayed(explainer.game, (before,), (msgspec.structs.replace(node, action=action),))
    return node if told is None else msgspec.structs.replace(told[-1], changes=node.changes)


def gone_round(explainer: "Explainer[A, P]", story: Explanation[A, P]) -> Explanation[A, P]:
    """Return the story with an added round in which nobody did anything if it leaves one out; otherwise as it is."""
    rounds, path = explainer.costs.rounds, story.path
    if not rounds.missing(path):
        return story
    told = ((rounds.filled_in(path, k), k) for k in range(len(path), 0, -1))
    whole = (one and explainer.going_on(one, path, k) for one, k in told)
    stories = (explainer.costs.seen(one) for one in whole if one)
    return min((story, *stories), key=lambda one: (rounds.missing(one.path), one.mismatch, rounds.astray(one.path)))


def without_weighed(explainer: "Explainer[A, P]", path: tuple[Node[A, P], ...]) -> Iterator[tuple[Node[A, P], ...]]:
    """Yield a path without one of the acts that only a scale shows, or without all such acts of a turn."""
    alone, ends = list(weighed_only(path)), turn_ends(explainer.game, path)
    turns = [[*same] for _, same in groupby(alone, key=lambda k: bisect_left(ends, k))]
    for gone in [[k] for k in alone] + [turn for turn in turns if len(turn) > 1]:
        told: tuple[Node[A, P], ...] | None = path
        for k in reversed(gone):
            told = told and explainer.without(told, k)
        if told is not None:
            yield told


def in_their_order(explainer: "Explainer[A, P]", before: Node[A, P], told: A, *, accepted: bool) -> A:
    """Return the act with the names of the things that lie there now, in the order in which they came if known."""
    way = explainer.foresight.told(before.position, told, accepted=accepted)
    if way is None:
        return told
    nodes = explainer.nodes(before, explainer.game.decision(told), None, accepted=accepted)
    same = [node.action for node in nodes if node.action and node.layout.regions == way.layout.regions]
    return same[-1] if same else told


def _shown(explanation: Explanation[A, P], observed: Observed) -> Explanation[A, P]:
    """Return an explanation, its last node marked as seen if it explains a table whose stations are all connected."""
    last = explanation.last
    if last.shown or not explanation.complete or _hides(explanation) or observed.silent:
        return explanation
    path = (*explanation.path[:-1], msgspec.structs.replace(last, shown=True))
    return msgspec.structs.replace(explanation, path=path)


def _moved_since(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P], observed: Observed) -> bool:
    """Return whether a thing that an act brings to a place without a reader was turned over there, or has left.

    A further act did that. Neither act shows alone: nothing has come up in the thing's place, or no reader reads it.
    Something that came up unread before does not count.
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
    """Return whether an act turns up a thing that was there meanwhile and has gone: a further act took it."""
    gone = {(one.thing, one.spot) for one in observed.arrivals if one.thing not in observed.at(one.spot)}
    gone -= {(thing, spot) for thing, spot in gone if any(thing in one.things for one in here.last.layout.regions)}
    moved = foresight.moved(here.last.layout, node.layout) if gone else ()
    return any((thing, spot) in gone for one in moved for thing in one.came for spot in one.spots)


def _felt(node: Node[A, P], observed: Observed) -> bool:
    """Return whether every scale that shows an act has shown something."""
    return {change.spot for change in node.changes} <= {step.spot for step in observed.steps}


def _begins_unread(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P], observed: Observed) -> bool:
    """Return whether an act takes from a place without a reader, and lays where something else was read before.

    For example, if a platform is taken there and turned over at once, only both acts together are nearer to the table.
    """
    moved = foresight.touched(here.last.position, node.layout)
    read = {spot for spot in moved if not observed.unread(spot)}
    return moved != read and bool(read) and read <= _differing(here)


def _has_to_go_back(foresight: Foresight[A, P], here: Explanation[A, P], node: Node[A, P]) -> bool:
    """Return whether an act gives back pieces that the rules want back before the turn passes.

    Its scale shows nothing if the player drew as many in their lap before they gave them back.
    """
    act = foresight.game.passing(here.last.position) if gives_back(here.last, node) else None
    return act is not None and foresight.told(here.last.position, act, accepted=False) is None


def _is_same_act(one: Node[A, P], other: Node[A, P]) -> bool:
    """Return whether two nodes after the same position are the same act, for the same cue."""
    return (one.action, one.cue, one.changes, one.accepted) == (other.action, other.cue, other.changes, other.accepted)


class Explainer(Generic[A, P]):
    """Search for explanations of one observed table.

    `lenient`: also by acts that a rule forbids.
    """

    def __init__(
        self,
        foresight: Foresight[A, P],
        matcher: Matcher,
        cues: tuple[Cue[A], ...],
        named: Mapping[A, A],
        *,
        lenient: bool = False,
    ) -> None:
        """`named`: the actions with unknowns that no reader reads, and the same actions as people named them."""
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
        # nodes of earlier stories, by the id of the position before each
        self._told_before: dict[int, list[tuple[P, Node[A, P]]]] = {}

    def best(self, old: tuple[Node[A, P], ...], sure: int = 1) -> Explanation[A, P]:
        """Return the best explanation now, given the path of the previous one.

        Its first `sure` nodes once explained the whole table: only another complete explanation can replace them.
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
        """Return the best explanation, and note another one if that explains as much in as few acts."""
        if (found.mismatch, len(found.path)) != (best.mismatch, len(best.path)):
            return best
        others = (best.others | found.others | {frozenset(self.decided(found))}) - {frozenset(self.decided(best))}
        return best if others == best.others else msgspec.structs.replace(best, others=others)

    def _gainsaid(self, one: Explanation[A, P], other: Explanation[A, P]) -> bool:
        """Return whether an explanation takes back a turn's end without a reason.

        A bag in somebody's hands is no reason; a bag that is where it was before shows no turn. It is also so if the
        explanation never led to the table as it was seen meanwhile, and only other scales support it.
        """
        fewer = one.mismatch == other.mismatch and len(self.turns(one.path)) < len(self.turns(other.path))
        if fewer and one.last.layout.regions != other.last.layout.regions:
            return True
        return other.complete and one.broken >= other.broken and not self._leads_over(one.path, other.path)

    def _leads_over(self, rival: tuple[Node[A, P], ...], chosen: tuple[Node[A, P], ...]) -> bool:
        return leads_over(rival, chosen, turn_ends(self.game, chosen), self.observed)

    def _passes_as_read(self, one: Explanation[A, P], other: Explanation[A, P]) -> bool:
        """Return whether an explanation passes the turn as readers show it, and only scales contradict it.

        The account of the turn settles these.
        """
        is_read = one.match.mismatch < UNEXPLAINED <= other.match.mismatch
        return is_read and len(self.turns(one.path)) > len(self.turns(other.path))

    def _is_as_read(self, one: Explanation[A, P], other: Explanation[A, P], sure: Sequence[Node[A, P]]) -> bool:
        """Return whether one explanation is no worse than the other, and is the only one that agrees with all readers.

        Of what was sure, it gives up only acts that scales had shown: the account decides to whom a step belongs.
        """
        if one.mismatch > other.mismatch or not one.match.mismatch < UNEXPLAINED <= other.match.mismatch:
            return False
        read = (node.action for node in sure if node.cued or not node.changes)
        told = [node.action for node in one.path]
        return all(action in told for action in read)

    def _lies_again(self, before: Explanation[A, P], given_up: tuple[Node[A, P], ...]) -> bool:
        """Return whether everything that these acts moved is back in its place: somebody only looked at it.

        This never holds for acts that only a scale showed or people stated, nor where there is no reader.
        """
        if any(node.cued or node.changes for node in given_up):
            return False
        moved = (self.foresight.touched(one.position, node.layout) for one, node in pairwise((before.last, *given_up)))
        unlike, unread = _differing(before), self.observed.unread
        return all(spots and spots.isdisjoint(unlike) and not any(map(unread, spots)) for spots in moved)

    def turns(self, path: tuple[Node[A, P], ...]) -> list[int]:
        """Return the players of the turns, one after the other."""
        return [seat for seat, _ in groupby(self.game.seat(node.position) for node in path)]

    def _told(self, explanation: Explanation[A, P]) -> Explanation[A, P]:
        """Return the explanation with what has come to light since: for example, a supply refilled after the taking."""
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
        """Return other complete explanations of the same length that end in another position.

        The table has looked like the chosen one meanwhile; an explanation that never led there is no rival. So the
        order of events decides what nothing else shows: whether tiles were turned up before the bag was passed.
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
        """Return the path as if its node `k` had not happened; None if the rest is then impossible."""
        return self.going_on(path[:k], path, k + 1)

    def going_on(
        self, told: tuple[Node[A, P], ...], path: tuple[Node[A, P], ...], k: int
    ) -> tuple[Node[A, P], ...] | None:
        """Return the nodes `told`, followed by those of the path from `k` on; None if that is impossible."""
        whole, until = self.as_far_as(told, path, k)
        return whole if until == len(path) else None

    def as_far_as(
        self, told: tuple[Node[A, P], ...], path: tuple[Node[A, P], ...], k: int
    ) -> tuple[tuple[Node[A, P], ...], int]:
        """Return the nodes `told`, the possible ones of the path from `k` on, and the first impossible one.

        How many pieces the rules want back, if any, depends on how many were drawn.
        """
        for at, (before, node) in enumerate(pairwise(path[k - 1 :]), start=k):
            further = replayed(self.game, told, (node,)) or self._due_there(told, node)
            if further is None and (node.cued or not gives_back(before, node)):
                return told, at
            told = further or told
        return told, len(path)

    def _due_there(self, told: tuple[Node[A, P], ...], node: Node[A, P]) -> tuple[Node[A, P], ...] | None:
        """Return the nodes `told` with the return of pieces that is due there, in place of a node or before it."""
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
        """Return the decisions, in any order and whatever their outcome."""
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
        """Yield explanations that begin with `start`, nearest to the table first."""
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
        """Return the explanations nearer than this one; they are cached, because other searches pass it, too."""
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
        """Return the explanation without corrected counts that its present acts no longer need."""
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
        """Yield the nodes of an act that a rule allows only with another number of pieces, which nobody could know."""
        told = self.foresight.told(here.last.position, recount, accepted=False)
        if told is None:
            return
        node = Node(told.action, None, told.position, told.layout, ())
        for further in self._due(here, self.costs.seen((*here.path, node))):
            if replayed(self.game, here.path, further.path[-1:]) is None:  # otherwise the number prevents nothing
                yield further

    def _further(
        self, here: Explanation[A, P], decision: A, cue: Cue[A] | None, *, accepted: bool, begins: bool = False
    ) -> Iterator[Explanation[A, P]]:
        """Yield the nodes that a decision leads to; `begins`: also if it only makes the next act possible."""
        for node in self.nodes(here.last, decision, cue, accepted=accepted):
            path = (*here.path, node)
            is_nearer = self.costs.of_layout(node.layout, here.cues + node.cued) < here.mismatch
            if is_nearer and (further := self.costs.nearer(path, here.mismatch)):
                yield further
                if _lay_meanwhile(self.foresight, here, node, self.observed):  # however near that is alone
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
        """Yield the next statements that only an inferred act makes possible: more was drawn than the story says.

        Its scale may contradict that; the account of the turn settles it.
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
        """Return whether an act ends a turn, and the thing that it passes has gone further or is in somebody's hands.

        From there it may come to the player after the next one.
        """
        if self.game.seat(node.position) == self.game.seat(here.last.position):
            return False
        if self._passes_in_hands(here.last, node):
            return True
        to = self.foresight.touched(here.last.position, node.layout) - _differing(here)
        return bool(to) and to <= self._gone_by

    def _passes_in_hands(self, before: Node[A, P], node: Node[A, P]) -> bool:
        """Return whether an act ends a turn by passing a thing that left its reader and is read nowhere now."""
        if self.game.seat(node.position) == self.game.seat(before.position):
            return False
        moved = self.foresight.moved(before.layout, node.layout)
        passed, unread = {thing for one in moved for thing in one.came}, self.observed.unread
        if any(unread(spot) for one in moved if one.left for spot in one.spots):
            return False
        return bool(passed) and passed.isdisjoint(frozenset[str]().union(*self.observed.lying.values()))

    def _due(self, here: Explanation[A, P], further: Explanation[A, P]) -> Iterator[Explanation[A, P]]:
        """Yield explanations that are nearer to the table with one due act more, and contradict no further scale."""
        for decision, cue in self._decisions(further):
            for node in self.nodes(further.last, decision, cue, accepted=cue is not None and cue.accepted):
                if self._passes_in_hands(further.last, node):
                    continue  # no turn passes unread only because somebody has something in their hands
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
        """Return acts against a rule that may have happened, judging by things in wrong places and by weights."""
        for found in here.match.differing:
            for spot, thing in found.unexpected:
                if not thing.startswith(UNREGISTERED):
                    yield from self.game.attempts(here.last.position, thing, spot)
        for spot in here.scales:
            yield from self.game.attempts(here.last.position, "", spot)

    def nodes(self, before: Node[A, P], decision: A, cue: Cue[A] | None, *, accepted: bool) -> tuple[Node[A, P], ...]:
        """Return the nodes to which a decision may lead, one for each of its outcomes."""
        asked = (id(before.position), decision, id(cue), accepted)
        known = self._nodes.get(asked)
        if known is None:
            told = self._worked_out(before, decision, cue, accepted=accepted)
            nodes = tuple(self._as_before(before, node) for node in told)
            known = self._nodes[asked] = (before.position, cue, nodes)
        return known[2]

    def _as_before(self, before: Node[A, P], node: Node[A, P]) -> Node[A, P]:
        """Return the node as an earlier story has it, so that its cached results are used again."""
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
        """Yield the outcome, with its unknowns replaced by what the table shows, people name, or came to light."""
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
        return way if told is None else told  # the named thing may be elsewhere by now
