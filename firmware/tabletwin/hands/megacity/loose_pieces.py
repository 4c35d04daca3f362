"""Pieces that stand nowhere: in the bag, in front of a player, or on their way between the two."""

from tabletwin.hands.hand import Hand
from tabletwin.pieces import Piece, counted
from tabletwin.scheduler import Impossible
from tabletwin.things import Bag

BAG_SPOT = "bag"


def bag_at(hand: Hand, seat: int) -> tuple[str, Bag]:
    """Return the cradle of a seat and the bag on it; raises Impossible when it is elsewhere."""
    hand.world.seat(seat)
    spot = f"seat/{seat}/bag"
    if hand.world.bag not in hand.world.lying(spot):
        raise Impossible(f"the bag is not at seat {seat} but at {bag_spot(hand)}")
    return spot, hand.world.bag


def bag_spot(hand: Hand) -> str | None:
    """Return the spot where the bag lies."""
    return hand.world.spot_of(hand.world.bag)


async def into_bag(hand: Hand, pieces: list[Piece]) -> None:
    """Drop pieces into the bag, wherever it lies."""
    hand.world.bag.pieces += pieces
    spot = bag_spot(hand)
    if spot is not None and pieces:
        hand.touch(spot, 60.0)
        await hand.change(spot)


def lay_aside(hand: Hand, seat: int, pieces: list[Piece]) -> None:
    """Lay pieces on the table in front of a seat, where nothing weighs them."""
    hand.world.shocks.put_aside(f"seat/{seat}/pad/0", hand.table.now_us, [piece.mass_g for piece in pieces])


def choose(hand: Hand, pieces: list[Piece], wanted: dict[str, int]) -> list[Piece]:
    """Return any pieces of the wanted materials among these; raises Impossible when there are not enough."""
    chosen: list[Piece] = []
    for material, count in wanted.items():
        fitting = [piece for piece in pieces if piece.material == material]
        if count < 0 or len(fitting) < count:
            raise Impossible(f"{count} pieces of {material} wanted, there are {counted(pieces)}")
        chosen += hand.rng.sample(fitting, count)
    return chosen
