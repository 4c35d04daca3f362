"""MegaCity as numbers, for programs that learn: a fixed list of words for decisions, a fixed row for a seat's view.

All of a position is public, and hidden sides are not in it, so the row hides what the rules hide. Seats count from the
viewer's, in the order of turns. `VERSION` changes with the meaning of any number and with the model of building, so
that results of one version can be compared.
"""

from collections.abc import Iterator

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Park, Position
from citytable.games.megacity.spots import CITY
from citytable.table.hexes import Hex

VERSION = 2
SEATS = 4
MOST = 1000  # no number is greater; a higher tower counts as one of 1000 mm
PHASES = ("main", "option", "over", "end")
ENDINGS = ("completed", "bag_out", "round_limit")
IN_COLUMN, ON_TOP, LANDMARK, OPEN, COMPLETED = 1, 2, 3, 4, 8
IN_SUPPLY, HELD, IN_CITY = 1, 2, 6


def words(game: MegaCity) -> tuple[str, ...]:
    """Return every word that the notation of a decision may have after the player."""
    kinds = ("take_contract", "take_platform", "take_pieces", "rezone", "refresh", "reorganise", "return_pieces")
    later = ("deliver", "place_park", "place_monument", "place_central_park_monument", "end_turn", "recycle")
    return (
        *kinds,
        *later,
        *(f"contract={name}" for name in game.deck.contracts),
        *(f"platform={number}" for number in game.deck.platforms),
        *(f"announced={material}" for material in MATERIALS),
        *(f"column={kind}" for kind in TYPES),
        *(f"{field}={cell}" for field in ("at", "park") for cell in CITY),
    )


def numbers(game: MegaCity, seat: int) -> list[int]:
    """Return a seat's view as whole numbers from 0 to 1000; the same number of them for every position of a deck."""
    position, deck = game.position, game.deck
    row = [*_game(position), *_contracts(position, seat, deck), *_platforms(position, seat, deck)]
    row += [number for cell in CITY for number in _hex(position, seat, cell)]
    row += [number for after in range(SEATS) for number in _player(position, seat, after)]
    return [min(max(number, 0), MOST) for number in row]


def _one_of(count: int, which: int) -> list[int]:
    """Return that many numbers, of which one is 1."""
    return [int(k == which) for k in range(count)]


def _after(position: Position, seat: int, other: int | None) -> int:
    """Return how many turns a seat comes after the viewer's; -1 for nobody."""
    return -1 if other is None else (other - seat) % position.options.players


def _game(position: Position) -> list[int]:
    phase = PHASES.index(position.phase) if position.phase in PHASES else -1
    ending = ENDINGS.index(position.final) if position.final else -1
    return [
        *_one_of(len(PHASES), phase),
        *_one_of(len(ENDINGS), ending),
        *(position.turn, position.actions_used, position.bag, position.box, len(position.stack)),
        *(int(position.deciding), int(position.landmarks_open)),
    ]


def _contracts(position: Position, seat: int, deck: Deck) -> Iterator[int]:
    """Yield, for each contract, where it is, and how many cards of its column lie on it."""
    where: dict[str, tuple[int, int]] = {}
    for column in position.columns:
        where |= {name: (IN_COLUMN if depth else ON_TOP, depth) for depth, name in enumerate(column)}
    where |= dict.fromkeys(position.landmarks, (LANDMARK, 0))
    for owner, player in enumerate(position.players, start=1):
        after = _after(position, seat, owner)
        where |= dict.fromkeys(player.contracts, (OPEN + after, 0))
        where |= dict.fromkeys(player.completed, (COMPLETED + after, 0))
    for name in deck.contracts:
        place, depth = where.get(name, (0, 0))
        yield from (*_one_of(COMPLETED + SEATS, place), depth)


def _platforms(position: Position, seat: int, deck: Deck) -> Iterator[int]:
    """Yield, for each platform, where it is and which side is up; one that nobody has seen lies in the stack."""
    where = {face.platform: (IN_SUPPLY, face.up) for face in position.supply if face is not None}
    for owner, player in enumerate(position.players, start=1):
        where |= {face.platform: (HELD + _after(position, seat, owner), face.up) for face in player.platforms}
    where |= {building.face.platform: (IN_CITY, building.face.up) for building in position.buildings}
    for number in deck.platforms:
        place, up = where.get(number, (0, None))
        yield from (*_one_of(IN_CITY + 1, place), *(int(up == kind) for kind in TYPES))


def _hex(position: Position, seat: int, cell: Hex) -> list[int]:
    building = next((one for one in position.buildings if one.at == cell), None)
    park = next((one for one in position.parks if one.at == cell), None)
    row = [int(position.tallest == cell), *_park(position, seat, park)]
    if building is None:
        return [*row, *[0] * (SEATS + len(TYPES) + 3)]
    return [
        *row,
        *_one_of(SEATS, _after(position, seat, building.owner)),
        *(int(building.face.up == kind) for kind in TYPES),
        *(int(building.standing), building.height_mm, building.pieces.total),
    ]


def _park(position: Position, seat: int, park: Park | None) -> list[int]:
    """Return whether there is a park, its owner (none for Central Park), and whether it has a monument."""
    if park is None:
        return [0] * (SEATS + 2)
    return [1, *_one_of(SEATS, _after(position, seat, park.owner)), int(park.monument is not None)]


def _player(position: Position, seat: int, after: int) -> list[int]:
    """Return the play area of the seat that many turns later; zeros if there is none."""
    if after >= position.options.players:
        return [0] * 10
    player = position.players[(seat - 1 + after) % position.options.players]
    pieces = player.pieces
    held = (pieces.steel, pieces.concrete, pieces.glass, pieces.unknown)
    counts = (len(player.contracts), len(player.platforms), len(player.completed), player.tokens, int(player.park))
    return [1, *held, *counts]
