"""A sector: six hexes of the city, each with a load cell, a tag reader and a ring. 24 of 26 pins."""


def _hex(sck, dout, machine, cs):
    return {
        "spot": "city/*/*",
        "cells": ((sck, dout, machine),),
        "cs": cs,
        "leds": 12,
        "crane": None,
        "alert_g": 8,
    }


PINS = {
    "kind": "sector",
    "boards": ("pico_2_w",),
    "wifi": {"pico_2_w": 8},
    "spi": {"bus": 0, "sck": 18, "mosi": 19, "miso": 16},
    "i2c": {"bus": 1, "sda": 26, "scl": 27},
    "expander": None,
    "accelerometer": True,
    "button": None,
    "strip": {"pin": 22, "limit_ma": 400},
    "places": (
        _hex(0, 1, 0, 12),
        _hex(2, 3, 1, 13),
        _hex(4, 5, 2, 14),
        _hex(6, 7, 3, 15),
        _hex(8, 9, 5, 17),
        _hex(10, 11, 6, 20),
    ),
}
