"""MegaCity as it is played on the table: what the umpire needs of it (see `citytable.umpire.table_game`)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import msgspec

from citytable.games.megacity.accepting import accepted, broken_rule
from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    Deliver,
    EndTurn,
    MonumentFell,
    PiecesLost,
    PlaceCentralParkMonument,
    PlacePark,
    Refresh,
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.blanks import blanks
from citytable.games.megacity.cases import accepted_cases, accepted_with_unknowns, cases, complete, named
from citytable.games.megacity.city import can_slide_in
from citytable.games.megacity.clearing import accept_built_on, check_cleared
from citytable.games.megacity.deal import before_the_deal
from citytable.games.megacity.decisions import decisions
from citytable.games.megacity.fall_form import (
    fall_as_answered,
    fall_denied,
    fall_form,
    fallen,
    may_fall,
    monuments_that_may_fall,
)
from citytable.games.megacity.game import applied, check, still_open
from citytable.games.megacity.layout import BAG, face_of, layout, platform_thing
from citytable.games.megacity.ledger import Replay
from citytable.games.megacity.notation import action_from_text, position_to_text
from citytable.games.megacity.paper import position_of
from citytable.games.megacity.paper_form import paper_of
from citytable.games.megacity.pieces import FORBIDS, Deck
from citytable.games.megacity.position import MATERIALS, Pieces, Position
from citytable.games.megacity.refusals import refuse_open
from citytable.games.megacity.scene import scene
from citytable.games.megacity.scoring import Score, outcome, score
from citytable.games.megacity.spots import RADIUS
from citytable.games.megacity.turn import next_seat
from citytable.rules.case import Case
from citytable.rules.game import open_fields
from citytable.table import spot as spots
from citytable.table.blank import Blank
from citytable.table.hexes import CENTRE, distance
from citytable.table.layout import Layout
from citytable.table.question import Field, FieldValue
from citytable.table.scene import Scene
from citytable.table.spot import Spot


class MegaCityTable:
    """The rules and layouts of one deck, without state. `accepting`: actions count as they happened, legal or not."""

    def __init__(self, deck: Deck, *, accepting: bool = False) -> None:
        self._deck = deck
        self._accepting = accepting
        self.check_stated: Callable[[Position, Action, Set[str]], None] = (
            accept_built_on if accepting else check_cleared
        )
        self._replay = Replay(deck)
        self._scored: tuple[Position, dict[int, Score]] | None = None  # the last scores

    def decisions(self, position: Position) -> Iterable[Action]:
        """Return the legal decisions, outcomes open."""
        return decisions(position, self._deck)

    def sayable(self, position: Position) -> Iterator[Action]:
        """Yield every decision but the deal, which has a form of its own, and what can fall in the city."""
        for decision in self.decisions(position):
            match decision:
                case SetUp():
                    continue
                case Deliver():
                    yield msgspec.structs.replace(decision, stood=True)
                    yield msgspec.structs.replace(decision, stood=False)
                case _:
                    yield decision
        yield from may_fall(position)

    def spots_of(self, action: Action) -> frozenset[Spot]:
        """Return the hex to which a delivery or a park goes."""
        match action:
            case Deliver(stood=False):
                return frozenset()
            case Deliver() | PlacePark():
                return frozenset((spots.city(action.at),))
            case _:
                return frozenset()

    def rank(self, position: Position, action: Action) -> int:
        """Return 0 for a hex beside Central Park into which a platform slides (A12), more for the others."""
        if not isinstance(action, Deliver | PlacePark):
            return 0
        return distance(action.at, CENTRE) + (0 if can_slide_in(position, action.at) else 2 * RADIUS)

    def cases(self, position: Position, decision: Action) -> Iterator[Case[Action, Position]]:
        """Yield the ways a decision can come out."""
        ways = accepted_cases if self._accepting else cases
        return ways(position, decision, self._deck)

    def accepting(self) -> "MegaCityTable":
        """Return the same game for what happened although a rule forbids it."""
        return MegaCityTable(self._deck, accepting=True)

    def broken_rule(self, position: Position, action: Action) -> str:
        """Return the number of the rule that forbids it; empty when it is legal."""
        return broken_rule(position, action, self._deck)

    def layout(self, position: Position) -> Layout:
        """Return what the table should look like."""
        return layout(position, self._deck)

    def decision(self, action: Action) -> Action:
        """Return the action with its outcome open again; that a delivery fell is not its decision."""
        return msgspec.structs.replace(action, **dict.fromkeys(action.OUTCOME)) if action.OUTCOME else action

    def complete(self, position: Position, action: Action, bindings: dict[str, str]) -> Action:
        """Return the action with the tiles that were turned up."""
        return complete(position, action, bindings, self._deck, accepting=self._accepting)

    def needs_word(self, action: Action) -> bool:
        """Return whether a material is announced (R10), or it is the deal."""
        match action:
            case TakePieces(announced=material):
                return material is not None
            case SetUp():
                return True
            case _:
                return False

    def ends_itself(self, action: Action) -> bool:
        """Return whether a contract is turned over, as after a delivery (R27)."""
        return isinstance(action, Deliver) and bool(action.stood)

    def questions(
        self, position: Position, action: Action, known: Mapping[str, FieldValue], *, said: bool = False
    ) -> tuple[Field, ...]:
        """Return the form of a delivery (height, materials, judgement: A21, A47) or of a fall (the pieces)."""
        match action:
            case Deliver(stood=True) if open_fields(action):
                others = tuple(seat for seat in range(1, len(position.players) + 1) if seat != action.player)
                return self._delivery_form(action, known, others)
            case BuildingFell() | PiecesLost() | MonumentFell():
                return fall_form(position, action, known, said=said)
            case _:
                return ()

    def _delivery_form(
        self, action: Deliver, known: Mapping[str, FieldValue], others: tuple[int, ...]
    ) -> tuple[Field, ...]:
        contract = self._deck.contracts[action.contract]
        height: FieldValue | None = known.get("height_mm", contract.height_mm)
        if int(known.get("low_mm", 0)) < contract.height_mm <= int(known.get("high_mm", 0)):
            height = None  # what was measured decides nothing: somebody has to take the ruler
        banned = {requirement.removeprefix("no_") for requirement in contract.requirements}
        allowed = [material for material in MATERIALS if material not in banned]
        looked_at = tuple(one for one in contract.requirements if one not in FORBIDS)
        counted = known.get("pieces", 0) if len(allowed) == 1 else 0  # which material they are is not sensed
        return (
            Field("height_mm", "mm", proposed=height),
            *(
                Field(material, "count", proposed=counted, high=150)
                if material in allowed
                else Field(material, "count", proposed=0, high=0)
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
            case TakePlatform() | Refresh():
                filled = named(action, values)
            case BuildingFell() | PiecesLost() | MonumentFell():
                filled = fall_as_answered(action, values)
                if open_fields(filled):
                    return filled
            case _:
                raise ValueError(f"nothing is asked about {action}")
        self.applied(position, filled)
        return filled

    def denied(self, values: Mapping[str, FieldValue]) -> bool:
        """Return whether the answer says that nothing fell."""
        return fall_denied(values)

    def exchanges(self, position: Position, action: Action) -> tuple[Spot, ...]:
        """Return Central Park where a spare piece takes its monument's place (R34)."""
        if isinstance(action, PlaceCentralParkMonument) and position.parks[0].monument is not None:
            return (spots.city(CENTRE),)
        return ()

    def applied(self, position: Position, action: Action) -> Position:
        """Return the position after a complete action; raises `IllegalAction`."""
        if not self._accepting:
            check(position, action, self._deck)
        missing = still_open(action)
        if missing:
            refuse_open(action, missing)
        if self._accepting:
            return accepted(position, action, self._deck)
        return applied(position, action, self._deck)

    def supposed(self, position: Position, action: Action) -> Position:
        """Return the position after the first way an open action can come out; raises `IllegalAction`."""
        for case in self.cases(position, action):
            return case.after
        if self._accepting:
            return accepted_with_unknowns(position, action, self._deck)
        check(position, action, self._deck)
        return applied(position, action, self._deck, what_if=True)

    def standing(self, position: Position) -> dict[str, int]:
        """Return how many pieces stand on each platform of the city."""
        return {platform_thing(one.face): one.pieces.total for one in position.buildings if one.standing}

    def asker(self, action: Action) -> int | None:
        """Return the player who delivers; accidents are for the whole table."""
        return getattr(action, "player", None)

    def measured_thing(self, action: Action) -> str:
        """Return the platform to be delivered, whose tower was measured."""
        if not isinstance(action, Deliver):
            return ""
        return f"platform/{action.platform}/{self._deck.contracts[action.contract].type}"

    def fallen(self, position: Position, spot: Spot, lost_percent: int | None) -> Action | None:
        """Return the likeliest fall: a building, some of its pieces, or a monument (R35, A26, A28)."""
        return fallen(position, spots.hex_of(spot), lost_percent)

    def accidents(self, position: Position) -> Iterable[Action]:
        """Return the monuments that may be gone from their scales (A28)."""
        return monuments_that_may_fall(position)

    def accident_at(self, action: Action) -> Spot | None:
        """Return the hex on which something fell."""
        return spots.city(action.at) if isinstance(action, BuildingFell | PiecesLost | MonumentFell) else None

    def fall_of(self, action: Action) -> Action | None:
        """Return the same delivery as one that fell (R26)."""
        if isinstance(action, Deliver) and action.stood:
            return Deliver(
                player=action.player, contract=action.contract, platform=action.platform, at=action.at, stood=False
            )
        return None

    def attempts(self, position: Position, thing: str, spot: Spot) -> Iterator[Action]:
        """Yield what a player who brought this thing to this spot may have wanted to do."""
        word, _, name = thing.partition("/")
        cell = spots.hex_of(spot)
        seat = spots.seat_of(spot)
        face = face_of(thing)
        if cell is not None and word == "park":
            yield PlacePark(player=int(name), at=cell)
        elif cell is not None and face is not None:
            yield from self._deliveries(position, face.platform, spot)
        elif seat is not None and word == "contract":
            if all(name not in player.completed for player in position.players):
                yield TakeContract(player=seat, contract=name)
        elif seat is not None and face is not None and face in position.supply:
            yield TakePlatform(player=seat, platform=face.platform)
        elif thing == BAG and seat == next_seat(position.player, len(position.players)):
            yield EndTurn(player=position.player)
        elif seat is not None and not thing and spot == spots.bag(seat):
            yield TakePieces(player=seat)

    def _deliveries(self, position: Position, platform: int, spot: Spot) -> Iterator[Deliver]:
        cell = spots.hex_of(spot)
        if cell is None:
            return
        for seat, player in enumerate(position.players, start=1):
            if any(face.platform == platform for face in player.platforms):
                for contract in player.contracts:
                    yield Deliver(player=seat, contract=contract, platform=platform, at=cell, stood=True)

    def text(self, action: Action) -> str:
        """Return the action in notation."""
        return str(action)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def seat(self, position: Position) -> int:
        """Return the seat whose turn it is; 0 before the deal and after the end."""
        return 0 if position.phase in {"setup", "end"} else position.player

    def termination(self, position: Position) -> str:
        """Return how the game ended; empty while it goes on."""
        ended = outcome(position, self._deck)
        return ended.termination if ended else ""

    def blanks(self) -> tuple[Blank, ...]:
        """Return a form for every action but the deal."""
        return blanks(self._deck)

    def paper(self, position: Position, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form for the city as it stands."""
        return paper_of(position, lying)

    def from_paper(self, position: Position, paper: Mapping[str, Any]) -> str:
        """Return the city as it is written down."""
        return position_to_text(position_of(paper, position, self._deck, accepting=self._accepting))

    def component(self, thing: str) -> str:
        """Return the platform that a side belongs to, or the thing itself."""
        face = face_of(thing)
        return thing if face is None else f"platform/{face.platform}"

    def all_pieces(self) -> int:
        """Return the number of pieces in the deck (R5)."""
        return self._deck.all_pieces

    def scene(
        self, confirmed: Position, provisional: Position, actions: Sequence[Action], start: Position | None = None
    ) -> Scene:
        """Return what the public sees: the table as it provisionally is, the points as they are confirmed."""
        if self._scored is None or self._scored[0] is not confirmed:
            ledger = self._replay.ledger(start or before_the_deal(confirmed.options, self._deck), actions)
            self._scored = (confirmed, score(confirmed, self._deck, ledger) if confirmed.players else {})
        return scene(confirmed, provisional, self._deck, self._scored[1], outcome(confirmed, self._deck))
