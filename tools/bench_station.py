"""How long the station program takes, on the real MicroPython VM beside an empty loop of the same VM, and how long its
samples stand still when the broker dies, beside a station written as they are written first.

Microseconds are of this machine's processor; a board's are in proportion to its own empty loop. Times of the start are
virtual: they count what program and chips wait for, not what is computed. Pauses are of the clock on the wall, at a
real mosquitto; what else the machine does lengthens both columns.
"""

import asyncio
import importlib.util
import socket
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from citytable.doctor.bundle import build_bundle, compiled, program_files
from citytable.link.broker import find_mosquitto

ROOM = Path(__file__).resolve().parents[1] / "tests/micropython"
MEASURE = "import asyncio, stopwatch\nawait asyncio.create_task(stopwatch.measure())"
OURS = """
import asyncio
from linked import seat_over_mqtt
async def main():
    await seat_over_mqtt({port}, "seat-2", 200).run()
await asyncio.create_task(main())
"""
NAIVE = "import naive\nnaive.station('seat-3', {port}, 200, 5)"
POLLS_MS = 4
QUIET_LINES, DEAD_S, LINES_AFTER = 12, 4.0, 4


def the_vm() -> ModuleType:
    """What the tests run the VM with."""
    spec = importlib.util.spec_from_file_location("micropython_room", ROOM / "conftest.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{ROOM}/conftest.py is missing: get the whole repository")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def compute(room: ModuleType) -> None:
    """What computing costs."""
    for version in room.VERSIONS:
        said: dict[str, Any] = room.Vm(version).run(MEASURE).reported[-1]
        empty_us = said["empty"]
        print(f"MicroPython {version}: empty loop {empty_us:.3f} us a round")
        for cells in sorted(map(int, said["sampling"])):
            us, rate = said["sampling"][str(cells)], said["sustained"][str(cells)]
            print(
                f"  {cells:>2} cells: gate and watch {us:5.2f} us a sample = {us / empty_us:5.1f} rounds of the loop;"
                f" the whole station sustains {rate:,.0f} samples/s"
            )
        us = said["listening"]
        print(f"  accelerometer: {us:.2f} us a measurement, of 400 a second = {us / empty_us:.1f} rounds of the loop")
        starts = ", ".join(f"{kind} {ms:.0f} ms" for kind, ms in sorted(said["start"].items()))
        print(f"  power on to a sample of every cell, virtual time: {starts}")


def sizes() -> None:
    """What goes on a board."""
    files = program_files()
    mpy = sum(len(compiled(path, name)) for name, path in files.items())
    source = sum(path.stat().st_size for path in files.values())
    bundle = build_bundle()
    print(
        f"bundle: {len(bundle.content):,} bytes, {len(files)} files, {mpy:,} of .mpy = {mpy / source:.2f} of the source"
    )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def _pauses(room: ModuleType, folder: Path, main: str, net: str) -> dict[str, tuple[float, float]]:
    """The longest pause between two looks at the cells, and the most that was computed in one, in ms."""
    broker = room.Mosquitto(folder, _free_port())
    await broker.start()
    station = room.Running(room.Vm(room.VERSIONS[-1]), main.format(port=broker.port), net=net)
    longest: dict[str, tuple[float, float]] = {}

    async def lines(n: int) -> None:
        wanted = len(station.lines) + n
        await station.sees(lambda _: len(station.lines) >= wanted)

    async def phase(name: str, first: int) -> None:
        await lines(LINES_AFTER)
        seen = station.lines[first:]
        pause_us, busy_us = (max(line[what] for line in seen) for what in ("pause_us", "busy_us"))
        longest[name] = (pause_us / 1000, busy_us / 1000)

    try:
        await station.start()
        await lines(QUIET_LINES)
        await phase("quiet", 2)
        begun = len(station.lines)
        await broker.kill()
        await asyncio.sleep(DEAD_S)
        await broker.start()
        await phase("killed", begun)
        await lines(QUIET_LINES)
        begun = len(station.lines)
        broker.freeze()
        await asyncio.sleep(DEAD_S)
        broker.thaw()
        await phase("frozen", begun)
    finally:
        broker.thaw()
        await broker.kill()
        station.process.kill()
        await station.process.wait()
    return longest


async def pauses(room: ModuleType) -> None:
    """Ours beside the naive one."""
    if find_mosquitto() is None:
        print("pauses with a broker in trouble: mosquitto is missing on this machine (tools/setup.sh system)")
        return
    with tempfile.TemporaryDirectory(prefix="citytable-bench-") as folder:
        ours = await _pauses(room, Path(folder), OURS, "streams")
        naive = await _pauses(room, Path(folder), NAIVE, "blocking")
    print(f"longest pause between two looks at the cells, which are asked for every {POLLS_MS} ms:")
    for name, (ms, busy_ms) in ours.items():
        waits_ms = naive[name][0]
        print(
            f"  broker {name:6}: {ms:5.0f} ms (computing {busy_ms:.0f}); naive client {waits_ms:5.0f} ms"
            f" = {waits_ms / ms:.1f} times"
        )


def main() -> None:
    """Print the figures."""
    room = the_vm()
    compute(room)
    sizes()
    asyncio.run(pauses(room))


if __name__ == "__main__":
    main()
