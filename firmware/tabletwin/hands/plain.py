"""Acts of every game: bring a thing to a spot, put it back into the box, press a button."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible
from tabletwin.things import Thing, Token

BY_HAND = ("press_button",)
"""The acts of every game that a person at a browser may ask for."""


@act
async def bring(hand: Hand, thing: str, spot: str) -> Result:
    """Take a thing from where it lies, or out of the box, and lay it on a spot."""
    hand.world.open(spot)
    hand.keep(spot)
    lies = _lying(hand, thing)
    if lies is None:
        await hand.spend(0.4, 1.2)
        await hand.lay_down(spot, Token(thing))
        return {"from": None}
    start, taken = lies
    hand.keep(start)
    await hand.pick_up(start, taken)
    await hand.lay_down(spot, taken)
    return {"from": start}


@act
async def put_away(hand: Hand, thing: str) -> Result:
    """Take a thing off its spot and put it into the box."""
    lies = _lying(hand, thing)
    if lies is None:
        raise Impossible(f"no {thing!r} lies on the table: it is in the box")
    spot, taken = lies
    hand.keep(spot)
    await hand.pick_up(spot, taken)
    return {"from": spot}


def _lying(hand: Hand, name: str) -> tuple[str, Thing] | None:
    """Return the spot where a thing lies, and the thing; None while it is in the box."""
    lying = ((spot, thing) for spot in hand.world.spots for thing in hand.world.lying(spot))
    return next(((spot, thing) for spot, thing in lying if thing.name == name), None)


@act
async def press_button(hand: Hand, seat: int) -> Result:
    """Press the button of a seat."""
    hand.world.seat(seat)
    await hand.spend(0.3, 0.8)
    hand.world.presses[seat] = hand.world.presses.get(seat, 0) + 1
    await hand.spend(0.2, 0.4)
    return {}
