"""The mechanical sources: their geometry is the hub's, every made part is in the list, and no export is in git.

What needs build123d (watertight, printable, clear of each other) is checked by `make cad` itself.
"""

import ast
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from math import dist, sqrt

import pytest

from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.printed import CARD_MM, FLAT_MM
from citytable.games.megacity.spots import shared_spots
from citytable.table.hexes import DIRECTIONS, Hex
from citytable.table.hexes import within as hexes_within
from citytable.table.sizes import SIZES, read_sizes
from citytable_lab.height_sensors import PADDLE_MM, PLATFORM_MM
from tablestation.reach import PARKED_MM

HELPERS = {
    "dimensions",
    "assembly",
    "bought",
    "crane_checks",
    "slide_checks",
    "screw_checks",
    "case_sizes",
    "weights",
    "station_checks",
    "picture",
    "pictures",
    "pictures_of_stations",
}
EXPORTS = (".stl", ".step", ".stp", ".dxf", ".3mf", ".gbr")


@pytest.fixture(scope="module")
def dimensions(root, load_file):
    """hardware/cad/dimensions.py."""
    return load_file("dimensions", root / "hardware/cad/dimensions.py")


@pytest.fixture(scope="module")
def listed(root):
    """The parts that assembly.py names, by how they are made: read, because build123d is not installed here."""
    tree = ast.parse((root / "hardware/cad/assembly.py").read_text())
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def test_the_hexes_are_those_of_the_hub(dimensions):
    assert [Hex(*one) for one in dimensions.hexes()] == list(hexes_within(dimensions.RADIUS))
    assert {Hex(*one) for one in dimensions.hexes()} >= set(shared_spots().hexes)


def test_neighbours_of_the_hub_are_neighbours_on_the_table(dimensions):
    for cell in dimensions.hexes():
        for step in DIRECTIONS:
            there = dimensions.centre(cell[0] + step.q, cell[1] + step.r)
            assert dist(dimensions.centre(*cell), there) == pytest.approx(dimensions.PITCH)


def _on_the_screen(root):
    """The hub's picture of the city, as the dashboard computes it; y is up here, and its view's squash is undone."""
    text = (root / "dashboard/src/games/megacity/hexes.ts").read_text("utf-8")
    x, y = re.search(r"return \{ x: (RADIUS .+?), y: (RADIUS .+?) \* squash \};", text).groups()
    names = {"RADIUS": float(re.search(r"const RADIUS = (\d+);", text)[1]), "sqrt3": sqrt(3)}

    def place(q, r):
        at_x, at_y = (eval(one.replace("Math.sqrt(3)", "sqrt3"), names | {"q": q, "r": r}) for one in (x, y))
        return complex(at_x, -at_y)

    return place, names["RADIUS"] * sqrt(3)


def test_the_table_is_the_hubs_picture_of_it_and_no_mirror_image(root, dimensions):
    """Turned and enlarged, one is the other: a table with q or r the other way round could not be."""
    place, screen_pitch = _on_the_screen(root)
    turn = complex(*dimensions.centre(1, 0)) / place(1, 0)
    for q, r in dimensions.hexes():
        assert complex(*dimensions.centre(q, r)) == pytest.approx(turn * place(q, r))
    assert abs(turn) * screen_pitch == pytest.approx(dimensions.PITCH)


def test_a_platform_of_the_game_has_its_hex_for_itself_and_lies_beside_the_next(dimensions):
    """PITCH is the width of the tiles that the hub prints and 2 mm: less would lift them, more would part the city."""
    assert dimensions.TILE_FLAT == FLAT_MM
    assert FLAT_MM + dimensions.CLEAR < dimensions.PITCH <= FLAT_MM + 2


def test_who_measures_another_game_corrects_one_file_for_the_mechanics_and_the_hub(root, load_file, tmp_path):
    of_hub = "hub/citytable/table/sizes.toml"
    text = re.sub(r"\d+\.\d", lambda found: str(float(found[0]) + 1), (root / of_hub).read_text("utf-8"))
    for name in (of_hub, "hardware/cad/dimensions.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(root / name, tmp_path / name)
    (tmp_path / of_hub).write_text(text, "utf-8")
    theirs, ours = load_file("other_dimensions", tmp_path / "hardware/cad/dimensions.py"), read_sizes(text)
    assert theirs.SIZES == tomllib.loads(text) != tomllib.loads((root / of_hub).read_text("utf-8"))
    assert (theirs.TILE_FLAT, theirs.PLATFORM_THICK) == (ours.platform_flat_mm, ours.platform_thick_mm) == (91.0, 5.0)
    assert theirs.CARD == (*ours.sleeve_mm, ours.sleeved_card_thick_mm) == (67.0, 92.0, 2.2)
    assert ours.card_mm == (64.0, 89.0), "what is printed is the card"
    assert (theirs.TOWER, theirs.PADDLE_RANGE) == (ours.tower_mm, ours.paddle_range_mm) == (231.0, 301.0)


def test_a_notch_of_a_sleeve_takes_the_pin_and_cuts_no_card(dimensions):
    """The slot was as large as a card and its pin 5 mm inside: no sleeve went in, or somebody cut the card."""
    beyond_the_card = SIZES.sleeve_mm[1] - SIZES.card_mm[1]
    play = 1.0
    assert beyond_the_card >= dimensions.NOTCH / 2
    assert play < dimensions.NOTCH_PIN < dimensions.NOTCH / 2 - play / 2, "a sleeve without a notch stands on the pin"


def test_every_spot_of_the_supply_has_a_slot_for_what_the_game_puts_there(dimensions, parts):
    """Landmarks are cards; their slots were round, for a base that no game of ours has."""
    spots = Counter(spot.split("/")[1] for spot in shared_spots().supply)
    d = dimensions
    rows = {"contract": d.SUPPLY_CARDS_AT, "landmark": d.SUPPLY_LANDMARKS_AT, "platform": d.SUPPLY_PLATFORMS_AT}
    assert spots == {kind: len(row) for kind, row in rows.items()}
    assert {f"contract/{name}" for name in HOUSE.landmarks} < set(things(HOUSE, players=2))
    assert len(HOUSE.landmarks) == spots["landmark"]
    assert parts["card-slot"].each["supply"] == spots["contract"] + spots["landmark"]


def test_hub_and_lab_take_the_sizes_from_that_file(full_table):
    zeros = {spot.crane_zero_mm for station in full_table.stations for spot in station.spots} - {None}
    assert zeros == {SIZES.paddle_range_mm} == {PADDLE_MM}
    assert (SIZES.platform_flat_mm, SIZES.card_mm, SIZES.platform_flat_mm) == (FLAT_MM, CARD_MM, PLATFORM_MM)


def test_the_list_asks_for_readers_and_rings_that_go_into_the_plates(parts, dimensions):
    reader, ring = parts["pn532-module"], parts["led-ring-12"]
    assert "{:g} x {:g} x {:g} mm".format(*dimensions.READER) in reader.note
    outer, inner = (float(mm) for mm in re.match(r"(\d+) mm outside and (\d+) mm inside", ring.note).groups())
    assert dimensions.RING_OUTER - 1 <= outer <= dimensions.RING_OUTER
    assert dimensions.RING_INNER <= inner <= dimensions.RING_INNER + 1
    assert f"ring of {outer:g} mm" in ring.sources[1]
    assert "{:g} x {:g} mm at most".format(*dimensions.READER) in reader.sources[1]


def test_the_list_asks_for_cells_with_the_holes_that_are_drawn(parts, dimensions):
    """They were drawn in line, as no cell has them that we found."""
    (near, low), (also_near, high) = dimensions.CELL_HOLES
    assert near == also_near < dimensions.CELL_HELD
    assert low == -high
    note = parts["load-cell-1kg"].note
    assert f"side by side, {high - low:g} mm apart and {near:g} mm from the end" in note
    assert "{:g} x {:g} x {:g} mm".format(*dimensions.CELL) in note


def test_the_list_asks_for_sheets_that_are_large_enough(parts, dimensions):
    d = dimensions
    hexes = [d.centre(*one) for one in d.SECTOR]
    across, along = d.PITCH, d.PITCH * 2 / sqrt(3)
    wide, deep = (max(axis) - min(axis) for axis in zip(*hexes, strict=True))
    frame = 2 * (d.PITCH * (d.RADIUS + 0.5) * 2 / sqrt(3) + d.FRAME_RIM)
    seat = (d.SEAT[1] - d.SEAT[0], d.SEAT[3] - d.SEAT[2])
    needed = {
        "sector-tray": (wide + across, deep + along),
        "park-tray": (across, along),
        "seat-top": seat,
        "seat-floor": seat,
        "supply-tray": (d.SUPPLY[1] - d.SUPPLY[0], d.SUPPLY[3] - d.SUPPLY[2]),
        "table-frame": (frame, frame),
    }
    for name, size in needed.items():
        listed = tuple(map(float, re.search(r"(\d+) x (\d+) mm", parts[name].note).groups()))
        assert all(0 <= sheet - mm <= 12 for sheet, mm in zip(listed, size, strict=True)), (name, size)


def test_the_platform_is_the_one_of_the_lab_and_covers_a_seam(dimensions):
    assert dimensions.TILE_FLAT == PLATFORM_MM
    assert dimensions.CLEAR < dimensions.GAP < 2 * dimensions.CHAMFER
    assert dimensions.PLATE_FLAT + dimensions.GAP == dimensions.PITCH


def test_the_trays_of_the_sectors_carry_the_hexes_that_the_hub_gives_them(dimensions, full_table):
    first = {dimensions.centre(*one) for one in dimensions.SECTOR}
    trays = [{tuple(round(k, 6) for k in dimensions.turned(*one, sixths)) for one in first} for sixths in range(6)]
    for station in (station for station in full_table.stations if station.kind == "sector"):
        cells = (map(int, spot.spot.split("/")[1:]) for spot in station.spots)
        assert {tuple(round(k, 6) for k in dimensions.centre(*cell)) for cell in cells} in trays, station.station


def test_the_crane_stands_where_the_hub_and_the_station_expect_its_paddle(dimensions, full_table):
    zeros = {spot.crane_zero_mm for station in full_table.stations for spot in station.spots} - {None}
    assert zeros == {dimensions.PADDLE_RANGE}
    assert dimensions.PARK_RANGE < PARKED_MM


def test_the_stop_touches_before_the_cell_bends_for_good(dimensions):
    assert dimensions.STOP_GAP < dimensions.BEND


def test_reader_and_ring_do_not_overlap_and_stay_inside_the_plate(dimensions):
    lowest = dimensions.READER_AT_Y - dimensions.READER[1] / 2
    assert lowest + 2 >= dimensions.RING_AT_Y + dimensions.RING_OUTER / 2
    assert dimensions.READER_AT_Y + dimensions.READER[1] / 2 < dimensions.PLATE_FLAT / 2
    assert dimensions.SKIN < dimensions.PLATE_THICK


def test_every_made_part_has_its_source_and_is_in_the_list(root, parts, listed):
    made = {part.name.replace("-", "_"): part.kind for part in parts.values() if part.kind in {"printed", "cut"}}
    sources = {path.stem for path in (root / "hardware/cad").glob("*.py")} - HELPERS
    assert {name for name, kind in made.items() if kind == "printed"} == set(listed["PRINTED"])
    assert {name for name, kind in made.items() if kind == "cut"} == set(listed["CUT"])
    assert sources == set(made)


def test_a_part_computes_with_the_dimensions_and_has_no_number_of_the_game(root):
    for path in (root / "hardware/cad").glob("*.py"):
        if path.stem != "dimensions":
            numbers = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
            assert not numbers & {90.0, 92.0, 37}, path.name


def test_no_export_is_in_git(root):
    kept = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [name for name in kept if name.endswith(EXPORTS)] == []
