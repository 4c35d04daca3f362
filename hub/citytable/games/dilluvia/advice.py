"""How good a decision looks to the player to act, for bots that do not look ahead."""

from collections.abc import Mapping

from citytable.games.dilluvia.actions import (
    Acquire,
    Action,
    Build,
    Buy,
    BuyPropeller,
    Done,
    Garden,
    Place,
    Switch,
    Take,
    Terrain,
    UseTile,
)
from citytable.games.dilluvia.cells import SIZES
from citytable.games.dilluvia.market import LINES, price
from citytable.games.dilluvia.position import TURNS, Position
from citytable.games.dilluvia.values import Colour, Values

_SPACES = {"construction": 9.0, "territory": 6.0, "income": 4.0, "garden": 1.0, "order": 2.0, "switch": 0.5}
_PLAIN: Mapping[type[Action], float] = {BuyPropeller: 12.0, UseTile: 5.0, Garden: 1.5, Switch: -1.0, Done: 0.0}
_TILES = {"population2": 6.0, "prestige7": 6.0, "marker": 6.0, "timely": 5.0}


def rating(position: Position, decision: Action, values: Values) -> float:
    """Return how good a legal decision looks; higher is better."""
    match decision:
        case Build():
            building = values.building[decision.number, decision.version]
            square = building.squares[decision.cube == "second"]
            per_turn = square.money + 2 * square.resources + 2 * square.prestige + 4 * square.worker
            return 20.0 + 3 * building.size + per_turn + 6 * (decision.number == position.turn)
        case Terrain():
            return 6.0 + 2 * SIZES[decision.shape] + (3 if decision.free else 0)
        case Place():
            return _of_place(position, decision)
        case Buy() | Acquire():
            return _of_tile(position, decision.player, decision.space, values)
        case Take():
            return decision.count - 2.0 * position.of(decision.player).cubes.of(decision.colour)
        case _:
            return _PLAIN.get(type(decision), 1.0)


def _of_place(position: Position, decision: Place) -> float:
    player = position.of(decision.player)
    ground = len(position.city.terrain[decision.player - 1])
    count = decision.workers + (0.5 if decision.special else 0.0)
    if decision.space in {"white", "black", "brown", "purple"}:
        colour: Colour = decision.space
        return 5.0 - 2 * player.cubes.of(colour) + min(count, 2)
    if decision.space == "construction":
        ready = ground > 0 and player.cubes.total > 2
        return 12.0 if ready and decision.workers == 1 else -5.0
    if decision.space == "territory":
        wanted = min(3, player.aeros)
        return 8.0 - ground - abs(count - wanted) if wanted else -3.0
    if decision.space == "income":
        return 7.0 - player.aeros + count / 2
    if decision.space == "acquire":
        return 3.0 if player.aeros >= 6 else -3.0
    return _SPACES[decision.space] - 2


def _of_tile(position: Position, seat: int, space: int, values: Values) -> float:
    berth = position.of(seat).zeppelin
    cost = price(position, berth, space, values) if berth and space in LINES[berth] else 3
    spare = position.of(seat).aeros - cost
    if position.turn == TURNS:
        return 5.0 - cost / 2
    kind = values.tile(position.market[space - 1]).kind
    return _TILES.get(kind, 3.0) - cost + (0.5 if spare > 3 else -2.0)
