"""Acts with piles of cards that nothing senses: lay one out, turn its top card up, shuffle another into it."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible
from tabletwin.things import Pile, Token


def pile_named(hand: Hand, seat: int, name: str) -> Pile:
    """Return a pile that a seat's hands may use; raise Impossible if there is none of this name, or another's."""
    hand.world.seat(seat)
    pile = hand.world.piles.get(name)
    if pile is None:
        raise Impossible(f"no pile {name!r} lies beside the table")
    if pile.seat not in {None, seat}:
        raise Impossible(f"the pile {name!r} is before another player")
    return pile


def not_before_others(seat: int, spot: str) -> None:
    """Raise Impossible for a spot of another seat."""
    if spot.startswith("seat/") and not spot.startswith(f"seat/{seat}/"):
        raise Impossible(f"{spot} is before another player")


def out_of_the_piles(hand: Hand, thing: str) -> None:
    """Take a thing out of the pile in which it lies, if it is in one: it is on its way to the table."""
    for pile in hand.world.piles.values():
        if thing in pile.things:
            pile.things.remove(thing)


@act
async def stack(hand: Hand, pile: str, things: list[str], face_up: bool = False, seat: int | None = None) -> Result:
    """Lay out a pile of these things, the last on top, before a seat or for all; one that is face down is shuffled."""
    order = list(things)
    if not face_up:
        hand.rng.shuffle(order)
    hand.world.piles[pile] = Pile(face_up, order, seat)
    return {}


@act
async def turn_up(hand: Hand, seat: int, pile: str, spot: str, passed: str | None = None) -> Result:
    """Lay the top card of a pile on a spot; a card that lies there goes to the pile `passed` first."""
    not_before_others(seat, spot)
    there, source = hand.world.top(spot), pile_named(hand, seat, pile)
    if spot in hand.world.claimed:
        raise Impossible(f"another hand is at {spot}: wait a moment")
    if there is not None and passed is None:
        raise Impossible(f"{there} lies on {spot}: take that away first")
    away = pile_named(hand, seat, passed) if passed is not None else None
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
    source, goal = pile_named(hand, seat, pile), pile_named(hand, seat, into)
    if source is goal:
        raise Impossible(f"the pile {pile!r} cannot be shuffled into itself")
    await hand.spend(2.0, 4.0)
    goal.things += source.things
    source.things.clear()
    hand.rng.shuffle(goal.things)
    return {"count": len(goal.things)}
