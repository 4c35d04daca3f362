"""The station program, which runs on every board of the table, real or modelled.

It keeps to MicroPython's limits: no dataclasses, no typing, no asyncio by name. Everything that differs between
platforms is passed in (`seam.py` defines it), so the same files run on a Pico and in `tabletwin`.
"""

FIRMWARE = "0.2.0"
