"""Legal positions: nothing is lost or in two places, limits are kept, and the parts agree with each other."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from citytable.games.megacity.city import BIT, NEAR, building_at
from citytable.games.megacity.deal import DEALT, before_the_deal
from citytable.games.megacity.ending import all_standard_completed
from citytable.games.megacity.hands import PIECES_MAX, is_negative, outside_bag
from citytable.games.megacity.pieces import PLATFORMS, TYPE_MIN, Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Building, Face, Park, Pieces, Player, Position
from citytable.games.megacity.stack import SUPPLY, UNKNOWN_LAST
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import allowance
from citytable.languages import LANGUAGES
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition
from citytable.table.hexes import CENTRE

Text: TypeAlias = dict[str, str]
"""Language -> sentence."""
Name: TypeAlias = tuple[str, dict[str, object]]
"""Of what something is said: a key and its words, worded by `of` when something is wrong with it."""
SENTENCES = Sentences(__package__, "validity.json")
sentence = SENTENCES.text


def of(name: Name) -> Text:
    """Return a name in every language."""
    key, words = name
    return sentence(key, **words)


def refused(*wrong: Text) -> IllegalPosition:
    """Return the refusal of a position that is wrong in all this, one line each."""
    lines = {language: "\n".join(text[language] for text in wrong) for language in LANGUAGES}
    return IllegalPosition(lines["en"], lines)


def check_position(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that is wrong, one line each."""
    players = position.options.players
    if players not in DEALT:
        raise refused(sentence("players", seen=repr(players)))
    if len(position.players) != players:
        raise refused(sentence("players_count", seen=len(position.players), count=players))
    if position.phase == "setup":
        if position != before_the_deal(position.options, deck):
            raise refused(sentence("setup"))
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
    """Yield everything that cannot be, whatever the rules say: lost, in two places, or on one another."""
    for faults in (_frame, _pieces, _platforms, _cards, _one_tile_a_hex, _one_park_a_player):
        yield from faults(position, deck)


def _named(position: Position) -> Iterator[tuple[Name, Player]]:
    for seat, player in enumerate(position.players, start=1):
        yield ("a_player", {"seat": seat}), player


def _frame(position: Position, _deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with the turn, the seats and the lists of a fixed length."""
    seats = range(1, position.options.players + 1)
    if position.player not in seats:
        yield sentence("player", seen=position.player, count=len(seats))
    if position.turn < 1:
        yield sentence("turn", seen=position.turn)
    if len(position.columns) != len(TYPES):
        yield sentence("columns", seen=len(position.columns), count=len(TYPES))
    if not position.parks or position.parks[0].at != CENTRE or position.parks[0].owner is not None:
        yield sentence("central_park")
    for name, there in (("final_turns", position.final_turns), ("decisions", position.decisions)):
        if len(set(there)) != len(there) or not set(there) <= set(seats):
            yield sentence("seats_once", name=name, seen=list(there))
    yield from (sentence("park_outside", at=park.at) for park in position.parks if park.at not in BIT)
    for building in position.buildings:
        if building.at not in BIT or building.owner not in seats:
            yield sentence("building_nowhere", at=building.at, seat=building.owner)


def _seen_tiles(position: Position) -> Iterator[Face | None]:
    """Yield the tiles that everybody has seen outside the city: supply, returned ones, those of the players."""
    yield from position.supply
    yield from chain.from_iterable(position.returned)
    yield from chain.from_iterable(player.platforms for player in position.players)


def _pieces(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield pieces that are missing or too many (R5)."""
    about = outside_bag(position)
    in_all = about.most + position.bag + position.box + position.left_in_city
    if in_all != deck.all_pieces:
        yield sentence("pieces", seen=in_all, count=deck.all_pieces)
    for name, count in (("bag", position.bag_most), ("box", position.box), ("left_in_city", position.left_in_city)):
        if count < 0:
            yield sentence("some_pieces", name=sentence(name), count=count)
    for whose, pieces in _all_pieces(position):
        if is_negative(pieces):
            yield sentence("negative", name=of(whose))
        if pieces.maybe and whose[0] != "a_player":
            yield sentence("range", name=of(whose))
    for material in MATERIALS:
        if getattr(about, material) > deck.pieces[material]:
            yield sentence(
                "material", seen=getattr(about, material), material=sentence(material), count=deck.pieces[material]
            )


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
    """Yield platforms that are missing or in two places (R4, A4)."""
    faces = [*_seen_tiles(position), *(building.face for building in position.buildings), *position.stack]
    known = [face for face in faces if face is not None]
    for face in known:
        if not deck.may_show(face.platform, face.up):
            yield sentence("no_side", platform=face.platform, type=face.up)
    for platform, times in Counter(face.platform for face in known).items():
        if times > 1:
            yield sentence("platform_twice", platform=platform, count=times)
    in_all = len(position.supply) + len(position.stack) + len(position.buildings)
    in_all += sum(len(player.platforms) for player in position.players)
    if in_all != PLATFORMS:
        yield sentence("platforms", seen=in_all, count=PLATFORMS)


def _stack(position: Position, _deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with how stack and supply are written (R4, R9, R13)."""
    below = sum(map(len, position.returned))
    if below > len(position.stack) or any(face is not None for face in position.stack[len(position.stack) - below :]):
        yield sentence("returned_null")
    if not all(position.returned):
        yield sentence("returned_empty")
    there, below = len(position.supply), len(position.stack)
    if there > SUPPLY or (there < SUPPLY and below):
        yield sentence("supply", seen=there, count=below)
    if list(position.supply) != sorted(position.supply, key=_number):
        yield sentence("supply_sorted")
    for whose, player in _named(position):
        if list(player.platforms) != sorted(player.platforms, key=_number):
            yield sentence("platforms_sorted", name=of(whose))


def _number(face: Face | None) -> int:
    return face.platform if face is not None else UNKNOWN_LAST


def _cards(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield contracts that do not exist or are in two places; what was not dealt lies in the box."""
    for name, times in Counter(_contracts_out(position)).items():
        if name not in deck.contracts:
            yield sentence("no_contract", name=repr(name))
        elif times > 1:
            yield sentence("contract_twice", name=name, count=times)


def _contracts_out(position: Position) -> list[str]:
    held = [name for _, player in _named(position) for name in (*player.contracts, *player.completed)]
    return [*chain.from_iterable(position.columns), *position.landmarks, *held]


def _deal(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with the deal and the columns (R2, R3, R8, R38)."""
    everywhere = _contracts_out(position)
    standard = [name for name in everywhere if not deck.contracts[name].landmark]
    dealt = DEALT[position.options.players]
    if len(standard) != dealt:
        yield sentence("contracts", seen=len(standard), count=dealt)
    of_type = Counter(deck.contracts[name].type for name in standard)
    yield from (sentence("contract_types", type=sentence(kind)) for kind in TYPES if of_type[kind] < TYPE_MIN)
    for kind, column in zip(TYPES, position.columns, strict=True):
        for name in column:
            if deck.contracts[name].landmark or deck.contracts[name].type != kind:
                yield sentence("column", name=name, type=sentence(kind))
    yield from _landmarks(position, deck, everywhere)


def _landmarks(position: Position, deck: Deck, everywhere: list[str]) -> Iterator[Text]:
    out = [name for name in everywhere if deck.contracts[name].landmark]
    should_be_open = not any(position.columns) and not position.options.simplified
    if position.landmarks_open != should_be_open:
        yield sentence("landmarks_open", seen=position.landmarks_open)
    if len(out) != (len(deck.landmarks) if should_be_open else 0):
        yield sentence("landmarks", seen=len(out))
    if list(position.landmarks) != sorted(position.landmarks):
        yield sentence("landmarks_sorted")
    if any(not deck.contracts[name].landmark for name in position.landmarks):
        yield sentence("landmarks_only")


def most_pieces(position: Position, seat: int) -> int:
    """Return how many pieces a player may have: in their turn what they have drawn in it as well (R11)."""
    drawn = RANDOM_DRAW * position.actions_used if seat == position.player and position.phase != "end" else 0
    if position.options.simplified and position.phase == "end":
        drawn = RANDOM_DRAW * allowance(position.options)
    return PIECES_MAX + drawn


def _hands(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield what exceeds the limits of a play area (R8, R9, R11, R39)."""
    limit = allowance(position.options)
    for seat, (whose, player) in enumerate(_named(position), start=1):
        landmarks = sum(deck.contracts[contract].landmark for contract in player.contracts)
        if len(player.contracts) > limit or (landmarks and len(player.contracts) > 1):
            yield sentence("open_contracts", name=of(whose), seen=", ".join(player.contracts))
        if list(player.contracts) != sorted(player.contracts):
            yield sentence("contracts_sorted", name=of(whose))
        if len(player.platforms) > limit:
            yield sentence("undelivered", name=of(whose), seen=len(player.platforms))
        if player.pieces.total > most_pieces(position, seat):
            yield sentence("too_many_pieces", name=of(whose), seen=player.pieces.total)
        if player.tokens < 0 or (player.tokens and position.options.simplified):
            yield sentence("tokens", name=of(whose), seen=player.tokens)


def _city(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield what is wrong in the city: tiles that do not touch (R25), parks that do (R32), lost contracts."""
    yield from _one_tile_a_hex(position, deck)
    touched = NEAR[CENTRE]
    for k, building in enumerate(position.buildings):
        parks = [park.at for park in position.parks if any(NEAR[park.at] & BIT[b.at] for b in position.buildings[:k])]
        if not touched & BIT[building.at] and not any(NEAR[at] & BIT[building.at] for at in parks):
            yield sentence("not_touching", at=building.at)
        touched |= NEAR[building.at]
    built = Counter((building.owner, building.contract) for building in position.buildings)
    done = Counter((seat, name) for seat, p in enumerate(position.players, start=1) for name in p.completed)
    for seat, name in (built - done) + (done - built):
        yield sentence("completed", seat=seat, name=name)
    for building in position.buildings:
        yield from _building(building, deck)
    yield from _parks(position, deck)


def _one_tile_a_hex(position: Position, _deck: Deck) -> Iterator[Text]:
    tiles = Counter(chain((b.at for b in position.buildings), (p.at for p in position.parks)))
    yield from (sentence("hex_twice", count=times, at=at) for at, times in tiles.items() if times > 1)


def _building(building: Building, deck: Deck) -> Iterator[Text]:
    contract = deck.contracts.get(building.contract)
    which: Name = ("a_building", {"at": building.at})
    if contract is None or building.face.up != contract.type:
        yield sentence("building_type", name=of(which), contract=building.contract, type=sentence(building.face.up))
        return
    count = building.pieces.total
    if not building.standing and (count or building.height_mm):
        yield sentence("fallen", name=of(which))
    if building.standing and (not count or building.height_mm < 1):
        yield sentence("standing", name=of(which))
    if count > contract.pieces and not contract.plus:
        yield sentence("building_pieces", name=of(which), seen=count, contract=contract.id, count=contract.pieces)


def _one_park_a_player(position: Position, _deck: Deck) -> Iterator[Text]:
    owners = Counter(park.owner for park in position.parks)
    yield from (sentence("parks_twice", count=times, seat=owner) for owner, times in owners.items() if times > 1)


def _parks(position: Position, _deck: Deck) -> Iterator[Text]:
    yield from _one_park_a_player(position, _deck)
    owners = {park.owner for park in position.parks}
    for seat, player in enumerate(position.players, start=1):
        if player.park == (seat in owners):
            yield sentence("park_hand", seat=seat)
    for park in position.parks:
        if position.options.simplified and park.monument is not None:
            yield sentence("no_monuments", at=park.at)
        if any(NEAR[park.at] & BIT[other.at] for other in position.parks):
            yield sentence("parks_touch", at=park.at)
        if park.owner is not None and not _beside_own(park, position):
            yield sentence("park_alone", at=park.at)


def _beside_own(park: Park, position: Position) -> bool:
    return any(NEAR[park.at] & BIT[b.at] and b.owner == park.owner for b in position.buildings)


def _marker(position: Position, _deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with the tallest marker (R28, R37, A23)."""
    heights = [building.height_mm for building in position.buildings if building.standing]
    holder = building_at(position, position.tallest)
    if not heights and position.tallest is not None:
        yield sentence("tallest_none", at=position.tallest)
    if heights and (holder is None or not holder.standing or holder.height_mm != max(heights)):
        yield sentence("tallest", at=position.tallest)


def _turn(position: Position, _deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with the phase of the turn (R7, R31, R41)."""
    limit = allowance(position.options)
    if not 0 <= position.actions_used <= limit:
        yield sentence("actions_used", seen=position.actions_used, count=limit)
    if position.phase == "main" and position.actions_used == limit:
        yield sentence("main_over", count=limit)
    if position.phase == "option" and position.actions_used:
        yield sentence("option_actions")
    if position.deciding and position.actions_used:
        yield sentence("deciding_actions")
    if (position.phase == "option") != (position.delivered_at is not None):
        yield sentence("delivered_at")
    if position.delivered_at is not None and (
        not position.buildings
        or position.buildings[-1].at != position.delivered_at
        or position.buildings[-1].owner != position.player
    ):
        yield sentence("delivered_last", at=position.delivered_at, seat=position.player)


def _final(position: Position, deck: Deck) -> Iterator[Text]:
    """Yield what is wrong with the end of the game (R40, R41, R44, R51)."""
    if not position.final and (position.final_turns or position.deciding or position.phase == "end"):
        yield sentence("final_name")
    if position.deciding and position.final_turns:
        yield sentence("final_turns")
    if not position.deciding and position.decisions:
        yield sentence("decisions")
    completed = all_standard_completed(position, deck)
    if (completed and not position.final) or (position.final == "completed" and not completed):
        yield sentence("final_completed" if completed else "final_not_completed")
    if position.phase == "end" and position.decisions:
        yield sentence("end_decides")
    if position.options.simplified:
        if (position.final != "") != (position.phase == "end") or position.deciding or position.final_turns:
            yield sentence("simplified_end")
        if position.bag_most == 0 and position.phase != "end":
            yield sentence("simplified_bag")
    elif position.phase == "end" and not position.deciding:
        yield sentence("end_first")


_IN_ORDER: tuple[Callable[[Position, Deck], Iterator[Text]], ...] = (
    _frame,
    _pieces,
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
