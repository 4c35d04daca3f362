"""Models at the level of pins, buses and frames: what a driver touches, made of Python.

They run on CPython and, unchanged, on the MicroPython VM; so there is no typing here.
"""
