"""MegaCity taken back: which acts of hands put back what a decision did.

The pair of `acts_of` in `acts.py`.
"""

from typing import Any

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Pieces, Position
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.megacity.acts import materials
from citytable.table.hexes import CENTRE, Hex


def undone(  # noqa: C901, PLR0912  one arm per action
    before: Position, action: Action, seat: int, deck: Deck
) -> list[dict[str, Any]]:
    """Return what the hands of `seat` do to put back what `action` did in this position; nothing fell."""
    match action:
        case EndTurn():
            return [{"act": "pass_bag", "from": next_seat(seat, len(before.players)), "to": seat}]
        case TakePieces(drawn=drawn) if drawn is not None and drawn.total:
            return [{"act": "return_pieces", "seat": seat, "pieces": materials(drawn)}]
        case ReturnPieces(returned=returned) if returned is not None:
            return [_taken_out(seat, returned)]
        case Recycle() if before.players[seat - 1].pieces.total:
            return [_taken_out(seat, before.players[seat - 1].pieces)]
        case TakeContract(contract=name):
            return [_contract_given_back(seat, name, deck)]
        case TakePlatform(platform=platform, revealed=revealed):
            came = next(iter(_numbers(revealed)), None)
            return [{"act": "give_back_platform", "seat": seat, "platform": platform, "revealed": came}]
        case Refresh(revealed=revealed):
            turned_up = _numbers(revealed)
            lay = _numbers(before.supply)
            return [{"act": "refresh_back", "seat": seat, "revealed": turned_up, "platforms": lay}]
        case Reorganise(column=column):
            return [{"act": "reorganise_back", "seat": seat, "column": column}]
        case Rezone(platform=platform):
            return [{"act": "rezone", "seat": seat, "platform": platform}]
        case Deliver(platform=platform, contract=name):
            home = {"act": "put_right", "platform": platform, "spot_prefix": f"seat/{seat}/pad"}
            return [home, {"act": "reopen_contract", "seat": seat, "contract": name}]
        case PlacePark(at=at):
            return [{"act": "take_back_park", "seat": seat, "at": list(at)}]
        case PlaceMonument(park=at):
            return [_monument_given_back(seat, at, before)]
        case PlaceCentralParkMonument():
            return [_monument_given_back(seat, CENTRE, before)]
        case _:
            return []


def _taken_out(seat: int, pieces: Pieces) -> dict[str, Any]:
    return {"act": "take_out_pieces", "seat": seat, "pieces": materials(pieces)}


def _contract_given_back(seat: int, name: str, deck: Deck) -> dict[str, Any]:
    contract = deck.contracts[name]
    if contract.landmark:
        return {"act": "give_back_landmark", "seat": seat, "contract": name}
    return {"act": "give_back_contract", "seat": seat, "contract": name, "column": contract.type}


def _monument_given_back(seat: int, at: Hex, before: Position) -> dict[str, Any]:
    older = next((park.monument for park in before.parks if park.at == at), None)
    return {"act": "take_back_monument", "seat": seat, "at": list(at), "older": materials(older or Pieces())}


def _numbers(faces: tuple[Face | None, ...] | None) -> list[int]:
    return [face.platform for face in faces or () if face is not None]
