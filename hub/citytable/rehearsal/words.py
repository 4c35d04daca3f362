"""The words of the terminal in one language.

English stands in the code. `words/<language>.json` beside this file, and in the folder of a game, has the same texts in
another language, by the English ones. A game without such a file is played in English.
"""

import os
from importlib.resources import files

import msgspec

from citytable.rules.sentences import filled

ENGLISH = "en"


class Words:
    """Texts of the terminal and of one game; called with an English text and what is filled in."""

    def __init__(self, language: str = ENGLISH, package: str = "") -> None:
        there = language in languages_of(package)
        self.language = language if there else ENGLISH
        self._texts: dict[str, str] = {}
        for folder in (__package__ or "", package) if self.language != ENGLISH else ():
            self._texts |= _texts(folder, language)

    def __call__(self, text: str, /, **values: object) -> str:
        """Return the text in this language, with the values filled in."""
        return filled(self._texts.get(text, text), self.language, values)


def languages_of(package: str) -> tuple[str, ...]:
    """Return the languages in which a game can be played in the terminal."""
    folder = files(package).joinpath("words") if package else None
    found = sorted(one.name.removesuffix(".json") for one in folder.iterdir()) if folder and folder.is_dir() else []
    return (ENGLISH, *found)


def spoken_here() -> str:
    """Return the language of the terminal, as its environment says it (POSIX, "Environment Variables")."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), ENGLISH)
    return named[:2].lower()


def _texts(package: str, language: str) -> dict[str, str]:
    texts: dict[str, str] = msgspec.json.decode(
        files(package).joinpath(f"words/{language}.json").read_bytes(), type=dict[str, str]
    )
    return texts
