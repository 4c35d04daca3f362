"""Extras: doors of the pages that not every hub has."""

from typing import NamedTuple

from citytable.views.box import NO_BOX, BoxDoor
from citytable.views.care import NO_CARE, CareDoor
from citytable.views.records import NO_RECORDS, RecordsDoor
from citytable.views.tags import NO_TAGS, TagsDoor
from citytable.views.theme import Theme


class Extras(NamedTuple):
    """Optional doors of a table: finished games, tags, stations, the owner's box, the venue's look."""

    records: RecordsDoor = NO_RECORDS
    tags: TagsDoor = NO_TAGS
    care: CareDoor = NO_CARE
    box: BoxDoor = NO_BOX
    theme: Theme | None = None


NO_EXTRAS = Extras()
