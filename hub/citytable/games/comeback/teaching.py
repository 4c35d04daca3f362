"""Comeback City's lessons: the best-rated decision, in words."""

from collections.abc import Mapping

from citytable.games.comeback.actions import Action, Build, Claim, Lay, Mend, Repair, SetUp, Severity
from citytable.games.comeback.advice import rating
from citytable.games.comeback.decisions import decisions
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.layout import building_thing, grid
from citytable.games.comeback.places import FIRST_ROW, Place
from citytable.games.comeback.position import Position
from citytable.games.comeback.printed import named, tasked
from citytable.games.comeback.speech import GridPlaces
from citytable.rules.textbook import Textbook, Word
from citytable.table.lesson import Step
from citytable.table.spot import Spot

_BOOK = Textbook(__package__)


class Teaching:
    """Comeback City brings `Teaches`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def step(self, position: Position, *, sensed: bool) -> Step | None:
        """Return what looks best; None when the game is over."""
        found = decisions(position, self._deck)
        if not found:
            return None
        advised = max(found, key=lambda decision: rating(position, decision, self._deck))
        return self.step_of(position, advised, sensed=sensed)

    def step_of(self, _position: Position, advised: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        topic = self.topic(advised)
        page = _BOOK.page(topic, self._words(advised), sensed=sensed)
        return Step(
            topic=topic,
            rule=page.rule,
            do=page.do,
            action="" if isinstance(advised, SetUp) else str(advised),
            spots=_spots(advised),
            things=(building_thing(advised.card),) if isinstance(advised, Build | Lay) else (),
        )

    def topic(self, action: Action) -> str:
        """Return the tag of the action."""
        return str(action.__struct_config__.tag)

    def _words(self, advised: Action) -> Mapping[str, Word]:
        match advised:
            case Repair(part=part, number=number):
                return {"part": _BOOK.text(f"part.{part}", number=number)}
            case Mend(parts=parts):
                return {"parts": _BOOK.text(f"part.{parts}")}
            case Claim(bonus=bonus, reward=reward):
                return {"bonus": tasked(self._deck.bonuses[bonus]), "reward": _BOOK.text(f"part.{reward}")}
            case Severity(level=level):
                return {"level": level}
        at: Place | None = getattr(advised, "at", None)
        where = {} if at is None else {"column": at.column, "row": at.row}
        card = getattr(advised, "card", None)
        return {"card": named(self._deck.cards[card]) if card else "", **where}


def _spots(advised: Action) -> tuple[Spot, ...]:
    """Return where a card is brought, or where the city is struck."""
    at: Place | None = getattr(advised, "at", None)
    if at is not None:
        return (grid(at),) if at.row >= FIRST_ROW else ()
    return tuple(GridPlaces().spots_of(advised))
