"""Chooses moments worth a clip: a confirmed collapse, and a record of the table. Pure.

Each gives one clip. Corrections give none, neither at once nor with the next confirmed act.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from citytable.table.mark import Mark
from citytable.views.state import View

Reason: TypeAlias = Literal["collapse", "record"]


class WorthAClip:
    """Examines every view in turn. `marks` are the results of the game, `best` those of earlier games."""

    def __init__(self, marks: Callable[[View], tuple[Mark, ...]], best: Callable[[], Mapping[str, int]]) -> None:
        self._marks = marks
        self._best = best
        self._line = 0  # the last line of the ticker that reports an act
        self._fell: int | None = None
        self._beaten: set[str] = set()

    def begin(self, view: View) -> None:
        """Begin or continue another game: its results so far are not new."""
        self._line, self._fell = _last_act(view), None if view.collapse is None else view.collapse.no
        self._beaten = set(self._records(view))

    def show(self, view: View) -> Reason | None:
        """Take a view; return why it is worth a clip."""
        line, fell = _last_act(view), None if view.collapse is None else view.collapse.no
        acted, collapsed = line > self._line, fell is not None and fell != self._fell
        self._line = max(line, self._line)
        self._fell = self._fell if fell is None else fell
        beaten = set(self._records(view)) - self._beaten
        self._beaten |= beaten
        if collapsed:
            return "collapse"
        return "record" if acted and beaten else None

    def _records(self, view: View) -> list[str]:
        best = self._best()
        return [mark.key for mark in self._marks(view) if mark.key in best and mark.value > best[mark.key]]


def _last_act(view: View) -> int:
    return max((line.no for line in view.happened if line.key.startswith("action.")), default=0)
