"""Compare what rehearsed games conclude with what they concluded when this was recorded.

    .venv/bin/python tools/conclusions.py                      # play all games again and compare
    .venv/bin/python tools/conclusions.py plain-2-101          # only these games
    .venv/bin/python tools/conclusions.py --record             # play them and record what they conclude

A refactoring must not change what the table concludes. The games are `GAMES`: plain ones, games with faults, games on a
starter table, and games that lose a sector. Of each journal only a projection is kept, so that a renamed entry or a
new field does not matter: every confirmed action with the rule it breaks, every question with the action it is about,
the end of the game, all with their times, and the final scores.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from citytable.journal.entry import ActionConfirmed, Asked, Entry, GameEnded
from citytable.journal.export import read_export

RECORDED = Path(__file__).parents[1] / "tests" / "rehearsal" / "conclusions"
AT_ONCE = 2
KINDS = {"plain": (), "faults": ("--faults",), "starter": ("--starter",), "lost": ("--lose-sector",)}
GAMES = (
    *("plain-2-101", "plain-3-102", "plain-4-103", "plain-2-104", "plain-3-105"),
    *("faults-2-201", "faults-3-202", "faults-4-203", "faults-2-204", "faults-3-205"),
    *("starter-2-301", "starter-2-302", "starter-2-303", "starter-2-304", "starter-2-305"),
    *("lost-2-401", "lost-3-402", "lost-4-403", "lost-2-404", "lost-3-405"),
)


def conclusions(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a line for each entry that concludes something."""
    for entry in entries:
        match entry.body:
            case ActionConfirmed(action=action, breaks=breaks):
                yield f"{entry.at_us} {entry.cause} did {action}{f' against {breaks}' if breaks else ''}"
            case Asked(question=question):
                fields = ",".join(field.name for field in question.fields)
                asked = f"{question.prompt} of {question.seat or 'all'} ({fields}) about {question.about}"
                yield f"{entry.at_us} asked {asked}"
            case GameEnded(termination=termination):
                yield f"{entry.at_us} ended {termination}"


def played(game: str) -> list[str]:
    """Rehearse the game with this name; return its conclusions. Raises `CalledProcessError`."""
    kind, players, seed = game.split("-")
    citytable = str(Path(sys.executable).parent / "citytable")
    with tempfile.TemporaryDirectory(prefix="citytable-conclusions-") as scratch:
        journal = Path(scratch) / "game.jsonl"
        command = (citytable, "rehearse", "--game", "megacity", "--players", players, "--seed", seed, "--json")
        done = subprocess.run(
            (*command, *KINDS[kind], "--export", str(journal)),
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        return [*conclusions(read_export(journal).entries), final_line(json.loads(done.stdout)["outcome"])]


def final_line(outcome: dict[str, Any]) -> str:
    """Return the line for the outcome that a rehearsal printed."""
    return f"won by {outcome['winners']} with {outcome['scores']}"


def first_difference(recorded: list[str], now: list[str]) -> str:
    """Describe the first line that differs; empty when none does."""
    for number, (before, after) in enumerate(zip(recorded, now, strict=False), start=1):
        if before != after:
            return f"line {number}: recorded {before!r}, now {after!r}"
    if len(recorded) == len(now):
        return ""
    extra = max(recorded, now, key=len)[min(len(recorded), len(now))]
    return f"{len(recorded)} lines recorded, {len(now)} now, and only one of them has {extra!r}"


def main() -> int:
    """Play the games, compare or record, and name every game that concludes something else."""
    parser = argparse.ArgumentParser(description="compare what rehearsed games conclude with what is recorded")
    parser.add_argument("games", nargs="*", choices=[[], *GAMES], help="all of them if none is named")
    parser.add_argument("--record", action="store_true", help="record what they conclude now")
    options = parser.parse_args()
    games = options.games or GAMES
    different = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for game, now in zip(games, pool.map(played, games), strict=True):
            path = RECORDED / f"{game}.txt"
            if options.record:
                path.write_text("\n".join(now) + "\n", encoding="utf-8")
            difference = first_difference(path.read_text(encoding="utf-8").splitlines(), now)
            different += bool(difference)
            print(f"{game}: {difference or 'the same'}", flush=True)
    print(f"{len(games)} games, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
