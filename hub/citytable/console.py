"""What commands say to people in a terminal."""

import typer
from rich.console import Console

out, err = Console(), Console(stderr=True)


def say(text: object, style: str = "") -> None:
    """One line for people, as it is: no colours by brackets, no folding."""
    out.print(str(text), style=style, markup=False, highlight=False, soft_wrap=True)


def warn(text: object, style: str = "") -> None:
    """One line on standard error."""
    err.print(f"citytable: {text}", style=style, markup=False, highlight=False, soft_wrap=True)


def fail(text: object, code: int = 1) -> typer.Exit:
    """Say what is wrong, on standard error."""
    warn(text, "bold red")
    return typer.Exit(code)
