"""Falls in the city (R35, A26, A28): the likeliest fall, and the form that asks about it.

The sensors feel that something fell and how much lighter the hex is. People see what fell, what touched the table and
how high the rest is: they are asked once, the likeliest answer first, and they may say that it was nothing.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from citytable.games.megacity.actions import Accident, BuildingFell, MonumentFell, PiecesLost
from citytable.games.megacity.city import building_at, park_at
from citytable.games.megacity.position import Pieces, Position
from citytable.rules.game import open_fields
from citytable.table.hexes import CENTRE, Hex
from citytable.table.question import Field, FieldValue

COLLAPSED_PERCENT = 34  # a hex that lost less of its building is asked about as a partial loss
WHAT_FELL = "what_fell"
ALL, SOME, NOTHING = "all", "some", "nothing"
TOUCHED = "touched"


def fallen(position: Position, at: Hex | None, lost_percent: int | None) -> Accident | None:
    """Return the likeliest fall on a hex that has lost `lost_percent` of its load; None: nothing stands."""
    building = building_at(position, at)
    if building is not None and building.standing:
        partly = lost_percent is not None and lost_percent < COLLAPSED_PERCENT and building.pieces.total > 1
        return PiecesLost(at=building.at) if partly else BuildingFell(at=building.at)
    park = park_at(position, at) if at is not None else None
    return MonumentFell(at=park.at) if park is not None and park.monument is not None else None


def monuments_that_may_fall(position: Position) -> Iterator[MonumentFell]:
    """Yield the monuments; not that of Central Park while somebody may be replacing it (R34)."""
    for park in position.parks:
        if park.monument is not None and (park.at != CENTRE or position.phase != "option"):
            yield MonumentFell(at=park.at)


def may_fall(position: Position) -> Iterator[Accident]:
    """Yield the possible falls for people to choose; a partial fall of a building is asked afterwards."""
    yield from (BuildingFell(at=building.at) for building in position.buildings if building.standing)
    yield from monuments_that_may_fall(position)


def fall_form(
    position: Position, action: Accident, known: Mapping[str, FieldValue], *, said: bool
) -> tuple[Field, ...]:
    """Return the questions about a fall; none if a person's report was complete."""
    if isinstance(action, MonumentFell):
        return () if said else (Field(TOUCHED, "yesno", proposed=True),)
    building = building_at(position, action.at)
    if building is None or not open_fields(action):
        return ()
    total = building.pieces.total
    gone = min(max(1, round(total * int(known.get("lost_percent", 0)) / 100)), total)
    counts: tuple[Field, ...]
    if isinstance(action, BuildingFell):
        counts = (Field("to_box", "count", proposed=gone, high=total), Field("left", "count", proposed=0, high=total))
    else:
        counts = (
            Field("to_box", "count", proposed=gone, high=total - 1),
            Field("to_bag", "count", proposed=0, high=total - 1),
            Field("height_mm", "mm", proposed=building.height_mm),
        )
    what = ALL if isinstance(action, BuildingFell) else SOME
    if known.get("lost_percent") == 0:
        what = NOTHING  # all of it is there still
    return (Field(WHAT_FELL, "choice", proposed=what, choices=(ALL, SOME, NOTHING)), *counts)


def fall_denied(values: Mapping[str, FieldValue]) -> bool:
    """Return whether the answer denies the fall, or says that the thing stands again."""
    return values.get(WHAT_FELL) == NOTHING or values.get(TOUCHED) is False


def fall_as_answered(action: Accident, values: Mapping[str, FieldValue]) -> Accident:
    """Return the accident that was answered; open if it is another one than was asked about."""
    match action, values.get(WHAT_FELL):
        case BuildingFell(), "some":
            return PiecesLost(at=action.at)
        case PiecesLost(), "all":
            return BuildingFell(at=action.at)
        case BuildingFell(), _:
            return replace(action, to_box=int(values["to_box"]), left=int(values["left"]))
        case PiecesLost(), _:
            to_box, to_bag = Pieces(unknown=int(values["to_box"])), Pieces(unknown=int(values["to_bag"]))
            return replace(action, to_box=to_box, to_bag=to_bag, height_mm=int(values["height_mm"]))
    return action
