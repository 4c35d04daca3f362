"""Rehearse many whole games, two at a time, and fail if any is not equal to its intentions or to its replay.

    .venv/bin/python tools/soak.py --games 200 --faults

Each game is `citytable rehearse --game megacity --players N --seed S --json`; N goes round 2, 3, 4 and S counts up.
What was asked, inferred and stated is counted in the journal that it exports. Where all is sensed and nothing goes
wrong, a game in which more is asked than QUESTIONS_MAX is wrong, too. With `--lose-sector` a sector's station goes in
mid-game, with `--plan starter` a table has the seats of two players and nothing else: more is asked and said, and it
must be the same game. Where nothing goes wrong no screen may show an alarm.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from citytable.journal.entry import ActionConfirmed, Asked, Entry
from citytable.journal.export import NotAnExport, read_export
from citytable.table.word import Undo

PLAYERS = (2, 3, 4)
AT_ONCE = 2  # a rehearsal is a broker, a hub and a table: two of them fill a small machine
COMPLAINT_MAX = 400  # characters: what was asked of the hands may be much longer, and comes last
GAME_S = 3600  # by then it hangs: a game is half a minute of work, on a busy machine many minutes
QUESTIONS_MAX = 2  # about a delivery, and in the rest of a turn round
COUNTS = (
    "physical_acts",
    "questions_asked",
    "wrong_confirmations",
    "collapses",
    "corrections",
    "taken_back",
    "alarms_shown",
    "faults_unshown",
)
WOLVES = ("alarms_shown", "collapses_shown", "clips_asked", "falls_spoken", "fall_lights")


@dataclass(frozen=True)
class Rehearsal:
    """One game to be played: its seats, its seed, and the command that plays it.

    `sees_all`: the table senses everything and nothing goes wrong, so that little may be asked.
    """

    players: int
    seed: int
    command: tuple[str, ...]
    sees_all: bool = True


@dataclass(frozen=True)
class Asking:
    """How much people had to say in one game, by its journal.

    `at_deliveries`: questions about each delivery; `in_rounds`: all others, by turn round, of which the last may be a
    part.
    """

    at_deliveries: tuple[int, ...] = ()
    in_rounds: tuple[int, ...] = ()
    inferred: int = 0
    stated: int = 0


@dataclass(frozen=True)
class Played:
    """One game that was played. `wrong` is empty when hub, intentions and replay agree."""

    rehearsal: Rehearsal
    counts: dict[str, int]
    wrong: str
    asking: Asking = Asking()


def _contract(action: str) -> str:
    """The contract that an action delivers; empty for any other."""
    words = action.split()
    return next((word for word in words if word.startswith("contract=")), "") if words[1] == "deliver" else ""


def asking(entries: Iterable[Entry], players: int) -> Asking:
    """Count in a journal. A question about a delivery that came to nothing counts in its round.

    Of corrections a rehearsal makes only one, at the end of a turn: that turn is taken back.
    """
    about: Counter[str] = Counter()  # open questions about deliveries that are not confirmed yet
    deliveries, rounds, turns, causes = [], [0], 0, Counter[str]()
    for entry in entries:
        match entry.body:
            case Undo():
                turns -= 1
            case Asked(question=question) if contract := _contract(question.about):
                about[contract] += 1
            case Asked():
                rounds[-1] += 1
            case ActionConfirmed(action=action):
                causes[entry.cause] += 1
                if contract := _contract(action):
                    deliveries.append(about.pop(contract, 0))
                if action.split()[1] == "end_turn":
                    turns += 1
                    rounds += [] if turns % players else [0]
    rounds[-1] += about.total()
    return Asking(tuple(deliveries), tuple(rounds), causes["sensor"], causes["player"])


def rehearsals(
    games: int, first_seed: int, *options: str, players_of: tuple[int, ...] = PLAYERS
) -> Iterator[Rehearsal]:
    """The games of one soak, each with these options: seats go round, seeds count up."""
    citytable = str(Path(sys.executable).parent / "citytable")
    for number in range(games):
        players, seed = players_of[number % len(players_of)], first_seed + number // len(players_of)
        game = ("--game", "megacity", "--players", str(players), "--seed", str(seed), "--json")
        yield Rehearsal(players, seed, (citytable, "rehearse", *game, *options), sees_all=not options)


def play(rehearsal: Rehearsal) -> Played:
    """Run one rehearsal to its end."""
    with tempfile.TemporaryDirectory(prefix="citytable-soak-") as scratch:
        journal = Path(scratch) / "game.jsonl"
        command = (*rehearsal.command, "--export", str(journal))
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=GAME_S, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            return Played(rehearsal, {}, f"no end after {GAME_S} s")
        counts, wrong = judge(done.returncode, done.stdout, done.stderr)
        asking = asked_in(journal, rehearsal.players)
        if rehearsal.sees_all:
            wrong = wrong or asked_too_much(asking) or cried_wolf(counts)
        return Played(rehearsal, counts, wrong, asking)


def cried_wolf(counts: dict[str, int]) -> str:
    """Return what a game in which nothing goes wrong told its room of alarms and falls; empty: nothing."""
    told = [f"{name} {counts[name]}" for name in WOLVES if counts.get(name)]
    return f"{', '.join(told)} though nothing went wrong" if told else ""


def asked_too_much(asking: Asking) -> str:
    """What is wrong with the number of questions in a game; empty: nothing."""
    delivery, rest = max(asking.at_deliveries, default=0), max(asking.in_rounds, default=0)
    if delivery > QUESTIONS_MAX:
        return f"{delivery} questions about one delivery"
    return f"{rest} questions in the rest of one turn round" if rest > QUESTIONS_MAX else ""


def asked_in(journal: Path, players: int) -> Asking:
    """What an exported journal tells; nothing of a game that came to no end."""
    try:
        return asking(read_export(journal).entries, players)
    except (NotAnExport, OSError):
        return Asking()


def judge(code: int, reported: str, complaint: str) -> tuple[dict[str, int], str]:
    """The counts a rehearsal told as JSON, and what is wrong with it (empty: nothing)."""
    try:
        result: dict[str, Any] = json.loads(reported)
    except json.JSONDecodeError:
        last = (complaint or reported).strip().splitlines()[-1:] or ["it said nothing"]
        return {}, f"exit code {code}, no JSON: {last[0][:COMPLAINT_MAX]}"
    unequal = [name for name in ("equal", "replay_equal") if result.get(name) is not True]
    if unequal:
        return result.get("counts", {}), f"{' and '.join(unequal)} not true"
    return result["counts"], "" if code == 0 else f"exit code {code} though all is equal"


def most_and_mean(numbers: Sequence[int]) -> str:
    """The largest of the numbers, and their mean; a dash for none."""
    return f"{max(numbers)} / {sum(numbers) / len(numbers):.2f}" if numbers else "-"


def _column(games: list[Played]) -> Iterator[tuple[str, str]]:
    """What is told of the games with one number of players, line by line."""
    yield "games", str(len(games))
    yield "as intended", str(sum(not game.wrong for game in games))
    for name in COUNTS:
        yield name.replace("_", " "), str(sum(game.counts.get(name, 0) for game in games))
    yield "actions inferred", str(sum(game.asking.inferred for game in games))
    yield "actions stated", str(sum(game.asking.stated for game in games))
    deliveries = list(chain.from_iterable(game.asking.at_deliveries for game in games))
    rounds = list(chain.from_iterable(game.asking.in_rounds for game in games))
    yield "deliveries", str(len(deliveries))
    yield "questions a delivery: most / mean", most_and_mean(deliveries)
    yield "questions a rest of a turn round: most / mean", most_and_mean(rounds)


def summary(played: list[Played]) -> Table:
    """Games, agreements and sums of the counts, a column for each number of players."""
    by_players: dict[int, list[Played]] = defaultdict(list)
    for game in played:
        by_players[game.rehearsal.players].append(game)
    columns = [dict(_column(games)) for _, games in sorted(by_players.items())]
    table = Table("", *(f"{players} players" for players in sorted(by_players)))
    for name in columns[0] if columns else ():
        table.add_row(name, *(column[name] for column in columns))
    return table


def main() -> int:
    """Play, print the table, name every game that went wrong with the command that plays it again."""
    parser = argparse.ArgumentParser(description="rehearse many whole games")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true", help="with falls, wrong hexes, third contracts and reboots")
    parser.add_argument("--plan", choices=("full", "starter"), default="full", help="starter: two seats and a phone")
    parser.add_argument("--lose-sector", action="store_true", help="a sector's station goes in mid-game for good")
    options = parser.parse_args()
    more = ["--faults"] * options.faults + ["--lose-sector"] * options.lose_sector
    more += ["--starter"] * (options.plan == "starter")
    players = (2,) if options.plan == "starter" else PLAYERS
    console = Console()
    played = []
    games = rehearsals(options.games, options.first_seed, *more, players_of=players)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for game in pool.map(play, games):
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
