"""The options of a new game by the command line: players, easier rules, and rulings that a group agreed on."""

from collections.abc import Sequence
from typing import Any

from citytable.console import fail, players_text
from citytable.session.agreeing import agreed, rulings_of
from citytable.session.box import Box, GameOptions

USUAL = 3  # players, where the game allows so many
_SWITCHED = {"yes": True, "no": False}


def options_of(
    box: Box[Any, Any],
    players: int | None,
    *,
    simplified: bool = False,
    usual: int = USUAL,
    rulings: Sequence[str] | None = None,
) -> GameOptions:
    """Return the options of a game; `rulings` are `name=value`. Ends the command with a sentence for invalid ones."""
    players = min(max(usual, box.players[0]), box.players[-1]) if players is None else players
    if players not in box.players:
        raise fail(f"{box.name} is for {players_text(box.players)}: saw --players {players}", 2)
    options: GameOptions = box.options(players, simplified=simplified)
    return _agreed(box, options, rulings) if rulings else options


def _agreed(box: Box[Any, Any], options: GameOptions, rulings: Sequence[str]) -> GameOptions:
    known = rulings_of(box, options)
    chosen: dict[str, bool | int] = {}
    for text in rulings:
        name, _, value = text.partition("=")
        if name not in known:
            raise fail(f"{box.name} has no ruling {name!r}: give one of {', '.join(known)}", 2)
        is_switch = type(known[name]) is bool
        if value not in _SWITCHED if is_switch else not value.isdecimal():
            wanted = f"{name}=yes or {name}=no" if is_switch else f"{name}= and a whole number, 0 or more"
            raise fail(f"--ruling {text}: saw {value!r}, give {wanted}", 2)
        chosen[name] = _SWITCHED[value] if is_switch else int(value)
    return agreed(box, options, chosen)
