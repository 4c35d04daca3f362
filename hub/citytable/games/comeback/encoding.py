"""Comeback City as numbers, for programs that learn: a fixed list of words, and a fixed row for what the player sees.

The order of the deck and the faces of the meteors are not in a position: so the row hides what the rules hide.
`VERSION` changes with the meaning of any number.
"""

from collections.abc import Iterator

from citytable.games.comeback.deck import DISASTERS, ZONES
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, GAPS, Place
from citytable.games.comeback.position import Building, Position

VERSION = 1
MOST = 1000
ROWS = range(1, FIRST_ROW + 21)  # CR6 keeps columns within three cards of the lowest: 57 cards reach less far
METEORS_MAX = 10
SEVERITIES = range(8)
PHASES = ("laying", "build", "disaster", "rebuild", "end")
PILES = ("discard_pile", "gone", "hand", "passed", "discarded", "demolished")
KINDS = (
    *(
        "lay",
        "flip",
        "discard",
        "build",
        "restore",
        "repair",
        "throw_out",
        "strike",
        "occupy",
        "roll",
        "target",
        "shake",
    ),
    *("severity", "turn_up", "trample", "rebuild", "claim", "mend", "free", "demolish", "guard", "finish"),
)


def words(game: ComebackCity) -> tuple[str, ...]:
    """Return every word that the notation of a decision may have after the player."""
    places = [Place(column, row) for column in COLUMNS for row in ROWS]
    return (
        *KINDS,
        *(f"card={name}" for name in game.deck.cards),
        *(f"{field}={place}" for field in ("at", "moved_from") for place in places),
        *(f"part={part}" for part in ("plant", "line", "road")),
        *(f"number={gap}" for gap in GAPS),
        *(f"level={level}" for level in SEVERITIES),
        *(f"bonus={name}" for name in game.deck.bonuses),
        *(f"reward={reward}" for reward in ("point", "helper")),
        *(f"parts={parts}" for parts in ("roads", "lines")),
    )


def numbers(game: ComebackCity, seat: int) -> list[int]:  # noqa: ARG001  there is one seat, and nothing is hidden from it
    """Return the player's view as whole numbers from 0 to 1000, as many for every position of a deck."""
    position = game.position
    row = [*_state(position), *_infrastructure(position), *_bonuses(game), *_cards(game)]
    return [min(max(number, 0), MOST) for number in row]


def _state(position: Position) -> Iterator[int]:
    yield from (int(position.phase == phase) for phase in PHASES)
    yield from (int(position.disaster == disaster) for disaster in DISASTERS)
    yield from (int(position.resolved), position.steps, position.hunger, position.due, position.action_points)
    yield from (int(position.crew_used), int(position.built), position.freed, int(position.guard_placed))
    yield from position.saved[: len(ZONES)]
    yield from position.rolled or (0, 0)
    meteors = (*position.meteors, *[None] * (METEORS_MAX - len(position.meteors)))
    for place in (position.centre, position.bird, *meteors):
        yield from (0, 0) if place is None else (place.column, place.row)


def _infrastructure(position: Position) -> Iterator[int]:
    yield int(position.plant_works)
    for broken in (position.broken_lines, position.broken_roads):
        yield from (int(gap in broken) for gap in GAPS)


def _bonuses(game: ComebackCity) -> Iterator[int]:
    """Yield, for each bonus, whether it is in play, completed, and used for a point or a helper."""
    there = {bonus.card: bonus for bonus in game.position.bonuses}
    for name in game.deck.bonuses:
        bonus = there.get(name)
        used = "" if bonus is None else bonus.used
        yield from (int(bonus is not None), int(bonus is not None and bonus.completed))
        yield from (int(used == "point"), int(used == "helper"))


def _cards(game: ComebackCity) -> Iterator[int]:
    """Yield, for each card, on which pile it is, whether it was flipped last, and how it stands in the city."""
    position = game.position
    there = {building.card: building for building in position.city}
    under = {building.under for building in position.city if building.under}
    for name in game.deck.cards:
        yield from (int(name in getattr(position, pile)) for pile in PILES)
        yield from (int(name == position.current), int(name in under))
        yield from _building(there.get(name))


def _building(building: Building | None) -> tuple[int, ...]:
    if building is None:
        return (0,) * 7
    place, flags = building.at, (building.rubble, building.occupied, building.guarded, building.freed)
    return (place.column, place.row, building.counters, *map(int, flags))
