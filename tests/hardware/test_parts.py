"""The parts list counts what the pin plans carry, and sums what a person would pay."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from citytable.doctor.parts import FIRST, BadParts, bill, full_table, read_parts, starter_table


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


COUNTED = {  # part -> how many a pin plan needs
    "raspberry-pi-pico-2-w-with-header": lambda _: 1,
    "load-cell-1kg": lambda plan: _cells(plan) - _bags(plan),
    "load-cell-3kg": _bags,
    "hx711-module": _cells,
    "pn532-module": lambda plan: sum(place["cs"] is not None for place in plan["places"]),
    "led-ring-12": lambda plan: sum(place["leds"] == 12 for place in plan["places"]),
    "level-shifter-74ahct125": lambda plan: bool(plan["strip"]),
    "capacitor-1000uf": lambda plan: bool(plan["strip"]),
    "resistor-330-ohm": lambda plan: bool(plan["strip"]),
    "vl53l4cd-module": _cranes,
    "mcp23017-module": lambda plan: bool(plan["expander"]),
    "lis3dh-module": lambda plan: plan["accelerometer"],
    "push-button": lambda plan: plan["button"] is not None,
    "supply-5v-4a": lambda _: 1,
    "usb-cable-micro": lambda _: 1,
    "break-beam-3mm": _cranes,
    "linear-bearing-lm8uu": lambda plan: 3 * _cranes(plan),
    "steel-rod-8mm-400mm": lambda plan: 2 * _cranes(plan),
    "m3x12-socket-head": lambda plan: 4 * _alone(plan) + 2 * _shared(plan),
    "m3x20-countersunk": lambda plan: 2 * _shared(plan),
    "screw-3x10-plastic": lambda plan: 4 * _alone(plan),
    "cell-bridge": _alone,
    "hex-plate": _alone,
    "pad-plate": lambda plan: _shared(plan) // 3,
}


def test_the_list_counts_what_the_pin_plans_carry(parts, kind, pins):
    assert {name: parts[name].each[kind] for name in COUNTED} == {name: int(n(pins)) for name, n in COUNTED.items()}


def test_every_name_is_there_once_in_kebab_case_with_a_source_and_a_dated_price(root):
    listed = read_parts(root / "hardware/bom.csv")
    names = [part.name for part in listed]
    assert len(set(names)) == len(names)
    for part in listed:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*[a-z0-9]", part.name)
        assert part.sources, part.name
        assert re.fullmatch(r"20\d\d-\d\d", part.priced)
        assert part.unit_eur > 0


def test_a_bought_part_says_whether_its_number_was_seen(parts):
    for part in parts.values():
        if part.kind in {"bought", "board", "fastener"}:
            assert all(source.endswith((" (seen)", " (unchecked)")) for source in part.sources), part.name


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
    sums = [
        sum(line.eur for line in bill(tuple(parts.values()), owners))
        for owners in (FIRST, starter_table(2), full_table(2))
    ]
    assert sums == sorted(sums)
    assert sums[0] < 100


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
    command = [Path(sys.executable).with_name("citytable"), "hardware", "bom", "--first"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env={"COLUMNS": "80"}).stdout
    total = sum(line.eur for line in bill(tuple(parts.values()), FIRST))
    assert f"all together about {total:.0f} EUR" in said
    assert max(len(line.rstrip()) for line in said.splitlines()) <= 80
