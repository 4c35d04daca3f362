"""Clearing up: after a game, or instead of its end, everything goes back into the box and is counted on the way.

Rule 1: city, pads and card slots must become empty; the readers there and in the supply count what is put on them.
Rule 2: a component is counted when one of its tags is read after clearing up began, or if it was on the table then.
Rule 3: the bag must weigh as much as with all pieces in it, according to its weighings in this game.
Rule 4: nothing is inferred meanwhile: clearing up is not part of the game.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from citytable.table.checklist import BagBack, Checklist
from citytable.table.fact import Fact, Fell, TagCame
from citytable.table.plan import Plan, foreign_box
from citytable.table.spot import Spot
from citytable.table.status import Disagreement, Status
from citytable.umpire.observed import UNREGISTERED, Observed
from citytable.umpire.weights import EMPTY_MAX_G

WEIGHED_PIECES_MIN = 10
"""Between two weighings of the bag, from which the mass of a piece is known well enough."""
CRADLES_ERROR_G = 4.0
"""Of the difference between two weighings hours apart, perhaps on two cradles: both their zeros wander."""


class BagWeighed(msgspec.Struct, frozen=True):
    """The bag rested on a cradle at `mass_g` with so many pieces in it by the rules."""

    pieces: int
    mass_g: float


class FullBag(msgspec.Struct, frozen=True):
    """The mass of the bag with every piece in it, and the mean mass of a piece."""

    mass_g: float
    piece_g: float


def full_bag(first: BagWeighed, last: BagWeighed, pieces: int) -> FullBag | None:
    """Return what the bag weighs with all `pieces`, by two weighings of one game; None if these differ too little."""
    between = first.pieces - last.pieces
    piece_g = (first.mass_g - last.mass_g) / between if between else 0.0
    if abs(between) < WEIGHED_PIECES_MIN or piece_g <= 0:
        return None
    return FullBag(first.mass_g + (pieces - first.pieces) * piece_g, piece_g)


def cradle(observed: Observed) -> Spot | None:
    """The cradle on which the bag lies at rest."""
    for spot, things in observed.lying.items():
        if spot.endswith("/bag") and things and observed.mass_g.get(spot, 0.0) >= EMPTY_MAX_G:
            return spot if observed.weighed(spot) else None
    return None


def bag_back(observed: Observed, full: FullBag | None) -> BagBack:
    """Return how much of the bag's contents is back in it."""
    spot = cradle(observed)
    if spot is None:
        return BagBack()
    mass_g = observed.mass_g[spot]
    if full is None:
        return BagBack(round(mass_g, 1))
    short_g = full.mass_g - mass_g
    pieces = round(short_g / full.piece_g) if short_g > CRADLES_ERROR_G else 0
    return BagBack(round(mass_g, 1), round(short_g, 1), pieces)


def _to_be_empty(plan: Plan) -> tuple[Spot, ...]:
    """Return the spots that must become empty; things may be collected on the supply and on the cradles."""
    stations = (station for station in plan.stations if station.kind != "supply")
    return tuple(one.spot for station in stations for one in station.spots if not one.spot.endswith("/bag"))


def _left_lying(plan: Plan, observed: Observed) -> Iterator[Disagreement]:
    for spot in _to_be_empty(plan):
        if observed.unheard(spot):
            continue
        things = observed.at(spot)
        for thing in sorted(things):
            foreign = thing.startswith(UNREGISTERED)
            own = foreign_box(thing)[1]
            kind, name = ("unregistered", thing.removeprefix(UNREGISTERED)) if foreign else ("unexpected", own)
            yield Disagreement(kind=kind, spots=(spot,), thing=name)  # type: ignore[arg-type]  # one of two kinds
        if not things and observed.mass_g.get(spot, 0.0) >= EMPTY_MAX_G:
            yield Disagreement(kind="mass", spots=(spot,))


class Clearing:
    """The clearing up of one table. `component` names the component to which a tagged side belongs."""

    def __init__(self, plan: Plan, component: Callable[[str], str], observed: Observed, full: FullBag | None) -> None:
        self.plan = plan
        """The table's plan; tags may be enrolled into it meanwhile."""
        self._component = component
        self._full = full
        self._counted = {component(thing) for things in observed.lying.values() for thing in things}
        self._fresh: set[str] = set()  # counted since `take_counted` was last asked
        self._seen: list[Fact] = []
        self.closed = False
        """The host has ended it."""

    def take(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Count what is read, and return the facts for the observed table: a tower that falls now is no accident."""
        kept = tuple(fact for fact in facts if not isinstance(fact, Fell))
        read = {self._component(fact.thing) for fact in kept if isinstance(fact, TagCame) and fact.thing is not None}
        self._fresh |= read - self._counted
        self._counted |= read
        self._seen += kept
        return kept

    @property
    def seen(self) -> tuple[Fact, ...]:
        """Return the facts since clearing up began: they belong to the game only if it goes on."""
        return tuple(self._seen)

    def take_counted(self) -> tuple[str, ...]:
        """Return the components read for the first time since the last call; nothing once it is closed."""
        fresh, self._fresh = self._fresh, set()
        return () if self.closed else tuple(sorted(fresh))

    def recall(self, counted: Iterable[str]) -> None:
        """Take over the components that an earlier run of the hub has counted."""
        self._counted |= set(counted)

    def status(self, observed: Observed) -> Status:
        """Report everything that is still to be taken off the table, and off which spot."""
        return Status(tuple(_left_lying(self.plan, observed)))

    def _own_things(self) -> Iterator[str]:
        return (thing for thing in self.plan.tags.values() if not foreign_box(thing)[0])

    def checklist(self, observed: Observed) -> Checklist:
        """Report how far clearing up has come."""
        components = tuple(dict.fromkeys(self._component(thing) for thing in self._own_things()))
        unseen = tuple(one for one in components if one not in self._counted)
        weighs = any(plan.cells for spot, plan in self.plan.spot_plans().items() if spot.endswith("/bag"))
        return Checklist(
            lying=len({spot for one in self.status(observed).disagreements for spot in one.spots}),
            counted=len(components) - len(unseen),
            components=len(components),
            unseen=unseen,
            silent=tuple(sorted(observed.silent)),
            bag=bag_back(observed, self._full) if weighs else None,
            closed=self.closed,
        )
