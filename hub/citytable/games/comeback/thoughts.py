"""The actions that the player may think of, legal or not, so that a phone can say why one is not possible now."""

from collections.abc import Iterator

from citytable.games.comeback.actions import (
    Action,
    Build,
    Claim,
    Demolish,
    Discard,
    Finish,
    Flip,
    Free,
    Guard,
    Mend,
    Occupy,
    Rebuild,
    Repair,
    Restore,
    Roll,
    Severity,
    Shake,
    Strike,
    ThrowOut,
    Trample,
    TurnUp,
)
from citytable.games.comeback.city import standing
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, Place
from citytable.games.comeback.pool import helpers
from citytable.games.comeback.position import Position

SOLO = 1
CORNER = Place(COLUMNS[0], FIRST_ROW)


class Thoughts:
    """Comeback City brings `Ponders`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def thoughts(self, position: Position) -> Iterator[Action]:
        """Yield what a phase of the game is made of; of the helpers, what those of the player do."""
        match position.phase:
            case "build":
                yield from self._construction(position)
            case "disaster":
                yield from _disaster(position)
                yield from _claims(position)
                yield Rebuild(SOLO)
            case "rebuild":
                yield from self._construction(position)
                yield from _repairs(position)
                yield ThrowOut(SOLO)
                yield from _claims(position)
                yield from self._helped(position)
                yield Finish(SOLO)

    def _construction(self, position: Position) -> Iterator[Action]:
        card = position.current or next(iter(self._deck.cards))  # without a flipped card it does not matter which
        yield Flip(SOLO)
        yield Build(SOLO, card, CORNER)
        yield Discard(SOLO, card)

    def _helped(self, position: Position) -> Iterator[Action]:
        there = helpers(position, self._deck)
        buildings = [building.at for building in standing(position)] or [CORNER]
        if "maintenance_crew" in there:
            yield Mend(SOLO, "roads" if position.broken_roads else "lines")
        if "defense_agency" in there:
            yield from (Free(SOLO, building.at) for building in position.city if building.occupied)
        if "engineering_corps" in there:
            yield Demolish(SOLO, buildings[0])
        if "national_guard" in there:
            free = [building.at for building in standing(position) if not building.guarded]
            yield Guard(SOLO, (free or buildings)[0])


def _repairs(position: Position) -> Iterator[Action]:
    ruins = [building.at for building in position.city if building.rubble]
    yield Restore(SOLO, (ruins or [CORNER])[0])
    if position.broken_lines:
        yield Repair(SOLO, "line", position.broken_lines[0])
    if position.broken_roads:
        yield Repair(SOLO, "road", position.broken_roads[0])
    yield Repair(SOLO, "plant")


def _claims(position: Position) -> Iterator[Action]:
    for bonus in sorted(position.bonuses, key=lambda bonus: bonus.used != ""):
        yield Claim(SOLO, bonus.card, "point")


def _disaster(position: Position) -> Iterator[Action]:
    """Yield the steps of the disaster that was drawn; before, only the draw."""
    if not position.disaster:
        yield Strike(SOLO)
    match position.disaster:
        case "aliens":
            yield Occupy(SOLO, CORNER)
        case "earthquake":
            yield from (Roll(SOLO), Shake(SOLO))
        case "meteors":
            yield from (Roll(SOLO), TurnUp(SOLO))
        case "hurricane":
            yield Severity(SOLO, 0)
        case "giant_bird":
            yield from (Trample(SOLO, CORNER), Severity(SOLO, 0))
