"""What the public may see of a position (R52): everything but the bag's draw and the stack's hidden sides and order."""

from citytable.games.megacity.board import Area, Board, Card, Tile
from citytable.games.megacity.guesses import Guess, guesses
from citytable.games.megacity.layout import lights, platform_thing
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Building, Park, Player, Position
from citytable.games.megacity.scoring import REASONS, Score
from citytable.games.megacity.turn import actions_left
from citytable.rules.game import Outcome
from citytable.table import spot as spots
from citytable.table.scene import Line, PlayerScene, Scene

_UNREAD = "unread"  # shown where a card asks for something


def _card(contract: str, deck: Deck) -> Card:
    """Return a contract as it is shown; of one that nobody has entered only its type is known."""
    card = deck.contracts[contract]
    if f"contract/{contract}" in deck.unread:
        return Card(card.id, card.type, 0, False, 0, (_UNREAD,), 0, card.landmark)
    return Card(
        name=card.id,
        colour=card.type,
        pieces=card.pieces,
        plus=card.plus,
        height_mm=card.height_mm,
        requirements=tuple(card.requirements),
        prestige=card.prestige,
        landmark=card.landmark,
    )


def _building_tile(building: Building, position: Position, measured: frozenset[Building]) -> Tile:
    """Return its tile; a building that is not confirmed has no height yet."""
    return Tile(
        spot=spots.city(building.at),
        kind="platform",
        name=platform_thing(building.face),
        colour=building.face.up,
        owner=building.owner,
        height_mm=building.height_mm if building.standing and building in measured else None,
        standing=building.standing,
        tallest=position.tallest == building.at,
        steel=building.pieces.steel,
        concrete=building.pieces.concrete,
        glass=building.pieces.glass,
        contract=building.contract,
    )


def _park_tile(park: Park) -> Tile:
    return Tile(
        spot=spots.city(park.at),
        kind="central_park" if park.owner is None else "park",
        owner=park.owner,
        monument=park.monument is not None,
    )


def _secure(score: Score | None, *, over: bool) -> tuple[Line, ...]:
    """Return the points nobody can take away; awards, parks and leftover pieces count when the game is over."""
    if score is None:
        return ()
    return tuple(line for line in score.lines if over or line.reason == "contract" or line.reason.startswith("token_"))


def _player(seat: int, lines: tuple[Line, ...]) -> PlayerScene:
    return PlayerScene(seat=seat, score=sum(line.points for line in lines), lines=lines)


def _area(seat: int, player: Player, confirmed: Position, deck: Deck) -> Area:
    before = confirmed.players[seat - 1].completed if seat <= len(confirmed.players) else ()
    return Area(
        seat=seat,
        tokens=player.tokens,
        pieces=player.pieces.total,
        open_contracts=tuple(_card(contract, deck) for contract in player.contracts),
        platforms=tuple(platform_thing(face) for face in player.platforms),
        completed=len(player.completed),
        park_in_hand=player.park,
        maybe=player.pieces.maybe,
        delivering=tuple(_card(contract, deck) for contract in player.completed if contract not in before),
    )


def _phase(position: Position) -> str:
    if position.deciding and position.phase == "main":
        return "decision"
    if position.final and position.phase == "main":
        return "final_turn"
    return position.phase


def _board(
    confirmed: Position, position: Position, tiles: tuple[Tile, ...], guessed: tuple[Guess, ...], deck: Deck
) -> Board:
    return Board(
        actions_left=actions_left(position),
        areas=tuple(_area(seat, player, confirmed, deck) for seat, player in enumerate(position.players, start=1)),
        tiles=tiles,
        supply=tuple(platform_thing(face) for face in position.supply if face is not None),
        stack=len(position.stack),
        columns={
            kind: tuple(_card(contract, deck) for contract in column)
            for kind, column in zip(TYPES, position.columns, strict=True)
        },
        landmarks=tuple(_card(contract, deck) for contract in position.landmarks),
        bag=position.bag_least,
        bag_maybe=position.bag_most - position.bag_least,
        guesses=guessed,
    )


def scene(
    confirmed: Position, position: Position, deck: Deck, scores: dict[int, Score], outcome: Outcome | None
) -> Scene:
    """Return the game as the public sees it: points and heights as confirmed, the rest as it is now."""
    measured = frozenset(confirmed.buildings)
    tiles = (
        *(_park_tile(park) for park in position.parks),
        *(_building_tile(building, confirmed, measured) for building in position.buildings),
    )
    return Scene(
        game="megacity",
        turn=position.turn,
        seat=None if position.phase in {"setup", "end"} else position.player,
        phase=_phase(position),
        players=tuple(
            _player(seat, _secure(scores.get(seat), over=outcome is not None))
            for seat in range(1, len(position.players) + 1)
        ),
        lights=lights(position, deck),
        heights_mm={tile.spot: tile.height_mm for tile in tiles if tile.height_mm},
        ended=outcome.termination if outcome else "",
        winners=outcome.winners if outcome else (),
        reasons=REASONS if outcome else (),
        origin=deck.origin,
        board=_board(confirmed, position, tiles, guesses(confirmed, deck) if outcome is not None else (), deck),
    )
