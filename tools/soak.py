"""Rehearse many whole games, two at a time, and fail if any is not equal to its intentions or to its replay.

    .venv/bin/python tools/soak.py --games 200 --faults

Each game is `citytable rehearse --game megacity --players N --seed S --json`; N goes round 2, 3, 4 and S counts up.
"""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

PLAYERS = (2, 3, 4)
AT_ONCE = 2  # a rehearsal is a broker, a hub and a table: two of them fill a small machine
GAME_S = 600
COUNTS = (
    "physical_acts",
    "actions_inferred",
    "questions_asked",
    "wrong_confirmations",
    "collapses",
    "corrections",
)


@dataclass(frozen=True)
class Rehearsal:
    """One game to be played: its seats, its seed, and the command that plays it."""

    players: int
    seed: int
    command: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """One game that was played. `wrong` is empty when hub, intentions and replay agree."""

    rehearsal: Rehearsal
    counts: dict[str, int]
    wrong: str


def rehearsals(games: int, first_seed: int, faults: bool) -> Iterator[Rehearsal]:
    """The games of one soak: seats go round, seeds count up."""
    citytable = str(Path(sys.executable).parent / "citytable")
    for number in range(games):
        players, seed = PLAYERS[number % len(PLAYERS)], first_seed + number // len(PLAYERS)
        options = ("--game", "megacity", "--players", str(players), "--seed", str(seed), "--json")
        yield Rehearsal(players, seed, (citytable, "rehearse", *options, *(("--faults",) if faults else ())))


def play(rehearsal: Rehearsal) -> Played:
    """Run one rehearsal to its end."""
    try:
        done = subprocess.run(
            rehearsal.command, capture_output=True, text=True, check=False, timeout=GAME_S, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Played(rehearsal, {}, f"no end after {GAME_S} s")
    return Played(rehearsal, *judge(done.returncode, done.stdout, done.stderr))


def judge(code: int, told: str, complaint: str) -> tuple[dict[str, int], str]:
    """The counts a rehearsal told as JSON, and what is wrong with it (empty: nothing)."""
    try:
        result: dict[str, Any] = json.loads(told)
    except json.JSONDecodeError:
        last = (complaint or told).strip().splitlines()[-1:] or ["it said nothing"]
        return {}, f"exit code {code}, no JSON: {last[0][:160]}"
    unequal = [name for name in ("equal", "replay_equal") if result.get(name) is not True]
    if unequal:
        return result.get("counts", {}), f"{' and '.join(unequal)} not true"
    return result["counts"], "" if code == 0 else f"exit code {code} though all is equal"


def summary(played: list[Played]) -> Table:
    """Games, agreements and sums of the counts, by number of players."""
    table = Table("players", "games", "as intended", *(name.replace("_", " ") for name in COUNTS))
    sums: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for game in played:
        row = sums[game.rehearsal.players]
        row["games"] += 1
        row["right"] += not game.wrong
        for name in COUNTS:
            row[name] += game.counts.get(name, 0)
    for players, row in sorted(sums.items()):
        table.add_row(*(str(value) for value in (players, row["games"], row["right"], *(row[name] for name in COUNTS))))
    return table


def main() -> int:
    """Play, print the table, name every game that went wrong with the command that plays it again."""
    parser = argparse.ArgumentParser(description="rehearse many whole games")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true", help="with falls, wrong hexes, third contracts and reboots")
    options = parser.parse_args()
    console = Console()
    played = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for game in pool.map(play, rehearsals(options.games, options.first_seed, options.faults)):
            played.append(game)
            if game.wrong:
                console.print(
                    f"WRONG: {game.wrong}: {' '.join(game.rehearsal.command)}", style="bold red", soft_wrap=True
                )
            elif len(played) % 10 == 0:
                console.print(f"{len(played)} of {options.games} games played")
    console.print(summary(played))
    wrong = sum(bool(game.wrong) for game in played)
    console.print(f"{len(played)} games, {wrong} wrong")
    return 1 if wrong or not played else 0


if __name__ == "__main__":
    sys.exit(main())
