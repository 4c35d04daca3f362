"""Enrols tags of a running hub: a person holds a thing to a reader and selects it on a page.

Tags belong to the box on the table if it has a name, otherwise to the table's plan file.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from citytable.box_file import change_box, foreign_tags, load_box
from citytable.doctor.plan_file import change_plan
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.box import Box
from citytable.table.plan import Plan, foreign_box, load_plan
from citytable.table.spot import Spot
from citytable.table.word import TagNamed
from citytable.umpire.observed import UNREGISTERED
from citytable.views.tags import Enrolment, TagWish, UnknownTag

_SENTENCES = Sentences(__package__, "enrolling.json")


class Enrolling:
    """Enrols into one plan file and perhaps a box file. `lying` are the tags on the readers, `say` informs the game.

    It reads the files each time, because other programs write them, too.
    """

    def __init__(
        self,
        path: Path,
        box: Box[Any, Any],
        lying: Callable[[], Mapping[Spot, frozenset[str]]],
        say: Callable[[TagNamed], Awaitable[object]],
        box_path: Path | None = None,
    ) -> None:
        self._path = path
        self._box = box
        self._lying = lying
        self._say = say
        self._box_path = box_path
        self._fresh = 0

    def tags(self) -> Enrolment:
        """Return the unknown tags on readers, and the things without and with a tag; raises `Misconfigured`."""
        plan = self._tagged()
        known = {uid.lower() for uid in plan.tags}
        here = sorted((spot, name) for spot, names in self._lying().items() for name in names)
        unknown = (UnknownTag(spot, name[1:]) for spot, name in here if name.startswith(UNREGISTERED))
        having = set(plan.tags.values())
        things = self._things(plan.seats)
        return Enrolment(
            tuple(one for one in unknown if one.uid.lower() not in known),
            tuple(thing for thing in things if thing not in having),
            self._fresh,
            tuple(thing for thing in things if thing in having),
            "" if self._box_path is None else load_box(self._box_path).name,
            self._box.name,
        )

    def _tagged(self) -> Plan:
        """Return the plan with all tags that the table knows now."""
        return tagged(load_plan(self._path), self._box_path)

    def _things(self, seats: int) -> tuple[str, ...]:
        return self._box.things(min(seats, self._box.players[-1]))

    async def enrol(self, wish: TagWish) -> None:
        """Save that a tag is on a thing, which counts at once.

        Raises `Unfitting` if the tag or the thing is taken or unknown, and the errors of `say` after it is in the file.
        """
        await asyncio.to_thread(self._write, wish)
        self._fresh += 1
        await self._say(TagNamed(uid=wish.uid, thing=wish.thing, by="host"))

    def _write(self, wish: TagWish) -> None:
        if self._box_path is None:
            change_plan(self._path, lambda plan: replace(plan, tags=self._enrolled(plan.tags, plan.seats, wish)))
            return
        seats = load_plan(self._path).seats
        change_box(self._box_path, lambda file: replace(file, tags=self._enrolled(file.tags, seats, wish)))

    def _enrolled(self, tags: Mapping[str, str], seats: int, wish: TagWish) -> dict[str, str]:
        """Return the tags of a file with one more; a tag that it replaces is gone."""
        if wish.thing not in self._things(seats):
            raise Unfitting(_SENTENCES.text("no_thing", game=self._box.name, thing=wish.thing))
        taken = {uid.lower(): thing for uid, thing in self._tagged().tags.items()}
        if wish.uid in taken:
            raise Unfitting(_SENTENCES.text("taken", uid=wish.uid, thing=_named(taken[wish.uid])))
        if wish.thing in taken.values() and not wish.replaces:
            raise Unfitting(_SENTENCES.text("has_one", thing=wish.thing))
        return {**{uid: thing for uid, thing in tags.items() if thing != wish.thing}, wish.uid: wish.thing}


def _named(thing: str) -> str | dict[str, str]:
    """Return the name of a thing for a sentence; a thing of another box includes the box."""
    name, own = foreign_box(thing)
    return _SENTENCES.text("of_box", thing=own, box=name) if name else thing


def tagged(plan: Plan, box_path: Path | None) -> Plan:
    """Return a table's plan with the tags of its box, and those of all other boxes, marked as foreign.

    A thing with a tag in its box has none in the plan, because that tag belongs to another copy.
    """
    own = {} if box_path is None else load_box(box_path).tags
    having = set(own.values())
    of_table = {uid: thing for uid, thing in plan.tags.items() if thing not in having}
    return replace(plan, tags={**foreign_tags(box_path), **of_table, **own})
