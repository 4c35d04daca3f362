"""Falls in the city (R35-R37, A22, A23, A26-A28). No player decides them, so they are legal at any time of a game."""

from msgspec.structs import replace

from citytable.games.megacity.actions import BuildingFell, MonumentFell, PiecesLost
from citytable.games.megacity.city import building_at, marker_after, park_at
from citytable.games.megacity.hands import NOTHING, added, can_give, without
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Building, Pieces, Position
from citytable.games.megacity.refusals import check_counted, refuse
from citytable.games.megacity.turn import check_running


def _standing(position: Position, action: BuildingFell | PiecesLost) -> Building:
    check_running(position, action)
    building = building_at(position, action.at)
    if building is None or not building.standing:
        refuse("no_building", action, at=action.at)
    return building


def check_building_fell(position: Position, action: BuildingFell, _deck: Deck) -> None:
    """Raise `IllegalAction` unless a building stands there (R35)."""
    _standing(position, action)


def check_fallen_pieces(position: Position, action: BuildingFell, _deck: Deck) -> None:
    """Raise `IllegalAction` if more pieces fell than the building had (R35)."""
    has = _standing(position, action).pieces.total
    to_box, left = action.to_box or 0, action.left or 0
    if min(to_box, left) < 0 or to_box + left > has:
        refuse("fallen_count", action, at=action.at, count=has)


def building_fell(position: Position, action: BuildingFell, _deck: Deck) -> Position:
    """Return the position after a fall (R35-R37, A27): the platform stays, the marker moves and earns no token."""
    building = _standing(position, action)
    to_box, left = action.to_box or 0, action.left or 0
    fallen = replace(building, pieces=NOTHING, height_mm=0, standing=False)
    return replace(
        _with_building(position, fallen),
        bag=position.bag + building.pieces.total - to_box - left,
        box=position.box + to_box,
        left_in_city=position.left_in_city + left,
    )


def _with_building(position: Position, changed: Building) -> Position:
    buildings = tuple(changed if building.at == changed.at else building for building in position.buildings)
    return replace(position, buildings=buildings, tallest=marker_after(buildings, position.tallest))


def check_pieces_lost(position: Position, action: PiecesLost, _deck: Deck) -> None:
    """Raise `IllegalAction` unless a building stands there (A26)."""
    _standing(position, action)


def check_lost_pieces(position: Position, action: PiecesLost, _deck: Deck) -> None:
    """Raise `IllegalAction` unless a part of the building is gone or its height has changed (A16, A26)."""
    building, lost = check_loss(position, action)
    known = action.to_box is not None and action.to_bag is not None
    if known and not lost.total and action.height_mm == building.height_mm:
        refuse("nothing_lost", action, at=action.at)


def check_loss(position: Position, action: PiecesLost) -> tuple[Building, Pieces]:
    """Return the building and what it loses; raise `IllegalAction` unless it was there and something still stands."""
    building = _standing(position, action)
    to_box, to_bag = action.to_box or NOTHING, action.to_bag or NOTHING
    lost = added(to_box, to_bag)
    check_counted(lost, action)
    if not can_give(building.pieces, lost):
        refuse("lost_count", action, at=action.at)
    if lost.total >= building.pieces.total:
        refuse("nothing_stands", action, at=action.at)
    if action.height_mm is not None and action.height_mm < 1:
        refuse("height_missing", action)
    return building, lost


def pieces_lost(position: Position, action: PiecesLost, _deck: Deck) -> Position:
    """Return the position in which the rest stands at its new height (A26); the marker earns no token."""
    building = _standing(position, action)
    to_box, to_bag = action.to_box or NOTHING, action.to_bag or NOTHING
    height_mm = building.height_mm if action.height_mm is None else action.height_mm
    rest = without(without(building.pieces, to_box), to_bag)
    return replace(
        _with_building(position, replace(building, pieces=rest, height_mm=height_mm)),
        bag=position.bag + to_bag.total,
        box=position.box + to_box.total,
    )


def check_monument_fell(position: Position, action: MonumentFell, _deck: Deck) -> None:
    """Raise `IllegalAction` unless there is a monument (A28)."""
    check_running(position, action)
    park = park_at(position, action.at)
    if park is None or park.monument is None:
        refuse("no_monument", action, at=action.at)


def monument_fell(position: Position, action: MonumentFell, _deck: Deck) -> Position:
    """Return the position without the monument (A28): its piece goes to the box, the park is empty again."""
    parks = tuple(replace(park, monument=None) if park.at == action.at else park for park in position.parks)
    return replace(position, parks=parks, box=position.box + 1)
