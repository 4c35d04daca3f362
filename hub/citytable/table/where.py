"""Where a hex lies, in words: how many steps from the middle, and which way. Each of them has a name of its own.

The screens say it with the same words; people find a hex by them, and nobody finds one by its coordinates.
"""

from collections.abc import Mapping
from math import atan2, degrees, sqrt

from citytable.languages.sentences import Sentences
from citytable.table.hexes import CENTRE, Hex, distance

_SENTENCES = Sentences(__package__, "where.json")
_SAME_WAY = {30: 19, 150: 161, 210: 199, 330: 341}
"""In degrees: ways between two neighbours in the second ring."""


def in_words(at: Hex, centre: Mapping[str, str]) -> dict[str, str]:
    """Return the name of a hex by language; `centre` names the middle. A distant hex keeps its coordinates.

    >>> in_words(Hex(2, -1), {"en": "the fountain", "fr": "de la fontaine"})["en"]
    'the hex 2 steps from the fountain, to the right'
    """
    steps = distance(at, CENTRE)
    if not steps:
        return _SENTENCES.text("middle")
    way = f"way.{_way(at)}"
    if way not in _SENTENCES:
        return dict.fromkeys(_SENTENCES.texts["middle"], str(at))
    return _SENTENCES.text("one" if steps == 1 else "many", n=steps, centre=centre, way=_SENTENCES.text(way))


def beginning(words: Mapping[str, str]) -> dict[str, str]:
    """Return words as a sentence begins with them.

    >>> beginning({"en": "the hex"})
    {'en': 'The hex'}
    """
    return {language: text[:1].upper() + text[1:] for language, text in words.items()}


def _way(at: Hex) -> int:
    """Return the direction of a hex from the middle, clockwise from straight behind it, in degrees."""
    x, y = 1.5 * at.q, sqrt(3) * (at.r + at.q / 2)
    way = round(degrees(atan2(x, -y))) % 360
    return _SAME_WAY.get(way, way)
