"""Payment: the pool of opportunity costs, costs, reductions (CR4, CR5, CR28)."""

from citytable.games.comeback.city import open_places, powered
from citytable.games.comeback.deck import Amount, Deck
from citytable.games.comeback.position import Position

FREE_DISCARDS = 2
PLANNED_DISCARDS = 3


def helpers(position: Position, deck: Deck) -> frozenset[str]:
    """Return the helpers that the player has, the Maintenance Crew until it is used."""
    found = [deck.bonuses[bonus.card].helper for bonus in position.bonuses if bonus.used == "helper"]
    return frozenset(found) - {"maintenance_crew"} if position.crew_used else frozenset(found)


def discards_left(position: Position, deck: Deck) -> int:
    """Return how many cards may still be discarded for this building (CR5, CR29)."""
    allowed = PLANNED_DISCARDS if "planning_commission" in helpers(position, deck) else FREE_DISCARDS
    return allowed - (0 if position.built else len(position.discarded))


def pool(position: Position, deck: Deck) -> Amount:
    """Return the pool for a new building: cards passed and discarded for it, and demolished ones."""
    return deck.brought_by((*_flipped(position), *position.demolished))


def pool_for_repairs(position: Position, deck: Deck) -> Amount:
    """Return the pool for rubble and repairs: the flipped card counts as passed, demolished ones do not (CA27)."""
    return deck.brought_by((*_flipped(position), *_current(position)))


def _flipped(position: Position) -> tuple[str, ...]:
    if position.options.rulings.discards_feed_pool and not position.built:  # CA3
        return (*position.passed, *position.discarded)
    return position.passed


def _current(position: Position) -> tuple[str, ...]:
    return (position.current,) if position.current else ()


def reduction(position: Position, deck: Deck) -> Amount:
    """Return how much less a building may cost: powered industry, in the rebuild only (CR9, CR28)."""
    if position.phase != "rebuild":
        return deck.nothing
    less = dict.fromkeys(deck.resources, 0)
    for building in position.city:
        if building.card in deck.reducing and not building.rubble and powered(position, building.at):
            rule = deck.cards[building.card].conditional
            less[rule.resource if rule is not None else ""] += 1
    return deck.amount(less)


def covers(funds: Amount, cost: Amount) -> bool:
    """Return whether the funds have at least as much of every resource."""
    return not [need for have, need in zip(funds, cost, strict=True) if have < need]


def reduced(cost: Amount, less: Amount) -> Amount:
    """Return a cost less a reduction, never below zero."""
    return tuple([max(0, need - cut) for need, cut in zip(cost, less, strict=True)]) if any(less) else cost


def _funds(position: Position, deck: Deck) -> Amount:
    own = _current(position) if position.options.rulings.own_opportunity_pays else ()  # CA2
    return deck.brought_by((*_flipped(position), *position.demolished, *own))


def affordable(position: Position, deck: Deck) -> bool:
    """Return whether the pool pays the flipped card at its full cost and it has a place: it is built or discarded."""
    cost = deck.cards[position.current].cost if position.current else None
    return cost is not None and covers(_funds(position, deck), cost) and bool(open_places(position))


def payable(position: Position, deck: Deck) -> bool:
    """Return whether the pool pays the flipped card, with reductions too (CR28)."""
    if not position.current:
        return False
    cost = reduced(deck.cards[position.current].cost, reduction(position, deck))
    return covers(_funds(position, deck), cost)


def within_reach(position: Position, deck: Deck) -> bool:
    """Return whether the flipped card can be paid, with reductions too, and has a place (CR28, CA15)."""
    return payable(position, deck) and bool(open_places(position))


def rubble_within_reach(position: Position, card: str, deck: Deck) -> bool:
    """Return whether the pool pays the building under a rubble card (CR24)."""
    cost = reduced(deck.cards[card].cost, reduction(position, deck))
    return covers(pool_for_repairs(position, deck), cost)


def repair_within_reach(position: Position, part: str, deck: Deck) -> bool:
    """Return whether the pool pays a repair (CR25)."""
    return covers(pool_for_repairs(position, deck), deck.repairs[part])


def can_flip(position: Position) -> bool:
    """Return whether any card is left to flip, after a shuffle of the discard pile if need be (CR8)."""
    aside = position.discarded if position.built else ()
    return bool(position.deck or position.discard_pile or aside)
