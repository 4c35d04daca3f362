"""The workshop: what every player has under construction, in their own play area, between turns (R15).

It decides which of their pieces go into which tower: exactly the contract's number, none of a forbidden material, one
material only where that is possible (R29).
"""

import random
from collections.abc import Collection, Mapping, Sequence

import msgspec

from citytable.bots.bot import Bot
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    TakePieces,
)
from citytable.games.megacity.building_model import MODEL
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.hands import PIECES_MAX, added, without
from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import MATERIALS, Face, Pieces
from citytable.rehearsal.megacity.acts import materials
from citytable.rehearsal.twin import Act, Result


class Tower(msgspec.Struct, frozen=True):
    """One building on a pad: its contract, its pieces, and its height.

    `height_mm` is None while it is only planned.
    """

    seat: int
    contract: str
    platform: int
    pieces: Pieces
    wanted_mm: int
    height_mm: int | None = None


class Workshop:
    """All towers that are not delivered yet, by platform. `people` are seats that build for themselves."""

    def __init__(self, game: MegaCity, rng: random.Random, people: Collection[int] = ()) -> None:
        self._game = game
        self._people = people
        self._rng = rng
        self._towers: dict[int, Tower] = {}
        self._hopeless: set[tuple[str, Pieces]] = set()  # what proved not to reach its contract's height

    def free(self, seat: int) -> Pieces:
        """Return a player's pieces that are in no tower."""
        pieces = self._game.position.players[seat - 1].pieces
        for tower in self._towers.values():
            if tower.seat == seat:
                pieces = without(pieces, tower.pieces)
        return pieces

    def standing(self) -> Mapping[int, Tower]:
        """Return the towers that are built, by platform."""
        return {name: tower for name, tower in self._towers.items() if tower.height_mm is not None}

    def think_again(self, standing: Mapping[int, Tower]) -> None:
        """Plan again what was only planned: a turn was taken back, and these towers are built."""
        self._towers = dict(standing)
        self.look()

    def drew(self, seat: int) -> None:
        """Allow another try at contracts for which the pieces were too low: the player has other pieces now."""
        mine = self._game.position.players[seat - 1].contracts
        self._hopeless = {(name, pieces) for name, pieces in self._hopeless if name not in mine}

    def tower(self, platform: int) -> Tower:
        """Return the tower on a platform."""
        return self._towers[platform]

    def can(self, action: Action) -> bool:
        """Return whether the hands could do it: a delivery needs a tower for that contract, an option a spare piece."""
        match action:
            case Deliver():
                tower = self._towers.get(action.platform)
                return tower is not None and tower.contract == action.contract
            case PlaceMonument() | PlaceCentralParkMonument():
                return self.free(action.player).total > 0
            case _:
                return True

    def choose(self, bot: Bot) -> Action:
        """Return the decision of the player to act, out of those that their hands can do.

        A bot counts pieces and then waits; a person who has built with them knows that they are too small, and draws.
        """
        possible = [action for action in self._game.legal_actions if self.can(action)]
        decision = bot.choose(self._game, possible)
        draws = [action for action in possible if isinstance(action, TakePieces) and action.announced is None]
        waits = isinstance(decision, EndTurn) and self._is_at_a_loss(decision.player)
        return draws[0] if waits and draws else decision

    def _is_at_a_loss(self, seat: int) -> bool:
        """Return whether a player's pieces proved too low for a contract of theirs that has no other plan."""
        planned = {tower.contract for tower in self._towers.values()}
        mine = self._game.position.players[seat - 1].contracts
        return any(name in mine and name not in planned for name, _ in self._hopeless)

    def excess(self, seat: int) -> int:
        """Return how many pieces a player has to give back (R11)."""
        return self._game.position.players[seat - 1].pieces.total - PIECES_MAX

    def to_be_taken_down(self, seat: int) -> list[int]:
        """Return the platforms whose towers must come down to give back the excess; the last planned first."""
        mine = [tower for tower in reversed(self._towers.values()) if tower.seat == seat]
        loose = self.free(seat).total
        platforms = []
        for tower in mine:
            if loose >= self.excess(seat):
                break
            platforms.append(tower.platform)
            loose += tower.pieces.total
        return platforms

    def look(self) -> None:
        """Plan a tower wherever a player now has the contract, the platform and the pieces for one."""
        if self._game.position.phase in {"setup", "end"}:
            return
        for seat, player in enumerate(self._game.position.players, start=1):
            if seat in self._people:
                continue
            for face in player.platforms:
                if face.platform not in self._towers:
                    self._plan(seat, face, player.contracts)

    def _plan(self, seat: int, face: Face, contracts: tuple[str, ...]) -> None:
        taken = {tower.contract for tower in self._towers.values()}
        for name in contracts:
            contract = self._game.deck.contracts[name]
            if name in taken or contract.type != face.up:
                continue
            pieces = self._composition(contract, self.free(seat))
            if pieces is not None:
                wanted_mm = MODEL.built_mm(self._rng, pieces, contract) or contract.height_mm
                self._towers[face.platform] = Tower(seat, name, face.platform, pieces, wanted_mm)
                return

    def _composition(self, contract: Contract, free: Pieces) -> Pieces | None:
        """Return pieces for a building, of one material if possible; None if too few are left or all have failed."""
        allowed = Pieces(**{m: getattr(free, m) for m in MATERIALS if m not in contract.forbidden})
        counts = [contract.pieces]
        if contract.plus:
            counts += range(contract.pieces + 1, allowed.total + 1)
        for count in counts:
            for pieces in self._choices(allowed, count):
                if (contract.id, pieces) not in self._hopeless:
                    return pieces
        return None

    def _choices(self, allowed: Pieces, count: int) -> list[Pieces]:
        if allowed.total < count:
            return []
        single = [Pieces(**{m: count}) for m in MATERIALS if getattr(allowed, m) >= count]
        return [*single, *(self.pick(allowed, count) for _ in range(3))]

    def pick(self, pieces: Pieces, count: int) -> Pieces:
        """Return `count` of these pieces, whichever come to hand."""
        heap = [name for name in MATERIALS for _ in range(getattr(pieces, name))]
        chosen = Pieces()
        for name in self._rng.sample(heap, count):
            chosen = added(chosen, Pieces(**{name: 1}))
        return chosen

    def orders(self, seat: int | None = None) -> list[Act]:
        """Return the acts that build the planned towers, at one seat or everywhere."""
        return [
            {
                "act": "build",
                "seat": tower.seat,
                "platform": tower.platform,
                "pieces": materials(tower.pieces),
                "at_least_mm": tower.wanted_mm,
                "cube": True,
            }
            for tower in self._towers.values()
            if tower.height_mm is None and seat in {None, tower.seat} and tower.seat not in self._people
        ]

    def built(self, orders: Sequence[Act], results: Sequence[Result]) -> list[Act]:
        """Note the height of each tower, and return the acts that take down those which are too low."""
        down: list[Act] = []
        for order, result in zip(orders, results, strict=True):
            tower = self._towers[order["platform"]]
            if result["height_mm"] >= self._game.deck.contracts[tower.contract].height_mm:
                self._towers[tower.platform] = msgspec.structs.replace(tower, height_mm=result["height_mm"])
                continue
            self._hopeless.add((tower.contract, tower.pieces))
            del self._towers[tower.platform]
            down.append({"act": "unbuild", "seat": tower.seat, "platform": tower.platform})
        return down

    def take_down(self, platform: int) -> bool:
        """Forget a tower; True when it stood already and hands must clear the platform."""
        tower = self._towers.pop(platform, None)
        return tower is not None and tower.height_mm is not None
