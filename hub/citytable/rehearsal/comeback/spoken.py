"""Comeback City in words, for a terminal: cards, decisions, the city drawn with letters."""

from collections.abc import Iterator

from citytable.games.comeback.actions import (
    Action,
    Build,
    Claim,
    Demolish,
    Discard,
    Finish,
    Flip,
    Free,
    Guard,
    Lay,
    Mend,
    Occupy,
    Rebuild,
    Repair,
    Restore,
    Roll,
    SetUp,
    Severity,
    Shake,
    Strike,
    Target,
    ThrowOut,
    Trample,
    TurnUp,
)
from citytable.games.comeback.city import building_at
from citytable.games.comeback.deck import Amount, BonusCard, Card, Conditional, Deck
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, GAPS, Place
from citytable.games.comeback.position import Building, Position

_CONDITIONS = {
    "buildings": "{number} {zone} buildings",
    "adjacent": "{number} {zone} buildings, each beside each other",
    "stories": "one {zone} building of {number} stories or more",
    "columns": "{zone} buildings in {number} columns",
}
_PARTS = {"plant": "the power plant", "line": "line {number}", "road": "road {number}"}
_RULES = {
    "adjacent": "+{points} beside {zone}",
    "each_adjacent": "+{points} for each {zone} building beside it, at most {most}",
    "restaurant": "+{points} if the city has a restaurant",
    "tallest": "+{points} if none has more stories",
    "reduction": "later buildings cost 1 {resource} less",
    "other": "+{points} by an effect of its own",
}
_PLAIN: dict[type, str] = {
    SetUp: "set up",
    Flip: "flip the next card",
    ThrowOut: "take the cards discarded for this building out of the game",
    Strike: "draw the disaster",
    Roll: "roll both dice",
    Shake: "let the earthquake reach one step further: 1 action point more",
    TurnUp: "turn the meteors up",
    Rebuild: "begin to rebuild",
    Finish: "end the game",
}


def amount_text(amount: Amount, deck: Deck) -> str:
    """Return resources as one would say them."""
    return ", ".join(f"{n} {name}" for name, n in zip(deck.resources, amount, strict=True) if n) or "nothing"


def card_text(card: Card, deck: Deck) -> str:
    """Return a building card with everything that is printed on it."""
    parts = [
        f"{card.zone}, {counted(card.points, 'point')}, {counted(card.stories, 'story')}",
        f"costs {amount_text(card.cost, deck)}",
    ]
    if card.restaurant:
        parts.append("a restaurant")
    if card.conditional is not None:
        parts.append(f"powered: {_rule_text(card.conditional)}")
    return f"{card.id}: {'; '.join(parts)}; unbuilt it brings {amount_text(card.opportunity, deck)}"


def counted(n: int, thing: str) -> str:
    """Return so many of a thing.

    >>> counted(1, "story"), counted(2, "story"), counted(2, "action point")
    ('1 story', '2 stories', '2 action points')
    """
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{n} {thing if n == 1 else many}"


def _rule_text(rule: Conditional) -> str:
    return _RULES[rule.kind].format(points=rule.points, zone=rule.zone, most=rule.most, resource=rule.resource)


def bonus_text(bonus: BonusCard) -> str:
    """Return a zoning bonus: what it wants, and its helper."""
    wanted = _CONDITIONS[bonus.condition].format(number=bonus.number, zone=bonus.zone)
    return f"{bonus.id}: {wanted}, for 1 action point or the {_words(bonus.helper)}"


def _words(name: str) -> str:
    return name.replace("_", " ")


# one piece: an arm for each kind of action
def decision_text(position: Position, action: Action, deck: Deck) -> str:  # noqa: C901, PLR0912
    """Return a decision of a position as a person would announce it."""
    match action:
        case Lay(card=card, at=at):
            return f"lay {card} on column {at.column}"
        case Discard(card=card):
            return f"discard {card}: it brings {amount_text(deck.cards[card].opportunity, deck)}"
        case Build(card=card, at=at):
            return f"build {card} on column {at.column}, row {at.row}"
        case Restore(at=at):
            return f"rebuild {_named(position, at)}"
        case Repair(part=part, number=number):
            return f"repair {_PARTS[part].format(number=number)}"
        case Occupy(at=at):
            return f"the aliens occupy {_named(position, at)}"
        case Target(at=at):
            return f"column {at.column}, row {at.row} is the target"
        case Severity(level=level):
            return f"choose a severity of {level}: as many action points"
        case Trample(at=at):
            return f"the giant bird destroys {_named(position, at)}"
        case Claim(bonus=bonus, reward=reward):
            helper = f"the {_words(deck.bonuses[bonus].helper)}"
            return f"take {'1 action point' if reward == 'point' else helper} for {bonus}"
        case Mend(parts=parts):
            return f"the Maintenance Crew repairs all {parts}"
        case Free(at=at):
            return f"the Defense Agency frees {_named(position, at)}"
        case Demolish(at=at):
            return f"the Engineering Corps removes {_named(position, at)}"
        case Guard(at=at, moved_from=moved_from):
            where = f", from {_named(position, moved_from)}" if moved_from else ""
            return f"the National Guard guards {_named(position, at)}{where}"
        case _:
            return _PLAIN[type(action)]


def _named(position: Position, at: Place) -> str:
    building = building_at(position, at)
    return f"{'nothing' if building is None else building.card} at {at}"


def map_lines(position: Position) -> Iterator[str]:
    """Yield the city from the top row to the power plant; what lies on a building stands behind its name."""
    rows = [building.at.row for building in position.city]
    for row in range(max(rows, default=FIRST_ROW), FIRST_ROW - 1, -1):
        cells = (_cell(building_at(position, Place(column, row))) for column in COLUMNS)
        yield f"{f'row {row}':>8}  {' '.join(cells)}".rstrip()
    for name, broken in (("roads", position.broken_roads), ("lines", position.broken_lines)):
        state = ("broken" if gap in broken else "-" for gap in GAPS)
        yield f"{name:>8}       {' '.join(f'{one:7}' for one in state)}".rstrip()
    yield f"{'plant':>8}  {'works' if position.plant_works else 'out of order'}"


def _cell(building: Building | None) -> str:
    if building is None:
        return f"{'.':7}"
    marks = {"~": building.rubble, "!": building.occupied, "+": building.guarded}
    shown = "".join(mark for mark, there in marks.items() if there)
    return f"{building.card}{shown}:{building.counters}".ljust(7)
