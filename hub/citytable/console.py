"""Print to people in a terminal."""

import logging
import os

import typer
from rich.console import Console

out, err = Console(), Console(stderr=True)


def say(text: object, style: str = "") -> None:
    """Print one line as it is, without markup and without folding."""
    out.print(str(text), style=style, markup=False, highlight=False, soft_wrap=True)


def warn(text: object, style: str = "") -> None:
    """Print one line on standard error."""
    err.print(f"citytable: {text}", style=style, markup=False, highlight=False, soft_wrap=True)


def fail(text: object, code: int = 1) -> typer.Exit:
    """Print what is wrong on standard error, and return the exit to raise."""
    warn(text, "bold red")
    return typer.Exit(code)


def log_to_people() -> None:
    """Print the log on standard error, as `warn` does; warnings, and whatever else a logger of ours lets through."""
    logging.basicConfig(format="citytable: %(message)s", level=logging.WARNING)


def log_is_kept() -> bool:
    """Report whether systemd keeps what is printed (systemd.exec(5), `JOURNAL_STREAM`): then no key may be in it."""
    return "JOURNAL_STREAM" in os.environ
