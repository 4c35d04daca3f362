"""The stage: one table with its people, and the single motions of which everything they do is made.

Every motion takes its time, shows in the world at once and on the sensors when they notice. What it was by the rules
goes into the record.
"""

import random
from collections.abc import Sequence

from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Person
from citytable.evenings.senses import Senses
from citytable.evenings.world import Piece, Thing, World
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Face, Position
from citytable.rehearsal.megacity.evenings.box import Components
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.table import spot as spots
from citytable.table.spot import Spot

TRIES = 200  # how often somebody looks whether a thing is free again before they give it up
AGAIN_S = 0.5
LONG_S = 1.0
HOLDS_STILL = 0.3  # how often a hand that stays longer than that rests so still that its load is one for the scale
HOLDS_STILL_AT_ONCE = 0.03


class Stage(Components):
    """Everything that an act needs."""

    def __init__(self, record: Record, world: World, agenda: Agenda, senses: Senses, rng: random.Random) -> None:
        super().__init__(world)
        self.record = record
        self.agenda = agenda
        self.senses = senses
        self.rng = rng
        self.dealer = Dealer(rng, falls=0.0)
        self.last_drawn: list[Piece] = []
        self.gaps: dict[Spot, Face] = {}
        """What is to be turned up into the supply, and nobody has thought of yet."""
        self.house_rule = False
        """Whether this group plays by a rule of its own."""
        self._held: set[str] = set()

    @property
    def position(self) -> Position:
        """Return the position by the rules."""
        return self.record.position

    @property
    def game(self) -> MegaCity:
        """Return the game by the rules."""
        return self.record.game

    @property
    def persons(self) -> dict[int, Person]:
        """Return everybody, by seat."""
        return self.record.persons

    def pick_up(self, seat: int, pieces: Sequence[Piece]) -> None:
        """Take loose pieces in hand: nobody else gets them now."""
        for piece in pieces:
            self.heap(seat).remove(piece)
        self.hand(seat).extend(pieces)

    def lay_down(self, seat: int) -> None:
        """Lay what one has in hand before one."""
        self.heap(seat).extend(self.hand(seat))
        self.hand(seat).clear()

    # time and hands

    def pause(self, person: Person, low_s: float, high_s: float) -> float:
        """Return how long this person takes for something."""
        return self.rng.uniform(low_s, high_s) * person.pace

    def is_held(self, thing: Thing) -> bool:
        """Return whether somebody has it in hand."""
        return thing.name in self._held

    def reserve(self, thing: Thing) -> Doing:
        """Wait until nobody else has a thing in hand, and keep it; after a long wait it is taken all the same."""
        for _ in range(TRIES):
            if thing.name not in self._held:
                break
            yield AGAIN_S
        self._held.add(thing.name)

    def let_go(self, thing: Thing) -> None:
        """Let others take it."""
        self._held.discard(thing.name)

    def lift(self, person: Person, thing: Thing, *, kept: bool = False) -> Doing:
        """Reach for a thing, grip it and lift it off; `kept`: one has kept it from others already."""
        if not kept:
            yield from self.reserve(thing)
        yield self.pause(person, 0.4, 1.2)
        spot = self.world.spot_of(thing)
        if spot is None:
            return
        yield from self.touch(spot, self.rng.uniform(0.5, 4.0), self.rng.uniform(0.1, 0.4))
        self.world.lift(thing)
        thing.askew = False
        self.senses.stirred(spot)

    def put(self, person: Person, thing: Thing, spot: Spot, *, below: bool = False, askew: bool = False) -> Doing:
        """Carry a thing to a spot, lay it there and let go."""
        yield self.pause(person, 0.5, 1.5)
        thing.askew = askew
        self.world.lay(spot, thing, below=below)
        self.senses.stirred(spot)
        yield from self.touch(spot, self.rng.uniform(1.0, 10.0), self.rng.uniform(0.1, 0.4))
        self.let_go(thing)

    def touch(self, spot: Spot, grams: float, seconds: float) -> Doing:
        """Press on a spot for a while with a hand, which seldom holds still."""
        still = self.rng.random() < (HOLDS_STILL if seconds > LONG_S else HOLDS_STILL_AT_ONCE)
        self.world.unsteady[spot] += not still
        yield from self.weigh_down(spot, grams, seconds)
        if not still:
            self.world.unsteady[spot] -= 1
            self.senses.stirred(spot)

    def weigh_down(self, spot: Spot, grams: float, seconds: float) -> Doing:
        """Leave something on a spot for a while."""
        self.world.press(spot, grams)
        self.senses.stirred(spot)
        yield seconds
        self.world.press(spot, -grams)
        self.senses.stirred(spot)

    # pieces

    def pile_on(self, thing: Thing, piece: Piece) -> None:
        """Put a piece on or into a thing; it has just become so."""
        thing.pieces.append(piece)
        self.senses.stirred(self.world.spot_of(thing))

    def pick_off(self, thing: Thing, piece: Piece) -> None:
        """Take a piece off or out of a thing; it has just become so."""
        thing.pieces.remove(piece)
        self.senses.stirred(self.world.spot_of(thing))


def move(stage: Stage, person: Person, thing: Thing, spot: Spot) -> Doing:
    """Bring a thing to a spot."""
    yield from stage.lift(person, thing)
    yield from stage.put(person, thing, spot)


def handle(stage: Stage, person: Person, thing: Thing, grams: float) -> Doing:
    """Keep fingers on a thing while a piece is put on it or taken off."""
    yield stage.pause(person, 0.8, 2.5)
    spot = stage.world.spot_of(thing)
    if spot is not None:
        yield from stage.touch(spot, stage.rng.uniform(0.3, 1.0) * grams, stage.rng.uniform(0.2, 0.6))


def free_pad(stage: Stage, seat: int) -> Spot | None:
    """Return a pad of a seat on which nothing lies."""
    return stage.world.free(*(spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT)))


def free_slot(stage: Stage, seat: int) -> Spot | None:
    """Return a card slot of a seat on which nothing lies."""
    return stage.world.free(*(spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)))


def others(stage: Stage, seat: int) -> Sequence[Person]:
    """Return everybody else."""
    return [person for number, person in sorted(stage.persons.items()) if number != seat]
