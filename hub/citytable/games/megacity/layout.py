"""What the table should look like in a position: which thing on which spot, how many pieces on which scale, which lights.

Cached by the parts of a position, because the umpire asks for thousands of layouts that differ in one part.
"""

from functools import lru_cache

from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Building, Face, Park, Player, Position
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, CITY, DIRECTIONS, NEIGHBOURS, Hex
from citytable.table.layout import Layout, Light, Region, Scale, Unknown

BAG = "bag"
CENTRAL_PARK = "central-park"


def platform_thing(face: Face) -> str:
    """The tag on the side of a platform that lies up."""
    return f"platform/{face.platform}/{face.up}"


def face_of(thing: str) -> Face | None:
    """The platform side a thing is, or None."""
    word, _, rest = thing.partition("/")
    if word != "platform":
        return None
    number, _, up = rest.partition("/")
    return Face(platform=int(number), up=up)  # type: ignore[arg-type]  # things are made by platform_thing


def contract_thing(contract: str) -> str:
    """The tag on a contract card."""
    return f"contract/{contract}"


def park_thing(park: Park) -> str:
    """The tag on a park tile."""
    return CENTRAL_PARK if park.owner is None else f"park/{park.owner}"


def frontier(position: Position) -> tuple[Hex, ...]:
    """The empty hexes that touch a tile (R25), in the order of `CITY`."""
    taken = {building.at for building in position.buildings} | {park.at for park in position.parks}
    return tuple(cell for cell in CITY if cell not in taken and any(near in taken for near in NEIGHBOURS[cell]))


def can_be_slid_into(cell: Hex, taken: frozenset[Hex]) -> bool:
    """A12: at least two sides in a row are open; beyond the city's edge everything is."""
    open_side = [Hex(cell.q + step.q, cell.r + step.r) not in taken for step in DIRECTIONS]
    return any(open_side[k] and open_side[(k + 1) % 6] for k in range(6))


@lru_cache(maxsize=256)
def _city(buildings: tuple[Building, ...], parks: tuple[Park, ...]) -> tuple[Region, ...]:
    lying = {building.at: platform_thing(building.face) for building in buildings}
    lying |= {park.at: park_thing(park) for park in parks}
    return tuple(
        Region(spots=(spots.city(cell),), things=(lying[cell],) if cell in lying else ()) for cell in CITY
    )


@lru_cache(maxsize=1024)
def _seat(seat: int, platforms: tuple[Face, ...], contracts: tuple[str, ...], has_bag: bool) -> tuple[Region, ...]:
    pads = tuple(spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT))
    slots = tuple(spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT))
    return (
        Region(spots=pads, things=tuple(platform_thing(face) for face in platforms)),
        Region(spots=slots, things=tuple(contract_thing(contract) for contract in contracts)),
        Region(spots=(spots.bag(seat),), things=(BAG,) if has_bag else ()),
    )


@lru_cache(maxsize=1024)
def _columns(columns: tuple[tuple[str, ...], ...]) -> tuple[Region, ...]:
    return tuple(
        Region(spots=(spots.column(kind),), things=(contract_thing(column[0]),) if column else ())
        for kind, column in zip(TYPES, columns, strict=True)
    )


@lru_cache(maxsize=1024)
def _supply(supply: tuple[Face | None, ...], unseen: frozenset[str]) -> Region:
    slots = tuple(spots.supply_platform(k) for k in range(spots.SUPPLY_PLATFORM_SLOTS))
    untold = sum(face is None for face in supply)
    return Region(
        spots=slots,
        things=tuple(platform_thing(face) for face in supply if face is not None),
        unknowns=tuple(Unknown(name=f"revealed/{k}", among=unseen) for k in range(untold)),
    )


@lru_cache(maxsize=64)
def _landmarks(landmarks: tuple[str, ...]) -> Region:
    slots = tuple(spots.landmark(k) for k in range(spots.LANDMARK_SLOTS))
    return Region(spots=slots, things=tuple(contract_thing(contract) for contract in landmarks), late=True)


def _unseen(position: Position, deck: Deck) -> frozenset[str]:
    """Every side of every platform that may be the next one turned up."""
    if None not in position.supply:
        return frozenset()
    seen = {face.platform for face in (*position.supply, *position.stack) if face is not None}
    seen |= {face.platform for player in position.players for face in player.platforms}
    seen |= {building.face.platform for building in position.buildings}
    return frozenset(
        platform_thing(Face(platform=number, up=side))
        for number, sides in deck.platforms.items()
        if number not in seen
        for side in sides
    )


def _monuments(parks: tuple[Park, ...]) -> tuple[Scale, ...]:
    return tuple(
        Scale(name=f"monument {park.at}", spot=spots.city(park.at), pieces=0 if park.monument is None else 1)
        for park in parks
    )


def layout(position: Position, deck: Deck) -> Layout:
    """The table in this position, without lights. Before the deal nothing is expected anywhere."""
    if position.phase == "setup":
        return Layout(regions=())
    seats = [
        region
        for seat, player in enumerate(position.players, start=1)
        for region in _seat(seat, player.platforms, player.contracts, seat == position.player)
    ]
    regions = (
        *_city(position.buildings, position.parks),
        *seats,
        *_columns(position.columns),
        _supply(position.supply, _unseen(position, deck)),
        _landmarks(position.landmarks),
    )
    scales = (*_monuments(position.parks), Scale(name="bag", spot=spots.bag(position.player), pieces=position.bag))
    return Layout(regions=regions, scales=scales)


def _delivery_lights(position: Position) -> list[Light]:
    taken = frozenset((*(b.at for b in position.buildings), *(p.at for p in position.parks)))
    return [
        Light(
            spot=spots.city(cell),
            role="legal" if can_be_slid_into(cell, taken) else "legal_lift",
            seat=position.player,
        )
        for cell in frontier(position)
    ]


def _can_deliver(position: Position, player: Player, deck: Deck) -> bool:
    if position.phase != "main" or position.actions_used:
        return False
    types = {deck.contracts[contract].type for contract in player.contracts}
    return any(face.up in types for face in player.platforms)


def lights(position: Position, deck: Deck, park_hexes: tuple[Hex, ...], monument_hexes: tuple[Hex, ...]) -> tuple[Light, ...]:
    """The rings: where the player to act may deliver, or what he may add after a delivery; the tallest; whose turn it is."""
    if position.phase in {"setup", "end"} or not position.player:
        return ()
    lit = [Light(spot=spots.pad(position.player, k), role="turn", seat=position.player) for k in range(spots.PADS_PER_SEAT)]
    if _can_deliver(position, position.players[position.player - 1], deck):
        lit += _delivery_lights(position)
    lit += [Light(spot=spots.city(cell), role="park_option", seat=position.player) for cell in park_hexes]
    lit += [Light(spot=spots.city(cell), role="monument_option", seat=position.player) for cell in monument_hexes]
    if position.tallest is not None:
        lit.append(Light(spot=spots.city(position.tallest), role="tallest"))
    spots_lit = {light.spot for light in lit}
    central = spots.city(CENTRE)
    if central not in spots_lit:
        lit.append(Light(spot=central, role="central_park"))
    return tuple(lit)
