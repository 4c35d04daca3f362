"""Sheets as a PDF file: a front and its back in turn, for printing on both sides. Equal input gives equal bytes."""

from collections.abc import Sequence
from io import BytesIO

import msgspec
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.printing.brush import BOLD, GREY, INK, REGULAR, Box, Brush, millimetres, register_fonts, text_width
from citytable.printing.face import draw_face, hexagon
from citytable.printing.sheets import PAPERS, SIDE, TOP, UNPRINTABLE, Paper, PaperName, Place, mirrored, sheets
from citytable.table.printed import Printed

SCALE_MM = 50.0
_CUT, _TICK = 0.1, 2.5

WORDS = Sentences(__package__, "pdf.json")


class Job(msgspec.Struct, frozen=True):
    """The things to print, the deck's name and version, and whether the deck is an owner's."""

    things: tuple[Printed, ...]
    deck: str
    paper: PaperName
    language: Language
    is_owners: bool = False


def pdf_of(job: Job) -> bytes:
    """Return the PDF file; raises `TooLarge` if something does not fit on the paper."""
    register_fonts()
    paper = PAPERS[job.paper]
    pages = sheets(job.things, paper)
    file = BytesIO()
    size = (paper.width * mm, paper.height * mm)
    canvas = Canvas(file, pagesize=size, invariant=1, lang=job.language, initialFontName=REGULAR)
    canvas.setTitle(f"{job.deck}: {WORDS.only(job.language)['owner' if job.is_owners else 'house']}")
    canvas.setAuthor("citytable")
    canvas.setCreator("citytable")
    canvas.setViewerPreference("PrintScaling", "None")  # what a dialogue for printing begins with (ISO 32000-1, 12.2)
    canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    for number, places in enumerate(pages, start=1):
        for side in ("front", "back"):
            millimetres(canvas)
            brush = Brush(canvas, paper.height)
            _things(canvas, places, side, paper)
            if side == "front":
                _cutting_lines(brush, places, paper)
            _margin(brush, job, WORDS.text(side, n=number, all=len(pages))[job.language], paper)
            canvas.showPage()
    canvas.save()
    return file.getvalue()


def _things(canvas: Canvas, places: Sequence[Place], side: str, paper: Paper) -> None:
    for front in places:
        is_front = side == "front"
        place = front if is_front else mirrored(front, paper)
        canvas.saveState()
        _into(canvas, place, paper, is_front=is_front)
        printed = place.printed
        draw_face(Brush(canvas, printed.size_mm[1]), printed.front if is_front else printed.back, printed)
        canvas.restoreState()


def _into(canvas: Canvas, place: Place, paper: Paper, *, is_front: bool) -> None:
    """Move to the lower left corner of a thing, upright as it is read; a turned one is turned back on its back."""
    bottom = paper.height - place.y - place.height
    if not place.turned:
        canvas.translate(place.x, bottom)
    elif is_front:
        canvas.translate(place.x + place.width, bottom)
        canvas.rotate(90)
    else:
        canvas.translate(place.x, bottom + place.height)
        canvas.rotate(-90)


def _cutting_lines(brush: Brush, places: Sequence[Place], paper: Paper) -> None:
    for place in places:
        box = Box(place.x, place.y, place.width, place.height)
        if place.printed.shape == "hexagon":
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            corners = hexagon(middle, place.printed.size_mm[0])
            turned = [(middle[0] + y - middle[1], middle[1] + x - middle[0]) for x, y in corners]
            brush.polygon(turned if place.turned else corners, stroke=GREY, width=_CUT)
            continue
        brush.rectangle(box, stroke=GREY, width=_CUT)
    _ticks(brush, [place for place in places if place.printed.shape == "card"], paper)


def _ticks(brush: Brush, places: Sequence[Place], paper: Paper) -> None:
    """Lengthen the lines into the margins, where a ruler or a paper cutter finds them."""
    for edge in sorted({edge for place in places for edge in (place.y, place.y + place.height)}):
        at = [place for place in places if edge in {place.y, place.y + place.height}]
        left, right = min(place.x for place in at), max(place.x + place.width for place in at)
        brush.line((max(left - _TICK, UNPRINTABLE), edge), (left, edge), INK, _CUT)
        brush.line((right, edge), (min(right + _TICK, paper.width - UNPRINTABLE), edge), INK, _CUT)
    for place in places:
        for edge in (place.x, place.x + place.width):
            if place.y == TOP:
                brush.line((edge, UNPRINTABLE), (edge, TOP), INK, _CUT)


def _margin(brush: Brush, job: Job, which: str, paper: Paper) -> None:
    words = WORDS.only(job.language)
    right = paper.width - SIDE
    _scale(brush, words["scale"], paper)
    lines = (
        (words["owner" if job.is_owners else "house"], BOLD),
        (f"{job.deck}  ·  {which}", REGULAR),
        (words["how"], REGULAR),
    )
    room = right - SIDE - SCALE_MM - 8
    for k, (text, font) in enumerate(lines):
        size = min(2.7, 2.7 * room / text_width(text, font, 2.7))
        brush.text(text, right - text_width(text, font, size), paper.height - 14.2 + 3.6 * k, size, font, INK)


def _scale(brush: Brush, label: str, paper: Paper) -> None:
    """Draw a bar of 50 mm, to be measured with a ruler after printing."""
    y, left = paper.height - 7.5, SIDE
    brush.line((left, y), (left + SCALE_MM, y), INK, 0.25)
    for k in range(6):
        brush.line((left + 10 * k, y - (2.0 if k in {0, 5} else 1.2)), (left + 10 * k, y), INK, 0.25)
    brush.text(label, left + (SCALE_MM - text_width(label, REGULAR, 2.7)) / 2, y - 3.6, 2.7)
