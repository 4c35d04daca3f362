"""The commands about sensing: `citytable sense ...`.

The hub's own commands are here. The lab is a separate package and registers more under the entry point
`citytable.sense`. `stream` must start at once, so each command imports its modules when it is called.
"""

import os
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from citytable.console import fail, say, warn

PLUG_INS = "citytable.sense"
"""The group of entry points under which a package offers a `typer.Typer` with more commands."""
WITHOUT_LAB = (
    "the commands that draw, score and train come with the package citytable-lab: "
    "install its wheel from the release that citytable came from, or run `make setup` in a clone"
)


class SenseCommands(TyperGroup):
    """Offer the hub's own commands, then those of installed plug-ins, which are loaded only when one is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return every command by its name."""
        return [*super().list_commands(ctx), *_plugged_in()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of this name, or None; if the lab is missing, say so."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            return command
        if not entry_points(group=PLUG_INS):
            raise fail(f"there is no command {cmd_name!r} here; {WITHOUT_LAB}", 2)
        return _plugged_in().get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help, and how to install more commands."""
        super().format_help(ctx, formatter)
        if not entry_points(group=PLUG_INS):
            say(WITHOUT_LAB)


def _plugged_in() -> dict[str, Any]:
    """Return the commands of all plug-ins, by name."""
    groups = [typer.main.get_group(plug_in.load()) for plug_in in entry_points(group=PLUG_INS)]
    return {name: command for group in groups for name, command in group.commands.items()}


sense = typer.Typer(
    cls=SenseCommands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Run the detectors on recorded or streamed signals.",
)


@sense.command()
def stream() -> None:
    """Sense one spot for another program: read a start line and samples, and write a line of events for each sample.

    Input and output are lines of JSON, described in docs/reference/sensing.md.
    """
    from citytable.sensing.stream import BadStart, Stream

    lines, answers, warned = sys.stdin.buffer, sys.stdout.buffer, False
    try:
        spot = Stream(lines.readline())
        for line in lines:
            answers.write(spot.answer(line) + b"\n")
            answers.flush()
            if spot.refusal and not warned:
                warn(spot.refusal)
                warned = True
        if spot.refused > 1:
            warn(f"{spot.refused} lines could not be read in full")
    except BadStart as error:
        raise fail(error, 2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody listens any more


@sense.command()
def rejudge(
    game: Annotated[str, typer.Argument(help="Name of the game in the journal.")],
    journal: Annotated[Path, typer.Option(help="File of the journal; its traces lie beside it.")] = Path(
        "journal.sqlite3"
    ),
    every: Annotated[bool, typer.Option("--all", help="Print the entries that are judged as before, too.")] = False,
) -> None:
    """Run today's detectors on the raw signals behind a game's entries, and print where they judge differently."""
    from citytable.journal.excerpt import BadExcerpt
    from citytable.journal.store import JournalUnavailable
    from citytable.session.kept_game import NothingKept, kept_game

    if not journal.is_file():
        raise fail(f"{journal.absolute()}: there is no such journal: give the same --journal as to `citytable run`")
    try:
        with kept_game(journal, game) as kept:
            for one in kept.rejudged():
                if one.differences or every:
                    say(f"{one.seq:>6} {'differs' if one.differences else 'same   '} {one.what}")
                for spot, then, now in one.differences:
                    say(f"{'':>15}{spot}: then {then or 'nothing'}; now {now or 'nothing'}")
            say(kept.summary())
    except NothingKept as nothing:
        say(nothing)
    except (JournalUnavailable, BadExcerpt) as error:
        raise fail(error) from None


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(sense, name="sense")
