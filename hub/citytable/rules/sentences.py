"""Sentences for people, from a data file: one file a room, each key in every language."""

from collections.abc import Mapping
from importlib.resources import files

import msgspec


class Sentences:
    """The sentences of a JSON file beside the code: key -> language -> text, `{words}` in it are filled in."""

    def __init__(self, package: str | None, name: str) -> None:
        raw = files(package or "").joinpath(name).read_bytes()
        self.texts = msgspec.json.decode(raw, type=dict[str, dict[str, str]])

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def text(self, key: str, **words: object) -> dict[str, str]:
        """The sentence in every language. A word that is itself told in languages is filled in by language."""
        return {
            language: text.format(**{name: _in(language, word) for name, word in words.items()})
            for language, text in self.texts[key].items()
        }


def _in(language: str, word: object) -> object:
    return word.get(language, "") if isinstance(word, Mapping) else word
