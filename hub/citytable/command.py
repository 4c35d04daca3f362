"""Start the `citytable` command. `citytable sense ...` must start at once, so it is loaded without the rest."""

import sys


def main() -> None:
    """Run the command."""
    if sys.argv[1:2] == ["sense"]:
        from citytable.cli_sense import sense  # noqa: PLC0415  see above

        sense(args=sys.argv[2:], prog_name="citytable sense")
    else:
        from citytable.cli import app  # noqa: PLC0415  see above

        app()
