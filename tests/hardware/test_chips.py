"""Carriers, cables and pages are right by the makers' own tables, which are written down here and come from no plan.

The other tests compare what is made of one pin plan with another that is made of the same; a slip in the plan, or in
the program that makes both, would be in both. Each table below names its source.
"""

import re

import pytest
import yaml

# Raspberry Pi Pico 2 W data sheet, pinout (the same as Pico W's): pins 1 to 40
PINOUT = """
    GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
    GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"""
HEADER = PINOUT.split()
# RP2040 data sheet, section 1.4.3, and RP2350 data sheet, section 9.4: functions F1 (SPI) and F3 (I2C) of GPIO0 to 28
SPI = {gpio: (gpio // 8 % 2, ("MISO", "SS", "SCK", "MOSI")[gpio % 4]) for gpio in range(29)}  # RX, CSn, SCK, TX
I2C = {gpio: (gpio // 2 % 2, ("SDA", "SCL")[gpio % 2]) for gpio in range(29)}
# Texas Instruments, SN74AHCT125 data sheet, pin configuration; an output is on while its OE is low
GATE_PINS = "1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC"
GATES = dict(enumerate(GATE_PINS.split(), 1))
# Microchip, MCP23017 data sheet, section 3.2: 0100 A2 A1 A0
EXPANDER_BASE = 0x20
PLUS, MINUS = {"VCC", "5V", "+", "E+"}, {"GND", "-", "E-"}


@pytest.fixture
def nets(carriers, pins):
    """The netlist of a kind's carrier."""
    return carriers.netlist(pins)


@pytest.fixture
def net_of(nets):
    """`net_of(part, pin)`: the net of a pin."""
    return lambda part, pin: next((net for net, nodes in nets.items() if (part, pin) in nodes), None)


def _gpio(nets, net):
    """Return the GPIO of the board's pin on a net, by the board's own table."""
    (pin,) = (pin for part, pin in nets[net] if part == "U1")
    return int(HEADER[int(pin) - 1].removeprefix("GP"))


def test_every_pin_of_the_board_has_the_name_of_its_net(nets):
    for net, nodes in nets.items():
        for pin in (pin for part, pin in nodes if part == "U1"):
            assert HEADER[int(pin) - 1] == net, f"pin {pin} of U1"


def test_the_rule_check_knows_the_boards_and_the_gates_pins_by_these_tables(rules):
    assert dict(enumerate(HEADER, 1)) == rules.HEADER
    assert set(rules.MAKERS[rules.SHIFTER]) == set(GATES.values())


def test_the_signals_of_readers_are_on_pins_that_have_these_functions(nets, pins):
    buses = set()
    for net, nodes in nets.items():
        for part, pin in nodes:
            if part[0] == "R" and part[1].isdigit() and pin in {"MISO", "SCK", "MOSI"}:
                bus, function = SPI[_gpio(nets, net)]
                assert function == pin, f"{part} pin {pin} is on {net}, which is {function}"
                buses.add(bus)
    assert buses == {pins["spi"]["bus"]}


def test_the_signals_of_i2c_are_on_pins_that_have_these_functions(nets, pins):
    buses = set()
    for net, nodes in nets.items():
        for part, pin in nodes:
            if pin in {"SDA", "SCL"}:
                bus, function = I2C[_gpio(nets, net)]
                assert function == pin, f"{part} pin {pin} is on {net}, which is {function}"
                buses.add(bus)
    assert buses == ({pins["i2c"]["bus"]} if pins["i2c"] else set())


def test_current_flows_through_the_diode_from_the_fuse_to_the_board(net_of):
    """A diode conducts from its anode to its cathode, the end with the ring."""
    assert net_of("D1", "A") == net_of("F1", "2") == "5V"
    assert net_of("D1", "K") == net_of("U1", str(HEADER.index("VSYS") + 1))
    assert net_of("F1", "1") == net_of("P1", "+") != net_of("F1", "2")


def test_what_has_a_plus_has_it_at_the_plus(nets):
    for net, nodes in nets.items():
        for part, pin in nodes:
            if part[0] != "U" and part != "D1":
                assert pin not in PLUS or net in {"SUPPLY", "5V", "3V3"}, f"{part} pin {pin} is on {net}"
                assert pin not in MINUS or net == "GND", f"{part} pin {pin} is on {net}"


def test_the_first_gate_alone_is_on_and_no_input_floats(net_of, pins):
    if not pins["strip"]:
        return
    assert net_of("U2", "1OE") == net_of("U2", "GND") == "GND"
    assert [net_of("U2", f"{gate}OE") for gate in "234"] == [net_of("U2", "VCC")] * 3 == ["5V"] * 3
    assert None not in {net_of("U2", f"{gate}A") for gate in "1234"}
    assert net_of("U2", "1A") == f"GP{pins['strip']['pin']}"
    assert net_of("U2", "1Y") == net_of("RL1", "1")
    assert net_of("RL1", "2") == net_of("L1", "DIN")


def test_the_address_of_the_expander_is_the_one_that_its_pins_give(net_of, pins):
    if not pins["expander"]:
        return
    bits = [{"GND": 0, "3V3": 1}[net_of("U3", f"ADDR{k}")] for k in range(3)]
    assert pins["expander"]["address"] == EXPANDER_BASE + sum(bit << k for k, bit in enumerate(bits))
    assert net_of("U3", "RESET") == net_of("U3", "VCC"), "a low RESET holds it down"


def test_the_guide_numbers_the_gates_pins_as_their_maker_does(root, pins):
    text = (root / f"hardware/stations/{pins['kind']}.md").read_text("utf-8")
    told = re.search(r"U2 has the pins ([^.]+)\.", text.replace("\n", " "))
    if not pins["strip"]:
        assert told is None
        return
    named = dict(one.split() for one in told[1].split(", "))
    assert {GATES[int(number)]: name for name, number in named.items()} == {name: name for name in named}
    assert set(named) == {"VCC", "GND", "1Y", *(f"{gate}{pin}" for gate in "1234" for pin in ("OE", "A"))}


def test_the_page_of_a_station_numbers_the_boards_pins_as_their_maker_does(root, pins):
    text = (root / f"hardware/stations/{pins['kind']}.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (GP\d+|3V3\(OUT\)|GND|VSYS|VBUS) \|", text, re.MULTILINE)
    assert {"GND", "VSYS", "VBUS"} <= {name for _, name in rows}
    assert [(number, name.removesuffix("(OUT)")) for number, name in rows] == [
        (number, HEADER[int(number) - 1]) for number, _ in rows
    ]


def test_red_is_plus_and_black_is_minus_in_every_cable(root):
    for path in (root / "hardware/harness").glob("*.yml"):
        cable = yaml.safe_load(path.read_text())
        (cord,) = cable["cables"].values()
        for end in cable["connectors"].values():
            colours = dict(zip(end["pinlabels"], cord["colors"], strict=True))
            for pin, colour in colours.items():
                if path.stem != "button-to-carrier":
                    assert (pin in PLUS) == (colour == "RD"), f"{path.stem}: {pin} is {colour}"
                    assert (pin in MINUS) == (colour == "BK"), f"{path.stem}: {pin} is {colour}"


def test_the_housings_have_their_power_where_the_drawn_boards_have_it(carriers):
    """The order of an XH housing is in cables, drawings and guides: power first, so that a slip is seen."""
    for port, labels in carriers.PORTS.items():
        if port != "B":
            assert labels[0] in PLUS, port
            assert labels[1] in MINUS or (port == "C" and labels[-1] in MINUS), port
