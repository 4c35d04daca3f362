"""Refusals of the web server: sentences in every language, from `refusals.json`."""

from pathlib import Path
from typing import Any

import msgspec

SENTENCES = msgspec.json.decode((Path(__file__).parent / "refusals.json").read_bytes(), type=dict[str, dict[str, str]])


class Refused(Exception):
    """A request that is not accepted: HTTP `status`, and `text` (language -> sentence) for its sender."""

    def __init__(self, status: int, text: dict[str, str], rule: str = "") -> None:
        super().__init__(text["en"])
        self.status = status
        self.text = text
        self.rule = rule


def refused(status: int, key: str, **words: Any) -> Refused:
    """A refusal with the sentence `key`, its words filled in."""
    return Refused(status, {language: text.format(**words) for language, text in SENTENCES[key].items()})
