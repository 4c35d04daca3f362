"""The commands about sensing: `citytable sense ...`.

Each imports what it needs when it is called: the lab needs numpy, and `stream` must start at once.
"""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from citytable.console import fail

sense = typer.Typer(no_args_is_help=True, help="Sensing: what the detectors make of recorded signals.")


@sense.command()
def replay(trace: Annotated[Path, typer.Argument(help="A trace (.npz).")]) -> None:
    """Run a recorded trace through the sensing room and print its facts, one JSON object a line."""
    from citytable.doctor.trace import load_trace, replay_trace

    try:
        loaded = load_trace(trace)
    except ValueError as error:
        raise fail(error) from None
    for fact in replay_trace(loaded):
        sys.stdout.write(msgspec.json.encode(fact).decode() + "\n")


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(sense, name="sense")
