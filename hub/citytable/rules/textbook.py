"""The textbook of a game: the sentences of its lessons, in `lessons.json` beside its code.

`<topic>.rule` is the rule, `<topic>.do` the instruction; `<topic>.do.<way>` is the same in a special case. The first
sentence of an instruction is the most important one, for screens with room for one.
"""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from citytable.languages.sentences import Sentences

Word: TypeAlias = Mapping[str, str] | str | int
"""A word in a sentence; a text by language where the languages differ."""

SAID = "said"
"""The way of a table without sensors: nothing has a place of its own there."""


class Page(msgspec.Struct, frozen=True):
    """A topic of the textbook: its rule and instruction, by language."""

    rule: dict[str, str]
    do: dict[str, str]


class Textbook:
    """The lessons of the game whose code is `package`."""

    def __init__(self, package: str | None) -> None:
        self._sentences = Sentences(package, "lessons.json")

    def text(self, key: str, **words: Word) -> dict[str, str]:
        """Return a sentence in every language."""
        return self._sentences.text(key, **words)

    def joined(self, *texts: Mapping[str, str]) -> dict[str, str]:
        """Return sentences one after the other."""
        languages = texts[0] if texts else ()
        return {language: " ".join(text[language] for text in texts) for language in languages}

    def page(self, topic: str, words: Mapping[str, Word], *, way: str = "", sensed: bool = True) -> Page:
        """Return the page of a topic: in this way if the game has a sentence for it, otherwise in the usual one."""
        special = f"{topic}.do.{way}" if way else f"{topic}.do"
        keys = [special, f"{topic}.do"]
        if not sensed:
            keys = [f"{special}.{SAID}", *keys]
        do = next(key for key in keys if key in self._sentences)
        return Page(self.text(f"{topic}.rule", **words), self.text(do, **words))
