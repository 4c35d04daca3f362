"""Draws the cables of a station as SVG, each with both ends, its colours and its length, and the rate pin of an HX711.

stations.py writes the drawings to docs/pictures/build. They show what `hardware/harness/` and the parts list say.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

INK, PAPER, NEW = "#5b6470", "#ffffff", ("#ffd9a8", "#9a3b00")
COLOURS = {
    "BK": "#1c1c1c",
    "BN": "#7a4a21",
    "BU": "#2563c9",
    "GN": "#2e8b3d",
    "OG": "#e67a17",
    "RD": "#d0202a",
    "VT": "#7d3bb0",
    "WH": "#ffffff",
    "YE": "#e8c51c",
}
WIDTH, WIRE_PX, GAP_PX, HEAD_PX = 720, 18, 26, 22
LEFT_X, BOX_PX = 180, 62  # where the left end's box ends; how wide a box is
HX711 = (  # its data sheet, pins 1 to 16
    ("VSUP", "BASE", "AVDD", "VFB", "AGND", "VBG", "INA-", "INA+"),
    ("DVDD", "RATE", "XI", "XO", "DOUT", "PD_SCK", "INB+", "INB-"),
)


class Cable(NamedTuple):
    """One kind of cable of a station: its name, how many there are, its length, and its WireViz file's content."""

    name: str
    number: int
    length_mm: int
    wired: dict[str, Any]


def ends(cable: Cable) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both connectors of a cable."""
    one, two = cable.wired["connectors"].values()
    return one, two


def cables_svg(cables: list[Cable]) -> str:
    """Return the drawing of a station's cables, one below the other."""
    body: list[str] = []
    y = 12.0
    for cable in cables:
        body += _drawn(cable, y)
        y += HEAD_PX + WIRE_PX * len(ends(cable)[0]["pinlabels"]) + GAP_PX
    return _svg(body, y)


def rate_svg() -> str:
    """Return the drawing of an HX711 from above, whose RATE is joined to DVDD."""
    body, top, step, x, wide = [], 24, 24, 130, 180
    body.append(f'<rect x="{x}" y="{top}" width="{wide}" height="{8 * step}" rx="4" fill="#f4f5f6" stroke="{INK}"/>')
    body.append(f'<circle cx="{x + 14}" cy="{top + 14}" r="5" fill="none" stroke="{INK}"/>')
    body.append(_text(x + wide / 2, top + 4 * step + 5, "HX711, from above", "middle"))
    for row in range(8):
        y = top + step * (row + 0.5)
        for pin, name, edge, out in (
            (row + 1, HX711[0][row], x, -1),
            (16 - row, HX711[1][row], x + wide, 1),
        ):
            fill, ink = NEW if name in {"RATE", "DVDD"} else (PAPER, INK)
            left = edge if out > 0 else edge - 24
            body.append(f'<rect x="{left}" y="{y - 6}" width="24" height="12" fill="{fill}" stroke="{ink}"/>')
            body.append(_text(edge + 32 * out, y + 5, f"{pin} {name}", "start" if out > 0 else "end", ink))
    y1, y2, at = top + step / 2, top + step * 1.5, x + wide + 12
    body.append(f'<path d="M{at} {y1}L{at} {y2}" stroke="{NEW[1]}" stroke-width="4"/>')
    body.append(_text(x + wide + 110, y2 + 5, "lift 15 off its pad and join it to 16", "start", NEW[1]))
    return _svg(body, top + 8 * step + 20)


def _drawn(cable: Cable, y: float) -> Iterator[str]:
    one, two = ends(cable)
    (cord,) = cable.wired["cables"].values()
    named = f"{cable.number} x {cable.name}: {cable.length_mm} mm, {cord['gauge']}"
    yield _text(12, y + 14, named, "start", NEW[1])
    top, high = y + HEAD_PX, WIRE_PX * len(cord["colors"])
    right_x = WIDTH - LEFT_X
    for x, end, side in ((LEFT_X - BOX_PX, one, -1), (right_x, two, 1)):
        yield f'<rect x="{x}" y="{top}" width="{BOX_PX}" height="{high}" fill="#f4f5f6" stroke="{INK}"/>'
        beside = x - 8 if side < 0 else x + BOX_PX + 8
        yield _text(beside, top + high / 2 + 4, end["notes"], "end" if side < 0 else "start")
    for k, (colour, left, right) in enumerate(zip(cord["colors"], one["pinlabels"], two["pinlabels"], strict=True)):
        at = top + WIRE_PX * (k + 0.5)
        for ink, px in ((INK, 7), (COLOURS[colour], 5)):
            yield f'<path d="M{LEFT_X} {at}L{right_x} {at}" stroke="{ink}" stroke-width="{px}"/>'
        yield _text(LEFT_X - BOX_PX / 2, at + 4, left, "middle")
        yield _text(right_x + BOX_PX / 2, at + 4, right, "middle")
        yield f'<rect x="{WIDTH / 2 - 14}" y="{at - 8}" width="28" height="16" fill="{PAPER}"/>'
        yield _text(WIDTH / 2, at + 4, colour, "middle")


def _text(x: float, y: float, text: str, anchor: str, ink: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{ink}">{text}</text>'


def _svg(body: list[str], height: float) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
    paper = f'<rect width="{WIDTH}" height="{height:.0f}" fill="{PAPER}"/>'
    return "\n".join([f'{head} font-family="sans-serif" font-size="12">', paper, *body, "</svg>"]) + "\n"
