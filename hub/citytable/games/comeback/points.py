"""Points: conditionals, zoning bonuses, goals of disasters, the score (CR12-CR17, CR22, CR31, CA10)."""

from collections.abc import Iterable
from itertools import combinations

import msgspec
from msgspec.structs import replace

from citytable.games.comeback.city import (
    connected_group,
    linked,
    neighbours,
    of_zone,
    powered,
    roads_connect_all,
    standing,
)
from citytable.games.comeback.deck import ZONES, BonusCard, Deck, Zone
from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus, Building, Position
from citytable.rules.game import Outcome
from citytable.table.scene import Line

ZONE_GOAL = 25
CITY_GOAL = 60  # CR15
POINTS_TO_WIN = 65  # CR31
GROUP_GOAL = 6  # CR17
REASONS = ("zone", "saved")


def conditional_points(position: Position, building: Building, deck: Deck) -> int:
    """Return the points of a building's conditional in its place; 0 without power (CR22, CR23)."""
    rule = deck.cards[building.card].conditional
    if rule is None or not powered(position, building.at):
        return 0
    if rule.kind in {"adjacent", "each_adjacent"}:
        near = sum(deck.cards[there.card].zone == rule.zone for there in neighbours(position, building.at))
        return rule.points * min(near, rule.most)
    if rule.kind == "restaurant":
        return rule.points if any(deck.cards[there.card].restaurant for there in standing(position)) else 0
    if rule.kind == "tallest":
        most = max(deck.cards[there.card].stories for there in standing(position))
        return rule.points if deck.cards[building.card].stories == most else 0
    return rule.points if rule.kind == "other" else 0


def reached(position: Position, bonus: BonusCard, deck: Deck) -> int:
    """Return the city's progress towards a bonus's `number`; 0 if only the player knows."""
    there = of_zone(position, deck, bonus.zone)
    match bonus.condition:
        case "buildings":
            return len(there)
        case "stories":
            return max((deck.cards[building.card].stories for building in there), default=0)
        case "columns":
            return len({building.at.column for building in there})
        case "other":
            return 0
    places = [building.at for building in there]
    return next((size for size in range(bonus.number, 0, -1) if _has_group(position, places, size)), 0)


def _has_group(position: Position, places: Iterable[Place], size: int) -> bool:
    """Return whether this many places are each beside each other."""
    groups = combinations(places, size)
    return any(all(linked(position, *pair) for pair in combinations(group, 2)) for group in groups)


def is_completed(position: Position, bonus: BonusCard, deck: Deck) -> bool:
    """Return whether the city meets a zoning bonus now; a player reports a bonus with a task of its own."""
    if bonus.condition == "adjacent":  # what is smaller than the whole group need not be looked for
        return _has_group(position, [building.at for building in of_zone(position, deck, bonus.zone)], bonus.number)
    return bonus.condition != "other" and reached(position, bonus, deck) >= bonus.number


def with_completed(position: Position, deck: Deck) -> Position:
    """Return the position in which every bonus that is met now is completed, and stays so (CR12)."""
    left = [bonus for bonus in position.bonuses if not bonus.completed]
    new = [bonus for bonus in left if is_completed(position, deck.bonuses[bonus.card], deck)]
    if not new:
        return position
    bonuses = tuple(replace(bonus, completed=True) if bonus in new else bonus for bonus in position.bonuses)
    return replace(position, bonuses=bonuses)


def claimable(position: Position, deck: Deck) -> list[tuple[Bonus, bool]]:
    """Return the bonuses whose reward can be taken, and whether their helper is still available.

    If a bonus has a task of its own, only the player knows whether it is completed.
    """
    unused = (bonus for bonus in position.bonuses if not bonus.used)
    open_ones = [bonus for bonus in unused if bonus.completed or deck.bonuses[bonus.card].condition == "other"]
    if not open_ones:
        return []
    taken = {deck.bonuses[bonus.card].helper for bonus in position.bonuses if bonus.used == "helper"}
    return [(bonus, deck.bonuses[bonus.card].helper not in taken) for bonus in open_ones]


def points_of(position: Position, zone: Zone, deck: Deck) -> int:
    """Return the counters of a zone: on its buildings, and saved by the Engineering Corps."""
    there = sum([b.counters for b in position.city if deck.cards[b.card].zone == zone])
    return there + position.saved[ZONES.index(zone)]


def total_points(position: Position) -> int:
    """Return all counters."""
    return sum([building.counters for building in position.city]) + sum(position.saved)


def goal_met(position: Position, deck: Deck) -> bool:
    """Return whether the goal of the disaster is met (CR13-CR17)."""
    match position.disaster:
        case "aliens":
            homes = of_zone(position, deck, "residential")
            taken = sum(building.occupied for building in homes)
            return len(homes) - taken > taken and points_of(position, "residential", deck) >= ZONE_GOAL
        case "earthquake":
            return points_of(position, "commercial", deck) >= ZONE_GOAL and _built_over(position, deck)
        case "hurricane":
            return total_points(position) >= CITY_GOAL
        case "meteors":
            return points_of(position, "government", deck) >= ZONE_GOAL and roads_connect_all(position)
        case "giant_bird":
            if points_of(position, "industrial", deck) < ZONE_GOAL:  # which is told at once
                return False
            return connected_group(position, of_zone(position, deck, "industrial")) >= GROUP_GOAL
    return False


def _built_over(position: Position, deck: Deck) -> bool:
    """Return whether every rubble card is built over by the same building or one with more stories (CR14)."""
    cards = deck.cards
    return not any(
        building.rubble or (building.under and cards[building.card].stories <= cards[building.under].stories)
        for building in position.city
    )


def won(position: Position, deck: Deck) -> bool:
    """Return whether the game is won as it stands (CR31, CA1)."""
    enough = total_points(position) >= POINTS_TO_WIN
    if position.options.rulings.goal_and_points:
        return enough and goal_met(position, deck)
    return enough or goal_met(position, deck)


class Score(msgspec.Struct, frozen=True):
    """The player's score: a line for each zone, and one for what the Engineering Corps kept of it."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Return the sum of the lines."""
        return sum(line.points for line in self.lines)


def score(position: Position, deck: Deck) -> Score:
    """Return the counters as they lie. Reasons, keys of the language files: `zone`, `saved`."""
    lines = []
    for zone, kept in zip(ZONES, position.saved, strict=True):
        if there := points_of(position, zone, deck) - kept:
            lines.append(Line(there, "zone", {"zone": zone}))
        if kept:
            lines.append(Line(kept, "saved", {"zone": zone}))
    return Score(tuple(lines))


def outcome(position: Position, deck: Deck) -> Outcome | None:
    """Return how the game ended: `goal`, `points`, or `lost`; None while it goes on (CR31)."""
    if position.phase != "end":
        return None
    scores = {1: total_points(position)}
    if not won(position, deck):
        return Outcome("lost", (), scores)
    return Outcome("goal" if goal_met(position, deck) else "points", (1,), scores)
