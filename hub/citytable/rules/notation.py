"""Actions as one line of text, for any game whose actions are structs.

    p2 deliver contract=CO5 platform=14 at=1/-1 stood=yes height=47mm pieces=steel:5,glass:2 judged=yes
    table building_fell at=1/0 to_box=2 left=0

First who acts (`p` and the seat, `table` where the action has no `player`), then the action's tag, then its fields. A
field that is None or at its default is left out. `_mm` in a field's name becomes the value's unit. yes and no are truth
values, `none` is an empty tuple of plain items, `()` one of composite items (which `|` separates), `?` an unknown item,
and an action inside an action stands in brackets. A game adds its own small values as leaves.
"""

import difflib
import re
import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from citytable.languages.sentences import Sentences
from citytable.rules.errors import Misspelt, Unreadable

Action = TypeVar("Action", bound=msgspec.Struct)

EMPTY = "none"
EMPTY_COMPOSITE = "()"
UNKNOWN = "?"
_SENTENCES = Sentences(__package__, "notation.json")


class Leaf(NamedTuple):
    """The notation of one of a game's small values. `from_text` raises `ValueError` with what it expected,
    or `Misspelt` with the same in every language.

    `composite`: its text may contain commas, so a tuple of it is separated by `|`.
    """

    to_text: Callable[[Any], str]
    from_text: Callable[[str], Any]
    composite: bool = False


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a struct: msgspec works its annotations out again each time."""
    return msgspec.structs.fields(kind)


@cache
def hints_of(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the types of a struct's fields, by their names."""
    return MappingProxyType(get_type_hints(kind))


class _Form(Protocol):
    composite: bool

    def write(self, value: Any) -> str: ...

    def read(self, text: str) -> Any: ...


def without_none(hint: Any) -> tuple[Any, bool]:
    """Return the type without None, and whether None was in it."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    members = [member for member in get_args(hint) if member is not type(None)]
    optional = len(members) < len(get_args(hint))
    return (members[0] if len(members) == 1 else Union[tuple(members)]), optional  # noqa: UP007  # members are a list


class _Word:
    composite = False
    _WORD = re.compile(r"[^\s,|()=]+")

    def __init__(self, choices: tuple[str, ...] = ()) -> None:
        self._choices = choices

    def write(self, value: Any) -> str:
        return str(value)

    def read(self, text: str) -> str:
        if self._choices and text not in self._choices:
            raise _misspelt("choice", seen=repr(text), choices=", ".join(self._choices))
        if not self._WORD.fullmatch(text):
            raise _misspelt("no_word", seen=repr(text))
        return text


class _Number:
    composite = False

    def __init__(self, unit: str = "") -> None:
        self._unit = unit

    def write(self, value: Any) -> str:
        return f"{value}{self._unit}"

    def read(self, text: str) -> int:
        if not re.fullmatch(rf"-?[0-9]+{self._unit}", text):
            raise _misspelt("no_number_of" if self._unit else "no_number", seen=repr(text), unit=self._unit)
        return int(text.removesuffix(self._unit))


class _YesNo:
    composite = False

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def read(self, text: str) -> bool:
        if text not in {"yes", "no"}:
            raise _misspelt("yes_no", seen=repr(text))
        return text == "yes"


class _OrUnknown:
    def __init__(self, item: _Form) -> None:
        self._item = item
        self.composite = item.composite

    def write(self, value: Any) -> str:
        return UNKNOWN if value is None else self._item.write(value)

    def read(self, text: str) -> Any:
        return None if text == UNKNOWN else self._item.read(text)


class _Items:
    composite = True

    def __init__(self, item: _Form) -> None:
        self._item = item
        self._separator, self._empty = ("|", EMPTY_COMPOSITE) if item.composite else (",", EMPTY)

    def write(self, value: Any) -> str:
        return self._separator.join(self._item.write(item) for item in value) if value else self._empty

    def read(self, text: str) -> tuple[Any, ...]:
        if text == self._empty:
            return ()
        return tuple(self._item.read(item) for item in text.split(self._separator))


class _Bracketed:
    composite = True

    def __init__(self, notation: "ActionNotation[Any]") -> None:
        self._notation = notation

    def write(self, value: Any) -> str:
        return "".join(f"({self._notation.words(action)})" for action in value) or EMPTY

    def read(self, text: str) -> tuple[Any, ...]:
        if text == EMPTY:
            return ()
        if not re.fullmatch(r"(\([^()]*\))+", text):
            raise _misspelt("brackets", seen=repr(text))
        return tuple(self._notation.from_words(inner.split(), None) for inner in re.findall(r"\(([^()]*)\)", text))


class _Field(NamedTuple):
    name: str
    key: str
    form: _Form
    default: Any
    required: bool


class ActionNotation(Generic[Action]):
    """Writes and reads the actions of one game."""

    def __init__(self, actions: tuple[type[Action], ...], leaves: Mapping[Any, Leaf]) -> None:
        self._leaves = {leaf: _LeafForm(how) for leaf, how in leaves.items()}
        self._tags: dict[str, type[Action]] = {str(action.__struct_config__.tag): action for action in actions}
        self._fields = {action: tuple(self._fields_of(action)) for action in actions}

    def to_text(self, action: Action) -> str:
        """Return the line of an action."""
        player = getattr(action, "player", None)
        return f"{'table' if player is None else f'p{player}'} {self.words(action)}"

    def words(self, action: Action) -> str:
        """Return the line of an action without its player."""
        words = [str(action.__struct_config__.tag)]
        for field in self._fields[type(action)]:
            value = getattr(action, field.name)
            if value is not None and (field.required or value != field.default):
                words.append(f"{field.key}={field.form.write(value)}")
        return " ".join(words)

    def from_text(self, text: str) -> Action:
        """Read a line; raises `Unreadable` with the quoted error and its place."""
        who, *words = _split(text)
        seat = re.fullmatch(r"p([0-9]+)", who)
        if not words or not (seat or who == "table"):
            sentence = _SENTENCES.text("who", seen=repr(text))
            raise Unreadable(sentence["en"], sentence)
        try:
            return self.from_words(words, int(seat[1]) if seat else None)
        except Misspelt as error:
            sentence = _SENTENCES.text("line", seen=repr(text), why=error.text)
            raise Unreadable(sentence["en"], sentence) from None

    def from_words(self, words: list[str], player: int | None) -> Action:
        """Read tag and fields; raises `Misspelt` with the error."""
        kind = self._kind(words[0] if words else "")
        if ("player" in kind.__struct_fields__) != (player is not None):
            raise _misspelt("of_player" if player is None else "of_table", action=words[0])
        values: dict[str, Any] = {} if player is None else {"player": player}
        fields = {field.key: field for field in self._fields[kind]}
        for word in words[1:]:
            key, _, text = word.partition("=")
            if key not in fields or fields[key].name in values:
                raise _misspelt(
                    "once" if fields else "no_fields", seen=repr(word), action=words[0], fields=", ".join(fields)
                )
            values[fields[key].name] = _read(word, fields[key].form, text)
        if missing := [field.key for field in fields.values() if field.required and field.name not in values]:
            raise _misspelt("lacks", action=words[0], fields=", ".join(missing))
        return kind(**values)

    def _kind(self, tag: str) -> type[Action]:
        if tag in self._tags:
            return self._tags[tag]
        alike = difflib.get_close_matches(tag, self._tags)
        key, choices = ("like_action", " / ".join(alike)) if alike else ("no_action", ", ".join(self._tags))
        raise _misspelt(key, seen=repr(tag), choices=choices)

    def _fields_of(self, action: type[Action]) -> Iterator[_Field]:
        hints = hints_of(action)
        for field in fields_of(action):
            if field.name != "player":
                unit = "mm" if field.name.endswith("_mm") else ""
                form = self._form(hints[field.name], unit)
                yield _Field(field.name, field.name.removesuffix("_mm"), form, field.default, field.required)

    def _form(self, hint: Any, unit: str = "") -> _Form:
        hint, _ = without_none(hint)
        if hint in self._leaves:
            return self._leaves[hint]
        if get_origin(hint) is Literal:
            return _Word(get_args(hint))
        if get_origin(hint) is tuple:
            return self._tuple_form(get_args(hint)[0])
        scalars: dict[Any, _Form] = {int: _Number(unit), bool: _YesNo(), str: _Word()}
        return scalars[hint]

    def _tuple_form(self, item: Any) -> _Form:
        bare, optional = without_none(item)
        members = get_args(bare) if get_origin(bare) in (Union, types.UnionType) else (bare,)
        if all(member in self._tags.values() for member in members):
            return _Bracketed(self)
        form = self._form(bare)
        return _Items(_OrUnknown(form) if optional else form)


class _LeafForm:
    def __init__(self, leaf: Leaf) -> None:
        self.composite = leaf.composite
        self._leaf = leaf

    def write(self, value: Any) -> str:
        return self._leaf.to_text(value)

    def read(self, text: str) -> Any:
        return self._leaf.from_text(text)


def _read(word: str, form: _Form, text: str) -> Any:
    try:
        return form.read(text)
    except ValueError as error:
        why = error.text if isinstance(error, Misspelt) else error
        raise _misspelt("word", seen=repr(word), why=why) from None


def _misspelt(key: str, **words: object) -> Misspelt:
    return Misspelt(_SENTENCES.text(key, **words))


def _split(text: str) -> list[str]:
    """Return the words of a line; blanks inside brackets do not separate."""
    return re.findall(r"(?:\([^()]*\)|[^\s()])+|[()]", text) or [""]
