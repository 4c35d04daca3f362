"""How good a decision looks, for bots that do not look ahead. Only the order counts."""

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
    Rebuild,
    Repair,
    Restore,
    Severity,
    ThrowOut,
)
from citytable.games.comeback.city import building_at, heights, with_buildings
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import Place
from citytable.games.comeback.points import conditional_points
from citytable.games.comeback.position import Building, Position

GOAL_ZONE = {"aliens": "residential", "earthquake": "commercial", "meteors": "government", "giant_bird": "industrial"}
GOOD_CARD = 3
SEVERITY = 3


PLAIN: dict[type, float] = {
    Free: 7,
    Finish: 7,
    ThrowOut: 2.1,
    Flip: 2,
    Rebuild: 1.5,
    Demolish: 0,
    Guard: 0,
}


def rating(position: Position, decision: Action, deck: Deck) -> float:
    """Return how good a legal decision looks: points now, the disaster's zone first."""
    match decision:
        case Build(card=card, at=at):
            return 2 + _worth(position, card, at, deck)
        case Restore(at=at):
            ruin = building_at(position, at)
            return 2.5 + _worth(position, ruin.card, at, deck) if ruin is not None else 0
        case Discard(card=card):
            return 2 + GOOD_CARD - 0.5 if _points(position, card, deck) < GOOD_CARD else 0
        case Repair(part=part):
            return 4.5 if part == "plant" else 3.5
        case Claim(reward=reward):
            return 9 if reward == "point" else 8
        case Mend(parts=parts):
            return 5 if len(position.broken_roads if parts == "roads" else position.broken_lines) > 1 else 1
        case Severity(level=level):
            return 3 - abs(level - SEVERITY)
    return PLAIN.get(type(decision), 1)


def _points(position: Position, card: str, deck: Deck) -> float:
    matters = deck.cards[card].zone == GOAL_ZONE.get(position.disaster)
    return deck.cards[card].points * (1.5 if matters else 1)


def _worth(position: Position, card: str, at: Place, deck: Deck) -> float:
    building = Building(at=at, card=card)
    placed = with_buildings(position, building)
    extra = conditional_points(placed, building, deck) if position.phase == "rebuild" else 0
    return _points(position, card, deck) + extra - 0.1 * heights(position)[at.column]
