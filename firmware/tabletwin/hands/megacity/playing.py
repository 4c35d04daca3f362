"""Acts of one movement each, for a person who plays with a mouse: carry a thing, add a piece, take it off, topple.

The acts of the other modules do a whole action of the rulebook; here the person chooses every movement.
"""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.falling import tumble
from tabletwin.hands.megacity.hexes import neighbours
from tabletwin.hands.megacity.loose_pieces import into_bag, lay_aside
from tabletwin.hands.megacity.platforms import SLOTS, turn_up
from tabletwin.pieces import THICK_MM, Piece
from tabletwin.scheduler import Impossible
from tabletwin.things import Bag, Card, Park, Platform, Thing
from tabletwin.tower import Placed

COLUMN = "supply/contract/"
UNEVEN_MM = (-0.05, 0.15)  # a piece is a little shorter or longer than its nominal size
LAID = ("flat", "side", "end")


@act
async def carry(hand: Hand, seat: int, thing: str, spot: str) -> Result:
    """Take the thing on top of a spot to another spot; a platform is slid, and the supply turns up its next one."""
    hand.world.seat(seat)
    start, taken = _reach(hand, thing)
    _make_room(hand, taken, start, spot)
    if isinstance(taken, Platform) and not taken.tower.empty:
        await _slide(hand, start, taken, spot)
    else:
        await hand.pick_up(start, taken)
        await hand.lay_down(spot, taken)
    turned = await turn_up(hand, start) if start in SLOTS and spot not in SLOTS else None
    return {"from": start, "revealed": turned}


def _reach(hand: Hand, name: str) -> tuple[str, Thing]:
    """Return the spot of a thing, kept for this act, and the thing; raise Impossible where it cannot be gripped."""
    spot = hand.world.find("", name)
    if spot in hand.world.claimed:
        raise Impossible(f"another hand is at {spot}: wait a moment")
    taken = hand.world.top(spot)
    if taken is None or not f"{taken.name}/".startswith(f"{name}/"):
        raise Impossible(f"{name} lies below {taken} on {spot}: take that away first")
    hand.keep(spot)
    return spot, taken


def _make_room(hand: Hand, taken: Thing, start: str, spot: str) -> None:
    """Keep the spot that a thing goes to; raise Impossible when it does not fit there."""
    hand.world.lying(spot)
    if spot == start:
        raise Impossible(f"{taken} lies on {spot} already: choose another spot")
    pile = spot.startswith(COLUMN) and isinstance(taken, Card) and spot not in hand.world.claimed
    if not pile and not hand.world.is_free(spot):
        raise Impossible(f"on {spot} is no room: {hand.world.top(spot) or 'another hand'} is there")
    hand.keep(spot)


async def _slide(hand: Hand, start: str, tile: Platform, goal: str) -> None:
    """Push a platform with its tower to another spot."""
    await hand.spend(0.4, 1.0)
    hand.world.push(start, hand.rng.uniform(15.0, 60.0), int(hand.rng.uniform(0.4e6, 0.9e6)), 0.5)
    await hand.spend(0.4, 0.8)
    await hand.lift(start, tile)
    await hand.spend(0.6, 1.4)
    for near in neighbours(hand, goal):
        if hand.world.lying(near) and hand.chance(0.5):
            hand.world.push(near, hand.rng.uniform(-1.5, 4.0), int(hand.rng.uniform(0.2e6, 0.5e6)), 0.6)
    await hand.put(goal, tile)
    hand.touch(goal, 30.0)
    await hand.spend(0.8, 1.6)


@act
async def add_piece(hand: Hand, seat: int, piece: int, spot: str, laid: str = "flat") -> Result:
    """Put one loose piece on a platform's tower, on a park, or into the bag that lies on the spot."""
    one = _loose(hand, seat, piece)
    below = _kept_top(hand, spot)
    if laid not in LAID:
        raise Impossible(f"a piece cannot lie {laid!r}: say one of {', '.join(LAID)}")
    if isinstance(below, Platform) and below.tower.cube_of is not None:
        raise Impossible(f"the cube of seat {below.tower.cube_of} is on top: take it off first")
    if not isinstance(below, Platform | Park | Bag) or (isinstance(below, Park) and below.monument is not None):
        raise Impossible(f"on {spot} a piece has nothing to stand on but {below}")
    mine = hand.world.seat(seat)
    mine.pieces = [other for other in mine.pieces if other.number != piece]
    await hand.spend(0.4, 0.9)
    if isinstance(below, Bag):
        await into_bag(hand, [one])
        return {}
    if isinstance(below, Park):
        below.monument = one
    else:
        nominal_mm = (THICK_MM, one.shape.a_mm, one.shape.b_mm)[LAID.index(laid)]
        below.tower.placed.append(Placed(one, nominal_mm + hand.rng.uniform(*UNEVEN_MM)))
    await hand.change(spot)
    return {}


@act
async def add_cube(hand: Hand, seat: int, spot: str) -> Result:
    """Put one's cube on top of a tower."""
    player, below = hand.world.seat(seat), _kept_top(hand, spot)
    if not isinstance(below, Platform) or below.tower.empty or below.tower.cube_of is not None:
        raise Impossible(f"on {spot} is no tower without a cube")
    if not player.cubes:
        raise Impossible(f"seat {seat} has no cube left")
    player.cubes -= 1
    await hand.spend(0.4, 0.9)
    below.tower.cube_of = seat
    await hand.change(spot)
    return {}


@act
async def take_off(hand: Hand, seat: int, spot: str) -> Result:
    """Take the topmost piece off a tower or a park; a cube goes back to its owner."""
    player, below = hand.world.seat(seat), _kept_top(hand, spot)
    await hand.spend(0.4, 0.9)
    if isinstance(below, Park) and below.monument is not None:
        player.pieces.append(below.monument)
        below.monument = None
    elif isinstance(below, Platform) and below.tower.cube_of is not None:
        _cube_home(hand, below)
    elif isinstance(below, Platform) and below.tower.placed:
        piece = below.tower.placed.pop().piece
        player.pieces.append(piece)
        lay_aside(hand, seat, [piece])
    else:
        raise Impossible(f"on {spot} stands no piece: {below} is bare")
    await hand.change(spot)
    return {}


@act
async def topple(hand: Hand, seat: int, spot: str) -> Result:
    """Knock a tower over: about half of it falls beside the tile, in front of the player; the rest lies on the tile."""
    player, tile = hand.world.seat(seat), _kept_top(hand, spot)
    if not isinstance(tile, Platform) or not tile.tower.placed:
        raise Impossible(f"on {spot} stands no tower: {tile} is bare")
    off = [placed for placed in tile.tower.placed if hand.chance(0.5)] or tile.tower.placed[-1:]
    on = [placed for placed in tile.tower.placed if placed not in off]
    await tumble(hand, spot, tile, off, on)
    tile.tower.placed = [Placed(placed.piece, 0.0) for placed in on]
    if tile.tower.cube_of is not None:
        _cube_home(hand, tile)
    await hand.change(spot)
    player.pieces += [placed.piece for placed in off]
    return {"fallen": len(off)}


def _loose(hand: Hand, seat: int, number: int) -> Piece:
    """Return a loose piece of a player by its number; raise Impossible."""
    found = next((piece for piece in hand.world.seat(seat).pieces if piece.number == number), None)
    if found is None:
        raise Impossible(f"piece {number} does not lie in front of seat {seat}")
    return found


def _kept_top(hand: Hand, spot: str) -> Thing | None:
    """Return what lies on top of a spot, which is kept for this act; raise Impossible while another hand is at it."""
    top = hand.world.top(spot)
    if spot in hand.world.claimed:
        raise Impossible(f"another hand is at {spot}: wait a moment")
    hand.keep(spot)
    return top


def _cube_home(hand: Hand, tile: Platform) -> None:
    """Give the cube of a tower back to its owner."""
    owner, tile.tower.cube_of = tile.tower.cube_of, None
    if owner is not None:
        hand.world.seat(owner).cubes += 1
