"""Hold the languages that people read and hear. English is next to the code that uses it; any other is one file here.

`<code>.json` holds a language: its own `name`, the numbers that take its `singular`, its `decimal` sign, and its
`texts`, by section. A section has the keys of a file of English sentences, in the hub (`games.megacity.lessons`) or on
the screens (`screens.host`). For the terminal, the English sentences are the keys. Sentences that a file leaves out
appear in English. docs/howto/add-a-language.md shows how to add one.
"""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeAlias

import msgspec

ENGLISH = "en"
Language: TypeAlias = str
"""A code of `LANGUAGES`, such as "fr" (ISO 639-1)."""


class UnreadableLanguage(ValueError):
    """A language's file cannot be read: the text names the file, the error, and what to do."""


class Translation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language: its own name, the numbers that take the singular, its decimal sign, and section -> key -> text."""

    name: str
    singular: tuple[int, ...]
    texts: Mapping[str, Mapping[str, str]] = {}
    decimal: str = "."

    def section(self, name: str) -> Mapping[str, str]:
        """Return the texts of a section; none if the file does not have it."""
        return self.texts.get(name, {})


def read_from(folder: Traversable) -> dict[Language, Translation]:
    """Read every language of a folder, English first. Raises `UnreadableLanguage`."""
    read = {ENGLISH: Translation("English", (1,))}
    for path in sorted((one for one in folder.iterdir() if one.name.endswith(".json")), key=lambda one: one.name):
        try:
            read[path.name.removesuffix(".json")] = msgspec.json.decode(path.read_bytes(), type=Translation)
        except msgspec.DecodeError as error:
            raise UnreadableLanguage(
                f"the language file {path} cannot be read: {error}. Mend it, or take it away."
            ) from None
    return read


TRANSLATIONS = read_from(files(__package__ or ""))
LANGUAGES: tuple[Language, ...] = tuple(TRANSLATIONS)


def in_every_language(section: str, english: Mapping[str, str]) -> dict[str, dict[Language, str]]:
    """Return the English sentences of a section with those of the other languages: key -> language -> text."""
    others = {code: one.section(section) for code, one in TRANSLATIONS.items()}
    return {key: {code: texts.get(key, text) for code, texts in others.items()} for key, text in english.items()}


def section_of(package: str | None, name: str = "") -> str:
    """Return the section of a data file beside the code of `package`.

    >>> section_of("citytable.games.megacity", "lessons.json")
    'games.megacity.lessons'
    """
    parts = (*(package or "").split(".")[1:], name.removesuffix(".json"))
    return ".".join(part for part in parts if part)
