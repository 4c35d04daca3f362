"""Complaints: the faults of a station, in every language, from `complaints.json`.

A station reports a sensor's fault in English words of its own. Those of our firmware are translated here; all others
stay as they are.
"""

import re
from collections.abc import Mapping

from citytable.languages.sentences import Sentences
from citytable.table.spot import hex_of
from citytable.table.where import beginning, in_words

SENTENCES = Sentences(__package__, "complaints.json")
complaint = SENTENCES.text
"""What is wrong: language -> sentence."""


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(template)))


_WHAT = {key: _pattern(text["en"]) for key, text in SENTENCES.texts.items() if key.startswith("what.")}


def of_sensor(spot: str, sensor: str, what: str) -> dict[str, str]:
    """Return the sentence for a fault that a station reports of a sensor."""
    name: str | Mapping[str, str] = complaint(sensor) if sensor in SENTENCES else sensor
    return complaint("sensor", place=_place(spot), sensor=name, what=_known(what))


def _place(spot: str) -> str | Mapping[str, str]:
    """Return people's words for a hex or a spot at a seat, counted from 1; for others the plan's name."""
    if (at := hex_of(spot)) is not None:
        return beginning(in_words(at, complaint("city")))
    room, _, rest = spot.partition("/")
    seat, _, kind = rest.partition("/")
    kind, _, k = kind.partition("/")
    if room != "seat" or f"place.{kind}" not in SENTENCES:
        return spot
    return complaint(f"place.{kind}", seat=seat, n=int(k or 0) + 1)


def _known(what: str) -> str | Mapping[str, str]:
    for key, pattern in _WHAT.items():
        if match := pattern.fullmatch(what):
            return complaint(key, **match.groupdict())
    return what
