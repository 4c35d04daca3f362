"""A café table: everything on it, whose hands are where, and the single motions of which all acts are made.

A motion shows in the world at once. A thing is in one hand at a time; only the player whose turn it is waits for one.
"""

import random
from collections.abc import Callable

from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Person
from citytable.evenings.senses import Senses
from citytable.evenings.world import Piece, Thing, World
from citytable.games.megacity.actions import Action
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.position import Face
from citytable.games.megacity.spots import SUPPLY_PLATFORM_SLOTS, supply_platform
from citytable.rehearsal.megacity.evenings.fingers import Fingers
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.plan import Plan
from citytable.table.spot import Spot

SPREAD = 0.5  # of the logarithm of how long a motion takes
QUICKEST_S, SLOWEST_S = 0.1, 30.0
GLANCES_S = 0.4  # between two looks at whether a thing is free
STILL = 0.05  # of the hands on a scale that hold still
TALLEST_G = 2.4  # the tallest marker, a piece of cardboard on a foot (a guess)
PHRASE_S = (1.0, 9.0)  # until something is typed


class Places(Fingers):
    """The spots of a table, and which of them are free."""

    def __init__(self, world: World, plan: Plan, rng: random.Random) -> None:
        super().__init__(world)
        self.plan, self.rng = plan, rng
        self._readers = plan.readers()

    def reads(self, spot: Spot) -> bool:
        """Return whether a reader is below a spot."""
        return spot in self._readers

    def slots(self, seat: int) -> list[Spot]:
        """Return the free card slots of a seat."""
        return [spot for k in range(spots.CARD_SLOTS_PER_SEAT) if self.world.top(spot := spots.card(seat, k)) is None]

    def pads(self, seat: int) -> list[Spot]:
        """Return the free pads of a seat."""
        return [spot for k in range(spots.PADS_PER_SEAT) if self.world.top(spot := spots.pad(seat, k)) is None]

    def free_pad(self, seat: int) -> Spot:
        """Return a free pad of a seat, or one with a platform on which another is laid."""
        return self.rng.choice(self.pads(seat) or [spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT)])

    def supply(self) -> list[Spot]:
        """Return the free slots of the supply."""
        return [spot for k in range(SUPPLY_PLATFORM_SLOTS) if self.world.top(spot := supply_platform(k)) is None]


class Cafe(Places):
    """The table. `record` knows what was done by the rules."""

    ADD_S, TAKE_S, PRESS_MOST_G = 1.3, 1.0, 8.0

    def __init__(
        self, record: Record, world: World, agenda: Agenda, senses: Senses, plan: Plan, rng: random.Random
    ) -> None:
        super().__init__(world, plan, rng)
        self.record, self.agenda, self.senses = record, agenda, senses
        self.dealer = Dealer(rng, falls=0.0)
        self.missing: list[Face] = []
        """Platforms that are in the supply by the rules, and that nobody has turned up yet."""
        self.early: dict[int, str] = {}
        """Contracts that players have in front of them before their turn."""
        self.owes_cradle: set[int] = set()
        """Who found the bag on the bare table and has not put it on their cradle yet."""
        self.old_monuments: list[Piece] = []
        self.delivering = False
        self.last_turn = 0
        self.tallest: Spot | None = None
        self._hands_on: set[str] = set()

    @property
    def fingers(self) -> list[Piece]:
        """Return the pieces between somebody's fingers, on their way."""
        return self.world.heaps.setdefault("fingers", [])

    # who, and how long

    def takes_s(self, who: Person, usual_s: float) -> float:
        """Return how long somebody takes for what usually takes so long."""
        return min(SLOWEST_S, max(QUICKEST_S, usual_s * who.pace * self.rng.lognormvariate(0.0, SPREAD)))

    def others(self, who: Person) -> list[Person]:
        """Return everybody else."""
        return [one for seat, one in sorted(self.record.persons.items()) if seat != who.seat]

    def neighbour(self, who: Person) -> Person:
        """Return somebody else."""
        return self.rng.choice(self.others(who))

    # hands

    def grabs(self, *things: Thing) -> bool:
        """Take hold of all these things, if nobody has any of them; return whether that worked."""
        names = {thing.name for thing in things}
        if names & self._hands_on:
            return False
        self._hands_on |= names
        return True

    def hold(self, thing: Thing) -> Doing:
        """Wait for a thing, and take hold of it."""
        while not self.grabs(thing):
            yield GLANCES_S

    def let_go(self, *things: Thing) -> None:
        """Leave things to the others."""
        self._hands_on -= {thing.name for thing in things}

    def is_free(self, thing: Thing) -> bool:
        """Return whether nobody holds a thing."""
        return thing.name not in self._hands_on

    def face_up(self, face: Face) -> Thing:
        """Return a platform, with this side up."""
        thing = self.platform(face.platform)
        thing.side = self.record.game.deck.platforms[face.platform].index(face.up)
        return thing

    # motions

    def lift(self, who: Person, thing: Thing) -> Doing:
        """Reach for a thing and lift it."""
        yield self.takes_s(who, 0.8)
        spot = self.world.spot_of(thing)
        if spot is None:
            return
        yield from self.press(spot, self.rng.uniform(0.5, 5.0), self.takes_s(who, 0.2))
        self.world.lift(thing)
        thing.askew = False
        self.senses.stirred(spot)

    def lay(self, who: Person, thing: Thing, spot: Spot, *, below: bool = False) -> Doing:
        """Carry a thing to a spot and lay it there."""
        yield self.takes_s(who, 1.0)
        self.world.lay(spot, thing, below=below)
        self.senses.stirred(spot)
        yield from self.press(spot, self.rng.uniform(0.5, 10.0), self.takes_s(who, 0.25))

    def carry(self, who: Person, thing: Thing, spot: Spot, pause_s: float = 0.0) -> Doing:
        """Lift a thing, wait, and lay it on a spot."""
        yield from self.lift(who, thing)
        yield pause_s
        yield from self.lay(who, thing, spot)

    def press(self, spot: Spot, grams: float, seconds: float, *, still: bool | None = None) -> Doing:
        """Lean on a spot, or leave something there."""
        steady = self.rng.random() < STILL if still is None else still
        self.world.unsteady[spot] += not steady
        self.world.press(spot, grams)
        self.senses.stirred(spot)
        yield seconds
        self.world.press(spot, -grams)
        self.world.unsteady[spot] -= not steady
        self.senses.stirred(spot)

    def at_once(self, doing: Doing, other: Doing) -> Doing:
        """Do two things at the same time, until both are done."""
        busy = [True]

        def second() -> Doing:
            yield from other
            busy.clear()

        self.agenda.begin(second(), self.rng.uniform(0.0, 1.5))
        yield from doing
        while busy:
            yield GLANCES_S

    # the rules

    def did(self, who: Person, action: Action, *, unseen: str = "", said: bool = False, soft: bool = False) -> None:
        """Note what was just done, and let people say so once more than they should."""
        self.record.did(action, unseen=unseen, spoken=said, soft=soft)
        known = self.record.done[-1].action
        if unseen or said:
            return
        if who.does("double_tap"):
            after_s = self.rng.uniform(*PHRASE_S)
            for late_s in (0.0, self.rng.uniform(0.3, 4.0)):
                self.record.say(known, who.seat, after_s + late_s)
        elif who.does("neighbour_says"):
            self.record.say(known, self.neighbour(who).seat, self.rng.uniform(*PHRASE_S))

    def mark_tallest(self, at: Hex | None) -> None:
        """Move the tallest marker to the tile of a hex, or out of the city."""
        for spot, grams in ((self.tallest, -TALLEST_G), (None if at is None else spots.city(at), TALLEST_G)):
            if spot is not None:
                self.world.press(spot, grams)
                self.senses.stirred(spot)
        self.tallest = None if at is None else spots.city(at)

    def beside(self, doing: Doing, low_s: float = 0.0, high_s: float = 0.0) -> None:
        """Let something be done beside the turn, in a while."""
        self.agenda.begin(doing, self.rng.uniform(low_s, high_s))

    def later(self, then: Callable[[], None], low_s: float, high_s: float) -> None:
        """Let something happen in a while."""
        self.agenda.call(self.rng.uniform(low_s, high_s), then)
