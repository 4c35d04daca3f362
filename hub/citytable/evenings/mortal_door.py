"""The door of an umpire whose hub may be killed: it keeps a journal, and comes back by nothing else.

What comes together is written together, under one time, as a session does; a hub that comes back recalls it as the real
one does (`citytable.session.recall`).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from citytable.evenings.umpire_door import UmpireDoor, at_the_hub
from citytable.journal.entry import ActionConfirmed, Body, Cause, Entry, FactNoted, PiecesWeighed
from citytable.session.play import Play
from citytable.session.recall import recall, stations_up
from citytable.table.fact import Fact, StationWent
from citytable.table.plan import Plan
from citytable.table.word import Answer, Statement
from citytable.umpire.acts import Confirmed


class Resumed(NamedTuple):
    """The game as restored from a journal."""

    position: Any
    start: Any
    actions: tuple[Any, ...]


class MortalDoor(UmpireDoor):
    """One umpire after the other at one table."""

    def __init__(self, game: Any, position: Any, plan: Plan) -> None:
        super().__init__(game, position, plan)
        self._plan = plan
        self._entries: list[Entry] = []
        self._set: Any = None  # the position that people set last
        self._since_set = 0  # entries before that
        self._came: list[Confirmed[Any, Any]] = []  # confirmed, and not given out yet
        self._silence: tuple[Fact, ...] = ()  # that nobody listened; noted together with what is heard next
        self._now_us = 0

    def feed(self, facts: Iterable[Fact], until_us: int) -> None:
        """Give the umpire facts that came together."""
        taken = tuple(facts)
        super().feed(taken, until_us)
        self._write([*self._silence, *map(at_the_hub, taken)], *self._umpire.judge())
        self._silence = ()

    def judge(self) -> tuple[Confirmed[Any, Any], ...]:
        """Return what the umpire has confirmed since the last call."""
        self._write((), *self._umpire.judge())
        came, self._came = tuple(self._came), []
        return came

    def say(self, word: Answer | Statement, at_us: int) -> None:
        """Tell it what somebody says at that time; raises `ValueError` or `GameError` where it makes no sense."""
        super().say(word, at_us)
        self._now_us = max(self._now_us, at_us - 1)  # what is written next is a microsecond later
        self._write([word], *self._umpire.judge())

    def set_as_it_stands(self, done: Iterable[Any]) -> None:
        """Set the position to what is on the table after everything that was done, and let it stand."""
        acts = list(done)
        super().set_as_it_stands(acts)
        self._set, self._since_set = self._after(acts), len(self._entries)

    def come_back(self) -> None:
        """Start the hub again after it was killed: its journal is all that it knows."""
        play: Play[Any, Any] = Play(self._game, self._plan, self._start)
        before, since = self._entries[: self._since_set], self._entries[self._since_set :]
        if before:
            for entry in before:
                if isinstance(entry.body, FactNoted):
                    play.recall(entry.body.fact)
            play.stand_by(Resumed(self._set, self._set, ()))
        recall(play, since, self._replayed)
        if not since:
            play.went_away(self._now_us)
        spots_of = {one.station: tuple(there.spot for there in one.spots) for one in self._plan.stations}
        up = sorted(stations_up(self._entries))
        self._silence = tuple(StationWent(t_us=self._now_us, station=one, spots=spots_of[one]) for one in up)
        self._umpire = play.umpire

    def _write(self, bodies: Iterable[Fact | Body], *confirmed: Confirmed[Any, Any]) -> None:
        """Write what came together, and what became confirmed by it."""
        written: list[Body] = [FactNoted(fact=one) if isinstance(one, Fact) else one for one in bodies]
        written += [ActionConfirmed(action=one.text, breaks=one.breaks) for one in confirmed]
        piece = self._umpire.observed.piece
        if confirmed:
            written.append(PiecesWeighed(pieces=piece.pieces, grams=piece.grams, reported=piece.reported))
        last_us = max((one.fact.t_us for one in written if isinstance(one, FactNoted)), default=0)
        if written:
            self._now_us = max(self._now_us + 1, last_us)
        for body in written:
            cause: Cause = "player" if isinstance(body, Answer | Statement) else "sensor"
            self._entries.append(Entry(len(self._entries) + 1, self._now_us, cause, body))
        self._came += confirmed
        self.confirmed += [one.action for one in confirmed]

    def _replayed(self, entries: tuple[Entry, ...]) -> Resumed:
        start = self._start if self._set is None else self._set
        texts = (one.body.action for one in entries if isinstance(one.body, ActionConfirmed))
        acts = tuple(map(self._game.action, texts))
        return Resumed(self._position(start, acts), start, acts)
