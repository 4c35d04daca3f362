"""A position as a form with one line for each of its fields, which a host fills in if the record is lost.

A thing that has several values is one word, `1/4,C09,counters=3,rubble`: first the values that it always has, with
commas between, then the unusual ones. Words have spaces between them. A game says which fields follow from the others.
A data file has the name of each line, and an example.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

import msgspec

from citytable.languages import in_every_language, section_of
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition, Misspelt, Unreadable
from citytable.rules.json_notation import from_json
from citytable.rules.notation import Leaf, fields_of, hints_of, without_none

_SENTENCES = Sentences(__package__, "paper_lines.json")
_GROUPS = " | "  # between tuples within a tuple
LETTERS_MAX = 4000


class Called(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold the name of a line in each language, and an example that can be read in it."""

    text: Mapping[str, str]
    example: str = ""


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the data file."""

    en: str
    example: str = ""


def called(package: str | None, name: str) -> dict[str, Called]:
    """Read a data file: the key of a line, without its seat -> its name."""
    written = msgspec.json.decode(files(package or "").joinpath(name).read_bytes(), type=dict[str, _Written])
    texts = in_every_language(section_of(package, name), {key: line.en for key, line in written.items()})
    return {key: Called(texts[key], line.example) for key, line in written.items()}


class Line(msgspec.Struct, frozen=True):
    """One line of the form; `seat` 0: of the whole table. `choices` are those of a choice; an empty one is nothing."""

    name: str
    called: Called
    kind: Literal["count", "yesno", "choice", "text"]
    value: int | bool | str
    choices: tuple[str, ...] = ()
    seat: int = 0


class PaperLines:
    """Of positions of a kind. No line has a `derived` field; `players` is the field with a struct for each seat."""

    def __init__(
        self,
        kind: type[Any],
        leaves: Mapping[Any, Leaf],
        called: Mapping[str, Called],
        *,
        derived: Iterable[str] = (),
        players: str = "",
    ) -> None:
        self._kind = kind
        self._leaves = leaves
        self._called = called
        self._derived = frozenset(derived)
        self._players = players

    def written(self, position: Any) -> list[dict[str, Any]]:
        """Return the lines of a position, plain."""
        lines: list[dict[str, Any]] = [msgspec.to_builtins(line) for line in self._lines(position, "", 0)]
        return lines

    def _lines(self, value: msgspec.Struct, prefix: str, seat: int) -> Iterator[Line]:
        hints = hints_of(type(value))
        for field in fields_of(type(value)):
            there, name = getattr(value, field.name), prefix + field.name
            if name in self._derived:
                continue
            if name == self._players:
                for k, player in enumerate(there, start=1):
                    yield from self._lines(player, f"{k}.", k)
            elif isinstance(there, msgspec.Struct) and type(there) not in self._leaves:
                yield from self._lines(there, f"{name}.", seat)
            else:
                yield self._line(name, hints[field.name], there, seat)

    def _call(self, name: str) -> Called:
        seat, _, field = name.partition(".")
        return self._called[field if seat.isdecimal() else name]

    def _line(self, name: str, hint: Any, value: Any, seat: int) -> Line:
        called = self._call(name)
        hint, optional = without_none(hint)
        if get_origin(hint) is Literal:
            choices = ("", *get_args(hint)) if optional else get_args(hint)
            return Line(name, called, "choice", value or "", choices, seat)
        if isinstance(value, bool):
            return Line(name, called, "yesno", value, (), seat)
        if isinstance(value, int):
            return Line(name, called, "count", value, (), seat)
        return Line(name, called, "text", self._text(value), (), seat)

    def _text(self, value: Any) -> str:
        if value is None:
            return ""
        if (leaf := self._leaves.get(type(value))) is not None:
            return leaf.to_text(value)
        if isinstance(value, tuple):
            groups = any(isinstance(one, tuple) and type(one) not in self._leaves for one in value)
            return (_GROUPS if groups else " ").join(map(self._text, value))
        return self._word(value) if isinstance(value, msgspec.Struct) else str(value)

    def _word(self, value: msgspec.Struct) -> str:
        """Return a thing as one word, without values at their default."""
        parts = []
        for field in fields_of(type(value)):
            there = getattr(value, field.name)
            text = "+".join(map(self._text, there)) if _is_list(there, self._leaves) else self._text(there)
            if field.required:
                parts.append(text)
            elif there != field.default:
                parts.append(field.name if there is True else f"{field.name}={text}")
        return ",".join(parts)

    def read(self, values: Mapping[str, Any], position: Any, **derived: Any) -> Any:
        """Return the position on the lines, in the shape of another one; `derived` are further fields, plain.

        Raises `IllegalPosition` naming the line that cannot be read.
        """
        asked = {line["name"]: line for line in self.written(position)}
        if unknown := sorted(values.keys() ^ asked.keys()):
            text = _SENTENCES.text("form", line=repr(unknown[0])[:80])
            raise IllegalPosition(text["en"], text)
        plain = self._plain(position, values, "") | derived
        try:
            return from_json(json.dumps(plain), self._kind, self._leaves, "form")
        except Unreadable as error:
            raise IllegalPosition(str(error), error.text) from error

    def _plain(self, value: msgspec.Struct, values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        hints = hints_of(type(value))
        plain: dict[str, Any] = {}
        for field in fields_of(type(value)):
            there, name = getattr(value, field.name), prefix + field.name
            if name in self._derived:
                continue
            if name == self._players:
                plain[field.name] = [self._plain(one, values, f"{k}.") for k, one in enumerate(there, start=1)]
            elif isinstance(there, msgspec.Struct) and type(there) not in self._leaves:
                plain[field.name] = self._plain(there, values, f"{name}.")
            else:
                hint, optional = without_none(hints[field.name])
                if not (optional and values[name] == ""):
                    plain[field.name] = self._value(name, hint, values[name])
        return plain

    def _value(self, name: str, hint: Any, said: Any) -> Any:
        if hint in {int, bool}:
            if type(said) is not hint:
                raise self._fault(name, said)
            return said
        if not isinstance(said, str) or len(said) > LETTERS_MAX:
            raise self._fault(name, said)
        if get_origin(hint) is not tuple:
            return self._item(name, hint, said)
        item = get_args(hint)[0]
        if get_origin(item) is tuple:
            return [self._items(name, get_args(item)[0], part.split()) for part in said.split(_GROUPS.strip())]
        return self._items(name, item, said.split())

    def _items(self, name: str, hint: Any, words: list[str]) -> list[Any]:
        return [self._item(name, hint, word) for word in words]

    def _item(self, name: str, hint: Any, word: str) -> Any:
        if hint is int:
            try:
                return int(word)
            except ValueError:
                raise self._fault(name, word) from None
        if hint is bool:
            return self._one_of(name, word, ("yes", "no")) == "yes"
        if (leaf := self._leaves.get(hint)) is not None:
            return self._leaf(name, leaf, word)
        if hint is str:
            return word
        if get_origin(hint) is Literal:
            return self._one_of(name, word, get_args(hint))
        if get_origin(hint) is tuple:
            return self._items(name, get_args(hint)[0], word.split("+"))
        return self._thing(name, hint, word)

    def _leaf(self, name: str, leaf: Leaf, word: str) -> str:
        try:
            leaf.from_text(word)
        except Misspelt as error:
            raise self._fault(name, word, error.text) from error
        return word

    def _one_of(self, name: str, word: str, choices: tuple[str, ...]) -> str:
        if word not in choices:
            raise self._fault(name, word, _SENTENCES.text("one_of", choices=", ".join(filter(None, choices))))
        return word

    def _thing(self, name: str, hint: Any, word: str) -> dict[str, Any]:
        hints, fields = hints_of(hint), fields_of(hint)
        needed = [field.name for field in fields if field.required]
        first, rest = word.split(",")[: len(needed)], word.split(",")[len(needed) :]
        if len(first) < len(needed):
            raise self._fault(name, word)
        said = dict(zip(needed, first, strict=True))
        for part in rest:
            key, _, value = part.partition("=")
            if key not in hints or key in said:
                raise self._fault(name, word)
            said[key] = value or "yes"
        return {key: self._item(name, without_none(hints[key])[0], value) for key, value in said.items()}

    def _fault(self, name: str, seen: object, why: Mapping[str, str] | None = None) -> IllegalPosition:
        called = self._call(name)
        line = {language: text.partition(":")[0].rstrip() for language, text in called.text.items()}
        if why is None:
            why = _SENTENCES.text("example", example=called.example) if called.example else _SENTENCES.text("number")
        text = _SENTENCES.text("line", line=line, seen=repr(seen)[:80], why=why)
        return IllegalPosition(text["en"], text)


def _is_list(value: Any, leaves: Mapping[Any, Leaf]) -> bool:
    return isinstance(value, tuple) and type(value) not in leaves
