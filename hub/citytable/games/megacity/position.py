"""A position of MegaCity: everything the rules know, frozen.

What nobody knows yet may stay unknown: materials of pieces (`Pieces.unknown`), how many a player holds
(`Pieces.maybe`), tiles of the stack. The bag's and the box's contents follow from the rest and are kept as counts only.
"""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.hexes import Hex

BuildingType: TypeAlias = Literal["public", "industrial", "commercial", "residential"]
Material: TypeAlias = Literal["steel", "concrete", "glass"]
TYPES: tuple[BuildingType, ...] = ("public", "industrial", "commercial", "residential")
MATERIALS: tuple[Material, ...] = ("steel", "concrete", "glass")

Phase: TypeAlias = Literal[
    "setup",  # before the deal
    "main",  # standard actions or DELIVER (R7); in the final decision RECYCLE or DELIVER (R41)
    "option",  # after a delivery that stood: park, monument, Central Park monument or nothing (R31)
    "over",  # the player can only pass the bag
    "end",  # the game is over
]


class Pieces(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Building pieces by material; `unknown` are pieces whose material is not known yet.

    The known counts are lower bounds: taking pieces of unknown material from a known hand makes the rest less known.
    How many a player holds may be a range: `maybe` more of unknown material may be there or not. A building and a
    monument are counted and have none.
    """

    steel: int = 0
    concrete: int = 0
    glass: int = 0
    unknown: int = 0
    maybe: int = 0

    @property
    def total(self) -> int:
        """Return how many pieces there are, at least."""
        return self.steel + self.concrete + self.glass + self.unknown

    @property
    def most(self) -> int:
        """Return how many pieces there are at most."""
        return self.total + self.maybe

    @property
    def guess(self) -> int:
        """Return the best guess of how many pieces there are: the middle of the range, rounded up."""
        return self.total + (self.maybe + 1) // 2


class Face(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A platform lying with one side up."""

    platform: int
    up: BuildingType


class Building(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A delivered platform with its building. `standing` False after it fell (A27)."""

    at: Hex
    face: Face
    owner: int
    contract: str
    pieces: Pieces
    height_mm: int
    standing: bool = True


class Park(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A park in the city; Central Park has no owner. `monument` is one piece or None."""

    at: Hex
    owner: int | None = None
    monument: Pieces | None = None


class Player(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player's play area. Seats count from 1. `pieces` include those on unfinished buildings (A6)."""

    pieces: Pieces = Pieces()
    contracts: tuple[str, ...] = ()  # open, sorted
    platforms: tuple[Face, ...] = ()  # undelivered, sorted by number
    completed: tuple[str, ...] = ()  # in the order of completion
    tokens: int = 0
    park: bool = True  # still in hand


class Rulings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Switches where groups may differ; each defaults to the ruling it names."""

    returned_tiles_keep_their_side: bool = True  # A2
    single_card_may_be_reorganised: bool = True  # A5
    few_pieces_are_a_bag_out: bool = False  # A7, A8
    distance_along_tiles: bool = False  # A11
    must_slide_in: bool = False  # A12
    later_public_may_found: bool = True  # A19
    equal_height_is_new_tallest: bool = False  # A20
    fallen_buildings_count_for_awards: bool = True  # A27: specialisation and diversity
    fallen_buildings_count_for_park_tokens: bool = False  # A27
    landmarks_count_for_awards: bool = True  # A29, A40
    bag_out_keeps_remaining_action: bool = True  # A33
    taking_reopens_when_pieces_return: bool = False  # A35
    final_delivery_has_bonuses: bool = True  # A37
    recycle_with_nothing_scores: bool = True  # A38
    marker_breaks_ties: bool = False  # A42
    at_most_eight_buildings: bool = False  # A43: as many as there are cubes
    simplified_awards: bool = True  # A44
    round_limit: int = 0  # A46; 0 is off


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options a group chooses before the game. `docs/reference/megacity-rules.md` lists the rulings' defaults."""

    players: int = 3
    simplified: bool = False
    deck: str = "house"
    rulings: Rulings = msgspec.field(default_factory=Rulings)


class Position(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One position. `columns` and `landmarks` hold contract ids, columns top card first.

    `stack` runs from the top; `None` stands for a tile of which nobody knows which one it is. `returned` are the groups
    of tiles that R13 put under the stack, from top to bottom: which ones is public, the order inside a group nobody
    knows, so that their places at the bottom of `stack` are `None` too. `supply` is sorted, for the rulebook knows no
    slots; `None` in it, last, stands for a tile that came up and that nobody saw, or that is still to be turned up.
    `bag` is how many pieces are in the bag if every player holds the most they may hold. It is below 0 where they
    cannot all hold their most.
    """

    options: Options
    phase: Phase = "setup"
    turn: int = 0  # how many turns were begun; the first is 1
    player: int = 0  # seat whose turn it is; 0 before the deal
    actions_used: int = 0
    delivered_at: Hex | None = None  # this turn's delivery, while an option is open
    columns: tuple[tuple[str, ...], ...] = ((), (), (), ())  # in the order of TYPES
    landmarks: tuple[str, ...] = ()  # open and not taken, sorted
    landmarks_open: bool = False  # R38 happened
    supply: tuple[Face | None, ...] = ()
    stack: tuple[Face | None, ...] = ()
    returned: tuple[tuple[Face | None, ...], ...] = ()
    bag: int = 0
    box: int = 0
    players: tuple[Player, ...] = ()
    buildings: tuple[Building, ...] = ()  # in the order of delivery
    parks: tuple[Park, ...] = ()  # Central Park first, then in the order of placing
    left_in_city: int = 0  # fallen pieces whose removal would be dangerous (R35)
    tallest: Hex | None = None
    final: Literal["", "completed", "bag_out", "round_limit"] = ""  # which trigger governs (A34)
    final_turns: tuple[int, ...] = ()  # seats that still get a final turn after this one, in order
    decisions: tuple[int, ...] = ()  # seats that decide (R41) after the one whose turn it is, in order
    deciding: bool = False  # R41 has begun

    @property
    def bag_least(self) -> int:
        """Return how many pieces are in the bag, at least."""
        return max(0, self.bag)

    @property
    def bag_most(self) -> int:
        """Return how many pieces are in the bag at most: those that players may not hold are there."""
        return self.bag + sum(player.pieces.maybe for player in self.players)
