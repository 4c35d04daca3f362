"""Acts of delivering: sliding a platform with its tower into the city, and adding a park or a monument."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.building import ruler_mm
from tabletwin.hands.megacity.falling import heights_mm, knock_over, tumble
from tabletwin.hands.megacity.finding import find_platform
from tabletwin.hands.megacity.hexes import free_hex, hex_spot, neighbours
from tabletwin.hands.megacity.loose_pieces import into_bag, lay_aside
from tabletwin.pieces import Piece, counted
from tabletwin.scheduler import Impossible
from tabletwin.things import Park, Platform

OUTCOMES = ("stands", "falls_sliding", "falls_there")
PAUSE_ON_A_WRONG_HEX = 0.2
PASSES_OVER_A_HEX = 0.4


def _free_neighbours(hand: Hand, spot: str) -> list[str]:
    return [near for near in neighbours(hand, spot) if hand.world.is_free(near)]


async def _slide_off(hand: Hand, spot: str, tile: Platform) -> None:
    """Hands on both sides of a platform, pushing it off its pad."""
    await hand.spend(0.5, 1.5)
    hand.world.push(spot, hand.rng.uniform(15.0, 60.0), int(hand.rng.uniform(0.4e6, 0.9e6)), 0.5)
    await hand.spend(0.4, 0.8)
    await hand.lift(spot, tile)
    await hand.spend(0.6, 1.6)


async def _slide_over(hand: Hand, goal: str, tile: Platform, *, may_pause: bool) -> None:
    """On the way to a hex: across a free neighbour, now and then with a pause there."""
    free = _free_neighbours(hand, goal)
    if free and may_pause and hand.chance(PAUSE_ON_A_WRONG_HEX):
        wrong = hand.rng.choice(free)
        hand.keep(wrong)
        await hand.put(wrong, tile)
        await hand.spend(1.0, 3.6)
        await hand.lift(wrong, tile)
        await hand.spend(0.3, 0.8)
    elif free and hand.chance(PASSES_OVER_A_HEX):
        hand.world.push(hand.rng.choice(free), tile.mass_g, int(hand.rng.uniform(0.3e6, 0.6e6)), 0.4)
        await hand.spend(0.4, 0.7)


async def _arrive(hand: Hand, goal: str, tile: Platform) -> None:
    """The platform touches its neighbours and lies."""
    for near in neighbours(hand, goal):
        if hand.world.lying(near) and hand.chance(0.5):
            hand.world.push(near, hand.rng.uniform(-1.5, 4.0), int(hand.rng.uniform(0.2e6, 0.5e6)), 0.6)
    await hand.put(goal, tile)
    hand.touch(goal, 30.0)
    await hand.spend(0.8, 1.6)


async def _fall_there(hand: Hand, goal: str, tile: Platform) -> list[Piece]:
    """Let the tower fall after all, most of it beside the platform; return the fallen pieces, still on the table."""
    count = len(tile.tower.placed)
    stays = hand.rng.sample(tile.tower.placed, hand.rng.randint(0, count // 2))
    fallen = [placed for placed in tile.tower.placed if placed not in stays]
    await tumble(hand, goal, tile, fallen, stays)
    await hand.spend(1.0, 2.5)
    return [placed.piece for placed in fallen]


async def _take_back(hand: Hand, seat: int, tile: Platform, at: str | None, pad: str) -> None:
    """Take back the player's pieces, cube and platform after a fall."""
    player = hand.world.seat(seat)
    lay_aside(hand, seat, tile.tower.pieces)
    if at is not None:
        hand.touch(at, 40.0)
        player.pieces += tile.tower.pieces
        tile.tower.placed = []
        await hand.change(at)
        await hand.spend(1.0, 2.5)
        await hand.lift(at, tile)
    player.pieces += tile.tower.pieces
    tile.tower.placed = []
    player.cubes += tile.tower.cube_of is not None
    tile.tower.cube_of = None
    await hand.spend(2.0, 4.0)
    await hand.lay_down(pad, tile)


@act
async def deliver(hand: Hand, seat: int, platform: int, at: list[int], outcome: str) -> Result:
    """Slide a platform from its pad to a hex; it stands, falls on the way, or falls when it is there."""
    if outcome not in OUTCOMES:
        raise Impossible(f"outcome {outcome!r}: say one of {', '.join(OUTCOMES)}")
    pad, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    goal = free_hex(hand, at)
    hand.keep(goal, pad)
    await _slide_off(hand, pad, tile)
    await _slide_over(hand, goal, tile, may_pause=outcome == "stands")
    if outcome == "falls_sliding":
        tops_mm = heights_mm(tile.tower)
        falling = [(piece.mass_g, tops_mm[piece.number]) for piece in reversed(tile.tower.pieces)]
        hand.world.shocks.scattered(goal, hand.table.now_us, falling)
        await hand.spend(1.0, 2.0)
        await _take_back(hand, seat, tile, None, pad)
        return {"stood": False, "height_mm": 0}
    await _arrive(hand, goal, tile)
    if outcome == "falls_there":
        hand.world.seat(seat).pieces += await _fall_there(hand, goal, tile)
        await _take_back(hand, seat, tile, goal, pad)
        return {"stood": False, "height_mm": 0}
    return {"stood": True, "height_mm": ruler_mm(tile)}


def park_at(hand: Hand, at: list[int]) -> tuple[str, Park]:
    """Return the spot of a hex and the park on it; raises Impossible."""
    spot = hex_spot(hand, at)
    park = hand.world.top(spot)
    if not isinstance(park, Park):
        raise Impossible(f"on {spot} lies no park but {park}")
    return spot, park


def monument_at(hand: Hand, at: list[int]) -> tuple[str, Park, Piece]:
    """The spot of a hex, the park on it and the monument on that; raises Impossible."""
    spot = hex_spot(hand, at)
    park = hand.world.top(spot)
    if not isinstance(park, Park) or park.monument is None:
        raise Impossible(f"on {spot} stands no monument")
    return spot, park, park.monument


@act
async def place_park(hand: Hand, seat: int, at: list[int]) -> Result:
    """One's own park tile onto a hex."""
    player = hand.world.seat(seat)
    goal = free_hex(hand, at)
    park = player.park
    if park is None:
        raise Impossible(f"seat {seat} has no park left")
    player.park = None
    hand.keep(goal)
    await hand.lay_down(goal, park)
    return {}


@act
async def place_monument(hand: Hand, seat: int, at: list[int]) -> Result:
    """One loose piece onto a park; an older one there goes to the bag first."""
    spot, park = park_at(hand, at)
    player = hand.world.seat(seat)
    if not player.pieces:
        raise Impossible(f"seat {seat} has no loose piece")
    piece = hand.rng.choice(player.pieces)
    player.pieces.remove(piece)
    old = park.monument
    if old is not None:
        await hand.spend(0.6, 1.5)
        park.monument = None
        await hand.change(spot)
        await hand.spend(0.8, 1.8)
        await into_bag(hand, [old])
    await hand.spend(0.8, 1.8)
    park.monument = piece
    await hand.change(spot)
    await hand.spend(0.1, 0.3)
    return {"piece": counted([piece])}


@act
async def misplace(hand: Hand, seat: int, platform: int, at: list[int]) -> Result:
    """A platform put on a hex where it does not belong; it stays there."""
    pad, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    goal = free_hex(hand, at)
    hand.keep(goal)
    await _slide_off(hand, pad, tile)
    await _arrive(hand, goal, tile)
    return {}


@act
async def put_right(hand: Hand, platform: int, spot_prefix: str) -> Result:
    """Take a platform from wherever it lies to a free spot with this beginning."""
    spot, tile = await find_platform(hand, "", platform)
    goal = hand.claim(spot_prefix)
    await _slide_off(hand, spot, tile)
    await _arrive(hand, goal, tile)
    return {"spot": goal}


@act
async def collapse(hand: Hand, at: list[int]) -> Result:
    """A building of the city falls. What touches the table goes to the box, the rest to the bag, the cube home."""
    spot = hex_spot(hand, at)
    tile = hand.world.top(spot)
    if not isinstance(tile, Platform) or tile.tower.empty:
        raise Impossible(f"on {spot} stands no building")
    tower = tile.tower
    to_box = [placed for placed in tower.placed if hand.chance(0.5)] or tower.placed[-1:]
    stays = [placed for placed in tower.placed if placed not in to_box]
    left = stays[:1] if hand.chance(0.1) else []
    await tumble(hand, spot, tile, to_box, stays)
    await hand.spend(1.5, 3.5)
    owner, tower.cube_of = tower.cube_of, None
    await hand.change(spot)
    hand.world.box += [placed.piece for placed in to_box]
    if owner is not None:
        hand.world.seat(owner).cubes += 1
    to_bag = [placed for placed in tower.placed if placed not in left]
    for at_piece in range(0, len(to_bag), 3):
        handful = to_bag[at_piece : at_piece + 3]
        tower.placed = [placed for placed in tower.placed if placed not in handful]
        hand.touch(spot, 25.0)
        await hand.change(spot)
        await hand.spend(0.8, 1.8)
        await into_bag(hand, [placed.piece for placed in handful])
    return {"to_box": len(to_box), "to_bag": len(to_bag), "left": len(left)}


@act
async def lose_pieces(hand: Hand, at: list[int]) -> Result:
    """One or two pieces fall off a building. What touched the table goes to the box, the rest to the bag."""
    spot = hex_spot(hand, at)
    tile = hand.world.top(spot)
    if not isinstance(tile, Platform) or len(tile.tower.placed) < 3:
        raise Impossible(f"on {spot} stands no building of three pieces or more")
    falling = tile.tower.placed[-hand.rng.randint(1, 2) :]
    fallen = [placed.piece for placed in falling]
    to_box = [piece for piece in fallen if hand.chance(0.5)]
    to_bag = [piece for piece in fallen if piece not in to_box]
    await tumble(hand, spot, tile, falling, [])
    await hand.spend(1.5, 3.5)
    hand.world.box += to_box
    if to_bag:
        await into_bag(hand, to_bag)
    return {"to_box": counted(to_box), "to_bag": counted(to_bag), "height_mm": ruler_mm(tile)}


@act
async def drop_monument(hand: Hand, at: list[int]) -> Result:
    """A monument is knocked over: to the box if it touched the table, else it is put back."""
    spot, park, piece = monument_at(hand, at)
    touched = hand.chance(0.6)
    await knock_over(hand, spot, park, piece, off=touched)
    await hand.spend(1.5, 3.5)
    if touched:
        hand.world.box.append(piece)
        return {"touched": True}
    park.monument = None
    await hand.change(spot)
    park.monument = piece
    await hand.change(spot)
    return {"touched": False}
