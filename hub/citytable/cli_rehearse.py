"""`citytable rehearse evenings`: many evenings on the level of facts, judged and counted; `rates` counts habits."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from citytable.console import fail, out, say
from citytable.evenings.judging import Result
from citytable.evenings.learning import learned
from citytable.evenings.report import SHOWN_MIN, bands, bounds, by_habit, overall, shown_by
from citytable.evenings.troupe import Settings, Troupe, chosen_habits, evenings
from citytable.games import NAMES
from citytable.rehearsal.people import people_of
from citytable.umpire.odds import RATES

Names = Annotated[list[str] | None, typer.Option(help="A habit that nobody has; may be given again.")]
SHOWN = 10  # stories


def rehearse_evenings(
    game: Annotated[str, typer.Option(help="Which game.")] = NAMES[0],
    count: Annotated[int, typer.Option("--evenings", min=1, help="How many evenings.")] = 100,
    first_seed: Annotated[int, typer.Option(help="Seed of the first; the others follow.")] = 1,
    without: Names = None,
    only: Annotated[list[str] | None, typer.Option(help="The only habits there are; may be given again.")] = None,
    tidy: Annotated[bool, typer.Option("--tidy", help="Nobody has any habit; only sensors err.")] = False,
    people: Annotated[str, typer.Option(help="Which family of people; default: the first.")] = "",
    perfect: Annotated[bool, typer.Option("--perfect", help="Sensors make no errors.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Whole games instead of three turn rounds.")] = False,
    tables: Annotated[str, typer.Option(help="full or starter; default: some of each.")] = "",
    faults: Annotated[bool, typer.Option("--faults", help="Hub, broker, network and stations fail meanwhile.")] = False,
    results: Annotated[Path | None, typer.Option(help="Append each evening to this file, one JSON line each.")] = None,
    tell: Annotated[bool, typer.Option("--tell", help="Tell what happened in the first that went wrong.")] = False,
) -> None:
    """Simulate many evenings with facts instead of sensors and impatient people; count wrong confirmations.

    With `--results` the report is on everything in that file, also from earlier runs.
    """
    troupe = chosen_troupe(game, people)
    if tables not in {"", "full", "starter"}:
        raise fail(f"there is no table {tables!r}: give --tables full or starter", 2)
    try:
        left_out = frozenset(troupe.habits.habits if tidy else without or ())
        habits = chosen_habits(troupe, left_out, frozenset(only or ()))
    except KeyError as name:
        known = ", ".join(sorted(troupe.habits.habits))
        raise fail(f"{name} is no habit; they are: {known}", 2) from None
    settings = Settings(habits=habits, perfect=perfect, whole=whole, table=tables, faults=faults)
    played = []
    for one in evenings(troupe, first_seed, count, settings):
        played.append(one)
        if results is not None:
            with results.open("ab") as file:
                file.write(msgspec.json.encode(one) + b"\n")
    if results is not None:
        played = [msgspec.json.decode(line, type=Result) for line in results.read_bytes().splitlines()]
    print_report(played, tell=tell)


def chosen_troupe(game: str, people: str) -> Troupe:
    """Return a family of people by its name, or the first one; ends the command with a list if there is none."""
    families = people_of(game).evenings
    if not families:
        raise fail(f"nobody has written evenings of {game} yet: give --game {NAMES[0]}", 2)
    if people and people not in families:
        raise fail(f"there are no people {people!r}: give --people {' or '.join(families)}", 2)
    return families[people or next(iter(families))]


def print_report(results: list[Result], *, tell: bool) -> None:
    """Print the results of these evenings."""
    for name, text in overall(results):
        say(f"{name:>42}  {text}")
    confidence = Table("shown from", "true", "untrue", "share")
    for low, true, untrue in bands(results):
        confidence.add_row(low, str(true), str(untrue), f"{true / max(1, true + untrue):.3f}")
    out.print(confidence)
    left_out = f"Evidence of fewer than {SHOWN_MIN} acts is left out."
    grounds = Table("evidence; doubts", "acts", "mean confidence", "share true", caption=left_out)
    for by, n, said_share, true_share in shown_by(results):
        grounds.add_row(by, str(n), f"{said_share:.3f}", f"{true_share:.3f}")
    out.print(grounds)
    habits = Table("habit", "evenings", "wrong with it", "95 %", "stuck with it")
    for habit, n, wrong, stuck in by_habit(results):
        least, most = bounds(wrong, n)
        habits.add_row(habit, str(n), str(wrong), f"{least:.3f} to {most:.3f}", str(stuck))
    out.print(habits)
    bad = [one for one in results if one.end in {"wrong", "stuck", "failed"}]
    for one in bad[:SHOWN]:
        say(f"seed {one.seed}, {one.table}: {one.end}: {one.why}")
    if tell and bad:
        sys.stdout.write("\n".join(bad[0].story) + "\n")


def rehearse_rates(
    game: Annotated[str, typer.Option(help="Which game.")] = NAMES[0],
    count: Annotated[int, typer.Option("--evenings", min=1, help="How many evenings.")] = 400,
    first_seed: Annotated[int, typer.Option(help="Seed of the first; the others follow.")] = 1,
) -> None:
    """Count how often simulated people show the habits that the umpire assumes; print both rates."""
    troupe = chosen_troupe(game, "")
    try:
        found = learned(troupe, first_seed, count, Settings(habits=troupe.habits.habits))
    except ValueError as error:
        raise fail(f"{error}: give --game {NAMES[0]}", 2) from None
    rows = Table("rate", "assumed", "counted", "of", "95 %")
    for name, often in found.items():
        least, most = bounds(often.n, often.of)
        rows.add_row(name, f"{RATES[name]:g}", str(often.n), str(often.of), f"{least:.3f} to {most:.3f}")
    out.print(rows)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable rehearse`."""
    app.command("evenings")(rehearse_evenings)
    app.command("rates")(rehearse_rates)
