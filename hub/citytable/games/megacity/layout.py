"""The expected table in a position: things on spots, pieces on scales, lights.

Cached by the parts of a position, because the umpire asks for thousands of layouts that differ in one part. Equal parts
share one region object, which the umpire matches only once.
"""

from functools import lru_cache

from citytable.games.megacity.city import can_slide_in, delivery_hexes, monument_parks, park_hexes
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Building, Face, Park, Player, Position
from citytable.games.megacity.spots import (
    CITY,
    LANDMARK_SLOTS,
    SUPPLY_PLATFORM_SLOTS,
    contract_column,
    landmark,
    supply_platform,
)
from citytable.games.megacity.stack import platforms_in_play, seen_platforms
from citytable.games.megacity.turn import next_seat
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.layout import Hidden, Layout, Light, Region, Scale, Unknown
from citytable.table.spot import Spot

BAG = "bag"
CENTRAL_PARK = "central-park"


@lru_cache(maxsize=256)
def platform_thing(face: Face) -> str:
    """Return the tag on the upper side of a platform."""
    return f"platform/{face.platform}/{face.up}"


@lru_cache(maxsize=256)
def face_of(thing: str) -> Face | None:
    """Return the platform and side of a thing; None if it is not a platform."""
    word, _, rest = thing.partition("/")
    if word != "platform":
        return None
    number, _, up = rest.partition("/")
    return Face(platform=int(number), up=up)  # type: ignore[arg-type]  # things are made by platform_thing


def contract_thing(contract: str) -> str:
    """Return the tag on a contract card."""
    return f"contract/{contract}"


def park_thing(park: Park) -> str:
    """Return the tag on a park tile."""
    return CENTRAL_PARK if park.owner is None else f"park/{park.owner}"


@lru_cache(maxsize=256)
def _city(buildings: tuple[Building, ...], parks: tuple[Park, ...]) -> tuple[Region, ...]:
    lying = {building.at: platform_thing(building.face) for building in buildings}
    lying |= {park.at: park_thing(park) for park in parks}
    return tuple(_one_spot(spots.city(cell), lying.get(cell)) for cell in CITY)


@lru_cache(maxsize=4096)
def _one_spot(spot: Spot, thing: str | None) -> Region:
    return Region(spots=(spot,), things=() if thing is None else (thing,))


@lru_cache(maxsize=1024)
def _pads(seat: int, platforms: tuple[Face, ...]) -> Region:
    pads = tuple(spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT))
    return Region(spots=pads, things=tuple(platform_thing(face) for face in platforms), fetched=True)


@lru_cache(maxsize=1024)
def _cards(seat: int, contracts: tuple[str, ...]) -> Region:
    slots = tuple(spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT))
    return Region(spots=slots, things=tuple(map(contract_thing, contracts)), looked_at=True)


def _seat(seat: int, player: Player, has_bag: bool) -> tuple[Region, ...]:
    bag = _one_spot(spots.bag(seat), BAG if has_bag else None)
    return _pads(seat, player.platforms), _cards(seat, player.contracts), bag


@lru_cache(maxsize=1024)
def _columns(columns: tuple[tuple[str, ...], ...]) -> tuple[Region, ...]:
    return tuple(
        _one_spot(contract_column(kind), contract_thing(column[0]) if column else None)
        for kind, column in zip(TYPES, columns, strict=True)
    )


@lru_cache(maxsize=1024)
def _below(columns: tuple[tuple[str, ...], ...]) -> tuple[Hidden, ...]:
    """Return the cards that lie behind the top card of their column (R8)."""
    return tuple(
        Hidden(contract_column(kind), frozenset(contract_thing(contract) for contract in column[1:]))
        for kind, column in zip(TYPES, columns, strict=True)
        if len(column) > 1
    )


@lru_cache(maxsize=1024)
def _done_with(completed: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the contracts of completed buildings: they were turned over, or should be."""
    return frozenset(contract_thing(contract) for mine in completed for contract in mine)


@lru_cache(maxsize=1024)
def _supply(supply: tuple[Face | None, ...], unseen: frozenset[str], deck: Deck) -> Region:
    slots = tuple(supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS))
    unknown = sum(face is None for face in supply)
    faces = [face for face in supply if face is not None]
    others = ((face, Face(face.platform, side)) for face in faces for side in deck.platforms[face.platform])
    return Region(
        spots=slots,
        things=tuple(map(platform_thing, faces)),
        unknowns=tuple(Unknown(name=f"revealed/{k}", among=unseen) for k in range(unknown)),
        filled_late=True,
        backs=tuple((platform_thing(face), platform_thing(back)) for face, back in others if back != face),
    )


@lru_cache(maxsize=64)
def _landmarks(landmarks: tuple[str, ...]) -> Region:
    slots = tuple(landmark(k) for k in range(LANDMARK_SLOTS))
    return Region(spots=slots, things=tuple(contract_thing(contract) for contract in landmarks), late=True)


def unseen_sides(position: Position, deck: Deck) -> frozenset[str]:
    """Return every side of the platforms that may have been turned up."""
    if None not in position.supply:
        return frozenset()
    return _sides_but(frozenset(seen_platforms(position)), deck)


def stacked(position: Position, deck: Deck) -> frozenset[str]:
    """Return every side of the platforms that lie in the stack, known ones as well; nothing before the deal."""
    if position.phase == "setup":
        return frozenset()
    return _sides_but(frozenset(platforms_in_play(position)), deck)


@lru_cache(maxsize=256)
def _sides_but(platforms: frozenset[int], deck: Deck) -> frozenset[str]:
    return frozenset(
        platform_thing(Face(platform=number, up=side))
        for number, sides in deck.platforms.items()
        if number not in platforms
        for side in sides
    )


def _monuments(parks: tuple[Park, ...]) -> tuple[Scale, ...]:
    return tuple(
        Scale(name=f"monument {park.at}", spot=spots.city(park.at), pieces=0 if park.monument is None else 1)
        for park in parks
    )


def layout(position: Position, deck: Deck) -> Layout:
    """Return the table in this position, without lights. Before the deal nothing is expected anywhere."""
    if position.phase == "setup":
        return Layout(regions=())
    passed = position.phase == "end" and not position.options.simplified  # R51 ends a game before the bag is passed
    bag_at = next_seat(position.player, len(position.players)) if passed else position.player
    seats = [
        region
        for seat, player in enumerate(position.players, start=1)
        for region in _seat(seat, player, seat == bag_at)
    ]
    regions = (
        *_city(position.buildings, position.parks),
        *seats,
        *_columns(position.columns),
        _supply(position.supply, unseen_sides(position, deck), deck),
        _landmarks(position.landmarks),
    )
    scales = (*_monuments(position.parks), Scale(name="bag", spot=spots.bag(bag_at), pieces=position.bag_least))
    done_with = _done_with(tuple(player.completed for player in position.players))
    return Layout(regions=regions, hidden=_below(position.columns), done_with=done_with, scales=scales)


def _delivery_lights(position: Position) -> list[Light]:
    return [
        Light(
            spot=spots.city(cell),
            role="legal" if can_slide_in(position, cell) else "legal_lift",  # A12
            seat=position.player,
        )
        for cell in delivery_hexes(position)
    ]


def _can_deliver(position: Position, player: Player, deck: Deck) -> bool:
    if position.phase != "main" or position.actions_used:
        return False
    types = {deck.contracts[contract].type for contract in player.contracts}
    return any(face.up in types for face in player.platforms)


def _option_lights(position: Position, player: Player, deck: Deck) -> list[Light]:
    """Return the lights of the options after a delivery (R31)."""
    if position.phase != "option" or position.delivered_at is None:
        return []
    lit = []
    if player.park:
        lit += [Light(spots.city(cell), "park_option", position.player) for cell in park_hexes(position)]
    if player.pieces.most and not position.options.simplified:
        lit += [Light(spots.city(cell), "monument_option", position.player) for cell in monument_parks(position)]
        if deck.contracts[player.completed[-1]].type == "public":
            lit.append(Light(spots.city(CENTRE), "monument_option", position.player))
    return lit


def lights(position: Position, deck: Deck) -> tuple[Light, ...]:
    """Return the lights of the rings: legal hexes, options after a delivery, the tallest, whose turn it is."""
    if position.phase in {"setup", "end"}:
        return ()
    player = position.players[position.player - 1]
    lit = [Light(spots.pad(position.player, k), "turn", position.player) for k in range(spots.PADS_PER_SEAT)]
    if _can_deliver(position, player, deck):
        lit += _delivery_lights(position)
    lit += _option_lights(position, player, deck)
    if position.tallest is not None:
        lit.append(Light(spots.city(position.tallest), "tallest"))
    if not any(light.spot == spots.city(CENTRE) for light in lit):
        lit.append(Light(spots.city(CENTRE), "central_park"))
    return tuple(lit)
