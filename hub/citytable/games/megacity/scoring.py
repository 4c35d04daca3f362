"""Scores (R45-R51, A27, A29, A40-A44) in which every point is a line naming its reason and the action that gave it.

Reasons, keys of the language files: contract, token_tallest, token_material, token_central_park, token_recycle,
token_before (won before the first known action), park_token, specialisation, diversity, tallest, leftover,
park_unplaced.
"""

from collections.abc import Iterator, Sequence

import msgspec

from citytable.games.megacity.actions import Action, Deliver, PlaceCentralParkMonument, PlaceMonument
from citytable.games.megacity.city import BIT, NEAR, building_at
from citytable.games.megacity.deal import before_the_deal
from citytable.games.megacity.delivery import bonuses, knocked_over
from citytable.games.megacity.effects import happened
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import TYPES, Building, Park, Position
from citytable.rules.game import Outcome
from citytable.table.hexes import CENTRE, Hex
from citytable.table.scene import Line

SPECIALISATION = 2  # R46
DIVERSITY = 3  # R47
TALLEST = 3  # R48
PIECES_PER_POINT = 3  # R49
PARK_UNPLACED = -2  # R51


class Score(msgspec.Struct, frozen=True):
    """One player's score: its lines in the order of the rulebook's count."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """The sum of the lines."""
        return sum(line.points for line in self.lines)


class _History:
    """Which action completed which contract, won which token, placed which monument; numbers count from 1."""

    def __init__(self) -> None:
        self.completed: dict[str, int] = {}
        self.monuments: dict[Hex, int] = {}
        self.tokens: dict[int, list[Line]] = {}
        self.last: int | None = None

    def follow(self, position: Position, actions: Sequence[Action], deck: Deck) -> None:
        """Replay the actions from the position before them."""
        for number, action in enumerate(actions, start=1):
            after = happened(position, action, deck)
            self._note(position, action, after, number, deck)
            position, self.last = after, number

    def _note(self, before: Position, action: Action, after: Position, number: int, deck: Deck) -> None:
        if isinstance(action, Deliver) and action.stood:
            self.completed[action.contract] = number
        elif isinstance(action, PlaceMonument):
            self.monuments[action.park] = number
        elif isinstance(action, PlaceCentralParkMonument):
            self.monuments[CENTRE] = number
        seat = getattr(action, "player", 0)
        if seat and after.players[seat - 1].tokens > before.players[seat - 1].tokens:
            lines = [Line(1, reason, {}, number) for reason in _token_reasons(before, action, deck)]
            self.tokens.setdefault(seat, []).extend(lines)


def _token_reasons(before: Position, action: Action, deck: Deck) -> tuple[str, ...]:
    if isinstance(action, Deliver):
        return bonuses(knocked_over(before, action, deck), action)
    return ("token_central_park",) if isinstance(action, PlaceCentralParkMonument) else ("token_recycle",)


def score(
    position: Position, deck: Deck, actions: Sequence[Action] = (), start: Position | None = None
) -> dict[int, Score]:
    """Every seat's score as if the game ended in `position`.

    `actions` are those that led there from `start` (None: from before the deal). Without actions every point still has
    its reason, but no action number, and the tokens are not told apart.
    """
    history = _History()
    if actions:
        history.follow(start or before_the_deal(position.options, deck), actions, deck)
    return {seat: Score(seat, tuple(_lines(position, deck, history, seat))) for seat in _seats(position)}


def _seats(position: Position) -> range:
    return range(1, position.options.players + 1)


def _lines(position: Position, deck: Deck, history: _History, seat: int) -> Iterator[Line]:
    yield from _contract_lines(position, deck, history, seat)
    if not position.options.simplified:
        yield from _token_lines(position, history, seat)
        yield from _park_lines(position, history, seat)
    if not position.options.simplified or position.options.rulings.simplified_awards:
        yield from _specialisation_lines(position, deck, history, seat)
        yield from _diversity_lines(position, deck, history, seat)
        yield from _tallest_lines(position, history, seat)
    yield from _penalty_lines(position, history, seat)


def _contract_lines(position: Position, deck: Deck, history: _History, seat: int) -> Iterator[Line]:
    for name in position.players[seat - 1].completed:
        contract = deck.contracts[name]
        words = {"contract": name, "type": contract.type}
        yield Line(contract.prestige, "contract", words, history.completed.get(name))


def _token_lines(position: Position, history: _History, seat: int) -> Iterator[Line]:
    known = history.tokens.get(seat, [])
    before = position.players[seat - 1].tokens - len(known)
    if before:
        yield Line(before, "token_before")
    yield from known


def _park_lines(position: Position, history: _History, seat: int) -> Iterator[Line]:
    """R45, A27: the later of monument and building gave the token."""
    for park in position.parks:
        if park.monument is None:
            continue
        for building in _beside(position, park):
            if building.owner == seat:
                numbers = (history.monuments.get(park.at), history.completed.get(building.contract))
                words = {"park": str(park.at), "at": str(building.at)}
                yield Line(1, "park_token", words, max((n for n in numbers if n is not None), default=None))


def _beside(position: Position, park: Park) -> Iterator[Building]:
    fallen_too = position.options.rulings.fallen_buildings_count_for_park_tokens
    for building in position.buildings:
        if (building.standing or fallen_too) and NEAR[park.at] & BIT[building.at]:
            yield building


def awarded_contracts(position: Position, deck: Deck, seat: int) -> list[Contract]:
    """The completed contracts that count for specialisation and diversity (A27, A29), in the order of completion."""
    rulings = position.options.rulings
    fallen = {building.contract for building in position.buildings if not building.standing}
    return [
        deck.contracts[name]
        for name in position.players[seat - 1].completed
        if (rulings.landmarks_count_for_awards or not deck.contracts[name].landmark)
        and (rulings.fallen_buildings_count_for_awards or name not in fallen)
    ]


def _specialisation_lines(position: Position, deck: Deck, history: _History, seat: int) -> Iterator[Line]:
    """R46, A40: the highest sum alone; nobody on a tie or at zero."""
    mine = awarded_contracts(position, deck, seat)
    for kind in TYPES:
        sums = {
            other: sum(c.prestige for c in awarded_contracts(position, deck, other) if c.type == kind)
            for other in _seats(position)
        }
        best = max(sums.values())
        if best and sums[seat] == best and list(sums.values()).count(best) == 1:
            last = [contract.id for contract in mine if contract.type == kind][-1]
            yield Line(SPECIALISATION, "specialisation", {"type": kind}, history.completed.get(last))


def _diversity_lines(position: Position, deck: Deck, history: _History, seat: int) -> Iterator[Line]:
    """R47: the contract that brought the fourth type gave it."""
    seen: set[str] = set()
    for contract in awarded_contracts(position, deck, seat):
        seen.add(contract.type)
        if len(seen) == len(TYPES):
            yield Line(DIVERSITY, "diversity", {}, history.completed.get(contract.id))
            return


def _tallest_lines(position: Position, history: _History, seat: int) -> Iterator[Line]:
    """R48, A41: the marker's holder."""
    building = building_at(position, position.tallest)
    if building is not None and building.owner == seat:
        words = {"at": str(building.at), "height_mm": str(building.height_mm)}
        yield Line(TALLEST, "tallest", words, history.completed.get(building.contract))


def _penalty_lines(position: Position, history: _History, seat: int) -> Iterator[Line]:
    """R49, R51: what is left over at the end."""
    me = position.players[seat - 1]
    if pieces := me.pieces.total:
        yield Line(-pieces // PIECES_PER_POINT, "leftover", {"pieces": str(pieces)}, history.last)
    if position.options.simplified and me.park:
        yield Line(PARK_UNPLACED, "park_unplaced", {}, history.last)


def outcome(position: Position, deck: Deck) -> Outcome | None:
    """How the game ended, or None while it goes on. `termination` is the trigger: completed, bag_out or round_limit."""
    if position.phase != "end":
        return None
    totals = {seat: one.total for seat, one in score(position, deck).items()}
    return Outcome(termination=position.final, winners=_winners(position, totals), scores=totals)


def _winners(position: Position, totals: dict[int, int]) -> tuple[int, ...]:
    """R50, A41, A42: of those tied the one with the tallest building, the marker's holder among equals, else all."""
    best = max(totals.values())
    tied = {
        seat: (_tallest_of(position, seat), _holds_marker(position, seat)) for seat in totals if totals[seat] == best
    }
    highest = max(tied.values())
    return tuple(seat for seat, rank in tied.items() if rank == highest)


def _tallest_of(position: Position, seat: int) -> int:
    return max((b.height_mm for b in position.buildings if b.owner == seat and b.standing), default=0)


def _holds_marker(position: Position, seat: int) -> bool:
    building = building_at(position, position.tallest)
    return building is not None and building.owner == seat
