"""Cards and platforms of MegaCity, wherever on the table they lie."""

from tabletwin.hands.hand import Hand
from tabletwin.things import Card, Platform


async def find_card(hand: Hand, prefix: str, contract: str) -> tuple[str, Card]:
    """Return where a contract card lies, kept for this act, and the card; raises Impossible."""
    spot = await hand.wait_for(prefix, f"contract/{contract}")
    return spot, next(
        thing for thing in hand.world.lying(spot) if isinstance(thing, Card) and thing.contract == contract
    )


async def find_platform(hand: Hand, prefix: str, number: int) -> tuple[str, Platform]:
    """Return where a platform lies, kept for this act, and the platform; raises Impossible."""
    spot = await hand.wait_for(prefix, f"platform/{number}")
    return spot, next(
        thing for thing in hand.world.lying(spot) if isinstance(thing, Platform) and thing.number == number
    )
