"""What is worth a clip: a collapse that was confirmed, and a record of the table. Pure.

Each is worth one clip. What people put right is worth none, neither then nor when the next act is confirmed.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from citytable.table.mark import Mark
from citytable.views.state import View

Reason: TypeAlias = Literal["collapse", "record"]


class WorthAClip:
    """Looks at every view in turn. `marks` is how far the game got, `best` what games before it reached."""

    def __init__(self, marks: Callable[[View], tuple[Mark, ...]], best: Callable[[], Mapping[str, int]]) -> None:
        self._marks = marks
        self._best = best
        self._line = 0  # the last line of the ticker that tells an act
        self._fell: int | None = None
        self._beaten: set[str] = set()

    def begin(self, view: View) -> None:
        """Another game is on the table, or the hub goes on with one: what it has reached by now is nothing new."""
        self._line, self._fell = _last_act(view), None if view.collapse is None else view.collapse.no
        self._beaten = set(self._records(view))

    def show(self, view: View) -> Reason | None:
        """Take a view that is shown; return why it is worth a clip."""
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
