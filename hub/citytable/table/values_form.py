"""Forms for the values of things in a person's own copy of a game, with their questions in every language.

A game makes forms from its own sentences, so that the page, the wizard and the command line ask the same.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import msgspec

from citytable.table.question import Field

Told: TypeAlias = dict[str, str]
"""A sentence by language."""
Words: TypeAlias = Callable[..., Told]
"""Returns the sentence of a key, its words filled in."""


class ComingUp(NamedTuple):
    """A thing on the table without entered values. `seat` has it; None: it is between the players."""

    thing: str
    seat: int | None


class ValuesForm(msgspec.Struct, frozen=True):
    """The fields of one thing. `texts`: by the name of a field, by `=` and a choice, and by "" for the question."""

    fields: tuple[Field, ...]
    texts: dict[str, Told]


def values_form(question: Told, fields: tuple[Field, ...], words: Words) -> ValuesForm:
    """Return a form with the sentences `field.<name>` and `choice.<choice>`; of `price_3` it is `field.price`, n 3."""
    return ValuesForm(fields, {"": question, **dict(_texts(fields, words))})


def _texts(fields: tuple[Field, ...], words: Words) -> Iterator[tuple[str, Told]]:
    for field in fields:
        stem, _, number = field.name.rpartition("_")
        numbered = bool(stem) and number.isdecimal()
        yield field.name, words(f"field.{stem if numbered else field.name}", n=number if numbered else "")
        for choice in field.choices:
            yield f"={choice}", words(f"choice.{choice}")
