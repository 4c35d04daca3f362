"""MegaCity's decisions in words, as one player explains them to another."""

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
from citytable.rehearsal.words import Words

PLAIN = Words()
"""English."""

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


def pieces_text(pieces: Pieces | None, words: Words = PLAIN) -> str:
    """Return `2 steel, 1 glass`, or `none`.

    >>> pieces_text(Pieces(steel=2, glass=1))
    '2 steel, 1 glass'
    """
    counts = {} if pieces is None else msgspec.structs.asdict(pieces)
    return ", ".join(f"{count} {words(name)}" for name, count in counts.items() if count) or words("none")


def points_text(reason: str, values: Mapping[str, str], words: Words = PLAIN) -> str:
    """Return what a line of a score (`citytable.table.scene.Line`) is for.

    >>> points_text("tallest", {"at": "1/-2", "height_mm": "98"})
    'tallest building: 98 mm on 1/-2'
    """
    said = {name: words(value) if name == "type" else value for name, value in values.items()}
    return words(_POINTS[reason], **said)


def face_text(face: Face | None, words: Words = PLAIN) -> str:
    """Return `7 public`, or `one face down`."""
    return words("one face down") if face is None else f"{face.platform} {words(face.up)}"


def contract_text(contract: Contract, words: Words = PLAIN) -> str:
    """Return everything that a card says.

    >>> from citytable.games.megacity.pieces import HOUSE
    >>> contract_text(HOUSE.contracts["PU3"])
    'PU3: public, 6 pieces or more, 35 mm or more, lower archway, 2 prestige'
    """
    pieces = "{count} pieces or more" if contract.plus else "{count} pieces"
    parts = [words(contract.type), words(pieces, count=contract.pieces)]
    parts.append(words("{height_mm} mm or more", height_mm=contract.height_mm))
    parts += [words(name.replace("_", " ")) for name in contract.requirements]
    return words(
        "{id}: {parts}, {prestige} prestige", id=contract.id, parts=", ".join(parts), prestige=contract.prestige
    )


def decision_text(game: MegaCity, action: Action, words: Words = PLAIN) -> str:  # noqa: C901, PLR0912  one arm per action
    """Return a decision of the game's position as a person would announce it."""
    match action:
        case SetUp():
            return words("set up")
        case TakeContract(contract=name):
            return words("take contract {card}", card=contract_text(game.deck.contracts[name], words))
        case TakePlatform(platform=number):
            return words("take platform {face}", face=face_text(supply_face(game.position, number), words))
        case TakePieces(announced=None):
            return words("draw pieces at random")
        case TakePieces(announced=material):
            return words("take one piece of {material}, announced", material=words(str(material)))
        case Rezone(platform=number):
            return words("rezone: turn platform {number} over", number=number)
        case Refresh():
            return words("put the platforms of the supply under the stack and turn up new ones")
        case Reorganise(column=kind):
            return words("put the top {kind} contract under its column", kind=words(kind))
        case ReturnPieces():
            return words("give back pieces, to keep no more than is allowed")
        case Deliver(contract=name, platform=number, at=at):
            card = contract_text(game.deck.contracts[name], words)
            return words("deliver platform {number} to hex {at} for {card}", number=number, at=at, card=card)
        case PlacePark(at=at):
            return words("place your park on hex {at}", at=at)
        case PlaceMonument(park=at):
            return words("raise a monument in the park on hex {at}", at=at)
        case PlaceCentralParkMonument():
            return words("raise a monument in Central Park")
        case _:
            verb = str(action).split()[1]
            return words(_PLAIN.get(verb, verb))


def outcome_text(game: MegaCity, action: Action, words: Words = PLAIN) -> str:
    """Return what the last action led to, if chance or hands had a part in it; else nothing."""
    match action:
        case TakePieces(drawn=drawn):
            return words("drawn: {pieces}", pieces=pieces_text(drawn, words))
        case TakePlatform(revealed=revealed) | Refresh(revealed=revealed) if revealed:
            return words("turned up: {faces}", faces=", ".join(face_text(face, words) for face in revealed))
        case ReturnPieces(returned=returned):
            return words("given back: {pieces}", pieces=pieces_text(returned, words))
        case Deliver(stood=False):
            return words("it fell: nothing is delivered, everything comes back")
        case Deliver(at=at, height_mm=height_mm, pieces=pieces):
            building = building_at(game.position, at)
            tallest = building is not None and game.position.tallest == at
            said = f"it stands{' and is the tallest' * tallest}: {{height_mm}} mm of {{pieces}}"
            return words(said, height_mm=height_mm, pieces=pieces_text(pieces, words))
        case PlaceMonument(piece=piece) | PlaceCentralParkMonument(piece=piece):
            return words("of {pieces}", pieces=pieces_text(piece, words))
        case _:
            return ""
