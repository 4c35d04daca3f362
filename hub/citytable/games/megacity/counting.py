"""Counting: somebody reports how many pieces a player holds, because nobody else can know. It is no player's action.

The count is valid, whatever was assumed before; the bag holds the difference.
"""

from collections.abc import Iterator

from citytable.games.megacity.actions import CountPieces
from citytable.games.megacity.delivery import usable_pieces
from citytable.games.megacity.hands import between, without
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Pieces, Position
from citytable.games.megacity.ranges import with_pieces
from citytable.games.megacity.refusals import refuse
from citytable.table.question import Field

SPARE_PIECES = 3  # a player who built with more pieces than expected may have as many more


def check_count_pieces(position: Position, action: CountPieces, _deck: Deck) -> None:
    """Raise `IllegalAction` unless there is such a player in a game that has begun; it may be over (R49)."""
    if position.phase == "setup":
        refuse("setup_first", action)
    if not 1 <= action.seat <= len(position.players):
        refuse("no_seat", action, seen=action.seat, count=len(position.players))


def check_count(position: Position, action: CountPieces, deck: Deck) -> None:
    """Raise `IllegalAction` unless there can be so many pieces (R5)."""
    check_count_pieces(position, action, deck)
    if action.count is None:
        return
    most = most_held(position, action.seat)
    if not 0 <= action.count <= most or action.maybe < 0:
        refuse("count_of_pieces", action, seat=action.seat, count=most, seen=action.count)


def most_held(position: Position, seat: int) -> int:
    """Return the most pieces that a player can hold: all that are not certainly elsewhere."""
    others = sum(player.pieces.maybe for k, player in enumerate(position.players, start=1) if k != seat)
    return position.bag + position.players[seat - 1].pieces.most + others


def count_pieces(position: Position, action: CountPieces, _deck: Deck) -> Position:
    """Return the position in which the player holds so many pieces; the bag follows. An open count changes nothing."""
    if action.count is None:
        return position
    was = position.players[action.seat - 1].pieces
    most = action.count + action.maybe
    if most < was.total:
        was = without(was, Pieces(unknown=was.total - most))
    return with_pieces(position, action.seat, between(was, action.count, most))


def recounts(position: Position, deck: Deck) -> Iterator[CountPieces]:
    """Yield counts by which the player to act has enough for a contract of theirs, or for a monument (R33, R34)."""
    me, most = position.players[position.player - 1], most_held(position, position.player)
    if position.phase == "option" and not me.pieces.most and most:
        yield CountPieces(seat=position.player, count=1, maybe=min(SPARE_PIECES, most) - 1)
    if position.phase != "main" or position.actions_used or position.deciding:
        return
    for contract in (deck.contracts[name] for name in me.contracts):
        short = contract.pieces - usable_pieces(me.pieces, contract)
        count = me.pieces.most + short
        if short > 0 and count <= most and any(face.up == contract.type for face in me.platforms):
            yield CountPieces(seat=position.player, count=count, maybe=min(SPARE_PIECES, most - count))


class Recounts:
    """MegaCity's `Recounts`: the assumed number of a player's pieces may be wrong."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def recounts(self, position: Position) -> Iterator[CountPieces]:
        """Yield counts with which the player to act has enough pieces."""
        return recounts(position, self._deck)


def count_form(position: Position, action: CountPieces) -> tuple[Field, ...]:
    """Return the form of a count: the number, with the best guess proposed."""
    guess = position.players[action.seat - 1].pieces.guess
    return (Field("count", "count", proposed=guess, high=most_held(position, action.seat)),)


def may_be_counted(position: Position) -> Iterator[CountPieces]:
    """Yield an open count for every player with an uncertain number of pieces."""
    for seat, player in enumerate(position.players, start=1):
        if player.pieces.maybe:
            yield CountPieces(seat=seat)
