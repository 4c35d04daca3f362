"""Start the `citytable` command. What needs no hub is loaded without it, in a third of the time or less."""

import gc
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

GROUPS = {"sense": "cli_sense", "box": "cli_box", "hardware": "cli_hardware", "station": "cli_station"}
"""Groups of commands by themselves: the module of each, which calls it by its name."""

ALONE = {
    **dict.fromkeys(("tournament", "balance"), "cli_bots"),
    **dict.fromkeys(("calibrate", "weigh", "calibrate-crane"), "cli_calibrate"),
    **dict.fromkeys(("backup", "archive", "restore", "export", "import"), "cli_games"),
    "print": "cli_print",
    **dict.fromkeys(("doctor", "level"), "cli_station"),
    "venue": "cli_venue",
}
"""Other commands: the module of each, whose `add_to` adds it to an app."""


def main() -> None:
    """Run the command."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    gc.disable()  # modules stay until the end: to look for garbage among them, now or later, finds none
    try:
        command, words = loaded(name)
    except KeyboardInterrupt:
        sys.stderr.write("citytable: stopped\n")
        sys.exit(130)
    gc.freeze()
    gc.enable()
    command(**words)


def loaded(name: str) -> tuple[Callable[..., object], dict[str, Any]]:
    """Return the command of this name, and what it is to be called with."""
    if name in GROUPS:
        command = getattr(import_module(f"citytable.{GROUPS[name]}"), name)
        return command, {"args": sys.argv[2:], "prog_name": f"citytable {name}"}
    if name in ALONE:
        return _alone(ALONE[name]), {}
    return import_module("citytable.cli").app, {}


def _alone(module: str) -> Any:
    app = import_module("citytable.console").command_app()
    app.callback()(lambda: None)  # otherwise a single command would not be called by its name
    import_module(f"citytable.{module}").add_to(app)
    return app
