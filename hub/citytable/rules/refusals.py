"""The sentences with which a game's rules refuse: `refusals.json` beside its code.

The file has the `refusals`, each with the number of its `rule` and its sentence in English (`en`), and `words`: names
within sentences, such as a type, for which every language has its own word.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files

import msgspec

from citytable.languages import in_every_language, section_of
from citytable.languages.sentences import filled


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence of a refusal. `impossible`: the refused action cannot have happened on a table at all."""

    rule: str
    en: str
    impossible: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]
    refusals: dict[str, Refusal]


class Refusals(Mapping[str, Refusal]):
    """The refusals of the game whose code is `package`, by key; `names` are its words: word -> language -> text."""

    def __init__(self, package: str | None) -> None:
        file = msgspec.json.decode(files(package or "").joinpath("refusals.json").read_bytes(), type=_File)
        section = section_of(package, "refusals.json")
        self._refusals = file.refusals
        self.names = in_every_language(f"{section}.words", file.words)
        self.texts = in_every_language(section, {key: refusal.en for key, refusal in file.refusals.items()})

    def __getitem__(self, key: str) -> Refusal:
        return self._refusals[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._refusals)

    def __len__(self) -> int:
        return len(self._refusals)

    def text(self, key: str, words: Mapping[str, object]) -> dict[str, str]:
        """Return the sentence in every language. Names, and values given by language, are filled in by language."""
        return {
            language: filled(text, language, {word: self._in(language, said) for word, said in words.items()})
            for language, text in self.texts[key].items()
        }

    def _in(self, language: str, word: object) -> object:
        if isinstance(word, Mapping):
            return word[language]
        return self.names[word][language] if isinstance(word, str) and word in self.names else word
