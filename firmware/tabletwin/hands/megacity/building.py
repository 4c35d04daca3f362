"""Acts of building: putting pieces on a platform one by one, taking them off, measuring."""

import math

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.hands.megacity.falling import tumble
from tabletwin.hands.megacity.finding import find_platform
from tabletwin.hands.megacity.loose_pieces import choose, lay_aside
from tabletwin.pieces import counted
from tabletwin.scheduler import Impossible
from tabletwin.things import Platform
from tabletwin.tower import Placed, design

COLLAPSES_WHILE_BUILDING = 0.06
COLLAPSES_MOST = 2


def ruler_mm(tile: Platform) -> int:
    """Read the ruler beside a tower: whole millimetres, rounded down."""
    return math.floor(tile.tower.height_mm)


async def _place(hand: Hand, spot: str) -> None:
    """A piece or cube is put on a tower or taken off it."""
    await hand.change(spot)
    await hand.spend(0.1, 0.4)


async def _fall_while_building(hand: Hand, spot: str, tile: Platform) -> None:
    """Let the tower fall, half of it beside the tile; the builder picks it all up again."""
    on = [placed for placed in tile.tower.placed if hand.chance(0.5)]
    await tumble(hand, spot, tile, [placed for placed in tile.tower.placed if placed not in on], on)
    await hand.spend(1.0, 3.0)
    tile.tower.placed = []
    hand.touch(spot, 40.0)
    await hand.change(spot)
    await hand.spend(1.0, 3.0)


async def stack(hand: Hand, spot: str, tile: Platform, tower: list[Placed]) -> int:
    """Put a designed tower on an empty platform, over and over until it stands; how often it fell."""
    collapses = 0
    while True:
        falls_at = None
        if len(tower) > 3 and collapses < COLLAPSES_MOST and hand.chance(COLLAPSES_WHILE_BUILDING):
            falls_at = hand.rng.randint(3, len(tower) - 1)
        for count, placed in enumerate(tower):
            if count == falls_at:
                break
            await hand.spend(0.8, 2.6)
            tile.tower.placed.append(placed)
            await _place(hand, spot)
        else:
            return collapses
        collapses += 1
        await _fall_while_building(hand, spot, tile)


@act
async def build(
    hand: Hand, seat: int, platform: int, pieces: dict[str, int], at_least_mm: int, cube: bool = True
) -> Result:
    """Build a tower from one's loose pieces, as high as wanted if they allow it; one's cube on top."""
    spot, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    player = hand.world.seat(seat)
    if not tile.tower.empty:
        raise Impossible(f"a tower stands on platform {platform}: take it off first")
    if cube and not player.cubes:
        raise Impossible(f"seat {seat} has no cube left")
    chosen = choose(hand, player.pieces, pieces)
    player.pieces = [piece for piece in player.pieces if piece not in chosen]
    player.cubes -= cube
    tower = design(chosen, at_least_mm - (8 if cube else 0), hand.rng)
    collapses = await stack(hand, spot, tile, tower)
    if cube:
        await hand.spend(0.8, 2.0)
        tile.tower.cube_of = seat
        await _place(hand, spot)
    return {"height_mm": ruler_mm(tile), "collapses": collapses}


@act
async def unbuild(hand: Hand, seat: int, platform: int) -> Result:
    """Take a tower off its platform, piece by piece from the top."""
    spot, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    player = hand.world.seat(seat)
    taken = tile.tower.pieces
    if tile.tower.cube_of is not None:
        tile.tower.cube_of = None
        player.cubes += 1
        await _place(hand, spot)
    while tile.tower.placed:
        await hand.spend(0.5, 1.5)
        piece = tile.tower.placed.pop().piece
        player.pieces.append(piece)
        await _place(hand, spot)
        lay_aside(hand, seat, [piece])
    return {"pieces": counted(taken)}


@act
async def measure(hand: Hand, seat: int, platform: int) -> Result:
    """Lower the crane's paddle on a tower, wait, raise it again."""
    spot, tile = await find_platform(hand, f"seat/{seat}/pad/", platform)
    await hand.take_turns(f"crane {seat}")
    await hand.spend(1.0, 2.0)
    hand.world.cranes[spot] = tile.tower.height_mm
    hand.touch(spot, 4.0)
    await hand.spend(2.4, 3.2)
    del hand.world.cranes[spot]
    await hand.spend(0.4, 0.8)
    return {"height_mm": ruler_mm(tile)}
