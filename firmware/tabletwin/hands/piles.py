"""Acts with piles of cards that nothing senses: lay one out, turn its top card up, shuffle another into it."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible
from tabletwin.things import Pile, Token


def pile_named(hand: Hand, name: str) -> Pile:
    """Return a pile; raise Impossible if there is none of this name."""
    try:
        return hand.world.piles[name]
    except KeyError:
        raise Impossible(f"no pile {name!r} lies beside the table") from None


def out_of_the_piles(hand: Hand, thing: str) -> None:
    """Take a thing out of the pile in which it lies, if it is in one: it is on its way to the table."""
    for pile in hand.world.piles.values():
        if thing in pile.things:
            pile.things.remove(thing)


@act
async def stack(hand: Hand, pile: str, things: list[str], face_up: bool = False) -> Result:
    """Lay out a pile of these things, the last on top; one that is face down is shuffled first."""
    order = list(things)
    if not face_up:
        hand.rng.shuffle(order)
    hand.world.piles[pile] = Pile(face_up, order)
    return {}


@act
async def turn_up(hand: Hand, seat: int, pile: str, spot: str, passed: str | None = None) -> Result:
    """Lay the top card of a pile on a spot; a card that lies there goes to the pile `passed` first."""
    hand.world.seat(seat)
    there, source = hand.world.top(spot), pile_named(hand, pile)
    if spot in hand.world.claimed:
        raise Impossible(f"another hand is at {spot}: wait a moment")
    if there is not None and passed is None:
        raise Impossible(f"{there} lies on {spot}: take that away first")
    away = pile_named(hand, passed) if passed is not None else None
    if not source.things:
        raise Impossible(f"no card is left on the pile {pile!r}: shuffle another pile into it")
    hand.keep(spot)
    thing = source.things.pop()
    if there is not None and away is not None:
        await hand.pick_up(spot, there)
        away.things.append(there.name)
    await hand.lay_down(spot, Token(thing))
    return {"thing": thing}


@act
async def shuffle(hand: Hand, seat: int, pile: str, into: str) -> Result:
    """Shuffle all cards of a pile into another one."""
    hand.world.seat(seat)
    source, goal = pile_named(hand, pile), pile_named(hand, into)
    if source is goal:
        raise Impossible(f"the pile {pile!r} cannot be shuffled into itself")
    await hand.spend(2.0, 4.0)
    goal.things += source.things
    source.things.clear()
    hand.rng.shuffle(goal.things)
    return {"count": len(goal.things)}
