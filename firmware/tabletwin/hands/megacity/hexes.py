"""The hexes of the city: where they are, whether one is free, and which lie around it."""

from tabletwin.hands.hand import Hand
from tabletwin.scheduler import Impossible

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def neighbours(hand: Hand, spot: str) -> list[str]:
    """The hexes of this table around a hex; a spot elsewhere has none."""
    if not spot.startswith("city/"):
        return []
    _, q, r = spot.split("/")
    around = [f"city/{int(q) + dq}/{int(r) + dr}" for dq, dr in STEPS]
    return [near for near in around if near in hand.world.spots]


def hex_spot(hand: Hand, at: list[int]) -> str:
    """Return the spot of a hex; raises Impossible when there is none."""
    try:
        q, r = at
    except (TypeError, ValueError):
        raise Impossible(f"{at!r} is not a hex: write [q, r]") from None
    spot = f"city/{q}/{r}"
    hand.world.lying(spot)
    return spot


def free_hex(hand: Hand, at: list[int]) -> str:
    """Return the spot of a hex where nothing lies; raises Impossible."""
    spot = hex_spot(hand, at)
    if not hand.world.is_free(spot):
        raise Impossible(f"on {spot} lies {hand.world.top(spot)}: two tiles do not fit")
    return spot
