"""Acts besides playing MegaCity: hesitating, and swapping the things on equal spots."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible
from tabletwin.things import Card, Platform, Thing


def _candidates(hand: Hand, seat: int, what: str) -> list[tuple[str, Thing]]:
    prefixes = {"card": f"seat/{seat}/card/", "platform": f"seat/{seat}/pad/", "column": "supply/contract/"}
    if what not in prefixes:
        raise Impossible(f"hesitating over {what!r}: say one of {', '.join(prefixes)}")
    lying = [(spot, hand.world.top(spot)) for spot in hand.world.spots if spot.startswith(prefixes[what])]
    return [
        (spot, thing) for spot, thing in lying if isinstance(thing, (Card, Platform)) and spot not in hand.world.claimed
    ]


@act
async def hesitate(hand: Hand, seat: int, what: str) -> Result:
    """Lift a card or a platform, think, put it back."""
    hand.world.seat(seat)
    found = _candidates(hand, seat, what)
    if not found:
        return {"lifted": None}
    spot, thing = hand.rng.choice(found)
    hand.keep(spot)
    await hand.pick_up(spot, thing)
    await hand.spend(0.4, 3.0)
    await hand.lay_down(spot, thing)
    return {"lifted": thing.name}


async def _exchange(hand: Hand, first: str, second: str) -> Result:
    """Exchange what lies on two spots; one may be empty."""
    hand.keep(first, second)
    lifted = [(spot, hand.world.top(spot)) for spot in (first, second)]
    for spot, thing in lifted:
        if thing is not None:
            await hand.pick_up(spot, thing)
    for (_, thing), goal in zip(lifted, (second, first), strict=True):
        if thing is not None:
            await hand.lay_down(goal, thing)
    return {"swapped": [first, second]}


async def _swap_somewhere(hand: Hand, prefixes: list[str]) -> Result:
    """Two spots of one kind, at least one of them occupied."""
    for prefix in prefixes:
        spots = [spot for spot in hand.world.spots if spot.startswith(prefix) and spot not in hand.world.claimed]
        taken = [spot for spot in spots if hand.world.top(spot) is not None]
        if taken and len(spots) > 1:
            first = hand.rng.choice(taken)
            second = hand.rng.choice([spot for spot in spots if spot != first])
            return await _exchange(hand, first, second)
    return {"swapped": None}


@act
async def swap_slots(hand: Hand, seat: int) -> Result:
    """Two cards or two platforms of one player change slots, or one moves to an empty slot."""
    hand.world.seat(seat)
    prefixes = [f"seat/{seat}/card/", f"seat/{seat}/pad/"]
    hand.rng.shuffle(prefixes)
    return await _swap_somewhere(hand, prefixes)


@act
async def swap_supply(hand: Hand) -> Result:
    """Two platforms of the supply change slots."""
    return await _swap_somewhere(hand, ["supply/platform/"])
