"""The pin plans fit the chips: pins, their second functions, PIO machines and memory, and what the table wants."""

from collections import Counter

import pytest

from tablestation.boards.pins import fits, places
from tablestation.boards.pins.park import PINS as PARK
from tablestation.boards.pins.seat import PINS as SEAT
from tablestation.drivers import hx711_pio, lis3dh
from tablestation.light import DARK_UA, STEP_UA
from tabletwin.chips.clock import Clock
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2

HEADER_PINS = {*range(23), 26, 27, 28}  # GP23-25 and GP29 belong to the Wi-Fi chip
PIO_BLOCKS = {"pico_w": 2, "pico_2_w": 3}
PIO_MEMORY = 32  # instructions a block
WIFI_INSTRUCTIONS = 6  # pico-sdk, cyw43_bus_pio_spi.pio, spi_gap01_sample0
EXPANDER_PINS = {port + str(k) for port in "AB" for k in range(8)}
OUTPUTS_ONLY = {"A7", "B7"}  # Microchip, MCP23017 data sheet
VL53_AT_START = 0x29

# RP2040 data sheet, table 2 of section 1.4.3; RP2350 data sheet, section 9.4: the same for these two peripherals
SPI_RX = {0: (0, 4, 16, 20), 1: (8, 12, 28)}
SPI_SCK = {0: (2, 6, 18, 22), 1: (10, 14, 26)}
SPI_TX = {0: (3, 7, 19), 1: (11, 15, 27)}
I2C_SDA = {0: (0, 4, 8, 12, 16, 20, 28), 1: (2, 6, 10, 14, 18, 22, 26)}
I2C_SCL = {0: (1, 5, 9, 13, 17, 21), 1: (3, 7, 11, 15, 19, 27)}


def _machines(pins):
    return [machine for place in pins["places"] for _, _, machine in place["cells"]]


def _station_plans(table, kind):
    return [station for station in table.stations if station.kind == kind]


def test_every_pin_carries_one_thing(stations, pins):
    shared = {pin: what for pin, what in stations.wires(pins).items() if len(what) > 1}
    assert shared == {}


def test_only_free_pins_of_the_header_are_used(stations, pins):
    assert {pin for pin in stations.wires(pins) if isinstance(pin, int)} <= HEADER_PINS


def test_pins_of_the_expander_exist_and_are_only_used_where_there_is_one(stations, pins):
    used = {pin for pin in stations.wires(pins) if isinstance(pin, str)}
    assert used <= (EXPANDER_PINS if pins["expander"] else set())
    assert pins["button"] not in OUTPUTS_ONLY


def test_spi_is_on_pins_that_can_do_spi(pins):
    spi = pins["spi"]
    assert spi["miso"] in SPI_RX[spi["bus"]]
    assert spi["sck"] in SPI_SCK[spi["bus"]]
    assert spi["mosi"] in SPI_TX[spi["bus"]]


def test_i2c_is_on_pins_that_can_do_i2c(pins):
    i2c = pins["i2c"]
    if i2c is not None:
        assert i2c["sda"] in I2C_SDA[i2c["bus"]]
        assert i2c["scl"] in I2C_SCL[i2c["bus"]]
    else:
        assert pins["expander"] is None
        assert not pins["accelerometer"]
        assert all(place["crane"] is None for place in pins["places"])


def test_no_two_chips_on_i2c_answer_to_one_address(pins):
    addresses = [place["crane"]["address"] for place in pins["places"] if place["crane"]]
    addresses += [pins["expander"]["address"]] if pins["expander"] else []
    addresses += lis3dh.ADDRESSES if pins["accelerometer"] else ()
    assert [address for address, n in Counter(addresses).items() if n > 1 or address == VL53_AT_START] == []
    assert all(0x08 <= address < 0x78 for address in addresses)


def test_every_load_cell_has_a_machine_of_its_own_on_every_board(pins):
    for board in pins["boards"]:
        used = [*_machines(pins), pins["wifi"][board]]
        assert [machine for machine, n in Counter(used).items() if n > 1] == []
        assert max(used) < 4 * PIO_BLOCKS[board]


def test_wifi_gets_the_machine_that_its_driver_takes_by_itself(pins):
    """The driver looks for a free machine from the last block down, and in it from the first machine up."""
    assert pins["wifi"] == {board: 4 * (PIO_BLOCKS[board] - 1) for board in pins["boards"]}


def test_the_programs_of_every_pio_block_fit_its_memory(pins):
    """A block's machines share one copy of a program; MicroPython loads it once into each block that uses it."""
    reader = len(hx711_pio.assemble(Rp2(Wires(Clock()))).instructions)
    for board in pins["boards"]:
        for block in range(PIO_BLOCKS[board]):
            needed = reader if any(machine // 4 == block for machine in _machines(pins)) else 0
            needed += WIFI_INSTRUCTIONS if pins["wifi"][board] // 4 == block else 0
            assert needed <= PIO_MEMORY


def test_a_seat_needs_the_larger_board_and_one_kind_of_board_is_enough_for_the_table(pins):
    assert len(_machines(SEAT)) + 1 > 4 * PIO_BLOCKS["pico_w"]
    assert pins["boards"] == ("pico_2_w",)


def test_the_table_finds_on_the_board_what_its_plan_says(full_table, kind, pins):
    stations = _station_plans(full_table, kind)
    assert stations
    for station in stations:
        found = places(pins, [spot.spot for spot in station.spots])
        for spot, place in zip(station.spots, found, strict=True):
            assert (len(place["cells"]), place["cs"] is not None, place["leds"], place["crane"] is not None) == (
                len(spot.cells),
                spot.reader,
                spot.ring_leds,
                spot.crane_zero_mm is not None,
            ), f"{station.station} {spot.spot}"
            assert (place["crane"] is not None and "beam" in place["crane"]) == spot.crane_beam
        assert (station.button_seat is not None) == (pins["button"] is not None)
        assert station.accelerometer == pins["accelerometer"]
        assert len(found) == len(pins["places"]), "a place of the board is left over"


def test_a_table_with_fewer_spots_keeps_their_places(full_table):
    found = places(SEAT, ["seat/3/bag", "seat/3/pad/2"])
    assert [place["spot"] for place in found] == ["seat/*/bag", "seat/*/pad/2"]


def test_a_spot_too_many_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match="spot city/0/0 has no place on a park station, which has city/0/0"):
        places(PARK, ["city/0/0", "city/0/0"])


@pytest.mark.parametrize(
    ("pattern", "spot", "does"),
    [
        ("city/*/*", "city/-1/2", True),
        ("city/*/*", "seat/1/bag", False),
        ("seat/*/pad/0", "seat/4/pad/0", True),
        ("seat/*/pad/0", "seat/4/pad/1", False),
        ("seat/*/pad/0", "seat/4/pad", False),
    ],
)
def test_a_pattern_fits_names(pattern, spot, does):
    assert fits(pattern, spot) is does


def test_a_strip_may_draw_more_than_it_draws_dark(pins):
    if pins["strip"] is None:
        assert all(place["leds"] == 0 for place in pins["places"])
        return
    leds = sum(place["leds"] for place in pins["places"])
    dark_ma = leds * DARK_UA / 1000
    one_channel_at_a_tenth_ma = leds * 25 * STEP_UA / 1000
    assert dark_ma + one_channel_at_a_tenth_ma < pins["strip"]["limit_ma"]
