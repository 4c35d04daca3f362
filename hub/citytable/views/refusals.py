"""Refusals of the web server: sentences in every language, from `refusals.json`."""

from citytable.languages.sentences import Sentences

SENTENCES = Sentences(__package__, "refusals.json")


class Refused(Exception):
    """A request that is not accepted: HTTP `status`, and `text` (language -> sentence) for its sender."""

    def __init__(self, status: int, text: dict[str, str], rule: str = "") -> None:
        super().__init__(text["en"])
        self.status = status
        self.text = text
        self.rule = rule


def refused(status: int, key: str, **words: object) -> Refused:
    """Return a refusal with the sentence `key` and its values filled in; a value may differ between languages."""
    return Refused(status, SENTENCES.text(key, **words))
