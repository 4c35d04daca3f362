"""The parlour: one table, the hands at it, and the single motions of which strangers make everything.

A hand lifts a thing, holds it, puts it on a spot, lays it beside the table's spots, takes one piece or adds one. Each
motion shows in the world at once; who holds a thing keeps it from all others until they let go of it.
"""

import random
from collections.abc import Generator
from typing import TypeAlias

from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Person
from citytable.evenings.senses import Senses
from citytable.evenings.world import Piece, Thing, World
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.position import Face
from citytable.rehearsal.megacity.evenings.fingers import Fingers
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.table import spot as spots
from citytable.table.plan import Plan
from citytable.table.spot import Spot

Waiting: TypeAlias = Generator[float, None, None]
LOOKS_AGAIN_S = 0.35
SPREAD = 0.75  # of the logarithm of how long a motion takes: one in twenty is over three times as long
QUICKEST_S, SLOWEST_S = 0.05, 45.0
DREAMS = 0.02  # motions in which somebody stops to talk
STILL_HAND = 0.1  # hands that rest on a scale without trembling


class Parlour(Fingers):
    """The table and everything on it. `record` knows what was done by the rules."""

    ADD_S, TAKE_S, PRESS_MOST_G = 1.2, 0.9, 9.0

    def __init__(
        self, record: Record, world: World, agenda: Agenda, senses: Senses, plan: Plan, rng: random.Random
    ) -> None:
        super().__init__(world)
        self.record = record
        self.agenda = agenda
        self.senses = senses
        self.plan = plan
        self.rng = rng
        self.dealer = Dealer(rng, falls=0.0)
        self.to_turn_up: list[Face] = []
        """Platforms that the rules have in the supply and nobody has turned up yet."""
        self.house_rule = False
        self._held: set[str] = set()

    def dropped(self, seat: int) -> list[Piece]:
        """Return the pieces of a player that lie under the table and will be found."""
        return self.world.heaps.setdefault(f"dropped/{seat}", [])

    # time

    def takes_s(self, who: Person, usual_s: float) -> float:
        """Return how long somebody takes for what usually takes so long: at times an instant, at times far longer."""
        drawn_s = usual_s * who.pace * self.rng.lognormvariate(0.0, SPREAD)
        if self.rng.random() < DREAMS:
            drawn_s *= 8
        return min(SLOWEST_S, max(QUICKEST_S, drawn_s))

    # holding

    def is_free(self, thing: Thing) -> bool:
        """Return whether nobody holds a thing."""
        return thing.name not in self._held

    def grabs(self, thing: Thing) -> bool:
        """Take hold of a thing if nobody else does; return whether that worked."""
        if thing.name in self._held:
            return False
        self._held.add(thing.name)
        return True

    def hold(self, thing: Thing) -> Waiting:
        """Wait until nobody else holds a thing, then take hold of it. What holds one thing must not wait for others."""
        while not self.grabs(thing):
            yield LOOKS_AGAIN_S

    def let_go(self, thing: Thing) -> None:
        """Leave a thing to the others."""
        self._held.discard(thing.name)

    # single motions; the thing is held

    def lift(self, who: Person, thing: Thing) -> Doing:
        """Reach for a thing and lift it from its spot; nothing changes where it is in a hand or on the bare table."""
        yield self.takes_s(who, 0.7)
        spot = self.world.spot_of(thing)
        if spot is None:
            return
        yield from self.press(spot, self.rng.uniform(0.5, 6.0), self.takes_s(who, 0.15))
        self.world.lift(thing)
        thing.askew = False
        self.senses.stirred(spot)

    def put(self, who: Person, thing: Thing, spot: Spot, *, below: bool = False, askew: bool = False) -> Doing:
        """Carry a thing to a spot and lay it there."""
        yield self.takes_s(who, 0.9)
        thing.askew = askew
        self.world.lay(spot, thing, below=below)
        self.senses.stirred(spot)
        yield from self.press(spot, self.rng.uniform(0.5, 14.0), self.takes_s(who, 0.2))

    def press(self, spot: Spot, grams: float, seconds: float) -> Doing:
        """Lean a hand on a spot; it seldom holds still."""
        still = self.rng.random() < STILL_HAND
        if not still:
            self.world.unsteady[spot] += 1
        yield from self.leave(spot, grams, seconds)
        if not still:
            self.world.unsteady[spot] -= 1
            self.senses.stirred(spot)

    def leave(self, spot: Spot, grams: float, seconds: float) -> Doing:
        """Leave something that does not belong there on a spot for a while."""
        self.world.press(spot, grams)
        self.senses.stirred(spot)
        yield seconds
        self.world.press(spot, -grams)
        self.senses.stirred(spot)

    def bring(self, who: Person, thing: Thing, spot: Spot) -> Doing:
        """Lift a thing and put it on a spot."""
        yield from self.lift(who, thing)
        yield from self.put(who, thing, spot)

    def together(self, one: Doing, other: Doing) -> Doing:
        """Do two things at once, one with each hand; both are done at the end."""
        left = [other]

        def second() -> Doing:
            yield from other
            left.clear()

        self.agenda.begin(second())
        yield from one
        while left:
            yield LOOKS_AGAIN_S


def free_pad(table: Parlour, seat: int) -> Spot | None:
    """Return a pad of a seat on which nothing lies."""
    return table.world.free(*(spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT)))


def free_slots(table: Parlour, seat: int) -> list[Spot]:
    """Return the card slots of a seat on which nothing lies."""
    slots = [spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]
    return [spot for spot in slots if table.world.top(spot) is None]


def neighbours(table: Parlour, seat: int) -> list[Person]:
    """Return everybody but one."""
    return [person for number, person in sorted(table.record.persons.items()) if number != seat]
