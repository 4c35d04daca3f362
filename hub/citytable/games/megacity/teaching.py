"""MegaCity's lessons: which legal decision to advise to somebody who plays for the first time, and in which words."""

from collections.abc import Mapping

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
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
from citytable.games.megacity.advice import rating
from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.decisions import decisions
from citytable.games.megacity.delivery import usable_pieces
from citytable.games.megacity.layout import park_thing, platform_thing
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import BuildingType, Face, Park, Position
from citytable.games.megacity.refusals import REFUSALS
from citytable.games.megacity.spots import contract_column, supply_platform
from citytable.games.megacity.turn import allowance, next_seat
from citytable.games.megacity.where import hex_words
from citytable.languages import LANGUAGES
from citytable.rules.textbook import Textbook, Word
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, Hex
from citytable.table.lesson import Step
from citytable.table.spot import Spot

_BOOK = Textbook(__package__)


class Teaching:
    """MegaCity brings `Teaches`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def step(self, position: Position, *, sensed: bool) -> Step | None:
        """Return what somebody new would do best; None when the game is over."""
        found = decisions(position, self._deck)
        if not found:
            return None
        advised = max(found, key=lambda decision: self._worth(position, decision))
        return self.step_of(position, advised, sensed=sensed)

    def step_of(self, position: Position, advised: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        topic = self.topic(advised)
        page = _BOOK.page(topic, self._words(position, advised), way=self._way(position, advised), sensed=sensed)
        return Step(
            topic=topic,
            rule=page.rule,
            do=page.do,
            action=_as_stated(advised),
            spots=_spots(position, advised),
            things=_things(position, advised),
        )

    def topic(self, action: Action) -> str:
        """Return the tag of the action, or `announce` for pieces of a chosen material."""
        if isinstance(action, TakePieces) and action.announced is not None:
            return "announce"
        return str(action.__struct_config__.tag)

    def _worth(self, position: Position, decision: Action) -> float:
        """Rate a decision as for bots; the first contract had better be an easy one."""
        if isinstance(decision, TakeContract) and not position.players[decision.player - 1].completed:
            contract = self._deck.contracts[decision.contract]
            at_hand = any(face is not None and face.up == contract.type for face in position.supply)
            hard = contract.pieces + 2 * len(contract.requirements) + 4 * bool(contract.forbidden) - 4 * at_hand
            return rating(position, decision, self._deck) - contract.prestige - hard
        return rating(position, decision, self._deck)

    def _way(self, position: Position, advised: Action) -> str:
        """Return the special case; nobody but their player knows the materials of pieces that were drawn."""
        match advised:
            case EndTurn() if self._ready(position):
                return "build"
            case TakeContract(contract=name) if self._deck.contracts[name].landmark:
                return "landmark"
            case Deliver(player=seat, contract=name) if position.players[seat - 1].pieces.unknown:
                return "perhaps" if self._deck.contracts[name].forbidden else ""
        return ""

    def _ready(self, position: Position) -> str | None:
        """Return an open contract that the player to act has a platform and pieces for."""
        me = position.players[position.player - 1]
        up = {face.up for face in me.platforms}
        contracts = (self._deck.contracts[name] for name in me.contracts)
        fit = (one for one in contracts if one.type in up and usable_pieces(me.pieces, one) >= one.pieces)
        return next((one.id for one in fit), None)

    # one piece: a line for each kind of decision
    def _words(self, position: Position, advised: Action) -> Mapping[str, Word]:
        most = allowance(position.options)
        match advised:
            case SetUp():
                return {"deal": DEALT[position.options.players]}
            case TakeContract(contract=name):
                card = self._deck.contracts[name]
                return {"contract": self._contract(name), "type": _named(card.type), "most": most}
            case TakePlatform(platform=number):
                return {"number": number, "type": _named(_face(position, number).up), "most": most}
            case Rezone(platform=number):
                other = self._deck.other_side(number, _face(position, number).up)
                return {"number": number, "type": _named(other)}
            case TakePieces(announced=material):
                return {"material": _named(material or "")}
            case Reorganise(column=kind):
                return {"type": _named(kind)}
            case Deliver(contract=name, platform=number, at=at):
                asked = {"contract": self._contract(name), "building": self._building(name)}
                return {"number": number, "at": hex_words(at), **asked}
            case EndTurn():
                ready = self._ready(position)
                asked = {"contract": self._contract(ready), "building": self._building(ready)} if ready else {}
                return {"next": next_seat(position.player, len(position.players)), **asked}
            case ReturnPieces() | Refresh() | Recycle():
                return {}
        return {"at": hex_words(_hex_of(advised) or CENTRE)}

    def _contract(self, name: str) -> dict[str, str]:
        """Return what a contract is: its code need not be printed on it."""
        card = self._deck.contracts[name]
        told = "landmark" if card.landmark else "contract"
        if f"contract/{name}" in self._deck.unread:
            told = "contract.unread"
        return _BOOK.text(told, type=_named(card.type), height=card.height_mm)

    def _building(self, name: str) -> dict[str, str]:
        """Return what a contract asks for, in sentences."""
        contract = self._deck.contracts[name]
        size = _BOOK.text(
            "building.plus" if contract.plus else "building.exact", pieces=contract.pieces, height=contract.height_mm
        )
        on_vent = "build_on_vent" in contract.requirements
        needs = (_BOOK.text(f"needs.{one}") for one in contract.requirements if one != "build_on_vent")
        return _BOOK.joined(size, _BOOK.text("building.vent" if on_vent else "building.valid"), *needs)


def _named(word: BuildingType | str) -> dict[str, str]:
    return REFUSALS.names.get(word) or dict.fromkeys(LANGUAGES, word)


def _face(position: Position, number: int) -> Face:
    own = position.players[position.player - 1].platforms
    return next(face for face in (*own, *position.supply) if face is not None and face.platform == number)


def _hex_of(advised: Action) -> Hex | None:
    return getattr(advised, "at", None) or getattr(advised, "park", None)


def _as_stated(advised: Action) -> str:
    """Return what the player states afterwards; the deal has a form of its own."""
    match advised:
        case SetUp():
            return ""
        case Deliver():
            return str(replace(advised, stood=True))
    return str(advised)


def _spots(position: Position, advised: Action) -> tuple[Spot, ...]:
    seat = position.player
    match advised:
        case TakeContract():
            return ()
        case TakePieces() | ReturnPieces() | Recycle():
            return (spots.bag(seat),)
        case EndTurn():
            return (spots.bag(next_seat(seat, len(position.players))),)
        case PlaceCentralParkMonument():
            return (spots.city(CENTRE),)
        case Reorganise(column=kind):
            return (contract_column(kind),)
        case Refresh():
            return tuple(supply_platform(k) for k in range(len(position.supply)))
    at = _hex_of(advised)
    return () if at is None else (spots.city(at),)


def _things(position: Position, advised: Action) -> tuple[str, ...]:
    match advised:
        case TakeContract(contract=name):
            return (f"contract/{name}",)
        case TakePlatform(platform=number) | Rezone(platform=number) | Deliver(platform=number):
            return (platform_thing(_face(position, number)),)
        case PlacePark(player=seat, at=at):
            return (park_thing(Park(at=at, owner=seat)),)
    return ()
