"""The command that prints cards and tiles on paper: `citytable print`."""

import importlib
import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from citytable.box_file import cards_in
from citytable.console import Spoken, fail, say
from citytable.games import NAMES, UnknownGame, box_of
from citytable.languages import ENGLISH
from citytable.printing.sheets import PAPERS, PaperName, TooLarge, sheets
from citytable.session.box import Prints
from citytable.table.plan import Misconfigured

_NEEDED = ("reportlab", "fontTools")


def print_and_play(
    game: Annotated[str, typer.Option(help=f"Which game: {', '.join(NAMES)}.")] = NAMES[0],
    deck: Annotated[Path | None, typer.Option(help="File with your own cards; default: the house deck.")] = None,
    paper: Annotated[PaperName, typer.Option(help="Size of the paper.")] = "a4",
    language: Spoken = ENGLISH,
    to: Annotated[Path | None, typer.Option("-o", "--output", help="The file; default: `<game>-<paper>.pdf`.")] = None,
) -> None:
    """Write the cards and tiles of a house deck to a PDF file, to print and cut out.

    If you print your own cards, keep them for yourself.
    """
    if any(importlib.util.find_spec(package) is None for package in _NEEDED):
        raise fail("printing needs more packages: install citytable with its extra `print`")
    pdf = importlib.import_module("citytable.printing.pdf")
    file = to or Path(f"{game}-{paper}.pdf")
    try:
        box = box_of(game) if deck is None else cards_in(deck, box_of(game))
        things = box.printed(language) if isinstance(box, Prints) else ()
        if not things:
            raise fail(f"{box.name} has no cards or tiles to print", 2)
        name = f"{box.name}: {box.deck}, {box.fingerprint()[:8]}"
        job = pdf.Job(things, name, paper, language, is_owners=deck is not None)
        content = pdf.pdf_of(job)
    except UnknownGame as error:
        raise fail(error, 2) from None
    except (Misconfigured, TooLarge) as error:
        raise fail(error) from None
    try:
        file.write_bytes(content)
    except OSError as error:
        raise fail(f"cannot write {file}: {error.strerror}: give another file with -o") from None
    pieces = sum(thing.copies for thing in job.things)
    say(f"wrote {pieces} cards and tiles on {len(sheets(job.things, PAPERS[paper]))} sheets to {file}")
    say(f"print on {paper} paper at 100 %, on both sides, turned over along the long edge; then measure a bar of 50 mm")


def add_to(app: typer.Typer) -> None:
    """Add the command to `citytable`."""
    app.command("print")(print_and_play)
