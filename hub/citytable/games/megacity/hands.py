"""Arithmetic of building pieces whose material may be unknown.

The known counts are lower bounds. Taking pieces of an unknown material out of a hand may take any of the known ones, so
every known count goes down by as many; the total stays exact. A count above what a true table could have is refused,
a true table never is.
"""

from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, Material, Pieces, Position

PIECES_MAX = 15  # R11
NOTHING = Pieces()


def added(hand: Pieces, more: Pieces) -> Pieces:
    """Return both hands together."""
    return Pieces(
        hand.steel + more.steel, hand.concrete + more.concrete, hand.glass + more.glass, hand.unknown + more.unknown
    )


def can_give(hand: Pieces, taken: Pieces) -> bool:
    """Return whether these pieces can come out of this hand: unknown ones may be what is missing."""
    if taken.steel < 0 or taken.concrete < 0 or taken.glass < 0 or taken.unknown < 0:
        return False
    missing = (
        max(0, taken.steel - hand.steel) + max(0, taken.concrete - hand.concrete) + max(0, taken.glass - hand.glass)
    )
    return missing <= hand.unknown and taken.total <= hand.total


def without(hand: Pieces, taken: Pieces) -> Pieces:
    """Return the hand after `taken` left it; `can_give(hand, taken)` holds."""
    unknown = taken.unknown
    steel = max(0, hand.steel - taken.steel - unknown)
    concrete = max(0, hand.concrete - taken.concrete - unknown)
    glass = max(0, hand.glass - taken.glass - unknown)
    return Pieces(steel, concrete, glass, hand.total - taken.total - steel - concrete - glass)


def single_material(pieces: Pieces) -> Material | None:
    """Return the material all pieces are of, where it is known (R29); no pieces are of none."""
    for material in MATERIALS:
        if pieces.total and getattr(pieces, material) == pieces.total:
            return material
    return None


def outside_bag(position: Position) -> Pieces:
    """Return all pieces in hands, buildings and monuments, by material as far as it is known."""
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
    """Return a material of which more pieces are known to be out than the deck has."""
    if position.bag + min(deck.pieces.values()) >= deck.all_pieces:
        return None
    about = outside_bag(position)
    for material in MATERIALS:
        if getattr(about, material) > deck.pieces[material]:
            return material
    return None


def may_be_gone(position: Position, deck: Deck, material: Material) -> bool:
    """Return whether it is possible that none of this material is left in the bag (R10)."""
    about = outside_bag(position)
    hidden = about.unknown + position.box + position.left_in_city
    return int(getattr(about, material)) + hidden >= deck.pieces[material]


def may_be_left(position: Position, deck: Deck, material: Material) -> bool:
    """Return whether the bag may hold a piece of this material (R10)."""
    return position.bag > 0 and int(getattr(outside_bag(position), material)) < deck.pieces[material]
