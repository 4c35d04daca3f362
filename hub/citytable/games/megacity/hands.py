"""Arithmetic of building pieces whose material and number may be unknown.

The known counts are lower bounds. Taking pieces of an unknown material out of a hand may take any of the known ones, so
every known count goes down by as many. A number may be a range, and what follows from it is one: the least and the most
there can be. A count above what a true table could have is refused, a true table never is.
"""

from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, Material, Pieces, Position

PIECES_MAX = 15  # R11
NOTHING = Pieces()


def added(hand: Pieces, more: Pieces) -> Pieces:
    """Return both hands together."""
    return Pieces(
        hand.steel + more.steel,
        hand.concrete + more.concrete,
        hand.glass + more.glass,
        hand.unknown + more.unknown,
        hand.maybe + more.maybe,
    )


def is_negative(pieces: Pieces) -> bool:
    """Return whether a count is below 0."""
    return pieces.steel < 0 or pieces.concrete < 0 or pieces.glass < 0 or pieces.unknown < 0 or pieces.maybe < 0


def can_give(hand: Pieces, taken: Pieces) -> bool:
    """Return whether these pieces can come out of this hand: unknown ones may be what is missing."""
    if is_negative(taken):
        return False
    missing = (
        max(0, taken.steel - hand.steel) + max(0, taken.concrete - hand.concrete) + max(0, taken.glass - hand.glass)
    )
    return missing <= hand.unknown + hand.maybe and taken.total <= hand.most


def without(hand: Pieces, taken: Pieces) -> Pieces:
    """Return the hand after `taken` left it; `can_give(hand, taken)` holds.

    What left it was there, so that a range may become narrower.
    """
    unknown = taken.unknown + taken.maybe
    steel = max(0, hand.steel - taken.steel - unknown)
    concrete = max(0, hand.concrete - taken.concrete - unknown)
    glass = max(0, hand.glass - taken.glass - unknown)
    known = steel + concrete + glass
    least = max(known, hand.total - taken.most)
    return Pieces(steel, concrete, glass, least - known, hand.most - taken.total - least)


def between(hand: Pieces, least: int, most: int) -> Pieces:
    """Return the hand, which holds `least` to `most` pieces as it turned out; at least those that are known."""
    known = hand.steel + hand.concrete + hand.glass
    least = max(least, known)
    return Pieces(hand.steel, hand.concrete, hand.glass, least - known, most - least)


def single_material(pieces: Pieces) -> Material | None:
    """Return the material all pieces are of, where it is known (R29); no pieces are of none."""
    for material in MATERIALS:
        if pieces.total and getattr(pieces, material) == pieces.total:
            return material
    return None


def outside_bag(position: Position) -> Pieces:
    """Return all pieces in hands, buildings and monuments, by material as far as it is known."""
    steel = concrete = glass = unknown = maybe = 0
    hands = [player.pieces for player in position.players]
    hands += [building.pieces for building in position.buildings]
    hands += [park.monument for park in position.parks if park.monument is not None]
    for pieces in hands:
        steel += pieces.steel
        concrete += pieces.concrete
        glass += pieces.glass
        unknown += pieces.unknown
        maybe += pieces.maybe
    return Pieces(steel, concrete, glass, unknown, maybe)


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
    hidden = about.unknown + about.maybe + min(0, position.bag) + position.box + position.left_in_city
    return int(getattr(about, material)) + hidden >= deck.pieces[material]


def may_be_left(position: Position, deck: Deck, material: Material) -> bool:
    """Return whether the bag may hold a piece of this material (R10)."""
    return position.bag_most > 0 and int(getattr(outside_bag(position), material)) < deck.pieces[material]
