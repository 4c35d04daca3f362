"""Where a hex of MegaCity's city lies, in words."""

from collections.abc import Mapping

from citytable.languages.sentences import Sentences
from citytable.table.hexes import Hex
from citytable.table.where import beginning, in_words

_CENTRE = Sentences(__package__, "where.json").text("centre")


def in_peoples_words(words: Mapping[str, object]) -> dict[str, object]:
    """Return the words of a sentence with hexes as people call them; `At` is the name of `at` as a sentence begins."""
    said = {name: hex_words(word) if isinstance(word, Hex) else word for name, word in words.items()}
    at = said.get("at", "")
    return {**said, "At": beginning(at) if isinstance(at, dict) else at}


def hex_words(at: Hex) -> dict[str, str]:
    """Return the name of a hex by language.

    >>> hex_words(Hex(1, 0))["en"]
    'the hex next to Central Park, to the front right'
    """
    return in_words(at, _CENTRE)
