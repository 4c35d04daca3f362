"""Which positions can be: conservation of everything in the box, limits, and that the parts agree with each other."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from citytable.games.megacity.city import BIT, NEAR, building_at
from citytable.games.megacity.deal import DEALT, before_the_deal
from citytable.games.megacity.ending import all_standard_completed
from citytable.games.megacity.hands import PIECES_MAX, outside_bag
from citytable.games.megacity.pieces import PLATFORMS, TYPE_MIN, Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Building, Face, Park, Pieces, Player, Position
from citytable.games.megacity.refusals import LANGUAGES
from citytable.games.megacity.stack import SUPPLY
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import allowance
from citytable.rules.errors import IllegalPosition
from citytable.rules.sentences import Sentences
from citytable.table.hexes import CENTRE

Text: TypeAlias = dict[str, str]
"""Language -> sentence."""
Name: TypeAlias = tuple[str, dict[str, object]]
"""Of what something is said: a key and its words, worded by `of` when something is wrong with it."""
SENTENCES = Sentences(__package__, "validity.json")
told = SENTENCES.text


def of(name: Name) -> Text:
    """A name in every language."""
    key, words = name
    return told(key, **words)


def refused(*wrong: Text) -> IllegalPosition:
    """The refusal of a position that is wrong in all this, one line each."""
    lines = {language: "\n".join(text[language] for text in wrong) for language in LANGUAGES}
    return IllegalPosition(lines["en"], lines)


def check_position(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that is wrong, one line each."""
    players = position.options.players
    if players not in DEALT:
        raise refused(told("players", seen=repr(players)))
    if len(position.players) != players:
        raise refused(told("players_count", seen=len(position.players), count=players))
    if position.phase == "setup":
        if position != before_the_deal(position.options, deck):
            raise refused(told("setup"))
        return
    wrong: list[Text] = []
    for faults in _IN_ORDER:
        wrong += faults(position, deck)
        if wrong:
            raise refused(*wrong)


def check_conserved(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that cannot be, whatever the rules say, one line each."""
    if wrong := list(unconserved(position, deck)):
        raise refused(*wrong)


def unconserved(position: Position, deck: Deck) -> Iterator[Text]:
    """Everything that cannot be with the things in the box, whatever the rules say: lost, doubled or on one another."""
    for faults in (_frame, _pieces, _platforms, _cards, _one_tile_a_hex, _one_park_a_player):
        yield from faults(position, deck)


def _named(position: Position) -> Iterator[tuple[Name, Player]]:
    for seat, player in enumerate(position.players, start=1):
        yield ("a_player", {"seat": seat}), player


def _frame(position: Position, _deck: Deck) -> Iterator[Text]:
    """Whose turn it is and what is written where lists have a fixed shape."""
    seats = range(1, position.options.players + 1)
    if position.player not in seats:
        yield told("player", seen=position.player, count=len(seats))
    if position.turn < 1:
        yield told("turn", seen=position.turn)
    if len(position.columns) != len(TYPES):
        yield told("columns", seen=len(position.columns), count=len(TYPES))
    if not position.parks or position.parks[0].at != CENTRE or position.parks[0].owner is not None:
        yield told("central_park")
    for name, there in (("final_turns", position.final_turns), ("decisions", position.decisions)):
        if len(set(there)) != len(there) or not set(there) <= set(seats):
            yield told("seats_once", name=name, seen=list(there))
    yield from (told("park_outside", at=park.at) for park in position.parks if park.at not in BIT)
    for building in position.buildings:
        if building.at not in BIT or building.owner not in seats:
            yield told("building_nowhere", at=building.at, seat=building.owner)


def _told(position: Position) -> Iterator[Face | None]:
    """Tiles that everybody has seen and that are not in the city: supply, returned ones, those of the players."""
    yield from position.supply
    yield from chain.from_iterable(position.returned)
    yield from chain.from_iterable(player.platforms for player in position.players)


def untold(position: Position, _deck: Deck) -> Iterator[Text]:
    """Tiles that lie open and nobody told: there are none outside the umpire's what-ifs."""
    if None in _told(position):
        yield told("untold")


def _pieces(position: Position, deck: Deck) -> Iterator[Text]:
    """Conservation of building pieces (R5)."""
    about = outside_bag(position)
    in_all = about.total + position.bag + position.box + position.left_in_city
    if in_all != deck.all_pieces:
        yield told("pieces", seen=in_all, count=deck.all_pieces)
    for name, count in (("bag", position.bag), ("box", position.box), ("left_in_city", position.left_in_city)):
        if count < 0:
            yield told("some_pieces", name=told(name), count=count)
    for whose, pieces in _all_pieces(position):
        if min(pieces.steel, pieces.concrete, pieces.glass, pieces.unknown) < 0:
            yield told("negative", name=of(whose))
    for material in MATERIALS:
        if getattr(about, material) > deck.pieces[material]:
            yield told("material", seen=getattr(about, material), material=told(material), count=deck.pieces[material])


def _all_pieces(position: Position) -> Iterator[tuple[Name, Pieces]]:
    for whose, player in _named(position):
        yield whose, player.pieces
    for building in position.buildings:
        yield ("a_building", {"at": building.at}), building.pieces
    for park in position.parks:
        if park.monument is not None:
            yield ("a_monument", {"at": park.at}), park.monument
            if park.monument.total != 1:
                yield ("monument_piece", {"at": park.at}), Pieces(unknown=-1)


def _platforms(position: Position, deck: Deck) -> Iterator[Text]:
    """Conservation of platforms (R4, A4)."""
    faces = [*_told(position), *(building.face for building in position.buildings), *position.stack]
    known = [face for face in faces if face is not None]
    for face in known:
        if face.up not in deck.platforms.get(face.platform, ()):
            yield told("no_side", platform=face.platform, type=face.up)
    for platform, times in Counter(face.platform for face in known).items():
        if times > 1:
            yield told("platform_twice", platform=platform, count=times)
    in_all = len(position.supply) + len(position.stack) + len(position.buildings)
    in_all += sum(len(player.platforms) for player in position.players)
    if in_all != PLATFORMS:
        yield told("platforms", seen=in_all, count=PLATFORMS)


def _stack(position: Position, _deck: Deck) -> Iterator[Text]:
    """How stack and supply are written down (R4, R9, R13)."""
    below = sum(map(len, position.returned))
    if below > len(position.stack) or any(face is not None for face in position.stack[len(position.stack) - below :]):
        yield told("returned_null")
    if not all(position.returned):
        yield told("returned_empty")
    there, below = len(position.supply), len(position.stack)
    if there > SUPPLY or (there < SUPPLY and below):
        yield told("supply", seen=there, count=below)
    if list(position.supply) != sorted(position.supply, key=_number):
        yield told("supply_sorted")
    for whose, player in _named(position):
        if list(player.platforms) != sorted(player.platforms, key=_number):
            yield told("platforms_sorted", name=of(whose))


def _number(face: Face | None) -> int:
    return face.platform if face is not None else 0


def _cards(position: Position, deck: Deck) -> Iterator[Text]:
    """Conservation of contracts: what was not dealt lies in the box."""
    for name, times in Counter(_contracts_out(position)).items():
        if name not in deck.contracts:
            yield told("no_contract", name=repr(name))
        elif times > 1:
            yield told("contract_twice", name=name, count=times)


def _contracts_out(position: Position) -> list[str]:
    held = [name for _, player in _named(position) for name in (*player.contracts, *player.completed)]
    return [*chain.from_iterable(position.columns), *position.landmarks, *held]


def _deal(position: Position, deck: Deck) -> Iterator[Text]:
    """What was dealt, and what lies where (R2, R3, R8, R38)."""
    everywhere = _contracts_out(position)
    standard = [name for name in everywhere if not deck.contracts[name].landmark]
    dealt = DEALT[position.options.players]
    if len(standard) != dealt:
        yield told("contracts", seen=len(standard), count=dealt)
    of_type = Counter(deck.contracts[name].type for name in standard)
    yield from (told("contract_types", type=told(kind)) for kind in TYPES if of_type[kind] < TYPE_MIN)
    for kind, column in zip(TYPES, position.columns, strict=True):
        for name in column:
            if deck.contracts[name].landmark or deck.contracts[name].type != kind:
                yield told("column", name=name, type=told(kind))
    yield from _landmarks(position, deck, everywhere)


def _landmarks(position: Position, deck: Deck, everywhere: list[str]) -> Iterator[Text]:
    out = [name for name in everywhere if deck.contracts[name].landmark]
    should_be_open = not any(position.columns) and not position.options.simplified
    if position.landmarks_open != should_be_open:
        yield told("landmarks_open", seen=position.landmarks_open)
    if len(out) != (len(deck.landmarks) if should_be_open else 0):
        yield told("landmarks", seen=len(out))
    if list(position.landmarks) != sorted(position.landmarks):
        yield told("landmarks_sorted")
    if any(not deck.contracts[name].landmark for name in position.landmarks):
        yield told("landmarks_only")


def _hands(position: Position, deck: Deck) -> Iterator[Text]:
    """Limits of the play area (R8, R9, R11, R39)."""
    limit = allowance(position.options)
    for seat, (whose, player) in enumerate(_named(position), start=1):
        landmarks = sum(deck.contracts[contract].landmark for contract in player.contracts)
        if len(player.contracts) > limit or (landmarks and len(player.contracts) > 1):
            yield told("open_contracts", name=of(whose), seen=", ".join(player.contracts))
        if list(player.contracts) != sorted(player.contracts):
            yield told("contracts_sorted", name=of(whose))
        if len(player.platforms) > limit:
            yield told("undelivered", name=of(whose), seen=len(player.platforms))
        drawn = RANDOM_DRAW * position.actions_used if seat == position.player and position.phase != "end" else 0
        if position.options.simplified and position.phase == "end":
            drawn = RANDOM_DRAW * limit
        if player.pieces.total > PIECES_MAX + drawn:
            yield told("too_many_pieces", name=of(whose), seen=player.pieces.total)
        if player.tokens < 0 or (player.tokens and position.options.simplified):
            yield told("tokens", name=of(whose), seen=player.tokens)


def _city(position: Position, deck: Deck) -> Iterator[Text]:
    """The city: one tile a hex, everything touching (R25), parks apart (R32), contracts and buildings one to one."""
    yield from _one_tile_a_hex(position, deck)
    touched = NEAR[CENTRE]
    for k, building in enumerate(position.buildings):
        parks = [park.at for park in position.parks if any(NEAR[park.at] & BIT[b.at] for b in position.buildings[:k])]
        if not touched & BIT[building.at] and not any(NEAR[at] & BIT[building.at] for at in parks):
            yield told("not_touching", at=building.at)
        touched |= NEAR[building.at]
    built = Counter((building.owner, building.contract) for building in position.buildings)
    done = Counter((seat, name) for seat, p in enumerate(position.players, start=1) for name in p.completed)
    for seat, name in (built - done) + (done - built):
        yield told("completed", seat=seat, name=name)
    for building in position.buildings:
        yield from _building(building, deck)
    yield from _parks(position, deck)


def _one_tile_a_hex(position: Position, _deck: Deck) -> Iterator[Text]:
    tiles = Counter(chain((b.at for b in position.buildings), (p.at for p in position.parks)))
    yield from (told("hex_twice", count=times, at=at) for at, times in tiles.items() if times > 1)


def _building(building: Building, deck: Deck) -> Iterator[Text]:
    contract = deck.contracts.get(building.contract)
    which: Name = ("a_building", {"at": building.at})
    if contract is None or building.face.up != contract.type:
        yield told("building_type", name=of(which), contract=building.contract, type=told(building.face.up))
        return
    count = building.pieces.total
    if not building.standing and (count or building.height_mm):
        yield told("fallen", name=of(which))
    if building.standing and (not count or building.height_mm < 1):
        yield told("standing", name=of(which))
    if count > contract.pieces and not contract.plus:
        yield told("building_pieces", name=of(which), seen=count, contract=contract.id, count=contract.pieces)


def _one_park_a_player(position: Position, _deck: Deck) -> Iterator[Text]:
    owners = Counter(park.owner for park in position.parks)
    yield from (told("parks_twice", count=times, seat=owner) for owner, times in owners.items() if times > 1)


def _parks(position: Position, _deck: Deck) -> Iterator[Text]:
    yield from _one_park_a_player(position, _deck)
    owners = {park.owner for park in position.parks}
    for seat, player in enumerate(position.players, start=1):
        if player.park == (seat in owners):
            yield told("park_hand", seat=seat)
    for park in position.parks:
        if position.options.simplified and park.monument is not None:
            yield told("no_monuments", at=park.at)
        if any(NEAR[park.at] & BIT[other.at] for other in position.parks):
            yield told("parks_touch", at=park.at)
        if park.owner is not None and not _beside_own(park, position):
            yield told("park_alone", at=park.at)


def _beside_own(park: Park, position: Position) -> bool:
    return any(NEAR[park.at] & BIT[b.at] and b.owner == park.owner for b in position.buildings)


def _marker(position: Position, _deck: Deck) -> Iterator[Text]:
    """The tallest marker (R28, R37, A23)."""
    heights = [building.height_mm for building in position.buildings if building.standing]
    holder = building_at(position, position.tallest)
    if not heights and position.tallest is not None:
        yield told("tallest_none", at=position.tallest)
    if heights and (holder is None or not holder.standing or holder.height_mm != max(heights)):
        yield told("tallest", at=position.tallest)


def _turn(position: Position, _deck: Deck) -> Iterator[Text]:
    """The turn's frame (R7, R31, R41)."""
    limit = allowance(position.options)
    if not 0 <= position.actions_used <= limit:
        yield told("actions_used", seen=position.actions_used, count=limit)
    if position.phase == "main" and position.actions_used == limit:
        yield told("main_over", count=limit)
    if position.phase == "option" and position.actions_used:
        yield told("option_actions")
    if position.deciding and position.actions_used:
        yield told("deciding_actions")
    if (position.phase == "option") != (position.delivered_at is not None):
        yield told("delivered_at")
    if position.delivered_at is not None and (
        not position.buildings
        or position.buildings[-1].at != position.delivered_at
        or position.buildings[-1].owner != position.player
    ):
        yield told("delivered_last", at=position.delivered_at, seat=position.player)


def _final(position: Position, deck: Deck) -> Iterator[Text]:
    """The end of the game (R40, R41, R44, R51)."""
    if not position.final and (position.final_turns or position.deciding or position.phase == "end"):
        yield told("final_name")
    if position.deciding and position.final_turns:
        yield told("final_turns")
    if not position.deciding and position.decisions:
        yield told("decisions")
    completed = all_standard_completed(position, deck)
    if (completed and not position.final) or (position.final == "completed" and not completed):
        yield told("final_completed" if completed else "final_not_completed")
    if position.phase == "end" and position.decisions:
        yield told("end_decides")
    if position.options.simplified:
        if (position.final != "") != (position.phase == "end") or position.deciding or position.final_turns:
            yield told("simplified_end")
        if position.bag == 0 and position.phase != "end":
            yield told("simplified_bag")
    elif position.phase == "end" and not position.deciding:
        yield told("end_first")


_IN_ORDER: tuple[Callable[[Position, Deck], Iterator[Text]], ...] = (
    _frame,
    _pieces,
    untold,
    _platforms,
    _stack,
    _cards,
    _deal,
    _hands,
    _city,
    _marker,
    _turn,
    _final,
)
