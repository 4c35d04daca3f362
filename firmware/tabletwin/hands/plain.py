"""Acts of every game: bring a thing to a spot, put it back into the box or onto a pile, press a button."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.piles import not_before_others, out_of_the_piles, pile_named
from tabletwin.scheduler import Impossible
from tabletwin.things import Thing, Token

BY_HAND = ("press_button",)
"""The acts of every game that a person at a browser may ask for."""


@act
async def bring(hand: Hand, thing: str, spot: str) -> Result:
    """Take a thing from where it lies, or out of a pile or the box, and lay it on a spot."""
    hand.world.open(spot)
    hand.keep(spot)
    lies = _lying(hand, thing)
    if lies is None:
        out_of_the_piles(hand, thing)
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


@act
async def move(hand: Hand, seat: int, thing: str, spot: str) -> Result:
    """Take a thing that lies on top, but not before somebody else, and lay it on another spot."""
    start, taken = _reach(hand, seat, thing)
    hand.world.lying(spot)
    if spot == start:
        raise Impossible(f"{thing} lies on {spot} already: choose another spot")
    not_before_others(seat, spot)
    hand.keep(start, spot)
    await hand.pick_up(start, taken)
    await hand.lay_down(spot, taken)
    return {"from": start}


@act
async def lay_off(hand: Hand, seat: int, thing: str, pile: str) -> Result:
    """Take a thing that lies on top, but not before somebody else, and lay it on a pile."""
    goal = pile_named(hand, seat, pile)
    start, taken = _reach(hand, seat, thing)
    hand.keep(start)
    await hand.pick_up(start, taken)
    goal.things.append(taken.name)
    return {"from": start}


def _reach(hand: Hand, seat: int, name: str) -> tuple[str, Thing]:
    """Return the spot of a thing that a person can take, and the thing; raise Impossible."""
    hand.world.seat(seat)
    lies = _lying(hand, name)
    if lies is None:
        raise Impossible(f"no {name!r} lies on the table")
    spot, taken = lies
    not_before_others(seat, spot)
    if spot in hand.world.claimed:
        raise Impossible(f"another hand is at {spot}: wait a moment")
    if (top := hand.world.top(spot)) is not taken:
        raise Impossible(f"{name} lies below {top} on {spot}: take that away first")
    return spot, taken


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
