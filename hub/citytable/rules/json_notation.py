"""Values of a game (positions first of all) as one line of JSON that a person can write.

Structs are objects whose default fields are left out, tuples are lists, and the game's small values are short texts
(`"1/-1"`, `"steel:5,glass:2"`). Reading is strict: an unknown key, a wrong type or a missing field is refused with its
place in the text. What is written is canonical: equal values give equal texts.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from citytable.rules.errors import Unreadable
from citytable.rules.notation import Leaf, fields_of, hints_of, without_none

T = TypeVar("T")


def to_json(value: Any, leaves: Mapping[Any, Leaf]) -> str:
    """Return a value as one line of JSON."""
    return json.dumps(_plain(value, leaves), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any, leaves: Mapping[Any, Leaf]) -> Any:
    if (leaf := leaves.get(type(value))) is not None:
        return leaf.to_text(value)
    if isinstance(value, msgspec.Struct):
        return {
            field.name: _plain(there, leaves)
            for field in fields_of(type(value))
            if (there := getattr(value, field.name)) != _default(field) or field.required
        }
    if isinstance(value, tuple):
        return [_plain(item, leaves) for item in value]
    return value


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default_factory() if callable(field.default_factory) else field.default


def from_json(text: str, kind: type[T], leaves: Mapping[Any, Leaf], name: str) -> T:
    """Read the output of `to_json`; `name` names the text in errors (`Unreadable`)."""
    try:
        plain = json.loads(text, object_pairs_hook=_no_key_twice)
    except RecursionError:
        raise Unreadable(f"{name}: nested too deeply: {text[:40]!r}...") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"{name}: {error.msg.lower()} at {text[error.pos : error.pos + 20]!r}") from None
    except ValueError as error:
        raise Unreadable(f"{name}: {error}") from None
    value: T = _Reading(leaves, name).read(plain, kind, "")
    return value


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return found


class _Reading:
    def __init__(self, leaves: Mapping[Any, Leaf], name: str) -> None:
        self._leaves = leaves
        self._name = name

    def _wrong(self, plain: Any, where: str, expected: str) -> Unreadable:
        place = f" at {where.lstrip('.')}" if where else ""
        return Unreadable(f"{self._name}{place}: {plain!r}: {expected}")

    def read(self, plain: Any, hint: Any, where: str) -> Any:
        hint, optional = without_none(hint)
        if plain is None and optional:
            return None
        if hint in self._leaves:
            return self._leaf(plain, hint, where)
        if get_origin(hint) is tuple:
            return self._tuple(plain, get_args(hint)[0], where)
        if get_origin(hint) is Literal:
            if plain not in get_args(hint):
                raise self._wrong(plain, where, f"write one of {', '.join(map(repr, get_args(hint)))}")
            return plain
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._struct(plain, hint, where)
        return self._scalar(plain, hint, where)

    def _scalar(self, plain: Any, hint: Any, where: str) -> Any:
        if type(plain) is not hint:
            kind = {int: "a whole number", bool: "true or false", str: "a text in quotes"}[hint]
            raise self._wrong(plain, where, f"write {kind}")
        return plain

    def _leaf(self, plain: Any, hint: Any, where: str) -> Any:
        try:
            return self._leaves[hint].from_text(plain) if isinstance(plain, str) else msgspec.convert(plain, hint)
        except ValueError as error:
            raise self._wrong(plain, where, str(error)) from None

    def _tuple(self, plain: Any, item: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(plain, list):
            raise self._wrong(plain, where, "write a list [...]")
        return tuple(self.read(one, item, f"{where}[{k}]") for k, one in enumerate(plain))

    def _struct(self, plain: Any, hint: type[msgspec.Struct], where: str) -> Any:
        if not isinstance(plain, dict):
            raise self._wrong(plain, where, "write an object {...}")
        hints = hints_of(hint)
        fields = {field.name: field for field in fields_of(hint)}
        for key in plain:
            if key not in fields:
                raise self._wrong(key, where, f"unknown field: there is {', '.join(fields)}")
        for key, field in fields.items():
            if field.required and key not in plain:
                raise self._wrong(key, where, "missing: add it")
        return hint(**{key: self.read(value, hints[key], f"{where}.{key}") for key, value in plain.items()})
