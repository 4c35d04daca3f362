"""What passers-by want: a turn by simple sense, and which tower they build.

They look at what is missing for the contract that they like best, and mostly take that.
"""

from collections.abc import Sequence
from typing import NamedTuple

from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import Player
from citytable.rehearsal.megacity.passers_by.table import Cafe
from citytable.table.hexes import CENTRE, distance

NOT_NOW = 0.1  # of a delivery that would work
WHIM = 0.25  # of the weight of what nobody needs


class Tower(NamedTuple):
    """A building that somebody can work on: a contract and a platform of its type."""

    contract: Contract
    thing: Thing


def towers(table: Cafe, seat: int) -> list[Tower]:
    """Return what a player can work on, the contract with most prestige first; each platform once."""
    me, contracts = table.record.position.players[seat - 1], table.record.game.deck.contracts
    platforms = {face.platform: face.up for face in me.platforms}
    found: list[Tower] = []
    for contract in sorted((contracts[name] for name in me.contracts), key=lambda one: -one.prestige):
        fitting = [number for number, up in platforms.items() if up == contract.type]
        best = max(fitting, key=lambda number: len(table.platform(number).pieces), default=None)
        if best is not None:
            del platforms[best]
            found.append(Tower(contract, table.platform(best)))
    return found


def usable(contract: Contract, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces that a contract allows."""
    return [piece for piece in pieces if piece.material and piece.material not in contract.forbidden]


def can_finish(table: Cafe, seat: int, tower: Tower) -> bool:
    """Return whether the pieces on a platform and in front of a player make up the building."""
    return len(usable(tower.contract, [*tower.thing.pieces, *table.heap(seat)])) >= tower.contract.pieces


def wish(table: Cafe, who: Person) -> Action | None:
    """Return what somebody does next in their turn; None when they have done all they want."""
    position = table.record.position
    decisions = [one for one in table.record.game.legal_actions if not isinstance(one, EndTurn | ReturnPieces)]
    if position.phase == "over" or not decisions:
        return None
    if position.phase == "option":
        return table.rng.choice([*decisions, None]) if len(decisions) > 1 else decisions[0]
    deliveries = _deliveries(table, who, decisions)
    if deliveries and (position.deciding or table.rng.random() >= NOT_NOW):
        return table.rng.choice(deliveries)
    if position.deciding:
        return Recycle(player=who.seat)
    if position.actions_used and who.does("stops_early"):
        return None
    others = [one for one in decisions if not isinstance(one, Deliver)]
    return table.rng.choices(others, [_weight(table, who.seat, one) for one in others])[0] if others else None


def _deliveries(table: Cafe, who: Person, decisions: Sequence[Action]) -> list[Deliver]:
    """Return where a finished building may go: near the park, or at the edge, as somebody likes it."""
    ready = [tower for tower in towers(table, who.seat) if can_finish(table, who.seat, tower)]
    names = {(f"platform/{one.platform}", one.contract): one for one in decisions if isinstance(one, Deliver)}
    first = next((tower for tower in ready if (tower.thing.name, tower.contract.id) in names), None)
    if first is None:
        return []
    chosen = names[first.thing.name, first.contract.id]
    same = [
        one
        for one in decisions
        if isinstance(one, Deliver) and (one.contract, one.platform) == (chosen.contract, chosen.platform)
    ]
    same.sort(key=lambda one: distance(one.at, CENTRE) * (1 if who.seat % 2 else -1))
    return same[:4]


def _weight(table: Cafe, seat: int, decision: Action) -> float:
    """Return how much somebody wants a standard action."""
    me = table.record.position.players[seat - 1]
    match decision:
        case TakeContract():
            return _card_weight(table, me, decision.contract)
        case TakePlatform():
            face = next(one for one in table.record.position.supply if one and one.platform == decision.platform)
            return 4.0 if face.up in _wanted(table, me) else WHIM
        case Rezone():
            face = next(one for one in me.platforms if one.platform == decision.platform)
            other = next(one for one in table.record.game.deck.platforms[face.platform] if one != face.up)
            return 3.0 if other in _wanted(table, me) else WHIM / 2
        case TakePieces(announced=None):
            return 3.0 if _short(table, me) and me.pieces.total + 3 <= PIECES_MAX + 1 else WHIM
        case TakePieces():
            return 0.6 if _short(table, me) else WHIM / 3
        case Refresh():
            return 1.0 if _wanted(table, me) else WHIM
        case Reorganise():
            return WHIM / 2
    return WHIM


def _card_weight(table: Cafe, me: Player, name: str) -> float:
    kinds = {face.up for face in me.platforms}
    fits = table.record.game.deck.contracts[name].type in kinds
    return (3.0 if not me.contracts else 0.7) * (2.0 if fits else 1.0)


def _wanted(table: Cafe, me: Player) -> set[str]:
    """Return the types for which a player has a contract and no platform."""
    kinds = {table.record.game.deck.contracts[name].type for name in me.contracts}
    return set(kinds - {face.up for face in me.platforms})


def _short(table: Cafe, me: Player) -> int:
    """Return how many pieces a player still needs for all their contracts."""
    return max(0, sum(table.record.game.deck.contracts[name].pieces for name in me.contracts) - me.pieces.total)
