"""The sentences of the commands for makers, in the language of the user: `bench.json`."""

from collections.abc import Mapping

from citytable.languages import ENGLISH
from citytable.languages.sentences import Sentences
from citytable.rules.errors import LocalisedError

_SENTENCES = Sentences(__package__, "bench.json")


class Voice:
    """The sentences in one language."""

    def __init__(self, language: str = ENGLISH) -> None:
        self._language = language

    def __call__(self, key: str, **words: object) -> str:
        """Return the sentence `key` with its values filled in."""
        return self.of(_SENTENCES.text(key, **words))

    def of(self, text: Mapping[str, str]) -> str:
        """Return the text in this language."""
        return text[self._language]

    def error(self, error: Exception) -> str:
        """Return the text of an error; an error without a translation is in English."""
        text = error.text if isinstance(error, LocalisedError) else {}
        return text.get(self._language, str(error))
