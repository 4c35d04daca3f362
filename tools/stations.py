"""Print what a builder of stations needs from the pin plans: `python tools/stations.py` writes

hardware/stations/<kind>.md   wiring, places, PIO machines and current of every kind of station
hardware/signal.md            what disturbs scales and readers, and what is done about it
hardware/budget.md            the power and the link of a whole table
hardware/pcb/<kind>.csv       the netlist of its carrier (tools/carriers.py)
hardware/pcb/wires/<kind>.csv every wire of its carrier (tools/carrier_wires.py)
docs/pictures/build/<kind>-*  drawings of its carrier and its cables (carrier_picture.py, cable_picture.py)
docs/pictures/build/rate.svg  the rate pin of an HX711; city.svg is the map (city_map.py)
docs/pictures/build/plan-*.svg  where slots lie, and what lies in them (plan_picture.py); accelerometers and the cables
                              of rings (station_plans.py); the room of a table (room_plans.py)
docs/pictures/build/          all other drawings come from `make cad`
docs/howto/first-station.md   the parts and the wiring in it, between their marks

The figures of current are for choosing a power supply. We did not measure them: each one names its source.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import cable_picture
import carrier_picture
import carrier_wires
import carriers
import city_map
import plan_picture
import ports
import room_plans
import station_plans
from carriers import BOARD_PIN
from power import (
    CAPACITOR_UF,
    CONTACT_MA,
    DIODE_MA,
    FUSE_DERATING,
    FUSE_HOLD_MA,
    FUSE_TRIP_MA,
    LEDS_LEAST_MV,
    RAIL_3V3_MA,
    RISE_MS,
    SPARK_MS,
    SUPPLY_MA,
    VSYS_LEAST_MV,
    WIRE_M,
    WIRE_MM2,
    Power,
    brown_out_mv,
    links,
    power_of,
)
from signals import disturbances
from steps import TINTED, TOOLS, by_hand, ready, steps
from write_printed import PLACE

import wire
from citytable.doctor.parts import full_table, read_parts
from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import StationPlan, full_plan
from tablestation.boards.assembly import I2C_HZ, PAUSE_MS
from tablestation.boards.pins import KINDS, places
from tablestation.drivers.lis3dh import PERIOD_US, READ_MAX
from tablestation.light import DARK_UA

ROOT = Path(__file__).resolve().parents[1]
FIRST_STATION = Path("docs/howto/first-station.md")
FIRST_KIND = "park"

BOARDS = {"pico_2_w": "Raspberry Pi Pico 2 W"}
MACHINES = {"pico_2_w": 12}
MACHINES_A_BLOCK = 4
DRAWINGS = Path("docs/pictures/build")
COLOURS = "Colours: BK black, BN brown, BU blue, GN green, OG orange, RD red, VT violet, WH white, YE yellow."
WIRE = """\
Wire is in the list of parts by gauge and colour; a load cell brings its own. The cables take {cables}
of all colours together, the carrier {carrier}."""
PRINTED = """\
`tools/stations.py` prints this page from the pin plan `firmware/tablestation/boards/pins/{}.py`, which the station's
program reads too. To change the page, change the plan and print it again; tests compare the two. What the doctor says
at the end of the steps comes from a run of it (`tools/write_printed.py`). Nobody has built such a station yet."""
DOCTOR = "<!-- printed by: python tools/doctor_of_models.py {} -->\n<!-- end -->"
MACHINES_WHY = """\
Every HX711 has its own PIO machine and clock line: the chips run on their own oscillators, and a shared clock would
read some of them at a moment when they change their data."""
ACCELEROMETER = """\
The accelerometer is optional. A LIS3DH module (a few euros) detects things that fall beside a platform, which no load
cell can feel. Glue it flat onto the wood where the step says, and never onto foam or tape: it has to feel what the
wood feels. Its place is free of other parts, and no drop from a seam falls there. Wire its VCC (VIN), GND, SDA and
SCL as above, with at most 30 cm of wire; leave CS, SDO and INT open. The module may have either address, 0x18 or
0x19. The station looks for it when it starts, and reports in its birth and its log whether it answers. `citytable
station adopt` enters it in the table's plan. If you add one later, add `"accelerometer": true` to the station there.

Every {pause} ms the station fetches about {usual} measurements, for which the program waits {usual_ms:.1f} ms; after a
longer pause it fetches {most} at once, in {most_ms:.1f} ms. These times are calculated from the clock of the bus; no
board has been measured. Meanwhile each load cell's PIO machine keeps up to eight conversions."""
PARTS = """\
[bom.csv](../bom.csv) has a source and an estimated price for each. What is printed or cut has a file of the same name,
with `_` for `-`: `make cad` writes them to `var/cad`, STL for printing and DXF for cutting. You make the cables
yourself in a step below. What a whole table needs once, such as weights and stickers, is not in this list:
`.venv/bin/citytable hardware bom --seats 4` prints everything."""
POWER_WHY = """\
From the supply's socket the current goes through the fuse. Behind it {who} take it, and through the
diode the board at VSYS. So a USB cable may be plugged in at the same time: neither source feeds the other. The fuse
trips at less than the supply gives; a larger one would glow at a short and never trip. A dead short stops the supply
itself, which has a protection of its own."""
BUDGET = """\
# Power and link of a whole table

`tools/stations.py` prints this page from the pin plans and `tools/power.py`. Currents are bounds that nobody has
measured; the pages of the stations name the source of each.

## Power

Every station has a certified supply of its own. This is what they deliver together at most.

{power}

## Link

A fixed table of {seats} seats, when every load cell moves at once. A bus that all stations share has to carry all of
it, a USB cable only its own station's. Rates are net and assumed: 4 Mbit/s of a full-speed USB port, 80 % of RS-485 and
50 % of CAN at 1 Mbit/s. *Sending* is what a driver draws at most: 3.3 V into the pull-up of the port, or into the bus
with its terminations. Prices are estimates of 2026-11.

{links}

So it is USB, or Wi-Fi: no driver for a bus has been written.

## Ports and sockets

A wired table has one USB cable for each station, and every station, the Pi and the USB hub have a plug in a mains
strip. The USB hub has {hub_ports} ports, the Pi {pi_ports}, of which the USB hub takes one (`tools/ports.py`).

{ports}

Pi, USB hub and strips lie on what the table stands on, below its rim. A USB cable runs from the carrier's Pico below
the floor to that rim, past the feet, and may be {usb_most:g} m long. The longest way is {ways}; so all are {usb:g} m
long. Each strip goes into a wall socket of its own, never into another strip.
"""
SIGNAL = """\
# Signals

`tools/stations.py` prints this page from `tools/signals.py`. What is left of each disturbance is computed from data
sheets and from the physics of wires; nobody has measured it. The last column names the line of
[NEVER-TRIED.md](NEVER-TRIED.md) that will show it, and `make bench-day` walks through them.

{disturbances}

A scale and a crane are calibrated with weights and gauge blocks that you know: `citytable calibrate` leads through it
([how](../docs/howto/calibrate.md)).
"""

Row = tuple[object, ...]


class Consumer(NamedTuple):
    """A consumer of current: its number, the most milliamperes of each, the source of that figure, and whether it
    hangs on the board's 3.3 V."""

    name: str
    number: int
    each_ma: float
    source: str
    on_3v3: bool = False


def plan_of(kind: str) -> dict[str, Any]:
    """Return the pin plan of a kind of station."""
    return import_module(f"tablestation.boards.pins.{kind}").PINS


def cells(plan: dict[str, Any]) -> int:
    """Return the number of load cells."""
    return sum(len(place["cells"]) for place in plan["places"])


def readers(plan: dict[str, Any]) -> int:
    """Return the number of tag readers."""
    return sum(place["cs"] is not None for place in plan["places"])


def rings(plan: dict[str, Any]) -> int:
    """Return the number of LED rings."""
    return sum(place["leds"] > 0 for place in plan["places"])


def cranes(plan: dict[str, Any]) -> int:
    """Return the number of sensors above a crane's paddle."""
    return sum(place["crane"] is not None for place in plan["places"])


Wires = dict[int | str, list[str]]


def wires(plan: dict[str, Any]) -> Wires:
    """Return the wires on every pin, by GPIO number or the name of the expander's pin."""
    found: Wires = {}
    for pin, what in [*_shared_wires(plan), *_wires_of_places(plan)]:
        found.setdefault(pin, []).append(what)
    return found


def _shared_wires(plan: dict[str, Any]) -> Iterator[tuple[int | str, str]]:
    for signal in ("sck", "mosi", "miso"):
        yield plan["spi"][signal], f"{signal.upper()} of every tag reader (SPI{plan['spi']['bus']})"
    if plan["i2c"]:
        for signal in ("sda", "scl"):
            yield plan["i2c"][signal], f"{signal.upper()} of {_on_i2c(plan)} (I2C{plan['i2c']['bus']})"
    if plan["strip"]:
        yield plan["strip"]["pin"], "DIN of the first ring, through the level shifter; each ring's DOUT feeds the next"
    if plan["button"] is not None:
        yield plan["button"], "the button, its other side to ground"


def fetching_ms(measurements: int) -> float:
    """Return for how many ms a read of the accelerometer keeps the bus: its count, then six bytes a measurement."""
    transfers = (1, 1, 1, 6 * measurements)  # bytes after the address: a register's number and its value, twice
    return sum(9 * (n + 1) + 2 for n in transfers) / I2C_HZ * 1000


def _accelerometer() -> str:
    usual = 1000 * PAUSE_MS // PERIOD_US
    return ACCELEROMETER.format(
        pause=PAUSE_MS, usual=usual, usual_ms=fetching_ms(usual), most=READ_MAX, most_ms=fetching_ms(READ_MAX)
    )


def _on_i2c(plan: dict[str, Any]) -> str:
    """Return the chips on the bus, as part of a sentence."""
    chips = ["the expander"] if plan["expander"] else []
    chips += ["the cranes' sensors"] if cranes(plan) else []
    chips += ["the accelerometer, if there is one"] if plan["accelerometer"] else []
    *others, last = chips
    return f"{', '.join(others)} and {last}" if others else last


def _wires_of_places(plan: dict[str, Any]) -> Iterator[tuple[int | str, str]]:
    for number, place in enumerate(plan["places"], 1):
        for cell, (sck, dout, _) in enumerate(place["cells"], 1):
            yield sck, f"place {number}, load cell {cell}: SCK of its HX711"
            yield dout, f"place {number}, load cell {cell}: DOUT of its HX711"
        if place["cs"] is not None:
            yield place["cs"], f"place {number}: SS of its tag reader"
        if place["crane"]:
            yield place["crane"]["xshut"], f"place {number}: XSHUT of the sensor above its crane's paddle"
            yield place["crane"]["beam"], f"place {number}: OUT of its crane's beam"


def _power_wires(plan: dict[str, Any]) -> list[Row]:
    on_3v3 = ["all supply pins of the HX711 modules (never 5 V: their DOUT would follow it)"] if cells(plan) else []
    on_3v3 += [f"VCC of {_on_i2c(plan)}"] if plan["i2c"] else []
    rows: list[Row] = [(36, "3V3(OUT)", "; ".join(on_3v3))] if on_3v3 else []
    branches = "; that of the rings and readers joins it at the supply alone" if plan["strip"] else ""
    return [
        *rows,
        (38, "GND", f"ground of everything{branches}"),
        (39, "VSYS", "5 V of the supply, through the fuse and the Schottky diode"),
        (40, "VBUS", "nothing: it carries the 5 V of the USB cable"),
    ]


def _table(head: tuple[str, ...], rows: list[Row]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _wires_of(plan: dict[str, Any], kind: type) -> list[tuple[Any, str]]:
    return sorted((pin, "; ".join(what)) for pin, what in wires(plan).items() if isinstance(pin, kind))


def wiring(plan: dict[str, Any]) -> str:
    """Return the table of the board's pins, and what hangs on the supply itself."""
    rows: list[Row] = [(BOARD_PIN[pin], f"GP{pin}", what) for pin, what in _wires_of(plan, int)]
    rings_too = ", and the 5 V of the rings and of their level shifter" if plan["strip"] else ""
    on_5v = f"The 5 V behind the fuse, before the diode, feed VCC of the tag readers{rings_too}."
    return _table(("board pin", "name", "goes to"), sorted([*rows, *_power_wires(plan)])) + "\n\n" + on_5v


def _expander(plan: dict[str, Any]) -> str:
    return _table(("MCP23017 pin", "goes to"), [(f"GP{pin}", what) for pin, what in _wires_of(plan, str)])


def first_station(plan: dict[str, Any]) -> StationPlan:
    """Return the first station of this kind on a table, which the guide gives its name."""
    stations = full_plan("cafe", 2, shared_spots(), ()).stations
    return next(one for one in stations if one.kind == plan["kind"])


def _places(plan: dict[str, Any]) -> str:
    station = first_station(plan)
    names = [spot.spot for spot in station.spots]
    spot_of = {plan["places"].index(place): name for name, place in zip(names, places(plan, names), strict=True)}
    rows: list[Row] = [
        (
            number,
            f"`{place['spot']}`",
            f"`{spot_of[number - 1]}`",
            len(place["cells"]) or "-",
            "yes" if place["cs"] is not None else "-",
            f"{place['leds']} LEDs" if place["leds"] else "-",
            "yes" if place["crane"] else "-",
        )
        for number, place in enumerate(plan["places"], 1)
    ]
    head = ("place", "spot", f"of {station.station}", "load cells", "tag reader", "ring", "crane")
    return _table(head, rows)


def machine_users(plan: dict[str, Any], board: str) -> dict[int, str]:
    """Return the user of each PIO machine of a board."""
    users = {plan["wifi"][board]: "the board's Wi-Fi"}
    for number, place in enumerate(plan["places"], 1):
        for cell, (_, _, machine) in enumerate(place["cells"], 1):
            users[machine] = f"place {number}, load cell {cell}"
    return users


def _machines(plan: dict[str, Any]) -> str:
    rows: list[Row] = []
    for machine in range(max(MACHINES[board] for board in plan["boards"])):
        uses = [
            machine_users(plan, board).get(machine, "free") if machine < MACHINES[board] else "none"
            for board in plan["boards"]
        ]
        rows.append((machine, machine // MACHINES_A_BLOCK, *uses))
    return _table(("machine", "PIO block", *(BOARDS[board] for board in plan["boards"])), rows)


def consumers(plan: dict[str, Any]) -> list[Consumer]:
    """Return everything that draws current on the station's 5 V."""
    all_readers = readers(plan)
    found = [
        Consumer("board, Wi-Fi sending", 1, 300, "a bound we assume; not measured"),
        Consumer("HX711", cells(plan), 1.5, "its data sheet: below 1.5 mA with its regulator", on_3v3=True),
        Consumer("load cell, 1 kOhm bridge", cells(plan), 3.3, "3.3 V across 1 kOhm", on_3v3=True),
        Consumer(
            "tag reader, field off",
            max(0, all_readers - 1),
            40,
            "36 mA measured by a user of one; not by us",
        ),
        Consumer("tag reader, field on", min(1, all_readers), 150, "a bound we assume; one field is on at a time"),
        Consumer("sensor of a crane", cranes(plan), 20, "a bound we assume; not measured", on_3v3=True),
        Consumer("beam of a crane", cranes(plan), 20, "a bound we assume; not measured", on_3v3=True),
        Consumer("expander", 1 if plan["expander"] else 0, 1, "its data sheet", on_3v3=True),
        Consumer("accelerometer", int(plan["accelerometer"]), 1, "a bound we assume; not measured", on_3v3=True),
    ]
    if plan["strip"]:
        leds = sum(place["leds"] for place in plan["places"])
        source = f"the station's own limit for all {leds} LEDs together; {leds * DARK_UA / 1000:.0f} mA when dark"
        found.append(Consumer("rings", 1, plan["strip"]["limit_ma"], source))
    return [consumer for consumer in found if consumer.number]


def largest_ma(plan: dict[str, Any]) -> float:
    """Return the largest current of a station, in milliamperes."""
    return sum(consumer.number * consumer.each_ma for consumer in consumers(plan))


def power(plan: dict[str, Any]) -> Power:
    """Return the way of a station's current from its supply."""
    on_3v3_ma = sum(c.number * c.each_ma for c in consumers(plan) if c.on_3v3)
    board_ma = sum(c.each_ma for c in consumers(plan) if c.name.startswith("board"))
    return power_of(largest_ma(plan), on_3v3_ma, board_ma, sum(place["leds"] for place in plan["places"]))


def _power(plan: dict[str, Any]) -> str:
    way = power(plan)
    rows: list[Row] = [
        ("supply", f"5 V, {SUPPLY_MA / 1000:g} A, with a certificate", f"{way.total_ma:g} mA"),
        ("fuse, resettable", f"holds {FUSE_HOLD_MA * FUSE_DERATING:.0f} mA when warm", f"{way.total_ma:g} mA"),
        ("the same at a short", f"trips at {FUSE_TRIP_MA} mA", f"{SUPPLY_MA} mA, what the supply gives"),
        (
            "wire to the carrier",
            f"{WIRE_MM2:g} mm2 (AWG 20), {WIRE_M:g} m",
            f"loses {way.drop_mv:.0f} mV with plug and fuse",
        ),
    ]
    if plan["strip"]:
        rows.append(("LEDs", f"need {LEDS_LEAST_MV / 1000:g} V", f"{way.leds_mv / 1000:.2f} V"))
        rings = plan["strip"]["limit_ma"]
        rows.append(("plug of the rings", f"bears {CONTACT_MA / 1000:g} A in each contact", f"{rings} mA"))
        rows.append(("inrush", f"{CAPACITOR_UF} uF in {RISE_MS} ms", f"{way.inrush_ma:.0f} mA, below the fuse"))
        spark = f"{way.spark_ma / 1000:.0f} A, too briefly to warm the fuse"
        rows.append(("inrush if its plug comes last", f"{CAPACITOR_UF} uF in less than {SPARK_MS} ms", spark))
    rows.append(("diode", f"bears {DIODE_MA / 1000:g} A", f"{way.diode_ma:g} mA"))
    rows.append(("VSYS, behind the diode", f"works from {VSYS_LEAST_MV / 1000:g} V", f"{way.vsys_mv / 1000:.2f} V"))
    rows.append(("brown-out", "the board runs on", f"down to {brown_out_mv(way) / 1000:.2f} V at the socket"))
    rows.append(("3V3(OUT)", f"gives {RAIL_3V3_MA} mA", f"{way.rail_3v3_ma:g} mA"))
    return _table(("what", "what it bears or needs", "at most"), rows)


def _current(plan: dict[str, Any]) -> str:
    rows: list[Row] = [
        (c.name, c.number, f"{c.each_ma:g} mA", f"{c.number * c.each_ma:g} mA", c.source) for c in consumers(plan)
    ]
    rows.append(
        (
            "**all together**",
            "",
            "",
            f"**{largest_ma(plan):g} mA**",
            "all on the supply's 5 V",
        )
    )
    return _table(("what", "how many", "each at most", "together", "where the figure comes from"), rows)


def budget() -> str:
    """Return the page about the power and the link of a whole table."""
    plans = {kind: plan_of(kind) for kind in KINDS}
    rows: list[Row] = []
    for seats in (2, 3, 4):
        stations = [plans[kind] for kind, n in full_table(seats).items() if kind in plans for _ in range(n)]
        total_ma = sum(largest_ma(plan) for plan in stations)
        rows.append((seats, len(stations), f"{total_ma / 1000:.1f} A at 5 V", f"{total_ma / 200:.0f} W"))
    power = _table(("seats", "stations", "together at most", "power"), rows)
    ways: list[Row] = [
        (
            one.name,
            one.wires,
            f"{one.bits_per_s / 1e6:.1f} Mbit/s",
            f"{one.bits_needed_per_s / 1e6:.1f} Mbit/s",
            "yes" if one.is_enough else "no",
            f"{one.sending_ma:.0f} mA",
            f"{one.delay_ms:.0f} ms",
            f"{one.eur_per_station:g} EUR",
            one.crimps,
        )
        for one in links([cells(plan) for plan in stations])
    ]
    head = ("link", "wires", "carries", "needed", "twice the need?", "sending", "delay", "for a station", "to crimp")
    ends = ports.figures(KINDS)
    return BUDGET.format(
        power=power, seats=seats, links=_table(head, ways), ports=_table(ports.HEAD, ports.rows()), **ends
    )


def signal() -> str:
    """Return the page about what disturbs scales and readers."""
    head = ("what", "what is done", "what is left", "what will show it")
    return SIGNAL.format(disturbances=_table(head, [tuple(one) for one in disturbances()]))


def _build(plan: dict[str, Any]) -> str:
    """Return the steps of building this station, each with its drawings, and the place of what the doctor prints."""
    parts = [f"**Tools:** {TOOLS}"]
    for number, step in enumerate(steps(plan), 1):
        parts += [f"### {number}. {step.title}", step.text]
        parts += [_cables(plan)] if step.title == "Cables" else []
        parts += [f"![Drawing for {step.title.lower()}: {name}](../../{DRAWINGS}/{name}.svg)" for name in step.pictures]
    station = first_station(plan)
    parts += [
        f"### {len(steps(plan)) + 1}. Ready",
        f"![Drawing for ready: plan-ready](../../{DRAWINGS}/plan-ready.svg)",
    ]
    parts += [ready(plan, station.station), DOCTOR.format(plan["kind"])]
    parts.append(by_hand(plan, station.station))
    return "\n\n".join(parts)


def _cables(plan: dict[str, Any]) -> str:
    """Return the cables of a station as a table: how many, how long, and each wire's colour and pins."""
    rows: list[Row] = []
    for cable in wire.cables_of(plan):
        one, two = cable_picture.ends(cable)
        (cord,) = cable.wired["cables"].values()
        pins = zip(cord["colors"], one["pinlabels"], strict=True)
        wires = ", ".join(f"{colour} {pin}" for colour, pin in pins)
        ends = f"{one['notes']} ({one['type']})", f"{two['notes']} ({two['type']})"
        rows.append((cable.number, cable.name, *ends, wires, f"{cable.length_mm} mm, {cord['gauge']}"))
    head = ("how many", "cable", "from", "to", "wires in the order of its pins", "length of each")
    return f"{COLOURS}\n\n{_table(head, rows)}\n\n{_wire(plan)}"


def _wire(plan: dict[str, Any]) -> str:
    """Return what wire a station takes, in whole metres of all colours together, and where the list has it."""
    return WIRE.format(cables=_gauges(wire.of_cables(plan)), carrier=_gauges(wire.of_carrier(plan)))


def _gauges(taken: Counter[wire.Wire]) -> str:
    metres: Counter[str] = Counter()
    for one, mm in taken.items():
        metres[one.gauge] += mm
    return ", ".join(f"{math.ceil(mm / 1000)} m of {gauge}" for gauge, mm in sorted(metres.items()))


def guide(kind: str) -> str:
    """Return the page of one kind of station."""
    plan = plan_of(kind)
    boards = " or ".join(BOARDS[board] for board in plan["boards"])
    used = sum(isinstance(pin, int) for pin in wires(plan))
    parts = [
        f"# Station: {kind}",
        PRINTED.format(kind),
        f"**Board:** {boards}. {used} of its {len(BOARD_PIN)} free pins are used.",
        f"## Parts\n\n{PARTS}\n\n{parts_of(kind)}",
        f"## Build\n\n{_build(plan)}",
        f"## Places\n\nA spot takes the first free place whose pattern matches its name.\n\n{_places(plan)}",
        f"## Wiring\n\n{wiring(plan)}",
    ]
    if plan["expander"]:
        address = plan["expander"]["address"]
        grounded = "its three address pins to ground, RESET to 3V3"
        intro = f"An MCP23017 at address {address:#04x} ({grounded}) carries the slow signals:"
        parts.append(f"### On the expander\n\n{intro}\n\n{_expander(plan)}")
    if plan["accelerometer"]:
        parts.append(f"## Accelerometer\n\n{_accelerometer()}")
    if cells(plan):
        parts.append(f"## PIO machines\n\n{MACHINES_WHY}\n\n{_machines(plan)}")
    why = POWER_WHY.format(who="the rings and the readers" if plan["strip"] else "the readers")
    parts.append(f"## Current\n\nThe largest current on 5 V:\n\n{_current(plan)}")
    parts.append(f"## Power\n\n{why}\n\n{_power(plan)}")
    return "\n\n".join(parts) + "\n"


def with_kept(page: str, old: str) -> str:
    """Return the page with what `tools/write_printed.py` has put into the old one."""
    kept = {place[1]: place[3] for place in PLACE.finditer(old)}
    return PLACE.sub(lambda place: f"{place[1]}{place[2]}{kept.get(place[1], place[3])}", page)


def with_table(page: str, name: str, table: str) -> str:
    """Return the page with the table between its marks `<!-- name -->` and `<!-- end -->`."""
    marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"the page has no marks <!-- {name} --> and <!-- end -->: put them where the table belongs")
    return marked.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", page)


def parts_of(kind: str) -> str:
    """Return the parts of one station as a table."""
    rows: list[Row] = [
        (
            f"{part.each[kind]} m" if part.by_the_metre else part.each[kind],
            part.name + (" (optional)" if part.optional else ""),
            part.note or "-",
        )
        for part in read_parts(ROOT / "hardware/bom.csv")
        if part.each[kind]
    ]
    return _table(("how many", "part", "mind"), rows)


def _drawings() -> Iterator[tuple[Path, str]]:
    """Yield the drawings of carriers and cables that the guides show, of an HX711's rate, and the map of the city."""
    yield DRAWINGS / "rate.svg", cable_picture.rate_svg()
    yield DRAWINGS / "city.svg", city_map.svg()
    yield DRAWINGS / "plan-tray.svg", plan_picture.tray_svg()
    yield DRAWINGS / "plan-card.svg", plan_picture.card_svg()
    yield DRAWINGS / "plan-room.svg", room_plans.room_svg()
    yield DRAWINGS / "plan-ready.svg", room_plans.ready_svg()
    for kind in station_plans.LEGENDS:
        yield DRAWINGS / f"plan-{kind}.svg", station_plans.svg_of(kind)
    for plan in map(plan_of, KINDS):
        for name in (name for step in steps(plan) for name in step.pictures):
            kind, _, what = name.partition("-")
            if what == "cables":
                yield DRAWINGS / f"{name}.svg", cable_picture.cables_svg(wire.cables_of(plan))
            elif kind == plan["kind"]:
                yield DRAWINGS / f"{name}.svg", carrier_picture.svg_of(plan, TINTED[what])


def printed(root: Path) -> dict[Path, str]:
    """Return every file that this program writes, with its text."""
    guides = {kind: Path(f"hardware/stations/{kind}.md") for kind in KINDS}
    files = {path: with_kept(guide(kind), (root / path).read_text("utf-8")) for kind, path in guides.items()}
    files |= {Path(f"hardware/pcb/{kind}.csv"): carriers.netlist_text(plan_of(kind)) for kind in KINDS}
    files |= {Path(f"hardware/pcb/wires/{kind}.csv"): carrier_wires.wires_text(plan_of(kind)) for kind in KINDS}
    files |= dict(_drawings())
    files[Path("hardware/budget.md")] = budget()
    files[Path("hardware/signal.md")] = signal()
    page = (root / FIRST_STATION).read_text("utf-8")
    page = with_table(page, "parts", parts_of(FIRST_KIND))
    files[FIRST_STATION] = with_table(page, "wiring", wiring(plan_of(FIRST_KIND)))
    return files


if __name__ == "__main__":
    for path, text in printed(ROOT).items():
        (ROOT / path).write_text(text, "utf-8")
