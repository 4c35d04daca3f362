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
from citytable.rehearsal.words import Words

PLAIN = Words()
"""English."""

_CONDITIONS = {
    "buildings": "{number} {zone} buildings",
    "adjacent": "{number} {zone} buildings next to each other",
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
POINTS, STORIES = "{n} {n:point|points}", "{n} {n:story|stories}"
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


def amount_text(amount: Amount, deck: Deck, words: Words = PLAIN) -> str:
    """Return resources as people say them."""
    named = zip(deck.resources, amount, strict=True)
    return ", ".join(f"{n} {words(name)}" for name, n in named if n) or words("nothing")


def card_text(card: Card, deck: Deck, words: Words = PLAIN) -> str:
    """Return a building card with everything that is printed on it."""
    parts = [
        f"{words(card.zone)}, {words(POINTS, n=card.points)}, {words(STORIES, n=card.stories)}",
        words("costs {amount}", amount=amount_text(card.cost, deck, words)),
    ]
    if card.restaurant:
        parts.append(words("a restaurant"))
    if card.conditional is not None:
        parts.append(words("powered: {rule}", rule=_rule_text(card.conditional, words)))
    brings = amount_text(card.opportunity, deck, words)
    return words("{id}: {parts}; unbuilt it brings {brings}", id=card.id, parts="; ".join(parts), brings=brings)


def _rule_text(rule: Conditional, words: Words) -> str:
    zone, resource = words(rule.zone or ""), words(rule.resource or "")
    return words(_RULES[rule.kind], points=rule.points, zone=zone, most=rule.most, resource=resource)


def bonus_text(bonus: BonusCard, words: Words = PLAIN) -> str:
    """Return a zoning bonus: what it wants, and its helper."""
    wanted = words(_CONDITIONS[bonus.condition], number=bonus.number, zone=words(bonus.zone))
    helper = words(spelt(bonus.helper))
    return words("{id}: {wanted}, for 1 action point or the {helper}", id=bonus.id, wanted=wanted, helper=helper)


def spelt(name: str) -> str:
    """Return a name of the notation as people write it."""
    return name.replace("_", " ")


# one piece: an arm for each kind of action
def decision_text(position: Position, action: Action, deck: Deck, words: Words = PLAIN) -> str:  # noqa: C901, PLR0912
    """Return a decision of a position as a person would announce it."""
    match action:
        case Lay(card=card, at=at):
            return words("lay {card} on column {column}", card=card, column=at.column)
        case Discard(card=card):
            brings = amount_text(deck.cards[card].opportunity, deck, words)
            return words("discard {card}: it brings {brings}", card=card, brings=brings)
        case Build(card=card, at=at):
            return words("build {card} on column {column}, row {row}", card=card, column=at.column, row=at.row)
        case Restore(at=at):
            return words("rebuild {what}", what=_named(position, at, words))
        case Repair(part=part, number=number):
            return words("repair {part}", part=words(_PARTS[part], number=number))
        case Occupy(at=at):
            return words("the aliens occupy {what}", what=_named(position, at, words))
        case Target(at=at):
            return words("column {column}, row {row} is the target", column=at.column, row=at.row)
        case Severity(level=level):
            return words("choose a severity of {level}: as many action points", level=level)
        case Trample(at=at):
            return words("the giant bird destroys {what}", what=_named(position, at, words))
        case Claim(bonus=bonus, reward=reward):
            if reward == "point":
                return words("take 1 action point for {bonus}", bonus=bonus)
            helper = words(spelt(deck.bonuses[bonus].helper))
            return words("take the {helper} for {bonus}", helper=helper, bonus=bonus)
        case Mend(parts=parts):
            return words(f"the Maintenance Crew repairs all {parts}")
        case Free(at=at):
            return words("the Defense Agency frees {what}", what=_named(position, at, words))
        case Demolish(at=at):
            return words("the Engineering Corps removes {what}", what=_named(position, at, words))
        case Guard(at=at, moved_from=moved_from):
            where = words(", from {what}", what=_named(position, moved_from, words)) if moved_from else ""
            return words("the National Guard guards {what}{where}", what=_named(position, at, words), where=where)
        case _:
            return words(_PLAIN[type(action)])


def _named(position: Position, at: Place, words: Words) -> str:
    building = building_at(position, at)
    return words("{what} at {at}", what=words("nothing") if building is None else building.card, at=at)


def map_lines(position: Position, words: Words = PLAIN) -> Iterator[str]:
    """Yield the city from the top row to the power plant; what lies on a building stands behind its name."""
    rows = [building.at.row for building in position.city]
    for row in range(max(rows, default=FIRST_ROW), FIRST_ROW - 1, -1):
        cells = (_cell(building_at(position, Place(column, row))) for column in COLUMNS)
        yield f"{words('row {row}', row=row):>8}  {' '.join(cells)}".rstrip()
    for name, broken in (("roads", position.broken_roads), ("lines", position.broken_lines)):
        state = (words("broken") if gap in broken else "-" for gap in GAPS)
        yield f"{words(name):>8}       {' '.join(f'{one:7}' for one in state)}".rstrip()
    yield f"{words('plant'):>8}  {words('works' if position.plant_works else 'out of order')}"


def _cell(building: Building | None) -> str:
    if building is None:
        return f"{'.':7}"
    marks = {"~": building.rubble, "!": building.occupied, "+": building.guarded}
    shown = "".join(mark for mark, there in marks.items() if there)
    return f"{building.card}{shown}:{building.counters}".ljust(7)
