"""MegaCity's decisions in English, as one player explains them to another."""

from collections.abc import Mapping

import msgspec

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.city import building_at
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import Face, Pieces
from citytable.games.megacity.standard import supply_face

_PLAIN = {
    "end_turn": "pass the bag: the turn is over",
    "recycle": "recycle the pieces left over for a token",
}

_POINTS = {
    "contract": "contract {contract} ({type})",
    "token_tallest": "token: new tallest building",
    "token_material": "token: one material only",
    "token_central_park": "token: monument of Central Park",
    "token_recycle": "token: recycled",
    "token_before": "tokens from before",
    "park_token": "building on {at} beside the monument on {park}",
    "specialisation": "specialist: {type}",
    "diversity": "all four types",
    "tallest": "tallest building: {height_mm} mm on {at}",
    "leftover": "pieces left over: {pieces}",
    "park_unplaced": "park not placed",
}


def pieces_text(pieces: Pieces | None) -> str:
    """Return `2 steel, 1 glass`, or `none`.

    >>> pieces_text(Pieces(steel=2, glass=1))
    '2 steel, 1 glass'
    """
    counts = {} if pieces is None else msgspec.structs.asdict(pieces)
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"


def points_text(reason: str, words: Mapping[str, str]) -> str:
    """Return what a line of a score (`citytable.table.scene.Line`) is for.

    >>> points_text("tallest", {"at": "1/-2", "height_mm": "98"})
    'tallest building: 98 mm on 1/-2'
    """
    return _POINTS[reason].format(**words)


def face_text(face: Face | None) -> str:
    """Return `7 public`, or `one face down`."""
    return "one face down" if face is None else f"{face.platform} {face.up}"


def contract_text(contract: Contract) -> str:
    """Return everything that a card says.

    >>> from citytable.games.megacity.pieces import HOUSE
    >>> contract_text(HOUSE.contracts["PU3"])
    'PU3: public, 6 pieces or more, 35 mm or more, lower archway, 2 prestige'
    """
    parts = [contract.type, f"{contract.pieces} pieces{' or more' if contract.plus else ''}"]
    parts += [f"{contract.height_mm} mm or more", *(name.replace("_", " ") for name in contract.requirements)]
    return f"{contract.id}: {', '.join(parts)}, {contract.prestige} prestige"


def decision_text(game: MegaCity, action: Action) -> str:  # noqa: C901, PLR0912  one arm per action
    """Return a decision of the game's position as a person would announce it."""
    match action:
        case SetUp():
            return "set up"
        case TakeContract(contract=name):
            return f"take contract {contract_text(game.deck.contracts[name])}"
        case TakePlatform(platform=number):
            return f"take platform {face_text(supply_face(game.position, number))}"
        case TakePieces(announced=None):
            return "draw pieces at random"
        case TakePieces(announced=material):
            return f"take one piece of {material}, announced"
        case Rezone(platform=number):
            return f"rezone: turn platform {number} over"
        case Refresh():
            return "put the platforms of the supply under the stack and turn up new ones"
        case Reorganise(column=kind):
            return f"put the top {kind} contract under its column"
        case ReturnPieces():
            return "give back pieces, to keep no more than is allowed"
        case Deliver(contract=name, platform=number, at=at):
            return f"deliver platform {number} to hex {at} for {contract_text(game.deck.contracts[name])}"
        case PlacePark(at=at):
            return f"place your park on hex {at}"
        case PlaceMonument(park=at):
            return f"raise a monument in the park on hex {at}"
        case PlaceCentralParkMonument():
            return "raise a monument in Central Park"
        case _:
            verb = str(action).split()[1]
            return _PLAIN.get(verb, verb)


def outcome_text(game: MegaCity, action: Action) -> str:
    """Return what the last action led to, if chance or hands had a part in it; else nothing."""
    match action:
        case TakePieces(drawn=drawn):
            return f"drawn: {pieces_text(drawn)}"
        case TakePlatform(revealed=revealed) | Refresh(revealed=revealed) if revealed:
            return f"turned up: {', '.join(face_text(face) for face in revealed)}"
        case ReturnPieces(returned=returned):
            return f"given back: {pieces_text(returned)}"
        case Deliver(stood=False):
            return "it fell: nothing is delivered, everything comes back"
        case Deliver(at=at, height_mm=height_mm, pieces=pieces):
            building = building_at(game.position, at)
            tallest = " and is the tallest" if building is not None and game.position.tallest == at else ""
            return f"it stands{tallest}: {height_mm} mm of {pieces_text(pieces)}"
        case PlaceMonument(piece=piece) | PlaceCentralParkMonument(piece=piece):
            return f"of {pieces_text(piece)}"
        case _:
            return ""
