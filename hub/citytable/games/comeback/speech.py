"""Words at the table, the spots of an act, and acts that hands have begun."""

from collections.abc import Iterator

from citytable.games.comeback.actions import Action, Build, Discard, Flip, Lay, Strike
from citytable.games.comeback.decisions import SOLO, decisions
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.layout import ASIDE, DISASTER, SLOT, grid
from citytable.games.comeback.places import place_from_text
from citytable.games.comeback.position import Position
from citytable.table.spot import Spot


class Speech:
    """Comeback City brings `Speaks`: every act is over at once, since nobody else's turn ends it."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def sayable(self, position: Position) -> list[Action]:
        """Return every decision; what is open in one is asked afterwards."""
        return decisions(position, self._deck)

    def needs_word(self, action: Action) -> bool:
        """Return whether it is anything but a card brought to a place: a card that only leaves may be in a hand."""
        return not isinstance(action, Flip | Lay | Discard | Build | Strike)

    def ends_itself(self, action: Action) -> bool:  # noqa: ARG002  all acts do
        """Return True: the act of a player who is alone is over when it is done."""
        return True

    def asker(self, action: Action) -> int | None:
        """Return the player; the set-up is asked of the whole table."""
        return getattr(action, "player", None)


class GridPlaces:
    """Comeback City brings `Places`."""

    def spots_of(self, action: Action) -> frozenset[Spot]:
        """Return the spot that a card is brought to."""
        match action:
            case Build(at=at) | Lay(at=at):
                return frozenset({grid(at)})
            case Flip():
                return frozenset({SLOT})
            case Discard():
                return frozenset({ASIDE})
            case Strike():
                return frozenset({DISASTER})
        return frozenset()

    def rank(self, position: Position, action: Action) -> int:  # noqa: ARG002  no place is likelier
        """Return the same for all."""
        return 0


class Attempts:
    """Comeback City brings `Refuses`."""

    def attempts(self, position: Position, thing: str, spot: Spot) -> Iterator[Action]:
        """Yield the actions that a player may have intended by bringing this card to this spot.

        A card that was passed may still lie under the next one: nobody has brought it.
        """
        word, _, card = thing.partition("/")
        if word != "building" or card in {*position.passed, *position.discard_pile, *position.gone}:
            return
        if spot.startswith("grid/"):
            at = place_from_text(spot.removeprefix("grid/"))
            yield Lay(SOLO, card, at) if position.phase == "laying" else Build(SOLO, card, at)
        elif spot == SLOT:
            yield Flip(SOLO, card)
        elif spot == ASIDE:
            yield Discard(SOLO, card)
