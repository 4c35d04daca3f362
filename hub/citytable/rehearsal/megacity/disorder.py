"""Disorder: what people do beside playing, and with faults what goes wrong at tables.

Without faults everything here leaves the game as it was: cards lifted and put back, elbows, slots swapped, tags missed.
"""

import random
from collections.abc import Sequence

from citytable.games.megacity.building_model import MODEL
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import TYPES, Pieces, Position
from citytable.games.megacity.spots import CITY
from citytable.rehearsal.twin import Act
from citytable.table import spot as spots
from citytable.table.hexes import Hex


class Disorder:
    """Draw from the rehearsal's seed what happens beside the game."""

    def __init__(self, rng: random.Random, *, faults: bool) -> None:
        self._rng = rng
        self._faults = faults

    def _happens(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _fault(self, chance: float) -> bool:
        return self._faults and self._happens(chance)

    def both_hands(self) -> bool:
        """Return whether this player does two actions at once."""
        return self._happens(0.25)

    def handled(self, act: Act) -> Act:
        """Return an act as this player does it: some take pieces out of the bag one by one."""
        if act["act"] == "take_pieces" and act["announced"] is None and self._happens(0.15):
            return {**act, "one_by_one": True}
        return act

    def beside(self, position: Position) -> list[Act]:
        """Return what else hands and sensors do while one player acts; nothing of it changes the game."""
        acts: list[Act] = []
        seat = self._rng.randint(1, len(position.players))
        if self._happens(0.10):
            acts.append({"act": "lean", "spot": spots.city(self._rng.choice(CITY))})
        if self._happens(0.05) and position.buildings:
            building = self._rng.choice(position.buildings)
            acts.append({"act": "miss_tag", "spot": spots.city(building.at), "ms": 1000})
        if seat != position.player:
            acts += self._others(seat)
        return acts

    def _others(self, seat: int) -> list[Act]:
        if self._happens(0.06):
            return [{"act": "hesitate", "seat": seat, "what": self._rng.choice(("card", "platform"))}]
        if self._happens(0.04):
            return [{"act": "swap_slots", "seat": seat}]
        return []

    def before_turn(self, position: Position) -> list[Act]:
        """Return what a player does before deciding; each act is done by itself."""
        if self._happens(0.08):
            return [
                {"act": "hesitate", "seat": position.player, "what": self._rng.choice(("card", "platform", "column"))}
            ]
        if self._happens(0.03):
            return [{"act": "swap_supply"}]
        return []

    def thinks_again(self) -> bool:
        """Return whether the turn that has just ended is taken back."""
        return self._fault(0.08)

    def delivery(self, pieces: Pieces, height_mm: int, contract: Contract) -> str:
        """Return how a delivery of such a tower goes: with faults it falls as often as the building model says."""
        if self._fault(1 - MODEL.chance_to_stand(pieces, height_mm, contract)):
            return self._rng.choice(("falls_sliding", "falls_there"))
        return "stands"

    def wrong_hex(self, position: Position) -> Hex | None:
        """Return a hex where a player puts a platform against the rules, until the display objects."""
        if not self._fault(0.15):
            return None
        taken = {building.at for building in position.buildings} | {park.at for park in position.parks}
        wrong = [cell for cell in CITY if cell not in taken and cell not in delivery_hexes(position)]
        return self._rng.choice(wrong) if wrong else None

    def extra_contract(self, position: Position) -> str | None:
        """Return the column from which a player takes a contract too many."""
        if not self._fault(0.08):
            return None
        full = [kind for kind, column in zip(TYPES, position.columns, strict=True) if column]
        return self._rng.choice(full) if full else None

    def collapse(self, position: Position) -> Hex | None:
        """Return the building of the city that falls."""
        standing = [building.at for building in position.buildings if building.standing]
        return self._rng.choice(standing) if standing and self._fault(0.05) else None

    def knocks_over(self, position: Position) -> Hex | None:
        """Return the building that a delivery knocks over on its way (A25)."""
        standing = [building.at for building in position.buildings if building.standing]
        return self._rng.choice(standing) if standing and self._fault(0.08) else None

    def loses_pieces(self, position: Position) -> Hex | None:
        """Return the building of the city from which a few pieces fall (A26)."""
        high = [building.at for building in position.buildings if building.pieces.total > 3]
        return self._rng.choice(high) if high and self._fault(0.05) else None

    def loses_monument(self, position: Position) -> Hex | None:
        """Return the park whose monument is knocked over (A28)."""
        monuments = [park.at for park in position.parks if park.monument is not None]
        return self._rng.choice(monuments) if monuments and self._fault(0.1) else None

    def reboot(self, stations: Sequence[str]) -> str | None:
        """Return the station that restarts."""
        return self._rng.choice(stations) if self._fault(0.05) else None
