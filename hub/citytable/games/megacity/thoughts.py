"""What a player may think of in their turn, legal or not, so that a phone can say why it is not possible now."""

from collections.abc import Iterator

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Position


class Thoughts:
    """MegaCity brings `Ponders`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def thoughts(self, position: Position) -> Iterator[Action]:
        """Yield what a turn is made of; a delivery first with a platform of the contract's type.

        Without a contract or a platform of their own they think of one that lies there.
        """
        seat = position.player
        if not seat or position.phase in ("setup", "end"):
            return
        me = position.players[seat - 1]
        yield from (TakeContract(player=seat, contract=column[0]) for column in position.columns if column)
        yield from (TakeContract(player=seat, contract=contract) for contract in position.landmarks)
        yield from (TakePlatform(player=seat, platform=face.platform) for face in position.supply if face is not None)
        yield TakePieces(player=seat)
        yield from (Rezone(player=seat, platform=face.platform) for face in me.platforms)
        yield Refresh(player=seat)
        yield from (
            Reorganise(player=seat, column=kind) for kind, column in zip(TYPES, position.columns, strict=True) if column
        )
        yield from self._deliveries(position, seat)
        yield EndTurn(player=seat)

    def _deliveries(self, position: Position, seat: int) -> Iterator[Deliver]:
        me = position.players[seat - 1]
        contracts = me.contracts or tuple(column[0] for column in position.columns if column)
        platforms = me.platforms or tuple(face for face in position.supply if face is not None)
        pairs = [(contract, face) for contract in contracts for face in platforms]
        for contract, face in sorted(pairs, key=lambda pair: self._deck.contracts[pair[0]].type != pair[1].up):
            for at in delivery_hexes(position)[:1]:
                yield Deliver(player=seat, contract=contract, platform=face.platform, at=at)
