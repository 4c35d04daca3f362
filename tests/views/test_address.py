"""The address that the hub prints is one that others can open."""

import ipaddress
import socket

import pytest

from citytable.views.address import reachable


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("table.local", "table.local"), ("::1", "[::1]")]
)
def test_an_address_that_was_given_stands_as_it_is(host, shown):
    assert reachable(host) == shown


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_every_address_becomes_one_of_this_computer(host):
    assert not ipaddress.ip_address(reachable(host)).is_unspecified


def test_without_a_network_it_is_this_computers_own(monkeypatch):
    def nowhere(*_):
        raise OSError(101, "Network is unreachable")

    class Unplugged(socket.socket):
        connect = nowhere

    monkeypatch.setattr(socket, "socket", Unplugged)
    assert reachable("0.0.0.0") == "127.0.0.1"
