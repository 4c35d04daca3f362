"""The legal decisions, outcomes open: what `legal_actions` yields. The tests hold them against a brute force."""

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
    Lay,
    Mend,
    Occupy,
    Rebuild,
    Repair,
    Restore,
    Roll,
    SetUp,
    Severity,
    Shake,
    Strike,
    Target,
    ThrowOut,
    Trample,
    TurnUp,
)
from citytable.games.comeback.city import open_places, standing, top_row
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.disasters import METEORS_MAX, SEVEN, next_shake, targets, unoccupied
from citytable.games.comeback.helping import GUARDS, may_finish, price_of_freedom
from citytable.games.comeback.moves import tallest
from citytable.games.comeback.places import COLUMNS, Place
from citytable.games.comeback.points import claimable
from citytable.games.comeback.pool import (
    affordable,
    can_flip,
    discards_left,
    helpers,
    repair_within_reach,
    rubble_within_reach,
    within_reach,
)
from citytable.games.comeback.position import Position

SOLO = 1


def decisions(position: Position, deck: Deck) -> list[Action]:
    """Return every legal decision, each once."""
    match position.phase:
        case "setup":
            return [SetUp()]
        case "laying":
            tops = [Place(column, top_row(position, column) + 1) for column in COLUMNS]
            return [Lay(SOLO, card, at) for card in position.hand for at in tops]
        case "disaster":
            return [*_disaster(position, deck), *_claims(position, deck)]
        case "build":
            return [*_construction(position, deck, paid=affordable(position, deck)), *_finish(position, deck)]
        case "rebuild":
            return _rebuild(position, deck)
    return []


def _finish(position: Position, deck: Deck) -> list[Action]:
    return [Finish(SOLO)] if may_finish(position, deck) else []


def _construction(position: Position, deck: Deck, *, paid: bool) -> list[Action]:
    """Return what may be done with the flipped card; `paid`: it is affordable at its full cost."""
    found: list[Action] = []
    if paid or (position.phase == "rebuild" and within_reach(position, deck)):  # reductions are for the rebuild
        found += [Build(SOLO, position.current, at) for at in open_places(position)]
        if discards_left(position, deck) > 0:
            found.append(Discard(SOLO, position.current))
    if not paid and can_flip(position):
        found.append(Flip(SOLO))
    return found


def _disaster(position: Position, deck: Deck) -> list[Action]:
    if not position.disaster:
        return [Strike(SOLO)]
    if position.rolled:
        return [Target(SOLO, at) for at in targets(position)]
    if position.due:  # an action point was used before the rebuild
        return [Trample(SOLO, building.at) for building in tallest(position, deck)]
    rest: list[Action] = [Rebuild(SOLO)] if position.resolved else []
    match position.disaster:
        case "aliens":
            return [*rest, *(Occupy(SOLO, building.at) for building in unoccupied(position, deck))]
        case "earthquake" if position.centre is None:
            return [Roll(SOLO)]
        case "earthquake":
            return [*rest, *([Shake(SOLO)] if next_shake(position)[0] else [])]
    return rest or _first_of_disaster(position, deck)


def _first_of_disaster(position: Position, deck: Deck) -> list[Action]:
    if position.disaster == "meteors":
        rolls: list[Action] = [Roll(SOLO)] if len(position.meteors) < METEORS_MAX else []
        return [*rolls, *([TurnUp(SOLO)] if position.meteors else [])]
    if position.disaster == "giant_bird" and position.bird is None:
        return [Trample(SOLO, building.at) for building in tallest(position, deck)]
    return [Severity(SOLO, level) for level in levels(position)]


def levels(position: Position) -> range:
    """Return the severities that may be chosen now (CR15, CR17); none at any other time."""
    if position.phase != "disaster" or position.resolved or position.rolled or position.due:
        return range(0)
    chosen = position.disaster == "hurricane" or (position.disaster == "giant_bird" and position.bird is not None)
    return range(SEVEN + 1 if chosen else 0)


def _claims(position: Position, deck: Deck) -> list[Action]:
    if position.rolled or position.due or not position.disaster:
        return []
    found: list[Action] = []
    for bonus, helper_is_there in claimable(position, deck):
        found.append(Claim(SOLO, bonus.card, "point"))
        if helper_is_there:
            found.append(Claim(SOLO, bonus.card, "helper"))
    return found


def _rebuild(position: Position, deck: Deck) -> list[Action]:
    there = helpers(position, deck)
    if position.due:
        guards = _guards(position, there) if position.options.rulings.guard_comes_with_building else []
        return [*(Trample(SOLO, building.at) for building in tallest(position, deck)), *guards]
    found = _claims(position, deck)
    if position.built and position.discarded:
        found.append(ThrowOut(SOLO))
    if position.action_points > 0:
        paid = affordable(position, deck)
        found += _construction(position, deck, paid=paid)
        if not paid:
            found += [*_repairs(position, deck), *_demolitions(position, there)]
    return [*found, *_helpers(position, there, deck), *_finish(position, deck)]


def _repairs(position: Position, deck: Deck) -> list[Action]:
    found: list[Action] = [
        Restore(SOLO, building.at)
        for building in position.city
        if building.rubble and rubble_within_reach(position, building.card, deck)
    ]
    if not position.plant_works and repair_within_reach(position, "plant", deck):
        found.append(Repair(SOLO, "plant"))
    if position.broken_lines and repair_within_reach(position, "line", deck):
        found += [Repair(SOLO, "line", number) for number in position.broken_lines]
    if position.broken_roads and repair_within_reach(position, "road", deck):
        found += [Repair(SOLO, "road", number) for number in position.broken_roads]
    return found


def _demolitions(position: Position, there: frozenset[str]) -> list[Action]:
    if "engineering_corps" not in there:
        return []
    return [Demolish(SOLO, building.at) for building in standing(position)]


def _helpers(position: Position, there: frozenset[str], deck: Deck) -> list[Action]:
    if not there:
        return []
    found: list[Action] = []
    if "maintenance_crew" in there and position.action_points > 0:
        found += [Mend(SOLO, "roads")] if position.broken_roads else []
        found += [Mend(SOLO, "lines")] if position.broken_lines else []
    if "defense_agency" in there and position.built:
        found += [
            Free(SOLO, building.at)
            for building in position.city
            if building.occupied and price_of_freedom(position, building, deck) <= position.action_points
        ]
    return [*found, *_guards(position, there)]


def _guards(position: Position, there: frozenset[str]) -> list[Action]:
    if "national_guard" not in there:
        return []
    if position.options.rulings.guard_comes_with_building:
        if not position.built or position.guard_placed:
            return []
    elif position.action_points <= 0:
        return []
    posts = [building.at for building in position.city if building.guarded]
    free = [building.at for building in standing(position) if not building.guarded]
    found: list[Action] = [Guard(SOLO, at, post) for at in free for post in posts]
    return [*found, *(Guard(SOLO, at) for at in free)] if len(posts) < GUARDS else found
