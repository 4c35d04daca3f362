"""Which positions can be: conservation of everything in the box, limits, and that the parts agree with each other."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from citytable.games.megacity.city import BIT, NEAR, building_at
from citytable.games.megacity.deal import DEALT, before_the_deal
from citytable.games.megacity.ending import all_standard_completed
from citytable.games.megacity.hands import PIECES_MAX, outside_bag
from citytable.games.megacity.pieces import PLATFORMS, TYPE_MIN, Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Building, Face, Park, Pieces, Player, Position
from citytable.games.megacity.stack import SUPPLY
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import allowance
from citytable.rules.errors import IllegalPosition
from citytable.table.hexes import CENTRE


def check_position(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that is wrong, one line each."""
    players = position.options.players
    if players not in DEALT:
        raise IllegalPosition(f"options.players: {players!r}: MegaCity is for 2, 3 or 4 players (R1)")
    if len(position.players) != players:
        raise IllegalPosition(f"players: {len(position.players)} of them, options.players says {players}")
    if position.phase == "setup":
        if position != before_the_deal(position.options, deck):
            raise IllegalPosition("phase setup: before the deal everything is in bag, stack and box (R2-R6)")
        return
    wrong: list[str] = []
    for faults in _IN_ORDER:
        wrong += faults(position, deck)
        if wrong:
            raise IllegalPosition("\n".join(wrong))


def unconserved(position: Position, deck: Deck) -> Iterator[str]:
    """Everything that cannot be with the things in the box, whatever the rules say: lost, doubled or on one another."""
    for faults in (_frame, _pieces, _platforms, _cards, _one_tile_a_hex):
        yield from faults(position, deck)


def _named(position: Position) -> Iterator[tuple[str, Player]]:
    for seat, player in enumerate(position.players, start=1):
        yield f"player {seat}", player


def _frame(position: Position, _deck: Deck) -> Iterator[str]:
    """Whose turn it is and what is written where lists have a fixed shape."""
    seats = range(1, position.options.players + 1)
    if position.player not in seats:
        yield f"player: {position.player} is none of the seats 1 to {len(seats)}"
    if position.turn < 1:
        yield f"turn: {position.turn}: the first turn is 1"
    if len(position.columns) != len(TYPES):
        yield f"columns: {len(position.columns)} of them, there are {len(TYPES)}"
    if not position.parks or position.parks[0].at != CENTRE or position.parks[0].owner is not None:
        yield "parks: the first one is Central Park, at 0/0 and without owner (R6)"
    for name, there in (("final_turns", position.final_turns), ("decisions", position.decisions)):
        if len(set(there)) != len(there) or not set(there) <= set(seats):
            yield f"{name}: {list(there)}: each seat at most once"
    yield from (f"parks: {park.at} is outside the city (A13)" for park in position.parks if park.at not in BIT)
    for building in position.buildings:
        if building.at not in BIT or building.owner not in seats:
            yield f"building on {building.at} of owner {building.owner}: no such hex or seat (R25)"


def _told(position: Position) -> Iterator[Face | None]:
    """Tiles that everybody has seen and that are not in the city: supply, returned ones, those of the players."""
    yield from position.supply
    yield from chain.from_iterable(position.returned)
    yield from chain.from_iterable(player.platforms for player in position.players)


def untold(position: Position, _deck: Deck) -> Iterator[str]:
    """Tiles that lie open and nobody told: there are none outside the umpire's what-ifs."""
    if None in _told(position):
        yield "platforms: an untold tile (null) can only lie in the stack"


def _pieces(position: Position, deck: Deck) -> Iterator[str]:
    """Conservation of building pieces (R5)."""
    about = outside_bag(position)
    in_all = about.total + position.bag + position.box + position.left_in_city
    if in_all != deck.all_pieces:
        yield f"pieces: {in_all} in all, the game has {deck.all_pieces} (bag, box, hands, city, fallen)"
    for name, count in (("bag", position.bag), ("box", position.box), ("left_in_city", position.left_in_city)):
        if count < 0:
            yield f"{name}: {count} pieces"
    for name, pieces in _all_pieces(position):
        if min(pieces.steel, pieces.concrete, pieces.glass, pieces.unknown) < 0:
            yield f"{name}: a negative number of pieces"
    for material in MATERIALS:
        if getattr(about, material) > deck.pieces[material]:
            yield f"pieces: {getattr(about, material)} of {material}, the game has {deck.pieces[material]}"


def _all_pieces(position: Position) -> Iterator[tuple[str, Pieces]]:
    for name, player in _named(position):
        yield name, player.pieces
    for building in position.buildings:
        yield f"building on {building.at}", building.pieces
    for park in position.parks:
        if park.monument is not None:
            yield f"monument on {park.at}", park.monument
            if park.monument.total != 1:
                yield f"monument on {park.at} is not one piece", Pieces(unknown=-1)


def _platforms(position: Position, deck: Deck) -> Iterator[str]:
    """Conservation of platforms (R4, A4)."""
    faces = [*_told(position), *(building.face for building in position.buildings), *position.stack]
    known = [face for face in faces if face is not None]
    for face in known:
        if face.up not in deck.platforms.get(face.platform, ()):
            yield f"platform {face.platform}/{face.up}: the deck has no such side"
    for platform, times in Counter(face.platform for face in known).items():
        if times > 1:
            yield f"platform {platform} is there {times} times"
    in_all = len(position.supply) + len(position.stack) + len(position.buildings)
    in_all += sum(len(player.platforms) for player in position.players)
    if in_all != PLATFORMS:
        yield f"platforms: {in_all} in all, the game has {PLATFORMS}"


def _stack(position: Position, _deck: Deck) -> Iterator[str]:
    """How stack and supply are written down (R4, R9, R13)."""
    below = sum(map(len, position.returned))
    if below > len(position.stack) or any(face is not None for face in position.stack[len(position.stack) - below :]):
        yield "stack: the places of the returned tiles at its bottom are null, one for each of them (R13)"
    if not all(position.returned):
        yield "returned: a group without tiles"
    there, below = len(position.supply), len(position.stack)
    if there > SUPPLY or (there < SUPPLY and below):
        yield f"supply: {there} platforms with {below} in the stack: it is refilled at once (R9)"
    if list(position.supply) != sorted(position.supply, key=_number):
        yield "supply: write it sorted by platform number"
    for name, player in _named(position):
        if list(player.platforms) != sorted(player.platforms, key=_number):
            yield f"{name}: write platforms sorted by number"


def _number(face: Face | None) -> int:
    return face.platform if face is not None else 0


def _cards(position: Position, deck: Deck) -> Iterator[str]:
    """Conservation of contracts (R2, R3, R8)."""
    held = [name for _, player in _named(position) for name in (*player.contracts, *player.completed)]
    everywhere = [*chain.from_iterable(position.columns), *position.landmarks, *held]
    for name in everywhere:
        if name not in deck.contracts:
            yield f"contract {name!r} is not in the deck"
            return
    for name, times in Counter(everywhere).items():
        if times > 1:
            yield f"contract {name} is there {times} times"
    standard = [name for name in everywhere if not deck.contracts[name].landmark]
    dealt = DEALT[position.options.players]
    if len(standard) != dealt:
        yield f"contracts: {len(standard)} standard ones, {dealt} were dealt (R2)"
    of_type = Counter(deck.contracts[name].type for name in standard)
    yield from (f"contracts: fewer than 2 of type {kind} (R2)" for kind in TYPES if of_type[kind] < TYPE_MIN)
    for kind, column in zip(TYPES, position.columns, strict=True):
        for name in column:
            if deck.contracts[name].landmark or deck.contracts[name].type != kind:
                yield f"columns: {name} does not belong to {kind}"
    yield from _landmarks(position, deck, everywhere)


def _landmarks(position: Position, deck: Deck, everywhere: list[str]) -> Iterator[str]:
    out = [name for name in everywhere if deck.contracts[name].landmark]
    should_be_open = not any(position.columns) and not position.options.simplified
    if position.landmarks_open != should_be_open:
        yield f"landmarks_open: {position.landmarks_open}: they come when the columns are empty (R38, R51)"
    if len(out) != (len(deck.landmarks) if should_be_open else 0):
        yield f"landmarks: {len(out)} are out (R38)"
    if list(position.landmarks) != sorted(position.landmarks):
        yield "landmarks: write them sorted"
    if any(not deck.contracts[name].landmark for name in position.landmarks):
        yield "landmarks: only landmark contracts"


def _hands(position: Position, deck: Deck) -> Iterator[str]:
    """Limits of the play area (R8, R9, R11, R39)."""
    limit = allowance(position.options)
    for seat, (name, player) in enumerate(_named(position), start=1):
        landmarks = sum(deck.contracts[contract].landmark for contract in player.contracts)
        if len(player.contracts) > limit or (landmarks and len(player.contracts) > 1):
            yield f"{name}: open contracts {', '.join(player.contracts)}: over the limit (R8, R39)"
        if list(player.contracts) != sorted(player.contracts):
            yield f"{name}: write contracts sorted"
        if len(player.platforms) > limit:
            yield f"{name}: {len(player.platforms)} undelivered platforms: over the limit (R9)"
        drawn = RANDOM_DRAW * position.actions_used if seat == position.player and position.phase != "end" else 0
        if position.options.simplified and position.phase == "end":
            drawn = RANDOM_DRAW * limit
        if player.pieces.total > PIECES_MAX + drawn:
            yield f"{name}: {player.pieces.total} pieces: over the limit (R11)"
        if player.tokens < 0 or (player.tokens and position.options.simplified):
            yield f"{name}: {player.tokens} tokens (R51)"


def _city(position: Position, deck: Deck) -> Iterator[str]:
    """The city: one tile a hex, everything touching (R25), parks apart (R32), contracts and buildings one to one."""
    yield from _one_tile_a_hex(position, deck)
    touched = NEAR[CENTRE]
    for k, building in enumerate(position.buildings):
        parks = [park.at for park in position.parks if any(NEAR[park.at] & BIT[b.at] for b in position.buildings[:k])]
        if not touched & BIT[building.at] and not any(NEAR[at] & BIT[building.at] for at in parks):
            yield f"building on {building.at}: touched no tile when it was delivered (R25)"
        touched |= NEAR[building.at]
    built = Counter((building.owner, building.contract) for building in position.buildings)
    done = Counter((seat, name) for seat, p in enumerate(position.players, start=1) for name in p.completed)
    for seat, name in (built - done) + (done - built):
        yield f"player {seat}, contract {name}: completed contracts and buildings of the city do not agree"
    for building in position.buildings:
        yield from _building(building, deck)
    yield from _parks(position)


def _one_tile_a_hex(position: Position, _deck: Deck) -> Iterator[str]:
    tiles = Counter(chain((b.at for b in position.buildings), (p.at for p in position.parks)))
    yield from (f"{times} tiles on {at}" for at, times in tiles.items() if times > 1)


def _building(building: Building, deck: Deck) -> Iterator[str]:
    contract = deck.contracts.get(building.contract)
    name = f"building on {building.at}"
    if contract is None or building.face.up != contract.type:
        yield f"{name}: its contract {building.contract} and its platform's type {building.face.up} do not agree (R16)"
        return
    count = building.pieces.total
    if not building.standing and (count or building.height_mm):
        yield f"{name}: it fell, so it has neither pieces nor height (A27)"
    if building.standing and (not count or building.height_mm < 1):
        yield f"{name}: it stands, so it has pieces and a height"
    if count > contract.pieces and not contract.plus:
        yield f"{name}: {count} pieces, {contract.id} wants exactly {contract.pieces} (R17)"


def _parks(position: Position) -> Iterator[str]:
    owners = Counter(park.owner for park in position.parks)
    yield from (f"parks: {times} of owner {owner}" for owner, times in owners.items() if times > 1)
    for seat, player in enumerate(position.players, start=1):
        if player.park == (seat in owners):
            yield f"player {seat}: his park is either in his hand or in the city"
    for park in position.parks:
        if position.options.simplified and park.monument is not None:
            yield f"park on {park.at}: the simplified game has no monuments (R51)"
        if any(NEAR[park.at] & BIT[other.at] for other in position.parks):
            yield f"park on {park.at}: touches another park (R32)"
        if park.owner is not None and not _beside_own(park, position):
            yield f"park on {park.at}: touches no building of its owner (R32)"


def _beside_own(park: Park, position: Position) -> bool:
    return any(NEAR[park.at] & BIT[b.at] and b.owner == park.owner for b in position.buildings)


def _marker(position: Position, _deck: Deck) -> Iterator[str]:
    """The tallest marker (R28, R37, A23)."""
    heights = [building.height_mm for building in position.buildings if building.standing]
    holder = building_at(position, position.tallest)
    if not heights and position.tallest is not None:
        yield f"tallest: {position.tallest}, but nothing stands (A23)"
    if heights and (holder is None or not holder.standing or holder.height_mm != max(heights)):
        yield f"tallest: {position.tallest} is not the tallest building that stands (R28, R37)"


def _turn(position: Position, _deck: Deck) -> Iterator[str]:
    """The turn's frame (R7, R31, R41)."""
    limit = allowance(position.options)
    if not 0 <= position.actions_used <= limit:
        yield f"actions_used: {position.actions_used}: a turn has {limit} standard actions (R7)"
    if position.phase == "main" and position.actions_used == limit:
        yield f"phase main: all {limit} actions are used, so it is over (R7)"
    if position.phase == "option" and position.actions_used:
        yield "phase option: after a delivery no standard action was used (R7)"
    if position.deciding and position.actions_used:
        yield "deciding: there are no standard actions (R41)"
    if (position.phase == "option") != (position.delivered_at is not None):
        yield "delivered_at: stands there in the phase option and only then (R31)"
    if position.delivered_at is not None and (
        not position.buildings
        or position.buildings[-1].at != position.delivered_at
        or position.buildings[-1].owner != position.player
    ):
        yield f"delivered_at: {position.delivered_at} is not where player {position.player} delivered last"


def _final(position: Position, deck: Deck) -> Iterator[str]:
    """The end of the game (R40, R41, R44, R51)."""
    if not position.final and (position.final_turns or position.deciding or position.phase == "end"):
        yield "final: no final turns, decisions or end without the trigger's name (R40, R44)"
    if position.deciding and position.final_turns:
        yield "final_turns: they are over when the players decide (R41)"
    if not position.deciding and position.decisions:
        yield "decisions: they begin after the final turns (R41)"
    completed = all_standard_completed(position, deck)
    if (completed and not position.final) or (position.final == "completed" and not completed):
        state = "all" if completed else "not all"
        yield f"final: {position.final!r} while the standard contracts are {state} completed (R40)"
    if position.phase == "end" and position.decisions:
        yield "phase end: somebody still has to decide (R41)"
    if position.options.simplified:
        if (position.final != "") != (position.phase == "end") or position.deciding or position.final_turns:
            yield "final: the simplified game ends at once (R51)"
        if position.bag == 0 and position.phase != "end":
            yield "bag: empty, so the simplified game is over (R51)"
    elif position.phase == "end" and not position.deciding:
        yield "phase end: the players decide first (R41)"


_IN_ORDER: tuple[Callable[[Position, Deck], Iterator[str]], ...] = (
    _frame,
    _pieces,
    untold,
    _platforms,
    _stack,
    _cards,
    _hands,
    _city,
    _marker,
    _turn,
    _final,
)
