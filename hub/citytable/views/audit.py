"""Logs who entered, who was refused and who left: one line each, and never a key or a PIN."""

import logging
from collections.abc import Callable

from citytable.views.tries import TRIES_OF_ONE
from citytable.views.viewer import Viewer

_LOGGER = logging.getLogger(__name__)
_LOGGER.setLevel(logging.INFO)  # nothing here is a fault, and a host still wants to read it
AGAIN_S = 300.0


class Audit:
    """Log entries and refusals of people. `now_s` is any clock that only goes forward."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._wrong_s: dict[tuple[str, str], float] = {}

    def entered(self, viewer: Viewer, address: str, way: str) -> None:
        """Note that a browser has entered; `way` is "link" or "PIN"."""
        _LOGGER.info("%s entered as %s with the %s", address or "somebody", viewer.text, way)

    def left(self, viewer: Viewer, address: str) -> None:
        """Note that a browser has logged out."""
        _LOGGER.info("%s logged out as %s", address or "somebody", viewer.text)

    def wrong_pin(self, viewer: Viewer, address: str, times: int) -> None:
        """Note a wrong PIN, the last of `times` within a few minutes; repeats of an address are one line."""
        who = address or "somebody"
        if times >= TRIES_OF_ONE:
            _LOGGER.info("%s typed %d wrong PINs, the last one for %s, and has to wait", who, times, viewer.text)
            return
        now_s = self._now_s()
        self._wrong_s = {who: at_s for who, at_s in self._wrong_s.items() if now_s - at_s < AGAIN_S}
        if (address, viewer.text) not in self._wrong_s:
            self._wrong_s[address, viewer.text] = now_s
            _LOGGER.info("%s typed a wrong PIN for %s", who, viewer.text)

    def host_pin_closed(self, why: str) -> None:
        """Note that the host's PIN opens nothing any more."""
        _LOGGER.info("the host's PIN is no longer valid: %s; the host's link still opens the page", why)
