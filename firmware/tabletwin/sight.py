"""What a person sees who stands at the virtual table: what lies where, in front of whom, and who moves it.

It is the truth, not what sensors report. What people cannot see is left out: the pieces in the bag, the cards below the
top one, the cards of a pile that is face down, the platforms in the stack.
"""

from typing import Any

from tabletwin.pieces import Piece
from tabletwin.things import Park, Platform, Thing
from tabletwin.tower import Placed
from tabletwin.world import Seat, World

Parts = dict[str, Any]


def parts(world: World) -> Parts:
    """Return what is seen, by part: `spot/<spot>` where something lies, `seat/<n>`, `pile/<name>`, `stack`, `aside`."""
    seen: Parts = {}
    for spot in world.spots:
        things = world.lying(spot)
        if things:
            seen[f"spot/{spot}"] = {**_thing(things[-1]), "below": len(things) - 1}
    for seat in world.seats.values():
        seen[f"seat/{seat.number}"] = _seat(seat, world)
    for name, pile in world.piles.items():
        top = pile.things[-1] if pile.face_up and pile.things else None
        seen[f"pile/{name}"] = {"count": len(pile.things), "top": top}
    seen["stack"] = len(world.stack)
    seen["aside"] = len(world.aside)
    return seen


def changed(before: Parts, now: Parts) -> Parts:
    """Return the parts that differ; null for those that are gone.

    >>> changed({"stack": 9, "aside": 4}, {"stack": 8})
    {'stack': 8, 'aside': None}
    """
    new = {name: part for name, part in now.items() if before.get(name) != part}
    return new | {name: None for name in before if name not in now}


def _thing(thing: Thing) -> Parts:
    match thing:
        case Platform(tower=tower):
            return {
                "thing": thing.name,
                "tower": [_placed(placed) for placed in tower.placed],
                "cube": tower.cube_of,
                "height_mm": int(tower.height_mm),
            }
        case Park(monument=monument):
            return {"thing": thing.name, "monument": None if monument is None else _piece(monument)}
        case _:
            return {"thing": thing.name}


def _piece(piece: Piece) -> Parts:
    shape = piece.shape
    return {"n": piece.number, "material": piece.material, "shape": shape.name, "a_mm": shape.a_mm, "b_mm": shape.b_mm}


def _placed(placed: Placed) -> Parts:
    return {**_piece(placed.piece), "rise_mm": round(placed.rise_mm)}


def _seat(seat: Seat, world: World) -> Parts:
    number = seat.number
    return {
        "pieces": [_piece(piece) for piece in seat.pieces],
        "cubes": seat.cubes,
        "completed": [card.contract for card in seat.completed],
        "park": seat.park is not None,
        "hands": "person" if number in world.chairs.given else "wished" if number in world.chairs.wished else "bot",
    }
