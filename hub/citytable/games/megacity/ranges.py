"""What follows for everybody else when the number of pieces somebody holds is a range.

Nothing is lost: the pieces that a player may hold, and does not, are in the bag. So the bag bounds what all players
hold together, and with that, sometimes, what one of them holds.
"""

from msgspec.structs import replace

from citytable.games.megacity.hands import between
from citytable.games.megacity.position import Pieces, Player, Position


def as_text(least: int, most: int) -> str:
    """Write a number of pieces: `5`, or `5-6` for a range."""
    return str(least) if least == most else f"{least}-{most}"


def with_pieces(position: Position, seat: int, pieces: Pieces) -> Position:
    """Return the position in which a player turned out to hold these pieces; what they hold less is in the bag."""
    k = seat - 1
    was = position.players[k]
    players = (*position.players[:k], replace(was, pieces=pieces), *position.players[k + 1 :])
    return replace(position, players=players, bag=position.bag + was.pieces.most - pieces.most)


def settled(position: Position) -> Position:
    """Return the position without what a bag that cannot hold fewer than no pieces rules out."""
    short, maybe = -position.bag, sum(player.pieces.maybe for player in position.players)
    if not 0 < short <= maybe:
        return position
    for seat, player in enumerate(position.players, start=1):
        fewer = short - (maybe - player.pieces.maybe)  # so many of theirs are not there, even if nobody else has more
        if fewer > 0:
            held = between(player.pieces, player.pieces.total, player.pieces.most - fewer)
            position = with_pieces(position, seat, held)
    return position


def emptied(position: Position) -> Position:
    """Return the position in which the bag was found empty; it may be empty: `bag_least` is 0."""
    found: list[Player] = []
    for player in position.players:
        pieces = player.pieces
        least = max(pieces.total, pieces.most + position.bag)  # no more than `-bag` pieces are missing anywhere
        found.append(replace(player, pieces=between(pieces, least, pieces.most)))
    return replace(position, players=tuple(found))
