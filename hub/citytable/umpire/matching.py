"""Matching: how much an observed table differs from a layout, and which things the layout's unknowns are."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import msgspec

from citytable.table.layout import Layout, Region, Unknown
from citytable.table.spot import Spot
from citytable.umpire.observed import UNREGISTERED, Observed, has_lain

# what a difference between table and layout costs an explanation; below UNEXPLAINED the table agrees
UNEXPLAINED = 10  # one thing in a wrong place, or one step of a scale that no action explains
REGIONS_KEPT = 2048  # a long turn asks for some hundreds
IN_A_HAND = 3  # a thing that people look at and that no reader sees
NOT_PUT_AWAY = 1  # a thing out of play that is still there
NOT_SEEN_YET = 2  # something that came up, or is still to be laid down, beside others of its place
TURNED_OVER = 2  # a thing in its place whose other side somebody looks at
NOT_NAMED = 1  # something that came up and is read now, but that no act has named
NOTHING = frozenset[str]()
IMPOSSIBLE = 20  # a thing seen in two places at once, in addition to its wrong place


class RegionMatch(msgspec.Struct, frozen=True, dict=True):
    """One region compared with the table: what is missing, what is surplus and where, and what its unknowns are.

    Late things and silent spots contradict nothing, nor do tags that nobody registered: a phone on the table.
    """

    region: Region
    missing: tuple[str, ...]
    unexpected: tuple[tuple[Spot, str], ...]
    bindings: tuple[tuple[str, str], ...]

    @cached_property
    def not_seen(self) -> tuple[str, ...]:
        """Return the names of the unknowns for which nothing is there, in regions that people fill up late."""
        if not self.region.filled_late:
            return ()
        names = {unknown.name for unknown in self.region.unknowns}
        return tuple(one for one in self.missing if one in names)

    @cached_property
    def turned(self) -> frozenset[str]:
        """Return the things that have their other side up, and the side that is read of each."""
        if not self.region.backs:
            return NOTHING
        extra = {thing for _, thing in self.unexpected}
        pairs = (pair for pair in self.region.backs if pair[0] in self.missing and pair[1] in extra)
        return frozenset(thing for pair in pairs for thing in pair)

    @property
    def has_others(self) -> bool:
        """True where something lies there that should."""
        return len(self.missing) < len(self.region.things) + len(self.region.unknowns)

    def bare(self, observed: Observed) -> frozenset[Spot]:
        """Return the spots on which a reader should see what is missing, and no longer sees anything."""
        empty = [spot for spot in self.region.spots if observed.lying.get(spot) == frozenset()]
        return frozenset(empty[: len(self.missing)])


def _bind(
    unknowns: tuple[Unknown, ...], extra: list[tuple[Spot, str]]
) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """Give each unknown a thing that it may be, and return the names of unknowns for which there is none."""
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
    """Compare one region; spots that nobody reads may hold anything, and what was read there last may be gone."""
    lying = [(spot, thing) for spot in region.spots for thing in sorted(observed.at(spot))]
    wanted = Counter(region.things)
    extra: list[tuple[Spot, str]] = []
    for spot, thing in lying:
        if wanted[thing]:
            wanted[thing] -= 1
        elif not observed.unread(spot):
            extra.append((spot, thing))
    bindings, unbound = _bind(region.unknowns, extra)
    missing = [*wanted.elements(), *unbound]
    unread = sum(map(observed.unread, region.spots)) if missing else 0
    return RegionMatch(region, tuple(missing[unread:]), tuple(extra), bindings)


def _place(there: tuple[int, RegionMatch]) -> int:
    return there[0]


class LayoutMatch(msgspec.Struct, frozen=True):
    """A layout compared with the table, region by region; it keeps only regions that differ or bind unknowns."""

    mismatch: int
    differing: tuple[RegionMatch, ...]
    bindings: dict[str, str]
    shown: frozenset[str] = frozenset()  # things that people look at, and that are elsewhere for a while


def _shown(differing: Sequence[RegionMatch]) -> frozenset[str]:
    """Return the missing ones of the things that one player looks at, if they are among another player's.

    Or beside a thing that somebody fetched, where they never belong.
    """
    missing = {thing for found in differing if found.region.looked_at for thing in found.missing}
    if not missing:
        return frozenset()
    there = (found for found in differing if found.region.looked_at or found.region.fetched)
    return frozenset(thing for found in there for _, thing in found.unexpected if thing in missing)


class _Look:
    """The results of comparing regions with the table as it once was."""

    def __init__(self, observed: Observed) -> None:
        self.lying = dict(observed.lying)
        self.silent = dict(observed.silent)
        self.unreadable = observed.unreadable()
        self.held = observed.held
        self.read = observed.read
        # hashing a region costs more than matching it; layouts reuse the objects, and one kept here keeps its id
        self.regions: dict[int, Region] = {}
        self.found: dict[int, RegionMatch] = {}  # where something differs or was unknown; the rest is as it should be
        self.layouts: dict[int, tuple[Layout, LayoutMatch]] = {}

    def reads_as(self, observed: Observed) -> bool:
        """Return whether the same spots are read now."""
        return (
            self.silent == observed.silent and self.unreadable == observed.unreadable() and self.held == observed.held
        )

    def changed(self, observed: Observed) -> set[Spot]:
        """The spots on which something else lies now."""
        spots = {spot for spot, things in observed.lying.items() if self.lying.get(spot) != things}
        return spots.union(self.lying.keys() - observed.lying.keys())

    def after(self, observed: Observed, changed: set[Spot]) -> "_Look":
        """Return the part that still holds after these spots changed."""
        look = _Look(observed)
        look.regions = {no: region for no, region in self.regions.items() if changed.isdisjoint(region.spots)}
        look.found = {no: found for no, found in self.found.items() if no in look.regions}
        return look


class Matches:
    """The last comparison with one table: little of it changes from message to message."""

    def __init__(self) -> None:
        self._last: _Look | None = None

    def matcher(self, observed: Observed) -> "Matcher":
        """Return a matcher for the table as it is now."""
        last = self._last
        if last is None or len(last.regions) > REGIONS_KEPT or not last.reads_as(observed):
            last = _Look(observed)
        elif changed := last.changed(observed):
            last = last.after(observed, changed)
        self._last = last
        return Matcher(observed, last)


class Matcher:
    """Compare many layouts with one observed table: they share most of their regions, so each is compared once."""

    def __init__(self, observed: Observed, look: _Look) -> None:
        self.observed = observed
        self._look = look

    def _learn(self, region: Region) -> None:
        """Note how a region differs, or what its unknowns are, if anything."""
        look = self._look
        look.regions[id(region)] = region
        if region.things or region.unknowns or any(map(self.observed.lying.get, region.spots)):
            found = match_region(region, self.observed)
            if found.missing or found.unexpected or found.bindings:
                look.found[id(region)] = found

    def match(self, layout: Layout) -> LayoutMatch:
        """Compare a whole layout."""
        known = self._look.layouts.get(id(layout))
        if known is None:
            known = self._look.layouts[id(layout)] = (layout, self._match(layout))
        return known[1]

    def _found(self, layout: Layout) -> list[RegionMatch]:
        """Return where something differs or was unknown, in the layout's order: that is little of it."""
        look, places = self._look, layout.places
        if not places.keys() <= look.regions.keys():
            for region in layout.regions:
                if id(region) not in look.regions:
                    self._learn(region)
        there = [(places[no], look.found[no]) for no in places.keys() & look.found]
        return [found for _, found in sorted(there, key=_place)]

    def _match(self, layout: Layout) -> LayoutMatch:
        differing = []
        bindings: dict[str, str] = {}
        mismatch = 0
        for found in self._found(layout):
            bindings.update(found.bindings)
            if found.missing or found.unexpected:
                differing.append(found)
            mismatch += NOT_NAMED * len(found.bindings) if found.region.filled_late else 0
        shown = _shown(differing)
        mismatch += IN_A_HAND * len(shown)
        mismatch += sum(self._missing_cost(found, shown, layout) for found in differing if found.missing)
        if differing:
            below = {thing for hidden in layout.hidden for thing in hidden.things}
            unexpected = (found for found in differing if found.unexpected)
            mismatch += sum(self._unexpected_cost(found, below, shown, layout) for found in unexpected)
        return LayoutMatch(mismatch, tuple(differing), bindings, shown)

    def _missing_cost(self, found: RegionMatch, shown: frozenset[str], layout: Layout) -> int:
        """Return what the things cost that should be in a region and are not read there."""
        missing = [thing for thing in found.missing if thing not in self._look.held]
        if found.region.late:  # what has lain there is laid out
            missing = [thing for thing in missing if has_lain(self.observed, thing, found.region.spots)]
        not_seen = found.not_seen if found.has_others else ()
        if found.region.filled_late:  # things that people say came up, and have not laid there yet
            known = self._look.read.union(found.not_seen)
            unseen = (one for one in found.missing if one not in known)
            not_seen += tuple(one for one in unseen if not has_lain(self.observed, one, found.region.spots))
        there = {*not_seen, *shown, *found.turned}
        absent = [self._absent_cost(found.region, thing, layout) for thing in missing if thing not in there]
        return NOT_SEEN_YET * len(not_seen) + sum(absent)

    def _absent_cost(self, region: Region, thing: str, layout: Layout) -> int:
        if thing in self._look.read:
            return UNEXPLAINED
        on_its_way = self.observed.on_its_way(thing, region, layout)
        return IN_A_HAND if region.looked_at or on_its_way else UNEXPLAINED

    def _unexpected_cost(self, found: RegionMatch, below: set[str], shown: frozenset[str], layout: Layout) -> int:
        """Return what the things cost that are read in a region and should not be there.

        `below` are those that lie out of every reader's field.
        """
        lifted = bool(found.region.things) and self._look.held.issuperset(found.region.things)
        cost, turned = 0, found.turned
        for _, thing in found.unexpected:
            if thing in layout.loose or thing in shown:
                continue
            if thing in layout.done_with:
                cost += NOT_PUT_AWAY
            elif thing in turned:
                cost += TURNED_OVER
            elif not thing.startswith(UNREGISTERED) and not (lifted and thing in below):
                cost += UNEXPLAINED + (IMPOSSIBLE if thing in below else 0)
        return cost
