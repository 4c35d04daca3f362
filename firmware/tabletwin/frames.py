"""The frames of a browser: one request each. What cannot be obeyed is refused with a sentence in every language.

Frames come from a network, so nothing in them is believed before `read` has looked at it.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

FRAME_BYTES_MAX = 1000
"""What the door lets through."""
SIT = "sit"
_SENTENCES: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "refusals.json").read_text("utf-8"))
_IMPOSSIBLE: dict[str, str] = json.loads((Path(__file__).parent / "impossible.json").read_text("utf-8"))
"""Why hands could not do something, in French by the English sentence; {} stands for what was seen."""
_PATTERNS = {re.compile(re.escape(english).replace(r"\{\}", "(.+)")): french for english, french in _IMPOSSIBLE.items()}
_SHOWN = 60


class Refusal(ValueError):
    """A frame that is not obeyed: `text` is a sentence by language, `identity` the id of the request if it has one."""

    def __init__(self, key: str, identity: int | None = None, **words: object) -> None:
        self.key = key
        self.identity = identity
        sentences = _SENTENCES[key].items()
        self.text = {language: text.format(**_told(words, language)) for language, text in sentences}
        super().__init__(self.text["en"])


def _told(words: dict[str, object], language: str) -> dict[str, object]:
    """Return the words of a refusal in a language. Why hands could not do something is an exception."""
    if language == "en":
        return words
    return {name: in_french(str(word)) if isinstance(word, Exception) else word for name, word in words.items()}


def in_french(why: str) -> str:
    """Return why an act was impossible, in French where that is written."""
    matches = ((pattern.fullmatch(why), french) for pattern, french in _PATTERNS.items())
    return next((french.format(*match.groups()) for match, french in matches if match), why)


class Ask(NamedTuple):
    """A request: an act of the seat's hands, with its fields."""

    identity: int
    act: str
    fields: dict[str, Any]


def quoted(value: object) -> str:
    """Return a value as it is shown in a refusal: short, and harmless in a log."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def read(frame: str, seat: int, acts: frozenset[str]) -> Ask:
    """Return the request of a frame that came from the browser of a seat; raise `Refusal`."""
    try:
        message = json.loads(frame, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refusal("unreadable", seen=quoted(frame[:_SHOWN])) from None
    identity = message.pop("id", None) if isinstance(message, dict) else None
    if not isinstance(identity, int) or isinstance(identity, bool) or not 0 <= identity < 1 << 53:
        raise Refusal("unreadable", seen=quoted(frame[:_SHOWN]))
    act = message.pop("act", None)
    if not isinstance(act, str) or act not in acts | {SIT}:
        raise Refusal("unknown_act", identity, seen=quoted(act))
    named = message.get("seat", seat)
    if named != seat or isinstance(named, bool):
        raise Refusal("other_seat", identity, own=seat, seen=quoted(named))
    return Ask(identity, act, message)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
