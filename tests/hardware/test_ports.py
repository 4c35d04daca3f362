"""Every cable of a wired table ends in a port or a socket, and the list, the pages and the budget count the same."""

import re

import pytest

from citytable.doctor.parts import bill, full_table, starter_table

TABLES = [(make, seats) for make in (full_table, starter_table) for seats in (2, 3, 4)]


@pytest.fixture(scope="module")
def ports(load_tool):
    """tools/ports.py."""
    return load_tool("ports")


@pytest.fixture(params=TABLES, ids=lambda one: f"{one[0].__name__}-{one[1]}")
def table(request, parts):
    """A table's owners, and the numbers of its bill by part."""
    make, seats = request.param
    owners = make(seats)
    return owners, {line.part.name: line.number for line in bill(tuple(parts.values()), owners)}


def test_every_station_has_a_usb_port_and_a_cable(ports, table):
    owners, numbers = table
    hubs, stations = numbers.get("usb-hub-powered-10", 0), numbers["raspberry-pi-pico-2-w-with-header"]
    free = hubs * ports.HUB_PORTS + numbers["raspberry-pi-5"] * ports.PI_PORTS - hubs
    assert stations == numbers["usb-cable-micro"] <= free
    needed = ports.ends(owners)
    assert (needed.stations, needed.hubs) == (stations, hubs)
    assert needed.on_hub + needed.on_pi == stations
    assert needed.on_pi + hubs <= ports.PI_PORTS


def test_every_plug_of_the_mains_has_a_socket(ports, table):
    owners, numbers = table
    plugs = numbers["supply-5v-4a"] + numbers["supply-raspberry-pi-27w"] + numbers.get("usb-hub-powered-10", 0)
    assert plugs == ports.ends(owners).sockets <= numbers["mains-strip-8"] * ports.STRIP_SOCKETS
    assert numbers["mains-strip-8"] == ports.ends(owners).strips


def test_one_port_too_few_would_be_noticed(ports, monkeypatch):
    assert ports.ends(full_table(4)).hubs == 1
    monkeypatch.setattr(ports, "HUB_PORTS", 8)
    assert ports.ends(full_table(4)).hubs == 2


def test_the_list_names_the_ports_that_are_counted(ports, parts):
    assert f"usb-hub-powered-{ports.HUB_PORTS}" in parts
    assert f"mains-strip-{ports.STRIP_SOCKETS}" in parts
    assert "four USB ports" in parts["raspberry-pi-5"].note


def test_a_usb_cable_reaches_the_hub_from_every_station(ports, parts, kind):
    assert ports.usb_mm(kind) < ports.USB_CABLE_MM < ports.USB_MOST_MM
    assert f"{ports.USB_CABLE_MM / 1000:g} m" in parts["usb-cable-micro"].note
    assert f"{ports.USB_CABLE_MM / 1000:g} m" in parts["usb-cable-micro"].sources[0]


def test_the_pages_say_how_many_go_into_hub_and_pi(root, ports):
    for path in ("hardware/DECISIONS.md", "hardware/NEVER-TRIED.md", "docs/howto/build-the-table.md"):
        page = " ".join((root / path).read_text("utf-8").split())
        assert re.search(r"\b[Tt]en (stations |go )", page), path
        assert "on one powered hub, all" not in page, "two of twelve stations have no port there"
    most = ports.ends(full_table(4))
    assert (most.on_hub, most.on_pi, most.sockets, most.strips) == (10, 2, 14, 2)
    assert ports.ends(full_table(2)).sockets == 12
    page = (root / "docs/howto/build-the-table.md").read_text("utf-8")
    assert "twelve to fourteen, on two strips of eight" in page
