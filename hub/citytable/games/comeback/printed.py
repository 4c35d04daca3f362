"""The printed cards and markers of Comeback City, with this project's words and marks."""

from collections.abc import Iterator, Mapping

from citytable.games.comeback.deck import DISASTERS, Amount, BonusCard, Card, Conditional, Deck, Helper, MeteorCard
from citytable.games.comeback.drawn import COLOURS, MARKS
from citytable.games.comeback.layout import building_thing
from citytable.languages import LANGUAGES, Language
from citytable.languages.sentences import Sentences
from citytable.table.printed import Cell, Face, Printed, Row, Seat

CARD_MM = (63.0, 88.0)
MARKER_MM = (38.0, 54.0)
HELPERS: tuple[Helper, ...] = (
    "maintenance_crew",
    "defense_agency",
    "engineering_corps",
    "national_guard",
    "planning_commission",
)
LINES, ROADS, COVERS, GUARDS = 5, 5, 17, 4
_FEW = 4  # units that are counted at a glance
_DECK = "#2b3142"  # of the backs, by which nobody tells one building from another
PRINTED = Sentences(__package__, "printed.json")
_MIDDLE = (Seat((CARD_MM[0] / 2, CARD_MM[1] / 2)),)


def printed(deck: Deck, language: Language) -> tuple[Printed, ...]:
    """Return the cards and markers of a deck; those that the table reads have the names of their tags."""
    return tuple(_Press(deck, PRINTED.only(language)).everything())


def named(card: Card) -> dict[str, str]:
    """Return the name printed on a card, in each language; an owner's is the same in all."""
    return PRINTED.texts.get(f"name.{card.name}") or dict.fromkeys(LANGUAGES, card.name)


def tasked(bonus: BonusCard) -> dict[str, str]:
    """Return the condition of a zoning bonus, in each language."""
    zone = PRINTED.text(f"zone.{bonus.zone}")
    return PRINTED.text(f"condition.{bonus.condition}", number=bonus.number, zone=zone)


class _Press:
    """Makes the faces of one deck in one language."""

    def __init__(self, deck: Deck, words: Mapping[str, str]) -> None:
        self._deck, self._words = deck, words

    def everything(self) -> Iterator[Printed]:
        """Yield cards first, then the smaller markers."""
        yield from map(self._building, self._deck.cards.values())
        yield from map(self._bonus, self._deck.bonuses.values())
        yield from map(self._disaster, DISASTERS)
        yield from map(self._helper, HELPERS)
        yield from self._infrastructure()
        yield from map(self._meteor, self._deck.meteors.values())
        yield from self._markers()

    def _building(self, card: Card) -> Printed:
        cost = Row(self._units(card.cost), 1.9, self._words["cost"], stacked=True)
        opportunity = Row(self._units(card.opportunity), 1.6, self._words["opportunity"], stacked=True, shaded=True)
        number = self._words["stories.one" if card.stories == 1 else "stories.many"].format(n=card.stories)
        facts = [Cell((MARKS["stories"],), number)]
        if card.restaurant:
            facts.append(Cell((MARKS["restaurant"],), self._words["restaurant"]))
        rows = (cost, opportunity, Row(tuple(facts), 0.8), self._rule(card.conditional))
        thing = building_thing(card.id)
        name = self._words.get(f"name.{card.name}", card.name)
        title = name if name == card.id else f"{card.id} · {name}"  # pages call it by its id
        front = self._zoned(title, card.zone, rows, thing, str(card.points))
        back = Face(self._words["building"], _DECK, MARKS["buildings"], seats=_MIDDLE)
        return Printed(thing, CARD_MM, front, back)

    def _zoned(self, title: str, zone: str, rows: tuple[Row, ...], foot: str, points: str = "") -> Face:
        value = Cell((MARKS["points"],), points)
        foot = f"{self._words[f'zone.{zone}']}  ·  {foot}"
        return Face(title, COLOURS[zone], MARKS[zone], value, rows, foot=foot)

    def _units(self, amount: Amount) -> tuple[Cell, ...]:
        """Return a cell for each resource: a mark for each of a few units; an owner may have resources of their own."""
        units = zip(self._deck.resources, amount, strict=True)
        cells = tuple(self._unit(name, count) for name, count in units if count)
        return cells or (Cell(text=self._words["nothing"]),)

    def _unit(self, name: str, count: int) -> Cell:
        if name not in MARKS:
            return Cell(text=f"{count} {name}")
        if count > _FEW:
            return Cell((MARKS[name],), f"{count} {self._words[name]}")
        return Cell((MARKS[name],) * count, self._words[name])

    def _rule(self, rule: Conditional | None) -> Row:
        if rule is None:
            return Row((Cell((MARKS["no_rule"],)),), 1.2, self._words["powered"])
        word = f"rule.{rule.kind}" if rule.kind in {"restaurant", "other"} else rule.kind
        text = self._words[word].format(
            points=rule.points,
            zone=self._words[f"zone.{rule.zone}"] if rule.zone else "",
            most=rule.most,
            resource=self._words.get(rule.resource, rule.resource),
        )
        return Row((Cell((MARKS["power"],), text),), 1.2, self._words["powered"])

    def _bonus(self, bonus: BonusCard) -> Printed:
        zone = self._words[f"zone.{bonus.zone}"]
        task = self._words[f"condition.{bonus.condition}"].format(number=bonus.number, zone=zone)
        rows = (
            Row((Cell((MARKS[bonus.condition],), task),), 1.6, self._words["task"], stacked=True),
            Row(
                (
                    Cell((MARKS["action_point"],), self._words["action_point"]),
                    Cell((MARKS[bonus.helper],), self._words[f"helper.{bonus.helper}"]),
                ),
                1.4,
                self._words["reward"],
                shaded=True,
                stacked=True,
            ),
        )
        thing = f"bonus/{bonus.id}"
        front = self._zoned(f"{bonus.id} · {self._words['bonus']}", bonus.zone, rows, thing)
        back = Face(self._words["bonus"], _DECK, MARKS["columns"], seats=_MIDDLE)
        return Printed(thing, CARD_MM, front, back)

    def _disaster(self, kind: str) -> Printed:
        rows = (
            Row((Cell(text=self._words[f"happens.{kind}"]),), 1.9, self._words["effect"], prose=True),
            Row((Cell(text=self._words[f"wanted.{kind}"]),), 1.1, self._words["goal"], shaded=True, prose=True),
        )
        thing = f"disaster/{kind}"
        front = Face(self._words[f"disaster.{kind}"], COLOURS["disaster"], MARKS[kind], rows=rows, foot=thing)
        back = Face(self._words["disaster"], COLOURS["disaster"], MARKS["earthquake"], seats=_MIDDLE)
        return Printed(thing, CARD_MM, front, back)

    def _helper(self, helper: Helper) -> Printed:
        colour, title = COLOURS["helper"], self._words[f"helper.{helper}"]
        rows = (Row((Cell((MARKS[helper],)),), 1.0), Row((Cell(text=self._words[f"does.{helper}"]),), 1.6, prose=True))
        front = Face(title, colour, MARKS[helper], rows=rows, foot=self._words["helper"])
        return Printed(f"helper/{helper}", CARD_MM, front, Face(title, colour, MARKS[helper]))

    def _infrastructure(self) -> Iterator[Printed]:
        for part, copies in (("plant", 1), ("line", LINES), ("road", ROADS)):
            title, colour = self._words[part], COLOURS["infrastructure"]
            works = Row((Cell((MARKS[part],), self._words["works"]),), 1.6, stacked=True)
            broken = Row((Cell((MARKS["rubble"],), self._words["broken"]),), 1.6, stacked=True)
            repair = Row(self._units(self._deck.repairs[part]), 1.0, self._words["repair"], shaded=True, stacked=True)
            front = Face(title, colour, MARKS[part], rows=(works,))
            back = Face(title, COLOURS["disaster"], MARKS[part], rows=(broken, repair))
            yield Printed(f"infrastructure/{part}", CARD_MM, front, back, copies=copies)

    def _meteor(self, meteor: MeteorCard) -> Printed:
        title, colour = self._words["meteor"], COLOURS["disaster"]
        rows = (Row((Cell((MARKS[meteor.effect],), self._words[f"fall.{meteor.effect}"]),), stacked=True),)
        front = Face(title, colour, MARKS["meteors"], rows=rows, foot=meteor.id)
        return Printed(f"meteor/{meteor.id}", MARKER_MM, front, Face(title, colour, MARKS["meteors"]))

    def _markers(self) -> Iterator[Printed]:
        """Yield what lies on cards: a cover shows rubble on one side and "occupied" on the other."""
        rubble = self._marker("rubble", "rubble", COLOURS["disaster"])
        yield Printed("rubble", MARKER_MM, rubble, self._marker("occupied", "aliens", COLOURS["helper"]), copies=COVERS)
        guard = self._marker("guard", "national_guard", COLOURS["government"])
        yield Printed("guard", MARKER_MM, guard, guard, copies=GUARDS)
        bird = self._marker("bird", "giant_bird", COLOURS["disaster"])
        yield Printed("bird", MARKER_MM, bird, bird)

    def _marker(self, word: str, mark: str, colour: str) -> Face:
        return Face(self._words[word], colour, MARKS[mark])
