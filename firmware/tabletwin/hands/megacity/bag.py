"""Acts with the bag and loose pieces."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.loose_pieces import BAG_SPOT, bag_at, choose, into_bag, lay_aside
from tabletwin.pieces import MATERIALS, Piece, counted
from tabletwin.scheduler import Impossible
from tabletwin.things import Platform

AT_RANDOM = 3
RESTS_S = (1.5, 3.0)  # who takes piece by piece looks at each


def _draw(hand: Hand, announced: str | None, count: int) -> list[Piece]:
    """One of the announced material; else, or when none of it is left, so many at random; or what is left."""
    pieces = hand.world.bag.pieces
    fitting = [piece for piece in pieces if piece.material == announced]
    drawn = [hand.rng.choice(fitting)] if fitting else hand.rng.sample(pieces, min(count, len(pieces)))
    hand.world.bag.pieces = [piece for piece in pieces if piece not in drawn]
    return drawn


@act
async def take_pieces(hand: Hand, seat: int, announced: str | None = None, one_by_one: bool = False) -> Result:
    """Reach into the bag on one's cradle, feel about, take pieces: in one hand, or each one by itself."""
    if announced is not None and announced not in MATERIALS:
        raise Impossible(f"nobody knows the material {announced!r}: say one of {', '.join(MATERIALS)}")
    await hand.take_turns(BAG_SPOT)
    spot, _ = bag_at(hand, seat)
    drawn: list[Piece] = []
    one_by_one = one_by_one and announced is None
    for pieces in (1,) * AT_RANDOM if one_by_one else (AT_RANDOM,):
        for _ in range(hand.rng.randint(1, 3) + (2 if announced else 0)):
            hand.world.push(spot, hand.rng.uniform(40.0, 250.0), int(hand.rng.uniform(0.4e6, 1.0e6)))
            await hand.spend(0.3, 0.8)
        drawn += _draw(hand, announced, pieces)
        await hand.change(spot)
        await hand.spend(*(RESTS_S if one_by_one else (0.2, 0.6)))
    hand.world.seat(seat).pieces += drawn
    lay_aside(hand, seat, drawn)
    return {"drawn": counted(drawn)}


@act
async def return_pieces(hand: Hand, seat: int, pieces: dict[str, int]) -> Result:
    """Loose pieces back into the bag on one's cradle."""
    await hand.take_turns(BAG_SPOT)
    bag_at(hand, seat)
    mine = hand.world.seat(seat).pieces
    returned = choose(hand, mine, pieces)
    hand.world.seat(seat).pieces = [piece for piece in mine if piece not in returned]
    await hand.spend(0.5, 1.5)
    await into_bag(hand, returned)
    await hand.spend(0.2, 0.6)
    return {"returned": counted(returned)}


@act
async def pass_bag(hand: Hand, giver: int, taker: int) -> Result:
    """The bag from one cradle to another (fields `from` and `to`)."""
    await hand.take_turns(BAG_SPOT)
    spot, bag = bag_at(hand, giver)
    hand.world.seat(taker)
    await hand.pick_up(spot, bag)
    await hand.lay_down(f"seat/{taker}/bag", bag)
    return {}


@act
async def recycle(hand: Hand, seat: int) -> Result:
    """All pieces of a play area into the bag, those of unfinished buildings too."""
    player = hand.world.seat(seat)
    returned, player.pieces = player.pieces, []
    for spot in [spot for spot in hand.world.spots if spot.startswith(f"seat/{seat}/pad/")]:
        tile = hand.world.top(spot)
        if isinstance(tile, Platform) and not tile.tower.empty:
            returned += tile.tower.pieces
            player.cubes += tile.tower.cube_of is not None
            tile.tower.placed, tile.tower.cube_of = [], None
            hand.touch(spot, 40.0)
            await hand.change(spot)
            await hand.spend(1.0, 3.0)
    for at in range(0, len(returned), 5):
        await into_bag(hand, returned[at : at + 5])
        await hand.spend(0.5, 1.2)
    return {"returned": len(returned)}
