"""Weighing: whether what actions do to a scale is what the scale showed.

A hand in the bag keeps its scale moving, so what one action takes is one step. Only more than a handful may come in
several, or less where some of it was put back, or where the pieces were taken one after the other; their weight
distinguishes that from several acts (`table/piece_mass.py`), or leaves it in doubt. What was done while a scale was
silent shows as one step, however much it was, and a little of that step may be the scale's own. Steps and changes come
in the same order. Every way of pairing them has a cost, the cheapest counts.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

import msgspec

from citytable.table.layout import Layout
from citytable.table.piece_mass import PieceKind, PieceMass
from citytable.table.spot import Spot
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.observed import Observed
from citytable.umpire.steps import SAME_G, Step

STEP_ERROR_G = 0.25  # of a step on a 3 kg cell

# what is odd but contradicts nothing costs less than UNEXPLAINED
TOGETHER = 1  # a step across a silence that is more than one act of a kind: one is likelier
TAKEN_BACK = 1  # two steps that undo each other: taken and put back, or laid there and taken away
FREE = 1  # a step that may be the rest of what was being put back
IN_PARTS = 3  # an act, or nothing, in several steps, some of them the other way: too much was taken, and some put back
IN_ONE_GO = 3  # several draws in one step, heavier than one of them: from a lap, or with no rest of the scale between
IN_A_LIGHT_GO = 6  # and no heavier: likelier one of them alone, and possible where people say so
IN_GRABS = 1  # an act of a few pieces in as many steps at most, all of them the same way: they went one by one
HEAVY_GRABS = 4  # and heavier than that act should be: rather several, be one of them against a rule
DOUBTFUL = 2  # a step so small, or across a silence, that it may be the scale's own: nobody can put it right
FAINT = 3  # an act that such a step shows between two scales: likelier these differ a little
FOREIGN = 2  # heavier than any piece that may come or go there: something else was laid down or taken away
LAID_THERE = 6  # no heavier than a piece, where the rules let nobody lay one: a coin, the cuff of a sleeve
EXCHANGED = 8  # something was taken and something else put in its place, and no action does that
UNDONE_UNSEEN = 4  # what was drawn went back before a scale weighed anything
UNFELT = 5  # a single piece that should have moved the scale and did not: it may have been too light
DOUBTFUL_MAX_G = 1.2
HEAVY_DEVIATIONS, MOST_DEVIATIONS = 2.0, 4.5  # of what pieces weigh that went one by one: odd, and no longer possible
LIGHT_DEVIATIONS = 1.7  # one in twenty times two handfuls weigh less
RUN_MAX = 6  # steps of one act: nobody grabs more often
KNOWN_MAX = 4000  # a search asks the same of one scale again and again; a game asks for some 400 different things


LOADED_MIN_G = 2.0  # a few pieces or a heavy one, and more than a scale is off after hours


def loaded(observed: Observed) -> frozenset[str]:
    """Return the things on which something stands: they weigh more than they ever did at least."""
    return frozenset(
        thing
        for spot, things in observed.lying.items()
        if spot not in observed.moving and not observed.unweighed(spot)
        for thing in things
        if (observed.weighs_g(thing) or 0.0) - observed.bare_g.get(thing, 0.0) >= LOADED_MIN_G
    )


class Change(msgspec.Struct, frozen=True):
    """The effect of an action on a scale: so many pieces more or fewer on this spot."""

    spot: Spot
    pieces: int


def changes(before: Layout, after: Layout, exchanged: tuple[Spot, ...] = ()) -> tuple[Change, ...]:
    """Return what the scales should show from one layout to the next.

    On `exchanged` one piece goes and another comes.
    """
    was = {scale.name: scale for scale in before.scales}
    found = [Change(spot, pieces) for spot in exchanged for pieces in (-1, 1)]
    for scale in after.scales:
        old = was.get(scale.name)
        if old is not None and old.pieces != scale.pieces:
            found.append(Change(old.spot, scale.pieces - old.pieces))
    return tuple(found)


def _explains(change: Change, grams: float, kind: PieceKind) -> bool:
    pieces = abs(change.pieces)
    if (change.pieces > 0) != (grams > 0):
        return False
    return pieces * kind.lightest_g - STEP_ERROR_G <= abs(grams) <= pieces * kind.heaviest_g


def _weighs_g(change: Change, kind: PieceKind) -> tuple[float, float]:
    """The least and the most that a scale can become heavier by it."""
    light_g, heavy_g = change.pieces * kind.lightest_g, change.pieces * kind.heaviest_g
    return min(light_g, heavy_g), max(light_g, heavy_g)


def comes_to(change: Change, steps: Iterable[Step], kind: PieceKind) -> bool:
    """Return whether all these steps together may be this change, in whatever order; of no pieces.

    Whether nothing is left.
    A step so small that it may be the scale's own counts or not.
    """
    told = tuple(steps)
    total_g, own_g = sum(step.grams for step in told), sum(step.own_g for step in told)
    doubtful_g = sum(abs(step.grams) for step in told if abs(step.grams) < DOUBTFUL_MAX_G)
    light_g, heavy_g = _weighs_g(change, kind)
    error_g = own_g + doubtful_g + (STEP_ERROR_G if change.pieces else DOUBTFUL_MAX_G)
    return light_g - error_g <= total_g <= heavy_g + error_g


def is_own(step: Step) -> bool:
    """Return whether it may be nothing but a zero that wandered while nobody listened."""
    return step.bridged and abs(step.grams) <= step.own_g


def _left_over(step: Step) -> int:
    """Return what a step costs that no action explains."""
    if is_own(step):
        return 0
    if step.free:
        return FREE
    return DOUBTFUL if abs(step.grams) < DOUBTFUL_MAX_G + step.own_g else UNEXPLAINED


def is_heavy(step: Step, piece: PieceMass) -> bool:
    """Return whether a step took more off a scale than a handful of pieces should weigh, as far as nobody said why."""
    return not step.joined and -step.grams > piece.most_g(piece.kind.handful, HEAVY_DEVIATIONS)


def may_be_several(step: Step, piece: PieceMass) -> bool:
    """Return whether a step took as much off a scale as two handfuls of light pieces may weigh."""
    return not step.joined and -step.grams >= piece.most_g(2 * piece.kind.handful, -LIGHT_DEVIATIONS)


def own_in_silence(steps: Iterable[Step]) -> dict[Spot, float]:
    """Return how far scales may have wandered in silences after which they showed no more than that."""
    return {step.spot: step.own_g for step in steps if is_own(step)}


def may_be_unseen(change: Change, own_g: float, kind: PieceKind) -> bool:
    """Return whether a scale that may have wandered so far may show nothing of it."""
    return abs(change.pieces) * kind.lightest_g - STEP_ERROR_G <= own_g


class _Pairing:
    """The cheapest pairing of the changes from `i` on with the steps from `j` on, each asked once."""

    def __init__(
        self, changes: list[Change], steps: list[Step], piece: PieceMass, *, silent: bool, parts: bool = True
    ) -> None:
        self._piece = piece
        self._silent = silent
        self._parts = parts
        self._changes = changes
        self._steps = steps
        self._known: dict[tuple[int, int], int] = {}

    def cost(self, i: int = 0, j: int = 0) -> int:
        """0 when they explain each other."""
        if (i, j) not in self._known:
            self._known[i, j] = min(self._ways(i, j), default=0)
        return self._known[i, j]

    def _ways(self, i: int, j: int) -> Iterator[int]:
        if i < len(self._changes):
            change = self._changes[i]
            unfelt = 0 if self._silent else UNFELT if abs(change.pieces) == 1 else UNEXPLAINED
            yield unfelt + self.cost(i + 1, j)
            yield from self._explained(i, j)
            yield from self._come_to_nothing(i, j) if not self._steps else ()
            yield from self._in_parts(i, j) if self._parts else ()
        if j < len(self._steps):
            yield from self._done_in_silence(i, j)
            yield from self._in_one_go(i, j)
            yield _left_over(self._steps[j]) + self.cost(i, j + 1)
            yield from self._put_back(i, j)

    def _come_to_nothing(self, i: int, j: int) -> Iterator[int]:
        """The next change is undone by the one after it: drawn on somebody's knees, and as much given back there."""
        both = self._changes[i : i + 2]
        if len(both) == 2 and both[0].pieces < 0 < both[1].pieces:
            (light_g, heavy_g), (back_least_g, back_most_g) = (_weighs_g(one, self._piece.kind) for one in both)
            if light_g + back_least_g <= SAME_G and heavy_g + back_most_g >= -SAME_G:
                yield UNDONE_UNSEEN + self.cost(i + 2, j)

    def _put_back(self, i: int, j: int) -> Iterator[int]:
        """The next steps undid this one, or the next put something else on than this one took off.

        What was put back too much goes at once. That several steps come to nothing may be chance.
        """
        for end, told in self._runs(j):
            if abs(sum(told)) <= SAME_G and (self._parts or (len(told) == 2 and told[0] < 0)):
                by_chance = len(told) > 2 and any(step.free for step in self._steps[j:end])
                undone = TAKEN_BACK if len(told) == 2 else IN_PARTS
                yield undone + FREE * by_chance + self.cost(i, end)
            elif len(told) == 2 and -self._piece.kind.heaviest_g <= told[0] < 0 < told[1]:
                yield EXCHANGED + self.cost(i, end)

    def _in_parts(self, i: int, j: int) -> Iterator[int]:
        """The change is what the next steps come to together, be some of them the other way or the pieces few."""
        change = self._changes[i]
        for end, told in self._runs(j):
            if not _explains(change, sum(told), self._piece.kind):
                continue
            if min(told) < 0 < max(told):
                yield IN_PARTS + self._too_heavy(change, sum(told)) + self.cost(i + 1, end)
            elif len(told) <= abs(change.pieces) <= self._piece.kind.handful:
                yield self._in_grabs(abs(change.pieces), abs(sum(told))) + self.cost(i + 1, end)

    def _too_heavy(self, change: Change, grams: float) -> int:
        """Return what it costs that a draw comes to so much: more than its pieces can weigh was more than one draw."""
        drawn = -change.pieces
        return UNEXPLAINED if 0 < drawn <= self._piece.kind.handful and self._is_beyond(drawn, -grams) else 0

    def _is_beyond(self, pieces: int, grams: float) -> bool:
        """Return whether so many pieces cannot weigh that much together."""
        return grams > self._piece.most_g(pieces, MOST_DEVIATIONS)

    def _in_grabs(self, pieces: int, grams: float) -> int:
        """Return what it costs that so many pieces, which weigh that together, went one by one."""
        if self._is_beyond(pieces, grams):
            return UNEXPLAINED
        return HEAVY_GRABS if grams > self._piece.most_g(pieces, HEAVY_DEVIATIONS) else IN_GRABS

    def _runs(self, j: int) -> Iterator[tuple[int, list[float]]]:
        """Two steps or more from the `j`-th on that are no scale's own: where each run of them ends, and its grams."""
        told: list[float] = []
        for end, step in enumerate(self._steps[j:], start=j + 1):
            if is_own(step):
                continue
            told.append(step.grams)
            if len(told) > RUN_MAX:
                return
            if len(told) > 1:
                yield end, told

    def _done_in_silence(self, i: int, j: int) -> Iterator[int]:
        """A step across a silence is what the next changes, one or several, make together."""
        step = self._steps[j]
        if not step.bridged:
            return
        error_g = STEP_ERROR_G + step.own_g
        least_g = most_g = 0.0
        for end, change in enumerate(self._changes[i:], start=i + 1):
            light_g, heavy_g = _weighs_g(change, self._piece.kind)
            least_g, most_g = least_g + light_g, most_g + heavy_g
            if least_g - error_g <= step.grams <= most_g + error_g:
                yield self._together(i, end) + self.cost(end, j + 1)

    def _in_one_go(self, i: int, j: int) -> Iterator[int]:
        """The step is what the next draws come to together; one of them alone where it is no heavier than that."""
        step, pieces = self._steps[j], 0
        if step.bridged or not may_be_several(step, self._piece):
            return
        cost = IN_ONE_GO if is_heavy(step, self._piece) else IN_A_LIGHT_GO
        for end, change in enumerate(self._changes[i:], start=i + 1):
            pieces -= change.pieces
            if not 0 < -change.pieces <= self._piece.kind.handful:
                return
            if end > i + 1 and not self._is_beyond(pieces, -step.grams):
                yield cost * (end - i - 1) + self.cost(end, j + 1)

    def _together(self, i: int, end: int) -> int:
        """Return what it costs that so many changes are one step: an exchange costs nothing, it is one act."""
        lighter = sum(change.pieces < 0 for change in self._changes[i:end])
        return TOGETHER * (max(lighter, end - i - lighter) - 1)

    def _explained(self, i: int, j: int) -> Iterator[int]:
        """The change is what one of the next steps shows, or several of them together."""
        change = self._changes[i]
        total_g, is_handful = 0.0, abs(change.pieces) <= self._piece.kind.handful
        for end, step in enumerate(self._steps[j:], start=j + 1):
            if (step.grams > 0) != (change.pieces > 0) or (end > j + 1 and is_handful):
                return
            total_g += step.grams
            if _explains(change, total_g, self._piece.kind):
                is_faint = end == j + 1 and step.others and abs(total_g) < DOUBTFUL_MAX_G
                yield FAINT * bool(is_faint) + self._too_heavy(change, total_g) + self.cost(i + 1, end)


def pairing_cost(changes: list[Change], steps: list[Step], piece: PieceMass, *, silent: bool = False) -> int:
    """Return the cost of the cheapest pairing of all changes and steps of one scale; 0 when they explain each other.

    `silent`: the scale cannot have shown every change; what it did show still needs an explanation.
    """
    return _cheapest(tuple(changes), tuple(steps), piece, silent=silent)


@lru_cache(maxsize=KNOWN_MAX)
def _cheapest(changes: tuple[Change, ...], steps: tuple[Step, ...], piece: PieceMass, *, silent: bool) -> int:
    return _Pairing(list(changes), list(steps), piece, silent=silent).cost()


def in_parts(changes: list[Change], steps: list[Step], piece: PieceMass) -> bool:
    """Return whether the cheapest pairing has an act that came in parts.

    It may have been another one, several, or none.
    So may what came and went again, be it as much: a piece too many that was put back, and one that was drawn next.
    """
    whole = _Pairing(changes, steps, piece, silent=False, parts=False)
    return pairing_cost(changes, steps, piece) < whole.cost()


def may_be_fewer(changes: list[Change], steps: list[Step], piece: PieceMass) -> bool:
    """Return whether several draws weigh no more than one fewer does on average.

    Its pieces may have been taken one by one.
    """
    draws = [-change.pieces for change in changes if 1 < -change.pieces <= piece.kind.handful]
    taken_g = -sum(step.grams for step in steps if step.grams < 0)
    if len(draws) < 2 or any(step.bridged or step.free for step in steps):
        return False
    return taken_g <= piece.most_g(sum(draws) - max(draws))


def learned(changes: list[Change], steps: list[Step], piece: PieceMass) -> PieceMass:
    """Return what pieces weigh, with what these changes and steps of all scales add to it.

    Those that were only taken from.
    """
    for spot in {change.spot for change in changes}:
        pieces = [change.pieces for change in changes if change.spot == spot]
        told = [step for step in steps if step.spot == spot]
        clear = not any(step.bridged or step.free or step.others for step in told)
        if told and clear and max(pieces) < 0 and max(step.grams for step in told) < 0:
            piece = piece.seen(-sum(pieces), -sum(step.grams for step in told))
    return piece


def taken_g(per_act: Sequence[Sequence[Change]], steps: Sequence[Step]) -> list[float | None]:
    """Return how many grams each act took off the one scale that it made lighter; None where nothing shows that.

    Where acts and steps are not one to one, each act has its share of what went. What came back was taken too much,
    unless an act gives back on that scale.
    """
    found: list[float | None] = [None] * len(per_act)
    takers = {k: acts[0].spot for k, acts in enumerate(per_act) if len(acts) == 1 and acts[0].pieces < 0}
    for spot in set(takers.values()):
        acts = [k for k, at in takers.items() if at == spot]
        told = [step for step in steps if step.spot == spot and not is_own(step)]
        took = [-step.grams for step in told if step.grams < 0]
        if not took or any(step.bridged or step.free for step in told):
            continue
        gives_back = any(change.spot == spot and change.pieces > 0 for act in per_act for change in act)
        left_g = sum(took) if gives_back else -sum(step.grams for step in told)
        one_to_one = len(took) == len(acts) and (gives_back or len(took) == len(told))
        for n, k in enumerate(acts):
            grams = took[n] if one_to_one else left_g / len(acts)
            found[k] = grams if grams > 0 else None
    return found


def left_over(changes: list[Change], steps: list[Step], piece: PieceMass) -> tuple[Step, ...]:
    """The steps, as few as can be and one after the other, without which these changes explain the others best."""
    runs = [(j, end) for j in range(len(steps)) for end in range(j + 1, len(steps) + 1)]
    costs = {(j, end): pairing_cost(changes, steps[:j] + steps[end:], piece) for j, end in runs}
    j, end = min(runs, key=lambda run: (costs[run], run[1] - run[0]))
    return tuple(steps[j:end])


def unexplained_steps(
    expected: list[Change],
    steps: Sequence[Step],
    piece: PieceMass,
    holds: Mapping[Spot, int],
    silent: frozenset[Spot] = frozenset(),
    foreign_g: Mapping[Spot, float] = MappingProxyType({}),
) -> dict[Spot, int]:
    """The cost of pairing changes and steps, by spot; scales on which all is explained are left out.

    `holds` are the scales concerned, with how many pieces they hold at most; `foreign_g` is what lay there before and
    belongs to no game.
    """
    concerned = {change.spot for change in expected} | {step.spot for step in steps}
    costs = {}
    for spot in holds.keys() & concerned:
        told, lay_g = [step for step in steps if step.spot == spot], foreign_g.get(spot, 0.0)
        own = _without_foreign(told, most_g(holds[spot], piece.kind), lay_g)
        changed = [change for change in expected if change.spot == spot]
        foreign = FOREIGN if own != told else 0
        is_covered = spot in silent or is_under_foreign(told, most_g(holds[spot], piece.kind), lay_g)
        least = pairing_cost(changed, own, piece, silent=is_covered)
        if holds[spot] < piece.kind.handful:
            least = min((least, *_with_something_laid(changed, own, piece, holds[spot])))
        costs[spot] = least + foreign
    return {spot: cost for spot, cost in costs.items() if cost}


def most_g(pieces: int, kind: PieceKind) -> float:
    """Return what a scale that holds so many pieces at most never becomes heavier or lighter by, by an act."""
    return (pieces + 1) * kind.heaviest_g


def is_under_foreign(steps: Sequence[Step], act_most_g: float, lay_g: float) -> bool:
    """Return whether something came to a scale that no pieces weigh, and is there yet: a piece may lie below it."""
    foreign = _foreign(steps, act_most_g)
    shows = any(DOUBTFUL_MAX_G < step.grams <= act_most_g for step in steps)
    return bool(foreign) and not shows and lay_g + sum(step.grams for step in foreign) > act_most_g


def _foreign(steps: Sequence[Step], act_most_g: float) -> list[Step]:
    """Return the steps that no pieces make."""
    return [step for step in steps if abs(step.grams) > act_most_g and not step.bridged]


def _with_something_laid(changes: list[Change], steps: list[Step], piece: PieceMass, pieces: int) -> Iterator[int]:
    """Yield what it costs that one of the steps is of something that belongs to no game.

    Where no `pieces` are, it may be of a hand that was there when it was first weighed. A hand that leans a little
    while it lays something there makes the thing heavier than it is when it goes again.
    """
    for k, (came, went) in enumerate(pairwise(steps)):
        if went.grams < 0 < came.grams and abs(came.grams + went.grams) < DOUBTFUL_MAX_G:
            yield TAKEN_BACK + DOUBTFUL + pairing_cost(changes, steps[:k] + steps[k + 2 :], piece)
    for k, step in enumerate(steps):
        if (step.grams > DOUBTFUL_MAX_G or (step.grams < -DOUBTFUL_MAX_G and not pieces)) and not step.bridged:
            yield LAID_THERE + pairing_cost(changes, steps[:k] + steps[k + 1 :], piece)


def foreign_load_g(changes: list[Change], steps: list[Step], piece: PieceMass, lay_g: float) -> float:
    """Return what lies on a scale that belongs to no game, after these steps and what these changes explain of them.

    `lay_g` is what lay there before. A scale that wandered a little carries nothing.
    """
    over = left_over(changes, steps, piece) if steps else ()
    rest = [step for step in steps if step not in over]
    is_better = pairing_cost(changes, rest, piece) < pairing_cost(changes, steps, piece)
    load_g = lay_g + (sum(step.grams for step in over) if is_better else 0.0)
    return load_g if load_g > DOUBTFUL_MAX_G else 0.0


def _without_foreign(steps: list[Step], act_most_g: float, lay_g: float) -> list[Step]:
    """Return the steps of pieces, without those that no pieces make: a glass on a park is no act.

    What such steps come to together may be a piece: it came under a hand that leaned there, or in place of the glass,
    which may have lain there before.
    """
    foreign = _foreign(steps, act_most_g)
    own = [step for step in steps if step not in foreign]
    there_g = lay_g if lay_g > act_most_g else 0.0
    left_g = there_g + sum(step.grams for step in foreign)
    if foreign and (there_g or len(foreign) > 1) and SAME_G < abs(left_g) <= act_most_g:
        own.append(dataclasses.replace(foreign[-1], grams=left_g))
    return own
