"""Options of games that are begun once and replayed for years, perhaps by a program with other defaults.

A game writes all its options down when it begins. Where one is missing, the game was begun by a program that left out
what was at its default (until entries of version 1), or by one that did not know this option yet. `WHERE_LEFT_OUT`
says how such a game was played. Its values stay for ever, whatever the defaults in `position.py` become.

A new ruling gets a line here: its value is how the game went before the ruling existed.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from citytable.games.megacity.notation import position_from_text
from citytable.games.megacity.position import Options, Position
from citytable.rules.errors import IllegalPosition

WHERE_LEFT_OUT: Mapping[str, Any] = MappingProxyType(
    {
        "players": 3,
        "simplified": False,
        "deck": "house",
        "rulings": MappingProxyType(
            {
                "returned_tiles_keep_their_side": True,
                "single_card_may_be_reorganised": True,
                "few_pieces_are_a_bag_out": False,
                "distance_along_tiles": False,
                "must_slide_in": False,
                "later_public_may_found": True,
                "equal_height_is_new_tallest": False,
                "fallen_buildings_count_for_awards": True,
                "fallen_buildings_count_for_park_tokens": False,
                "landmarks_count_for_awards": True,
                "bag_out_keeps_remaining_action": True,
                "taking_reopens_when_pieces_return": False,
                "final_delivery_has_bonuses": True,
                "recycle_with_nothing_scores": True,
                "marker_breaks_ties": True,
                "at_most_eight_buildings": False,
                "simplified_awards": True,
                "round_limit": 0,
            }
        ),
    }
)


def in_full(options: Options) -> dict[str, Any]:
    """Return every option, also those at their default, as a game writes them down."""
    return {**msgspec.structs.asdict(options), "rulings": msgspec.structs.asdict(options.rulings)}


def options_of(written: Mapping[str, Any]) -> Options:
    """Return the options of a game that was written down; raises `msgspec.ValidationError`."""
    return _completed(written, WHERE_LEFT_OUT)


def _completed(written: Mapping[str, Any], left_out: Mapping[str, Any]) -> Options:
    full, rulings = {**left_out, **written}, written.get("rulings", {})
    if isinstance(rulings, Mapping):
        full["rulings"] = {**left_out["rulings"], **rulings}
    return msgspec.convert(full, Options)


def as_once_meant(options: Options) -> Options:
    """Return the meaning of these options under the defaults of their time, so that a hub can continue that game."""
    return options_of(msgspec.to_builtins(options))


def position_of(text: str, options: Options) -> Position:
    """Return a position that was written down in a game of these options.

    An option that the text leaves out is that of the game. Raises `Unreadable`, and `IllegalPosition` for a text with
    other options.
    """
    position = position_from_text(text)
    written = msgspec.json.decode(text)["options"]
    if _completed(written, in_full(options)) != options:
        raise IllegalPosition("the position that was set is one of a game with other options")
    return msgspec.structs.replace(position, options=options)
