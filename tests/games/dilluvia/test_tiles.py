"""DR29: every kind of market tile, and every printed space of turn 7."""

import pytest
from msgspec.structs import replace

from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.position import Cubes, Owned
from citytable.games.dilluvia.scoring import majority, prestige_of_tiles
from citytable.games.dilluvia.values import HOUSE


def bought(table, kind, players=4, **fields):
    """The state of seat 1 after it bought a tile of a kind from the first space of its line."""
    game = table.at(players, phase="zeppelins")
    position = game.position
    tile = next(n for n in (*position.market, *position.white, *position.grey) if HOUSE.tile(n).kind == kind)
    others = [n for n in (*position.market, *position.white, *position.grey) if n != tile]
    whites = tuple(n for n in others[15:] if HOUSE.tile(n).back == "white")
    greys = tuple(n for n in others[15:] if HOUSE.tile(n).back == "grey")
    game = table.changed(game, market=(tile, *others[:15]), white=whites, grey=greys, **fields)
    ships = [f"p{seat} zeppelin at=left{seat}" for seat in range(1, players + 1)]
    table.play(game, *ships, "p1 buy space=1")
    return game.position, HOUSE.tile(tile)


@pytest.mark.parametrize("colour", ["white", "black", "brown", "purple"])
@pytest.mark.parametrize("count", [2, 3])
def test_dr29_cubes(table, colour, count):
    position, _ = bought(table, f"{colour}{count}")
    assert position.of(1).cubes == Cubes(9, 9, 9, 9).plus(colour, count)
    assert position.of(1).tiles == ()
    assert len(position.discarded) == 1


@pytest.mark.parametrize(("kind", "aeros"), [("aeros5", 5), ("aeros6", 6)])
def test_dr29_aeros(table, kind, aeros):
    assert bought(table, kind)[0].of(1).aeros == 19 + aeros


def test_dr29_population_prestige_and_the_marker(table):
    assert bought(table, "population2")[0].of(1).gained.tiles == 2
    one = bought(table, "prestige7", p1={"prestige": 4})[0].of(1)
    assert (one.prestige, one.gained.tens) == (11, 1)
    assert bought(table, "marker")[0].of(1).marker == 1


def test_dr29_tiles_that_are_kept_and_the_prestige_symbol(table):
    position, tile = bought(table, "compensation")
    assert tile.prestige
    assert position.of(1).mat_prestige == 1
    assert len(position.of(1).tiles) == 1


def test_dr29_a_converter_changes_one_cube_in_each_turn(table):
    game = table.holding(table.at(), 1, "convert")
    tile = table.tile(game, 1, "convert")
    table.play(game, f"p1 use tile={tile}")
    assert table.rule(game, "p1 convert give=white get=white") == "DR29"
    table.play(game, "p1 convert give=white get=purple")
    assert game.position.of(1).cubes == Cubes(8, 9, 9, 10)
    assert table.rule(game, f"p1 use tile={tile}") == "DR29"
    assert game.player == 1, "it takes no worker"
    poor = table.changed(table.holding(table.at(), 1, "convert"), p1={"cubes": Cubes()})
    assert table.rule(poor, f"p1 use tile={tile}") == "DR29"


def test_dr29_two_converters_are_two(table):
    game = table.holding(table.at(4), 1, "convert", "convert")
    first, second = (one.tile for one in game.position.of(1).tiles)
    table.play(game, f"p1 use tile={first}", "p1 convert give=white get=black")
    assert table.rule(game, f"p1 use tile={second}") == ""


def test_dr29_tiles_are_used_in_ones_turns_of_the_action_phase(table):
    game = table.holding(table.holding(table.at(phase="zeppelins"), 1, "convert"), 1, "toll")
    convert, toll = table.tile(game, 1, "convert"), table.tile(game, 1, "toll")
    assert table.rule(game, f"p1 use tile={convert}") == "DR29"
    acting = table.changed(game, phase="workers")
    assert table.rule(acting, f"p1 use tile={toll}") == "DR29"
    assert table.rule(acting, f"p1 use tile={60}") == "DR29"
    assert table.rule(acting, f"p2 use tile={convert}") == "DR8"


def test_dr29_a_turn_stays_open_as_long_as_a_tile_can_be_used(table):
    game = table.holding(table.at(), 1, "convert")
    tile = table.tile(game, 1, "convert")
    table.play(game, "p1 place space=income")
    assert game.player == 1
    assert table.rule(game, "p1 place space=income") == "DR8"
    table.play(game, f"p1 use tile={tile}", "p1 convert give=white get=black")
    assert game.player == 2


def test_dr29_ground_costs_an_aero_less(table):
    game = table.holding(table.at(), 1, "ground_discount")
    game = table.play(game, "p1 place space=territory workers=5")
    table.play(game, "p1 terrain at=5/6 shape=row")
    assert game.position.of(1).aeros == 19
    table.play(game, "p1 terrain at=4/4 shape=square")
    assert game.position.of(1).aeros == 16


def test_dr29_a_building_of_a_later_turn(table):
    game = table.holding(table.ground(table.at(turn=2), 1, "5/5", "6/5", "5/6", "6/6"), 1, "future_building")
    tile = table.tile(game, 1, "future_building")
    table.play(game, "p1 place space=construction")
    assert table.rule(game, "p1 build number=5 at=5/5 shape=row") == "DR18"
    assert table.rule(game, f"p1 build number=6 at=5/5 shape=square tile={tile}") == "DR18"
    assert table.rule(game, f"p1 build number=2 at=5/5 tile={tile}") == "DR18"
    table.play(game, f"p1 build number=5 at=5/5 shape=row tile={tile}")
    assert game.position.of(1).tiles == ()


def test_dr29_two_single_spaces(table):
    game = table.holding(table.ground(table.at(), 1, "6/6"), 1, "two_spaces")
    table.play(game, f"p1 use tile={table.tile(game, 1, 'two_spaces')}")
    assert table.rule(game, "p1 terrain at=5/5 shape=row") == "DR29"
    assert table.rule(game, "p1 terrain at=9/9") == "DR15"
    table.play(game, "p1 terrain at=5/5", "p1 terrain at=4/4")
    assert game.position.of(1).aeros == 20
    assert len(game.position.city.terrain[0]) == 3
    assert game.position.of(1).tiles == ()


def test_dr29_a_medium_terrain_beside_terrain_or_buildings(table):
    game = table.holding(table.at(), 1, "medium_terrain")
    line = f"p1 use tile={table.tile(game, 1, 'medium_terrain')}"
    assert table.rule(game, line) == "DR29", "there is nothing to lie beside"
    game = table.built(game, 1, 1, "6/6")
    table.play(game, line)
    assert table.rule(game, "p1 terrain at=5/5") == "DR29"
    table.play(game, "p1 terrain at=4/5 shape=row")
    assert game.position.city.terrain[0] == (Cell(4, 5), Cell(5, 5))


def test_dr29_a_garden_on_a_cube_or_beside_a_building(table):
    game = table.holding(table.ground(table.built(table.at(), 1, 1, "6/6"), 1, "9/9"), 1, "free_garden")
    table.play(game, f"p1 use tile={table.tile(game, 1, 'free_garden')}")
    places = {str(one) for one in game.legal_actions if "garden" in str(one)}
    assert "p1 garden at=9/9" in places
    assert "p1 garden at=6/5" in places
    assert table.rule(game, "p1 garden at=9/8") == "DR29"
    table.play(game, "p1 garden at=6/5")
    assert game.position.of(1).aeros == 20


def test_dr29_compensation_of_2_aeros(table):
    game = table.holding(table.at(phase="zeppelins"), 1, "compensation")
    gone = game.position.market[0]
    game = table.changed(game, market=(0, *game.position.market[1:]), discarded=(gone,))
    table.play(game, "p1 zeppelin at=left1", "p2 zeppelin at=left2", "p1 done")
    assert game.position.of(1).aeros == 22


def test_dr29_the_toll_is_paid_by_whoever_uses_an_aero_spot(table):
    game = table.holding(table.at(), 1, "toll")
    table.play(game, "p1 place space=white", "p2 place space=white")
    assert [player.aeros for player in game.position.players] == [21, 19]
    own = table.holding(table.at(), 1, "toll")
    own = table.play(own, "p1 place space=income", "p2 place space=white", "p1 place space=white")
    assert own.position.of(1).aeros == 20 + 1


@pytest.mark.parametrize(("kind", "number", "shape"), [("discount_23", 2, "single"), ("discount_45", 4, "row")])
def test_dr29_a_discount_of_two_cubes_of_choice(table, kind, number, shape):
    game = table.ground(table.holding(table.at(turn=5), 1, kind), 1, "6/6", "5/6")
    at = "5/6"
    table.play(game, "p1 place space=construction")
    shape = f" shape={shape}" if shape != "single" else ""
    assert table.rule(game, f"p1 build number={number} at={at}{shape}") == "DR29"
    assert table.rule(game, f"p1 build number={number} at={at}{shape} spare=white:1") == "DR29"
    table.play(game, f"p1 build number={number} at={at}{shape} spare=white:1,black:1")
    cost = Cubes(*HOUSE.building[number, "a"].cost)
    assert game.position.of(1).cubes.total == 36 - cost.total + 2


def test_dr29_a_timely_building_brings_3_prestige(table):
    game = table.holding(table.ground(table.at(turn=2), 1, "6/6", "5/5"), 1, "timely")
    table.play(game, "p1 place space=construction workers=2", "p1 build number=1 at=6/6")
    assert game.position.of(1).prestige == 0
    table.play(game, "p1 build number=2 at=5/5")
    assert game.position.of(1).prestige == 3


@pytest.mark.parametrize(("kind", "aeros"), [("small_aeros", 2), ("medium_aeros", 3), ("large_aeros", 5)])
def test_dr29_aeros_for_buildings_of_a_size(table, kind, aeros):
    game = table.holding(table.at(4), 1, kind)
    line = f"p1 use tile={table.tile(game, 1, kind)}"
    assert table.rule(game, line) == "DR29"
    buildings = (
        (1, "5/5", "single"),
        (1, "9/9", "single"),
        (3, "4/8", "row"),
        (3, "9/4", "column"),
        (6, "8/6", "square"),
    )
    for number, at, shape in buildings:
        game = table.built(game, 1, number, at, shape)
    count = 1 if kind == "large_aeros" else 2
    assert table.after(game, line).of(1).aeros == 20 + count * aeros


def test_dr29_sets_and_population_tiles_bring_prestige(table):
    game = table.holding(table.at(4), 1, "sets", "population_tiles", "most_small", "most_large")
    one = replace(game.position.of(1), aeros=14, cubes=Cubes(5, 5, 5, 5))
    assert prestige_of_tiles(one, HOUSE) == 3 * 2 + 3 * 2


MAJORITIES = [
    ("most_propellers", (2, 1, 0), (4, -1, -1)),
    ("most_propellers", (1, 1, 0), (3, 3, -1)),
    ("most_small", (3, 2, 2), (4, -1, -1)),
    ("most_medium", (1, 1, 1), (3, 3, 3)),
    ("most_large", (2, 1, 0), (4, -1, -1)),
    ("most_large", (2, 2, 0), (3, 3, -1)),
    ("most_large", (1, 0, 0), (-1, -1, -1)),
    ("most_workers", (1, 3, 0), (-1, 4, -1)),
    ("most_sectors", (2, 1, 1), (4, -1, -1)),
]


@pytest.mark.parametrize(("kind", "counts", "points"), MAJORITIES)
def test_dr29_majorities(table, kind, counts, points):
    position = with_counts(table, kind, counts).position
    assert tuple(majority(position, seat, kind) for seat in (1, 2, 3)) == points


def with_counts(table, kind, counts):
    """A game of four in which the first three have so many."""
    game = table.at(4)
    shape = {"most_small": (1, "single"), "most_medium": (3, "row"), "most_large": (6, "square")}.get(kind)
    for seat, count in enumerate(counts, start=1):
        if kind == "most_workers":
            game = table.changed(game, **{f"p{seat}": {"extra": count}})
        for k in range(count):
            if shape:
                game = table.built(game, seat, shape[0], f"{(1, 4, 8)[k]}/{(1, 4, 8)[seat - 1]}", shape[1])
            elif kind == "most_sectors":
                game = table.built(game, seat, 1, f"{(1 + seat, 13 - seat)[k]}/1")
    if kind == "most_propellers":
        places = iter(HOUSE.propeller)
        owned = [Owned(next(places), seat) for seat, count in enumerate(counts, start=1) for _ in range(count)]
        game = table.changed(
            game, city=replace(game.position.city, propellers=tuple(sorted(owned, key=lambda o: o.at)))
        )
    return game


def last_turn(table, printed):
    """A game in turn 7 in which seat 1 has just bought a space of this kind."""
    game = table.ground(table.at(phase="zeppelins", turn=7), 1, "6/6")
    game = table.changed(game, market=(0,) * 16, aside=game.position.market)
    space = HOUSE.last_turn.index(printed) + 1
    row = (space - 1) // 4 + 1
    return table.play(
        game, f"p1 zeppelin at=left{row}", f"p2 zeppelin at=left{row % 4 + 1}", f"p1 buy space={space}"
    ), space


def test_dr29_printed_aeros_prestige_population(table):
    game, space = last_turn(table, "aeros")
    assert game.position.of(1).aeros == 20 - ((space - 1) % 4 + 1) + 8
    assert last_turn(table, "prestige")[0].position.of(1).prestige == 4
    assert last_turn(table, "population")[0].position.of(1).gained.spaces == 2


def test_dr29_printed_cubes_of_choice(table):
    game, _ = last_turn(table, "cubes")
    assert table.rule(game, "p1 done") == "DR29"
    assert table.rule(game, "p1 take colour=white count=5") == "DR29"
    table.play(game, "p1 take colour=white count=3", "p1 take colour=brown")
    assert game.position.of(1).cubes == Cubes(12, 9, 10, 9)


def test_dr29_a_printed_tile_put_aside(table):
    game, _ = last_turn(table, "aside")
    aside = game.position.aside
    assert table.rule(game, f"p1 pick tile={next(n for n in range(1, 62) if n not in aside)}") == "DR29"
    tile = next(n for n in aside if HOUSE.tile(n).kind == "white2")
    table.play(game, f"p1 pick tile={tile}")
    assert game.position.of(1).cubes.white == 11
    assert tile not in game.position.aside


def test_dr29_a_printed_terrain(table):
    game, _ = last_turn(table, "terrain")
    table.play(game, "p1 terrain at=4/5 shape=row")
    assert len(game.position.city.terrain[0]) == 3
