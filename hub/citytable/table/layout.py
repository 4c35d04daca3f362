"""Layouts: how the table should look. A game writes them, the umpire and the lights read them."""

from functools import cached_property

import msgspec

from citytable.table.spot import Spot


class Unknown(msgspec.Struct, frozen=True):
    """A thing not seen yet: one of `among`. Matching binds `name` to the thing found there."""

    name: str
    among: frozenset[str]


class Region(msgspec.Struct, frozen=True):
    """Interchangeable spots that together hold exactly `things` and one thing per unknown, in any order.

    In these cases something missing is no contradiction. `late`: people still have to lay these things out.
    `looked_at`: people take these things into the hand to look at them. `fetched`: people bring these things here from
    elsewhere, and may keep one in a lap on the way, until it has lain here once. `filled_late`: people may forget to
    lay out things not seen yet, and the game goes on without them. `backs`: things that no act turns over, each with
    the reading of its other side: if that is read, somebody is looking at the thing.
    """

    spots: tuple[Spot, ...]
    things: tuple[str, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    late: bool = False
    looked_at: bool = False
    fetched: bool = False
    filled_late: bool = False
    backs: tuple[tuple[str, str], ...] = ()


NOWHERE = Region(())


class Scale(msgspec.Struct, frozen=True):
    """The number of building pieces that should weigh on a spot, such as the bag's on its cradle."""

    name: str
    spot: Spot
    pieces: int


class Light(msgspec.Struct, frozen=True):
    """The role that the ring of a spot shows, never a colour. `seat` is set if the role belongs to a player."""

    spot: Spot
    role: str
    seat: int | None = None


class Hidden(msgspec.Struct, frozen=True):
    """Things at a spot that no reader reaches, as all cards of a column except the top one."""

    spot: Spot
    things: frozenset[str]


class Layout(msgspec.Struct, frozen=True, dict=True):
    """The whole table in one state of a game. Every spot that a game uses is in exactly one region.

    `done_with` are things that are out of play now; one that is still on the table is no contradiction. `loose` are
    things that people keep where they like, so their places are never wrong.
    """

    regions: tuple[Region, ...]
    hidden: tuple[Hidden, ...] = ()
    done_with: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    scales: tuple[Scale, ...] = ()
    lights: tuple[Light, ...] = ()

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each region, by its id: layouts share most of theirs as objects, and comparing them is slow."""
        return {id(region): place for place, region in enumerate(self.regions)}

    @cached_property
    def by_spots(self) -> dict[tuple[Spot, ...], Region]:
        """The regions by their spots."""
        return {region.spots: region for region in self.regions}

    @cached_property
    def open_region(self) -> Region | None:
        """The first region with things not seen yet; None where all were."""
        return next((one for one in self.regions if one.unknowns), None)

    @cached_property
    def is_filled_late(self) -> bool:
        """True where something that people may lay down late was not seen yet."""
        return any(region.filled_late and region.unknowns for region in self.regions)

    @cached_property
    def _by_spot(self) -> dict[Spot, Region]:
        return {spot: region for region in reversed(self.regions) for spot in region.spots}

    def region_of(self, spot: Spot) -> Region:
        """Return the region of a spot, or an empty one if the game does not use the spot."""
        return self._by_spot.get(spot, NOWHERE)

    def unlike(self, other: "Layout") -> list[Region]:
        """Return the regions that the other layout does not share, in their order."""
        return [self.regions[place] for place in sorted(self.places[no] for no in self.places.keys() - other.places)]

    @cached_property
    def taken_to(self) -> frozenset[Spot]:
        """The spots to which people bring things from elsewhere, also those that they take into the hand again."""
        return self.fetched_to.union(spot for region in self.regions if region.looked_at for spot in region.spots)

    @cached_property
    def fetched_to(self) -> frozenset[Spot]:
        """The spots to which people bring things from elsewhere."""
        return frozenset(spot for region in self.regions if region.fetched for spot in region.spots)
