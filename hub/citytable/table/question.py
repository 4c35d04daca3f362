"""Questions to the people at the table; `word.py` has their answers."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

FieldValue: TypeAlias = int | str | bool


class Field(msgspec.Struct, frozen=True):
    """One field of a question: a count, a length in mm, one of `choices`, or yes/no; `proposed` is the sensible answer.

    A `share` is a count that is part of a sum: as long as nobody has changed the others, they compensate for a change.
    `over`: by how many the sum may exceed the proposed one; the tap that sends the form then shows the sum. A `die` is
    a count that people throw; if nobody has dice, the hub throws them. `voters`: the seats that are asked instead of
    the question's own, each for its own yes or no; the majority decides. `criteria`: what they should look at, as keys
    of the language files. `only_if`: the name of an earlier field, and its values with which this field is asked. If it
    is not asked, its proposed value counts.
    """

    name: str
    kind: Literal["count", "share", "die", "mm", "choice", "yesno"]
    proposed: FieldValue | None = None
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 999
    over: int = 0
    voters: tuple[int, ...] | None = None
    criteria: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()

    def is_asked(self, values: Mapping[str, FieldValue]) -> bool:
        """Return whether this field is asked, given the values of the earlier ones."""
        return not self.only_if or values.get(self.only_if[0]) in self.only_if[1:]


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question to one seat or to the whole table (`seat` None); `prompt` is a key of the language files.

    `texts` are words of the hub instead of those, by language: of the question (""), of a field by its name, of a
    choice by `=` and the choice.
    """

    id: str
    seat: int | None
    prompt: str
    words: dict[str, str]
    fields: tuple[Field, ...]
    about: str  # the action it completes, in notation
    texts: dict[str, dict[str, str]] = {}
