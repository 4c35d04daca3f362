"""Falls, as the scales below feel them: pieces tip, fly, strike the tile or the table, and roll."""

import math
from random import Random

from tabletwin.forces import Force, Landed, Tipped
from tabletwin.hands.hand import Hand
from tabletwin.hands.megacity.hexes import neighbours
from tabletwin.pieces import CUBE_G, Piece
from tabletwin.scheduler import sleep_us
from tabletwin.shocks import GRAVITY_MM_PER_MS2, TILE_MM
from tabletwin.things import Park, Platform
from tabletwin.tower import Placed, Tower

TIP_US = (15_000, 250_000)
KICK = (0.0, 0.3)  # of its weight, when a piece tips over an edge
GAP_US, ALL_IN_US = (5_000, 150_000), 450_000  # between one piece and the next, and from the first to the last
LEAST_MM = 3.0
STRAIGHT = (0.2, 1.0)  # share of its height that a piece falls freely, the rest it slides down on others
BOUNCES_BACK = (0.05, 0.5)
ROLL_US = (30_000, 900_000)
SLIDES_OFF_US = (10_000, 150_000)
STRIKES_THE_TILE = 0.45  # share of the pieces that end beside it
STRIKES_A_NEIGHBOUR = 0.3
NUDGED, NUDGE_G, NUDGE_US = 0.5, (3.0, 40.0), (80_000, 350_000)


def _between(rng: Random, low_high: tuple[int, int]) -> int:
    """A duration, the short ones as likely as the long ones."""
    low, high = map(math.log, low_high)
    return int(math.exp(rng.uniform(low, high)))


class Fall:
    """Pieces falling off one tile from one moment on: the forces on it, and on what they strike beside it."""

    def __init__(self, rng: Random, at_us: int) -> None:
        self._rng = rng
        self._at_us = at_us
        self.forces: list[Force] = []
        self.beside: list[Landed] = []
        self.missed: list[tuple[int, float]] = []  # what strikes the table, by when and how hard
        self.lasts_us = 0

    def piece(self, after_us: int, mass_g: float, height_mm: float, *, off: bool) -> None:
        """One piece tips so long after the first, falls from a height, and ends off the tile or on it."""
        rng = self._rng
        tips_us, tip_us = self._at_us + after_us, _between(rng, TIP_US)
        self._add(Tipped(tips_us, mass_g, tip_us, rng.uniform(*KICK)))
        drop_mm = max(LEAST_MM, height_mm) * rng.uniform(*STRAIGHT)
        lands_us = tips_us + tip_us + int(1e3 * math.sqrt(2.0 * drop_mm / GRAVITY_MM_PER_MS2))
        impulse = mass_g * math.sqrt(2.0 * drop_mm / GRAVITY_MM_PER_MS2) * (1.0 + rng.uniform(*BOUNCES_BACK))
        roll_us = _between(rng, ROLL_US)
        if off and rng.random() >= STRIKES_THE_TILE:
            if rng.random() < STRIKES_A_NEIGHBOUR:
                self.beside.append(Landed(lands_us, 0.0, impulse, roll_us, rng))
            else:
                self.missed.append((lands_us, impulse))
            return
        self._add(Landed(lands_us, mass_g, impulse, roll_us, rng))
        if off:
            slides_us = lands_us + int(roll_us * rng.uniform(0.4, 1.0))
            gone = Tipped(slides_us, mass_g, _between(rng, SLIDES_OFF_US), 0.0)
            self._add(gone)
            self.missed.append((gone.until_us, mass_g * math.sqrt(2.0 * TILE_MM / GRAVITY_MM_PER_MS2)))

    async def happen(self, hand: Hand, spot: str) -> None:
        """All of it is felt, at the spot and at those beside it; ends when it is over."""
        hand.world.fall(spot, self.forces)
        around = neighbours(hand, spot)
        for force in self.beside:
            if around:
                hand.world.press(hand.rng.choice(around), force)
            else:
                self.missed.append(force.blows[0])
        for at_us, impulse in self.missed:
            hand.world.shocks.missed(spot, at_us, impulse)
        await sleep_us(self.lasts_us)

    def _add(self, force: Force) -> None:
        self.forces.append(force)
        self.lasts_us = max(self.lasts_us, force.until_us - self._at_us)


async def nudge(hand: Hand, spot: str) -> None:
    """Bump the table: a knock that makes things fall is sometimes felt itself."""
    if hand.chance(NUDGED):
        lasts_us = hand.rng.randint(*NUDGE_US)
        hand.world.push(spot, hand.rng.uniform(*NUDGE_G), lasts_us, 0.5)
        await sleep_us(int(lasts_us * hand.rng.uniform(0.3, 1.0)))


def heights_mm(tower: Tower) -> dict[int, float]:
    """Return the height of the top of each piece, by its number."""
    heights, height_mm = {}, 0.0
    for placed in tower.placed:
        height_mm += placed.rise_mm
        heights[placed.piece.number] = height_mm
    return heights


async def tumble(hand: Hand, spot: str, tile: Platform, off: list[Placed], on: list[Placed]) -> None:
    """Of the tower on `tile`, `off` falls beside it and `on` onto it, the top first, until all lies still.

    Where nothing is left standing, a cube comes down with it and lies on the tile.
    """
    await nudge(hand, spot)
    tower, tops_mm = tile.tower, heights_mm(tile.tower)
    falling = [placed for placed in reversed(tower.placed) if placed in off or placed in on]
    fall, after_us = Fall(hand.rng, hand.table.now_us), 0
    if tower.cube_of is not None and len(falling) == len(tower.placed):
        fall.piece(0, CUBE_G, tower.height_mm, off=False)
    for placed in falling:
        fall.piece(after_us, placed.piece.mass_g, tops_mm[placed.piece.number], off=placed in off)
        after_us = min(ALL_IN_US, after_us + _between(hand.rng, GAP_US))
    tower.placed = [placed for placed in tower.placed if placed not in off]
    await fall.happen(hand, spot)


async def knock_over(hand: Hand, spot: str, park: Park, monument: Piece, *, off: bool) -> None:
    """The monument of a park falls off its tile, or lies on it, until it lies still."""
    fall = Fall(hand.rng, hand.table.now_us)
    fall.piece(0, monument.mass_g, max(monument.rises_mm), off=off)
    park.monument = None if off else monument
    await fall.happen(hand, spot)
