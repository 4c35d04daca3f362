"""Contradictions in a filled-in form: keys of `paper.json` with their values. `check_position` finds the rest."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from citytable.games.megacity.city import BIT, NEAR
from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import TYPES, Building, Face, Park, Position
from citytable.games.megacity.stack import SUPPLY
from citytable.games.megacity.turn import allowance
from citytable.games.megacity.validity import most_pieces
from citytable.table.hexes import CENTRE


def short(face: Face) -> str:
    """Write `6c`: platform 6 with its commercial side up."""
    return f"{face.platform}{face.up[0]}"


Fault: TypeAlias = tuple[str, dict[str, object]]
"""A key of `paper.json` and its words."""
BROKEN_RULES = frozenset(
    {
        "monument_early",
        "wrong_type",
        "building_pieces",
        "not_touching",
        "parks_touch",
        "park_alone",
        "hand_contracts",
        "hand_platforms",
        "hand_pieces",
    }
)
"""What may have happened all the same, and then stands."""
MISDEALT = frozenset({"contract_count", "column", "landmark_early", "supply"})
"""What may have happened too, but is more likely a slip of the pen: it stands only where the hub knows of it."""


def contradictions(position: Position, deck: Deck) -> Iterator[Fault]:
    """Yield everything that is wrong, platforms first."""
    yield from _platforms(position, deck)
    yield from _contracts(position, deck)
    yield from _city(position, deck)
    yield from _hands(position, deck)


def _platforms(position: Position, deck: Deck) -> Iterator[Fault]:
    held = [face for player in position.players for face in player.platforms]
    faces = [face for face in (*position.supply, *held) if face is not None]
    faces += [building.face for building in position.buildings]
    for face in faces:
        if not deck.may_show(face.platform, face.up):
            yield "platform_side", {"platform": short(face)}
    for number, times in Counter(face.platform for face in faces).items():
        if times > 1:
            yield "platform_twice", {"platform": number, "count": times}
    if len(position.supply) != min(SUPPLY, len(position.supply) + len(position.stack)):
        yield "supply", {"count": SUPPLY, "seen": len(position.supply)}


def _contracts(position: Position, deck: Deck) -> Iterator[Fault]:
    held = [name for player in position.players for name in (*player.contracts, *player.completed)]
    everywhere = [*chain.from_iterable(position.columns), *held]
    for name, times in Counter(everywhere).items():
        if times > 1:
            yield "contract_twice", {"contract": name, "count": times}
    yield from _misplaced(position, deck)
    if any(position.columns) or position.options.simplified:
        yield from _early(held, deck)
    standard = sum(not deck.contracts[name].landmark for name in everywhere)
    if standard != DEALT[position.options.players]:
        yield "contract_count", {"seen": standard, "count": DEALT[position.options.players]}
    elif not any(position.columns) and all(deck.contracts[n].landmark for p in position.players for n in p.contracts):
        yield "last_round", {}


def _early(held: list[str], deck: Deck) -> Iterator[Fault]:
    for name in held:
        if deck.contracts[name].landmark:
            yield "landmark_early", {"contract": name}


def _misplaced(position: Position, deck: Deck) -> Iterator[Fault]:
    for kind, column in zip(TYPES, position.columns, strict=True):
        for name in column:
            if deck.contracts[name].type != kind or deck.contracts[name].landmark:
                yield "column", {"contract": name}


def _city(position: Position, deck: Deck) -> Iterator[Fault]:
    tiles = Counter(chain((b.at for b in position.buildings), (park.at for park in position.parks)))
    for at, times in tiles.items():
        if times > 1:
            yield "hex_twice", {"at": at, "count": times}
    seats = range(1, position.options.players + 1)
    for building in position.buildings:
        if building.owner not in seats:
            yield "owner", {"at": building.at}
        yield from _fits(building, deck.contracts[building.contract])
    touching = {building.at for building in _touching(position)}
    for building in position.buildings:
        if building.at not in touching:
            yield "not_touching", {"at": building.at}
    yield from _parks(position)


def _parks(position: Position) -> Iterator[Fault]:
    if position.parks[0].monument is not None and all(building.face.up != "public" for building in position.buildings):
        yield "monument_early", {}
    for owner, times in Counter(park.owner for park in position.parks).items():
        if times > 1:
            yield "park_twice", {"seat": owner, "count": times}
    for park in position.parks[1:]:
        yield from _park(park, position)


def _touching(position: Position) -> Iterator[Building]:
    touched = NEAR[CENTRE]
    for building in position.buildings:
        if touched & BIT[building.at]:
            yield building
            touched |= NEAR[building.at]
            for park in position.parks:
                if touched & BIT[park.at]:
                    touched |= NEAR[park.at]


def _fits(building: Building, contract: Contract) -> Iterator[Fault]:
    if building.face.up != contract.type:
        yield "wrong_type", {"at": building.at, "platform": short(building.face), "contract": contract.id}
    count = building.pieces.total
    if building.standing and (count < contract.pieces or (count > contract.pieces and not contract.plus)):
        yield "building_pieces", {"at": building.at, "contract": contract.id, "count": contract.pieces, "seen": count}


def _park(park: Park, position: Position) -> Iterator[Fault]:
    if park.owner not in range(1, position.options.players + 1):
        yield "owner", {"at": park.at}
        return
    if any(NEAR[park.at] & BIT[other.at] for other in position.parks):
        yield "parks_touch", {"at": park.at}
    if not any(NEAR[park.at] & BIT[b.at] and b.owner == park.owner for b in position.buildings):
        yield "park_alone", {"at": park.at, "seat": park.owner}


def _hands(position: Position, deck: Deck) -> Iterator[Fault]:
    limit = allowance(position.options)
    for seat, player in enumerate(position.players, start=1):
        if len(player.contracts) > limit:
            yield "hand_contracts", {"seat": seat, "seen": len(player.contracts), "limit": limit}
        if len(player.platforms) > limit:
            yield "hand_platforms", {"seat": seat, "seen": len(player.platforms), "limit": limit}
        most = most_pieces(position, seat)
        if not 0 <= player.pieces.total <= most:
            yield "hand_pieces", {"seat": seat, "seen": player.pieces.total, "limit": most}
        if player.tokens < 0 or (player.tokens and position.options.simplified):
            yield "hand_tokens", {"seat": seat, "seen": player.tokens}
    if position.bag_most < 0 or position.box < 0:
        yield "pieces", {"count": deck.all_pieces, "over": max(-position.bag_most, 0)}
