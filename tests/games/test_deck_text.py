"""A deck as it is kept: the same deck again, under a hash that never changes."""

import pytest

from citytable.games.megacity.deck_text import deck_text, fingerprint
from citytable.games.megacity.pieces import HOUSE, Deck, deck_from_text, load_deck

GOLDEN = "tests/journal/golden"


@pytest.fixture(scope="module")
def owners(root):
    return load_deck(root / GOLDEN / "version-1-owners-deck.json")


def test_the_hashes_are_those_that_version_1_wrote(owners):
    """Else no game of that time finds its deck."""
    assert fingerprint(HOUSE) == "e85fc05b8f4878f5727cd2269a1a98212841a7851283ce230be9be427212c5ea"
    assert fingerprint(owners) == "5439aedf668ff680876ba6c07a76cdb689ac64763d74a297cbe6d170bfdce1be"


def test_what_is_kept_is_the_same_deck(owners):
    for deck in (HOUSE, owners):
        again = deck_from_text(deck_text(deck), "kept")
        assert fingerprint(again) == fingerprint(deck)
        assert (again.name, again.origin, again.pieces) == (deck.name, deck.origin, deck.pieces)
        assert (again.contracts, again.platforms) == (deck.contracts, deck.platforms)
        assert deck_text(again) == deck_text(deck)


@pytest.mark.parametrize("field", ["name", "pieces", "platforms", "contracts"])
def test_any_change_gives_another_hash(field):
    said = {
        "name": HOUSE.name,
        "origin": HOUSE.origin,
        "contracts": tuple(HOUSE.contracts.values()),
        "platforms": HOUSE.platforms,
        "pieces": HOUSE.pieces,
    }
    other = {
        "name": "another",
        "pieces": {**HOUSE.pieces, "steel": 1},
        "platforms": {**HOUSE.platforms, 1: tuple(reversed(HOUSE.platforms[1]))},
        "contracts": said["contracts"][:-1],
    }
    assert fingerprint(Deck(**said)) == fingerprint(HOUSE)
    assert fingerprint(Deck(**{**said, field: other[field]})) != fingerprint(HOUSE)
