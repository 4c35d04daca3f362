"""A position drawn in text, for people who work on the rules: what `print(game)` shows.

c2:67!  the highest building, commercial, of seat 2, 67 mm high       x3  a fallen building of seat 3
P1*     the park of seat 1 with a monument      CP  Central Park      .   an empty hex
"""

from collections.abc import Collection, Iterator

from citytable.games.megacity.leaves import face_to_text, pieces_to_text
from citytable.games.megacity.position import TYPES, Player, Position
from citytable.games.megacity.ranges import as_text
from citytable.games.megacity.spots import CITY, RADIUS
from citytable.table.hexes import Hex

_WIDTH = 8


def drawn(position: Position) -> str:
    """Return the city as a board of hexes, and below it the things beside the city."""
    return "\n".join([_headline(position), *board(position), *_supply(position), *_seats(position)])


def _headline(position: Position) -> str:
    if not position.player:
        return "before the deal"
    final = f", final turns: {position.final}" if position.final else ""
    return f"turn {position.turn}, seat {position.player}, {position.phase}, {position.actions_used} used{final}"


def board(position: Position, named: Collection[Hex] = ()) -> Iterator[str]:
    """Yield the city, a line for each row, with the names of those empty hexes that are `named`.

    Hexes that touch are neighbours in a row or lie half a hex apart in the next one.
    """
    tiles = {cell: str(cell) for cell in named} | _tiles(position)
    for r in range(-RADIUS, RADIUS + 1):
        row = [cell for cell in CITY if cell.r == r]
        indent = " " * (abs(r) * _WIDTH // 2)
        yield (indent + "".join(tiles.get(cell, ".").center(_WIDTH) for cell in row)).rstrip()


def _tiles(position: Position) -> dict[Hex, str]:
    tiles = {}
    for building in position.buildings:
        marker = "!" if building.at == position.tallest else ""
        stands = f"{building.face.up[0]}{building.owner}:{building.height_mm}{marker}"
        tiles[building.at] = stands if building.standing else f"x{building.owner}"
    for park in position.parks:
        name = "CP" if park.owner is None else f"P{park.owner}"
        tiles[park.at] = name + ("*" if park.monument is not None else "")
    return tiles


def _supply(position: Position) -> Iterator[str]:
    faces = " ".join("?" if face is None else face_to_text(face) for face in position.supply)
    yield f"supply {faces or 'none'}, {len(position.stack)} in the stack"
    bag = as_text(position.bag_least, position.bag_most)
    yield f"pieces {bag} in the bag, {position.box} in the box, {position.left_in_city} left lying in the city"
    for kind, column in zip(TYPES, position.columns, strict=True):
        yield f"{kind:>11} {' '.join(column) or 'none'}"
    if position.landmarks:
        yield f"{'landmarks':>11} {' '.join(position.landmarks)}"


def _seats(position: Position) -> Iterator[str]:
    for seat, player in enumerate(position.players, start=1):
        yield f"{'*' if seat == position.player else ' '} seat {seat}: {_hand(player)}"


def _hand(player: Player) -> str:
    platforms = " ".join(face_to_text(face) for face in player.platforms)
    return (
        f"{pieces_to_text(player.pieces)}; contracts {' '.join(player.contracts) or 'none'}; "
        f"platforms {platforms or 'none'}; completed {' '.join(player.completed) or 'none'}; "
        f"{player.tokens} tokens{', park' if player.park else ''}"
    )
