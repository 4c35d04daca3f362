"""Draws a picture of `hardware/cad/` as SVG: lines without those behind, what is new tinted, its name beside it.

It is used by cad.py, in the Python of hardware/cad/.venv.
"""

from collections.abc import Iterable
from math import ceil, dist
from typing import Any, NamedTuple

import numpy as np
from shapely import Polygon, set_precision, unary_union
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

Flat = np.ndarray[Any, np.dtype[np.float64]]

WIDTH = 720.0  # of every drawing, in pixels
MARGIN, LINE_HEIGHT, LETTER_PX = 12.0, 20.0, 14.0
NEW, OLD, PAPER = ("#ffd9a8", "#9a3b00"), ("#f4f5f6", "#5b6470"), "#ffffff"
TOLERANCE = 0.15  # millimetres between a curve and its chords
GRID = 0.01  # millimetres: what a silhouette's corners are rounded to, so that no two computers draw them differently
LEAST = 0.8  # pixels: nothing smaller is drawn

LETTERS = {"mM@W": 0.99, "wN": 0.84, "ijl,.|": 0.32, " -ftrI": 0.42}  # widths in ems, of the widest common font
OTHERS = 0.64

SEEN: dict[Any, tuple[BaseGeometry, list[Flat]]] = {}


class Drawn(NamedTuple):
    """A piece as seen: its silhouette and its visible edges, in millimetres of the paper."""

    label: str
    is_new: bool
    silhouette: BaseGeometry
    edges: list[Flat]
    seen: BaseGeometry


def svg_of(picture: Any, shaken_mm: float = 0.0) -> str:
    """Return the drawing of a picture. Pieces hide those before them in its list.

    `shaken_mm` moves every corner of their silhouettes by about so much, to see whether the drawing stays the same.
    """
    view = _view(picture.look_from)
    drawn = _behind_each_other([_drawn(piece, picture.look_from, view, shaken_mm) for piece in picture.pieces])
    low, high = _bounds(drawn)
    left, right = _columns(drawn, (low[0] + high[0]) / 2)
    room = [
        MARGIN + max((label_px(one.label) for one in side), default=0.0) + (24 if side else 0) for side in (left, right)
    ]
    scale = min((WIDTH - sum(room)) / (high[0] - low[0]), 4.5)
    across = (WIDTH - sum(room) - scale * (high[0] - low[0])) / 2
    height = max(scale * (high[1] - low[1]), LINE_HEIGHT * max(len(left), len(right))) + 2 * MARGIN

    def at(point: Iterable[float]) -> tuple[float, float]:
        x, y = point
        return room[0] + across + scale * (x - low[0]), height / 2 - scale * (y - (low[1] + high[1]) / 2)

    body = [_lines(picture.lines, view, at)] if picture.lines else []
    body += [_piece(one, at) for one in drawn]
    body += _labels(left, at, height, is_left=True) + _labels(right, at, height, is_left=False)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}"'
    style = 'font-family="sans-serif" font-size="14" stroke-linejoin="round" stroke-linecap="round"'
    paper = f'<rect width="{WIDTH:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    return "\n".join([f"{head} {style}>", paper, *body, "</svg>"]) + "\n"


def label_px(text: str) -> float:
    """Return how wide a label is, at most."""
    ems = (next((wide for letters, wide in LETTERS.items() if letter in letters), OTHERS) for letter in text)
    return LETTER_PX * sum(ems)


def _view(look_from: tuple[float, float, float]) -> Flat:
    """Return two rows that project a point to the paper: to the right, and up."""
    towards = np.array(look_from) / np.linalg.norm(look_from)
    right = np.cross((0, 0, 1), towards)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(towards, right)])


def _drawn(piece: Any, look_from: tuple[float, float, float], view: Flat, shaken_mm: float) -> Drawn:
    """Return a piece as seen. Equal pieces that only stand elsewhere look the same, and are looked at once."""
    box = piece.shape.bounding_box()
    corner = np.array(tuple(box.min))
    where = view @ corner
    key = (look_from, shaken_mm, _looks(piece.shape, box, corner))
    if key not in SEEN:
        far = tuple(1000 * k for k in look_from)
        visible, _ = piece.shape.project_to_viewport(far, (0, 0, 1), (0, 0, 0))
        at_origin = translate(_silhouette(piece.shape, view, shaken_mm), *-where)
        SEEN[key] = at_origin, [_chords(edge) - where for edge in visible]
    silhouette, edges = translate(SEEN[key][0], *where), [edge + where for edge in SEEN[key][1]]
    return Drawn(piece.label, piece.is_new, silhouette, edges, silhouette)


def _looks(shape: Any, box: Any, corner: Flat) -> tuple[float, ...]:
    """Return what two pieces of the same shape that are turned the same way have in common."""
    middle = np.array(tuple(shape.center())) - corner
    figures = (shape.volume, shape.area, len(shape.edges()), *tuple(box.size), *middle)
    return tuple(round(float(figure), 1) for figure in figures)


def _behind_each_other(drawn: list[Drawn]) -> list[Drawn]:
    """Return the pieces with what later ones leave visible of each."""
    found, before = [], Polygon()
    for one in reversed(drawn):
        found.append(one._replace(seen=one.silhouette.difference(before)))
        before = before.union(one.silhouette)
    return found[::-1]


def _silhouette(shape: Any, view: Flat, shaken_mm: float) -> BaseGeometry:
    points, triangles = shape.tessellate(TOLERANCE)
    flat = np.array([tuple(point) for point in points]) @ view.T
    flat += np.random.default_rng(1).normal(0.0, shaken_mm, flat.shape)
    return outline([flat[list(three)] for three in triangles])


def outline(faces: Iterable[Flat]) -> BaseGeometry:
    """Return what triangles cover together, its corners on a grid.

    Without the grid a corner where two edges meet lies a little elsewhere on another computer, whose floating point
    rounds otherwise, and a drawing that nobody changed would differ there.
    """
    polygons = [Polygon(np.round(face, 4)) for face in faces]
    covered = unary_union([one.buffer(GRID) for one in polygons if one.area > 1e-6])
    return set_precision(covered, GRID)


def _chords(edge: Any) -> Flat:
    parts = 1 if edge.geom_type.name == "LINE" else max(4, ceil(edge.length / 1.5))
    return np.array([tuple(edge.position_at(k / parts))[:2] for k in range(parts + 1)])


def _bounds(drawn: list[Drawn]) -> tuple[tuple[float, float], tuple[float, float]]:
    boxes = np.array([one.silhouette.bounds for one in drawn])
    return (boxes[:, 0].min(), boxes[:, 1].min()), (boxes[:, 2].max(), boxes[:, 3].max())


def _columns(drawn: list[Drawn], middle: float) -> tuple[list[Drawn], list[Drawn]]:
    """Return the labelled pieces whose names go to the left and to the right, from top to bottom."""
    labelled = sorted((one for one in drawn if one.label), key=lambda one: -_anchor(one)[1])
    left = [one for one in labelled if _anchor(one)[0] < middle]
    return left, [one for one in labelled if _anchor(one)[0] >= middle]


def _anchor(one: Drawn) -> tuple[float, float]:
    largest = max(getattr(one.seen, "geoms", [one.seen]), key=lambda shape: shape.area)
    point = largest.representative_point()
    return point.x, point.y


def _path(lines: Iterable[Flat], at: Any, closed: bool = False) -> str:
    found = []
    for line in lines:
        first, *others = map(at, line)
        kept = [first]
        for point in others[:-1]:
            kept += [point] if dist(point, kept[-1]) > 2 * LEAST else []
        kept.append(others[-1])
        if max(dist(first, point) for point in kept) > LEAST:
            found.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in kept) + ("Z" if closed else ""))
    return "".join(found).replace(".0 ", " ").replace(".0L", "L").replace(".0M", "M")


def _piece(one: Drawn, at: Any) -> str:
    fill, stroke = NEW if one.is_new else OLD
    polygons = getattr(one.silhouette, "geoms", [one.silhouette])
    rings = [np.array(ring.coords) for shape in polygons for ring in (shape.exterior, *shape.interiors)]
    outline = [np.array(Polygon(ring).simplify(TOLERANCE / 2).exterior.coords) for ring in rings if len(ring) > 3]
    filled = f'fill="{fill}" fill-rule="evenodd" stroke="{stroke}" stroke-width="1.4"'
    return (
        f'<path d="{_path(outline, at, closed=True)}" {filled}/>\n'
        f'<path d="{_path(one.edges, at)}" fill="none" stroke="{stroke}" stroke-width="0.7"/>'
    )


def _lines(lines: Iterable[tuple[Any, Any]], view: Flat, at: Any) -> str:
    flat = [np.array([view @ np.array(start), view @ np.array(end)]) for start, end in lines]
    return (
        f'<path d="{_path(flat, at)}" fill="none" stroke="{OLD[1]}" stroke-width="0.9" stroke-dasharray="6 3 1.5 3"/>'
    )


def _labels(column: list[Drawn], at: Any, height: float, is_left: bool) -> list[str]:
    """Return the names beside the drawing, each with a line to its piece, no two closer than a line of text."""
    rows = [at(_anchor(one))[1] for one in column]
    for k in range(1, len(rows)):
        rows[k] = max(rows[k], rows[k - 1] + LINE_HEIGHT)
    over = max(0.0, rows[-1] - (height - MARGIN)) if rows else 0.0
    for k in range(len(rows) - 1, -1, -1):
        most = height - MARGIN if k == len(rows) - 1 else rows[k + 1] - LINE_HEIGHT
        rows[k] = min(rows[k], most) if over else rows[k]
    found = []
    for one, y in zip(column, rows, strict=True):
        x, to_y = at(_anchor(one))
        edge = MARGIN if is_left else WIDTH - MARGIN
        start = edge + (1 if is_left else -1) * (label_px(one.label) + 4)
        colour = NEW[1] if one.is_new else OLD[1]
        anchor = "start" if is_left else "end"
        found.append(
            f'<path d="M{start:.1f} {y:.1f}L{x:.1f} {to_y:.1f}" fill="none" stroke="{PAPER}" stroke-width="3.5"/>'
            f'<path d="M{start:.1f} {y:.1f}L{x:.1f} {to_y:.1f}" fill="none" stroke="{colour}" stroke-width="1"/>'
            f'<circle cx="{x:.1f}" cy="{to_y:.1f}" r="2.6" fill="{colour}"/>'
            f'<text x="{edge:.1f}" y="{y + 5:.1f}" text-anchor="{anchor}" fill="{colour}">{one.label}</text>'
        )
    return found
