"""A deck as text that can be kept, and the hash by which it is found again.

Both stay as they are for ever: decks and hashes of years ago are compared with those of today. So every field is named
here, and a field that cards get one day changes neither for the cards that do not have it.
"""

import hashlib
import json
from typing import Any

import msgspec

from citytable.games.megacity.pieces import Contract, Deck


def fingerprint(deck: Deck) -> str:
    """Return a hash over everything in a deck, to distinguish decks of the same name."""
    contents: tuple[Any, ...] = (
        deck.name,
        deck.origin,
        [(name, _card(contract)) for name, contract in sorted(deck.contracts.items())],
        sorted(deck.platforms.items()),
        sorted(deck.pieces.items()),
    )
    if deck.unread:
        contents = (*contents, sorted(deck.unread))
    return hashlib.sha256(msgspec.json.encode(contents)).hexdigest()


def deck_text(deck: Deck) -> str:
    """Return a deck as the text of a deck file, which `deck_from_text` reads."""
    contents: dict[str, Any] = {
        "name": deck.name,
        "origin": deck.origin,
        "pieces": dict(deck.pieces),
        "platforms": [{"number": number, "types": list(sides)} for number, sides in deck.platforms.items()],
        "contracts": [_card(contract) for contract in deck.contracts.values()],
    }
    if deck.unread:
        contents["unread"] = sorted(deck.unread)
    return json.dumps(contents, ensure_ascii=False, indent=1)


def _card(contract: Contract) -> dict[str, Any]:
    return {
        "id": contract.id,
        "type": contract.type,
        "pieces": contract.pieces,
        "height_mm": contract.height_mm,
        "requirements": contract.requirements,
        "prestige": contract.prestige,
        "plus": contract.plus,
        "landmark": contract.landmark,
        "origin": contract.origin,
    }
