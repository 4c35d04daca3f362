"""The command's front door: `citytable sense ...` must start at once, so it comes in without the rest of the house."""

import sys


def main() -> None:
    """The entry point."""
    if sys.argv[1:2] == ["sense"]:
        from citytable.cli_sense import sense  # noqa: PLC0415  see above

        sense(args=sys.argv[2:], prog_name="citytable sense")
    else:
        from citytable.cli import app  # noqa: PLC0415  see above

        app()
