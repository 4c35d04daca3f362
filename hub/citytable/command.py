"""Start the `citytable` command. `citytable sense ...` must start at once, so it is loaded without the rest."""

import gc
import sys


def main() -> None:
    """Run the command."""
    if sys.argv[1:2] == ["sense"]:
        from citytable.cli_sense import sense  # noqa: PLC0415  see above

        sense(args=sys.argv[2:], prog_name="citytable sense")
    else:
        gc.disable()  # modules stay until the end: to look for garbage among them, now or later, finds none
        from citytable.cli import app  # noqa: PLC0415  see above

        gc.freeze()
        gc.enable()
        app()
