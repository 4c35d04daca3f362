"""Arithmetic of building pieces whose material may be untold.

The known counts are lower bounds. Taking pieces of an untold material out of a hand may take any of the known ones, so
every known count goes down by as many; the total stays exact. A count above what a true table could have is refused,
a true table never is.
"""

from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, Material, Pieces, Position

PIECES_MAX = 15  # R11
NOTHING = Pieces()


def added(hand: Pieces, more: Pieces) -> Pieces:
    """Both together."""
    return Pieces(
        hand.steel + more.steel, hand.concrete + more.concrete, hand.glass + more.glass, hand.unknown + more.unknown
    )


def can_give(hand: Pieces, taken: Pieces) -> bool:
    """Whether these pieces can come out of this hand: untold ones may turn out to be what is missing."""
    if taken.steel < 0 or taken.concrete < 0 or taken.glass < 0 or taken.unknown < 0:
        return False
    missing = (
        max(0, taken.steel - hand.steel) + max(0, taken.concrete - hand.concrete) + max(0, taken.glass - hand.glass)
    )
    return missing <= hand.unknown and taken.total <= hand.total


def without(hand: Pieces, taken: Pieces) -> Pieces:
    """The hand after `taken` left it; `can_give(hand, taken)` holds."""
    untold = taken.unknown
    steel = max(0, hand.steel - taken.steel - untold)
    concrete = max(0, hand.concrete - taken.concrete - untold)
    glass = max(0, hand.glass - taken.glass - untold)
    return Pieces(steel, concrete, glass, hand.total - taken.total - steel - concrete - glass)


def single_material(pieces: Pieces) -> Material | None:
    """Return the material all pieces are of, where it is known (R29); no pieces are of none."""
    for material in MATERIALS:
        if pieces.total and getattr(pieces, material) == pieces.total:
            return material
    return None


def outside_bag(position: Position) -> Pieces:
    """Every piece that is neither in the bag nor in the box nor lying fallen in the city, as far as it is told."""
    steel = concrete = glass = unknown = 0
    hands = [player.pieces for player in position.players]
    hands += [building.pieces for building in position.buildings]
    hands += [park.monument for park in position.parks if park.monument is not None]
    for pieces in hands:
        steel += pieces.steel
        concrete += pieces.concrete
        glass += pieces.glass
        unknown += pieces.unknown
    return Pieces(steel, concrete, glass, unknown)


def too_many(position: Position, deck: Deck) -> Material | None:
    """A material of which more is told to be about than the deck has."""
    if position.bag + min(deck.pieces.values()) >= deck.all_pieces:
        return None
    about = outside_bag(position)
    for material in MATERIALS:
        if getattr(about, material) > deck.pieces[material]:
            return material
    return None


def may_be_gone(position: Position, deck: Deck, material: Material) -> bool:
    """Whether it is possible that none of this material is left in the bag (R10)."""
    about = outside_bag(position)
    hidden = about.unknown + position.box + position.left_in_city
    return int(getattr(about, material)) + hidden >= deck.pieces[material]


def may_be_left(position: Position, deck: Deck, material: Material) -> bool:
    """Whether the bag may hold a piece of this material (R10)."""
    return position.bag > 0 and int(getattr(outside_bag(position), material)) < deck.pieces[material]
