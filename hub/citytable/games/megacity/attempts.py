"""Acts that hands have begun, legal or not, so that a refusal can name the rule."""

from collections.abc import Iterator

from citytable.games.megacity.actions import Action, Deliver, EndTurn, PlacePark, TakeContract, TakePieces, TakePlatform
from citytable.games.megacity.layout import BAG, face_of
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Position
from citytable.games.megacity.turn import next_seat
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.spot import Spot


class Attempts:
    """MegaCity brings `Refuses`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def attempts(self, position: Position, thing: str, spot: Spot) -> Iterator[Action]:
        """Yield the actions that a player may have intended by bringing this thing to this spot."""
        word, _, name = thing.partition("/")
        cell = spots.hex_of(spot)
        seat = spots.seat_of(spot)
        face = face_of(thing)
        if cell is not None and word == "park":
            yield PlacePark(player=int(name), at=cell)
        elif cell is not None and face is not None:
            yield from self._deliveries(position, face, cell)
        elif seat is not None and word == "contract":
            if all(name not in player.completed for player in position.players):
                yield TakeContract(player=seat, contract=name)
        elif seat is not None and face is not None and face in position.supply:
            yield TakePlatform(player=seat, platform=face.platform)
        elif thing == BAG and seat == next_seat(position.player, len(position.players)):
            yield EndTurn(player=position.player)
        elif seat is not None and not thing and spot == spots.bag(seat):
            yield TakePieces(player=seat)

    def _deliveries(self, position: Position, face: Face, at: Hex) -> Iterator[Deliver]:
        """Yield the deliveries that may be meant, of each player those of the platform's type first (R16)."""
        for seat, player in enumerate(position.players, start=1):
            if any(one.platform == face.platform for one in player.platforms):
                fits = {name: self._deck.contracts[name].type == face.up for name in player.contracts}
                for name in sorted(player.contracts, key=lambda name: not fits[name]):
                    yield Deliver(player=seat, contract=name, platform=face.platform, at=at, stood=True)
