"""Blank forms of a game's actions: a person fills in fields instead of writing notation."""

from typing import Literal

import msgspec


class BlankField(msgspec.Struct, frozen=True):
    """One field of an action. `name` is its key in notation; a field that is not `needed` may stay empty.

    `count` and `mm` are whole numbers, `pieces` counts by material, `list` up to `most` of the choices, `text` is
    notation for which there is no form.
    """

    name: str
    kind: Literal["count", "mm", "yesno", "choice", "list", "pieces", "text"]
    needed: bool
    choices: tuple[str, ...] = ()
    most: int = 0


class Blank(msgspec.Struct, frozen=True):
    """An action: its tag in notation, whether a player does it (else the table), and its fields in their order."""

    do: str
    player: bool
    fields: tuple[BlankField, ...]
