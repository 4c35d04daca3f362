"""The end: last income, prestige tiles, gardens, population tiles, and who has won (DR27-DR29)."""

from itertools import product

import msgspec
from msgspec.structs import replace

from citytable.games.dilluvia.cells import CENTRE, Cell, beside
from citytable.games.dilluvia.gaining import with_population, with_prestige
from citytable.games.dilluvia.holding import buildings_of, held
from citytable.games.dilluvia.position import Built, Player, Position
from citytable.games.dilluvia.values import OTHER, Values
from citytable.rules.game import Outcome
from citytable.table.scene import Line

ALONE, TIED, BEATEN = 4, 3, -1
LARGE_MIN = 2
MAJORITIES = ("most_propellers", "most_medium", "most_small", "most_sectors", "most_large", "most_workers")
"""The population tiles."""
_SET, _PER_SET, _PER_TILE = 5, 3, 3
_SIZES = {"most_small": 1, "most_medium": 2, "most_large": 4}


class Score(msgspec.Struct, frozen=True):
    """A player's population by its sources."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Return the sum."""
        return sum(line.points for line in self.lines)


def scored(position: Position, values: Values) -> Position:
    """Return the end of the game: every player through the four steps (DR27)."""
    after = replace(position, phase="end", player=0)
    for seat in position.order:
        player = _last_income(position.of(seat), values)
        player = with_prestige(player, prestige_of_tiles(player, values), values)
        player = with_prestige(player, prestige_of_gardens(position, seat), values)
        player = with_population(player, "final", population_of_tiles(position, seat, values))
        if not position.options.rulings.below_zero and player.gained.total < 0:
            player = with_population(player, "final", -player.gained.total)
        after = after.with_player(seat, player)
    return after


def _last_income(player: Player, values: Values) -> Player:
    player = with_prestige(player, player.mat_prestige, values)
    return replace(player, aeros=player.aeros + player.mat_money, uncoloured=player.mat_resources)


def prestige_of_tiles(player: Player, values: Values) -> int:
    """Return the prestige of a player's tiles: for sets of 5 Aeros and 5 cubes, and for population tiles."""
    sets = min(player.aeros, player.cubes.total + player.uncoloured) // _SET
    population_tiles = sum(held(player, kind, values) for kind in MAJORITIES)
    of_sets = _PER_SET * sets * held(player, "sets", values)
    return of_sets + _PER_TILE * population_tiles * held(player, "population_tiles", values)


def prestige_of_gardens(position: Position, seat: int) -> int:
    """Return the prestige of gardens beside a player's buildings: by the building's size, for each garden."""
    mine = [building for building in position.city.buildings if building.owner == seat]
    return sum(len(one.cells) for garden in position.city.gardens for one in mine if one.cells & beside(garden))


def population_of_tiles(position: Position, seat: int, values: Values) -> int:
    """Return what the population tiles bring, or cost."""
    player = position.of(seat)
    stated = sum(tile.population for tile in (values.tile(one.tile) for one in player.tiles) if tile.kind == OTHER)
    return stated + sum(held(player, kind, values) * majority(position, seat, kind) for kind in MAJORITIES)


def majority(position: Position, seat: int, kind: str) -> int:
    """Return 4 for a player who alone has the most, 3 for one who shares it, else -1."""
    counts = {other: counted(position, other, kind) for other in range(1, position.options.players + 1)}
    mine = counts.pop(seat)
    if mine < max(counts.values()) or (kind == "most_large" and mine < LARGE_MIN):
        return BEATEN
    return TIED if mine in counts.values() else ALONE


def counted(position: Position, seat: int, kind: str) -> int:
    """Return how many a player has of what a population tile counts."""
    if kind == "most_propellers":
        return sum(owned.owner == seat for owned in position.city.propellers)
    if kind == "most_workers":
        return position.of(seat).extra  # all have the same six besides
    if kind == "most_sectors":
        return sectors(tuple(one for one in position.city.buildings if one.owner == seat))
    return len(buildings_of(position, seat, _SIZES[kind]))


def sectors(buildings: tuple[Built, ...]) -> int:
    """Return in how many different quarters these buildings can stand, each in one of them (DA13)."""
    found: set[frozenset[int]] = {frozenset()}
    for building in buildings:
        found |= {sectors | {one} for sectors, one in product(found, quarters(building))}
    return max(map(len, found))


def quarters(building: Built) -> frozenset[int]:
    """Return the quarters, 0 to 3, that a building may count for: those that hold most of it."""
    inside = [quarter for cell in building.cells if len(_touched(cell)) == 1 for quarter in _touched(cell)]
    if not inside:
        return frozenset[int]().union(*map(_touched, building.cells))
    most = max(map(inside.count, inside))
    return frozenset(quarter for quarter in inside if inside.count(quarter) == most)


def _touched(cell: Cell) -> frozenset[int]:
    """Return the quarters of a space: two on the middle lines, whose spaces decide nothing where others do."""
    right = {0, 1} if cell.x == CENTRE.x else {int(cell.x > CENTRE.x)}
    below = {0, 1} if cell.y == CENTRE.y else {int(cell.y > CENTRE.y)}
    return frozenset(2 * y + x for x in right for y in below)


def score(player: Player) -> Score:
    """Return a player's population by its sources."""
    points = msgspec.structs.asdict(player.gained)
    return Score(tuple(Line(count, source) for source, count in points.items() if count))


def outcome(position: Position) -> Outcome | None:
    """Return the winner: the most population, then the player nearer to the next ten (DR28)."""
    if position.phase != "end":
        return None
    ranks = {seat: (player.gained.total, player.prestige % 10) for seat, player in enumerate(position.players, start=1)}
    best = max(ranks.values())
    winners = tuple(seat for seat, rank in ranks.items() if rank == best)
    return Outcome("seven_turns", winners, {seat: population for seat, (population, _) in ranks.items()})
