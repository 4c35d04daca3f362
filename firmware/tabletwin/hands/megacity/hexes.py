"""Which hexes lie around a hex of the city."""

from tabletwin.hands.hand import Hand

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def neighbours(hand: Hand, spot: str) -> list[str]:
    """The hexes of this table around a hex; a spot elsewhere has none."""
    if not spot.startswith("city/"):
        return []
    _, q, r = spot.split("/")
    around = [f"city/{int(q) + dq}/{int(r) + dr}" for dq, dr in STEPS]
    return [near for near in around if near in hand.world.spots]
