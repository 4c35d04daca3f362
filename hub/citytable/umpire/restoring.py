"""Putting back: what the scales are still to show before the table is as it was after an entry.

Rule 1: what was drawn goes back into the bag and what was put in comes out: so many pieces, in whatever steps.
Rule 2: a scale on which nothing was to change shows in the end what it showed when the last action was confirmed.
Rule 3: nobody knows what a piece weighs, so half of them may look like all: what else comes into the bag after that,
        before anything comes out or is confirmed, is the rest.
Rule 4: who cannot be weighed is not waited for; that the table stays as it is people may always say.
"""

from collections.abc import Iterator, Mapping

from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.umpire.observed import Observed
from citytable.umpire.weighing import Change, comes_to


def owed(confirmed: Layout, target: Layout, already: Mapping[str, int]) -> dict[str, int]:
    """By scale, how many pieces more or fewer belong there than by the last confirmed layout; `already` were owed."""
    was = {scale.name: scale.pieces for scale in confirmed.scales}
    return {
        scale.name: already.get(scale.name, 0) + scale.pieces - was[scale.name]
        for scale in target.scales
        if scale.name in was
    }


def unshown(owing: Mapping[str, int], target: Layout, observed: Observed) -> tuple[Spot, ...]:
    """Where the scales do not show yet that everything is back."""
    return tuple(sorted(_unshown(owing, target, observed)))


def _unshown(owing: Mapping[str, int], target: Layout, observed: Observed) -> Iterator[Spot]:
    things = {spot: region.things for region in target.regions for spot in region.spots}
    for scale in target.scales:
        if scale.name not in owing or observed.unweighed(scale.spot):
            continue
        steps = [step for step in observed.steps if step.thing in things.get(scale.spot, ())]
        if not comes_to(Change(scale.spot, owing[scale.name]), steps):
            yield scale.spot


def into(owing: Mapping[str, int], target: Layout) -> frozenset[str]:
    """The things into which pieces go back."""
    spots = {scale.spot for scale in target.scales if owing.get(scale.name, 0) > 0}
    regions = (region for region in target.regions if spots.intersection(region.spots))
    return frozenset(thing for region in regions for thing in region.things)
