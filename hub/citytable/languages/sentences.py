"""Sentences for people, from a data file: one file a room, each key in English and in every other language.

`{words}` in a sentence are filled in. `{count:piece|pieces}` becomes the form for the number.
"""

import string
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from citytable.languages import TRANSLATIONS, Language, in_every_language, section_of


class Sentences:
    """The sentences of a JSON file beside the code, which has the English ones: key -> language -> text."""

    def __init__(self, package: str | None, name: str) -> None:
        raw = files(package or "").joinpath(name).read_bytes()
        self.texts = in_every_language(section_of(package, name), msgspec.json.decode(raw, type=dict[str, str]))

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def only(self, language: Language) -> dict[str, str]:
        """Return the sentences of one language."""
        return {key: texts[language] for key, texts in self.texts.items()}

    def text(self, key: str, **words: object) -> dict[str, str]:
        """Return the sentence in every language. A word that is itself given by language is filled in by language."""
        return {
            language: filled(text, language, {name: _in(language, word) for name, word in words.items()})
            for language, text in self.texts[key].items()
        }


def _in(language: str, word: object) -> object:
    return word.get(language, "") if isinstance(word, Mapping) else word


def filled(text: str, language: str, words: Mapping[str, object]) -> str:
    """Return the sentence with its words filled in.

    >>> filled("{n} {n:tile is|tiles are} turned up", "en", {"n": 1})
    '1 tile is turned up'
    >>> filled("{n} {n:tuile|tuiles}", "fr", {"n": 0})
    '0 tuile'
    >>> filled("{grams:.3f} g", "fr", {"grams": 0.02})
    '0,020 g'
    """
    return _FORMS[language].vformat(text, (), words)


class _Forms(string.Formatter):
    """Chooses between `singular|plural` and writes decimals as the language does: French says none in the singular."""

    def __init__(self, singular: tuple[int, ...], decimal: str) -> None:
        self._singular, self._decimal = singular, decimal

    def format_field(self, value: Any, spec: str) -> Any:
        """Return a form for `singular|plural`, and what Python returns for any other spec, with the decimal sign."""
        one, bar, many = spec.partition("|")
        if not bar:
            text = super().format_field(value, spec)
            return text.replace(".", self._decimal) if isinstance(value, float) else text
        return one if value in self._singular else many


_FORMS = {language: _Forms(translation.singular, translation.decimal) for language, translation in TRANSLATIONS.items()}
