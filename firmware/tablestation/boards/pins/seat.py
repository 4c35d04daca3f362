"""A seat: three build pads, three card slots, the bag, the button. All 26 pins, ten PIO machines: a Pico 2 W only.

Chip selects, the button, the shutdown lines of the cranes' sensors and their beams are slow enough for an expander on
I2C. GPA7 and GPB7 stay free: Microchip's data sheet allows them as outputs only.
"""


def _pad(k, cells, cs, xshut, address, beam):
    crane = {"chip": "VL53L4CD", "xshut": xshut, "address": address, "beam": beam}
    return {
        "spot": "seat/*/pad/{}".format(k),
        "cells": cells,
        "cs": cs,
        "leds": 12,
        "crane": crane,
        "alert_g": 8,
    }


def _card(k, cs):
    return {"spot": "seat/*/card/{}".format(k), "cells": (), "cs": cs, "leds": 0, "crane": None, "alert_g": 0}


PINS = {
    "kind": "seat",
    "boards": ("pico_2_w",),
    "wifi": {"pico_2_w": 8},
    "spi": {"bus": 0, "sck": 18, "mosi": 19, "miso": 16},
    "i2c": {"bus": 0, "sda": 20, "scl": 21},
    "expander": {"address": 0x20},
    "accelerometer": True,
    "button": "B0",
    "strip": {"pin": 22, "limit_ma": 400},
    "places": (
        _pad(0, ((0, 1, 0), (2, 3, 1), (4, 5, 2)), "A0", "B1", 0x30, "B4"),
        _pad(1, ((6, 7, 3), (8, 9, 4), (10, 11, 5)), "A1", "B2", 0x31, "B5"),
        _pad(2, ((12, 13, 6), (14, 15, 7), (26, 27, 9)), "A2", "B3", 0x32, "B6"),
        _card(0, "A3"),
        _card(1, "A4"),
        _card(2, "A5"),
        {"spot": "seat/*/bag", "cells": ((17, 28, 10),), "cs": "A6", "leds": 0, "crane": None, "alert_g": 0},
    ),
}
