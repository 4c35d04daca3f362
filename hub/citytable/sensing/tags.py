"""Tags: which tag lies on which spot, told once when it comes and once when it leaves."""

from copy import copy
from typing import Self

from citytable.sensing.reading import Inventory, TagRead
from citytable.table.fact import Fact, TagCame, TagLeft
from citytable.table.spot import Spot

INVENTORY_CONFIDENCE = 0.9  # nobody saw it come or leave: it was or was not there after a restart
OVERTAKEN_US = 1_000_000  # a claim may come this late behind a later one; further back a clock was set


class Tags:
    """The tags believed to lie on each spot. `things` maps a tag's uid to the thing it is on.

    Stations debounce their readings. A reader that reads two tags at once holds both; a tag that is read at a second
    spot has left the first, even if that spot's station does not report it. Messages of two stations may arrive out of
    order: if both claim a tag, the later claim counts, and the tag left the other spot as surely as it came.
    """

    def __init__(self, things: dict[str, str]) -> None:
        self._things = {uid.lower(): thing for uid, thing in things.items()}
        self._lying: dict[str, Spot] = {}  # uid -> spot
        self._came_us: dict[str, int] = {}  # by uid

    def facts(self, reading: TagRead | Inventory) -> list[Fact]:
        """Return the facts of a reader, or of a whole station."""
        if isinstance(reading, TagRead):
            return self.read(reading.t_us, reading.spot, reading.uid, here=reading.here)
        return self.inventory(reading.t_us, reading.spots, reading.tags)

    def lying(self) -> dict[Spot, tuple[tuple[str, str | None], ...]]:
        """Return what lies on each spot: the uid of each tag, and the thing it is on, if that is known."""
        found: dict[Spot, tuple[tuple[str, str | None], ...]] = {}
        for uid, spot in sorted(self._lying.items()):
            found[spot] = (*found.get(spot, ()), (uid, self._things.get(uid)))
        return found

    def apart(self) -> Self:
        """Return a copy that goes its own way."""
        other = copy(self)
        other._lying, other._came_us = self._lying.copy(), self._came_us.copy()
        return other

    def read(self, t_us: int, spot: Spot, uid: str, *, here: bool) -> list[Fact]:
        """Take a reader's message that a tag came or left."""
        uid = uid.lower()
        if here:
            return self._come(t_us, spot, uid, 1.0)
        return self._leave(t_us, uid, 1.0) if self._lying.get(uid) == spot else []

    def inventory(self, t_us: int, spots: tuple[Spot, ...], tags: tuple[tuple[Spot, str], ...]) -> list[Fact]:
        """Take a station's list of everything that lies on its spots."""
        listed = {uid.lower(): spot for spot, uid in tags}
        out: list[Fact] = []
        for uid, spot in sorted(self._lying.items()):
            if spot in spots and listed.get(uid) != spot:
                out += self._leave(t_us, uid, INVENTORY_CONFIDENCE)
        for uid, spot in sorted(listed.items()):
            out += self._come(t_us, spot, uid, INVENTORY_CONFIDENCE)
        return out

    def name(self, uid: str, thing: str, t_us: int) -> tuple[Fact, ...]:
        """From now on a tag is on this thing; return the thing as having come where the tag lies at `t_us`."""
        uid = uid.lower()
        self._things[uid] = thing
        spot = self._lying.get(uid)
        return () if spot is None else (TagCame(t_us=t_us, spot=spot, uid=uid, thing=thing),)

    def recall(self, fact: TagCame | TagLeft) -> None:
        """Take over a fact of an earlier run of the hub."""
        if isinstance(fact, TagCame):
            self._lying[fact.uid] = fact.spot
        elif self._lying.get(fact.uid) == fact.spot:
            del self._lying[fact.uid]

    def _come(self, t_us: int, spot: Spot, uid: str, confidence: float) -> list[Fact]:
        if self._lying.get(uid) == spot or self._is_overtaken(uid, t_us):
            return []
        self._came_us[uid] = t_us
        out = self._leave(t_us, uid, confidence) if uid in self._lying else []
        self._lying[uid] = spot
        return [*out, TagCame(t_us=t_us, confidence=confidence, spot=spot, uid=uid, thing=self._things.get(uid))]

    def _is_overtaken(self, uid: str, t_us: int) -> bool:
        """Report whether a tag that is said to have come at `t_us` has come elsewhere since, and lies there."""
        return uid in self._lying and 0 < self._came_us.get(uid, t_us) - t_us < OVERTAKEN_US

    def _leave(self, t_us: int, uid: str, confidence: float) -> list[Fact]:
        spot = self._lying.pop(uid)
        return [TagLeft(t_us=t_us, confidence=confidence, spot=spot, uid=uid, thing=self._things.get(uid))]
