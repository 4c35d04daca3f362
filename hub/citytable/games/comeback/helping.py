"""Zoning bonuses and helpers, and the end that the player chooses (CR12, CR29, CR30)."""

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Claim, Demolish, Finish, Free, Guard, Mend
from citytable.games.comeback.city import building_at, with_buildings, without_buildings
from citytable.games.comeback.constructing import check_decided
from citytable.games.comeback.deck import ZONES, Deck
from citytable.games.comeback.moves import spent
from citytable.games.comeback.points import claimable, won
from citytable.games.comeback.pool import affordable, can_flip, helpers
from citytable.games.comeback.position import Building, Position
from citytable.games.comeback.refusals import refuse

GUARDS = 4


def check_claim(position: Position, action: Claim, deck: Deck) -> None:
    """Refuse a bonus that is not completed or was used, and a helper that is taken (CR12)."""
    if position.phase not in {"disaster", "rebuild"} or not position.disaster:
        refuse("no_claim_yet", action)
    if position.due or position.rolled:
        refuse("bird_first" if position.due else "target_first", action)
    found = {bonus.card: helper_is_there for bonus, helper_is_there in claimable(position, deck)}
    if action.bonus not in found:
        refuse("not_claimable", action, bonus=action.bonus)
    if action.reward == "helper" and not found[action.bonus]:
        refuse("helper_taken", action)


def claim(position: Position, action: Claim, _deck: Deck) -> Position:
    """Return the position with the reward."""
    bonuses = tuple(
        replace(bonus, completed=True, used=action.reward) if bonus.card == action.bonus else bonus
        for bonus in position.bonuses
    )
    more = 1 if action.reward == "point" else 0
    return replace(position, bonuses=bonuses, action_points=position.action_points + more)


def _check_helper(position: Position, action: Action, deck: Deck, helper: str, cost: int) -> None:
    if position.phase != "rebuild":
        refuse("not_rebuilding", action)
    if helper not in helpers(position, deck):
        refuse("no_helper", action)
    if position.due and not isinstance(action, Guard):
        refuse("bird_first", action)
    if position.action_points < cost:
        refuse("no_points", action)


def check_mend(position: Position, action: Mend, deck: Deck) -> None:
    """Refuse without the Maintenance Crew, and where nothing is broken."""
    _check_helper(position, action, deck, "maintenance_crew", 1)
    if not (position.broken_roads if action.parts == "roads" else position.broken_lines):
        refuse("not_broken", action)


def mend(position: Position, action: Mend, deck: Deck) -> Position:
    """Return the position with all roads or all lines in order, and the crew gone."""
    used = position.crew_used or "maintenance_crew" in helpers(position, deck)
    repaired = replace(position, broken_roads=()) if action.parts == "roads" else replace(position, broken_lines=())
    return spent(replace(repaired, crew_used=used), 1)


def price_of_freedom(position: Position, building: Building, deck: Deck) -> int:
    """Return the action points that freeing a building costs: none for the first, then half its value (CA5)."""
    return (deck.cards[building.card].points + 1) // 2 if position.freed else 0


def check_free(position: Position, action: Free, deck: Deck) -> None:
    """Refuse at any time but after a building was constructed, and what is not occupied."""
    building = building_at(position, action.at)
    occupied = building is not None and building.occupied
    price = price_of_freedom(position, building, deck) if building is not None and occupied else 0
    _check_helper(position, action, deck, "defense_agency", price)
    if not position.built:
        refuse("free_after_building", action)
    if not occupied:
        refuse("not_occupied", action, at=action.at)


def free(position: Position, action: Free, deck: Deck) -> Position:
    """Return the position with the building free and its printed points on it, once (CA28), without its conditional."""
    building = building_at(position, action.at)
    if building is None:
        return position
    price = price_of_freedom(position, building, deck)
    points = 0 if building.freed else deck.cards[building.card].points
    freed = with_buildings(position, replace(building, occupied=False, freed=True, counters=building.counters + points))
    return spent(replace(freed, freed=position.freed + 1), price)


def check_demolish(position: Position, action: Demolish, deck: Deck) -> None:
    """Refuse while the flipped card can be paid, and what is not a building."""
    _check_helper(position, action, deck, "engineering_corps", 1)
    check_decided(position, action, deck)
    building = building_at(position, action.at)
    if building is None or building.rubble:
        refuse("no_building", action, at=action.at)


def demolish(position: Position, action: Demolish, deck: Deck) -> Position:
    """Return the position with the building's opportunity cost in the pool and its counters saved.

    The card leaves the game, so that it cannot be built again. Rubble that it was built over lies open again.
    """
    building = building_at(position, action.at)
    if building is None:
        return position
    zone = ZONES.index(deck.cards[building.card].zone)
    saved = tuple(kept + (building.counters if k == zone else 0) for k, kept in enumerate(position.saved))
    bare = with_buildings(position, replace(building, under=""))
    after = without_buildings(bare, [action.at])
    if building.under:
        after = with_buildings(after, Building(at=action.at, card=building.under, rubble=True))
    return replace(after, saved=saved, demolished=(*position.demolished, building.card))


def check_guard(position: Position, action: Guard, deck: Deck) -> None:
    """Refuse a fifth guard, two on one building, and a move from where none is."""
    free_one = position.options.rulings.guard_comes_with_building  # CA18
    _check_helper(position, action, deck, "national_guard", 0 if free_one else 1)
    if free_one and (not position.built or position.guard_placed):
        refuse("guard_after_building", action)
    if position.due and not free_one:
        refuse("bird_first", action)
    building = building_at(position, action.at)
    if building is None or building.rubble or building.guarded:
        refuse("cannot_be_guarded", action, at=action.at)
    if action.moved_from is not None:
        before = building_at(position, action.moved_from)
        if before is None or not before.guarded:
            refuse("no_guard_there", action, at=action.moved_from)
    elif sum(there.guarded for there in position.city) >= GUARDS:
        refuse("four_guards", action)


def guard(position: Position, action: Guard, _deck: Deck) -> Position:
    """Return the position with the guard on the building."""
    building = building_at(position, action.at)
    if building is None:
        return position
    changed = [replace(building, guarded=True)]
    before = building_at(position, action.moved_from) if action.moved_from is not None else None
    if before is not None:
        changed.append(replace(before, guarded=False))
    after = replace(with_buildings(position, *changed), guard_placed=True)
    return spent(after, 0 if position.options.rulings.guard_comes_with_building else 1)


def may_finish(position: Position, deck: Deck) -> bool:
    """Return whether the player may end the game: goal met, no action points, or no card left (CR8, CR30)."""
    if position.phase not in {"build", "rebuild"} or position.due:
        return False
    if not can_flip(position) and not affordable(position, deck):
        return True
    return position.phase == "rebuild" and (position.action_points <= 0 or won(position, deck))


def check_finish(position: Position, action: Finish, deck: Deck) -> None:
    """Refuse to end before the goal is met while action points are left."""
    if not may_finish(position, deck):
        refuse("not_finished", action)


def finish(position: Position, _action: Finish, _deck: Deck) -> Position:
    """Return the position after the end."""
    return replace(position, phase="end")
