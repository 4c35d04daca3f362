"""Enrols tags into the plan file of a running hub: whoever holds a thing to a reader says at a page what it is."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from citytable.doctor.plan_file import change_plan
from citytable.session.box import Box
from citytable.table.plan import Plan, load_plan
from citytable.table.spot import Spot
from citytable.table.word import TagNamed
from citytable.umpire.observed import UNREGISTERED
from citytable.views.tags import Enrolment, TagWish, UnknownTag


class Enrolling:
    """Of one plan file. `lying` is what the readers see now, `say` tells the game on the table.

    The file is read anew each time: others write it, too.
    """

    def __init__(
        self,
        path: Path,
        box: Box[Any, Any],
        lying: Callable[[], Mapping[Spot, frozenset[str]]],
        say: Callable[[TagNamed], Awaitable[object]],
    ) -> None:
        self._path = path
        self._box = box
        self._lying = lying
        self._say = say
        self._fresh = 0

    def tags(self) -> Enrolment:
        """Return the tags on readers that the plan file has not, and things without one; raises `Misconfigured`."""
        plan = load_plan(self._path)
        known = {uid.lower() for uid in plan.tags}
        here = sorted((spot, name) for spot, names in self._lying().items() for name in names)
        unknown = [UnknownTag(spot, name[1:]) for spot, name in here if name.startswith(UNREGISTERED)]
        things = [thing for thing in self._things(plan.seats) if thing not in set(plan.tags.values())]
        return Enrolment(tuple(one for one in unknown if one.uid.lower() not in known), tuple(things), self._fresh)

    def _things(self, seats: int) -> tuple[str, ...]:
        return self._box.things(min(seats, self._box.players[-1]))

    async def enrol(self, wish: TagWish) -> None:
        """Write into the plan file that a tag is on a thing, which counts at once.

        Raises `ValueError` where either is taken or unknown, and what `say` raises once it is in the file.
        """
        await asyncio.to_thread(change_plan, self._path, lambda plan: self._enrolled(plan, wish))
        self._fresh += 1
        await self._say(TagNamed(uid=wish.uid, thing=wish.thing, by="host"))

    def _enrolled(self, plan: Plan, wish: TagWish) -> Plan:
        if wish.thing not in self._things(plan.seats):
            raise ValueError(f"{self._box.name} has nothing called {wish.thing!r}")
        taken = {uid.lower(): thing for uid, thing in plan.tags.items()}
        if wish.uid in taken:
            raise ValueError(f"the tag {wish.uid} is on {taken[wish.uid]} already")
        if wish.thing in plan.tags.values():
            raise ValueError(f"{wish.thing} has a tag already")
        return replace(plan, tags={**plan.tags, wish.uid: wish.thing})
