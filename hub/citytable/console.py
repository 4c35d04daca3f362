"""Print to people in a terminal."""

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
