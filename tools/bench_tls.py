"""What TLS to the broker costs a board, on MicroPython's unix port beside connections without TLS in the same run.

Times are of this machine's processor. Memory is that of a system with 64 bits, which is an upper bound for a board: its
pointers are half as long. There the TLS library takes all of it from MicroPython's own heap (docs/decisions/0065).
"""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from citytable.link.broker import find_mosquitto, running_broker, station_listener
from citytable.link.credentials import NEWCOMER_USER, Credentials

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "tests/micropython/on_unix/handshake.py"
# the memory of libraries grows by what they ask for, and never shrinks: so its end shows the most there was
GROWS_ONLY = {"MALLOC_TOP_PAD_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def measured(micropython: str, folder: Path) -> dict[str, Any]:
    """Return what the program on MicroPython measured at a broker with a door of each kind."""
    certificate, key = folder / "tls/citytable.crt", folder / "tls/citytable.key"
    logins, port = Credentials(folder / "broker", "bench"), _free_port()
    logins.prepare()
    async with running_broker(stations=station_listener(f"127.0.0.1:{port}", logins, certificate, key)) as broker:
        words = (PROGRAM, ROOT / "firmware", certificate.with_suffix(".der"), broker.port, port)
        process = await asyncio.create_subprocess_exec(
            *(micropython, *map(str, words), logins.login(NEWCOMER_USER)),
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | GROWS_ONLY,
        )
        said, _ = await process.communicate()
    told: dict[str, Any] = json.loads(said)
    return told


def printed(told: dict[str, Any]) -> None:
    """Print the figures."""
    plain, tls = told["plain"], told["tls"]
    kept = tls["kept_bytes"] + tls["heap_bytes"]
    print(f"memory: the certificate and what comes with it {told['context_bytes'] / 1000:.1f} kB, once;")
    print(f"  a connection keeps {kept / 1000:.1f} kB (without TLS {plain['heap_bytes'] / 1000:.1f});")
    print(f"  the most, while it begins, {tls['peak_bytes'] / 1000:.1f} kB")
    print(f"until the broker answers a login: {tls['us'] / 1000:.1f} ms = {tls['us'] / plain['us']:.0f} times plain")
    longest_us = tls["longest_call_us"]
    rounds = longest_us / told["empty_us"]
    print(f"longest call of the library: {longest_us / 1000:.1f} ms = {rounds:,.0f} rounds of an empty loop")


def main() -> None:
    """Measure and print, or say what is missing."""
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent))
    if micropython is None or find_mosquitto() is None:
        print("MicroPython's unix port (Linux on x86-64 only) or mosquitto is missing on this machine")
        return
    with tempfile.TemporaryDirectory(prefix="citytable-bench-") as folder:
        script = ROOT / "hub/deploy/certificate.sh"
        subprocess.run(["sh", script, Path(folder) / "tls", "127.0.0.1"], check=True, capture_output=True)
        printed(asyncio.run(measured(micropython, Path(folder))))


if __name__ == "__main__":
    main()
