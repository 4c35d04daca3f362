"""The account of a turn: what its player may have taken off a scale and put back on it, and how likely each way is.

Only its scale shows a draw, and hands are never as tidy as acts. So all ways that the rules allow are held against all
steps that the scale showed in the turn.

Rule 1: a way that is likelier than all others together, by a declared bound (`odds.toml`), is believed.
Rule 2: else people are asked, the likeliest way first. What they say needs no step of a scale any more.
Rule 3: it is asked as well when no way fits what the scale showed, as long as all that readers show is explained.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product, takewhile
from typing import Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from citytable.table.spot import Spot
from citytable.umpire.explaining import Explainer, as_open, unsaid
from citytable.umpire.node import Node, last_act, pieces_moved, replayed, turn_ends
from citytable.umpire.odds import RATES, SMALL_G, Act, Weighed, likelihood, together
from citytable.umpire.reaching import fetched, over_by_word_us
from citytable.umpire.staying import stay
from citytable.umpire.steps import Step, goes_on, is_estimated
from citytable.umpire.weighing import is_own
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

ACTS_MAX = 4  # on one scale in one turn: two draws, and what has to go back after each
OFFERED_MIN = 0.002  # what is less likely is offered to nobody


class Telling(msgspec.Struct, Generic[A, P], frozen=True):
    """One way a turn may have gone: its nodes, which of these show on the scale only, and how likely that is.

    `acts` are what those did, a count as a range where nobody said it and their weight leaves it open. `early`: what
    the next player did, if the last steps of the scale were `theirs`, so many, or the last step was of `both`; they may
    have taken twice. `numbers`: how likely each act moved so many; empty where that is known.
    """

    nodes: tuple[Node[A, P], ...]
    shows: tuple[int, ...]
    acts: tuple[A, ...]
    share: float
    numbers: tuple[Mapping[int, float], ...] = ()
    early: tuple[A, ...] = ()
    theirs: int = 0
    both: bool = False

    @property
    def own(self) -> Counter[A | None]:
        """What its player did of which only the scale tells, in any order."""
        return Counter(self.nodes[k].action for k in self.shows)


class Cut(NamedTuple):
    """How often so many of the last steps are the next player's, or the last step is of `both`.

    `whole_turn`: what they did in it may be all that they did in their turn.
    """

    theirs: int
    rate: float
    both: bool = False
    whole_turn: bool = False


class Numbers(NamedTuple):
    """Numbers of pieces that acts moved, and how likely those are."""

    pieces: tuple[int, ...]
    share: float


class Account(msgspec.Struct, Generic[A, P], frozen=True):
    """What may have been done on a scale in the `turn`-th turn of a story, from node `first` to `last`.

    `steps` are those that the scale showed in it, `next_scale` is the next player's, with the stay there. The likeliest
    way is the first.
    """

    turn: int
    first: int
    last: int
    spot: Spot
    next_scale: tuple[Spot, int]
    steps: tuple[Step, ...]
    ways: tuple[Telling[A, P], ...]
    is_strange: bool = False  # the likeliest way leaves pieces to nobody, or a step is of several turns

    @property
    def is_clear(self) -> bool:
        """True where all other ways together are less likely than the declared bound, and the first one fits.

        How often the next player took is asked in their own turn, if what they took shows on their own scale.
        """
        mine = self.ways[0]
        alike = (way.share for way in self.ways if way.theirs and mine.theirs and way.own == mine.own)
        return not self.is_strange and max(mine.share, sum(alike)) >= 1 - RATES["bound"]


def turns_of(game: WholeGame[A, P], path: Sequence[Node[A, P]], until: int) -> Iterator[tuple[int, int, int]]:
    """Yield which turn it is, the node before it and the node that ends it, of the turns up to node `until`."""
    ends = turn_ends(game, path[: until + 1])
    for turn, (first, last) in enumerate(pairwise([0, *ends]), start=1):
        yield turn, first, last


class Accounts(Generic[A, P]):
    """Of the turns of one story."""

    def __init__(self, explainer: Explainer[A, P], path: tuple[Node[A, P], ...]) -> None:
        self._explainer = explainer
        self._game = explainer.game
        self._path = path
        self._piece = explainer.observed.piece

    def of(self, turn: int, first: int, last: int) -> Account[A, P] | None:
        """Return the account of a turn; None where nothing was taken off a scale, or not off one alone."""
        spot = self._spot(first, last)
        lay = self._stay(spot, first)
        told = (step for step in self._explainer.observed.steps if step.spot == spot and not is_own(step))
        steps = tuple(step for step in told if step.stay in {lay, 0})
        if not spot or (lay is None and not steps) or not self._can_be_told(steps, first, last):
            return None
        steps = self._without_shared(steps, spot, self._path[first + 1 : last + 1])
        next_scale = self._next_scale(last)
        found = tuple(self._ways(first, last, spot, steps))
        if any(goes_on(step, next_scale[0]) for step in steps):  # what the next player did is told in their own turn
            found = tuple(replace(way, early=(), theirs=0, both=False) for way in found)
        whole = sum(way.share for way in found)
        if not whole:
            return None
        ways = self._merged(first, found, RATES["bound"])
        account = Account(turn, first, last, spot, next_scale, steps, ways)
        is_strange = any(map(is_estimated, steps)) or (account.is_clear and self._is_strange(account, whole))
        account = replace(account, is_strange=is_strange and len(ways) > 1)
        return account if account.is_clear else replace(account, ways=self._merged(first, found, OFFERED_MIN))

    def _is_strange(self, account: Account[A, P], whole: float) -> bool:
        """Return whether the likeliest way of an account is mostly one in which nobody took what its scale lost."""
        if not any(step.grams <= -SMALL_G for step in account.steps):
            return False
        best = account.ways[0]
        ways = self._ways(account.first, account.last, account.spot, account.steps, lost_by_nobody=False)
        fits = sum(way.share for way in ways if way.own == best.own and len(way.early) == len(best.early))
        return fits < best.share * whole / 2

    def _without_shared(self, steps: tuple[Step, ...], spot: Spot, turn: Sequence[Node[A, P]]) -> tuple[Step, ...]:
        """Return the steps without those of acts that show on another scale, too: an old monument goes to the bag."""
        left = list(steps)
        for change in (change for node in turn if not _is_on(spot, node) for change in node.changes):
            most_g = self._piece.kind.heaviest_g * change.pieces
            its = (one for one in left if change.spot == spot and abs(one.grams - most_g / 2) <= abs(most_g / 2))
            if (step := next(its, None)) is not None:
                left.remove(step)
        return tuple(left)

    def _merged(self, first: int, ways: Sequence[Telling[A, P]], least: float) -> tuple[Telling[A, P], ...]:
        """Return the ways, the likeliest first; those with the same acts in another order or of another number as one.

        Their shares are divided by their sum. Numbers that are less likely than the bound are left out, of what goes
        back those that are less likely than `least`: the rules say how many are drawn, and not how many go back.
        """
        alike: dict[tuple[frozenset[tuple[A | None, int]], tuple[A, ...]], list[Telling[A, P]]] = {}
        whole, merged = sum(map(_share, ways)), list[Telling[A, P]]()
        for way in ways:
            early = tuple(map(self._game.decision, way.early))
            alike.setdefault((frozenset(way.own.items()), early), []).append(way)
        for same in alike.values():
            best, share = max(same, key=_share), sum(map(_share, same))
            acts = self._widened(best, [way for way in same if way.share >= share * least], least)
            told = acts if self._can_be(first, best.nodes, dict(zip(best.shows, acts, strict=True))) else best.acts
            merged.append(replace(best, acts=told, share=share / whole))
        return tuple(sorted(merged, key=_share, reverse=True))

    def _widened(self, best: Telling[A, P], ways: Sequence[Telling[A, P]], least: float) -> tuple[A, ...]:
        """Return the acts of the likeliest way, with the numbers that are likely enough in any of these ways."""
        numbers: dict[tuple[A, int], set[int]] = defaultdict(set)
        for way in ways:
            for k, act, shares in zip(way.shows, _numbered(way), way.numbers, strict=True):
                cut = RATES["bound"] if takes_off(way.nodes[k]) else least
                numbers[act] |= {n for n, share in shares.items() if share >= cut}
        pairs = zip(best.acts, _numbered(best), strict=True)
        return tuple(self._game.with_count(act, sorted(numbers[kind])) for act, kind in pairs)

    def _spot(self, first: int, last: int) -> Spot:
        """Return the scale from which is taken in a turn; empty where there is none.

        A player who may take nothing any more still has it there, and the next player may reach for it.
        """
        for before in (self._path[first], self._path[last]):
            for node in self._takes(before):
                name = next(one.name for one in before.layout.scales if one.spot == node.changes[0].spot)
                return next((one.spot for one in self._path[first].layout.scales if one.name == name), "")
        return ""

    def _next_scale(self, last: int) -> tuple[Spot, int]:
        """Return the scale of the player at turn after node `last`, with the stay there; 0 where nobody knows it."""
        theirs = next((node.changes[0].spot for node in self._takes(self._path[last])), "")
        return theirs, self._stay(theirs, last) or 0

    def _stay(self, spot: Spot, first: int) -> int | None:
        return stay(self._game, self._path, first, spot, self._explainer.observed)

    def _can_be_told(self, steps: tuple[Step, ...], first: int, last: int) -> bool:
        """Return whether anything shows on the scale, and nobody has told more of it than that."""
        doubtful = any(step.free or step.joined for step in steps)
        return not doubtful and (bool(steps) or any(self._on_scale_only(first, last)))

    def _on_scale_only(self, first: int, last: int) -> Iterator[tuple[int, Node[A, P]]]:
        """Yield the nodes of a turn that show on scales only, with their numbers."""
        for k in range(first + 1, last + 1):
            if self._path[k].changes and self._path[k].layout.regions == self._path[k - 1].layout.regions:
                yield k, self._path[k]

    def _takes(self, before: Node[A, P]) -> Iterator[Node[A, P]]:
        """Yield what may be taken off a scale after a node, and shows nowhere else."""
        return (node for node in self._on_scales(before) if takes_off(node))

    def _on_scales(self, before: Node[A, P]) -> Iterator[Node[A, P]]:
        """Yield what may be done after a node and shows on one scale only."""
        for node in self._next(before):
            if len(node.changes) == 1 and node.layout.regions == before.layout.regions:
                yield as_open(self._explainer, before, node)

    def _ways(
        self, first: int, last: int, spot: Spot, steps: tuple[Step, ...], *, lost_by_nobody: bool = True
    ) -> Iterator[Telling[A, P]]:
        """Yield the ways; their shares are not yet divided by their sum."""
        weighed = Weighed([step.grams for step in steps], lost_by_nobody, unweighed=not steps)
        early = self._early(last)
        fetched = self._fetched(last)
        for nodes in self._tellings(first, last, spot):
            shows = tuple(k for k, node in self._showing(first, nodes, spot))
            on_spot = [nodes[k] for k in shows]
            told = (self._path[first], *nodes)
            prior = self._prior(told[last_act(told, len(nodes) - 1)], fetched) * self._unsaid(nodes, on_spot)
            prior *= self._came_out(told)
            allowed = self._allowed(first, nodes, shows)
            for cut, taken in self._with_early(_cuts(steps, early, on_spot, over_by_word_us(self._path[last])), early):
                open_way = Telling(nodes, shows, (), prior * cut.rate, theirs=cut.theirs, both=cut.both)
                way = self._way(open_way, allowed, weighed, taken)
                if way.share and self._can_be(first, nodes, dict(zip(shows, way.acts, strict=True))):
                    yield way

    def _allowed(self, first: int, nodes: Sequence[Node[A, P]], shows: Sequence[int]) -> tuple[Numbers, ...]:
        """Return the numbers of pieces that the rules allow the acts on the scale together, each with its share.

        Two draws of three may be too many for a turn that ends without giving any back. How many go back depends on
        how many were drawn.
        """
        acts = [self._act(nodes[k]) for k in shows]
        found: dict[tuple[int, ...], float] = {}
        whole: dict[tuple[int, ...], float] = defaultdict(float)
        for pieces in product(*(act.counts for act in acts)):
            exact = product(*(self._exactly(nodes[k], n) for k, n in zip(shows, pieces, strict=True)))
            if any(self._can_be(first, nodes, dict(zip(shows, told, strict=True))) for told in exact):
                found[pieces] = math.prod(act.counts[n] for act, n in zip(acts, pieces, strict=True))
                whole[_taken(acts, pieces)] += math.prod(
                    act.counts[n] for act, n in zip(acts, pieces, strict=True) if act.heavier
                )
        return tuple(Numbers(pieces, share / whole[_taken(acts, pieces)]) for pieces, share in found.items())

    def _exactly(self, node: Node[A, P], pieces: int) -> tuple[A | None, ...]:
        return (node.action,) if node.cued or node.action is None else self._game.exactly(node.action, pieces)

    def _way(
        self, way: Telling[A, P], allowed: Sequence[Numbers], weighed: Weighed, early: Sequence[Node[A, P]]
    ) -> Telling[A, P]:
        """Return a way with its acts, their numbers, and its share by what the scale showed."""
        on_spot, split = [way.nodes[k] for k in way.shows], len(weighed.grams) - way.theirs
        counts = product(*(self._act(node).counts.items() for node in early))
        theirs = [Numbers(tuple(n for n, _ in one), math.prod(share for _, share in one)) for one in counts]
        if way.both:
            both = [Numbers((*one.pieces, *n.pieces), one.share * n.share) for one in allowed for n in theirs]
            told, numbers, share = self._counted([*on_spot, *early], both, weighed, in_one=1 + len(early))
            mine = len(on_spot)
            return replace(way, acts=told[:mine], share=way.share * share, numbers=numbers[:mine], early=told[mine:])
        told, numbers, share = self._counted(on_spot, allowed, weighed.part(0, split))
        if not way.theirs:
            return replace(way, acts=told, share=way.share * share, numbers=numbers)
        next_acts, _, early_share = self._counted(early, theirs, weighed.part(split, len(weighed.grams)))
        return replace(way, acts=told, share=way.share * share * early_share, numbers=numbers, early=next_acts)

    def _unsaid(self, nodes: Sequence[Node[A, P]], on_spot: Sequence[Node[A, P]]) -> float:
        """Return how likely it is that people said no more of a turn: who says acts seldom forgets one."""
        if not any(node.said and not (node.cue and node.cue.accounted) for node in nodes[:-1]):
            return 1.0
        return RATES["unsaid"] ** sum(not node.cued for node in on_spot)

    def _came_out(self, path: Sequence[Node[A, P]]) -> float:
        """Return how likely what people said came out like this: the first way that the game names is the usual one."""
        share = 1.0
        for before, node in pairwise(path):
            if node.cue is not None and not node.cue.accounted and len(node.changes) == 1:
                ways = self._explainer.foresight.ways(before.position, node.cue.action, accepted=node.accepted)
                share *= RATES["came_out_otherwise"] if len(ways) > 1 and ways[0].action != node.action else 1.0
        return share

    def _can_be(self, first: int, nodes: Sequence[Node[A, P]], acts: Mapping[int, A | None]) -> bool:
        """Return whether the rules allow a turn with these acts in it: what is counted exactly leaves less open."""
        told = [replace(node, action=acts.get(k, node.action)) for k, node in enumerate(nodes)]
        return replayed(self._game, self._path[first : first + 1], tuple(told)) is not None

    def _fetched(self, last: int) -> int:
        """Return how many acts of the turn after node `last` moved what had left its place before that node.

        Of a turn that is over nobody knows any more.
        """
        seats = {self._game.seat(node.position) for node in self._path[last:]}
        return fetched(self._explainer.foresight, self._path, self._explainer.observed) if len(seats) == 1 else 0

    def _prior(self, before_end: Node[A, P], early: int) -> float:
        """Return how likely it is that a turn has no act after a node, with the actions that are left then.

        Of the next turn so many acts were begun `early`: they may as well be of this one.
        """
        left = self._game.actions_left(before_end.position)
        may_hide = left > early and any(self._hides(before_end, node) for node in self._next(before_end))
        unused = RATES["unseen_action" if may_hide else "unused_action"] ** max(0, left - early)
        return unused * RATES["fetched_early"] ** max(0, early - left)

    def _hides(self, before: Node[A, P], node: Node[A, P]) -> bool:
        """Return whether an act takes things from where nobody reads, so that one may be in a lap."""
        taken = [
            spot
            for one in self._explainer.foresight.moved(before.layout, node.layout)
            for spot in one.spots
            if one.left
        ]
        return bool(taken) and all(map(self._explainer.observed.unread, taken))

    def _next(self, before: Node[A, P]) -> Iterator[Node[A, P]]:
        """Yield what may be done after a node without a word, in the same turn."""
        seat = self._game.seat(before.position)
        return (node for node in unsaid(self._explainer, before) if self._game.seat(node.position) == seat)

    def _showing(self, first: int, nodes: Sequence[Node[A, P]], spot: Spot) -> Iterator[tuple[int, Node[A, P]]]:
        """Yield which of the nodes after the first one show on the scale and nowhere else."""
        for k, (before, node) in enumerate(pairwise((self._path[first], *nodes))):
            if _is_on(spot, node) and node.layout.regions == before.layout.regions:
                yield k, node

    def _counted(
        self, nodes: Sequence[Node[A, P]], allowed: Sequence[Numbers], weighed: Weighed, *, in_one: int = 1
    ) -> tuple[tuple[A, ...], tuple[Mapping[int, float], ...], float]:
        """Return what nodes did, how many pieces each may have moved (none for what is known), and how likely that is.

        Of what nobody said, a count is a range where the steps leave it open. The last `in_one` of them are one step.
        """
        alike, likely = [self._act(node) for node in nodes], []
        for one in allowed:
            acts = [replace(act, counts={n: 1.0}) for act, n in zip(alike, one.pieces, strict=True)]
            likely.append(Numbers(one.pieces, one.share * self._likelihood(acts, weighed, in_one)))
        whole = sum(one.share for one in likely)
        likely = likely if whole else list(allowed)
        told, numbers = list[A](), list[Mapping[int, float]]()
        for k, node in enumerate(nodes):
            if node.action is None:
                continue
            shares: dict[int, float] = defaultdict(float)
            for one in () if node.cued else likely:
                shares[one.pieces[k]] += one.share / (whole or 1.0)
            numbers.append(shares)
            told.append(self._game.with_count(node.action, sorted(n for n in shares if shares[n] >= RATES["bound"])))
        return tuple(told), tuple(numbers), whole

    def _likelihood(self, acts: Sequence[Act], weighed: Weighed, in_one: int) -> float:
        first, last = acts[:-in_one], acts[-in_one:]
        whole = (Act(last[-1].heavier, together(last)),) if in_one > 1 else last
        return likelihood([*first, *whole], weighed, self._piece)

    def _early(self, last: int) -> tuple[Node[A, P], ...]:
        """Return what the next player may have done on this scale before their turn; as said, if they said it.

        That is what they did first, and what they may have done after it.
        """
        seat = self._game.seat(self._path[last].position)
        said = None
        for before, node in pairwise(self._path[last:]):
            if self._game.seat(before.position) == seat and node.said and node.layout.regions == before.layout.regions:
                said = said or (node if takes_off(node) else None)
        said = None if said is not None and self._shows_in_its_turn(last, said) else said
        first = said or next(self._takes(self._path[last]), None)
        more = None if first is None else next(self._takes(first), None)
        return tuple(node for node in (first, more) if node is not None)

    def _shows_in_its_turn(self, last: int, said: Node[A, P]) -> bool:
        """Return whether the scale of the player at turn after node `last` shows what they said beside their acts."""
        scale, seat = self._next_scale(last), self._game.seat(self._path[last].position)
        grams = [step.grams for step in self._explainer.observed.steps if (step.spot, step.stay) == scale]
        theirs = takewhile(lambda pair: self._game.seat(pair[0].position) == seat, pairwise(self._path[last:]))
        acts = [node for _, node in theirs if _is_on(scale[0], node)]
        others = [self._act(node) for node in acts if node is not said]
        likely = (likelihood(one, Weighed(grams), self._piece) for one in ([*map(self._act, acts)], others))
        return said in acts and next(likely) > next(likely)

    def _with_early(
        self, cuts: Iterable[Cut], early: tuple[Node[A, P], ...]
    ) -> Iterator[tuple[Cut, tuple[Node[A, P], ...]]]:
        """Yield each cut with what the next player did before their turn: nothing, one act, or two."""
        twice = RATES["reached_early_twice"] if len(early) > 1 else 0.0
        for cut in cuts:
            more = twice if cut.theirs or cut.whole_turn else 0.0
            if more:
                yield cut._replace(rate=cut.rate * more), early
            yield cut._replace(rate=cut.rate * (1 - more)), early[:1] if cut.theirs or cut.both else ()

    def _act(self, node: Node[A, P]) -> Act:
        """Return an act as its scale knows it: what a person said is as they said."""
        pieces, heavier = pieces_moved(node), node.changes[0].pieces > 0
        if node.cued or node.action is None:
            return Act(heavier, {pieces: 1.0}, apart=True)
        return Act(heavier, self._game.counts(node.action, pieces, self._piece))

    def _tellings(self, first: int, last: int, spot: Spot) -> Iterator[tuple[Node[A, P], ...]]:
        """Yield the nodes of a turn with every sequence of acts on the scale that the rules allow, each once."""
        only = {k for k, node in self._on_scale_only(first, last) if _is_on(spot, node) and not node.cued}
        shown = [self._path[k] for k in range(first + 1, last + 1) if k not in only]
        seen = set[tuple[A | None, ...]]()
        for path in self._woven(self._path[first : first + 1], shown, spot, 0):
            acts = tuple(node.action for _, node in self._showing(first, path[1:], spot))
            whole = (*self._path[:first], *path)
            if acts not in seen and self._explainer.going_on(whole, self._path, last + 1) is not None:
                seen.add(acts)
                yield path[1:]

    def _woven(
        self, path: tuple[Node[A, P], ...], shown: list[Node[A, P]], spot: Spot, acts: int
    ) -> Iterator[tuple[Node[A, P], ...]]:
        """Yield a path with all that is shown done after it, and acts on the scale between."""
        if not shown:
            yield path
            return
        for told in self._said(path, shown[0]):
            yield from self._woven(told, shown[1:], spot, acts)
        for node in self._on_scales(path[-1]) if acts < ACTS_MAX else ():
            if _is_on(spot, node):
                yield from self._woven((*path, node), shown, spot, acts + 1)

    def _said(self, path: tuple[Node[A, P], ...], node: Node[A, P]) -> Iterator[tuple[Node[A, P], ...]]:
        """Yield a path with a node done after it, also as it may have come out otherwise by what its player said."""
        told = replayed(self._game, path, (node,))
        if told is not None:
            yield told
        if node.cue is None or node.cue.accounted or len(node.changes) != 1:
            return
        for other in self._explainer.nodes(path[-1], node.cue.action, node.cue, accepted=node.accepted):
            if other.action != node.action and _is_on(node.changes[0].spot, other):
                yield (*path, other)


def _taken(acts: Sequence[Act], pieces: Sequence[int]) -> tuple[int, ...]:
    """Return how many pieces each act took, of those that take any."""
    return tuple(n for act, n in zip(acts, pieces, strict=True) if not act.heavier)


def _share(way: Telling[A, P]) -> float:
    return way.share


def _numbered(way: Telling[A, P]) -> list[tuple[A, int]]:
    """Return the acts of a way that show on the scale only, each with which of its kind it is."""
    actions = [action for k in way.shows if (action := way.nodes[k].action) is not None]
    return [(action, actions[:k].count(action)) for k, action in enumerate(actions)]


def _is_on(spot: Spot, node: Node[A, P]) -> bool:
    """Return whether an act shows on this scale and on no other."""
    return {change.spot for change in node.changes} == {spot}


def takes_off(node: Node[A, P]) -> bool:
    """Return whether an act shows on one scale only, and makes it lighter."""
    return len({change.spot for change in node.changes}) == 1 and all(change.pieces < 0 for change in node.changes)


def _cuts(
    steps: Sequence[Step], early: Sequence[Node[A, P]], on_spot: Sequence[Node[A, P]], over_us: int
) -> Iterator[Cut]:
    """Yield how many of the last steps may be the next player's, and whether the last one may be of both.

    A player who said at `over_us` that their turn was over seldom draws after that.
    """
    found = [n for n in range(1, len(steps) + 1) if sum(step.grams for step in steps[-n:]) < 0] if early else []
    later = sum(step.t_us > over_us for step in steps) if over_us else 0
    if later in found:
        yield Cut(0, RATES["after_word"])
        yield Cut(later, 1 - RATES["after_word"])
        return
    rate = _rate_of_early(steps) if found else 0.0
    is_handed_over = bool(found) and bool(steps[-1].others) and steps[-1].grams < 0
    may_be_both = is_handed_over and bool(on_spot) and takes_off(on_spot[-1])
    is_whole = may_be_both and _was_not_weighed_between(steps[-1])
    both = RATES["on_the_way" if is_whole else "both_on_the_way"] if may_be_both else 0.0
    rate *= 1 - both
    yield Cut(0, 1 - rate - both)
    yield from (Cut(n, rate / len(found)) for n in found)
    if both:
        yield Cut(0, both, both=True, whole_turn=is_whole)


def _was_not_weighed_between(step: Step) -> bool:
    """Return whether a step may be of a whole turn in which the scale of its player never came to rest."""
    return any(spot != step.noted for spot in step.others)


def _rate_of_early(steps: Sequence[Step]) -> float:
    """Return how often the last step before the turn passed is the next player's."""
    return RATES["on_the_way"] if steps[-1].others else RATES["reached_early"]
