"""Explains errors in a JSON message in sentences for people; msgspec's own are for programs."""

import re

from citytable.languages.sentences import Sentences

_SENTENCES = Sentences(__package__, "unreadable_json.json")
_PLACE = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$?\.?(?P<place>[^`]*)`)?", re.DOTALL)
_WHAT = (
    (re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<seen>[^`]+)`"), "type"),
    (re.compile(r"Expected `(?P<wanted>str|int|array)` of (?:at least )?length (?P<bound>.+)"), "length"),
    (re.compile(r"Expected `(?:int|float)` (?P<bound>[<>]=? .+)"), "bound"),
    (re.compile(r"Expected `str` matching regex .*"), "pattern"),
    (re.compile(r"Invalid (?:enum )?value (?P<seen>.+)"), "value"),
    (re.compile(r"Object missing required field `(?P<name>[^`]+)`"), "missing"),
    (re.compile(r"Object contains unknown field `(?P<name>[^`]+)`"), "unknown"),
    (re.compile(r"Expected `(?P<wanted>[^`]+)`"), "wanted"),
    (re.compile(r"'utf-8' codec can't decode .*"), "utf_8"),
    (re.compile(r"JSON is malformed.*|Input data was truncated.*|Input string was truncated.*"), "json"),
)
_MOST = 80  # letters of a sender's own text that are repeated


def why_unreadable(error: Exception) -> dict[str, str]:
    """Return a decoder's error in each language; an unknown one in its own words."""
    match = _PLACE.fullmatch(str(error))
    what, place = (match["what"], match["place"]) if match else (str(error), None)
    why = _why(what)
    return _SENTENCES.text("at", place=place[:_MOST], why=why) if place else why


def _why(what: str) -> dict[str, str]:
    for pattern, key in _WHAT:
        if match := pattern.fullmatch(what):
            return _SENTENCES.text(key, **{name: _word(text) for name, text in match.groupdict().items()})
    return _SENTENCES.text("other", what=what)


def _word(text: str) -> object:
    """Return a type's name in each language; anything else unchanged."""
    kinds = [part for part in text.split(" | ") if part != "null"] or ["null"]
    named = [_SENTENCES.text(f"kind.{kind}") for kind in kinds if f"kind.{kind}" in _SENTENCES]
    if len(named) < len(kinds):
        return text[:_MOST]
    return {language: " / ".join(one[language] for one in named) for language in named[0]}
