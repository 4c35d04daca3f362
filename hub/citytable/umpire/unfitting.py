"""Refusals of statements that do not fit: sentences in each language, from `unfitting.json`."""

from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting

SENTENCES = Sentences(__package__, "unfitting.json")


def unfitting(key: str, **words: object) -> Unfitting:
    """The refusal `key`, its words filled in."""
    return Unfitting(SENTENCES.text(key, **words))
