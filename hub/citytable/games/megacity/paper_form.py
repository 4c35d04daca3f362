"""The form for the city as it stands: from the hub's position and, if tags are read, from the table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from citytable.games.megacity.layout import face_of
from citytable.games.megacity.paper import Paper, PaperBuilding, PaperPark, PaperPlayer
from citytable.games.megacity.paper_faults import short
from citytable.games.megacity.position import TYPES, Face, Player, Position
from citytable.games.megacity.spots import contract_column
from citytable.games.megacity.turn import allowance
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.spot import Spot


def paper_of(position: Position, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
    """Return the form as in the position and, if the table reads tags, as on the table."""
    seen = {spot: thing for spot, things in lying.items() for thing in sorted(things) if not thing.startswith("?")}
    bag_at = next((spots.seat_of(spot) for spot, thing in seen.items() if thing == "bag"), None)
    paper = Paper(
        player=bag_at or position.player or 1,
        players=tuple(_written_hand(seat, player, seen) for seat, player in enumerate(position.players, start=1)),
        buildings=tuple(_written_buildings(position, seen)),
        parks=tuple(_written_parks(position, seen)),
        columns=_written_columns(position, seen),
        supply=_written_faces([face for face in position.supply if face is not None], seen, "supply/platform/"),
        turn=max(1, position.turn),
        actions_used=allowance(position.options) if position.phase == "over" else position.actions_used,
        box=position.box,
        monument=position.parks[0].monument is not None,
        due_at="" if position.delivered_at is None else str(position.delivered_at),
    )
    plain: dict[str, Any] = msgspec.to_builtins(paper)
    return plain


def _written_faces(known: Sequence[Face], seen: Mapping[Spot, str], prefix: str) -> str:
    read = [face for spot, thing in sorted(seen.items()) if spot.startswith(prefix) and (face := face_of(thing))]
    return " ".join(short(face) for face in read or known)


def _written_hand(seat: int, player: Player, seen: Mapping[Spot, str]) -> PaperPlayer:
    slots = f"seat/{seat}/card/"
    cards = [thing.partition("/")[2] for spot, thing in sorted(seen.items()) if spot.startswith(slots)]
    return PaperPlayer(
        pieces=player.pieces.guess,
        tokens=player.tokens,
        contracts=" ".join(cards or player.contracts),
        platforms=_written_faces(player.platforms, seen, f"seat/{seat}/pad/"),
    )


def _written_buildings(position: Position, seen: Mapping[Spot, str]) -> Iterator[PaperBuilding]:
    """Yield the known buildings that no tag contradicts; then platforms of which only the tag is known."""
    read = {at: face for spot, thing in seen.items() if (at := spots.hex_of(spot)) and (face := face_of(thing))}
    for one in position.buildings:
        if read.get(one.at, one.face) == one.face:
            read.pop(one.at, None)
            yield PaperBuilding(
                at=str(one.at),
                platform=short(one.face),
                owner=one.owner,
                contract=one.contract,
                height_mm=one.height_mm,
                pieces=one.pieces.total,
            )
    for at, face in read.items():
        yield PaperBuilding(at=str(at), platform=short(face), owner=0, contract="")


def _written_parks(position: Position, seen: Mapping[Spot, str]) -> Iterator[PaperPark]:
    known = {park.owner: park for park in position.parks if park.owner is not None}
    read = {int(thing[5:]): at for spot, thing in seen.items() if thing[:5] == "park/" and (at := spots.hex_of(spot))}
    for owner in sorted({*known, *read}):
        was = known.get(owner)
        at = read.get(owner) or (was.at if was is not None else CENTRE)
        yield PaperPark(at=str(at), owner=owner, monument=was is not None and was.monument is not None)


def _written_columns(position: Position, seen: Mapping[Spot, str]) -> tuple[str, str, str, str]:
    written = []
    for kind, column in zip(TYPES, position.columns, strict=True):
        top = seen.get(contract_column(kind), "").partition("/")[2]
        below = column[column.index(top) :] if top in column else (top, *column) if top else column
        written.append(" ".join(below))
    public, industrial, commercial, residential = written
    return public, industrial, commercial, residential
