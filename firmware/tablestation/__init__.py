"""The station program: what runs on every board of the table, real or modelled.

Written within MicroPython's limits: no dataclasses, no typing, no asyncio by name. Everything a platform differs in is
handed in (`seam.py` says what that is), so the same files run on a Pico and in `tabletwin`.
"""

FIRMWARE = "0.1.0"
