"""What the commands at the bench say, in the language that somebody asked for: `bench.json`."""

from collections.abc import Mapping

from citytable.languages import ENGLISH
from citytable.languages.sentences import Sentences
from citytable.rules.errors import LocalisedError

_SENTENCES = Sentences(__package__, "bench.json")


class Voice:
    """Sentences of the bench in one language."""

    def __init__(self, language: str = ENGLISH) -> None:
        self._language = language

    def __call__(self, key: str, **words: object) -> str:
        """Return the sentence `key`, its words filled in."""
        return self.of(_SENTENCES.text(key, **words))

    def of(self, text: Mapping[str, str]) -> str:
        """Return what was said in every language."""
        return text[self._language]

    def error(self, error: Exception) -> str:
        """Return what is wrong; one that nobody translated is said in English."""
        text = error.text if isinstance(error, LocalisedError) else {}
        return text.get(self._language, str(error))
