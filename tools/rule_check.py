"""Check each station's carrier with its cables and modules as a circuit, by the rules of SKiDL: `make carriers`.

    python tools/rule_check.py [--harness FOLDER] [<kind>.csv ...]      by default hardware/pcb and hardware/harness

The circuit is the netlist as it is printed, and at each of its connectors the cable with what hangs at the other end.
What a pin does comes from its maker; what the program makes of a free pin of the Pico or of the expander comes from
the pin plan. SKiDL knows no voltages: which rail a pin needs is checked by `carriers.misplaced`.
"""

import argparse
import contextlib
import csv
import io
import logging
import os
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import carriers
import yaml

from citytable.doctor.parts import read_parts

ROOT = Path(__file__).resolve().parents[1]
PICO, EXPANDER, SHIFTER = "raspberry-pi-pico-2-w-with-header", "mcp23017-module", "level-shifter-74ahct125"

# Raspberry Pi Pico 2 W data sheet, pinout: pins 1 to 40
PINOUT = """
    GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
    GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"""
HEADER = dict(enumerate(PINOUT.split(), 1))
HEADER_NAMES = {str(number): name for number, name in HEADER.items()}
# Texas Instruments, SN74AHCT125 data sheet, pin configuration
GATE = {"A": "INPUT", "Y": "TRISTATE", "OE": "INPUT"}

Pins = dict[str, str]
MAKERS: dict[str, Pins] = {  # every pin that a part shows to the world, by its maker, and what it does
    PICO: {str(number): "NOCONNECT" for number in HEADER}
    | {str(number): "PWRIN" for number, name in HEADER.items() if name in {"GND", "AGND", "VSYS"}}
    | {carriers.PINS_3V3: "PWROUT"},
    EXPANDER: {"VCC": "PWRIN", "GND": "PWRIN", "SDA": "OPENCOLL", "SCL": "INPUT", "RESET": "INPUT"}
    | {f"ADDR{bit}": "INPUT" for bit in range(3)}
    | {f"GP{port}{k}": "NOCONNECT" for port in "AB" for k in range(8)},
    SHIFTER: {"VCC": "PWRIN", "GND": "PWRIN"} | {f"{k}{pin}": does for k in range(1, 5) for pin, does in GATE.items()},
    "fuse-resettable-1.85a": {"1": "PWRIN", "2": "PWROUT"},  # power goes in here and out there
    "schottky-diode-1n5819": {"A": "PWRIN", "K": "PWROUT"},
    "resistor-330-ohm": {"1": "PASSIVE", "2": "PASSIVE"},
    "capacitor-1000uf": {"+": "PASSIVE", "-": "PASSIVE"},
    "dc-socket": {"+": "PWROUT", "-": "PWROUT"},
    "hx711-module": {"E+": "PWROUT", "E-": "PWROUT", "A+": "INPUT", "A-": "INPUT"}
    | {"VCC": "PWRIN", "DT": "OUTPUT", "SCK": "INPUT", "GND": "PWRIN"},
    "load-cell": {"E+": "PWRIN", "E-": "PWRIN", "A+": "OUTPUT", "A-": "OUTPUT"},
    "pn532-module": {
        "VCC": "PWRIN",
        "GND": "PWRIN",
        "SCK": "INPUT",
        "MISO": "TRISTATE",
        "MOSI": "INPUT",
        "SS": "INPUT",
    },
    "led-ring-12": {"5V": "PWRIN", "GND": "PWRIN", "DIN": "INPUT", "DOUT": "OUTPUT"},
    "lis3dh-module": {"VCC": "PWRIN", "GND": "PWRIN", "SDA": "OPENCOLL", "SCL": "INPUT"},
    "vl53l4cd-module": {"VCC": "PWRIN", "GND": "PWRIN", "SDA": "OPENCOLL", "SCL": "INPUT", "XSHUT": "INPUT"},
    "break-beam-3mm": {"VCC": "PWRIN", "GND": "PWRIN", "OUT": "OPENCOLL"},
    "push-button": {"1": "PASSIVE", "2": "PASSIVE"},
}
GROUNDS = [str(number) for number, name in HEADER.items() if name in {"GND", "AGND"}]
MAY_BE_OPEN: dict[tuple[str, str], str] = {  # a part's pins that SKiDL would name, and why they may be in no net
    **{
        (PICO, pin): "the board joins its grounds; one carries the current"
        for pin in GROUNDS
        if pin != carriers.PINS_GND
    },
    (PICO, carriers.PINS_3V3): "a station of readers alone has nothing on 3.3 V",
    **{(SHIFTER, f"{gate}Y"): "the gate is off" for gate in (2, 3, 4)},
    ("led-ring-12", "DOUT"): "the last ring hands on to none",
}


class Cable(NamedTuple):
    """A cable: its two ends as name, place (a carrier's connector, or nothing) and pins, and which pins it joins."""

    ends: tuple[tuple[str, str, list[str]], ...]
    wires: list[tuple[str, str]]


def directions(plan: dict[str, Any]) -> Pins:
    """Return what the program makes of every pin that a plan uses, by its name: GP0 to GP28, GPA0 to GPB7."""
    spi, i2c, strip = plan["spi"], plan["i2c"], plan["strip"]
    out, in_ = {spi["sck"], spi["mosi"]}, {spi["miso"]}
    out |= {strip["pin"]} if strip else set()
    in_ |= {plan["button"]} - {None}
    for place in plan["places"]:
        out |= {sck for sck, _, _ in place["cells"]} | {place["cs"]} - {None}
        in_ |= {dout for _, dout, _ in place["cells"]}
        out |= {place["crane"]["xshut"]} if place["crane"] else set()
        in_ |= {place["crane"]["beam"]} if place["crane"] else set()
    bus = {i2c["sda"], i2c["scl"]} if i2c else set()
    groups = ((out, "OUTPUT"), (in_, "INPUT"), (bus, "OPENCOLL"))
    return {f"GP{pin}": does for pins, does in groups for pin in pins}


def read_cables(folder: Path) -> dict[str, Cable]:
    """Read the harness files, by the name of the cable."""
    return {path.stem: _cable(yaml.safe_load(path.read_text("utf-8"))) for path in sorted(folder.glob("*.yml"))}


def _cable(text: dict[str, Any]) -> Cable:
    ends = {name: (*end["notes"].partition(" ")[::2], end["pinlabels"]) for name, end in text["connectors"].items()}
    (wires,) = text["connections"]
    (first, from_), _, (second, to) = (next(iter(one.items())) for one in wires)
    joined = [(ends[first][2][a - 1], ends[second][2][b - 1]) for a, b in zip(from_, to, strict=True)]
    return Cable((ends[first], ends[second]), joined)


class Judge:
    """One circuit for SKiDL, which is loaded by its caller."""

    def __init__(self, plan: dict[str, Any], cables: dict[str, Cable], rings: int) -> None:
        """Make one without parts; `rings` is the number of cables from ring to ring."""
        self._skidl = import_module("skidl")
        self._circuit = self._skidl.Circuit()
        self._circuit.no_files = True
        self._cables, self._rings = cables, rings
        self._used = directions(plan)
        self._pins: dict[tuple[str, str], Any] = {}
        self.found: list[str] = []

    def carrier(self, rows: list[dict[str, str]]) -> None:
        """Add a netlist, and what hangs at its connectors."""
        for part, is_ in {row["part"]: row["is"] for row in rows}.items():
            self._add(part, is_, self._functions(part, is_))
        for row in rows:
            net = self._circuit_net(row["net"])
            self._join(net, (row["part"], row["pin"]))
        for cable in self._cables.values():
            (module, _, _), (at, port, _) = cable.ends
            for part in sorted({row["part"] for row in rows if at == "carrier" and _is_port(row["part"], port)}):
                self._hang(f"{module} at {part}", module, part, cable.wires)

    def judge(self) -> list[str]:
        """Return what SKiDL finds, one sentence each."""
        for (_, pin), (is_, skidl_pin) in self._pins.items():
            if not skidl_pin.nets and (is_, pin) in MAY_BE_OPEN:
                self._circuit.NC += skidl_pin
        said = _Listener()
        self._skidl.erc_logger.addHandler(said)
        self._circuit.ERC()
        self._skidl.erc_logger.removeHandler(said)
        return sorted({*self.found, *said.lines})

    def _functions(self, part: str, is_: str) -> Pins:
        """Return a part's pins and what each does."""
        if is_ in MAKERS:
            names = HEADER_NAMES if is_ == PICO else {}
            return {pin: self._used.get(names.get(pin, pin), does) for pin, does in MAKERS[is_].items()}
        labels = [pins for c in self._cables.values() for at, port, pins in c.ends if _is_port(part, port)]
        return dict.fromkeys(labels[0] if labels else (), "PASSIVE")

    def _hang(self, name: str, module: str, at: str, wires: list[tuple[str, str]]) -> None:
        """Add a module at the far end of a cable, with what hangs on it in turn."""
        self._add(name, module, MAKERS[module])
        for pin, port_pin in wires:
            there = self._pins.get((at, port_pin))
            if there is None:
                self.found.append(f"{at} has no pin {port_pin}")
            elif there[1].nets:
                self._join(there[1].nets[0], (name, pin))
        if module == "hx711-module":
            self._chain(name, self._cables["cell-to-hx711"], f"load cell at {at}", forward=False)
        for k in range(self._rings if module == "led-ring-12" else 0):
            last = name if k == 0 else f"ring {k + 1}"
            self._chain(last, self._cables["ring-to-ring"], f"ring {k + 2}", forward=True)

    def _chain(self, first: str, cable: Cable, second: str, *, forward: bool) -> None:
        """Join a module to a new one that it does not share with the carrier."""
        here, there = (0, 1) if forward else (1, 0)
        self._add(second, cable.ends[there][0], MAKERS[cable.ends[there][0]])
        for wire in cable.wires:
            nets = self._pins[first, wire[here]][1].nets if (first, wire[here]) in self._pins else ()
            net = nets[0] if nets else self._circuit_net(f"{first} {wire[here]}")
            self._join(net, (first, wire[here]))
            self._join(net, (second, wire[there]))

    def _add(self, name: str, is_: str, functions: Pins) -> None:
        types, names = self._skidl.Pin.types, HEADER_NAMES if is_ == PICO else {}
        pins = [
            self._skidl.Pin(num=number, name=names.get(pin, pin), func=types[does])
            for number, (pin, does) in enumerate(functions.items(), 1)
        ]
        tool, dest = self._skidl.SKIDL, self._skidl.TEMPLATE
        part = self._skidl.Part(name=is_, tool=tool, dest=dest, pins=pins)(ref=name, circuit=self._circuit)
        numbered = {int(pin.num): pin for pin in part.pins}
        self._pins |= {(name, pin): (is_, numbered[number]) for number, pin in enumerate(functions, 1)}

    def _join(self, net: Any, node: tuple[str, str]) -> None:
        if node not in self._pins:
            self.found.append("{} has no pin {}".format(*node))
        elif net not in self._pins[node][1].nets:
            net += self._pins[node][1]

    def _circuit_net(self, name: str) -> Any:
        return self._skidl.Net.fetch(name, circuit=self._circuit)


class _Listener(logging.Handler):
    """Keeps what SKiDL says about a circuit."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(f"{record.levelname}: {record.getMessage()}")


def _is_port(part: str, letter: str) -> bool:
    return bool(letter) and part[0] == letter and part[1:2].isdigit()


@contextlib.contextmanager
def skidl_loaded() -> Iterator[None]:
    """Load SKiDL where its files vanish: it writes logs into the working folder, and its settings below the home."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        os.environ["XDG_DATA_HOME"] = folder
        os.chdir(folder)
        import_module("skidl")
        yield
        os.chdir(before)


def findings(path: Path, cables: dict[str, Cable]) -> list[str]:
    """Return what is wrong with a netlist named after its kind of station: SKiDL's findings, and misplaced pins."""
    kind = path.stem
    plan = import_module(f"tablestation.boards.pins.{kind}").PINS
    parts = {part.name: part for part in read_parts(ROOT / "hardware/bom.csv")}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    judge = Judge(plan, cables, parts["ring-to-ring"].each[kind])
    judge.carrier(rows)
    nets: carriers.Netlist = {}
    for row in rows:
        nets.setdefault(row["net"], []).append((row["part"], row["pin"]))
    return judge.judge() + carriers.misplaced(nets)


def main() -> int:
    """Print what is wrong, a line for each finding, and return 1 if something is."""
    parser = argparse.ArgumentParser(description="Check the carriers with their cables by the rules of SKiDL.")
    parser.add_argument("netlists", nargs="*", type=Path, default=sorted((ROOT / "hardware/pcb").glob("*.csv")))
    parser.add_argument("--harness", type=Path, default=ROOT / "hardware/harness")
    asked = parser.parse_args()
    cables, paths = read_cables(asked.harness.resolve()), [path.resolve() for path in asked.netlists]
    with skidl_loaded():
        found = {path: findings(path, cables) for path in paths}
    for path, lines in found.items():
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        print("\n".join(f"{name}: {line}" for line in lines or ["nothing found"]))
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
