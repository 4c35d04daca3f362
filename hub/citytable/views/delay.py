"""The public sees the table as it was some seconds ago, or waits until an act is resolved. Pure: no clock.

The host and the players see the table as it is. Everything public takes its views from here: the display, the overlay,
the public feed, Home Assistant.
"""

from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeAlias

from citytable.views.state import View

SECONDS_MAX = 60
HOLD_SECONDS_MAX = 120
"""How long the public waits for an act at most: a question that nobody answers is no reason to go dark."""
Later: TypeAlias = Callable[[float, Callable[[], None]], object]
"""Call something after so many seconds, like the `call_later` of an event loop."""


Holds: TypeAlias = Callable[[View], bool]
"""Reports whether the public waits until what is under way in a view is resolved."""


def holds_none(_view: View) -> bool:
    """Hold nothing."""
    return False


def holds_while(verbs: Collection[str]) -> Holds:
    """Return what holds the public: an act with one of these verbs that is provisional, asked about or in a hand."""

    def holds(view: View) -> bool:
        actions = (*(one.action for one in view.provisional), *(one.about for one in view.questions))
        return bool(view.held) or any(action.split()[1:2] == [verb] for action in actions for verb in verbs)

    return holds


class Delay:
    """Holds views back. Its receivers get the latest view and the public one, whenever one of them changes."""

    def __init__(self, view: View, seconds: float, later: Later, holds: Holds = holds_none) -> None:
        self._seconds = seconds
        self._later = later
        self._holds = holds
        self._held: View | None = None  # becomes public once it is resolved
        self._holding = 0  # counts the waits
        self._patient = True  # until one of them takes too long
        self._waiting: deque[View] = deque()
        self._receivers: list[Callable[[View, View], None]] = []
        self._latest = view
        # a hub that has just started may continue with recent events: nobody must see them too early
        self.public = View(t_us=0, table=view.table) if seconds or holds(view) else view
        self.show(view)

    def show_on(self, receiver: Callable[[View, View], None]) -> None:
        """Give both views to a receiver, now and from now on."""
        self._receivers.append(receiver)
        receiver(self._latest, self.public)

    def show(self, view: View) -> None:
        """Take a new view; it becomes public after the delay."""
        self._latest = view
        self._waiting.append(view)
        if self._seconds:
            self._later(self._seconds, self._release)
            self._tell()
        else:
            self._release()

    def _release(self) -> None:
        view = self._waiting.popleft()
        if not self._holds(view):
            self._held, self._patient = None, True
            self.public = view
        elif self._patient:
            self._hold(view)
        else:
            self.public = view
        self._tell()

    def _hold(self, view: View) -> None:
        if self._held is None:
            self._holding += 1
            self._later(HOLD_SECONDS_MAX, partial(self._give_up, self._holding))
        self._held = view

    def _give_up(self, holding: int) -> None:
        if self._held is None or holding != self._holding:
            return  # it was resolved in time
        self.public, self._held, self._patient = self._held, None, False
        self._tell()

    def _tell(self) -> None:
        for receiver in self._receivers:
            receiver(self._latest, self.public)
