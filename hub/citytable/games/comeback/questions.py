"""What the table asks the player: dice, and cards that no reader reads."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Flip, Roll, SetUp, Strike, TurnUp
from citytable.games.comeback.constructing import HAND, ROW
from citytable.games.comeback.dealer import to_flip
from citytable.games.comeback.deck import DISASTERS, Deck
from citytable.games.comeback.position import Position
from citytable.rules.game import open_fields
from citytable.table.question import Field, FieldValue

_ROW = tuple(f"row{k}" for k in range(1, ROW + 1))
_HAND = tuple(f"hand{k}" for k in range(1, HAND + 1))
_BONUSES = ("bonus1", "bonus2")


class Questions:
    """Comeback City brings `Asks`. `check` raises `IllegalAction` for an answer that breaks a rule."""

    def __init__(self, deck: Deck, check: Callable[[Position, Action], object]) -> None:
        self._deck = deck
        self._check = check

    def questions(
        self,
        position: Position,
        action: Action,
        known: Mapping[str, FieldValue],  # noqa: ARG002  no sensor proposes anything here
        *,
        said: bool = False,  # noqa: ARG002  a keyword keeps its name
    ) -> tuple[Field, ...]:
        """Return a field for everything that is open."""
        if not open_fields(action):
            return ()
        match action:
            case SetUp():
                cards, bonuses = tuple(sorted(self._deck.cards)), tuple(sorted(self._deck.bonuses))
                dealt = (Field(name, "choice", choices=cards) for name in (*_ROW, *_HAND))
                return (*(Field(name, "choice", choices=bonuses) for name in _BONUSES), *dealt)
            case Flip():
                return (Field("card", "choice", choices=to_flip(position)),)
            case Strike():
                return (Field("disaster", "choice", choices=DISASTERS),)
            case Roll():
                return (Field("blue", "die", low=1, high=6), Field("white", "die", low=1, high=6))
            case TurnUp():
                faces, count = tuple(sorted(self._deck.meteors)), len(position.meteors)
                return tuple(Field(f"meteor{k}", "choice", choices=faces) for k in range(1, count + 1))
        return ()

    def answered(self, position: Position, action: Action, values: Mapping[str, FieldValue]) -> Action:
        """Return the action with the answers; raises `ValueError` with the rule they would break."""
        filled = _filled(position, action, values)
        self._check(position, filled)
        return filled


def _filled(position: Position, action: Action, values: Mapping[str, FieldValue]) -> Action:
    def named(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(str(values[name]) for name in names)

    match action:
        case SetUp():
            return replace(action, bonuses=named(_BONUSES), redrawn=(), row=named(_ROW), hand=named(_HAND))
        case TurnUp():
            return replace(action, meteors=named(tuple(f"meteor{k}" for k in range(1, len(position.meteors) + 1))))
        case Roll():
            return replace(action, blue=int(values["blue"]), white=int(values["white"]))
        case Flip():
            return replace(action, card=str(values["card"]))
        case Strike():
            return replace(action, disaster=values["disaster"])
    raise ValueError(f"nothing is asked about {action}")
