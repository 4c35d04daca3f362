"""Fingers: single pieces go from a heap to a thing and back, and a finger rests on the scale for a moment."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.senses import Senses
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.position import MATERIALS, Pieces
from citytable.rehearsal.megacity.evenings.box import Components
from citytable.table.spot import Spot


def by_material(pieces: Sequence[Piece]) -> Pieces:
    """Return loose pieces as the rules count them, without markers."""
    return Pieces(**{one: sum(piece.material == one for piece in pieces) for one in MATERIALS})


class Fingers(Components, ABC):
    """A table at which people take piece by piece. A family says how long this takes, and how hard fingers press."""

    ADD_S: ClassVar[float]
    TAKE_S: ClassVar[float]
    PRESS_MOST_G: ClassVar[float]
    senses: Senses
    rng: random.Random

    @abstractmethod
    def takes_s(self, who: Person, usual_s: float) -> float:
        """Return this person's time for something that usually takes this long."""

    @abstractmethod
    def press(self, spot: Spot, grams: float, seconds: float) -> Doing:
        """Lean on a spot."""

    def add(self, who: Person, thing: Thing, piece: Piece, source: list[Piece]) -> Doing:
        """Take a piece out of a heap and put it on a thing or into it; nothing happens if it is gone by then."""
        yield self.takes_s(who, self.ADD_S)
        if piece in source:
            source.remove(piece)
            thing.pieces.append(piece)
            yield from self._fingers(who, thing)

    def take(self, who: Person, thing: Thing, piece: Piece, target: list[Piece]) -> Doing:
        """Take a piece off a thing or out of it onto a heap; nothing happens if it is gone by then."""
        yield self.takes_s(who, self.TAKE_S)
        if piece in thing.pieces:
            thing.pieces.remove(piece)
            target.append(piece)
            yield from self._fingers(who, thing)

    def _fingers(self, who: Person, thing: Thing) -> Doing:
        spot = self.world.spot_of(thing)
        if spot is not None:
            self.senses.stirred(spot)
            yield from self.press(spot, self.rng.uniform(0.3, self.PRESS_MOST_G), self.takes_s(who, 0.25))
