"""What is wrong with a position: things that are not in the box, or lie in two places."""

from collections import Counter
from collections.abc import Iterator

from citytable.games.dilluvia.position import DARK, GARDENS, MAT_MAX, POOL, TURNS, Built, Position
from citytable.games.dilluvia.values import COLOURS, SPACES, Values
from citytable.rules.errors import IllegalPosition

SEATS = range(2, 5)


def check_position(position: Position, values: Values) -> None:
    """Raise `IllegalPosition` naming everything that cannot be."""
    if wrong := wrong_with(position, values):
        raise IllegalPosition("; ".join(wrong))


def wrong_with(position: Position, values: Values) -> tuple[str, ...]:
    """Return what cannot be, each as a clause with its place; nothing if the position can be."""
    if position.options.players not in SEATS:
        return (f"options.players: {position.options.players} do not play this game, 2 to 4 do",)
    shape = tuple(_wrong_shape(position))
    if shape:
        return shape
    things = (*_wrong_tiles(position, values), *_wrong_city(position, values))
    return (*things, *_wrong_players(position), *_wrong_workers(position), *_wrong_dues(position))


def _wrong_shape(position: Position) -> Iterator[str]:
    players = position.options.players
    if len(position.players) != players or len(position.city.terrain) != players:
        yield f"players: {players} play, so write {players} players and the terrain of {players}"
    if len(position.market) != SPACES or len(position.taken) != SPACES:
        yield f"market: write {SPACES} spaces in market and taken"
    if not 1 <= position.turn <= TURNS:
        yield f"turn: {position.turn} is none of the turns 1 to {TURNS}"
    if position.phase not in {"setup", "drawing"} and sorted(position.order) != list(range(1, players + 1)):
        yield f"order: {position.order} does not have each of the seats 1 to {players} once"
    if not 0 <= position.player <= players:
        yield f"player: there is no seat {position.player}"


def _wrong_tiles(position: Position, values: Values) -> Iterator[str]:
    held = (one.tile for player in position.players for one in player.tiles)
    lying = (tile for tile in position.market if tile > 0)
    stacks = (*position.white, *position.grey)
    found = Counter((*held, *lying, *stacks, *position.aside, *position.discarded))
    players = position.options.players
    used = {*values.numbers(players, "white"), *values.numbers(players, "grey")}
    yield from (f"tile {tile}: it is in {count} places" for tile, count in sorted(found.items()) if count > 1)
    yield from (f"tile {tile}: it is not in this game" for tile in sorted(found.keys() - used))
    yield from (f"tile {tile}: it is nowhere" for tile in sorted(used - found.keys()))


def _wrong_city(position: Position, values: Values) -> Iterator[str]:
    city = position.city
    covered = Counter(cell for terrain in city.terrain for cell in terrain)
    covered.update(city.gardens)
    covered.update(cell for building in city.buildings for cell in building.cells)
    yield from (f"city {cell}: it is covered twice" for cell, count in sorted(covered.items()) if count > 1)
    outside = covered.keys() - values.playable[position.options.players]
    yield from (f"city {cell}: it is no space of this city" for cell in sorted(outside))
    yield from _wrong_buildings(city.buildings, values)
    if len(city.gardens) > GARDENS:
        yield f"gardens: {len(city.gardens)}, and there are {GARDENS}"
    owned = Counter(propeller.at for propeller in city.propellers)
    yield from (
        f"propeller {at}: it cannot be owned so" for at, n in owned.items() if n > 1 or at not in values.propeller
    )


def _wrong_buildings(buildings: tuple[Built, ...], values: Values) -> Iterator[str]:
    built = Counter((building.number, building.version) for building in buildings)
    for (number, version), count in sorted(built.items()):
        if (number, version) not in values.building:
            yield f"building {number}{version}: there is none"
        elif count > values.building[number, version].copies:
            yield f"building {number}{version}: it stands {count} times, and there are fewer"
    for one in buildings:
        printed = values.building.get((one.number, one.version))
        if printed is not None and len(one.cells) != printed.size:
            yield f"building at {one.at}: a {one.number} covers {printed.size} spaces, so its shape is not {one.shape}"


def _wrong_dues(position: Position) -> Iterator[str]:
    if position.dues and not position.player:
        yield "dues: nobody plays who could do what is due"
    for due in position.dues:
        if min(due.count, due.more) < 0 or due.count + due.more == 0:
            yield f"dues: {due.kind} is due {due.count} and {due.more} times"


def _wrong_workers(position: Position) -> Iterator[str]:
    for seat, player in enumerate(position.players, start=1):
        placed = sum(one.workers - one.special for one in position.placed if one.player == seat)
        if player.left + placed > DARK + player.extra:
            yield f"p{seat}: {player.left} workers are left and {placed} placed, of {DARK + player.extra} ordinary ones"
        specials = sum(placed.special for placed in position.placed if placed.player == seat) + player.special
        if specials > 1:
            yield f"p{seat}: the special worker is in {specials} places"


def _wrong_players(position: Position) -> Iterator[str]:
    for seat, player in enumerate(position.players, start=1):
        counts = {
            "aeros": player.aeros,
            "left": player.left,
            "cubes": min(map(player.cubes.of, COLOURS)),
        }
        yield from (f"p{seat}: {name} is {count}" for name, count in counts.items() if count < 0)
        mat = {
            "mat_money": player.mat_money,
            "mat_resources": player.mat_resources,
            "mat_prestige": player.mat_prestige,
        }
        yield from (
            f"p{seat}: {name} is {n}, and the mat has 0 to {MAT_MAX}"
            for name, n in mat.items()
            if not 0 <= n <= MAT_MAX
        )
        if not 0 <= player.extra <= POOL:
            yield f"p{seat}: extra is {player.extra}, and the pool has {POOL} workers"
