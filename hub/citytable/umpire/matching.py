"""Matching: how far an observed table is from a layout, and what the layout's unknowns turn out to be."""

from collections import Counter
from itertools import takewhile, zip_longest

import msgspec

from citytable.table.layout import Layout, Region, Unknown
from citytable.table.spot import Spot
from citytable.umpire.observed import Observed, Step

PIECE_MASS_MIN_G = 0.44  # the lightest piece of the house set
STEP_ERROR_G = 0.25  # of a step on a 3 kg cell
HANDFUL = 3  # pieces that go into the bag at once
PIECE_MASS_MAX_G = 18.0  # the heaviest piece anybody reported, with room

# what a difference between table and layout costs an explanation; below UNEXPLAINED the table agrees
UNEXPLAINED = 10  # one thing that is not where it should be, one step of a scale that no action makes
IMPOSSIBLE = 20  # a thing seen in two places at once, beside being where it should not be
TAKEN_BACK = 1  # two steps on a scale of which the second undid the first: something was put back
EXCHANGED = 3  # two steps of opposite sign that differ: one monument for another
DOUBTFUL = 3  # a step so small that it may be a scale's own: nobody can put it right
DOUBTFUL_MAX_G = 1.2
UNFELT = 5  # a single piece that should have moved a scale and did not: it may have been too light
SAME_G = 0.5  # two weighings of the same thing differ by less


class RegionMatch(msgspec.Struct, frozen=True):
    """One region against the table: what is not there, what is too much and where, and what its unknowns are."""

    region: Region
    missing: tuple[str, ...] = ()
    unexpected: tuple[tuple[Spot, str], ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()

    @property
    def mismatch(self) -> int:
        """The cost of things that are not where they should be. Late things and unheard spots contradict nothing."""
        return UNEXPLAINED * (len(self.unexpected) + (0 if self.region.late else len(self.missing)))


def _bind(
    unknowns: tuple[Unknown, ...], extra: list[tuple[Spot, str]]
) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """Give each unknown a thing that may be it; the names of unknowns for which none lies there come second."""
    bound, unbound = [], []
    for unknown in unknowns:
        found = next((item for item in extra if item[1] in unknown.among), None)
        if found is None:
            unbound.append(unknown.name)
        else:
            extra.remove(found)
            bound.append((unknown.name, found[1]))
    return tuple(bound), unbound


def match_region(region: Region, observed: Observed) -> RegionMatch:
    """Compare one region; spots of silent stations may hold anything."""
    lying = [(spot, thing) for spot in region.spots for thing in sorted(observed.at(spot))]
    wanted = Counter(region.things)
    extra: list[tuple[Spot, str]] = []
    for spot, thing in lying:
        if wanted[thing]:
            wanted[thing] -= 1
        else:
            extra.append((spot, thing))
    bindings, unbound = _bind(region.unknowns, extra)
    missing = [*wanted.elements(), *unbound]
    unheard = sum(observed.unheard(spot) for spot in region.spots) if observed.silent else 0
    return RegionMatch(region, tuple(missing[unheard:]), tuple(extra), bindings)


def _is_hidden(thing: str, layout: Layout) -> bool:
    return any(thing in hidden.things for hidden in layout.hidden)


class LayoutMatch(msgspec.Struct, frozen=True):
    """A layout against the table, region by region; only regions that differ or bind are kept."""

    mismatch: int
    differing: tuple[RegionMatch, ...]
    bindings: dict[str, str]


class Matcher:
    """Matches many layouts against one observed table: layouts share most of their regions, each is matched once."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self._by_id: dict[int, tuple[Region, RegionMatch]] = {}

    def _region(self, region: Region) -> RegionMatch:
        known = self._by_id.get(id(region))  # hashing a region costs more than matching it; layouts reuse the objects
        if known is None:
            found = match_region(region, self._observed)
            self._by_id[id(region)] = (region, found)  # the region is kept, so its id cannot be used again
            return found
        return known[1]

    def match(self, layout: Layout) -> LayoutMatch:
        """Compare a whole layout."""
        mismatch = 0
        differing = []
        bindings: dict[str, str] = {}
        for region in layout.regions:
            found = self._region(region)
            mismatch += found.mismatch
            bindings.update(found.bindings)
            if found.missing or found.unexpected:
                differing.append(found)
        if layout.hidden and differing:
            seen = [thing for found in differing for _, thing in found.unexpected]
            mismatch += IMPOSSIBLE * sum(_is_hidden(thing, layout) for thing in seen)
        return LayoutMatch(mismatch, tuple(differing), bindings)


class Change(msgspec.Struct, frozen=True):
    """What an action does to a scale: so many pieces more or fewer on this spot."""

    spot: Spot
    pieces: int


def changes(before: Layout, after: Layout) -> tuple[Change, ...]:
    """What the scales should show when the table goes from one layout to the next."""
    was = {scale.name: scale for scale in before.scales}
    found = []
    for scale in after.scales:
        old = was.get(scale.name)
        if old is not None and old.pieces != scale.pieces:
            found.append(Change(old.spot, scale.pieces - old.pieces))
    return tuple(found)


def _explains(change: Change, grams: float) -> bool:
    pieces = abs(change.pieces)
    if (change.pieces > 0) != (grams > 0):
        return False
    return pieces * PIECE_MASS_MIN_G - STEP_ERROR_G <= abs(grams) <= pieces * PIECE_MASS_MAX_G


def _handfuls(change: Change, following: Change | None, steps: list[Step]) -> int:
    """How many of the next steps make up a change; 0 when they do not. More than a handful may come in several."""
    if not steps or not _explains(change, steps[0].grams):
        return 0
    if abs(change.pieces) <= HANDFUL or (following is not None and (following.pieces > 0) == (change.pieces > 0)):
        return 1
    run = list(takewhile(lambda step: (step.grams > 0) == (change.pieces > 0), steps))
    return len(run) if _explains(change, sum(step.grams for step in run)) else 1


def _unpaired(expected: list[Change], steps: list[Step]) -> int:
    """The cost of what is left when changes are explained by steps in order, as far as that goes."""
    done = used = 0
    for change, following in zip_longest(expected, expected[1:]):
        count = _handfuls(change, following, steps[used:])
        if not count:
            break
        done, used = done + 1, used + count
    left, over = expected[done:], steps[used:]
    if not over and len(left) == 1 and abs(left[0].pieces) == 1:
        return UNFELT
    if not left and all(abs(step.grams) < DOUBTFUL_MAX_G for step in over):
        return min(DOUBTFUL * len(over), UNEXPLAINED - 1)
    return UNEXPLAINED * (len(left) + len(over))


def _without_take_backs(steps: list[Step]) -> tuple[list[Step], int]:
    """Steps less neighbours of which one takes and the next gives back, and what leaving them out costs."""
    kept: list[Step] = []
    cost = 0
    for step in steps:
        if kept and kept[-1].grams < 0 < step.grams:
            same = abs(kept.pop().grams + step.grams) <= SAME_G
            cost += TAKEN_BACK if same else EXCHANGED
        else:
            kept.append(step)
    return kept, cost


def unexplained_steps(expected: list[Change], steps: list[Step], spots: frozenset[Spot]) -> dict[Spot, int]:
    """The cost of expected changes and seen steps that stay unexplained, by spot; where all is explained none.

    One change, one step, in order: a hand in the bag keeps the scale moving, so what one action takes is one step; only
    what is more than a handful may come in several.
    Something taken and put back needs no explanation, but one without it is preferred.
    """
    unexplained: dict[Spot, int] = {}
    for spot in spots:
        mine = [change for change in expected if change.spot == spot]
        seen = [step for step in steps if step.spot == spot]
        cost = _unpaired(mine, seen)
        if cost:
            kept, taken_back = _without_take_backs(seen)
            cost = min(cost, _unpaired(mine, kept) + taken_back)
        if cost:
            unexplained[spot] = cost
    return unexplained
