"""Start the `citytable` command. What needs no hub is loaded without it: `sense` at once, others in half the time."""

import gc
import sys
from importlib import import_module

ALONE = {"sense": "cli_sense", "box": "cli_box", "hardware": "cli_hardware", "station": "cli_station"}
"""Groups of commands by themselves: the module of each, which calls it by its name."""


def main() -> None:
    """Run the command."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    gc.disable()  # modules stay until the end: to look for garbage among them, now or later, finds none
    if name in ALONE:
        command = getattr(import_module(f"citytable.{ALONE[name]}"), name)
        words = {"args": sys.argv[2:], "prog_name": f"citytable {name}"}
    else:
        command, words = import_module("citytable.cli").app, {}
    gc.freeze()
    gc.enable()
    command(**words)
