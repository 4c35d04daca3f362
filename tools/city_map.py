"""Draws the map of the city as SVG: which hex of the hub lies where, and which place of which station it is.

stations.py writes it to docs/pictures/build. Hexes lie as `hardware/cad/dimensions.py` puts them.
"""

from math import cos, pi, sin

from cable_lengths import dimensions

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan

SCALE, MARGIN = 0.95, 14.0
FILLS = ("#ffe2bd", "#d9ecd4", "#d5e4f7", "#f7d6d9", "#e6dcf3", "#f3efc9")
PARK, INK, PAPER = "#ffffff", "#5b6470", "#ffffff"


def svg() -> str:
    """Return the map, seen from above, the host's side of the screens below."""
    d = dimensions()
    reach = d.PITCH * (d.RADIUS + 0.6) * SCALE + MARGIN
    body = []
    sectors = 0
    for station in full_plan("table", 2, shared_spots(), ()).stations:
        if station.kind not in {"sector", "park"}:
            continue
        fill = FILLS[sectors % 6] if station.kind == "sector" else PARK
        sectors += station.kind == "sector"
        for place, spot in enumerate(station.spots, 1):
            q, r = map(int, spot.spot.split("/")[1:])
            x, y = d.centre(q, r)
            at_x, at_y = reach + SCALE * x, reach - SCALE * y
            named = f"{station.station.replace('sector-', '')}.{place}" if station.kind == "sector" else "park"
            body += [_hexagon(at_x, at_y, SCALE * d.PLATE_FLAT / 3**0.5, fill)]
            body += [_text(at_x, at_y - 2, f"{q}/{r}", 17), _text(at_x, at_y + 18, named, 13)]
    size = 2 * reach
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size:.0f} {size:.0f}" width="{size:.0f}"'
    paper = f'<rect width="{size:.0f}" height="{size:.0f}" fill="{PAPER}"/>'
    return "\n".join([f'{head} font-family="sans-serif">', paper, *body, "</svg>"]) + "\n"


def _hexagon(x: float, y: float, radius: float, fill: str) -> str:
    corners = (pi / 6 + k * pi / 3 for k in range(6))
    points = " ".join(f"{x + radius * cos(angle):.1f},{y + radius * sin(angle):.1f}" for angle in corners)
    return f'<polygon points="{points}" fill="{fill}" stroke="{INK}"/>'


def _text(x: float, y: float, text: str, px: int) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{px}" fill="{INK}">{text}</text>'
