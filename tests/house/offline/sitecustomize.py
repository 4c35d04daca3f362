"""Makes a Python of a machine without a network: on its PYTHONPATH, only the loopback can be reached."""

import errno
import ipaddress
import socket

_connect = socket.socket.connect


def _offline(self, address):
    if isinstance(address, tuple) and not ipaddress.ip_address(address[0]).is_loopback:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")
    return _connect(self, address)


socket.socket.connect = _offline
