"""Scores (R45-R51, A27, A29, A40-A44): every point has a line with its reason and the action that gave it.

Where nobody knows how many pieces a player has left, the best guess counts (`guesses.py` says what rests on it).
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from citytable.games.megacity.city import BIT, NEAR, building_at
from citytable.games.megacity.ledger import Ledger
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import TYPES, Building, Park, Position
from citytable.games.megacity.ranges import as_text
from citytable.rules.game import Outcome
from citytable.table.scene import Line

SPECIALISATION = 2  # R46
DIVERSITY = 3  # R47
TALLEST = 3  # R48
PIECES_PER_POINT = 3  # R49
PARK_UNPLACED = -2  # R51
UNWRITTEN = Ledger()
REASONS = (
    "contract",
    "token_before",  # won before the first known action
    "token_tallest",
    "token_material",
    "token_central_park",
    "token_recycle",
    "park_token",
    "specialisation",
    "diversity",
    "tallest",
    "leftover",
    "park_unplaced",
)
"""Why points are counted, keys of the language files, in the rulebook's order (R28, R29, R34, R42, R45-R51)."""


class Score(msgspec.Struct, frozen=True):
    """One player's score: its lines in the order of the rulebook's count."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Return the sum of the lines."""
        return sum(line.points for line in self.lines)


def score(position: Position, deck: Deck, ledger: Ledger = UNWRITTEN) -> dict[int, Score]:
    """Return every seat's score as if the game ended in `position`.

    `ledger` is what led there. Without one every point still has its reason, but no action number, and the tokens are
    not told apart.
    """
    awarded = {seat: awarded_contracts(position, deck, seat) for seat in _seats(position)}
    return {seat: Score(seat, tuple(_lines(position, deck, ledger, awarded, seat))) for seat in awarded}


def _seats(position: Position) -> range:
    return range(1, position.options.players + 1)


def _lines(
    position: Position, deck: Deck, ledger: Ledger, awarded: Mapping[int, Sequence[Contract]], seat: int
) -> Iterator[Line]:
    yield from _contract_lines(position, deck, ledger, seat)
    if not position.options.simplified:
        yield from _token_lines(position, ledger, seat)
        yield from _park_lines(position, ledger, seat)
    if not position.options.simplified or position.options.rulings.simplified_awards:
        yield from _specialisation_lines(awarded, ledger, seat)
        yield from _diversity_lines(awarded[seat], ledger)
        yield from _tallest_lines(position, ledger, seat)
    yield from _penalty_lines(position, ledger, seat)


def _contract_lines(position: Position, deck: Deck, ledger: Ledger, seat: int) -> Iterator[Line]:
    for name in position.players[seat - 1].completed:
        contract = deck.contracts[name]
        words = {"contract": name, "type": contract.type}
        yield Line(contract.prestige, "contract", words, ledger.completed.get(name))


def _token_lines(position: Position, ledger: Ledger, seat: int) -> Iterator[Line]:
    known = ledger.tokens.get(seat, ())
    before = position.players[seat - 1].tokens - len(known)
    if before:
        yield Line(before, "token_before")
    for token in known:
        yield Line(1, token.reason, {}, token.action_no)


def _park_lines(position: Position, ledger: Ledger, seat: int) -> Iterator[Line]:
    """Yield a line for each token of a park; the later of monument and building gave it (R45, A27)."""
    for park in position.parks:
        if park.monument is None:
            continue
        for building in _beside(position, park):
            if building.owner == seat:
                numbers = (ledger.monuments.get(park.at), ledger.completed.get(building.contract))
                words = {"park": str(park.at), "at": str(building.at)}
                yield Line(1, "park_token", words, max((n for n in numbers if n is not None), default=None))


def _beside(position: Position, park: Park) -> Iterator[Building]:
    fallen_too = position.options.rulings.fallen_buildings_count_for_park_tokens
    for building in position.buildings:
        if (building.standing or fallen_too) and NEAR[park.at] & BIT[building.at]:
            yield building


def awarded_contracts(position: Position, deck: Deck, seat: int) -> list[Contract]:
    """Return the contracts that count for specialisation and diversity (A27, A29), as they were completed."""
    rulings = position.options.rulings
    fallen = {building.contract for building in position.buildings if not building.standing}
    return [
        deck.contracts[name]
        for name in position.players[seat - 1].completed
        if (rulings.landmarks_count_for_awards or not deck.contracts[name].landmark)
        and (rulings.fallen_buildings_count_for_awards or name not in fallen)
    ]


def _specialisation_lines(awarded: Mapping[int, Sequence[Contract]], ledger: Ledger, seat: int) -> Iterator[Line]:
    """Yield the specialisation awards: the highest sum alone, nobody on a tie or at zero (R46, A40)."""
    for kind in TYPES:
        sums = [sum(c.prestige for c in contracts if c.type == kind) for contracts in awarded.values()]
        best, mine = max(sums), [contract for contract in awarded[seat] if contract.type == kind]
        if best and sum(contract.prestige for contract in mine) == best and sums.count(best) == 1:
            yield Line(SPECIALISATION, "specialisation", {"type": kind}, ledger.completed.get(mine[-1].id))


def _diversity_lines(mine: Sequence[Contract], ledger: Ledger) -> Iterator[Line]:
    """Yield the diversity award; the contract that brought the fourth type gave it (R47)."""
    seen: set[str] = set()
    for contract in mine:
        seen.add(contract.type)
        if len(seen) == len(TYPES):
            yield Line(DIVERSITY, "diversity", {}, ledger.completed.get(contract.id))
            return


def _tallest_lines(position: Position, ledger: Ledger, seat: int) -> Iterator[Line]:
    """Yield the award for the tallest building, to the marker's holder (R48, A41)."""
    building = building_at(position, position.tallest)
    if building is not None and building.owner == seat:
        words = {"at": str(building.at), "height_mm": str(building.height_mm)}
        yield Line(TALLEST, "tallest", words, ledger.completed.get(building.contract))


def _penalty_lines(position: Position, ledger: Ledger, seat: int) -> Iterator[Line]:
    """Yield the penalties for what is left over at the end (R49, R51)."""
    me = position.players[seat - 1]
    if me.pieces.most:
        words = {"pieces": as_text(me.pieces.total, me.pieces.most)}
        yield Line(leftover_points(me.pieces.guess), "leftover", words, ledger.last)
    if position.options.simplified and me.park:
        yield Line(PARK_UNPLACED, "park_unplaced", {}, ledger.last)


def leftover_points(pieces: int) -> int:
    """Return the points for so many pieces left over, none or fewer (R49)."""
    return -pieces // PIECES_PER_POINT


def outcome(position: Position, deck: Deck) -> Outcome | None:
    """Return how the game ended; None while it goes on.

    `termination` is the trigger: completed, bag_out or round_limit.
    """
    if position.phase != "end":
        return None
    totals = {seat: one.total for seat, one in score(position, deck).items()}
    return Outcome(termination=position.final, winners=winners(position, totals), scores=totals)


def winners(position: Position, totals: dict[int, int]) -> tuple[int, ...]:
    """Return who won (R50, A42): of those tied who has the tallest building; several, if theirs are equally tall.

    The marker is an award's (R48, A41) and breaks no tie, unless the group wants it to.
    """
    best = max(totals.values())
    marker = position.options.rulings.marker_breaks_ties
    tied = {
        seat: (_tallest_of(position, seat), marker and _holds_marker(position, seat))
        for seat in totals
        if totals[seat] == best
    }
    highest = max(tied.values())
    return tuple(seat for seat, rank in tied.items() if rank == highest)


def _tallest_of(position: Position, seat: int) -> int:
    return max((b.height_mm for b in position.buildings if b.owner == seat and b.standing), default=0)


def _holds_marker(position: Position, seat: int) -> bool:
    building = building_at(position, position.tallest)
    return building is not None and building.owner == seat
