"""JSON that knows the line of every value, so that an error in an owner's file can name it."""

import json
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]

_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


class JsonError(ValueError):
    """The text is not JSON: `line` says where, the message what was expected."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


class LocatedJson:
    """A parsed text: `value` as from `json.loads`; `line("contracts", 3, "type")` is the line of one value.

    A key that appears twice in one object is an error here: otherwise the second one would silently win.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins: dict[Path, int] = {}  # counting lines costs more than all the rest, and only errors ask
        try:
            self.value, end = self._read(0, ())
        except RecursionError:
            raise JsonError(1, "nested too deeply") from None
        end = self._skip(end)
        if end != len(text):
            raise JsonError(self._line_at(end), f"{text[end : end + 20]!r} follows after the end: remove it")

    def line(self, *path: str | int) -> int:
        """Return the line of a value, counted from 1, or of the nearest existing value around it."""
        while path not in self._begins:
            path = path[:-1]
        return self._line_at(self._begins[path])

    def _line_at(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _skip(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _BLANK:
            at += 1
        return at

    def _read(self, at: int, path: Path) -> tuple[Any, int]:
        at = self._skip(at)
        self._begins[path] = at
        match self._text[at : at + 1]:
            case "{":
                return self._read_object(at + 1, path)
            case "[":
                return self._read_array(at + 1, path)
        try:
            return _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise JsonError(error.lineno, f"{error.msg.lower()} at {self._text[at : at + 20]!r}") from None
        except ValueError as error:  # a number with thousands of digits
            raise JsonError(self._line_at(at), f"{error} at {self._text[at : at + 20]!r}") from None

    def _read_array(self, at: int, path: Path) -> tuple[list[Any], int]:
        values: list[Any] = []
        at = self._skip(at)
        if self._text[at : at + 1] == "]":
            return values, at + 1
        while True:
            value, at = self._read(at, (*path, len(values)))
            values.append(value)
            at, closed = self._comma_or(at, "]")
            if closed:
                return values, at

    def _read_object(self, at: int, path: Path) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        at = self._skip(at)
        if self._text[at : at + 1] == "}":
            return values, at + 1
        while True:
            key, at = self._read_key(at)
            if key in values:
                raise JsonError(self._line_at(at), f"{key!r} stands twice in one object: remove one")
            values[key], at = self._read(at, (*path, key))
            at, closed = self._comma_or(at, "}")
            if closed:
                return values, at

    def _read_key(self, at: int) -> tuple[str, int]:
        at = self._skip(at)
        if self._text[at : at + 1] != '"':
            raise JsonError(self._line_at(at), f'expected a key in "quotes", found {self._text[at : at + 20]!r}')
        try:
            key, end = _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise JsonError(error.lineno, error.msg.lower()) from None
        end = self._skip(end)
        if self._text[end : end + 1] != ":":
            raise JsonError(self._line_at(end), f"expected ':' after {key!r}, found {self._text[end : end + 20]!r}")
        return key, end + 1

    def _comma_or(self, at: int, closing: str) -> tuple[int, bool]:
        at = self._skip(at)
        found = self._text[at : at + 1]
        if found not in (",", closing) or not found:
            raise JsonError(self._line_at(at), f"expected ',' or {closing!r}, found {self._text[at : at + 20]!r}")
        return at + 1, found == closing
