"""Where the cables of a wired table end: USB ports, mains sockets, and how long a USB cable has to be.

`tools/stations.py` prints the figures in the budget; tests hold the parts list to them.
"""

from collections.abc import Iterable
from math import ceil, dist
from typing import Any, NamedTuple

import cable_lengths
import carrier_picture

from citytable.doctor.parts import full_table, starter_table

HUB_PORTS, PI_PORTS, STRIP_SOCKETS = 10, 4, 8
USB_CABLE_MM = 2000
USB_MOST_MM = 5000  # full speed: the standard's longest cable
STATIONS = ("sector", "park", "seat", "supply")


class Ends(NamedTuple):
    """What a table needs: stations, which of them hang on the USB hub and on the Pi itself, sockets, and strips."""

    stations: int
    on_hub: int
    on_pi: int
    sockets: int
    strips: int
    hubs: int


def ends(owners: dict[str, int]) -> Ends:
    """Return what a wired table of these owners needs; the hub takes a port of the Pi, and a socket of its own."""
    stations = sum(owners.get(kind, 0) for kind in STATIONS)
    hubs = 0 if stations <= PI_PORTS else ceil((stations - PI_PORTS) / (HUB_PORTS - 1))
    on_hub = min(stations, hubs * HUB_PORTS)
    sockets = stations + 1 + hubs  # the Pi, and the USB hub
    return Ends(stations, on_hub, stations - on_hub, sockets, ceil(sockets / STRIP_SOCKETS), hubs)


def rows() -> list[tuple[object, ...]]:
    """Return the table of the budget."""
    tables = [("starter table", n, starter_table(n)) for n in (2, 3, 4)] + [
        ("whole table", n, full_table(n)) for n in (2, 3, 4)
    ]
    found: list[tuple[object, ...]] = []
    for name, seats, owners in tables:
        one = ends(owners)
        left = PI_PORTS - one.hubs - one.on_pi
        found.append((name, seats, one.stations, one.on_hub, one.on_pi, left, one.sockets, one.strips))
    return found


HEAD = (
    "table",
    "seats",
    "stations",
    "on the USB hub",
    "on the Pi itself",
    "ports left at the Pi",
    "mains sockets",
    "strips of 8",
)


def usb_mm(kind: str) -> float:
    """Return the longest way of a USB cable: below the table's floor to the Pi and the USB hub, beside one of its feet.

    They lie below the rim. A seat or the supply may stand at the other side of the table, a sector may be there too.
    """
    d = cable_lengths.dimensions()
    rim = d.PITCH * (d.RADIUS + 0.5) * 2 / 3**0.5 + d.FRAME_RIM
    board = max(carrier_picture.BOARD_MM)
    down = d.FOOT[1] + cable_lengths.SLACK_MM
    return (
        {"sector": _of_sector, "park": _of_park, "seat": _of_seat, "supply": _of_supply}[kind](d, rim)
        + board / 2
        + down
    )


def _of_sector(d: Any, rim: float) -> float:
    return rim + float(dist((0.0, 0.0), d.sector_middle()))


def _of_park(_: Any, rim: float) -> float:
    return rim


def _of_seat(d: Any, rim: float) -> float:
    left, right, _, back = d.SEAT
    return 2 * rim + float(dist(d.SEAT_BOARD_AT, ((left + right) / 2, back)))


def _of_supply(d: Any, rim: float) -> float:
    _, _, front, _ = d.SUPPLY
    return 2 * rim + float(dist(d.SUPPLY_BOARD_AT, (0.0, front)))


def figures(kinds: Iterable[str]) -> dict[str, object]:
    """Return the figures of the budget's text."""
    ways = [f"{ceil(usb_mm(kind) / 10) / 100:.2f} m from a {kind}" for kind in kinds]
    return {
        "hub_ports": HUB_PORTS,
        "pi_ports": PI_PORTS,
        "usb_most": USB_MOST_MM / 1000,
        "usb": USB_CABLE_MM / 1000,
        "ways": ", ".join(ways),
    }
