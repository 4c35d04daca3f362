"""Acts that hands have begun, legal or not, so that a refusal can name the rule."""

from collections.abc import Iterator

from citytable.games.megacity.actions import Action, Deliver, EndTurn, PlacePark, TakeContract, TakePieces, TakePlatform
from citytable.games.megacity.layout import BAG, face_of
from citytable.games.megacity.position import Position
from citytable.games.megacity.turn import next_seat
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.spot import Spot


class Attempts:
    """MegaCity brings `Refuses`."""

    def attempts(self, position: Position, thing: str, spot: Spot) -> Iterator[Action]:
        """Yield what a player who brought this thing to this spot may have wanted to do."""
        word, _, name = thing.partition("/")
        cell = spots.hex_of(spot)
        seat = spots.seat_of(spot)
        face = face_of(thing)
        if cell is not None and word == "park":
            yield PlacePark(player=int(name), at=cell)
        elif cell is not None and face is not None:
            yield from _deliveries(position, face.platform, cell)
        elif seat is not None and word == "contract":
            if all(name not in player.completed for player in position.players):
                yield TakeContract(player=seat, contract=name)
        elif seat is not None and face is not None and face in position.supply:
            yield TakePlatform(player=seat, platform=face.platform)
        elif thing == BAG and seat == next_seat(position.player, len(position.players)):
            yield EndTurn(player=position.player)
        elif seat is not None and not thing and spot == spots.bag(seat):
            yield TakePieces(player=seat)


def _deliveries(position: Position, platform: int, at: Hex) -> Iterator[Deliver]:
    for seat, player in enumerate(position.players, start=1):
        if any(face.platform == platform for face in player.platforms):
            for contract in player.contracts:
                yield Deliver(player=seat, contract=contract, platform=platform, at=at, stood=True)
