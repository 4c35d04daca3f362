"""Measure the processor time of a rehearsal: user and system time of all its processes, over the time at its table.

Run `python tools/bench_rehearsal.py [SEED...]`. Each seed is one whole game of MegaCity with three players, as
`citytable rehearse` plays it: the hub, the virtual table and mosquitto are processes of their own, and all three count.
The time at the table is that of the journal's last entry. Beside it stands an empty loop, the slowest one between the
games: a processor that is shared with other programs is slower, and lengthens both.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from citytable.link.broker import find_mosquitto

PLAYERS = 3
SEEDS = (7, 8, 9)
LOOP = 10_000_000


class Rehearsal(NamedTuple):
    """One game: the processor time of all its processes, and how long it took at the table."""

    user_s: float
    system_s: float
    table_s: float

    @property
    def share(self) -> float:
        """Return the processor time over the time at the table."""
        return (self.user_s + self.system_s) / self.table_s


def rehearsed(seed: int) -> Rehearsal:
    """Rehearse one game; raise `CalledProcessError` when it fails."""
    with tempfile.TemporaryDirectory(prefix="citytable-bench-") as folder:
        export = Path(folder) / "game.jsonl"
        command = [str(Path(sys.executable).with_name("citytable")), "rehearse", "--game", "megacity", "--json"]
        command += ["--players", str(PLAYERS), "--seed", str(seed), "--export", str(export)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=_environment()) as process:
            _, status, used = os.wait4(process.pid, 0)  # its own time and that of the children it waited for
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        entries = [json.loads(line) for line in export.read_text("utf-8").splitlines()]
    return Rehearsal(used.ru_utime, used.ru_stime, max(entry.get("at_us", 0) for entry in entries) / 1e6)


def _environment() -> dict[str, str]:
    """Return an environment in which compiled modules are kept, as on a table: compiling is no part of a game."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds_of_loop() -> float:
    """Measure an empty loop."""
    start_s = time.process_time()
    for _ in range(LOOP):
        pass
    return time.process_time() - start_s


def main() -> None:
    """Print a line for each seed, and one for all."""
    seeds = tuple(map(int, sys.argv[1:])) or SEEDS
    if find_mosquitto() is None:
        print("mosquitto is missing on this machine (tools/setup.sh system): nothing measured")
        return
    subprocess.run([sys.executable, "-c", "import citytable.cli, tabletwin.console"], env=_environment(), check=True)
    print(f"whole games of {PLAYERS} players, processor time of all processes over the time at the table:")
    loops, games = [seconds_of_loop()], list[Rehearsal]()
    for seed in seeds:
        games.append(game := rehearsed(seed))
        loops.append(seconds_of_loop())
        print(
            f"seed {seed:>4}: {game.user_s:5.1f} s user + {game.system_s:4.1f} s system "
            f"for {game.table_s:5.0f} s at the table: {game.share:.4f}",
            flush=True,
        )
    every = Rehearsal(*map(sum, zip(*games, strict=True)))
    print(f"      all: {every.share:.4f} (an empty loop of {LOOP // 1_000_000} million turns: {max(loops):.2f} s)")


if __name__ == "__main__":
    main()
