"""The parts list counts what the pin plans carry, and sums what a person would pay."""

import re
import subprocess
import sys
from math import ceil
from pathlib import Path

import pytest

from citytable.doctor.parts import FIRST, BadParts, bill, full_table, read_parts, starter_table
from citytable.games.megacity.pieces import HOUSE, things

pytestmark = pytest.mark.long(4)


def _cells(plan):
    return sum(len(place["cells"]) for place in plan["places"])


def _bags(plan):
    return sum(len(place["cells"]) for place in plan["places"] if place["spot"].endswith("/bag"))


def _alone(plan):
    """Cells of 1 kg that carry a plate alone."""
    return sum(len(place["cells"]) == 1 for place in plan["places"]) - _bags(plan)


def _shared(plan):
    """Cells of which three share a plate."""
    return sum(len(place["cells"]) for place in plan["places"] if len(place["cells"]) == 3)


def _cranes(plan):
    return sum(place["crane"] is not None for place in plan["places"])


def _rings(plan):
    return sum(place["leds"] == 12 for place in plan["places"])


def _readers(plan):
    return sum(place["cs"] is not None for place in plan["places"])


def _cards(plan):
    """Places where a card can be turned over: one half of it is covered."""
    return sum(bool({"contract", "card", "landmark"} & {*place["spot"].split("/")}) for place in plan["places"])


def _only(**numbers):
    """So many at each of these kinds, and none at the others: what stands around a station's places."""
    return lambda plan: numbers.get(plan["kind"], 0)


def _above_metal(plan):
    """Readers over a cell of aluminium."""
    return sum(bool(place["cells"]) and place["cs"] is not None for place in plan["places"])


COMMAND = Path(sys.executable).with_name("citytable")


def _printed(*options):
    command = [COMMAND, "hardware", "bom", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"COLUMNS": "80"}).stdout


COUNTED = {  # part -> how many a pin plan needs
    "raspberry-pi-pico-2-w-with-header": lambda _: 1,
    "load-cell-1kg": lambda plan: _cells(plan) - _bags(plan),
    "load-cell-3kg": _bags,
    "hx711-module": _cells,
    "pn532-module": _readers,
    "led-ring-12": _rings,
    "level-shifter-74ahct125": lambda plan: bool(plan["strip"]),
    "capacitor-1000uf": lambda plan: bool(plan["strip"]),
    "resistor-330-ohm": lambda plan: bool(plan["strip"]),
    "vl53l4cd-module": _cranes,
    "mcp23017-module": lambda plan: bool(plan["expander"]),
    "lis3dh-module": lambda plan: plan["accelerometer"],
    "push-button": lambda plan: plan["button"] is not None,
    "supply-5v-4a": lambda _: 1,
    "dc-socket": lambda _: 1,
    "fuse-resettable-1.85a": lambda _: 1,
    "schottky-diode-1n5819": lambda _: 1,
    "usb-cable-micro": lambda _: 1,
    "carrier-board": lambda _: 1,
    "pin-socket-20": lambda _: 2,
    "screw-terminal-2": lambda _: 1,
    "spacer-10mm": lambda _: 4,
    "ferrite-sheet-43x41mm": _above_metal,
    "ferrite-sheet-25mm": _cards,  # of each the covered half
    "break-beam-3mm": _cranes,
    "linear-bearing-lm8uu": lambda plan: 3 * _cranes(plan),
    "steel-rod-8mm-400mm": lambda plan: 2 * _cranes(plan),
    "roller-f623zz": lambda plan: 2 * _cranes(plan),
    "magnet-6x3mm": _cranes,
    "cord-1m": _cranes,
    "m8-washer-24mm": lambda plan: 30 * _cranes(plan),  # test_masses.py holds them to the masses
    "digital-scale-300mm": _cranes,
    "m3x12-socket-head": lambda plan: 4 * _alone(plan) + 2 * _shared(plan),
    "m3x20-countersunk": lambda plan: 2 * _shared(plan),
    # two hold the socket, four each bridge; three a paddle, one its magnet, one its stop, two its rods
    "screw-3x10-plastic": lambda plan: 2 + 4 * _alone(plan) + 7 * _cranes(plan),
    "socket-holder": lambda _: 1,
    # four hold the carrier, four each base of a hex, three a sector's tray, two the rollers of a crane
    "screw-3x16-plastic": lambda plan: 4 + 4 * _alone(plan) + _only(sector=3)(plan) + 2 * _cranes(plan),
    "screw-3x25-plastic": lambda plan: 4 * (_shared(plan) + _bags(plan)),
    "screw-2x6-plastic": lambda plan: 4 * _cranes(plan),
    "m4x16-socket-head": lambda plan: 2 * _bags(plan),
    "m5x16-socket-head": lambda plan: 2 * _bags(plan),
    "m6x90-bolt": _only(seat=6),
    "insert-nut-m6": _only(seat=6),
    "screw-6x60-wood": _only(supply=4),
    "table-foot": _only(seat=6, supply=4),
    "seat-post": _only(seat=6),
    "cell-bridge": _alone,
    "hex-plate": _alone,
    "pad-plate": lambda plan: _shared(plan) // 3,
    "ring-diffuser": _rings,
    "cell-base": lambda plan: _cells(plan) - _bags(plan),
    "bag-cradle": _bags,
    "bag-base": _bags,
    "card-slot": _cards,
    "platform-slot": _only(supply=3),
    "crane-paddle": _cranes,
    "crane-carriage": _cranes,
    "crane-head": _cranes,
    "crane-stop": _cranes,
    "crane-counterweight": _cranes,
    "sector-tray": _only(sector=1),
    "park-tray": _only(park=1),
    "seat-top": _only(seat=1),
    "seat-floor": _only(seat=1),
    "supply-tray": _only(supply=1),
    "cell-to-hx711": _cells,
    "ring-to-ring": lambda plan: max(0, _rings(plan) - 1),
}
BY_THE_CARRIER = re.compile("jst-xh-(set-[2-6]|contact)|[a-z0-9]+-to-carrier")
"""What test_carriers.py counts from the netlist."""
BOUGHT = {"bought", "board", "fastener"}
USED_UP = (
    *("solder-100g", "heat-shrink-2mm-2m", "heat-shrink-4mm-2m", "double-sided-tape-10m", "cloth-tape"),
    *("superglue", "kitchen-foil", "wood-paint-125ml", "wood-glue-75g"),
)
BY_THE_METRE = re.compile(r"wire-[0-9.]+mm2-[a-z]+")
"""What test_wire.py counts from the harness and the carrier."""

COLOURS = ("black", "blue", "green", "red", "white", "yellow")

IN_THE_GUIDE = {  # a part -> words of the step that uses it, where its own name is not among them
    **{f"wire-{gauge}mm2-{colour}": f"{gauge} mm2" for gauge in ("0.14", "0.25", "0.5") for colour in COLOURS},
    "hx711-module": "HX711",
    "jst-xh-contact": r"contact on each\s+wire",
    "pn532-module": "reader",
    "ring-diffuser": "diffuser",
    "ferrite-sheet-43x41mm": "ferrite on the side of its parts",
    "ferrite-sheet-25mm": r"sheet of\s+ferrite",
    "screw-3x10-plastic": "3 x 10 mm",
    "screw-3x16-plastic": "3 x 16 mm",
    "screw-3x25-plastic": "3 x 25 mm",
    "screw-2x6-plastic": "2 x 6 mm",
    "screw-6x60-wood": "6 x 60 mm",
    "m3x12-socket-head": "M3 x 12",
    "m3x20-countersunk": "M3 x 20",
    "m4x16-socket-head": "M4 x 16",
    "m5x16-socket-head": "M5 x 16",
    "m6x90-bolt": "M6 x 90",
    "insert-nut-m6": "nuts into the underside",
    "m8-washer-24mm": "washers",
    "spacer-10mm": "spacers of 10 mm",
    "table-foot": "f(oo|ee)t",
    "seat-post": "posts",
    "roller-f623zz": "rollers",
    "magnet-6x3mm": "magnet",
    "cord-1m": "cord",
    "linear-bearing-lm8uu": "bearings",
    "steel-rod-8mm-400mm": "rods",
    "push-button": "utton",
    "card-slot": "slot",
    "platform-slot": "slots",
    "cell-base": "base",
    "cell-bridge": "bridge",
    "hex-plate": "plate",
    "pad-plate": "plate",
    "bag-cradle": "cradle",
    "bag-base": "bases",
    "crane-paddle": "paddle",
    "crane-carriage": "carriage",
    "crane-head": "head",
    "crane-stop": "stop",
    "crane-counterweight": "counterweight",
    "sector-tray": "tray",
    "park-tray": "tray",
    "supply-tray": "tray",
    "seat-top": "top",
    "seat-floor": "floor",
    "led-ring-12": "ring",
    "load-cell-1kg": "cell",
    "load-cell-3kg": "bag's with M4",
    "break-beam-3mm": "beam",
    "vl53l4cd-module": "sensor",
    "lis3dh-module": "LIS3DH",
    "digital-scale-300mm": "digital scale",
    "carrier-board": "carrier",
    "pin-socket-20": "rows of sockets",
    "dc-socket": "socket's cable",
    "socket-holder": "holder",
    "supply-5v-4a": "Plug the supply",
    "usb-cable-micro": "USB cable",
    "raspberry-pi-pico-2-w-with-header": "Pico",
}


def test_the_list_counts_what_the_pin_plans_carry(parts, kind, pins):
    assert {name: parts[name].each[kind] for name in COUNTED} == {name: int(n(pins)) for name, n in COUNTED.items()}


def test_no_part_of_a_station_goes_uncounted(parts, kind):
    of_station = {name for name, part in parts.items() if part.each[kind]}
    elsewhere = re.compile(f"{BY_THE_CARRIER.pattern}|{BY_THE_METRE.pattern}")
    assert {name for name in of_station - set(COUNTED) if not elsewhere.fullmatch(name)} == set()


def test_every_part_of_a_station_is_in_its_guide(root, parts, kind, carriers):
    """A part that no step uses is a defect of the list, or of the guide; the carrier's are in its netlist."""
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    build = page[page.index("## Build") : page.index("## Places")]
    netlist = (root / f"hardware/pcb/{kind}.csv").read_text()
    for name in (name for name, part in parts.items() if part.each[kind]):
        used = f",{name}\n" in netlist or re.search(IN_THE_GUIDE.get(name, re.escape(name)), build)
        assert used, f"{name} is in no step of {kind}"


def test_stickers_and_ferrite_are_enough_for_every_thing_and_a_tenth_more(parts):
    """As docs/howto/tags.md counts them: a platform has one on each side and ferrite between, a card two."""
    each = {"contract": 2}
    stickers = sum(each.get(thing.split("/")[0], 1) for thing in things(HOUSE, players=4))
    assert parts["ntag213-sticker-25mm"].each["hub"] == ceil(1.1 * stickers)
    assert parts["ferrite-sheet-25mm"].each["hub"] == ceil(1.1 * len(HOUSE.platforms))
    assert parts["card-sleeve-66x91mm"].each["hub"] == ceil(1.1 * len(HOUSE.contracts))


def test_every_name_is_there_once_in_kebab_case_with_a_source_and_a_dated_price(root):
    listed = read_parts(root / "hardware/bom.csv")
    names = [part.name for part in listed]
    assert len(set(names)) == len(names)
    for part in listed:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*[a-z0-9]", part.name)
        assert part.sources, part.name
        assert re.fullmatch(r"20\d\d-\d\d", part.priced)
        if part.kind == "harness":
            assert part.unit_eur == 0, f"{part.name} is made of wire and plugs, which have prices of their own"
        else:
            assert part.unit_eur > 0


def test_a_number_says_where_it_was_seen(parts):
    """Or who links to it, or that nobody looked. "any ..." names no number; "none: ..." says why there is no other."""
    for part in parts.values():
        if part.kind in BOUGHT:
            for source in part.sources:
                marked = re.fullmatch(r".+ \((unchecked|(seen|linked): .{12,})\)", source)
                assert bool(marked) != source.startswith(("any ", "none: ")), f"{part.name}: {source}"


def test_a_bought_part_has_two_numbers_or_a_standard_or_a_reason(parts):
    """A second number is there for each part that has one; nobody has to guess whether we looked."""
    for part in parts.values():
        if part.kind in BOUGHT:
            numbers = [source for source in part.sources if not source.startswith(("any ", "none: "))]
            assert all(re.search(r"\d", number) for number in numbers), part.name
            standard = re.match(r"(ISO|OIML R) \d+", part.sources[0])
            reason = re.fullmatch(r"none: .{12,}", part.sources[-1])
            assert len(numbers) == 2 or standard or reason, part.name
            assert not (len(numbers) == 2 and reason), part.name


def test_what_work_uses_up_is_in_the_list_as_the_guides_ask_for_it(parts, root):
    """Its amounts are guesses, and said to be."""
    assert all("a guess" in parts[name].note for name in USED_UP)
    words = {"solder-100g": "100 g of solder", "double-sided-tape-10m": "10 m of double-sided tape of 19 mm"}
    for page in (root / f"hardware/stations/{kind}.md" for kind in ("sector", "park", "seat", "supply")):
        text = " ".join(page.read_text("utf-8").split())
        assert [name for name, said in words.items() if said not in text] == []


def test_what_the_pages_of_the_table_and_the_first_station_use_up_is_in_the_list(parts, root):
    """Paint and wood glue were in the text alone; the weight-holder and what a desk uses up in the list alone."""
    table = " ".join((root / "docs/howto/build-the-table.md").read_text("utf-8").split())
    for words, name in {"Paint the frame's edge": "wood-paint-125ml", "wood glue": "wood-glue-75g"}.items():
        assert words in table, words
        assert parts[name].each["table"] == 1, name
    first = " ".join((root / "docs/howto/first-station.md").read_text("utf-8").split())
    told = first[first.index("The list below is the station") : first.index("--first")]
    words = {
        "solder-100g": "solder",
        "double-sided-tape-10m": "double-sided tape",
        "superglue": "superglue",
        "calibration-weight-500g": "500 g",
        "calibration-weight-200g": "200 g",
        "weight-holder": "weight-holder",
        "ntag213-sticker-25mm": "stickers",
        "ferrite-sheet-25mm": "ferrite",
        "rubber-foot-10mm": "rubber feet",
    }
    assert {name for name, part in parts.items() if part.each["first"]} == set(words)
    assert [name for name, said in words.items() if said not in told] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_quantities_follow_the_seats(parts, full_table_of, seats):
    numbers = {line.part.name: line.number for line in bill(tuple(parts.values()), full_table(seats))}
    plan = full_table_of(seats)
    spots = plan.spot_plans().values()
    assert numbers["raspberry-pi-pico-2-w-with-header"] == len(plan.stations) == 8 + seats
    assert numbers["hx711-module"] == sum(len(spot.cells) for spot in spots)
    assert numbers["pn532-module"] == sum(spot.reader for spot in spots)
    assert numbers["led-ring-12"] == sum(spot.ring_leds > 0 for spot in spots)


def test_a_starter_table_costs_less_and_a_first_station_least(parts):
    bills = [bill(tuple(parts.values()), FIRST, optional=False)]
    bills += [bill(tuple(parts.values()), owners) for owners in (starter_table(2), full_table(2))]
    sums = [sum(line.eur for line in lines) for lines in bills]
    assert sums == sorted(sums)
    assert sum(line.eur for line in bill(tuple(parts.values()), {"park": 1}, optional=False)) < 120
    used_up = sum(parts[name].unit_eur * parts[name].each["first"] for name in USED_UP)
    assert sums[0] - used_up < 140, "with the weights and stickers that try it, and whole packs of screws"
    assert used_up < 20


def test_a_first_station_works_alone(parts):
    """One place that weighs, reads and shines, weights that calibrate it, a tag to read, feet on the desk."""
    numbers = {line.part.name: line.number for line in bill(tuple(parts.values()), FIRST)}
    assert [numbers[name] for name in ("load-cell-1kg", "pn532-module", "led-ring-12", "supply-5v-4a")] == [1] * 4
    assert numbers["calibration-weight-500g"] == numbers["calibration-weight-200g"] == 1
    assert numbers["ntag213-sticker-25mm"] * parts["ntag213-sticker-25mm"].pack >= 2
    assert numbers["rubber-foot-10mm"] * parts["rubber-foot-10mm"].pack >= 4


@pytest.mark.parametrize("owners", [FIRST, starter_table(), full_table(4)])
def test_what_is_sold_in_packs_is_paid_for_in_packs(parts, owners):
    """Nobody buys four screws: the sum of a first station was of pieces, and said that packs cost more."""
    bought = {line.part.name: line for line in bill(tuple(parts.values()), owners)}
    sold_in_packs = {name for name, part in parts.items() if part.pack}
    assert {"screw-3x10-plastic", "jst-xh-contact", "ntag213-sticker-25mm", "resistor-330-ohm"} <= sold_in_packs
    for part in (parts[name] for name in sold_in_packs & set(bought)):
        needed, line = sum(part.each[owner] * n for owner, n in owners.items()), bought[part.name]
        assert line.number == ceil(needed / part.pack), part.name
        assert line.eur == pytest.approx(line.number * part.unit_eur)


def test_a_starter_table_has_two_seats_unless_somebody_asks_for_more(parts):
    assert starter_table() == {"seat": 2, "hub": 1}
    assert _printed("--starter") == _printed("--starter", "--seats", "2") != _printed("--starter", "--seats", "3")
    assert _printed() == _printed("--seats", "4")


def test_the_sum_says_how_much_of_it_is_for_optional_parts(parts):
    lines = [line for line in bill(tuple(parts.values()), starter_table()) if line.part.optional]
    assert f"{sum(line.eur for line in lines):.0f} EUR of them are for optional parts" in _printed("--starter")


def test_a_first_station_has_no_seats():
    done = subprocess.run(
        [COMMAND, "hardware", "bom", "--first", "--seats", "3"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "leave out --seats" in done.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name,kind\nboard,gift\n", "line 2: the kind is 'gift': use one of bought"),
        ("name,kind\nboard,bought\n", "line 2: the column 'sector' is missing"),
        ("name,kind,sector,park,seat,supply,hub\nboard,bought,one,0,0,0,0\n", "line 2: invalid literal"),
    ],
)
def test_a_list_that_cannot_be_read_names_its_line(tmp_path, text, why):
    path = tmp_path / "bom.csv"
    path.write_text(text)
    with pytest.raises(BadParts, match=why):
        read_parts(path)


def test_the_command_prints_the_sums_in_80_columns(parts):
    said = _printed("--first")
    total = sum(line.eur for line in bill(tuple(parts.values()), FIRST, optional=False))
    assert "optional" not in said
    assert f"all together about {total:.0f} EUR" in said
    assert said.split()[0] == "quantity"
    assert "screw-3x10-plastic, pack of 50" in said
    assert "wire-0.5mm2-red, 10 m" in said
    assert "prices, and sizes of packs and rolls: estimates of 20" in said
    assert max(len(line.rstrip()) for line in said.splitlines()) <= 80
