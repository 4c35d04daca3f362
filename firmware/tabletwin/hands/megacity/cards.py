"""Acts with contract cards."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.finding import find_card
from tabletwin.scheduler import Impossible
from tabletwin.things import Card


async def top_card(hand: Hand, column: str) -> tuple[str, Card]:
    """The top card of a column and the column's spot, once no other hand is at it; raises Impossible."""
    spot = f"supply/contract/{column}"
    await hand.take_turns(spot)
    card = hand.world.top(spot)
    if not isinstance(card, Card):
        raise Impossible(f"no card lies in column {column!r}")
    return spot, card


@act
async def take_contract(hand: Hand, seat: int, column: str) -> Result:
    """The top card of a column into a free card slot."""
    hand.world.seat(seat)
    spot, card = await top_card(hand, column)
    await hand.move(spot, card, f"seat/{seat}/card/")
    return {"contract": card.contract}


@act
async def take_extra_contract(hand: Hand, seat: int, column: str) -> Result:
    """One card too many: physically like any other."""
    return dict(await take_contract(hand, seat, column))


@act
async def take_landmark(hand: Hand, seat: int, contract: str) -> Result:
    """A landmark from the supply into a free card slot."""
    hand.world.seat(seat)
    spot, card = await find_card(hand, "supply/landmark/", contract)
    await hand.move(spot, card, f"seat/{seat}/card/")
    return {"contract": card.contract}


@act
async def lay_out_landmarks(hand: Hand) -> Result:
    """The landmarks that were set aside, face up into the supply."""
    if not hand.world.aside:
        raise Impossible("the landmarks are no longer set aside")
    laid = []
    while hand.world.aside:
        card = hand.world.aside.pop(0)
        await hand.lay_down(hand.claim("supply/landmark/"), card)
        laid.append(card.contract)
    return {"landmarks": laid}


@act
async def reorganise(hand: Hand, seat: int, column: str) -> Result:
    """The top card of a column to its back."""
    hand.world.seat(seat)
    spot, card = await top_card(hand, column)
    await hand.pick_up(spot, card)
    await hand.lay_down(spot, card, below=True)
    top = hand.world.top(spot)
    return {"top": top.contract if isinstance(top, Card) else None}


@act
async def finish_contract(hand: Hand, seat: int, contract: str) -> Result:
    """A card turned face down and laid to the completed ones."""
    spot, card = await find_card(hand, f"seat/{seat}/card/", contract)
    await hand.pick_up(spot, card)
    await hand.spend(0.4, 1.0)
    hand.world.seat(seat).completed.append(card)
    return {}
