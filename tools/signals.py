"""What disturbs a load cell or a tag reader, and by how much: `tools/stations.py` prints hardware/signal.md from this.

Every figure is computed from a data sheet or from the laws of wires; nobody has measured one. Each has a procedure in
hardware/NEVER-TRIED.md, which the page names.
"""

from math import pi
from typing import NamedTuple

from cable_lengths import dimensions

SUPPLY_V = 3.3
SENSITIVITY_V_PER_V = 1e-3  # of a cell at its full load
GAIN = 128
HX711_NOISE_NV = 90.0  # its data sheet: input noise at gain 128 and 80 samples a second
PERMEABILITY_OVER_2PI = 2e-7
WIRE_MM, APART_MM = 200.0, 1.0  # of the cell's own four wires: their length, and between two of them
LONG_WIRE_MM, LOOSE_MM = 800.0, 5.0  # of a longer cable that hangs loosely
MAINS_UT, MAINS_HZ = 0.1, 50.0  # beside a table in a café: assumed
RINGS_A, RINGS_HZ, RINGS_APART_MM = 0.4, 400.0, 2.0  # pins/sector.py's limit; a WS2812's pulses; their two wires
CELLS_G = (1000.0, 3000.0, 5000.0)
COIL_MM, RANGE_MM = 20.0, 50.0  # a reader's coil as a ring of this radius; how far above it a tag is read


class Disturbance(NamedTuple):
    """What disturbs, what is done about it, how much is left, and the line of NEVER-TRIED.md that shows it."""

    what: str
    against: str
    left: str
    procedure: str


def volts_per_g(capacity_g: float = CELLS_G[0]) -> float:
    """Return what a gram gives at a cell's output."""
    return SUPPLY_V * SENSITIVITY_V_PER_V / capacity_g


def counts_per_g(capacity_g: float = CELLS_G[0]) -> float:
    """Return the counts for a gram. The converter compares with the cell's own supply, so its voltage cancels out."""
    return volts_per_g(capacity_g) * GAIN / SUPPLY_V * 2**24


def noise_g(capacity_g: float = CELLS_G[0]) -> float:
    """Return the converter's own noise in grams, as a root mean square."""
    return HX711_NOISE_NV * 1e-9 / volts_per_g(capacity_g)


def induced_g(field_t: float, hz: float, wire_mm: float, apart_mm: float) -> float:
    """Return the grams that a field which swings at `hz` seems to put on a cell whose wires enclose that area."""
    return 2 * pi * hz * field_t * wire_mm * apart_mm * 1e-6 / volts_per_g()


def field_of_pair_t(at_mm: float) -> float:
    """Return the field of the rings' two wires, which carry the same current to and fro, at a distance."""
    return PERMEABILITY_OVER_2PI * RINGS_A * RINGS_APART_MM * 1e-3 / (at_mm * 1e-3) ** 2


def field_beside_coil(at_mm: float) -> float:
    """Return the field in the plane of a reader's coil, far from it, as a share of that in its middle."""
    return (COIL_MM / at_mm) ** 3 / 2


def field_above_coil(at_mm: float) -> float:
    """Return the field on the axis of a reader's coil, as a share of that in its middle."""
    return (1 + (at_mm / COIL_MM) ** 2) ** -1.5


def disturbances() -> tuple[Disturbance, ...]:
    """Return every disturbance that the design answers."""
    mains_t = MAINS_UT * 1e-6
    loose_g = induced_g(mains_t, MAINS_HZ, LONG_WIRE_MM, LOOSE_MM)
    near_g, far_g = (induced_g(field_of_pair_t(mm), RINGS_HZ, WIRE_MM, APART_MM) for mm in (10, 50))
    apart_mm = dimensions().ANTENNAS_APART
    return (
        Disturbance(
            "choice of the cell",
            f"1 kg and 1 mV/V: {counts_per_g():.0f} counts and {volts_per_g() * 1e6:.1f} uV for a gram",
            f"the HX711's own noise: {noise_g():.2f} g; with a cell of 5 kg {noise_g(CELLS_G[2]):.2f} g",
            "noise of an empty cell, in grams",
        ),
        Disturbance(
            "length of the wires to the HX711",
            f"the cell's own {WIRE_MM:.0f} mm without a joint, the module beside its base",
            f"{induced_g(mains_t, MAINS_HZ, WIRE_MM, APART_MM):.3f} g of hum; loose wires of {LONG_WIRE_MM:.0f} mm "
            f"catch {loose_g:.2f} g",
            "noise with cell wires of 200, 400 and 800 mm",
        ),
        Disturbance(
            "mains hum",
            f"the same; assumed are {MAINS_UT:g} uT at {MAINS_HZ:.0f} Hz. 80 samples a second do not filter it out",
            "as above; foil on GND if a bench shows more",
            "the same beside a mains cable and a charging phone",
        ),
        Disturbance(
            "ripple of the supply",
            "the board's regulator, and a converter that compares with the voltage that feeds the cell",
            "cancels out at first order; the rest is not known",
            "the same on a USB power bank instead of the supply: its ripple",
        ),
        Disturbance(
            "shielding",
            "none: wires close together enclose little; twist them if a bench asks for it",
            "not known",
            "the same with the cell's wires twisted, and with foil around them on GND",
        ),
        Disturbance(
            "LEDs that switch",
            "plus and minus of a ring side by side, grounds that meet at the supply alone, "
            f"{RINGS_A * 1000:.0f} mA at most, and the cell's wires 50 mm away or across",
            f"{far_g:.2f} g; at 10 mm {near_g:.2f} g",
            "the same while the rings march",
        ),
        Disturbance(
            "the neighbour's tag",
            f"one field at a time, readers {apart_mm:.0f} mm apart or more",
            f"{field_beside_coil(apart_mm):.1%} of the field in the coil's middle; a tag needs the "
            f"{field_above_coil(RANGE_MM):.1%} that are left {RANGE_MM:.0f} mm above it",
            "distance at which a neighbour's tag is read",
        ),
    )
