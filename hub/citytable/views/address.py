"""The address under which others open the pages."""

import socket

import msgspec

LOOPBACK = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # these addresses mean: listen in every network
_ELSEWHERE = ("192.0.2.1", 9)  # kept free for documents; nothing is sent there


class At(msgspec.Struct, frozen=True):
    """The address that the pages are served at; port 0 takes any free one. `names` are those a proxy gives the hub."""

    host: str
    port: int = 0
    names: tuple[str, ...] = ()


def reachable(host: str) -> str:
    """Return the address for links: the one listened on or, if that is every address, this computer's own.

    That is `LOOPBACK` while there is no network; then only this computer can connect.
    """
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # only chooses the way there, and with it the address
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])
