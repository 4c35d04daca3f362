"""Acts of looking: report what a person sees without touching anything; and whose hands move a seat's things."""

from tabletwin.hands.hand import Hand, Result, act


@act
async def look(hand: Hand, spot: str) -> Result:
    """Return what the ring at a spot shows at this moment."""
    hand.world.lying(spot)
    return {"pixels": hand.table.ring(spot).pixels}


@act
async def look_around(hand: Hand) -> Result:
    """Return the seats at which people wish to play in the place of bots, and those that they have got."""
    chairs = hand.world.chairs
    return {"wished": sorted(chairs.wished - chairs.given), "given": sorted(chairs.given)}


@act
async def hand_over(hand: Hand, seat: int) -> Result:
    """From now on people at browsers move the things of a seat."""
    hand.world.seat(seat)
    hand.world.chairs.given.add(seat)
    return {}
