"""Acts with platforms that carry no tower yet."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.finding import find_platform
from tabletwin.scheduler import Impossible
from tabletwin.things import Platform

SUPPLY = "supply/platform/"
SLOTS = tuple(f"{SUPPLY}{k}" for k in range(3))


async def turn_up(hand: Hand, spot: str) -> list[int | str] | None:
    """The top tile of the stack, turned up, into a gap of the supply; None when the stack is empty."""
    if not hand.world.stack:
        return None
    tile = hand.world.stack.pop(0)
    await hand.lay_down(spot, tile)
    return [tile.number, tile.up]


@act
async def take_platform(hand: Hand, seat: int, platform: int) -> Result:
    """A platform of the supply to a free pad; then the gap is filled from the stack."""
    hand.world.seat(seat)
    spot, tile = await find_platform(hand, SUPPLY, platform)
    await hand.move(spot, tile, f"seat/{seat}/pad/")
    return {"revealed": await turn_up(hand, spot)}


@act
async def refresh(hand: Hand, seat: int) -> Result:
    """The supply goes under the stack, three others are turned up."""
    hand.world.seat(seat)
    for spot in SLOTS:
        await hand.take_turns(spot)
    lying = [(spot, hand.world.top(spot)) for spot in SLOTS]
    if not hand.world.stack and all(tile is None for _, tile in lying):
        raise Impossible("no platform is left in the supply or in the stack")
    for spot, tile in lying:
        if isinstance(tile, Platform):
            await hand.pick_up(spot, tile)
            hand.world.stack.append(tile)
    turned = [await turn_up(hand, spot) for spot in SLOTS]
    return {"revealed": [tile for tile in turned if tile is not None]}


@act
async def rezone(hand: Hand, seat: int, platform: int) -> Result:
    """Lift a platform, turn it over, lay it back."""
    spot, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    if not tile.tower.empty:
        raise Impossible(f"a tower stands on platform {platform}: clear it first")
    await hand.pick_up(spot, tile)
    tile.turn_over()
    await hand.lay_down(spot, tile)
    return {"up": tile.up}
