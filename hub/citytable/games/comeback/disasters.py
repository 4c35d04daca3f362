"""The five disasters, from the draw to the last step (CR10-CR19)."""

from collections.abc import Iterable

from msgspec.structs import replace

from citytable.games.comeback.actions import (
    Action,
    Occupy,
    Rebuild,
    Roll,
    Severity,
    Shake,
    Strike,
    Target,
    Trample,
    TurnUp,
)
from citytable.games.comeback.city import building_at, of_zone, standing, with_buildings, without_buildings
from citytable.games.comeback.constructing import MARKERS
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.moves import bird_left, fed, places, sorted_with, tallest
from citytable.games.comeback.places import (
    FIRST_ROW,
    GAPS,
    LINE_ROW,
    PLANT_ROW,
    ROAD_ROW,
    Place,
    around,
    between,
    left_and_right,
    up_and_down,
)
from citytable.games.comeback.position import Building, Position
from citytable.games.comeback.refusals import refuse

SEVEN = 7
METEORS_MAX = 6
STEPS_MAX = 6


def check_disaster(position: Position, action: Action, *kinds: str) -> None:
    """Refuse what does not belong to this disaster."""
    if position.phase != "disaster":
        refuse("no_disaster", action)
    if not position.disaster:
        refuse("draw_first", action)
    if position.disaster not in kinds:
        refuse("other_disaster", action)


# drawing it


def check_strike(position: Position, action: Strike, _deck: Deck) -> None:
    """Refuse a draw before the city has 16 buildings, and a second one (CR10)."""
    if position.phase != "disaster" or position.disaster:
        refuse("no_disaster", action)


def strike(position: Position, action: Strike, deck: Deck) -> Position:
    """Return the position with the disaster; aliens who find no Residential building do nothing."""
    after = replace(position, disaster=action.disaster or "")
    if action.disaster == "aliens" and not unoccupied(after, deck):
        return replace(after, resolved=True)
    return after


# where dice hit


def hit_parts(place: Place) -> frozenset[tuple[str, int]]:
    """Return the infrastructure at a place: the plant in every column, lines and roads on both sides (CR3)."""
    if place.row == PLANT_ROW:
        return frozenset({("plant", 0)})
    kind = {LINE_ROW: "line", ROAD_ROW: "road"}.get(place.row)
    return frozenset((kind, gap) for gap in between(place.column)) if kind else frozenset()


def is_empty(position: Position, place: Place) -> bool:
    """Return whether a roll finds nothing there."""
    return place.row >= FIRST_ROW and building_at(position, place) is None


def targets(position: Position) -> list[Place]:
    """Return the places that the dice may mean; none: roll again (CR16, CR18, CA7)."""
    if not position.rolled:
        return []
    blue, white = position.rolled
    again = position.options.rulings.empty_places_are_rolled_again
    found = sorted({Place(blue, white), Place(white, blue)})
    found = [place for place in found if not (again and is_empty(position, place))]
    return [place for place in found if not any(_same_card(place, other) for other in position.meteors)]


def _same_card(one: Place, other: Place) -> bool:
    return one == other or bool(hit_parts(one) & hit_parts(other))


def check_roll(position: Position, action: Roll, _deck: Deck) -> None:
    """Refuse a roll that this disaster does not ask for."""
    check_disaster(position, action, "earthquake", "meteors")
    if position.rolled:
        refuse("target_first", action)
    if position.resolved or position.centre is not None:
        refuse("rolled_enough", action)
    if len(position.meteors) >= METEORS_MAX:
        refuse("six_meteors", action)


def check_dice(_position: Position, action: Roll, _deck: Deck) -> None:
    """Refuse faces that no die has."""
    for die in (action.blue, action.white):
        if die is not None and not 1 <= die <= 6:
            refuse("die", action, seen=die)


def roll(position: Position, action: Roll, _deck: Deck) -> Position:
    """Return the position with both dice; without them if they mean nothing that can be hit."""
    after = replace(position, rolled=(action.blue or 1, action.white or 1))
    return after if targets(after) else position


def check_target(position: Position, action: Target, _deck: Deck) -> None:
    """Refuse a place that the dice do not mean (CR18), and a card on which a meteor lies already (CR16)."""
    check_disaster(position, action, "earthquake", "meteors")
    if action.at in targets(position):
        return
    meant = action.at in targets(replace(position, meteors=()))
    refuse("second_meteor" if meant else "not_a_target", action, at=action.at)


def target(position: Position, action: Target, _deck: Deck) -> Position:
    """Return the position in which the earthquake begins there, or a meteor lies there."""
    position = replace(position, rolled=())
    if position.disaster == "earthquake":
        shaken = wrecked(position, rubble=[action.at])
        return replace(shaken, centre=action.at, resolved=True)
    further = 1 if position.meteors else 0
    points = position.action_points + further
    return replace(position, meteors=(*position.meteors, action.at), action_points=points)


def wrecked(position: Position, destroyed: Iterable[Place] = (), rubble: Iterable[Place] = ()) -> Position:
    """Return the position after hits: infrastructure flips, buildings leave the game or become rubble (CR19)."""
    destroyed = [place for place in destroyed if _can_be_hit(position, place)]
    rubble = [place for place in rubble if _can_be_hit(position, place) and place not in destroyed]
    parts = {part for place in (*destroyed, *rubble) for part in hit_parts(place)}
    ruins = [building for place in rubble if (building := building_at(position, place)) is not None]
    position = with_buildings(position, *(replace(ruin, rubble=True, counters=0) for ruin in ruins))
    lines = {number for kind, number in parts if kind == "line"}
    roads = {number for kind, number in parts if kind == "road"}
    return replace(
        without_buildings(position, destroyed),
        plant_works=position.plant_works and ("plant", 0) not in parts,
        broken_lines=tuple(sorted({*position.broken_lines, *lines})),
        broken_roads=tuple(sorted({*position.broken_roads, *roads})),
    )


def _can_be_hit(position: Position, place: Place) -> bool:
    building = building_at(position, place)
    return building is None or not building.guarded


# aliens


def unoccupied(position: Position, deck: Deck) -> list[Building]:
    """Return the Residential buildings that may be occupied next: those with the highest value (CR13, CA5)."""
    there = [building for building in of_zone(position, deck, "residential") if not building.occupied]
    if sum(building.occupied for building in position.city) >= MARKERS:
        return []
    most = max((deck.cards[building.card].points for building in there), default=0)
    return [building for building in there if deck.cards[building.card].points == most]


def check_occupy(position: Position, action: Occupy, deck: Deck) -> None:
    """Refuse any building but a free Residential one with the highest value."""
    check_disaster(position, action, "aliens")
    if action.at not in places(unoccupied(position, deck)):
        refuse("not_highest", action, at=action.at)


def occupy(position: Position, action: Occupy, _deck: Deck) -> Position:
    """Return the position with the building occupied; each after the first brings an action point."""
    building = building_at(position, action.at)
    if building is None:
        return position
    points = position.action_points + (1 if any(there.occupied for there in position.city) else 0)
    taken = with_buildings(position, replace(building, occupied=True))
    return replace(taken, resolved=True, action_points=points)


# earthquake


def next_shake(position: Position) -> tuple[int, list[Place]]:
    """Return the next step that hits a building, and where: up and down, then left and right (CR14, CA8).

    Steps that hit none are passed over. The step is 0 when none is left.
    """
    if position.centre is None:
        return 0, []
    rubble = sum(building.rubble for building in position.city)
    for step in range(position.steps + 1, STEPS_MAX + 1):
        reach = (step + 1) // 2
        around_it = up_and_down if step % 2 else left_and_right
        there = [place for place in around_it(position.centre, reach) if _has_building(position, place)]
        if there and rubble < MARKERS:
            return step, there[: MARKERS - rubble]
    return 0, []


def _has_building(position: Position, place: Place) -> bool:
    building = building_at(position, place)
    return building is not None and not building.rubble


def check_shake(position: Position, action: Shake, _deck: Deck) -> None:
    """Refuse a step that hits nothing, and a seventh."""
    check_disaster(position, action, "earthquake")
    if not next_shake(position)[0]:
        refuse("no_shake", action)


def shake(position: Position, _action: Shake, _deck: Deck) -> Position:
    """Return the position after the next step, which brings an action point."""
    step, there = next_shake(position)
    after = wrecked(position, rubble=there)
    return replace(after, steps=step or position.steps, action_points=position.action_points + 1)


# hurricane and giant bird


def check_severity(position: Position, action: Severity, _deck: Deck) -> None:
    """Refuse a number that is not 0 to 7, and a second choice (CR15, CR17)."""
    check_disaster(position, action, "hurricane", "giant_bird")
    rule = "CR17" if position.disaster == "giant_bird" else ""
    if position.resolved or (position.disaster == "giant_bird" and position.bird is None):
        refuse("no_severity_now", action, rule=rule)
    if not 0 <= action.level <= SEVEN:
        refuse("severity", action, rule=rule, seen=action.level)


def severity(position: Position, action: Severity, deck: Deck) -> Position:
    """Return the position after the hurricane, or with the counters on the bird, and the action points."""
    after = replace(position, resolved=True, action_points=position.action_points + action.level)
    if position.disaster == "giant_bird":
        return replace(after, hunger=action.level)
    low = [b.at for b in standing(position) if deck.cards[b.card].stories < action.level]
    equal = [b.at for b in standing(position) if deck.cards[b.card].stories == action.level]
    after = replace(wrecked(after, low, equal), plant_works=False)
    if deck.infrastructure_stories < action.level:
        after = replace(after, broken_lines=tuple(GAPS), broken_roads=tuple(GAPS))
    return after


def check_trample(position: Position, action: Trample, deck: Deck) -> None:
    """Refuse any building but one with most stories (CR17)."""
    arriving = position.phase == "disaster" and position.disaster == "giant_bird" and position.bird is None
    if (not arriving or position.resolved) and not position.due:
        refuse("no_bird", action)
    if action.at not in places(tallest(position, deck)):
        refuse("not_tallest", action, at=action.at)


def trample(position: Position, action: Trample, deck: Deck) -> Position:
    """Return the position without the building. Where the first one stood, the bird stays."""
    after = without_buildings(position, [action.at])
    if position.due:
        return fed(after, deck)
    return replace(after, bird=action.at) if position.phase == "disaster" else after


# meteors


def check_turn_up(position: Position, action: TurnUp, _deck: Deck) -> None:
    """Refuse before the first meteor lies, and twice (CR16)."""
    check_disaster(position, action, "meteors")
    if position.rolled:
        refuse("target_first", action)
    if position.resolved or not position.meteors:
        refuse("no_meteors", action)


def check_turned_up(position: Position, action: TurnUp, deck: Deck) -> None:
    """Refuse another number of meteors than lie there, and one that is not in the box."""
    if action.meteors is None:
        return
    if len(action.meteors) != len(position.meteors):
        refuse("meteor_count", action, seen=len(action.meteors), count=len(position.meteors))
    for meteor in action.meteors:
        if meteor not in deck.meteors or action.meteors.count(meteor) > 1:
            refuse("meteor_unknown", action, meteor=meteor)


def turn_up(position: Position, action: TurnUp, deck: Deck) -> Position:
    """Return the position after all meteors struck at the same time."""
    destroyed: list[Place] = []
    rubble: list[Place] = []
    for place, meteor in zip(position.meteors, action.meteors or (), strict=False):
        effect = deck.meteors[meteor].effect
        if effect == "rubble":
            rubble.append(place)
        elif effect not in {"dud", "other"}:
            destroyed += [place, *_beside(place, effect)]
    return replace(wrecked(position, destroyed, rubble), resolved=True)


def _beside(place: Place, effect: str) -> Iterable[Place]:
    if effect == "up_and_down":
        return up_and_down(place)
    if effect == "left_and_right":
        return left_and_right(place)
    return around(place) if effect == "all_adjacent" else ()


# the end of it


def check_rebuild(position: Position, action: Rebuild, _deck: Deck) -> None:
    """Refuse before the disaster has done its least (CR20)."""
    if position.phase != "disaster":
        refuse("no_disaster", action)
    if not position.resolved or position.rolled:
        refuse("disaster_first", action)
    if position.due:
        refuse("bird_first", action)


def rebuild(position: Position, _action: Rebuild, deck: Deck) -> Position:
    """Return the position with counters for the printed points of every building that is not rubble (CR20)."""
    scoring = [
        replace(building, counters=building.counters + deck.cards[building.card].points)
        for building in standing(position)
        if position.options.rulings.occupied_buildings_score or not building.occupied  # CA17
    ]
    after = with_buildings(replace(position, phase="rebuild", rolled=()), *scoring)
    if position.options.rulings.discards_join_reshuffle:  # CA9
        after = replace(after, deck=sorted_with(after.deck, after.discard_pile), discard_pile=())
    if after.bird is not None and not after.hunger:
        after = bird_left(after, deck)
    return after
