"""The record: what people did by the rules, and what they say about it on their phones.

The rules engine plays along, and refuses what nobody could have meant.
"""

import random
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from citytable.evenings.agenda import Agenda
from citytable.evenings.people import Noted, Person
from citytable.evenings.performance import Done, Performance, Saying
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import Accident, Action, ReturnPieces
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.hands import added, without
from citytable.games.megacity.position import Pieces, Position
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.megacity.acts import public
from citytable.rehearsal.megacity.traces import hides
from citytable.table import spot as spots
from citytable.table.fact import Fact
from citytable.table.plan import Plan
from citytable.table.word import Statement

ALOUD = "announced aloud"
"""Unseen: a material was announced to the table, and to no phone (R10)."""
NEIGHBOURS = "the neighbour could have drawn it"
"""Unseen: the bag still lay with the player before."""


MISCOUNTED = "not as many pieces as anybody knows"
"""Unseen: a player returns pieces after one was lost, or went to somebody else, without anybody noticing."""


class Record:
    """The truth of an evening. `persons` by seat."""

    def __init__(self, game: MegaCity, plan: Plan, agenda: Agenda, rng: random.Random) -> None:
        self.game = game
        self.persons: dict[int, Person] = {}
        self.done: list[Done] = []
        self.said: list[Saying] = []
        self.spoken_of: list[Action] = []
        self.turn = 1
        self.handed_over = 0
        """How many pieces changed hands, or were lost, without anybody noticing."""
        self._miscounted: set[int] = set()
        """The seats whose players got or lost a piece without anybody noticing."""
        self._plan = plan
        self._blind = Blind(plan)
        self._agenda = agenda
        self._rng = rng

    @property
    def seats(self) -> range:
        """Return the seats that play."""
        return range(1, self.game.position.options.players + 1)

    @property
    def position(self) -> Position:
        """Return the position by the rules."""
        return self.game.position

    def performance(
        self, seed: int, table: str, start: Position, facts: Sequence[Fact], noted: Sequence[Noted]
    ) -> Performance:
        """Return the evening of a seed as it was until now; `table` is its plan, `noted` are the habits."""
        return Performance(
            seed=seed,
            table=table,
            plan=self._plan,
            start=start,
            facts=tuple(facts),
            said=tuple(self.said),
            done=tuple(self.done),
            noted=tuple(noted),
            persons=tuple(self.persons[seat].archetype for seat in sorted(self.persons)),
            ended_us=self._agenda.now_us,
        )

    def did(
        self, action: Action, *, unseen: str = "", soft: bool = False, turn: int | None = None, spoken: bool = False
    ) -> None:
        """Note what was just done, in the turn `turn` or the current one. `spoken`: its player reports it anyway."""
        self._note(action, self.game.push, unseen, soft, turn, spoken)

    def did_late(self, action: Action, turn: int) -> None:
        """Note what was done after its turn had ended."""
        self._note(action, self.game.accept, "", False, turn)

    def ends_turn(self) -> None:
        """Count turns."""
        self.turn += 1

    def did_against_rules(self, action: Action, unseen: str) -> None:
        """Note what was just done although a rule forbids it."""
        self._note(action, self.game.accept, unseen, False, None)

    def _note(
        self,
        action: Action,
        play: Callable[[Action], None],
        unseen: str,
        soft: bool,
        turn: int | None,
        spoken: bool = False,
    ) -> None:
        before = self.position
        play(action)
        known = public(action)
        silent, said_us = self._speak_of(before, known, spoken)
        self.done.append(
            Done(
                t_us=self._agenda.now_us,
                turn=self.turn if turn is None else turn,
                action=known,
                unseen=unseen or silent or self._beyond_all(known),
                evident_us=said_us,
                soft=soft,
            )
        )

    def _beyond_all(self, action: Action) -> str:
        """Return why nobody can know an act, such as a return by a player with another number of pieces."""
        return MISCOUNTED if isinstance(action, ReturnPieces) and action.player in self._miscounted else ""

    def takes_back(self, before: Position) -> None:
        """Forget the last act, which led away from `before`: its player took it back before it counted."""
        self.done.pop()
        self._go_on_from(before)

    def _go_on_from(self, position: Position) -> None:
        self.game = MegaCity.from_table(position, self.game.deck)

    def hands_over(self, piece: Piece, giver: int, taker: int | None) -> None:
        """Note that a piece now belongs to another player, or is out of the game, and nobody noticed."""
        self.handed_over += 1
        self._miscounted |= {giver} if taker is None else {giver, taker}
        one = Pieces(**{piece.material: 1})
        players = list(self.position.players)
        players[giver - 1] = replace(players[giver - 1], pieces=without(players[giver - 1].pieces, one))
        box = self.position.box
        if taker is None:
            box += 1
        else:
            players[taker - 1] = replace(players[taker - 1], pieces=added(players[taker - 1].pieces, one))
        self._go_on_from(replace(self.position, players=tuple(players), box=box))

    def _speak_of(self, before: Position, action: Action, spoken: bool) -> tuple[str, int]:
        """Report on a phone what the table cannot sense, and sometimes what it can.

        Return why nobody can know an act, and when the report comes if no sensor covers it.
        """
        person = self.persons.get(getattr(action, "player", 0), self.persons[1])
        if hides(self._blind, before, action):
            if person.does("forgets_to_say"):
                return "not said", 0
            after_s = self._rng.uniform(1.0, 8.0)
            self.say(action, person.seat, after_s)
            return "", self._agenda.now_us + round(after_s * 1e6)
        if person.does("says_on_phone") and not spoken:
            self.say(action, person.seat, self._rng.uniform(0.5, 15.0))
        return "", 0

    def word_of(self, fall: Accident, seat: int, said_after_s: float | None) -> None:
        """Report on a phone, after this time, what fell in the city; None: nobody reports it.

        If no scale is below it, this report is the only evidence.
        """
        known = public(fall)
        if said_after_s is not None:
            self.say(known, seat, said_after_s)
        if self._blind.weighs({spots.city(fall.at)}):
            return
        k = max(k for k, one in enumerate(self.done) if one.action == known)
        if said_after_s is None:
            self.done[k] = replace(self.done[k], unseen="not said")
        else:
            self.done[k] = replace(self.done[k], evident_us=self._agenda.now_us + round(said_after_s * 1e6))

    def say(self, action: Action, seat: int, after_s: float = 0.0) -> None:
        """Say on a phone what was done."""
        told = Statement(action=str(action), by=f"seat {seat}")
        self.spoken_of.append(action)

        def speak() -> None:
            self.said.append(Saying(self._agenda.now_us, told))

        self._agenda.call(after_s, speak)
