"""Setting up the game, step by step as in the rulebook."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.pieces import counted
from tabletwin.scheduler import Impossible
from tabletwin.things import Card, Park, Platform

LEAST_OF_A_TYPE = 2
SUPPLY_SLOTS = 3


def _deal(hand: Hand, cards: list[Card], count: int) -> list[Card]:
    """Shuffle and deal; too few of a type: shuffle all and deal again."""
    kinds = sorted({card.kind for card in cards})
    if any(sum(card.kind == kind for card in cards) < LEAST_OF_A_TYPE for kind in kinds) or count < 2 * len(kinds):
        raise Impossible(f"a deal of {count} can never hold {LEAST_OF_A_TYPE} cards of each type: {kinds}")
    while True:
        hand.rng.shuffle(cards)
        dealt = cards[:count]
        if all(sum(card.kind == kind for card in dealt) >= LEAST_OF_A_TYPE for kind in kinds):
            return dealt


async def _lay_columns(hand: Hand, dealt: list[Card]) -> dict[str, list[str]]:
    """One column per type, the card that was dealt first on top."""
    columns: dict[str, list[str]] = {}
    for card in dealt:
        columns.setdefault(card.kind, []).append(card.contract)
    for kind in columns:
        spot = hand.world.open(f"supply/contract/{kind}")
        await hand.spend(1.0, 2.5)
        for card in reversed([card for card in dealt if card.kind == kind]):
            hand.world.put(spot, card)
    return columns


async def _lay_supply(hand: Hand, tiles: list[Platform]) -> list[list[int | str]]:
    """Shuffle the platforms into a stack, and turn three of them up beside it."""
    hand.rng.shuffle(tiles)
    for tile in tiles:
        tile.up = hand.rng.choice(tile.sides)
    hand.world.stack = tiles
    supply: list[list[int | str]] = []
    for slot in range(SUPPLY_SLOTS):
        tile = hand.world.stack.pop(0)
        await hand.spend(0.5, 1.2)
        await hand.lay_down(f"supply/platform/{slot}", tile)
        supply.append([tile.number, tile.up])
    return supply


async def _draw_first_pieces(hand: Hand, players: int, start: int) -> list[dict[str, int]]:
    """Clockwise from the start player 0, 1, 2, 3 pieces from the bag that is handed round."""
    drawn: list[dict[str, int]] = [{} for _ in range(players)]
    for place in range(players):
        number = (start - 1 + place) % players + 1
        await hand.spend(0.8, 2.0)
        pieces = hand.rng.sample(hand.world.bag.pieces, place)
        hand.world.bag.pieces = [piece for piece in hand.world.bag.pieces if piece not in pieces]
        hand.world.seat(number).pieces += pieces
        drawn[number - 1] = counted(pieces)
    return drawn


@act
async def set_up(  # noqa: PLR0913, PLR0917 (each is a field of the act)
    hand: Hand,
    players: int,
    contracts: list[dict[str, str]],
    landmarks: list[str],
    platforms: list[Result],
    deal: int,
    start: int | None = None,
) -> Result:
    """Lay out a new game; what lay on the table before goes back into the box first."""
    world = hand.world
    if not 2 <= players <= len(world.seats):
        raise Impossible(f"{players} players: this table has {len(world.seats)} seats")
    cards = [Card(card["id"], card["type"]) for card in contracts]
    tiles = [Platform(tile["n"], (tile["sides"][0], tile["sides"][1]), tile["sides"][0]) for tile in platforms]
    dealt = _deal(hand, cards, deal)
    world.clear()
    await hand.spend(2.0, 4.0)
    world.bag.pieces, world.box = world.box, []
    world.aside = [Card(contract, "landmark") for contract in landmarks]
    await hand.lay_down("city/0/0", Park(None))
    supply = await _lay_supply(hand, tiles)
    columns = await _lay_columns(hand, dealt)
    starter = hand.rng.randint(1, players) if start is None else start
    drawn = await _draw_first_pieces(hand, players, starter)
    await hand.lay_down(f"seat/{starter}/bag", world.bag)
    return {"columns": columns, "supply": supply, "start": starter, "drawn": drawn}
