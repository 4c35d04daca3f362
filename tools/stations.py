"""Print what a builder of stations needs from the pin plans: `python tools/stations.py` writes

hardware/stations/<kind>.md   wiring, places, PIO machines and current of every kind of station
hardware/bom.csv              the parts, with quantities
docs/howto/first-station.md   the wiring table in it, between its two marks

The figures of current are for choosing a power supply. We did not measure them: each one names its source.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tablestation.boards.assembly import I2C_HZ, PAUSE_MS
from tablestation.boards.pins import KINDS
from tablestation.drivers.lis3dh import PERIOD_US, READ_MAX
from tablestation.light import DARK_UA

ROOT = Path(__file__).resolve().parents[1]
FIRST_STATION = Path("docs/howto/first-station.md")
FIRST_KIND = "park"

BOARDS = {"pico_2_w": "Raspberry Pi Pico 2 W"}
MACHINES = {"pico_2_w": 12}
MACHINES_A_BLOCK = 4
HEADER = (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29)  # of GP0 to GP22
BOARD_PIN = {
    **dict(enumerate(HEADER)),
    26: 31,
    27: 32,
    28: 34,
}  # data sheets of both boards
PRINTED = """\
`tools/stations.py` prints this page from the pin plan `firmware/tablestation/boards/pins/{}.py`, which the station's
program reads too. To change the page, change the plan and print it again; tests compare the two. Nobody has built such
a station yet."""
MACHINES_WHY = """\
Every HX711 has its own PIO machine and clock line: the chips run on their own oscillators, and a shared clock would
read some of them at a moment when they change their data."""
ACCELEROMETER = """\
The accelerometer is optional. A LIS3DH module (a few euros) detects things that fall beside a platform, which no load
cell can feel. Screw or glue it flat onto the middle of the station's base plate, not onto a platform's tray and not
onto foam: it has to feel the base. Wire its VCC (VIN), GND, SDA and SCL as above, with at most 30 cm of wire; leave CS,
SDO and INT open. The module may have either address, 0x18 or 0x19. The station looks for it when it starts, and reports
in its birth and its log whether it answers. Add `"accelerometer": true` to the station in the table's plan.

Every {pause} ms the station fetches about {usual} measurements, for which the program waits {usual_ms:.1f} ms; after a
longer pause it fetches {most} at once, in {most_ms:.1f} ms. These times are calculated from the clock of the bus; no
board has been measured. Meanwhile each load cell's PIO machine keeps up to eight conversions."""
SUPPLY_STEP_MA = 500
RESERVE = 1.25


Row = tuple[object, ...]


class Part(NamedTuple):
    """A line of the parts list. `each` returns how many a pin plan needs."""

    name: str
    use: str
    each: dict[str, int]


class Consumer(NamedTuple):
    """A consumer of current: its number, the most milliamperes of each, and the source of that figure."""

    name: str
    number: int
    each_ma: float
    source: str


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


def _power_wires(plan: dict[str, Any]) -> list[Row]:
    on_3v3 = ["all supply pins of the HX711 modules (never 5 V: their DOUT would follow it)"] if cells(plan) else []
    on_3v3 += [f"VCC of {_on_i2c(plan)}"] if plan["i2c"] else []
    on_5v = ["VCC of the tag readers"]
    on_5v += ["5 V of the rings and of their level shifter"] if plan["strip"] else []
    rows: list[Row] = [(36, "3V3(OUT)", "; ".join(on_3v3))] if on_3v3 else []
    return [*rows, (38, "GND", "ground of everything, in a star from here"), (40, "VBUS", "; ".join(on_5v))]


def _table(head: tuple[str, ...], rows: list[Row]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _wires_of(plan: dict[str, Any], kind: type) -> list[tuple[Any, str]]:
    return sorted((pin, "; ".join(what)) for pin, what in wires(plan).items() if isinstance(pin, kind))


def wiring(plan: dict[str, Any]) -> str:
    """Return the table of the board's pins."""
    rows: list[Row] = [(BOARD_PIN[pin], f"GP{pin}", what) for pin, what in _wires_of(plan, int)]
    return _table(("board pin", "name", "goes to"), sorted([*rows, *_power_wires(plan)]))


def _expander(plan: dict[str, Any]) -> str:
    return _table(("MCP23017 pin", "goes to"), [(f"GP{pin}", what) for pin, what in _wires_of(plan, str)])


def _places(plan: dict[str, Any]) -> str:
    rows: list[Row] = [
        (
            number,
            f"`{place['spot']}`",
            len(place["cells"]) or "-",
            "yes" if place["cs"] is not None else "-",
            f"{place['leds']} LEDs" if place["leds"] else "-",
            "yes" if place["crane"] else "-",
        )
        for number, place in enumerate(plan["places"], 1)
    ]
    return _table(("place", "spot", "load cells", "tag reader", "ring", "crane"), rows)


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
        Consumer("HX711", cells(plan), 1.5, "its data sheet: below 1.5 mA with its regulator"),
        Consumer("load cell, 1 kOhm bridge", cells(plan), 5, "5 V across 1 kOhm, more than the cell receives"),
        Consumer(
            "tag reader, field off",
            max(0, all_readers - 1),
            40,
            "36 mA measured by a user of one; not by us",
        ),
        Consumer("tag reader, field on", min(1, all_readers), 150, "a bound we assume; one field is on at a time"),
        Consumer("sensor of a crane", cranes(plan), 20, "a bound we assume; not measured"),
        Consumer("expander", 1 if plan["expander"] else 0, 1, "its data sheet"),
        Consumer("accelerometer", int(plan["accelerometer"]), 1, "a bound we assume for chip and module; not measured"),
    ]
    if plan["strip"]:
        leds = sum(place["leds"] for place in plan["places"])
        source = f"the station's own limit for all {leds} LEDs together; {leds * DARK_UA / 1000:.0f} mA when dark"
        found.append(Consumer("rings", 1, plan["strip"]["limit_ma"], source))
    return [consumer for consumer in found if consumer.number]


def total_ma(plan: dict[str, Any]) -> float:
    """Return the largest current of a station, in milliamperes."""
    return sum(consumer.number * consumer.each_ma for consumer in consumers(plan))


def supply_ma(plan: dict[str, Any]) -> int:
    """Return the current of a sufficient power supply: a quarter of reserve, rounded up."""
    return -(-int(total_ma(plan) * RESERVE) // SUPPLY_STEP_MA) * SUPPLY_STEP_MA


def _current(plan: dict[str, Any]) -> str:
    rows: list[Row] = [
        (c.name, c.number, f"{c.each_ma:g} mA", f"{c.number * c.each_ma:g} mA", c.source) for c in consumers(plan)
    ]
    rows.append(
        (
            "**all together**",
            "",
            "",
            f"**{total_ma(plan):g} mA**",
            f"use a supply of 5 V and {supply_ma(plan) / 1000:g} A",
        )
    )
    return _table(("what", "how many", "each at most", "together", "where the figure comes from"), rows)


def guide(kind: str) -> str:
    """Return the page of one kind of station."""
    plan = plan_of(kind)
    boards = " or ".join(BOARDS[board] for board in plan["boards"])
    used = sum(isinstance(pin, int) for pin in wires(plan))
    parts = [
        f"# Station: {kind}",
        PRINTED.format(kind),
        f"**Board:** {boards}. {used} of its {len(BOARD_PIN)} free pins are used.",
        f"## Places\n\nA spot takes the first free place whose pattern matches its name.\n\n{_places(plan)}",
        f"## Wiring\n\n{wiring(plan)}",
    ]
    if plan["expander"]:
        address = plan["expander"]["address"]
        intro = f"An MCP23017 at address {address:#04x} (A0, A1, A2 to ground, RESET to 3V3) carries the slow signals:"
        parts.append(f"### On the expander\n\n{intro}\n\n{_expander(plan)}")
    if plan["accelerometer"]:
        parts.append(f"## Accelerometer\n\n{_accelerometer()}")
    if cells(plan):
        parts.append(f"## PIO machines\n\n{MACHINES_WHY}\n\n{_machines(plan)}")
    parts.append(f"## Current\n\nThe largest current on 5 V:\n\n{_current(plan)}")
    return "\n\n".join(parts) + "\n"


def _bag_cells(plan: dict[str, Any]) -> int:
    return sum(len(place["cells"]) for place in plan["places"] if place["spot"].endswith("/bag"))


PARTS: tuple[tuple[str, str, Callable[[dict[str, Any]], int]], ...] = (
    ("Raspberry Pi Pico 2 W with header", "the station's board", lambda _: 1),
    (
        "load cell, single point, 1 kg",
        "one under a hex, three under a build pad",
        lambda plan: cells(plan) - _bag_cells(plan),
    ),
    ("load cell, single point, 3 kg", "under the bag's cradle", _bag_cells),
    ("HX711 module with RATE wired for 80 samples a second", "one for every load cell", cells),
    ("PN532 module that can be switched to SPI", "a tag reader for every place that has one", readers),
    ("ring of 12 WS2812 LEDs", "one for every hex and every build pad", rings),
    ("74AHCT125 level shifter", "lifts the rings' data line from 3.3 V to 5 V", lambda plan: bool(plan["strip"])),
    ("capacitor 1000 uF, 6.3 V or more", "across the rings' 5 V", lambda plan: bool(plan["strip"])),
    ("resistor 330 Ohm", "in the rings' data line", lambda plan: bool(plan["strip"])),
    ("VL53L4CD module with XSHUT", "looks down on a crane's paddle", cranes),
    ("MCP23017 module", "chip selects, button and shutdown lines of a seat", lambda plan: bool(plan["expander"])),
    ("LIS3DH module", "detects knocks; optional", lambda plan: plan["accelerometer"]),
    ("push button", "a seat's button", lambda plan: plan["button"] is not None),
    ("power supply 5 V, micro-USB plug", "the station's page gives its current", lambda _: 1),
    ("micro-USB cable with data lines", "the first flash, and the link of a wired table", lambda _: 1),
)


def parts_list() -> list[Part]:
    """Return the parts to buy, with the number for one station of each kind."""
    return [Part(name, use, {kind: int(count(plan_of(kind))) for kind in KINDS}) for name, use, count in PARTS]


def bill_of_materials() -> str:
    """Return the text of `hardware/bom.csv`."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["part", "for", *KINDS])
    for part in parts_list():
        rows.writerow([part.name, part.use, *(part.each[kind] for kind in KINDS)])
    return text.getvalue()


def with_table(page: str, name: str, table: str) -> str:
    """Return the page with the table between its marks `<!-- name -->` and `<!-- end -->`."""
    marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"the page has no marks <!-- {name} --> and <!-- end -->: put them where the table belongs")
    return marked.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", page)


def parts_of(kind: str) -> str:
    """Return the parts of one station as a table."""
    rows: list[Row] = [(part.each[kind], part.name, part.use) for part in parts_list() if part.each[kind]]
    return _table(("how many", "part", "for"), rows)


def printed(root: Path) -> dict[Path, str]:
    """Return every file that this program writes, with its text."""
    files = {Path(f"hardware/stations/{kind}.md"): guide(kind) for kind in KINDS}
    files[Path("hardware/bom.csv")] = bill_of_materials()
    page = (root / FIRST_STATION).read_text("utf-8")
    page = with_table(page, "parts", parts_of(FIRST_KIND))
    files[FIRST_STATION] = with_table(page, "wiring", wiring(plan_of(FIRST_KIND)))
    return files


if __name__ == "__main__":
    for path, text in printed(ROOT).items():
        (ROOT / path).write_text(text, "utf-8")
