"""The words of the terminal in one language.

English stands in the code. The file of another language (`citytable.languages`) has the same texts, by the English
ones: those of the terminal, and those of each game. A game that a language has no texts of is played in English.
"""

import os

from citytable.languages import ENGLISH, TRANSLATIONS, section_of
from citytable.languages.sentences import filled


class Words:
    """Texts of the terminal and of one game; called with an English text and what is filled in."""

    def __init__(self, language: str = ENGLISH, package: str = "") -> None:
        there = language in languages_of(package)
        self.language = language if there else ENGLISH
        self._texts: dict[str, str] = {}
        for one in (__package__ or "", package) if self.language != ENGLISH else ():
            self._texts |= TRANSLATIONS[language].section(section_of(one))

    def __call__(self, text: str, /, **values: object) -> str:
        """Return the text in this language, with the values filled in."""
        return filled(self._texts.get(text, text), self.language, values)


def languages_of(package: str) -> tuple[str, ...]:
    """Return the languages in which a game can be played in the terminal."""
    section = section_of(package)
    return (ENGLISH, *(code for code, one in TRANSLATIONS.items() if section and one.section(section)))


def spoken_here() -> str:
    """Return the language of the terminal, as its environment says it (POSIX, "Environment Variables")."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), ENGLISH)
    return named[:2].lower()
