"""The power and the link of every station, computed once.

`tools/stations.py` prints the figures on the builder's pages; tests hold the parts list and the harness to them.
"""

from typing import Any, NamedTuple

from tablewire.messages import encode

SUPPLY_MA = 4000  # MEAN WELL GST25E05-P1J, 5 V; the same supply for every station
FUSE_HOLD_MA = 1850  # Bourns MF-R185, data sheet: holds this at 23 degrees ...
FUSE_TRIP_MA = 3700  # ... and trips for sure at this; it has to be less than the supply can give
FUSE_OHM = 0.11  # ... and is no more than this an hour after it tripped
FUSE_DERATING = 0.75  # of the hold current at 50 degrees, inside a closed station: assumed
WIRE_MM2 = 0.5  # AWG 20, from the socket to the carrier
WIRE_M = 0.5
COPPER_OHM_MM2_M = 0.0175
CONTACT_OHM = 0.02  # socket, plug and fuse holder, each way
DIODE_MV, DIODE_MA = 450, 1000  # 1N5819, data sheet: what it loses at the board's current, and what it bears
CONTACT_MA = 3000  # JST XH, data sheet: of a contact on 0.33 mm2, ...
CONTACT_MM2 = 0.08, 0.33  # ... which is the thickest wire that goes into it; AWG 28 the thinnest
VSYS_LEAST_MV = 1800  # Pico 2 W data sheet: 1.8 to 5.5 V
LEDS_LEAST_MV = 4500  # where WS2812 begin to lose blue
RAIL_3V3_MA = 300  # what the Pico's data sheet recommends as the most from 3V3(OUT)
CAPACITOR_UF = 1000
RISE_MS = 10  # of a supply that is plugged into the mains last: the fastest, assumed
SPARK_MS = 1  # a live supply fills the capacitor in less: three times its product with every resistance above

SIGNAL_MV = 3300  # of every driver of a link: into what it drives, that is the most it can draw
USB_PULL_UP_OHM = 1500  # of a full-speed port; the cable is not terminated
RS485_OHM = 54  # two terminations of 120 Ohm and the inputs of all stations: the load of its standard
CAN_OHM = 60  # two terminations of 120 Ohm

SAMPLES_PER_S = 93  # the fastest HX711 that was measured
BATCH = 8
LINK_RESERVE = 2
BOUGHT = "none: cables are bought"
CRIMPED = "2 wires at each station"


class Power(NamedTuple):
    """The way of the current of one station: milliamperes, millivolts at its consumers.

    Its capacitor takes `inrush_ma` when the mains come last, and less than `spark_ma` when the live supply's plug does.
    """

    total_ma: float
    rail_3v3_ma: float
    drop_mv: float
    leds_mv: float
    vsys_mv: float
    inrush_ma: float
    spark_ma: float
    diode_ma: float


class Link(NamedTuple):
    """One way to wire all stations to the hub."""

    name: str
    wires: int
    bits_per_s: float
    bits_needed_per_s: float
    sending_ma: float
    delay_ms: float
    eur_per_station: float
    crimps: str

    @property
    def is_enough(self) -> bool:
        """Report whether it carries the largest traffic with a reserve."""
        return self.bits_per_s >= LINK_RESERVE * self.bits_needed_per_s


def power_of(total_ma: float, rail_3v3_ma: float, board_ma: float, leds: int) -> Power:
    """Return the way of the current of a station that draws so much, of which its board takes `board_ma` itself."""
    wire_ohm = 2 * WIRE_M * COPPER_OHM_MM2_M / WIRE_MM2
    drop_mv = total_ma * (wire_ohm + 2 * CONTACT_OHM + FUSE_OHM)
    inrush_ma = CAPACITOR_UF * 5 / RISE_MS if leds else 0.0
    spark_ma = 5000 / (wire_ohm + 2 * CONTACT_OHM) if leds else 0.0  # as if a fuse had no resistance
    leds_mv = 5000 - drop_mv
    vsys_mv, diode_ma = leds_mv - DIODE_MV, rail_3v3_ma + board_ma
    return Power(total_ma, rail_3v3_ma, drop_mv, leds_mv, vsys_mv, inrush_ma, spark_ma, diode_ma)


def brown_out_mv(way: Power) -> float:
    """Return down to which voltage at the socket a station's board runs on."""
    return VSYS_LEAST_MV + DIODE_MV + way.drop_mv


def cell_bits_per_s() -> float:
    """Return what one moving load cell sends, in bits a second, with the largest numbers it can."""
    clock = [2**20, 2**30 - 1]
    message: dict[str, Any] = {"type": "samples", "boot": 2**30 - 1, "sample_seq": 2**24, "spot": "seat/4/pad/2"}
    message |= {"cell": 2, "at": clock, "dt_us": [12_500] * (BATCH - 1), "counts": [-8_388_608] * BATCH, "lost": 0}
    topic = len("citytable/1/") + 32 + 32 + len("/samples") + 10  # and the header of its packet
    return (len(encode(message)) + topic) * 8 * SAMPLES_PER_S / BATCH


def links(cells_of: list[int]) -> tuple[Link, ...]:
    """Return the three wired ways for stations with so many load cells, all of which move."""
    each = max(cells_of) * cell_bits_per_s()
    every = sum(cells_of) * cell_bits_per_s()
    turn_ms = every / 1e6 / SAMPLES_PER_S * BATCH * 1000  # a shared bus at 1 Mbit/s asks one station after the other
    return (
        Link("USB, a cable for each station", 4, 4e6, each, SIGNAL_MV / USB_PULL_UP_OHM, 1, 6, BOUGHT),
        Link("RS-485, one bus at 1 Mbit/s", 2, 0.8e6, every, SIGNAL_MV / RS485_OHM, turn_ms, 4, CRIMPED),
        Link("CAN, one bus at 1 Mbit/s", 2, 0.5e6, every, SIGNAL_MV / CAN_OHM, turn_ms * 1.6, 5, CRIMPED),
    )
