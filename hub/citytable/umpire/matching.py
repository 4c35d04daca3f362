"""Matching: how far an observed table is from a layout, and what the layout's unknowns turn out to be."""

from collections import Counter

import msgspec

from citytable.table.layout import Layout, Region, Unknown
from citytable.table.spot import Spot
from citytable.umpire.observed import UNREGISTERED, Observed

# what a difference between table and layout costs an explanation; below UNEXPLAINED the table agrees
UNEXPLAINED = 10  # one thing that is not where it should be, one step of a scale that no action makes
REGIONS_KEPT = 2048  # a long turn asks for some hundreds
IMPOSSIBLE = 20  # a thing seen in two places at once, beside being where it should not be


class RegionMatch(msgspec.Struct, frozen=True):
    """One region against the table: what is not there, what is too much and where, and what its unknowns are."""

    region: Region
    missing: tuple[str, ...] = ()
    unexpected: tuple[tuple[Spot, str], ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()

    @property
    def mismatch(self) -> int:
        """The cost of things that are not where they should be.

        Late things and unheard spots contradict nothing, nor do tags that nobody registered: a phone on the table.
        """
        known = sum(not thing.startswith(UNREGISTERED) for _, thing in self.unexpected)
        return UNEXPLAINED * (known + (0 if self.region.late else len(self.missing)))


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
    """Compare one region; spots that nobody reads may hold anything."""
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
    unread = sum(map(observed.unread, region.spots)) if missing else 0
    return RegionMatch(region, tuple(missing[unread:]), tuple(extra), bindings)


def _is_hidden(thing: str, layout: Layout) -> bool:
    return any(thing in hidden.things for hidden in layout.hidden)


class LayoutMatch(msgspec.Struct, frozen=True):
    """A layout against the table, region by region; only regions that differ or bind are kept."""

    mismatch: int
    differing: tuple[RegionMatch, ...]
    bindings: dict[str, str]


class _Look:
    """Regions as they were matched against what lay on the table once."""

    def __init__(self, observed: Observed) -> None:
        self.lying = dict(observed.lying)
        self.silent = dict(observed.silent)
        # hashing a region costs more than matching it; layouts reuse the objects, and one kept here keeps its id
        self.regions: dict[int, Region] = {}
        self.found: dict[int, RegionMatch] = {}  # where something differs or was unknown; else all is as it should be
        self.layouts: dict[int, tuple[Layout, LayoutMatch]] = {}

    def changed(self, observed: Observed) -> set[Spot]:
        """The spots on which something else lies now."""
        spots = {spot for spot, things in observed.lying.items() if self.lying.get(spot) != things}
        return spots.union(self.lying.keys() - observed.lying.keys())

    def after(self, observed: Observed, changed: set[Spot]) -> "_Look":
        """What of it still holds after these spots changed."""
        look = _Look(observed)
        look.regions = {no: region for no, region in self.regions.items() if changed.isdisjoint(region.spots)}
        look.found = {no: found for no, found in self.found.items() if no in look.regions}
        return look


class Matches:
    """What was matched last, of one table: from message to message little of it changes."""

    def __init__(self) -> None:
        self._last: _Look | None = None

    def matcher(self, observed: Observed) -> "Matcher":
        """One for the table as it is now."""
        last = self._last
        if last is None or last.silent != observed.silent or len(last.regions) > REGIONS_KEPT:
            last = _Look(observed)
        elif changed := last.changed(observed):
            last = last.after(observed, changed)
        self._last = last
        return Matcher(observed, last)


class Matcher:
    """Matches many layouts against one observed table: layouts share most of their regions, each is matched once."""

    def __init__(self, observed: Observed, look: _Look) -> None:
        self.observed = observed
        self._look = look

    def _matched(self, region: Region) -> RegionMatch | None:
        """None where nothing differs and nothing was unknown, which is so of most."""
        look = self._look
        look.regions[id(region)] = region
        if region.things or region.unknowns or any(map(self.observed.lying.get, region.spots)):
            found = match_region(region, self.observed)
            if found.missing or found.unexpected or found.bindings:
                look.found[id(region)] = found
                return found
        return None

    def match(self, layout: Layout) -> LayoutMatch:
        """Compare a whole layout."""
        known = self._look.layouts.get(id(layout))
        if known is None:
            known = self._look.layouts[id(layout)] = (layout, self._match(layout))
        return known[1]

    def _match(self, layout: Layout) -> LayoutMatch:
        mismatch = 0
        differing = []
        bindings: dict[str, str] = {}
        regions, known = self._look.regions, self._look.found
        for region in layout.regions:
            no = id(region)
            found = known.get(no) if no in regions else self._matched(region)
            if found is None:
                continue
            mismatch += found.mismatch
            bindings.update(found.bindings)
            if found.missing or found.unexpected:
                differing.append(found)
        if layout.hidden and differing:
            seen = [thing for found in differing for _, thing in found.unexpected]
            mismatch += IMPOSSIBLE * sum(_is_hidden(thing, layout) for thing in seen)
        return LayoutMatch(mismatch, tuple(differing), bindings)
