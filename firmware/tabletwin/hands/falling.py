"""How a tower falls, as its scale feels it: piece by piece, each with an impact before it rests or rolls off."""

from tabletwin.hands.hand import Hand
from tabletwin.things import Platform
from tabletwin.tower import Placed

IMPACT_US = (15_000, 45_000)
IMPACT_G, IMPACTS = 4.0, (0.8, 3.0)  # so much at least, and so many times what fell


async def tumble(hand: Hand, spot: str, tile: Platform, stays: list[Placed]) -> None:
    """All of the tower but what stays falls off `tile`, the top first, within half a second."""
    falling = [placed for placed in reversed(tile.tower.placed) if placed not in stays]
    while falling:
        count = hand.rng.randint(1, 3)
        first, falling = falling[:count], falling[count:]
        tile.tower.placed = [placed for placed in tile.tower.placed if placed not in first]
        hand.world.lose(spot)
        await hand.spend(0.02, 0.09)
        mass_g = sum(placed.piece.mass_g for placed in first)
        hand.world.push(spot, IMPACT_G + mass_g * hand.rng.uniform(*IMPACTS), hand.rng.randint(*IMPACT_US), 0.0)
        await hand.spend(0.02, 0.09)
