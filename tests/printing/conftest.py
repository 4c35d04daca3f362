"""Reads sheets back with pypdf, which shares no code with the library that writes them."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

from citytable.games import box_of
from citytable.printing.pdf import Job, pdf_of

MM = 72 / 25.4
_SAME = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_PATH = {b"m": 1, b"l": 1, b"c": 3, b"re": 2}


@dataclass(frozen=True)
class Text:
    """A line of text: where its first letter begins, in millimetres from the upper left corner."""

    words: str
    x: float
    y: float


@dataclass(frozen=True)
class Outline:
    """A path that was painted: the box around its points, how wide its line is, and what it is filled with."""

    left: float
    top: float
    right: float
    bottom: float
    line_mm: float
    fill: str

    @property
    def is_hair_line(self) -> bool:
        return not self.fill and abs(self.line_mm - 0.1) < 1e-4

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass
class Sheet:
    """A page."""

    width: float
    height: float
    fonts: dict[str, bool]
    texts: list[Text] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)

    def cut(self) -> list[Outline]:
        """Return what is to be cut out: the closed outlines in hair lines."""
        return [one for one in self.outlines if one.is_hair_line and one.right > one.left and one.bottom > one.top]

    def in_box(self, box: Outline) -> list[str]:
        return [text.words for text in self.texts if box.holds(text.x, text.y)]


def _times(one: Any, other: Any) -> tuple[float, ...]:
    a, b, c, d, e, f = map(float, one)
    g, h, i, j, k, m = map(float, other)
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _texts(page: PageObject, height: float) -> Iterator[Text]:
    found: list[Text] = []

    def see(words: str, matrix: Any, line: Any, _font: Any, _size: float) -> None:
        if words.strip():
            *_, x, y = _times(line, matrix)
            found.append(Text(words.strip(), x / MM, height - y / MM))

    page.extract_text(visitor_text=see)
    yield from found


def _points(values: Any, operator: bytes) -> list[tuple[float, float]]:
    numbers = list(map(float, values))
    if operator == b"re":
        x, y, width, height = numbers
        numbers = [x, y, x + width, y + height]
    return [(numbers[k], numbers[k + 1]) for k in range(0, 2 * _PATH[operator], 2)]


def _outlines(page: PageObject, reader: PdfReader, height: float) -> Iterator[Outline]:
    matrix, width, fill, kept, points = _SAME, 1.0, "", [], []
    for values, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"q":
            kept.append((matrix, width, fill))
        elif operator == b"Q":
            matrix, width, fill = kept.pop()
        elif operator == b"cm":
            matrix = _times(values, matrix)
        elif operator == b"w":
            width = float(values[0])
        elif operator == b"rg":
            fill = "#" + "".join(f"{round(255 * float(value)):02x}" for value in values)
        elif operator == b"n":
            points = []
        elif operator in _PATH:
            points += _points(values, operator)
        elif operator in {b"S", b"f", b"f*", b"B", b"B*", b"s", b"b", b"b*"}:
            placed = [_times((1, 0, 0, 1, *point), matrix)[4:] for point in points]
            xs, ys = [x / MM for x, _ in placed], [height - y / MM for _, y in placed]
            line = width * abs(matrix[0] or matrix[1]) / MM
            yield Outline(min(xs), min(ys), max(xs), max(ys), line, "" if operator in b"Ss" else fill)
            points = []


def read(content: bytes, most: int | None = None) -> list[Sheet]:
    """Return the pages of a PDF file, or the first of them."""
    reader = PdfReader(io.BytesIO(content), strict=True)
    sheets = []
    for page in reader.pages[:most]:
        width, height = float(page.mediabox.width) / MM, float(page.mediabox.height) / MM
        named = (font.get_object() for font in page["/Resources"]["/Font"].values())
        fonts = {str(font["/BaseFont"]): "/FontFile2" in font["/FontDescriptor"] for font in named}
        sheet = Sheet(width, height, fonts)
        sheet.texts += _texts(page, height)
        sheet.outlines += _outlines(page, reader, height)
        sheets.append(sheet)
    return sheets


@cache
def _printed(game: str, paper: Any, language: Any) -> list[Sheet]:
    return read(pdf_of(Job(box_of(game).printed(language), f"{game}: deck, version", paper, language)))


@pytest.fixture(scope="session")
def printed() -> Callable[[str, str, str], list[Sheet]]:
    """Prints a game's house deck and reads it back: game, paper, language."""
    return _printed


@pytest.fixture(scope="session")
def read_back() -> Callable[[bytes], list[Sheet]]:
    return read
