"""Sockets that block, over the runner's: as much of MicroPython's module as a simple client uses. One connection."""

from binascii import hexlify, unhexlify
from errno import ECONNREFUSED, ECONNRESET, ETIMEDOUT

import host_socket

_TIMED_OUT = -1


def getaddrinfo(host, port):
    """One answer, in the shape of many."""
    return [(0, 0, 0, "", (host, port))]


class socket:  # noqa: N801 (MicroPython's name)
    """A TCP socket. The timeout is in seconds; without one a call waits for ever."""

    def __init__(self):
        self._timeout_ms = 0

    def settimeout(self, s):
        """For every call from now on."""
        self._timeout_ms = 0 if s is None else int(1000 * s)

    def connect(self, address):
        """Or OSError."""
        self._checked(host_socket.connect(address[0], address[1], self._timeout_ms), ECONNREFUSED)

    def write(self, data):
        """All of it."""
        self._checked(host_socket.send(hexlify(data).decode(), self._timeout_ms), ECONNRESET)
        return len(data)

    def read(self, n):
        """n bytes, fewer at the end."""
        data = b""
        while len(data) < n:
            more = host_socket.receive(n - len(data), self._timeout_ms)
            if isinstance(more, int):
                self._checked(more, ECONNRESET)
            if not more:
                break
            data += unhexlify(more)
        return data

    def close(self):
        """No more."""
        host_socket.close()

    def _checked(self, result, error):
        if result < 0:
            raise OSError(ETIMEDOUT if result == _TIMED_OUT else error)
