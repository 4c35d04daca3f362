"""Reads and checks the messages and keys from phones before anybody else sees them. Pure."""

import random
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from citytable.rules.unreadable_json import why_unreadable
from citytable.table.question import Field, FieldValue, Question
from citytable.table.word import Word
from citytable.views.box import BoxWish
from citytable.views.care import CareWish
from citytable.views.records import NameWish
from citytable.views.refusals import refused
from citytable.views.tags import TagWish

BODY_BYTES_MAX = 4096
_QUOTED = 80  # letters of a sender's own text that a refusal repeats


class EnterBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"who": "as"}):
    """`POST /api/enter`: a browser wants to be the host, or a seat; `key` is that of a link, or the PIN."""

    who: Annotated[str, msgspec.Meta(pattern="^(host|seat/[1-4])$")]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


def _read(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # the last: brackets within brackets
        raise refused(400, "unreadable", seen=why_unreadable(error)) from None


def read_enter(body: bytes) -> EnterBody:
    """Return who wants to enter, and the key or PIN; raises `Refused`."""
    said: EnterBody = _read(body, EnterBody)
    return said


def read_word(body: bytes) -> Word:
    """Return the message in a body; raises `Refused`."""
    word: Word = _read(body, Word)
    return word


def read_name_wish(body: bytes) -> NameWish:
    """Return whose name is to be kept or erased; raises `Refused`."""
    wish: NameWish = _read(body, NameWish)
    return wish


def read_tag_wish(body: bytes) -> TagWish:
    """Return which tag is on which thing; raises `Refused`."""
    wish: TagWish = _read(body, TagWish)
    return wish


def read_box_wish(body: bytes) -> BoxWish:
    """Return with which box the table is to begin; raises `Refused`."""
    wish: BoxWish = _read(body, BoxWish)
    return wish


def read_care_wish(body: bytes) -> CareWish:
    """Return the request to look after stations; raises `Refused`."""
    wish: CareWish = _read(body, CareWish)
    return wish


def quoted(value: object) -> str:
    """Return a sender's own text as a refusal may repeat it."""
    text = repr(value)
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"


def _expected(field: Field) -> str:
    if field.kind == "choice":
        return " / ".join(field.choices)
    return "true / false" if field.kind == "yesno" else f"{field.low}-{field.high}"


def _fits(field: Field, value: FieldValue) -> bool:
    if field.kind == "choice":
        return value in field.choices
    if field.kind == "yesno":
        return isinstance(value, bool)
    return isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high


def thrown(question: str, open_ones: Iterable[Question], rng: random.Random) -> dict[str, int]:
    """Return the values of the dice of an open question, by the names of its fields; raises `Refused`."""
    dice = [field for one in open_ones if one.id == question for field in one.fields if field.kind == "die"]
    if not dice:
        raise refused(404, "no_dice", seen=quoted(question))
    return {die.name: rng.randint(die.low, die.high) for die in dice}


def check_values(values: Mapping[str, FieldValue], fields: Iterable[Field]) -> None:
    """Raise `Refused` unless every field that is asked has a value that fits it, and no other field has."""
    asked = {field.name: field for field in fields}
    if asked.keys() != values.keys():
        raise refused(400, "wrong_fields", asked=", ".join(asked) or "-", seen=quoted(sorted(values)))
    for name, value in values.items():
        if not _fits(asked[name], value):
            raise refused(400, "wrong_value", name=name, seen=quoted(value), expected=_expected(asked[name]))
