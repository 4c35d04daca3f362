"""Each step of a guide has a drawing, each drawing is as its sources make it, and a carrier has room for its parts."""

import re
from hashlib import sha256
from itertools import combinations, pairwise
from math import hypot
from xml.etree import ElementTree as ET

import pytest

BUILD = "docs/pictures/build"
MOST_BYTES = 100_000
AGAIN = "draw them again: make cad"


@pytest.fixture(scope="module")
def made_from(root):
    """The checksums that `make cad` wrote: of its sources and of what it drew."""
    lines = (root / BUILD / "made-from.txt").read_text().splitlines()
    return {path: checksum for checksum, path in (line.split("  ") for line in lines)}


def test_every_drawing_is_as_make_cad_left_it_and_so_are_its_sources(root, made_from):
    stale = [path for path, checksum in made_from.items() if sha256((root / path).read_bytes()).hexdigest() != checksum]
    assert stale == [], AGAIN


def test_no_source_is_left_out(root, made_from):
    sources = {f"hardware/cad/{path.name}" for path in (root / "hardware/cad").glob("*.py")}
    assert sources | {"tools/drawings.py", "hub/citytable/table/sizes.toml"} <= set(made_from), AGAIN


def test_every_step_has_a_drawing(steps, pins):
    assert [step.title for step in steps.steps(pins) if not step.pictures] == []


def test_the_drawing_of_the_cables_shows_every_wire(root, wire, pins, kind):
    drawing = (root / BUILD / f"{kind}-cables.svg").read_text("utf-8")
    for cable in wire.cables_of(pins):
        assert f"{cable.number} x {cable.name}: {cable.length_mm} mm" in drawing
    wires = sum(len(cord["colors"]) for one in wire.cables_of(pins) for cord in one.wired["cables"].values())
    assert drawing.count('stroke-width="5"') == wires


def test_the_map_has_every_hex_once_and_each_at_its_place(root, full_table):
    drawing = (root / BUILD / "city.svg").read_text("utf-8")
    for station in (one for one in full_table.stations if one.kind == "sector"):
        for place, spot in enumerate(station.spots, 1):
            named = f">{spot.spot.removeprefix('city/')}</text>\n"
            assert drawing.count(named) == 1
            after = drawing.split(named)[1].splitlines()[0]
            assert after.endswith(f">{station.station.removeprefix('sector-')}.{place}</text>")


def test_every_drawing_is_shown_and_every_shown_drawing_is_there(root, steps, stations):
    from_guides = {
        name for plan in map(stations.plan_of, stations.KINDS) for s in steps.steps(plan) for name in s.pictures
    }
    elsewhere = {path.stem for path in (root / BUILD).glob("*.svg") if path.stem not in from_guides}
    assert {path.stem for path in (root / BUILD).glob("*.svg")} >= from_guides
    pages = "".join(
        path.read_text("utf-8") for path in [*(root / "docs").rglob("*.md"), *(root / "hardware").glob("*.md")]
    )
    assert [name for name in elsewhere if f"{name}.svg" not in pages] == []


def test_a_drawing_is_small_and_has_a_white_ground(root):
    for path in (root / BUILD).glob("*.svg"):
        assert path.stat().st_size < MOST_BYTES, path.name
        drawing = ET.parse(path).getroot()
        _, _, width, height = map(float, drawing.attrib["viewBox"].split())
        ground = drawing[0].attrib
        assert (float(ground["width"]), float(ground["height"]), ground["fill"]) == (width, height, "#ffffff"), (
            path.name
        )


def test_every_part_of_a_carrier_has_a_place_of_its_own_on_the_board(carrier_picture, carriers, pins):
    parts = carrier_picture.placed(pins)
    in_nets = {part for nodes in carriers.netlist(pins).values() for part, _ in nodes}
    assert {part.name.split()[0] for part in parts} == in_nets
    width_mm, depth_mm = carrier_picture.BOARD_MM
    for part in parts:
        assert 0 <= part.x_mm <= part.x_mm + part.wide_mm <= width_mm, part
        assert 0 <= part.y_mm <= part.y_mm + part.deep_mm <= depth_mm, part
    for one, two in combinations(parts, 2):
        beside = one.x_mm + one.wide_mm <= two.x_mm or two.x_mm + two.wide_mm <= one.x_mm
        below = one.y_mm + one.deep_mm <= two.y_mm or two.y_mm + two.deep_mm <= one.y_mm
        assert beside or below, (one.name, two.name)


def test_the_holes_of_a_carrier_are_those_of_the_model_and_spacers_have_room(root, carrier_picture, load_file, pins):
    dimensions = load_file("dimensions", root / "hardware/cad/dimensions.py")
    assert (carrier_picture.BOARD_MM, carrier_picture.HOLES_MM) == (dimensions.BOARD, dimensions.BOARD_HOLES)
    for x_mm, y_mm in carrier_picture.holes():
        for part in carrier_picture.placed(pins):
            beside = max(part.x_mm - x_mm, x_mm - part.x_mm - part.wide_mm, 0)
            below = max(part.y_mm - y_mm, y_mm - part.y_mm - part.deep_mm, 0)
            assert hypot(beside, below) >= carrier_picture.SPACER_MM / 2, part.name


def test_the_first_pin_of_the_pico_is_marked(carrier_picture, stations):
    """With its USB plug to the left, seen from above, it is at the lower left."""
    drawing = carrier_picture.svg_of(stations.plan_of("supply"), "")
    found = re.search(r"<rect ([^>]*)/>\n<circle ([^>]*)/>\n<text [^>]*>U1 Pico", drawing)
    x, y, deep = (float(re.search(f'{name}="([0-9.]+)"', found[1])[1]) for name in ("x", "y", "height"))
    at_x, at_y = (float(re.search(f'{name}="([0-9.]+)"', found[2])[1]) for name in ("cx", "cy"))
    assert 0 < at_x - x < 10
    assert 0 < y + deep - at_y < 10


def test_a_maker_counts_holes_on_the_grid_of_a_carriers_drawing(carrier_picture, stations):
    """There was nothing to count along: neither lines nor figures."""
    drawing = carrier_picture.svg_of(stations.plan_of("park"), "")
    for side_mm, way in zip(carrier_picture.BOARD_MM, ("v", "h"), strict=True):
        rows = carrier_picture.grid_mm(side_mm)
        assert {round(b - a, 6) for a, b in pairwise(rows)} == {carrier_picture.GRID_MM}
        assert 0 < rows[0] == pytest.approx(side_mm - rows[-1])
        assert rows[0] < carrier_picture.GRID_MM, "no further row has room"
        assert len(re.findall(rf'd="M[0-9.]+ [0-9.]+{way}[0-9.]+"', drawing)) == len(rows)
    for number in range(5, 61, 5):
        assert drawing.count(f">{number}</text>") == (2 if number < 39 else 1)


def test_the_last_step_has_a_drawing_too(root, kind):
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    steps = re.split(r"^### \d+\. ", page.partition("## Places")[0], flags=re.MULTILINE)[1:]
    assert steps[-1].startswith("Ready\n")
    assert [step.splitlines()[0] for step in steps if "![Drawing for " not in step] == []


def test_seats_and_supply_have_room_on_the_surface_that_the_page_names(root, load_tool):
    """Nobody said that the table stands on another, nor where a seat goes against a round frame."""
    room, page = load_tool("room_plans"), (root / "docs/howto/build-the-table.md").read_text("utf-8")
    boxes = [*room.seats_at(), room.supply_at()]
    half, radius = room.surface_mm() / 2, room.frame_mm() / 2
    for x, y, wide, deep in boxes:
        assert abs(x) + wide / 2 <= half
        assert abs(y) + deep / 2 <= half
        assert hypot(max(abs(x) - wide / 2, 0), max(abs(y) - deep / 2, 0)) >= radius - 1e-6, "it overlaps the frame"
    for (x, y, wide, deep), (to_x, to_y, to_wide, to_deep) in combinations(boxes, 2):
        assert abs(x - to_x) >= (wide + to_wide) / 2 or abs(y - to_y) >= (deep + to_deep) / 2
    assert f"A square of {2 * half / 1000:g} m holds all of it" in " ".join(page.split())
    assert f"room for the frame, {2 * radius / 1000:.2f} m across" in " ".join(page.split())


def test_a_label_ends_before_its_line_begins(root):
    """Drawn by `make cad`: a line began in the m of "magnet"."""
    wide_em = {
        "m": 0.974,
        "w": 0.818,
        "g": 0.635,
        "n": 0.634,
        "x": 0.592,
        "-": 0.361,
        "p": 0.635,
        "d": 0.635,
        "a": 0.613,
    }
    drawing = (root / BUILD / "crane-head.svg").read_text("utf-8")
    for label in ("magnet-6x3mm", "crane-head"):
        line = next(one for one in drawing.splitlines() if one.endswith(f">{label}</text>"))
        start = float(re.search(r'd="M([0-9.]+) ', line)[1])
        edge = float(re.search(r'<text x="([0-9.]+)"', line)[1])
        assert abs(start - edge) >= 14 * sum(wide_em.get(letter, 0.636) for letter in label)


def test_a_board_that_is_too_small_is_refused(carrier_picture, stations, monkeypatch):
    monkeypatch.setattr(carrier_picture, "ROWS", {"C": (6.0,), "R": (88.0,)})
    with pytest.raises(ValueError, match=r"R\d+ has no room on a board"):
        carrier_picture.placed(stations.plan_of("supply"))
