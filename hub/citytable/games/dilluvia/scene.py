"""The public view of a position: everything except the order of the stacks."""

from collections.abc import Iterator

from citytable.games.dilluvia.board import Board, BuildingOf, Ground, PlayerOf, SpotOf, TileOf
from citytable.games.dilluvia.building import left
from citytable.games.dilluvia.cells import CENTRE, Cell
from citytable.games.dilluvia.decisions import idle_spaces
from citytable.games.dilluvia.gaining import per_ten
from citytable.games.dilluvia.layout import layout, tile_thing
from citytable.games.dilluvia.market import LINES, price
from citytable.games.dilluvia.position import ACTION_SPACES, TURNS, Gained, Held, Position, Space
from citytable.games.dilluvia.scoring import outcome, score
from citytable.games.dilluvia.spots import market_spot
from citytable.games.dilluvia.values import COLOURS, Values
from citytable.table.scene import Pile, PlayerScene, Scene


def scene(confirmed: Position, provisional: Position, values: Values) -> Scene:
    """Return the scene: the board as it provisionally is, the points as they are confirmed."""
    ended = outcome(confirmed)
    scores = [(seat, score(player)) for seat, player in enumerate(confirmed.players, start=1)]
    lying = ((space, tile) for space, tile in enumerate(provisional.market, start=1) if tile > 0)
    return Scene(
        game="dilluvia",
        turn=provisional.turn,
        seat=provisional.player or None,
        phase=provisional.phase,
        players=tuple(PlayerScene(seat, one.total, one.lines) for seat, one in scores),
        lights=layout(provisional, values).lights,
        piles=tuple(Pile(market_spot(space), (tile_thing(tile),)) for space, tile in lying),
        ended=ended.termination if ended else "",
        winners=ended.winners if ended else (),
        reasons=Gained.__struct_fields__ if ended else (),
        origin=values.origin,
        board=board(provisional, values),
    )


def board(position: Position, values: Values) -> Board:
    """Return the board."""
    due, last = position.due, position.turn == TURNS
    return Board(
        order=position.order,
        grid=values.grid[str(position.options.players)],
        ground=tuple(_ground(position, values)),
        market=tuple(_market(position, values)),
        spaces={space: tuple(_spots(position, space, values)) for space in ACTION_SPACES},
        mats=tuple(_mat(position, seat, values) for seat in range(1, position.options.players + 1)),
        printed=values.last_turn if last else (),
        taken=position.taken if last else (),
        aside=tuple(_tile(Held(tile), values) for tile in position.aside),
        stack=len(position.white) + len(position.grey),
        due="" if due is None else due.kind,
        due_count=0 if due is None else due.count,
        due_more=0 if due is None else due.more,
        buildings=tuple(_buildings(position, values)) if due is not None and due.kind == "construction" else (),
        kinds=tuple(tile.kind for tile in values.tiles),
        idle=tuple(idle_spaces(position, values)),
    )


def _buildings(position: Position, values: Values) -> Iterator[BuildingOf]:
    """Yield what may be erected in this turn (DR18); a tile that allows one of a later turn says so itself."""
    for (number, version), one in values.building.items():
        if number <= position.turn and left(position, number, version, values):
            squares = tuple((each.money, each.resources, each.prestige, each.worker) for each in one.squares)
            yield BuildingOf(f"{number}{version.upper()}", one.cost, squares)


def _ground(position: Position, values: Values) -> Iterator[Ground]:
    city = position.city
    owners = {one.at: one.owner for one in city.propellers}
    yield Ground("centre", (str(CENTRE),))
    for at, propeller in values.propeller.items():
        yield Ground("propeller", (str(at),), owners.get(at), price=propeller.price)
    for seat, cells in enumerate(city.terrain, start=1):
        yield from (Ground("terrain", (str(cell),), seat) for cell in cells)
    yield from (Ground("garden", (str(cell),)) for cell in city.gardens)
    for one in city.buildings:
        name = f"{one.number}{one.version.upper()}"
        yield Ground("building", _texts(one.cells), one.owner, building=name, cube=one.cube)


def _texts(cells: frozenset[Cell]) -> tuple[str, ...]:
    return tuple(map(str, sorted(cells)))


def _tile(held: Held, values: Values) -> TileOf:
    return TileOf(held.tile, _kind(held.tile, values), five=values.tile(held.tile).five, used=held.used)


def _kind(tile: int, values: Values) -> str:
    """Return the kind of a tile as it is shown; `unread` for one that nobody has entered."""
    return "unread" if f"tile/{tile}" in values.unread else values.tile(tile).kind


def _market(position: Position, values: Values) -> Iterator[TileOf]:
    shopper = position.player if position.phase == "shopping" else 0
    berth = position.of(shopper).zeppelin if shopper else None
    for space, tile in enumerate(position.market, start=1):
        if tile > 0:
            cost = price(position, berth, space, values) if berth and space in LINES[berth] else 0
            yield TileOf(tile, _kind(tile, values), space, cost, five=values.tile(tile).five)


def _spots(position: Position, space: Space, values: Values) -> Iterator[SpotOf]:
    placed = [one for one in position.placed if one.space == space]
    for one in placed:
        yield SpotOf(one.player, one.workers, special=one.special)
    printed = values.spots.get(space, ())
    there = [spot for spot in printed if spot.players <= position.options.players]
    yield from (SpotOf(aero=spot.aero, limit=spot.workers) for spot in there[len(placed) :])


def _mat(position: Position, seat: int, values: Values) -> PlayerOf:
    player = position.of(seat)
    return PlayerOf(
        seat=seat,
        aeros=player.aeros,
        cubes=tuple(map(player.cubes.of, COLOURS)),
        prestige=player.prestige,
        per_ten=per_ten(player, values),
        money=player.mat_money,
        resources=player.mat_resources,
        renown=player.mat_prestige,
        workers=player.left,
        special=player.special,
        tiles=tuple(_tile(held, values) for held in player.tiles),
        zeppelin=player.zeppelin or "",
    )
