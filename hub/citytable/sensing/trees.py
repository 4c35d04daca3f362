"""Trees: tables of decision trees, kept as data beside this file and asked in plain Python.

The trees are trained by `citytable sense train` on generated traces; the files say on which, and how it was done.
"""

from functools import cache
from importlib.resources import files
from math import exp
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

FALLS, FALLS_HEARD, PIECES = "fall_trees.json", "fall_trees_heard.json", "piece_trees.json"
GLANCES, RESTS, COLLAPSES = "glance_trees.json", "rest_trees.json", "collapse_trees.json"
KEPT, KEPT_PIECES = "kept_trees.json", "kept_piece_trees.json"
GLANCE = 80  # so many trees are asked first
HOPELESS = -4.0  # log odds after them that the others hardly ever turn into a fall: nine looks of ten end here

Node: TypeAlias = "tuple[int, float, Node, Node] | float"


class TreeTable(msgspec.Struct, frozen=True):
    """Boosted trees as flat lists, one entry per tree.

    Node `i` of a tree asks `x[feature[i]] <= threshold[i]` and goes on at `left[i]` or `right[i]`; a negative number is
    leaf `-1 - number`, whose value is in `leaf`. The sum of all leaves and `base` is the log odds of what is asked.
    """

    features: tuple[str, ...]
    base: float
    feature: tuple[tuple[int, ...], ...]
    threshold: tuple[tuple[float, ...], ...]
    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    leaf: tuple[tuple[float, ...], ...]
    trained: str = ""


class Judge(Protocol):
    """A judge of how likely something is."""

    def chance(self, x: list[float]) -> float:
        """Return its likelihood, 0 to 1, by the features `x` in the order of the `NAMES` it was trained on."""


class Judges(NamedTuple):
    """The judges of one spot; None stands for the trees that this version ships.

    `glancing` decides whether a look in flight is worth all features, `falling` and `hearing` then judge it, the latter
    where an accelerometer listens; `resting` and `collapse` judge
    a motion that ended, whether something fell and whether that was a collapse; `pieces` judges changes.
    """

    falling: Judge | None = None
    hearing: Judge | None = None
    resting: Judge | None = None
    collapse: Judge | None = None
    pieces: Judge | None = None
    glancing: Judge | None = None


SHIPPED = Judges()


class Forest:
    """The trees of a table, ready to be asked."""

    def __init__(self, table: TreeTable) -> None:
        self.features = table.features
        self._base = table.base
        trees = [_grown(table, tree) for tree in range(len(table.leaf))]
        self._first, self._others = trees[:GLANCE], trees[GLANCE:]

    def chance(self, x: list[float]) -> float:
        """Return its likelihood by the features `x` in the order of `features`."""
        total = self._sum(self._base, self._first, x)
        if total > HOPELESS:
            total = self._sum(total, self._others, x)
        return 1 / (1 + exp(-total)) if total > -30 else 0.0

    @staticmethod
    def _sum(total: float, trees: list[Node], x: list[float]) -> float:
        for tree in trees:
            node: Any = tree  # a type is not worth a test per node
            while node.__class__ is tuple:
                node = node[2] if x[node[0]] <= node[1] else node[3]
            total += node
        return total


def _grown(table: TreeTable, tree: int) -> Node:
    feature, threshold = table.feature[tree], table.threshold[tree]
    left, right, leaf = table.left[tree], table.right[tree], table.leaf[tree]

    def grow(node: int) -> Node:
        if node < 0:
            return leaf[-1 - node]
        return feature[node], threshold[node], grow(left[node]), grow(right[node])

    return grow(0 if feature else -1)


@cache
def fall_forest() -> Forest:
    """Return the trees that this version ships to detect falls, by `features.NAMES`."""
    return _shipped(FALLS)


@cache
def heard_forest() -> Forest:
    """Return the same where an accelerometer listens, by `features.NAMES` and `knock_history.NAMES`."""
    return _shipped(FALLS_HEARD)


@cache
def piece_forest() -> Forest:
    """Return the trees that this version ships to detect pieces, by `change.NAMES`."""
    return _shipped(PIECES)


@cache
def kept_piece_forest() -> Forest:
    """Return the same for a spot from which nobody takes pieces, by `pieces.KEPT_NAMES`."""
    return _shipped(KEPT_PIECES)


@cache
def glance_forest() -> Forest:
    """Return the trees that decide whether to look closely, by `features.GLANCE`."""
    return _shipped(GLANCES)


@cache
def rest_forest() -> Forest:
    """Return the trees that judge a whole motion at rest, by `second_look.NAMES`."""
    return _shipped(RESTS)


@cache
def kept_forest() -> Forest:
    """Return the same for a spot from which nobody takes pieces, by `second_look.KEPT_NAMES`."""
    return _shipped(KEPT)


@cache
def collapse_forest() -> Forest:
    """Return the trees that judge whether a fall was a collapse, by `second_look.NAMES`."""
    return _shipped(COLLAPSES)


def _shipped(table: str) -> Forest:
    return Forest(msgspec.json.decode(files(__package__).joinpath(table).read_bytes(), type=TreeTable))
