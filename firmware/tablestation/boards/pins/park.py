"""Central Park: one hex, wired like the first of a sector."""

PINS = {
    "kind": "park",
    "boards": ("pico_2_w",),
    "wifi": {"pico_2_w": 8},
    "spi": {"bus": 0, "sck": 18, "mosi": 19, "miso": 16},
    "i2c": {"bus": 1, "sda": 26, "scl": 27},
    "expander": None,
    "accelerometer": True,
    "button": None,
    "strip": {"pin": 22, "limit_ma": 400},
    "places": ({"spot": "city/0/0", "cells": ((0, 1, 0),), "cs": 12, "leds": 12, "crane": None, "alert_g": 8},),
}
