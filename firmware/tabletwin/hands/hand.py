"""A hand, which moves things in virtual time, with durations from its own random stream; and the list of all acts."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from tabletwin.scheduler import Impossible, sleep_us
from tabletwin.table import VirtualTable
from tabletwin.things import Thing
from tabletwin.world import World

WAIT_US = 100_000
PATIENCE_STEPS = 1200  # 2 minutes: a tower is built in less
Result = dict[str, Any]
Act = Callable[..., Awaitable[Result]]
ACTS: dict[str, dict[str, Act]] = {}
"""By the folder that brings them and their names: the acts of every game, and of each game."""


def act(function: Act) -> Act:
    """Register a coroutine function under its name as an act of its folder."""
    ACTS.setdefault(function.__module__.rpartition(".")[0], {})[function.__name__] = function
    return function


class Hand:
    """One act's hands."""

    def __init__(self, table: VirtualTable, power: "Power", rng: Random) -> None:
        self.table = table
        self.power = power
        self.rng = rng
        self._kept: set[str] = set()

    @property
    def world(self) -> World:
        """Return the world: what lies where."""
        return self.table.world

    async def spend(self, low_s: float, high_s: float) -> None:
        """Be busy for a while."""
        await sleep_us(int(self.rng.uniform(low_s, high_s) * 1e6))

    def chance(self, probability: float) -> bool:
        """Draw whether something of this probability happens."""
        return self.rng.random() < probability

    def touch(self, spot: str, grams: float) -> None:
        """Fingers on a spot, for about half a second."""
        self.world.push(spot, grams * self.rng.uniform(0.5, 1.5), int(self.rng.uniform(0.25e6, 0.7e6)))

    async def pick_up(self, spot: str, thing: Thing) -> None:
        """Reach for a thing and lift it."""
        await self.spend(0.4, 1.2)
        await self.lift(spot, thing)

    async def lay_down(self, spot: str, thing: Thing, *, below: bool = False) -> None:
        """Carry a thing to a spot and lay it there."""
        await self.spend(0.5, 1.5)
        await self.put(spot, thing, below=below)

    async def lift(self, spot: str, thing: Thing) -> None:
        """Grip a thing one has reached, and take it off."""
        await sleep_us(self.world.lift(spot, thing))

    async def put(self, spot: str, thing: Thing, *, below: bool = False) -> None:
        """Set a thing down that one has brought, and let go."""
        await sleep_us(self.world.put(spot, thing, below=below))

    async def change(self, spot: str) -> None:
        """Put something on what lies on a spot, or take something off it; it has just become so."""
        await sleep_us(self.world.feel(spot))

    def keep(self, *spots: str) -> None:
        """Keep other hands from laying things there, or from a thing that is in use, until this act is over."""
        self._kept.update(spots)
        self.world.claimed.update(spots)

    def let_go(self) -> None:
        """The act is over, or could not be done: other hands may."""
        self.world.claimed -= self._kept
        self._kept.clear()

    def claim(self, prefix: str) -> str:
        """A free spot with this beginning, kept for this act."""
        spot = self.world.free_spot(prefix)
        self.keep(spot)
        return spot

    async def move(self, start: str, thing: Thing, prefix: str) -> str:
        """Take a thing from a spot to a free spot with this beginning, which is returned."""
        goal = self.claim(prefix)
        await self.pick_up(start, thing)
        await self.lay_down(goal, thing)
        return goal

    async def take_turns(self, name: str) -> None:
        """Wait until no other hand is at something, and keep it."""
        while name in self.world.claimed:
            await sleep_us(WAIT_US)
        self.keep(name)

    async def wait_for(self, prefix: str, name: str) -> str:
        """Return the spot of a thing, reserved for this act. Wait while another hand is at it or may be holding it."""
        for _ in range(PATIENCE_STEPS):
            others = self.world.claimed - self._kept
            try:
                spot = self.world.find(prefix, name)
            except Impossible:
                if not others:
                    raise
            else:
                if spot not in others:
                    self.keep(spot)
                    return spot
            await sleep_us(WAIT_US)
        return self.world.find(prefix, name)


class Power:
    """The hand at a station's plug: `cut` and `restore` are given by whoever runs the network."""

    def __init__(self, cut: Callable[[str], None], restore: Callable[[str], None]) -> None:
        self.cut = cut
        self.restore = restore
