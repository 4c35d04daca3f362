"""Watches the plan file of a table: adoptions, calibrations and edits take effect at once.

The hub restarts in its process with the new plan and continues its game, as at any start.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from citytable.box_choice import BoxChoice
from citytable.box_file import load_box
from citytable.hub import Hub
from citytable.settings import Settings
from citytable.table.plan import Misconfigured, Plan, load_plan

LOOK_S = 1.0


class PlanWatch:
    """Of one file, against the plan that the hub plays by. `tag_known` returns whether the table knows a tag."""

    def __init__(self, path: Path, plays_by: Plan, tag_known: Callable[[str], bool]) -> None:
        self._path = path
        self._plays_by = plays_by
        self._tag_known = tag_known
        self._seen = self._read = -1  # as the file was written when it was looked at last, and when it was read

    def look(self) -> bool:
        """Return whether the file has changed; False while somebody writes to it, or if it is invalid."""
        try:
            now = self._path.stat().st_mtime_ns
            settled, self._seen = now == self._seen, now
            if not settled or now == self._read:
                return False
            plan = load_plan(self._path)
            self._read = now
            return self._differs(plan)
        except (OSError, Misconfigured):
            return False

    def _differs(self, plan: Plan) -> bool:
        if replace(plan, tags=self._plays_by.tags) != self._plays_by:
            return True
        new = plan.tags.items() - self._plays_by.tags.items()
        return any(not self._tag_known(uid.lower()) for uid, _ in new)


def with_new_plan(settings: Settings) -> Settings:
    """Return the settings with the plan file as it is now; raises `Misconfigured`."""
    box = settings.box if settings.box_path is None else load_box(settings.box_path).box()
    found = replace(settings, box=box, go_on=True, sitting=None)
    found.plan()  # which may have lost a seat
    return found


async def _take_up(watch: PlanWatch, settings: Settings, busy: Callable[[], bool], choice: BoxChoice) -> None:
    while not choice.is_made:
        await asyncio.sleep(LOOK_S)
        if busy() or not await asyncio.to_thread(watch.look):
            continue
        try:
            choice.decide(with_new_plan(settings))
        except Misconfigured:  # the pages give the reason; the table continues with its present plan
            continue


@asynccontextmanager
async def taking_up_plan(
    settings: Settings, hub: Hub, busy: Callable[[], bool], choice: BoxChoice
) -> AsyncIterator[None]:
    """Let the hub restart when its plan file changes while no job runs on the stations page."""
    if settings.plan_path is None:
        yield
        return

    def known(uid: str) -> bool:
        return uid in {tag.lower() for tag in hub.play.plan.tags}

    watch = PlanWatch(settings.plan_path, hub.plan, known)
    watching = asyncio.create_task(_take_up(watch, settings, busy, choice), name="plan file")
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
