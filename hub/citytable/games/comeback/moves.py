"""What actions have in common: spending action points, what follows from it, and the end of the game."""

from collections.abc import Iterable

from msgspec.structs import replace

from citytable.games.comeback.city import standing, with_buildings
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import Place
from citytable.games.comeback.points import claimable, with_completed
from citytable.games.comeback.pool import helpers
from citytable.games.comeback.position import Building, Position


def sorted_with(cards: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Return both as one sorted set of cards."""
    return tuple(sorted((*cards, *more)))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards without this one, which may be missing."""
    at = cards.index(card) if card in cards else len(cards)
    return cards[:at] + cards[at + 1 :]


def spent(position: Position, points: int) -> Position:
    """Return the position after action points were spent: the giant bird destroys a building for each (CR17)."""
    due = min(points, position.hunger - position.due) if position.bird is not None else 0
    return replace(position, action_points=max(0, position.action_points - points), due=position.due + max(0, due))


def tallest(position: Position, deck: Deck) -> list[Building]:
    """Return the buildings that the giant bird destroys next: guarded ones are immune, of a tie one is chosen."""
    open_ones = [building for building in standing(position) if not building.guarded]
    most = max((deck.cards[building.card].stories for building in open_ones), default=0)
    return [building for building in open_ones if deck.cards[building.card].stories == most]


def fed(position: Position, deck: Deck) -> Position:
    """Return the position after the giant bird lost a counter; with the last one it leaves (CR17)."""
    after = replace(position, hunger=position.hunger - 1, due=position.due - 1)
    return after if after.hunger else bird_left(after, deck)


def bird_left(position: Position, deck: Deck) -> Position:
    """Return the position without the giant bird: each restaurant gets a counter (CR17)."""
    restaurants = [building for building in standing(position) if deck.cards[building.card].restaurant]
    fuller = (replace(building, counters=building.counters + 1) for building in restaurants)
    return with_buildings(replace(position, bird=None, due=0), *fuller)


def settled(position: Position, deck: Deck) -> Position:
    """Return the position after everything that nobody decides: completed bonuses, the bird, the end (CR30)."""
    position = with_completed(position, deck)
    while position.due and not tallest(position, deck):
        position = fed(position, deck)
    over = position.phase == "rebuild" and position.action_points <= 0 and not position.due
    if over and not may_still_act(position, deck):
        return replace(position, phase="end")
    return position


def may_still_act(position: Position, deck: Deck) -> bool:
    """Return whether something can be done without action points: a reward, or the first freed building."""
    return bool(claimable(position, deck)) or may_free(position, deck)


def may_free(position: Position, deck: Deck) -> bool:
    """Return whether the Defense Agency frees a building for nothing now (CR29)."""
    return (
        position.built
        and not position.freed
        and "defense_agency" in helpers(position, deck)
        and any(building.occupied for building in position.city)
    )


def places(buildings: Iterable[Building]) -> set[Place]:
    """Return the places of these buildings."""
    return {building.at for building in buildings}
