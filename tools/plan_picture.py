"""Draws two plans as SVG, seen from above: where a supply's slots lie on its tray, and what lies in a card's slot.

stations.py writes them to docs/pictures/build. Every measure is one of `hardware/cad/dimensions.py`.
"""

from math import cos, pi, sin
from typing import Any

from cable_lengths import dimensions

INK, FAINT, PAPER, NEW = "#9a3b00", "#5b6470", "#ffffff", "#ffd9a8"
FOIL, FERRITE = "#dfe4ea", "#b9bfc7"
MARGIN, CARD_SCALE = 16.0, 4.4
FINGER_MM = 12.0  # the radius of the thumb's notch
SCALE = 1.7
STICKER_MM = 16.0  # from the middle of a card to that of either sticker (docs/howto/tags.md)


BELOW = (
    "dashed: circles in the corners are feet, small ones holes for cables;",
    "the box at the back is the socket's holder, the large one the carrier",
)


class Sheet:
    """A drawing to which shapes are added in millimetres, y up."""

    def __init__(self, left: float, right: float, front: float, back: float, scale: float) -> None:
        """Make an empty one that shows what is between these."""
        self._left, self._back, self._scale = left, back, scale
        self._size = (scale * (right - left) + 2 * MARGIN, scale * (back - front) + 2 * MARGIN)
        self._body: list[str] = []

    def box(self, middle: tuple[float, float], size: tuple[float, float], style: str) -> None:
        """Add a rectangle."""
        (x, y), (wide, high) = self._at(middle), (self._scale * one for one in size)
        where = f'x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        self._body.append(f"<rect {where} {style}/>")

    def disc(self, middle: tuple[float, float], radius: float, style: str) -> None:
        """Add a circle."""
        x, y = self._at(middle)
        self._body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{self._scale * radius:.1f}" {style}/>')

    def line(self, points: list[tuple[float, float]], style: str) -> None:
        """Add a line from point to point."""
        joined = "L".join("{:.1f} {:.1f}".format(*self._at(point)) for point in points)
        self._body.append(f'<path d="M{joined}" {style}/>')

    def text(self, at: tuple[float, float], text: str, px: int = 13, anchor: str = "middle") -> None:
        """Add words, their middle here, or their start or end."""
        x, y = self._at(at)
        style = f'text-anchor="{anchor}" font-size="{px}" fill="{INK}"'
        self._body.append(f'<text x="{x:.1f}" y="{y + px / 3:.1f}" {style}>{text}</text>')

    def svg(self) -> str:
        """Return the drawing."""
        wide, high = self._size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}"'
        paper = f'<rect width="{wide:.0f}" height="{high:.0f}" fill="{PAPER}"/>'
        return "\n".join([f'{head} font-family="sans-serif">', paper, *self._body, "</svg>"]) + "\n"

    def _at(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        return MARGIN + self._scale * (x - self._left), MARGIN + self._scale * (self._back - y)


def drawn(fill: str, stroke: str = FAINT, dashed: bool = False) -> str:
    """Return the style of a shape."""
    return f'fill="{fill}" stroke="{stroke}"' + (' stroke-dasharray="6 4"' if dashed else "")


def card_size(d: Any) -> tuple[float, float]:
    """Return the floor of a card's slot: a card has 1 mm of play."""
    return d.CARD[0] + 1.0, d.CARD[1] + 1.0


def from_corner(d: Any, at: tuple[float, float]) -> tuple[float, float]:
    """Return how far a place is from the left and from the front edge of a supply's tray."""
    left, _, front, _ = d.SUPPLY
    return at[0] - left, at[1] - front


def tray_svg() -> str:
    """Return the tray from above: the middle of each slot from its left and its front edge; dashed is what is below."""
    d = dimensions()
    left, right, front, back = d.SUPPLY
    sheet = Sheet(left, right, front - 12 * len(BELOW), back, SCALE)
    sheet.box(((left + right) / 2, (front + back) / 2), (right - left, back - front), drawn(PAPER))
    sheet.box(d.SUPPLY_BOARD_AT, d.BOARD, drawn("none", dashed=True))
    for name, row in (("card", d.SUPPLY_CARDS_AT), ("landmark", d.SUPPLY_LANDMARKS_AT)):
        for k, at in enumerate(row, 1):
            _card_slot(sheet, d, at, f"{name} {k}")
    radius = (d.TILE_FLAT / 2 + 0.75 + d.WALL) * 2 / 3**0.5
    for k, (x, y) in enumerate(d.SUPPLY_PLATFORMS_AT):
        corners = [(x + radius * cos(a), y + radius * sin(a)) for a in (pi / 6 + j * pi / 3 for j in range(7))]
        sheet.line(corners, drawn(NEW, INK))
        _slot(sheet, d, (x, y), (x, y), f"platform {k + 1}")
    _below(sheet, d)
    return sheet.svg()


def _card_slot(sheet: Sheet, d: Any, at: tuple[float, float], name: str) -> None:
    """Add the slot of a card on a tray, with the room of its reader and its pin."""
    (x, y), (wide, long) = at, card_size(d)
    sheet.box((x + d.CARD_READER_AT_X, y), (d.READER[0] + 2 * d.WALL, d.READER[1] + 2 * d.WALL), drawn(NEW, INK))
    sheet.box(at, (wide + 2 * d.WALL, long + 2 * d.WALL), drawn(NEW, INK))
    sheet.disc((x, y + long / 2), d.NOTCH_PIN, drawn(PAPER, INK))
    _slot(sheet, d, at, (x + d.CARD_CABLE_AT_X, y), name)


def _below(sheet: Sheet, d: Any) -> None:
    """Add the feet and the holder of the socket over the slots, and below the tray what is dashed."""
    for x, y in d.SUPPLY_FEET:
        sheet.disc((x, y), d.FOOT[0] / 2, drawn("none", dashed=True))
    x, y = d.SUPPLY_SOCKET_AT
    sheet.box((x, y - d.SOCKET_DEEP / 2), (d.SOCKET[1], d.SOCKET_DEEP), drawn("none", dashed=True))
    for k, line in enumerate(BELOW, 1):
        sheet.text((d.SUPPLY[0], d.SUPPLY[2] - 11 * k), line, anchor="start")


def _slot(sheet: Sheet, d: Any, at: tuple[float, float], hole: tuple[float, float], name: str) -> None:
    sheet.disc(hole, d.CABLE[0] / 2, drawn("none", dashed=True))
    x, y = at
    sheet.line([(x - 4, y), (x + 4, y)], drawn("none", INK))
    sheet.line([(x, y - 4), (x, y + 4)], drawn("none", INK))
    from_left, from_front = from_corner(d, at)
    at_y = y - 20 if y > d.SUPPLY_FEET[0][1] / 2 else y + 34  # in the front row the feet are below
    sheet.text((x, y + 18), name)
    sheet.text((x, at_y), f"{from_left:g} / {from_front:g}", 15)


def card_svg() -> str:
    """Return a card's slot from above: the reader below its left half, foil and ferrite on its right, and the wire."""
    d = dimensions()
    wide, long = card_size(d)
    pocket = (d.READER[0] + 2 * d.WALL, d.READER[1] + 2 * d.WALL)
    sheet = Sheet(d.CARD_READER_AT_X - pocket[0] / 2 - 2, wide / 2 + 6, -long / 2 - 18, long / 2 + 6, CARD_SCALE)
    reader = (d.CARD_READER_AT_X, 0.0)
    sheet.box(reader, pocket, drawn(NEW, INK))
    sheet.box((0, 0), (wide + 2 * d.WALL, long + 2 * d.WALL), drawn(NEW, INK))
    sheet.box((0, 0), (wide, long), drawn(PAPER, INK))
    sheet.box((wide / 4, 0), (wide / 2, long), drawn(FOIL))
    sheet.disc((STICKER_MM, 0), d.CARD_FERRITE / 2, drawn(FERRITE))
    sheet.box(reader, d.READER[:2], drawn("none", dashed=True))
    sheet.disc((d.CARD_CABLE_AT_X, 0), d.CABLE[0] / 2, drawn("none", dashed=True))
    sheet.disc((0, long / 2), d.NOTCH_PIN, drawn(NEW, INK))
    front = -long / 2
    sheet.box((0, front - d.WALL / 2), (2 * FINGER_MM, d.WALL), drawn(PAPER, INK))
    wire = 'fill="none" stroke="#000000" stroke-width="3"'
    sheet.line([(5, front + 20), (5, front - d.WALL - 3)], wire)
    sheet.line([(5, front - d.WALL - 3), (d.CARD_READER_AT_X, -d.READER[1] / 2)], f'{wire} stroke-dasharray="8 5"')
    sheet.text((wide / 4, 24), f"foil {wide / 2:g} x {long:g}")
    sheet.text((wide / 4, 0), "ferrite")
    sheet.text((d.CARD_READER_AT_X, 15), "reader, below")
    sheet.text((d.CARD_CABLE_AT_X, 0), "hole")
    sheet.text((-14, long / 2 - 4), "pin")
    sheet.text((20, front - 9), "wire to GND")
    return sheet.svg()
