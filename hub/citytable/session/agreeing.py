"""Rulings that a group agrees on before a game: the choices, and the options with the chosen ones."""

from collections.abc import Mapping
from typing import Any

from citytable.rules.errors import Unfitting
from citytable.session.box import Agrees, Box, GameOptions
from citytable.session.shelf import SENTENCES
from citytable.views.next_game import RulingChoice


def rulings_of(box: Box[Any, Any], options: GameOptions) -> dict[str, bool | int]:
    """Return the rulings of these options by name; empty if they have none."""
    return dict(box.written(options).get("rulings", {}))


def rulings_to_choose(box: Box[Any, Any], options: GameOptions) -> tuple[RulingChoice, ...]:
    """Return the rulings that a group may choose, as they are in these options."""
    if not isinstance(box, Agrees):
        return ()
    usual, texts = rulings_of(box, box.options(options.players)), box.rulings
    return tuple(
        RulingChoice(name=name, text=dict(texts[name]), value=value, usual=usual[name])
        for name, value in rulings_of(box, options).items()
    )


def agreed(box: Box[Any, Any], options: GameOptions, rulings: Mapping[str, bool | int]) -> GameOptions:
    """Return the options with these rulings; raises `Unfitting` for one that the game has not, or of another kind."""
    known = rulings_of(box, options)
    for name, value in rulings.items():
        if name not in known or type(known[name]) is not type(value):
            raise Unfitting(SENTENCES.text("ruling", name=name, value=value))
    found: GameOptions = box.read({**box.written(options), "rulings": {**known, **rulings}}) if rulings else options
    return found
