"""Start the `citytable` command. A command that needs no hub is loaded without it."""

import gc
import sys
from importlib import import_module
from typing import Any

from citytable.one_heap import keep_one_heap

MODULES = {
    **dict.fromkeys(("tournament", "balance"), "cli_bots"),
    **dict.fromkeys(("calibrate", "weigh", "calibrate-crane"), "cli_calibrate"),
    **dict.fromkeys(("backup", "archive", "restore", "export", "import"), "cli_games"),
    **dict.fromkeys(("station", "doctor", "level"), "cli_station"),
    "box": "cli_box",
    "hardware": "cli_hardware",
    "print": "cli_print",
    "sense": "cli_sense",
    "venue": "cli_venue",
}
"""Commands, and groups of commands, by themselves: the module of each, whose `add_to` adds it to an app."""


def main() -> None:
    """Run the command."""
    keep_one_heap()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    gc.disable()  # the modules stay until the end, so the garbage collector need not search them now or later
    try:
        command = loaded(name)
    except KeyboardInterrupt:
        sys.stderr.write("citytable: stopped\n")
        sys.exit(130)
    gc.freeze()
    gc.enable()
    command()


def loaded(name: str) -> Any:
    """Return the app that has the command of this name; without a module of its own, the app of all."""
    if name not in MODULES:
        return import_module("citytable.cli").app
    app = import_module("citytable.console").command_app()
    import_module(f"citytable.{MODULES[name]}").add_to(app)
    return app
