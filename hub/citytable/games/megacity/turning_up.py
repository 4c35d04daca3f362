"""Turning up: which tile came up in the supply where nobody saw it, or that comes up late. It is no player's action.

A player who takes a platform fills the gap at once (R9). Where they forget it, or the tag cannot be read, the game goes
on: the supply holds a tile that nobody knows, and it is named as soon as somebody sees it.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from citytable.games.megacity.actions import TurnUp
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Position
from citytable.games.megacity.refusals import refuse
from citytable.games.megacity.stack import in_order, seen_platforms


def check_turn_up(position: Position, action: TurnUp, _deck: Deck) -> None:
    """Raise `IllegalAction` unless a tile of the supply is not known, or the one that is named lies there already."""
    if None not in position.supply and not _lies_there(position, action):
        refuse("no_unknown_tile", action)


def check_tile(position: Position, action: TurnUp, deck: Deck) -> None:
    """Raise `IllegalAction` unless the tile can be the one that nobody saw (R4)."""
    check_turn_up(position, action, deck)
    if action.revealed is None or _lies_there(position, action):
        return
    if len(action.revealed) != 1:
        refuse("revealed_count", action, count=1, seen=len(action.revealed))
    face = action.revealed[0]
    if face is None:
        return
    if not deck.may_show(face.platform, face.up):
        refuse("revealed_no_tile", action, platform=face.platform, type=face.up)
    if face.platform in seen_platforms(position):
        refuse("revealed_elsewhere", action, platform=face.platform)


def turn_up(position: Position, action: TurnUp, _deck: Deck) -> Position:
    """Return the position in which the tile is known; unchanged where it was known, or is not named."""
    if action.revealed is None or _lies_there(position, action):
        return position
    supply = list(position.supply)
    supply.remove(None)
    return replace(position, supply=in_order((*supply, *action.revealed)))


def _lies_there(position: Position, action: TurnUp) -> bool:
    """Return whether the tile that is named lies in the supply: the act before it may have been put right since."""
    named = action.revealed or ()
    return len(named) == 1 and isinstance(named[0], Face) and named[0] in position.supply


def unseen_tiles(position: Position) -> Iterator[TurnUp]:
    """Yield the act, open, by which a tile of the supply becomes known that is not."""
    if None in position.supply:
        yield TurnUp()


class LateTiles:
    """MegaCity brings `NamesLater`."""

    def named_later(self, position: Position) -> Iterator[TurnUp]:
        """Yield the act, open, by which a tile of the supply becomes known that nobody saw."""
        return unseen_tiles(position)
