"""A position of Comeback City: everything the rules know, frozen.

The order of the deck is unknown, so that it is kept as a set. Counters lie on the buildings that earned them.
"""

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from citytable.games.comeback.places import Place

Phase: TypeAlias = Literal[
    "setup",  # before the first cards lie
    "laying",  # the last two cards of the set-up go on columns (CR1)
    "build",  # until 16 buildings stand (CR4-CR9)
    "disaster",  # from the draw of the disaster to its last step (CR10-CR19)
    "rebuild",  # action points (CR20-CR30)
    "end",
]


class Rulings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Switches where groups may differ; each defaults to the ruling it names."""

    goal_and_points: bool = False  # CA1: a win needs the goal and 65 points
    own_opportunity_pays: bool = False  # CA2
    discards_feed_pool: bool = True  # CA3
    empty_places_are_rolled_again: bool = True  # CA7
    discards_join_reshuffle: bool = False  # CA9
    limit_holds_in_rebuild: bool = True  # CA13
    occupied_buildings_score: bool = True  # CA17
    guard_comes_with_building: bool = False  # CA18


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is agreed before a game."""

    players: int = 1
    deck: str = "house"
    rulings: Rulings = Rulings()


class Building(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A card of the city. `counters` are the points that lie on it; `under` is the rubble it was built over.

    `freed`: it was freed before, and brought its points then (CA28).
    """

    at: Place
    card: str
    counters: int = 0
    rubble: bool = False
    occupied: bool = False
    guarded: bool = False
    freed: bool = False
    under: str = ""


class Bonus(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A zoning bonus in play. It stays completed; `used` says for what its reward was taken (CR12)."""

    card: str
    completed: bool = False
    used: Literal["", "point", "helper"] = ""


class Position(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """The whole game. Sets of cards are sorted; `city` is sorted by column and row.

    `gone` are cards that have left the game, `hand` the two cards of the set-up that still go on columns, `current` is
    the card flipped last, neither built nor discarded nor passed. `discarded` are set aside for this building; after
    it, until the next flip, they may still leave the game (CR26). The pool holds the opportunity costs of `demolished`.
    `resolved`: the disaster has done its least. `rolled` are the blue and the white die until the target is chosen.
    `due` are the buildings that the giant bird destroys before anything else happens. `saved` are the counters of
    demolished buildings, in the order of `ZONES`. `built`: a building was constructed and no card was flipped since;
    `freed` and `guard_placed` tell what helpers did since then (CR29).
    """

    options: Options = Options()
    phase: Phase = "setup"
    deck: tuple[str, ...] = ()
    discard_pile: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    current: str = ""
    passed: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    demolished: tuple[str, ...] = ()
    city: tuple[Building, ...] = ()
    plant_works: bool = True
    broken_lines: tuple[int, ...] = ()
    broken_roads: tuple[int, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    disaster: Literal["", "aliens", "earthquake", "hurricane", "meteors", "giant_bird"] = ""
    resolved: bool = False
    rolled: tuple[int, ...] = ()
    centre: Place | None = None
    steps: int = 0
    meteors: tuple[Place, ...] = ()
    bird: Place | None = None
    hunger: int = 0
    due: int = 0
    action_points: int = 0
    saved: tuple[int, ...] = (0, 0, 0, 0)
    crew_used: bool = False
    built: bool = False
    freed: int = 0
    guard_placed: bool = False

    @cached_property
    def cells(self) -> dict[Place, Building]:
        """What stands where, which is looked up again and again; rubble counts."""
        return {building.at: building for building in self.city}
