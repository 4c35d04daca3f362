"""Acts that put things back where they were before an act of the rulebook, as people do after taking a turn back.

`put_right` brings a platform with its tower back from the city.
"""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.cards import top_card
from tabletwin.hands.megacity.delivery import monument_at, park_at
from tabletwin.hands.megacity.finding import find_card, find_platform
from tabletwin.hands.megacity.loose_pieces import BAG_SPOT, bag_at, bag_spot, choose
from tabletwin.hands.megacity.platforms import SLOTS, SUPPLY
from tabletwin.pieces import Piece
from tabletwin.scheduler import Impossible
from tabletwin.things import Platform


@act
async def give_back_contract(hand: Hand, seat: int, contract: str, column: str) -> Result:
    """A card from a slot back on top of a column."""
    spot, card = await find_card(hand, f"seat/{seat}/card/", contract)
    goal = f"supply/contract/{column}"
    hand.world.lying(goal)
    await hand.pick_up(spot, card)
    await hand.lay_down(goal, card)
    return {}


@act
async def give_back_landmark(hand: Hand, seat: int, contract: str) -> Result:
    """A landmark from a slot back into the supply."""
    spot, card = await find_card(hand, f"seat/{seat}/card/", contract)
    await hand.move(spot, card, "supply/landmark/")
    return {}


@act
async def reopen_contract(hand: Hand, seat: int, contract: str) -> Result:
    """A completed card turned face up, into a free slot."""
    completed = hand.world.seat(seat).completed
    card = next((card for card in completed if card.contract == contract), None)
    if card is None:
        raise Impossible(f"seat {seat} has not completed {contract!r}")
    completed.remove(card)
    await hand.spend(0.4, 1.0)
    await hand.lay_down(hand.claim(f"seat/{seat}/card/"), card)
    return {}


@act
async def reorganise_back(hand: Hand, seat: int, column: str) -> Result:
    """The card at the back of a column to its front."""
    hand.world.seat(seat)
    spot, _ = await top_card(hand, column)
    card = hand.world.lying(spot)[0]
    await hand.pick_up(spot, card)
    await hand.lay_down(spot, card)
    return {}


@act
async def give_back_platform(hand: Hand, seat: int, platform: int, revealed: int | None) -> Result:
    """A platform that was taken back into the supply; what was turned up for it goes back on top of the stack."""
    spot, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    if revealed is None:
        slot = hand.claim(SUPPLY)
    else:
        slot = await _onto_the_stack(hand, revealed)
    await hand.pick_up(spot, tile)
    await hand.lay_down(slot, tile)
    return {}


@act
async def refresh_back(hand: Hand, seat: int, revealed: list[int], platforms: list[int]) -> Result:
    """Put what was turned up back on top of the stack, the first on top; take what lay there from its bottom."""
    hand.world.seat(seat)
    for number in reversed(revealed):
        await _onto_the_stack(hand, number)
    for number in platforms:
        tile = _of_the_stack(hand, number)
        hand.world.stack.remove(tile)
        await hand.lay_down(next(spot for spot in SLOTS if hand.world.top(spot) is None), tile)
    return {}


async def _onto_the_stack(hand: Hand, number: int) -> str:
    """A platform of the supply on top of the stack; where it lay."""
    spot, turned = await find_platform(hand, SUPPLY, number)
    await hand.pick_up(spot, turned)
    hand.world.stack.insert(0, turned)
    return spot


def _of_the_stack(hand: Hand, number: int) -> Platform:
    tile = next((tile for tile in hand.world.stack if tile.number == number), None)
    if tile is None:
        raise Impossible(f"platform {number} is not in the stack")
    return tile


@act
async def take_out_pieces(hand: Hand, seat: int, pieces: dict[str, int]) -> Result:
    """Pieces one put into the bag by mistake, out of it again: looking for them, not at random."""
    await hand.take_turns(BAG_SPOT)
    bag_at(hand, seat)
    hand.world.seat(seat).pieces += await _out_of_the_bag(hand, pieces)
    return {}


async def _out_of_the_bag(hand: Hand, pieces: dict[str, int]) -> list[Piece]:
    bag = hand.world.bag
    found = choose(hand, bag.pieces, pieces)
    spot = bag_spot(hand)
    if spot is not None:
        hand.touch(spot, 80.0)
    await hand.spend(0.8, 2.0)
    bag.pieces = [piece for piece in bag.pieces if piece not in found]
    if spot is not None:
        await hand.change(spot)
    await hand.spend(0.2, 0.6)
    return found


@act
async def take_back_park(hand: Hand, seat: int, at: list[int]) -> Result:
    """A player's park tile off its hex."""
    spot, park = park_at(hand, at)
    if park.seat != seat:
        raise Impossible(f"the park on {spot} is not seat {seat}'s")
    hand.keep(spot)
    await hand.pick_up(spot, park)
    hand.world.seat(seat).park = park
    return {}


@act
async def take_back_monument(hand: Hand, seat: int, at: list[int], older: dict[str, int]) -> Result:
    """A monument to its player again; and if there was an older one, out of the bag onto the park."""
    spot, park, piece = monument_at(hand, at)
    await hand.spend(0.6, 1.5)
    hand.world.seat(seat).pieces.append(piece)
    park.monument = None
    await hand.change(spot)
    for found in await _out_of_the_bag(hand, older) if older else []:
        await hand.spend(0.8, 1.8)
        park.monument = found
        await hand.change(spot)
    return {}
