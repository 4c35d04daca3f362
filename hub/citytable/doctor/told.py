"""The doctor's sentences for people, in every language: `sentences.json`."""

from typing import Self

from citytable.languages.sentences import Sentences
from citytable.rules.errors import LocalisedError

SENTENCES = Sentences(__package__, "sentences.json")


class Told(LocalisedError):
    """An error at the bench: the text says what was seen, and what to do."""

    @classmethod
    def of(cls, key: str, **words: object) -> Self:
        """Return the error with the sentence `key`, with its values filled in."""
        text = SENTENCES.text(key, **words)
        return cls(text["en"], text)
