"""What is weighed, counted and measured: the pieces in the box and in the city, and the tower of a delivery."""

from collections.abc import Collection, Mapping

from citytable.games.megacity.actions import Action, Deliver, EndTurn, PlaceCentralParkMonument
from citytable.games.megacity.drawn_weight import as_weighed, counts, exactly, with_count
from citytable.games.megacity.layout import platform_thing
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.piece_mass import PieceKind, PieceMass
from citytable.table.spot import Spot

PIECES = PieceKind(
    handful=RANDOM_DRAW,
    turn_most=3 * RANDOM_DRAW,
    lightest_g=0.44,
    heaviest_g=18.0,
    usual_g=2.9,
    spread=0.62,
    odd_share=0.002,  # guess: one in three boxes of 150 was printed solid, or is of another game
)


class Weights:
    """MegaCity brings `Weighs`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def exchanges(self, position: Position, action: Action) -> tuple[Spot, ...]:
        """Return Central Park where a spare piece takes its monument's place (R34)."""
        if isinstance(action, PlaceCentralParkMonument) and position.parks[0].monument is not None:
            return (spots.city(CENTRE),)
        return ()

    def moves_pieces(self, action: Action) -> bool:
        """Return whether it is anything but the end of a turn: that shows only that nobody holds too many (R11)."""
        return not isinstance(action, EndTurn)

    def standing(self, position: Position) -> Mapping[str, int]:
        """Return how many pieces stand on each platform of the city."""
        return {platform_thing(one.face): one.pieces.total for one in position.buildings if one.standing}

    def piece_kind(self) -> PieceKind:
        """Return what is known of the house set's pieces, and how many are drawn (R10)."""
        return PIECES

    def all_pieces(self) -> int:
        """Return the number of pieces in the deck (R5)."""
        return self._deck.all_pieces

    def measured_thing(self, action: Action) -> str:
        """Return the platform to be delivered, whose tower was measured."""
        if not isinstance(action, Deliver):
            return ""
        return f"platform/{action.platform}/{self._deck.contracts[action.contract].type}"

    def counts(self, action: Action, pieces: int, piece: PieceMass) -> Mapping[int, float]:
        """Return how likely a draw at random was the one piece of an announcement that nobody reported (R10)."""
        return counts(action, pieces, piece)

    def with_count(self, action: Action, counts: Collection[int]) -> Action:
        """Return a draw at random of one of so many pieces."""
        return with_count(action, counts)

    def exactly(self, action: Action, pieces: int) -> tuple[Action, ...]:
        """Return a draw of the one piece of an announcement in every material, or an action of so many pieces."""
        return exactly(action, pieces)

    def as_weighed(self, action: Action, grams: float, piece: PieceMass) -> Action:
        """Return a draw that may have been one piece or three as a range (R10)."""
        return as_weighed(action, grams, piece)
