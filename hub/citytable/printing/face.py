"""One side of a card or tile, drawn from its values: a band with the title, then rows; a back has a mark in the middle.

Everything stays within a white border, so that a cut that goes a little astray meets no colour.
"""

import math
from collections.abc import Iterator

from citytable.printing.brush import BOLD, FAINT, GREY, INK, PAPER, REGULAR, Box, Brush, text_width
from citytable.table.printed import STICKER_MM, Cell, Face, Patch, Printed, Row, Seat

_CARD = 63.0  # the width of a card on which the sizes below are as they are
_BORDER, _BAND, _FOOT, _LABEL = 2.4, 15.0, 4.0, 3.6
_LEAST = 1.8  # the size of the smallest letters that are meant to be read
_SHORT, _NUMBER = 14, 3  # letters of a text that may be large, and of a title that may
_VALUE, _SMALL_MARK = 0.6, 0.66  # of the band's room is its number at most; a mark beside it, in sizes of its letters
_WIDE = 1.5  # a frame wider than this part of its height has its parts beside each other
_IN_FRAME = 0.54  # of a frame's part is its mark at most
_PROSE, _LEAST_PROSE = 4.1, 3.1  # the size of running text, and of that on a small tile
_MARKS_ABOVE = 0.64  # of a cell whose text stands below its marks


def draw_face(brush: Brush, face: Face, printed: Printed) -> None:
    """Draw a side of something with the brush's frame as its outline."""
    width, height = printed.size_mm
    unit = min(width, height) / _CARD
    whole = Box(0, 0, width, height).inset(max(_BORDER * unit, 1.3))
    if face.ground:
        _tile(brush, face, (width, height))
    elif face.rows:
        _front(brush, face, whole, unit)
    else:
        _back(brush, face, whole, unit)
    for seat in face.seats:
        _seat(brush, seat)


def hexagon(middle: tuple[float, float], across: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon with a corner at its top; `across` is from flat to flat."""
    radius = across / math.sqrt(3)
    angles = (math.radians(60 * k - 90) for k in range(6))
    return [(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles]


def _front(brush: Brush, face: Face, whole: Box, unit: float) -> None:
    band = Box(whole.x, whole.y, whole.width, _BAND * unit)
    _band(brush, face, band, unit)
    foot = max(_FOOT * unit, 1.5 * _LEAST) if face.foot else 0.0
    top = whole.y + band.height
    body = Box(whole.x, top, whole.width, whole.height - band.height - foot)
    _rows(brush, face.rows, body, unit)
    brush.rectangle(whole, stroke=face.colour, width=0.35, radius=1.6 * unit)
    below = Box(whole.x + 1.5 * unit, body.y + body.height, whole.width - 3 * unit, foot)
    brush.fitted(face.foot, below, max(2.2 * unit, _LEAST), ink=GREY)


def _band(brush: Brush, face: Face, band: Box, unit: float) -> None:
    brush.rectangle(band, fill=face.colour, radius=1.6 * unit)
    pad = 1.5 * unit
    size = band.height - 2 * pad
    middle = band.y + band.height / 2
    brush.mark(face.mark, (band.x + pad + size / 2, middle), size, PAPER)
    left, right = band.x + size + 2.4 * pad, band.x + band.width - pad
    if face.value.text:
        right -= _value(brush, face.value, Box(left, band.y, right - left, band.height), size)
    room = Box(left, band.y + pad / 2, right - left - pad, band.height - pad)
    largest = 5.2 if len(face.title) > _NUMBER else 9.0
    brush.fitted(face.title, room, largest * unit, BOLD, PAPER, centred=False)


def _value(brush: Brush, value: Cell, room: Box, size: float) -> float:
    """Write the number at the room's right end with its marks before it, and return how wide both are."""
    full = text_width(value.text, BOLD, 1.0) + _SMALL_MARK * len(value.marks)
    letters = min(size * 0.95, room.width * _VALUE / full)
    right, middle = room.x + room.width, room.y + room.height / 2
    width = text_width(value.text, BOLD, letters)
    brush.text(value.text, right - width, middle, letters, BOLD, PAPER)
    step = letters * _SMALL_MARK
    for k, mark in enumerate(value.marks):
        brush.mark(mark, (right - width - step * (k + 0.55), middle), step * 0.87, PAPER)
    return full * letters


def _rows(brush: Brush, rows: tuple[Row, ...], body: Box, unit: float) -> None:
    share = body.height / sum(row.share for row in rows)
    y = body.y
    for row in rows:
        box = Box(body.x, y, body.width, row.share * share)
        if row.shaded:
            brush.rectangle(Box(box.x + 0.2, box.y, box.width - 0.4, box.height), fill=FAINT)
        elif y > body.y:
            brush.line((box.x + 2 * unit, y), (box.x + box.width - 2 * unit, y), FAINT, 0.25)
        _row(brush, row, box, unit)
        y += box.height


def _row(brush: Brush, row: Row, box: Box, unit: float) -> None:
    label = _LABEL * unit if row.label else 0.0
    above = Box(box.x + 2 * unit, box.y + 0.8 * unit, box.width - 4 * unit, label)
    brush.fitted(row.label, above, 2.7 * unit, REGULAR, GREY, centred=False)
    inner = Box(box.x + 1.5 * unit, box.y + label, box.width - 3 * unit, box.height - label)
    boxes = list(_side_by_side(row.cells, inner))
    size = _mark_size(row, boxes)
    frames = [list(_parts(cell, place)) for cell, place in zip(row.cells, boxes, strict=True)]
    within = min(
        (one for cell, parts in zip(row.cells, frames, strict=True) for one in _sizes(cell, parts)), default=0.0
    )
    for cell, place, parts in zip(row.cells, boxes, frames, strict=True):
        if cell.parts:
            _frame(brush, cell, place, parts, within)
        elif row.prose:
            brush.fitted(cell.text, place, max(_PROSE * unit, _LEAST_PROSE))
        else:
            _cell(brush, cell, place, unit, size, stacked=row.stacked)


def _side_by_side(cells: tuple[Cell, ...], inner: Box) -> Iterator[Box]:
    """Yield a box for each cell; one with several marks is wider."""
    weights = [max(1, len(cell.marks)) for cell in cells]
    x = inner.x
    for weight in weights:
        width = inner.width * weight / sum(weights)
        yield Box(x, inner.y, width, inner.height).inset(min(width, inner.height) * 0.07)
        x += width


def _mark_size(row: Row, boxes: list[Box]) -> float:
    """Return the size of a row's marks, with room for the texts below or beside them."""
    marked = [(cell, box) for cell, box in zip(row.cells, boxes, strict=True) if cell.marks]
    sizes = [box.width * (1.0 if row.stacked or not cell.text else 0.4) / len(cell.marks) for cell, box in marked]
    share = _MARKS_ABOVE if row.stacked and any(cell.text for cell in row.cells) else 1.0
    return min([*sizes, *(box.height * share for _, box in marked)], default=0.0)


def _parts(cell: Cell, box: Box) -> Iterator[Box]:
    """Yield a box for each part of a frame: beside each other where the frame is wide, else below each other."""
    inner, count = box.inset(0.6), len(cell.parts)
    if not count:
        return
    across = box.width > _WIDE * box.height
    width, height = (inner.width / count, inner.height) if across else (inner.width, inner.height / count)
    for k in range(count):
        x, y = (inner.x + k * width, inner.y) if across else (inner.x, inner.y + k * height)
        yield Box(x, y, width, height).inset(min(width, height) * 0.07)


def _sizes(cell: Cell, parts: list[Box]) -> Iterator[float]:
    """Yield how large the marks of each part of a frame may be."""
    for part, box in zip(cell.parts, parts, strict=True):
        yield min(box.height, box.width * _IN_FRAME / max(1, len(part.marks)))


def _frame(brush: Brush, cell: Cell, box: Box, parts: list[Box], size: float) -> None:
    """Draw a frame with its parts; their marks have one size in all frames of a row."""
    brush.rectangle(box, fill=PAPER, stroke=INK, width=0.3, radius=min(box.width, box.height) * 0.1)
    for part, place in zip(cell.parts, parts, strict=True):
        _beside(brush, part, place, size, size)


def _cell(brush: Brush, cell: Cell, box: Box, unit: float, size: float, *, stacked: bool) -> None:
    largest = (7.5 if len(cell.text) <= _SHORT else 4.3) * unit
    if not cell.marks:
        brush.fitted(cell.text, box, largest, BOLD)
    elif not cell.text:
        _marks(brush, cell, box, size)
    elif stacked:
        _marks(brush, cell, box._replace(height=box.height * _MARKS_ABOVE), size)
        below = box.height * (1 - _MARKS_ABOVE)
        brush.fitted(
            cell.text, Box(box.x, box.y + box.height - below, box.width, below), min(largest, 4.4 * unit), BOLD
        )
    else:
        _beside(brush, cell, box, largest, size)


def _marks(brush: Brush, cell: Cell, box: Box, size: float) -> None:
    left = box.x + (box.width - size * len(cell.marks)) / 2
    for k, mark in enumerate(cell.marks):
        brush.mark(mark, (left + (k + 0.5) * size, box.y + box.height / 2), size * 0.88)


def _beside(brush: Brush, cell: Cell, box: Box, largest: float, size: float) -> None:
    """Draw marks and text side by side, with both in the middle if the text is short."""
    marks = size * len(cell.marks)
    gap = size * 0.14
    room = box.width - marks - gap
    letters = min(largest, box.height * 0.8)
    used = min(room, text_width(cell.text, BOLD, letters) * 1.001) if len(cell.text) <= _SHORT else room
    left = box.x + (box.width - marks - gap - used) / 2
    _marks(brush, cell, box._replace(x=left, width=marks), size)
    brush.fitted(cell.text, Box(left + marks + gap, box.y, used, box.height), letters, BOLD, centred=False)


def _back(brush: Brush, face: Face, whole: Box, unit: float) -> None:
    brush.rectangle(whole, stroke=face.colour, width=max(1.3 * unit, 0.7), radius=2.2 * unit)
    title = Box(whole.x + 3 * unit, whole.y + 1.8 * unit, whole.width - 6 * unit, 8.5 * unit)
    brush.fitted(face.title, title, 5.6 * unit, BOLD, face.colour)
    brush.fitted(face.foot, title._replace(y=whole.y + whole.height - 10 * unit), 4.2 * unit, REGULAR, face.colour)
    middle = (whole.x + whole.width / 2, whole.y + whole.height / 2)
    size = min(whole.width, whole.height) * (0.34 if face.seats else 0.5)
    if len(face.seats) > 1:
        for seat in face.seats:
            brush.mark(face.mark, (seat.at[0], seat.at[1] - 2), STICKER_MM * 0.5, face.colour)
    else:
        brush.mark(face.mark, middle, size, face.colour)


def _seat(brush: Brush, seat: Seat) -> None:
    with brush.dashed():
        brush.circle(seat.at, STICKER_MM, stroke=GREY, width=0.25)
    x, y = seat.at
    for across, along in ((1, 0), (0, 1)):
        brush.line((x - across, y - along), (x + across, y + along), GREY, 0.15)
    if seat.label:
        room = Box(x - STICKER_MM * 0.36, y + STICKER_MM * 0.22, STICKER_MM * 0.72, STICKER_MM * 0.16)
        brush.fitted(seat.label, room, 3.0, REGULAR, GREY)


def _tile(brush: Brush, face: Face, size: tuple[float, float]) -> None:
    """Draw a hexagonal tile: a coloured rim, the places on its ground, its name between them."""
    middle = (size[0] / 2, size[1] / 2)
    brush.polygon(hexagon(middle, size[0] - 5), stroke=face.colour, width=3.0)
    for patch in face.ground:
        _patch(brush, patch)
    mark = (middle[0], size[1] * 0.13)
    brush.mark(face.mark, mark, size[1] * 0.105, face.colour)
    name = Box(size[0] * 0.25, size[1] * 0.19, size[0] * 0.5, size[1] * 0.075)
    brush.fitted(face.title, name, size[1] * 0.055, BOLD, face.colour)
    foot = Box(size[0] * 0.34, size[1] * 0.85, size[0] * 0.32, size[1] * 0.03)  # within the rim, where it narrows
    brush.fitted(face.foot, foot, size[1] * 0.03, REGULAR, GREY)


def _patch(brush: Brush, patch: Patch) -> None:
    if patch.shape == "circle":
        brush.circle(patch.at, patch.size_mm, fill=FAINT, stroke=patch.colour, width=0.8)
    else:
        brush.polygon(hexagon(patch.at, patch.size_mm), fill=PAPER, stroke=patch.colour, width=2.2)
    x, y = patch.at
    room = Box(x - patch.size_mm * 0.4, y + patch.size_mm * 0.14, patch.size_mm * 0.8, patch.size_mm * 0.2)
    brush.fitted(patch.text, room, 2.8, REGULAR, GREY)
