"""What MegaCity asks of the people: of a delivery (A21, A47), of tiles that nobody read, of what fell, and counts."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    CountPieces,
    Deliver,
    MonumentFell,
    PiecesLost,
    Refresh,
    TakePlatform,
    TurnUp,
)
from citytable.games.megacity.cases import named_ways
from citytable.games.megacity.counting import count_form
from citytable.games.megacity.fall_form import fall_as_answered, fall_form
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.layout import unseen_sides
from citytable.games.megacity.pieces import FORBIDS, Contract, Deck
from citytable.games.megacity.position import MATERIALS, Pieces, Position
from citytable.rules.errors import IllegalAction
from citytable.rules.game import open_fields
from citytable.table.question import Field, FieldValue


class Questions:
    """MegaCity brings `Asks`. `check` raises `IllegalAction` for an answer that breaks a rule."""

    def __init__(self, deck: Deck, check: Callable[[Position, Action], object]) -> None:
        self._deck = deck
        self._check = check

    def questions(
        self, position: Position, action: Action, known: Mapping[str, FieldValue], *, said: bool = False
    ) -> tuple[Field, ...]:
        """Return the form of a delivery (height, materials, judgement: A21, A47), of a fall (the pieces), a count."""
        match action:
            case Deliver(stood=True) if open_fields(action):
                others = tuple(seat for seat in range(1, len(position.players) + 1) if seat != action.player)
                return self._delivery_form(position, action, known, others)
            case BuildingFell() | PiecesLost() | MonumentFell():
                return fall_form(position, action, known, said=said)
            case CountPieces(count=None):
                return count_form(position, action)
            case TurnUp(revealed=None | (None,)):
                return (Field("revealed/0", "choice", choices=tuple(sorted(unseen_sides(position, self._deck)))),)
            case _:
                return ()

    def _delivery_form(
        self, position: Position, action: Deliver, known: Mapping[str, FieldValue], others: tuple[int, ...]
    ) -> tuple[Field, ...]:
        contract = self._deck.contracts[action.contract]
        height = known.get("height_mm")  # nobody is to confirm one that was not measured
        if int(known.get("low_mm", 0)) < contract.height_mm <= int(known.get("high_mm", 0)):
            height = None  # what was measured decides nothing: somebody has to take the ruler
        banned = {requirement.removeprefix("no_") for requirement in contract.requirements}
        allowed = [material for material in MATERIALS if material not in banned]
        looked_at = tuple(one for one in contract.requirements if one not in FORBIDS)
        hand = position.players[action.player - 1].pieces
        shares = _shared_out(_likely_count(hand, contract, known), allowed, hand)
        is_open = contract.plus and "pieces" not in known
        over = max(0, PIECES_MAX - contract.pieces) if is_open else 0  # R17; nobody delivers more than a hand (R7, R11)
        return (
            Field("height_mm", "mm", proposed=height),
            *(
                Field(material, "share", proposed=shares[material], high=150, over=over)
                if material in allowed
                else Field(material, "share", proposed=0, high=0)
                for material in MATERIALS
            ),
            Field("judged", "yesno", proposed=True, voters=others, criteria=(*looked_at, "building")),
        )

    def answered(self, position: Position, action: Action, values: Mapping[str, FieldValue]) -> Action:
        """Return the action with the people's answers; raises `ValueError` with the rule it would break."""
        match action:
            case Deliver():
                pieces = Pieces(**{material: int(values[material]) for material in MATERIALS})
                filled: Action = msgspec.structs.replace(
                    action, height_mm=int(values["height_mm"]), pieces=pieces, judged=bool(values["judged"])
                )
            case TakePlatform() | Refresh() | TurnUp():
                ways = list(named_ways(action, values))
                filled = next((way for way in ways if self._fits(position, way)), ways[0])
            case BuildingFell() | PiecesLost() | MonumentFell():
                filled = fall_as_answered(action, values)
                if open_fields(filled):
                    return filled
            case CountPieces():
                filled = msgspec.structs.replace(action, count=int(values["count"]))
            case _:
                raise ValueError(f"nothing is asked about {action}")
        self._check(position, filled)
        return filled

    def _fits(self, position: Position, action: Action) -> bool:
        try:
            self._check(position, action)
        except IllegalAction:
            return False
        return True


def _likely_count(hand: Pieces, contract: Contract, known: Mapping[str, FieldValue]) -> int:
    """Return how many pieces a building seems to have; an unsure count is one that may be delivered (R7, R17)."""
    count = int(known.get("pieces", contract.pieces))
    if not known.get("unsure"):
        return count
    most = hand.most if contract.plus else contract.pieces
    return max(contract.pieces, min(count, most))


def _shared_out(total: int, allowed: Sequence[str], hand: Pieces) -> dict[str, int]:
    """Return the likely materials of a building: the pieces of which its player is thought to have most go first.

    Those whose material nobody knows are thought to be of all materials in equal parts.
    """
    left = {material: len(allowed) * getattr(hand, material) + hand.unknown + hand.maybe for material in allowed}
    shares = dict.fromkeys(allowed, 0)
    for _ in range(total):
        likely = max(allowed, key=lambda material: (left[material], -shares[material]))
        left[likely] -= len(allowed)
        shares[likely] += 1
    return shares
