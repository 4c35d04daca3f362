"""The public view. Only the order of the deck is hidden."""

from collections.abc import Sequence

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Build, Repair, Restore, Severity
from citytable.games.comeback.board import Board, BonusInPlay, Cell, FlippedCard, Goal, SeverityEffect
from citytable.games.comeback.city import powered, standing
from citytable.games.comeback.decisions import SOLO, levels
from citytable.games.comeback.deck import ZONES, Amount, Card, Deck
from citytable.games.comeback.disasters import next_shake, severity
from citytable.games.comeback.game import seat
from citytable.games.comeback.layout import ASIDE, BONUSES, DISASTER, HAND, SLOT, building_thing, grid, lights
from citytable.games.comeback.places import GAPS
from citytable.games.comeback.points import (
    CITY_GOAL,
    REASONS,
    ZONE_GOAL,
    goal_met,
    outcome,
    points_of,
    reached,
    score,
    total_points,
)
from citytable.games.comeback.pool import affordable, discards_left, helpers, pool, within_reach
from citytable.games.comeback.position import Building, Position
from citytable.games.comeback.printed import PRINTED, named
from citytable.table.scene import Pile, PlayerScene, Scene

_GOAL_ZONE = {"aliens": "residential", "earthquake": "commercial", "meteors": "government", "giant_bird": "industrial"}


def _units(amount: Amount, deck: Deck) -> dict[str, int]:
    return dict(zip(deck.resources, amount, strict=True))


def _cell(building: Building, position: Position, counters: int, deck: Deck) -> Cell:
    card = _shown(building.card, deck)
    return Cell(
        spot=grid(building.at),
        column=building.at.column,
        row=building.at.row,
        card=card.id,
        name=named(card),
        zone=_zone(card, deck),
        stories=card.stories,
        points=card.points,
        counters=counters,
        powered=powered(position, building.at),
        rubble=building.rubble,
        occupied=building.occupied,
        guarded=building.guarded,
        restaurant=card.restaurant,
    )


def _shown(name: str, deck: Deck) -> Card:
    """Return a card as it is shown: without entered values nothing is known."""
    card = deck.cards[name]
    if building_thing(name) not in deck.unread:
        return card
    return replace(card, cost=deck.nothing, opportunity=deck.nothing, stories=0, points=0, restaurant=False)


def _zone(card: Card, deck: Deck) -> str:
    """Return the zone of a card as it is shown; "" without entered values."""
    return "" if building_thing(card.id) in deck.unread else card.zone


def _flipped(position: Position, deck: Deck) -> FlippedCard | None:
    if not position.current:
        return None
    card = _shown(position.current, deck)
    return FlippedCard(
        card=card.id,
        name=named(card),
        zone=_zone(card, deck),
        stories=card.stories,
        points=card.points,
        cost=_units(card.cost, deck),
        opportunity=_units(card.opportunity, deck),
        payable=within_reach(position, deck),
        due=affordable(position, deck),
    )


def _goal(confirmed: Position, deck: Deck) -> Goal | None:
    if not confirmed.disaster:
        return None
    zone = next((zone for zone in ZONES if zone == _GOAL_ZONE.get(confirmed.disaster)), None)
    reached = total_points(confirmed) if zone is None else points_of(confirmed, zone, deck)
    return Goal(zone or "", CITY_GOAL if zone is None else ZONE_GOAL, reached, goal_met(confirmed, deck))


def _board(confirmed: Position, position: Position, deck: Deck) -> Board:
    counted = {building.at: building.counters for building in confirmed.city}
    bird = position.bird
    return Board(
        cells=tuple(_cell(there, position, counted.get(there.at, 0), deck) for there in position.city),
        plant_works=position.plant_works,
        lines=tuple(number not in position.broken_lines for number in GAPS),
        roads=tuple(number not in position.broken_roads for number in GAPS),
        pool=_units(pool(position, deck), deck),
        passed=len(position.passed),
        discards_left=discards_left(position, deck),
        deck=len(position.deck),
        points={zone: points_of(confirmed, zone, deck) for zone in ZONES},
        total=total_points(confirmed),
        flipped=_flipped(position, deck),
        bonuses=_bonuses(position, deck),
        helpers=tuple(sorted(helpers(position, deck))),
        disaster=position.disaster,
        happens=PRINTED.texts.get(f"happens.{position.disaster}", {}),
        goal=_goal(confirmed, deck),
        action_points=position.action_points,
        bird=Cell(spot=grid(bird), column=bird.column, row=bird.row) if bird is not None else None,
        hunger=position.hunger,
        meteors=tuple(map(grid, position.meteors)),
        rolled=position.rolled,
        severities=tuple(_severity(position, level, deck) for level in levels(position)),
        next_hit=tuple(map(grid, next_shake(position)[1])) if position.phase == "disaster" else (),
    )


def _severity(position: Position, level: int, deck: Deck) -> SeverityEffect:
    """Return what a level does at once to a hurricane's city, and before it leaves if it feeds the giant bird."""
    if position.disaster == "giant_bird":
        return SeverityEffect(level, min(level, len(list(standing(position)))), 0, cut=False)
    after = severity(position, Severity(SOLO, level), deck)
    rubble = sum(there.rubble for there in after.city) - sum(there.rubble for there in position.city)
    cut = (after.broken_lines, after.broken_roads) != (position.broken_lines, position.broken_roads)
    return SeverityEffect(level, len(position.city) - len(after.city), rubble, cut=cut)


def _bonuses(position: Position, deck: Deck) -> tuple[BonusInPlay, ...]:
    found = []
    for bonus in position.bonuses:
        card = deck.bonuses[bonus.card]
        if not deck.bonus_zone(bonus.card):
            found.append(BonusInPlay(card.id, "", "", 0, "", bonus.completed, bonus.used, 0))
            continue
        does = PRINTED.texts[f"does.{card.helper}"]
        printed = (card.id, card.zone, card.condition, card.number, card.helper)
        found.append(BonusInPlay(*printed, bonus.completed, bonus.used, reached(position, card, deck), does))
    return tuple(found)


def _piles(position: Position) -> tuple[Pile, ...]:
    at_hand = [(SLOT, position.current), *zip(HAND, position.hand, strict=False)]
    aside = () if position.built else position.discarded
    cards = [*at_hand, *((grid(there.at), there.card) for there in position.city)]
    piles = [Pile(spot, (building_thing(card),)) for spot, card in cards if card]
    if aside:
        piles.append(Pile(ASIDE, (building_thing(aside[-1]),), len(aside) - 1))
    piles += [Pile(spot, (f"bonus/{there.card}",)) for spot, there in zip(BONUSES, position.bonuses, strict=False)]
    return (*piles, Pile(DISASTER, (f"disaster/{position.disaster}",))) if position.disaster else tuple(piles)


def scene(confirmed: Position, position: Position, actions: Sequence[Action], deck: Deck) -> Scene:
    """Return the game as the public sees it: points as they are confirmed, the rest as it is now."""
    ended = outcome(confirmed, deck)
    points = score(confirmed, deck)
    return Scene(
        game="comeback",
        turn=1 + sum(isinstance(action, Build | Restore | Repair) for action in actions),
        seat=seat(position) or None,
        phase=position.phase,
        players=(PlayerScene(1, points.total, points.lines),),
        lights=lights(position, deck),
        piles=_piles(position),
        ended=ended.termination if ended else "",
        winners=ended.winners if ended else (),
        reasons=REASONS if ended else (),
        origin=deck.origin,
        board=_board(confirmed, position, deck),
    )
