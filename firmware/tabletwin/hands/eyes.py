"""Acts of looking: report what a person sees without touching anything."""

from tabletwin.hands.hand import Hand, Result, act


@act
async def look(hand: Hand, spot: str) -> Result:
    """Return what the ring at a spot shows at this moment."""
    hand.world.lying(spot)
    return {"pixels": hand.table.ring(spot).pixels}
