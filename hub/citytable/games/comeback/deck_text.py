"""A deck as text that can be kept, and the hash by which it is found again.

Both stay as they are for ever: decks and hashes of years ago are compared with those of today. A field that cards get
one day changes neither for the cards that do not have it, as long as its default is left out here.
"""

import hashlib
import json
from typing import Any

import msgspec

from citytable.games.comeback.deck import Deck
from citytable.rules.notation import fields_of


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return {
            field.name: _plain(getattr(value, field.name))
            for field in fields_of(type(value))
            if field.required or getattr(value, field.name) != field.default
        }
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def deck_text(deck: Deck) -> str:
    """Return a deck as the text of a deck file, which `deck_from_text` reads."""
    return json.dumps(_plain(deck.file), ensure_ascii=False, indent=1)


def fingerprint(deck: Deck) -> str:
    """Return a hash over everything in a deck, to distinguish decks of the same name."""
    contents = json.dumps(_plain(deck.file), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(contents.encode()).hexdigest()
