"""Print to people in a terminal.

In a terminal, long lines are folded between words and indented. A pipe or a file gets each line whole.
"""

import logging
import shutil
import sys
import textwrap
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from citytable.languages import LANGUAGES

out, err = Console(), Console(stderr=True)
_ANSWER = len(" [y/N]: y")  # the space that a question needs after it
_COMMAND_WIDTH = 78  # a space and a backslash follow


def command_app() -> typer.Typer:
    """Return the `citytable` command, to which its commands are to be added."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_common)
    return app


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("citytable"))
        raise typer.Exit


def _common(
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version of citytable.")
    ] = False,
) -> None:
    """Run a table for board games that senses what happens on it."""


def say(text: object, style: str = "") -> None:
    """Print text as it is, without markup."""
    _print(out, str(text), style)


def warn(text: object, style: str = "") -> None:
    """Print text on standard error."""
    _print(err, f"citytable: {text}", style)


def for_people(text: str) -> str:
    """Return the text as `say` would print it, for a question."""
    return folded(text, out.width - _ANSWER) if out.is_terminal else text


def _known(code: str) -> str:
    if code not in LANGUAGES:
        raise typer.BadParameter(f"there is no language {code!r} here: give one of {', '.join(LANGUAGES)}")
    return code


Spoken = Annotated[str, typer.Option("--language", "--lang", callback=_known, help="Language of the messages.")]


def _print(console: Console, text: str, style: str) -> None:
    shown = folded(text, console.width) if console.is_terminal else text
    console.print(shown, style=style, markup=False, highlight=False, soft_wrap=True)


def show_command(command: str) -> None:
    """Print a `citytable ...` command to copy; a long one continues after a backslash, with its next option."""
    lines = ["  "]
    for k, part in enumerate(command.replace("citytable", _as_typed(), 1).split(" --")):
        option = part if k == 0 else f" --{part}"
        if k and len(lines[-1]) + len(option) > _COMMAND_WIDTH:
            lines.append("   ")
        lines[-1] += option
    out.print(" \\\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _as_typed() -> str:
    """Return how the command was started: a shell that was given its folder may not find it without."""
    typed = Path(sys.argv[0])
    if typed.name != "citytable" or shutil.which("citytable"):
        return "citytable"
    return str(typed.relative_to(Path.cwd()) if typed.is_relative_to(Path.cwd()) else typed)


def folded(text: str, width: int) -> str:
    """Return the text with lines of at most `width`, except that paths and addresses stay whole."""
    return "\n".join(_folded(line, width) for line in text.split("\n"))


def _folded(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    begins = line[: len(line) - len(line.lstrip(" "))]
    return textwrap.fill(
        line.strip(" "),
        width,
        initial_indent=begins,
        subsequent_indent=f"{begins}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def players_text(players: range) -> str:
    """Return for how many a game is.

    >>> players_text(range(1, 2)), players_text(range(2, 5))
    ('1 player', '2 to 4 players')
    """
    least, most = players[0], players[-1]
    return f"{least} player" if most == 1 else f"{least} to {most} players"


def fail(text: object, code: int = 1) -> typer.Exit:
    """Print an error message on standard error, and return the exit to raise."""
    warn(text, "bold red")
    return typer.Exit(code)


def log_to_people() -> None:
    """Print the log on standard error, as `warn` does; warnings, and everything else that our loggers let through."""
    logging.basicConfig(format="citytable: %(message)s", level=logging.WARNING)


def only_people_read() -> bool:
    """Return whether a terminal gets the output.

    A file, a pipe or systemd may keep it, so it must not contain keys.
    """
    return sys.stdout.isatty()  # with FORCE_COLOR set, rich would take a file for a terminal
