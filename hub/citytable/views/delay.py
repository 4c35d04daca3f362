"""The public sees the table as it was some seconds ago; the host and the players see it as it is. Pure: no clock.

Everything public has to take its views from here: the display, the overlay, the public feed, Home Assistant.
"""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from citytable.views.state import View

SECONDS_MAX = 60
Later: TypeAlias = Callable[[float, Callable[[], None]], object]
"""Call something after so many seconds, like the `call_later` of an event loop."""


class Delay:
    """Holds views back. Its receivers get the latest view and the public one, whenever one of them changes."""

    def __init__(self, view: View, seconds: float, later: Later) -> None:
        self._seconds = seconds
        self._later = later
        self._waiting: deque[View] = deque()
        self._receivers: list[Callable[[View, View], None]] = []
        self._latest = view
        # a hub that has just started may go on with what happened a moment ago: nobody sees it too early
        self.public = View(t_us=0, table=view.table) if seconds else view
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
        self.public = self._waiting.popleft()
        self._tell()

    def _tell(self) -> None:
        for receiver in self._receivers:
            receiver(self._latest, self.public)
