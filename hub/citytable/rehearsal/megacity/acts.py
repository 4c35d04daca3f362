"""MegaCity for the hands: the acts of a decision, the outcome that their results give, and what the public knows.

Written from the rulebook: what a person does and says with each action.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from citytable.games.megacity.actions import (
    Accident,
    Action,
    BuildingFell,
    Deliver,
    EndTurn,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.layout import platform_thing
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Face, Options, Pieces, Position
from citytable.rehearsal.twin import Act, Result
from citytable.table.hexes import CENTRE
from citytable.table.question import FieldValue, Question
from citytable.umpire.asking import NOTHING

FALLS = ("building_fell", "pieces_lost", "monument_fell")
"""The prompts of questions about falls in the city."""
TURNED_UP = ("take_platform", "refresh")
"""The prompts of questions about platforms that were turned up where no reader is."""


def set_up_act(options: Options, deck: Deck) -> Act:
    """Return the act that lays out the contents of the box, as far as this many players need them (R2-R6)."""
    return {
        "act": "set_up",
        "players": options.players,
        "contracts": [{"id": card, "type": deck.contracts[card].type} for card in deck.standard],
        "landmarks": [] if options.simplified else list(deck.landmarks),
        "platforms": [{"n": number, "sides": list(sides)} for number, sides in deck.platforms.items()],
        "deal": DEALT[options.players],
        "start": None,
    }


def set_up_action(result: Result) -> SetUp:
    """Return the deal as it came out."""
    return SetUp(
        columns=tuple(tuple(result["columns"][kind]) for kind in TYPES),
        supply=tuple(Face(number, up) for number, up in result["supply"]),
        start=result["start"],
        drawn=tuple(Pieces(**drawn) for drawn in result["drawn"]),
    )


def materials(pieces: Pieces) -> dict[str, int]:
    """Return known pieces by material, as the hands want them."""
    return {name: count for name, count in msgspec.structs.asdict(pieces).items() if count and name != "unknown"}


def _take_contract(action: TakeContract, deck: Deck) -> Act:
    contract = deck.contracts[action.contract]
    if contract.landmark:
        return {"act": "take_landmark", "seat": action.player, "contract": action.contract}
    return {"act": "take_contract", "seat": action.player, "column": contract.type}


def acts_of(  # noqa: C901, PLR0912  one arm per action
    position: Position, action: Action, deck: Deck
) -> tuple[dict[str, Any], ...]:
    """Return what the hands do for a decision. A delivery takes many acts and is not among them."""
    match action:
        case TakeContract():
            return (dict(_take_contract(action, deck)),)
        case TakePlatform():
            return ({"act": "take_platform", "seat": action.player, "platform": action.platform},)
        case TakePieces() if not position.bag:
            return ()
        case TakePieces():
            return ({"act": "take_pieces", "seat": action.player, "announced": action.announced},)
        case Rezone():
            return ({"act": "rezone", "seat": action.player, "platform": action.platform},)
        case Refresh():
            return ({"act": "refresh", "seat": action.player},)
        case Reorganise():
            return ({"act": "reorganise", "seat": action.player, "column": action.column},)
        case ReturnPieces(returned=returned) if returned is not None:
            return ({"act": "return_pieces", "seat": action.player, "pieces": materials(returned)},)
        case PlacePark():
            return ({"act": "place_park", "seat": action.player, "at": list(action.at)},)
        case PlaceMonument():
            return ({"act": "place_monument", "seat": action.player, "at": list(action.park)},)
        case PlaceCentralParkMonument():
            return ({"act": "place_monument", "seat": action.player, "at": list(CENTRE)},)
        case Recycle():
            return ({"act": "recycle", "seat": action.player},)
        case _:
            raise ValueError(f"hands have no single act for {action}")


def came_out(action: Action, result: Result) -> Action:
    """Return the decision with the outcome that the hands found."""
    match action:
        case TakePlatform():
            revealed = result["revealed"]
            return msgspec.structs.replace(action, revealed=(Face(*revealed),) if revealed else ())
        case Refresh():
            return msgspec.structs.replace(action, revealed=tuple(Face(*face) for face in result["revealed"]))
        case TakePieces():
            return msgspec.structs.replace(action, drawn=Pieces(**result.get("drawn", {})))
        case PlaceMonument() | PlaceCentralParkMonument():
            return msgspec.structs.replace(action, piece=Pieces(**result["piece"]))
        case _:
            return action


def _hidden(pieces: Pieces | None) -> Pieces | None:
    return None if pieces is None else Pieces(unknown=pieces.total)


def public(action: Action) -> Action:
    """Return the action as the table knows it, without the materials of pieces that nobody announced."""
    match action:
        case SetUp(drawn=drawn) if drawn is not None:
            return msgspec.structs.replace(action, drawn=tuple(Pieces(unknown=pieces.total) for pieces in drawn))
        case TakePieces(announced=None):
            return msgspec.structs.replace(action, drawn=_hidden(action.drawn))
        case TakePieces(drawn=drawn) if drawn is not None and drawn.total != 1:
            return msgspec.structs.replace(action, drawn=_hidden(drawn))
        case ReturnPieces():
            return msgspec.structs.replace(action, returned=_hidden(action.returned))
        case PiecesLost():
            return msgspec.structs.replace(action, to_box=_hidden(action.to_box), to_bag=_hidden(action.to_bag))
        case PlaceMonument() | PlaceCentralParkMonument():
            return msgspec.structs.replace(action, piece=_hidden(action.piece))
        case _:
            return action


def settled(action: str) -> str:
    """Return the part of an act in notation that stays the same while it becomes known: not what was turned up."""
    return action.split(" revealed=", maxsplit=1)[0]


def holds(position: Position, truth: Position) -> bool:
    """Return whether the truth lies within a position in which somebody may hold fewer pieces than its maximum."""
    pairs = tuple(zip(position.players, truth.players, strict=True))
    if any(not one.pieces.total <= true.pieces.total <= one.pieces.most for one, true in pairs):
        return False
    fewer = sum(one.pieces.most - true.pieces.total for one, true in pairs)
    players = tuple(msgspec.structs.replace(one, pieces=true.pieces) for one, true in pairs)
    return msgspec.structs.replace(position, players=players, bag=position.bag + fewer) == truth


def unsure(position: Position) -> int:
    """Return how many pieces all players together may hold beyond those that they surely hold."""
    return sum(player.pieces.maybe for player in position.players)


def is_said(position: Position, action: Action) -> bool:
    """Return whether people report an act because the table cannot show it.

    This is so for an announced material (R10), an empty bag (R44), a column or a supply that looks the same afterwards,
    and a fall on the way (R26).
    """
    match action:
        case TakePieces(announced=announced):
            return announced is not None or not position.bag
        case Reorganise(column=column):
            return len(position.columns[TYPES.index(column)]) < 2
        case Refresh():
            return not position.stack
        case Recycle(player=player):
            return not position.players[player - 1].pieces.total
        case Deliver(stood=stood):
            return not stood
        case EndTurn():
            return False
        case _:
            return False


def answer_of_fall(question: Question, fall: Accident | None) -> dict[str, FieldValue]:
    """Return what somebody who saw `fall` answers to a question about a fall; None: they saw none."""
    names = {field.name for field in question.fields}
    proposed = {field.name: field.proposed or 0 for field in question.fields}
    seen = fall is not None and f"at={fall.at}" in question.about.split()
    if "touched" in names:
        return {"touched": seen}
    match fall if seen else None:
        case BuildingFell(to_box=to_box, left=left):
            filled: dict[str, FieldValue] = {"what_fell": "all", "to_box": to_box or 0, "left": left or 0}
        case PiecesLost(to_box=to_box, to_bag=to_bag, height_mm=height_mm):
            box, bag = to_box or Pieces(), to_bag or Pieces()
            filled = {"what_fell": "some", "to_box": box.total, "to_bag": bag.total, "height_mm": height_mm or 0}
        case _:
            filled = {"what_fell": "nothing"}
    return proposed | {name: value for name, value in filled.items() if name in names}


def answer_of_turning_up(question: Question, done: Sequence[Action]) -> dict[str, FieldValue]:
    """Return what came up by the act in question, as a person reads it from the supply; raise `LookupError`."""
    asked = action_from_text(question.about)
    for action in reversed(done):
        if isinstance(action, TakePlatform | Refresh) and isinstance(asked, type(action)) and _same(action, asked):
            known = asked.revealed or ()
            faces = [face for face in action.revealed or () if face is not None and face not in known]
            return {field.name: platform_thing(face) for field, face in zip(question.fields, faces, strict=False)}
    raise LookupError(question.about)


def answer_besides(question: Question, done: Sequence[Action]) -> dict[str, FieldValue]:
    """Return the player's answer to the question what else they did in the turn that just ended.

    The answer is an action that the display knows too few times, or nothing. If neither is offered, it is the first.
    """
    forgotten = Counter(map(str, _last_turn(done))) - Counter(question.words["known"].split(" | "))
    choices = question.fields[0].choices
    otherwise = NOTHING if NOTHING in choices else choices[0]
    return {"which": next((choice for choice in choices if _may_be(choice, forgotten)), otherwise)}


def _last_turn(done: Sequence[Action]) -> Sequence[Action]:
    """Return what was done since the turn before the last one ended."""
    turns = [k for k, action in enumerate(done) if isinstance(action, EndTurn)]
    return done[turns[-2] + 1 :] if len(turns) > 1 else done


def _may_be(choice: str, forgotten: Counter[str]) -> bool:
    """Return whether a choice may be a forgotten act, perhaps with an open number of pieces."""
    if choice in forgotten or choice == NOTHING:
        return choice in forgotten
    match action_from_text(choice):
        case ReturnPieces(player=player, returned=Pieces() as told) if told.maybe:
            return any(isinstance(one, ReturnPieces) and one.player == player for one in _read(forgotten))
        case TakePieces(player=player, announced=None, drawn=Pieces() as told) if told.maybe:
            return any(isinstance(one, TakePieces) and one.player == player for one in _read(forgotten))
    return False


def _read(forgotten: Counter[str]) -> list[Action]:
    return [action_from_text(text) for text in forgotten.elements()]


def answer_account(question: Question, done: Sequence[Action]) -> dict[str, FieldValue]:
    """Return the choice that says what the player took from the bag and put back in the turn that ended.

    An open count is right if it may be what was drawn. If no choice is right, it is the first.
    """
    bagged = [action for action in _last_turn(done) if isinstance(action, TakePieces | ReturnPieces)]
    reported = Counter(question.words["known"].split(" | "))
    unreported = [action for action in bagged if not reported[str(action)]]
    choices = question.fields[0].choices
    right = (choice for choice in choices if _are(choice, unreported))
    return {"which": next(right, choices[0])}


def _are(choice: str, done: Sequence[Action]) -> bool:
    """Return whether a choice names as many acts of each kind as were done."""
    told = [] if choice == NOTHING else [action_from_text(text) for text in choice.split(" | ")]
    return Counter(map(type, told)) == Counter(map(type, done))


def _same(one: TakePlatform | Refresh, other: TakePlatform | Refresh) -> bool:
    """Return whether both are the same decision, whatever came up."""
    return msgspec.structs.replace(one, revealed=None) == msgspec.structs.replace(other, revealed=None)
