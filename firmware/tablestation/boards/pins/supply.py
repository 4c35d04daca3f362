"""The supply: eleven tag readers and nothing else. Four contract columns take their places in the plan file's order."""


def _slot(spot, cs):
    return {"spot": spot, "cells": (), "cs": cs, "leds": 0, "crane": None, "alert_g": 0}


PINS = {
    "kind": "supply",
    "boards": ("pico_2_w",),
    "wifi": {"pico_2_w": 8},
    "spi": {"bus": 0, "sck": 18, "mosi": 19, "miso": 16},
    "i2c": None,
    "expander": None,
    "accelerometer": False,
    "button": None,
    "strip": None,
    "places": (
        _slot("supply/platform/0", 0),
        _slot("supply/platform/1", 1),
        _slot("supply/platform/2", 2),
        _slot("supply/contract/*", 3),
        _slot("supply/contract/*", 4),
        _slot("supply/contract/*", 5),
        _slot("supply/contract/*", 6),
        _slot("supply/landmark/0", 7),
        _slot("supply/landmark/1", 8),
        _slot("supply/landmark/2", 9),
        _slot("supply/landmark/3", 10),
    ),
}
