"""Start the `citytable` command. What needs no hub is loaded without it: `sense` at once, others in half the time."""

import gc
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

ALONE = {"sense": "cli_sense", "box": "cli_box", "hardware": "cli_hardware", "station": "cli_station"}
"""Groups of commands by themselves: the module of each, which calls it by its name."""


def main() -> None:
    """Run the command."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    gc.disable()  # modules stay until the end: to look for garbage among them, now or later, finds none
    try:
        command, words = _loaded(name)
    except KeyboardInterrupt:
        sys.stderr.write("citytable: stopped\n")
        sys.exit(130)
    gc.freeze()
    gc.enable()
    command(**words)


def _loaded(name: str) -> tuple[Callable[..., object], dict[str, Any]]:
    """Return the command, and what it is called with."""
    if name not in ALONE:
        return import_module("citytable.cli").app, {}
    command = getattr(import_module(f"citytable.{ALONE[name]}"), name)
    return command, {"args": sys.argv[2:], "prog_name": f"citytable {name}"}
