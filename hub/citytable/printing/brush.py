"""A brush on a PDF page: marks, and texts that fit their place. Millimetres, y downward, as the faces have them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import as_file, files
from typing import NamedTuple

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from citytable.table.printed import Mark

INK, PAPER, GREY, FAINT = "#1c1f24", "#ffffff", "#5d636b", "#e9ebee"
REGULAR, BOLD = "Archivo", "Archivo-Bold"
_FILES = {REGULAR: "archivo-regular.ttf", BOLD: "archivo-bold.ttf"}
_UNITS = 24  # across a mark
_DETAIL = 0.9  # the width of lines in coloured marks
_LINE = 1.16  # from line to line, in sizes
_MIDDLE = 0.35  # from the middle of a line's letters down to its foot, in sizes
_SMALLER = 0.96
_NARROW_SPACE = str.maketrans("\u202f", "\u00a0")  # the font has no narrow one


class Box(NamedTuple):
    """A rectangle: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, by: float) -> "Box":
        """Return the box without a border of this width."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


def register_fonts() -> None:
    """Make Archivo known to the PDF library; it embeds the letters that a file uses."""
    for name, file in _FILES.items():
        with as_file(files(__package__ or "").joinpath("fonts", file)) as path:
            pdfmetrics.registerFont(TTFont(name, str(path)))


@lru_cache(maxsize=512)
def _strokes(svg: str) -> tuple[tuple[str, tuple[tuple[float, float], ...]], ...]:
    pen = RecordingPen()
    parse_path(svg, pen)
    return tuple(pen.value)


def text_width(text: str, font: str, size: float) -> float:
    """Return how wide a line is."""
    return float(pdfmetrics.stringWidth(text.translate(_NARROW_SPACE), font, size))


class Brush:
    """Draws on a canvas whose unit is the millimetre, within a frame of this height."""

    def __init__(self, canvas: Canvas, height: float) -> None:
        self._canvas, self._height = canvas, height

    def _ink(self, fill: str, stroke: str = "", width: float = 0.0) -> None:
        if fill:
            self._canvas.setFillColor(HexColor(fill))
        if stroke:
            self._canvas.setStrokeColor(HexColor(stroke))
            self._canvas.setLineWidth(width)

    def rectangle(self, box: Box, fill: str = "", stroke: str = "", width: float = 0.2, radius: float = 0.0) -> None:
        """Draw a rectangle, perhaps with round corners."""
        self._ink(fill, stroke, width)
        y = self._height - box.y - box.height
        paint = {"fill": int(bool(fill)), "stroke": int(bool(stroke))}
        if radius:
            self._canvas.roundRect(box.x, y, box.width, box.height, radius, **paint)
        else:
            self._canvas.rect(box.x, y, box.width, box.height, **paint)

    def polygon(
        self, points: Iterable[tuple[float, float]], fill: str = "", stroke: str = "", width: float = 0
    ) -> None:
        """Draw a polygon."""
        self._ink(fill, stroke, width)
        path = self._canvas.beginPath()
        first, *others = points
        path.moveTo(first[0], self._height - first[1])
        for x, y in others:
            path.lineTo(x, self._height - y)
        path.close()
        self._canvas.drawPath(path, fill=int(bool(fill)), stroke=int(bool(stroke)))

    def circle(
        self, at: tuple[float, float], diameter: float, fill: str = "", stroke: str = "", width: float = 0
    ) -> None:
        """Draw a circle."""
        self._ink(fill, stroke, width)
        paint = {"fill": int(bool(fill)), "stroke": int(bool(stroke))}
        self._canvas.circle(at[0], self._height - at[1], diameter / 2, **paint)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: str, width: float) -> None:
        """Draw a line."""
        self._ink("", colour, width)
        self._canvas.line(start[0], self._height - start[1], end[0], self._height - end[1])

    @contextmanager
    def dashed(self) -> Iterator[None]:
        """Draw with a dashed line."""
        self._canvas.setDash(1.2, 0.9)
        yield
        self._canvas.setDash()

    def mark(self, mark: Mark, middle: tuple[float, float], size: float, ink: str = INK) -> None:
        """Draw a mark around its middle."""
        canvas, colour = self._canvas, mark.colour or ink
        canvas.saveState()
        canvas.translate(middle[0] - size / 2, self._height - middle[1] + size / 2)
        canvas.scale(size / _UNITS, -size / _UNITS)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        self._ink(colour, colour, 2)
        if mark.fill:
            canvas.drawPath(self._path(mark.fill), fill=1, stroke=0)
        if mark.colour:  # outlines and details in ink: a light one still shows on paper
            self._ink("", INK, _DETAIL)
            canvas.drawPath(self._path(mark.fill), fill=0, stroke=1)
        if mark.stroke:
            canvas.drawPath(self._path(mark.stroke), fill=0, stroke=1)
        canvas.restoreState()

    def _path(self, svg: str) -> object:
        path = self._canvas.beginPath()
        draw = {"moveTo": path.moveTo, "lineTo": path.lineTo, "curveTo": path.curveTo}
        for name, points in _strokes(svg):
            if name in draw:
                draw[name](*(number for point in points for number in point))
            elif name == "closePath":
                path.close()
        return path

    def text(self, text: str, x: float, middle: float, size: float, font: str = REGULAR, ink: str = INK) -> None:
        """Write one line from x on, with its letters around a height."""
        self._ink(ink)
        self._canvas.setFont(font, size)
        self._canvas.drawString(x, self._height - middle - _MIDDLE * size, text.translate(_NARROW_SPACE))

    def fitted(
        self, text: str, box: Box, largest: float, font: str = REGULAR, ink: str = INK, *, centred: bool = True
    ) -> None:
        """Write a text into a box, in lines as large as fit, up to a size."""
        if not text or min(box.width, box.height) <= 0:
            return
        size, lines = fit(text, box.width, box.height, largest, font)
        top = box.y + (box.height - len(lines) * size * _LINE) / 2
        for k, line in enumerate(lines):
            x = box.x + (box.width - text_width(line, font, size)) / 2 if centred else box.x
            self.text(line, x, top + (k + 0.5) * size * _LINE, size, font, ink)


def fit(text: str, width: float, height: float, largest: float, font: str) -> tuple[float, list[str]]:
    """Return the size and the lines with which a text fits into the room; words stay whole."""
    size = largest
    while True:
        lines = _lines(text, width, size, font)
        if len(lines) * size * _LINE <= height and all(text_width(line, font, size) <= width for line in lines):
            return size, lines
        size *= _SMALLER


def _lines(text: str, width: float, size: float, font: str) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else ""
        if lines and text_width(longer, font, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def millimetres(canvas: Canvas) -> None:
    """Make the millimetre the canvas's unit."""
    canvas.scale(mm, mm)
