"""The errors of a position: things that are not in the box, or are in two places."""

from collections import Counter
from collections.abc import Iterator

from citytable.games.dilluvia.position import DARK, GARDENS, MAT_MAX, POOL, TURNS, Built, Position
from citytable.games.dilluvia.values import COLOURS, SPACES, Values
from citytable.languages import LANGUAGES
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition

SEATS = range(2, 5)

SENTENCES = Sentences(__package__, "validity.json")
Text = dict[str, str]


def check_position(position: Position, values: Values) -> None:
    """Raise `IllegalPosition` with everything that cannot be, one line each."""
    if wrong := wrong_with(position, values):
        lines = {language: "\n".join(text[language] for text in wrong) for language in LANGUAGES}
        raise IllegalPosition(lines["en"], lines)


def wrong_with(position: Position, values: Values) -> tuple[Text, ...]:
    """Return everything that is impossible, each with its place; empty if the position is possible."""
    if position.options.players not in SEATS:
        return (SENTENCES.text("players_out", seen=position.options.players),)
    shape = tuple(_wrong_shape(position))
    if shape:
        return shape
    things = (*_wrong_tiles(position, values), *_wrong_city(position, values))
    return (*things, *_wrong_players(position), *_wrong_workers(position), *_wrong_dues(position))


def _wrong_shape(position: Position) -> Iterator[Text]:
    players = position.options.players
    if len(position.players) != players or len(position.city.terrain) != players:
        yield SENTENCES.text("players", count=players)
    if len(position.market) != SPACES or len(position.taken) != SPACES:
        yield SENTENCES.text("market", count=SPACES)
    if not 1 <= position.turn <= TURNS:
        yield SENTENCES.text("turn", seen=position.turn, count=TURNS)
    if position.phase not in {"setup", "drawing"} and sorted(position.order) != list(range(1, players + 1)):
        yield SENTENCES.text("order", seen=" ".join(map(str, position.order)), count=players)
    if not 0 <= position.player <= players:
        yield SENTENCES.text("player", seen=position.player)


def _wrong_tiles(position: Position, values: Values) -> Iterator[Text]:
    held = (one.tile for player in position.players for one in player.tiles)
    lying = (tile for tile in position.market if tile > 0)
    stacks = (*position.white, *position.grey)
    found = Counter((*held, *lying, *stacks, *position.aside, *position.discarded))
    players = position.options.players
    used = {*values.numbers(players, "white"), *values.numbers(players, "grey")}
    yield from (
        SENTENCES.text("tile_twice", tile=tile, count=count) for tile, count in sorted(found.items()) if count > 1
    )
    yield from (SENTENCES.text("tile_unknown", tile=tile) for tile in sorted(found.keys() - used))
    yield from (SENTENCES.text("tile_missing", tile=tile) for tile in sorted(used - found.keys()))


def _wrong_city(position: Position, values: Values) -> Iterator[Text]:
    city = position.city
    covered = Counter(cell for terrain in city.terrain for cell in terrain)
    covered.update(city.gardens)
    covered.update(cell for building in city.buildings for cell in building.cells)
    yield from (SENTENCES.text("cell_twice", at=cell) for cell, count in sorted(covered.items()) if count > 1)
    outside = covered.keys() - values.playable[position.options.players]
    yield from (SENTENCES.text("cell_outside", at=cell) for cell in sorted(outside))
    yield from _wrong_buildings(city.buildings, values)
    if len(city.gardens) > GARDENS:
        yield SENTENCES.text("gardens", seen=len(city.gardens), count=GARDENS)
    owned = Counter(propeller.at for propeller in city.propellers)
    yield from (SENTENCES.text("propeller", at=at) for at, n in owned.items() if n > 1 or at not in values.propeller)


def _wrong_buildings(buildings: tuple[Built, ...], values: Values) -> Iterator[Text]:
    built = Counter((building.number, building.version) for building in buildings)
    for (number, version), count in sorted(built.items()):
        if (number, version) not in values.building:
            yield SENTENCES.text("building_unknown", building=f"{number}{version}")
        elif count > values.building[number, version].copies:
            yield SENTENCES.text("building_copies", building=f"{number}{version}", count=count)
    for one in buildings:
        printed = values.building.get((one.number, one.version))
        if printed is not None and len(one.cells) != printed.size:
            words = {"at": one.at, "number": one.number, "count": printed.size, "shape": one.shape}
            yield SENTENCES.text("building_shape", **words)


def _wrong_dues(position: Position) -> Iterator[Text]:
    if position.dues and not position.player:
        yield SENTENCES.text("dues_nobody")
    for due in position.dues:
        if min(due.count, due.more) < 0 or due.count + due.more == 0:
            yield SENTENCES.text("dues", kind=due.kind, count=due.count, more=due.more)


def _wrong_workers(position: Position) -> Iterator[Text]:
    for seat, player in enumerate(position.players, start=1):
        placed = sum(one.workers - one.special for one in position.placed if one.player == seat)
        if player.left + placed > DARK + player.extra:
            ordinary = DARK + player.extra
            yield SENTENCES.text("workers", seat=seat, left=player.left, placed=placed, count=ordinary)
        specials = sum(placed.special for placed in position.placed if placed.player == seat) + player.special
        if specials > 1:
            yield SENTENCES.text("special", seat=seat, count=specials)


def _wrong_players(position: Position) -> Iterator[Text]:
    for seat, player in enumerate(position.players, start=1):
        counts = {
            "aeros": player.aeros,
            "left": player.left,
            "cubes": min(map(player.cubes.of, COLOURS)),
        }
        negative = {name: count for name, count in counts.items() if count < 0}
        yield from (SENTENCES.text("negative", seat=seat, name=name, seen=count) for name, count in negative.items())
        mat = {
            "mat_money": player.mat_money,
            "mat_resources": player.mat_resources,
            "mat_prestige": player.mat_prestige,
        }
        yield from (
            SENTENCES.text("mat", seat=seat, name=name, seen=n, count=MAT_MAX)
            for name, n in mat.items()
            if not 0 <= n <= MAT_MAX
        )
        if not 0 <= player.extra <= POOL:
            yield SENTENCES.text("extra", seat=seat, seen=player.extra, count=POOL)
