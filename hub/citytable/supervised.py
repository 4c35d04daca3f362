"""Report to systemd that the hub is ready and alive (sd_notify(3)): one datagram each, to the socket it names."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

USUAL_S = 1.0


def _send(text: bytes) -> None:
    """Send a datagram, or drop it: a supervisor that reads nothing, or is gone, must not hold the hub up."""
    address = os.environ["NOTIFY_SOCKET"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, suppress(OSError):
        line.setblocking(False)
        line.connect("\0" + address[1:] if address.startswith("@") else address)
        line.send(text)


async def _ping(is_alive: Callable[[], bool], every_s: float) -> None:
    while True:
        if is_alive():
            _send(b"WATCHDOG=1")
        await asyncio.sleep(every_s)


@asynccontextmanager
async def supervised(is_alive: Callable[[], bool], goes_on: Callable[[], bool] = lambda: False) -> AsyncIterator[None]:
    """Tell systemd that the hub is ready and, while inside, alive; does nothing without supervision.

    systemd restarts the hub if it has not heard from it for `WatchdogSec=`; the hub reports three times in this period.
    It also reports that the hub stops, unless it `goes_on` in this process.
    """
    if "NOTIFY_SOCKET" not in os.environ:
        yield
        return
    every_s = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6 / 3 or USUAL_S
    _send(b"READY=1")
    pinging = asyncio.create_task(_ping(is_alive, every_s), name="watchdog")
    try:
        yield
    finally:
        pinging.cancel()
        await asyncio.gather(pinging, return_exceptions=True)
        if not goes_on():
            _send(b"STOPPING=1")
