"""From a play to the view that screens and rings are drawn from."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec.structs import replace

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.link.link import Link
from citytable.session.calm import Calm
from citytable.session.collapses import Collapses
from citytable.session.lessons import Lessons
from citytable.session.play import Play
from citytable.session.ticker import Ticker
from citytable.table.fact import Fact
from citytable.table.health import Health
from citytable.table.scene import Scene
from citytable.table.spot import Spot, seat_of
from citytable.table.status import Status
from citytable.umpire.acts import Confirmed
from citytable.views.state import Held, Live, Provisional, UndoAsked, View

A = TypeVar("A")
P = TypeVar("P")


class Display(Generic[A, P]):
    """Makes views of a play, and remembers the lines of its ticker."""

    def __init__(self, play: Play[A, P], link: Link) -> None:
        self._play = play
        self._link = link
        self._ticker = Ticker()
        self._calm = Calm()
        self._collapses = Collapses(play)
        self._lessons = Lessons(play)
        self._ripens_us: int | None = None  # when something that is shown calmly becomes an alarm
        self._drawn: tuple[tuple[P, P, tuple[A, ...], P | None], int, Scene] | None = None

    def take(self, noticed: Iterable[Fact], entries: Iterable[Entry]) -> None:
        """Add noticed facts and written actions to the ticker."""
        self._ticker.notice(noticed)
        for entry in entries:
            if isinstance(entry.body, ActionConfirmed):
                self._ticker.act(entry.body.action, entry.at_us, entry.seq)

    def confirm(self, entries: Iterable[Entry], confirmed: Iterable[Confirmed[A, P]], before: P) -> None:
        """Show a fall among the actions that were confirmed in the position `before`, and written as these entries."""
        self._collapses.take(entries, confirmed, before)

    def put_right(self, standing: Iterable[Entry]) -> None:
        """Take a correction: these actions count now."""
        self._collapses.forget()
        actions = {one.seq: one.body.action for one in standing if isinstance(one.body, ActionConfirmed)}
        self._ticker.put_right(actions)

    def show(self, play: Play[A, P], t_us: int) -> None:
        """Show another game: from now on views are of this one."""
        self._play, self._drawn = play, None
        self._collapses, self._lessons = Collapses(play), Lessons(play)
        self._ticker.begin(self.players, t_us)

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self._scene().players)

    def resumed(self, actions: int, t_us: int) -> None:
        """Report that the hub continues a game after this number of actions."""
        self._ticker.resumed(actions, t_us)

    def view(self, t_us: int, undo: UndoAsked | None = None) -> View:
        """Return the whole table now, and the undo that somebody asks for."""
        seen, clearing, self._ripens_us = self._play.seen, self._play.clearing, None
        status = clearing.status(self._play.umpire.observed) if clearing else self._status(t_us)
        return View(
            t_us=t_us,
            table=self._play.plan.table,
            scene=self._scene(),
            provisional=() if clearing else self._provisional(),
            status=status,
            clearing=clearing.checklist(self._play.umpire.observed) if clearing else None,
            restoring=seen.restoring,
            mode=seen.mode,
            undo=undo,
            questions=() if clearing else self._play.questions,
            health=tuple(self._health(station) for station in self._link.health()),
            live=self._live(),
            held=() if clearing else self._held(status),
            happened=self._ticker.lines,
            collapse=None if clearing else self._collapses.now,
            lesson=self._lessons.at(t_us),
        )

    def _status(self, t_us: int) -> Status:
        """Return every disagreement; things that people hold or have just put down are not alarms yet."""
        seen = self._play.seen
        status = seen.status()
        self._calm = self._calm.after(status, t_us)
        if seen.restoring:
            return status
        under_way = [one.action for one in seen.provisional]
        self._ripens_us = self._calm.ripens_us(status, t_us, under_way)
        return self._calm.judged(status, t_us, under_way)

    def ripened(self, t_us: int) -> bool:
        """Return whether something that was shown calmly has stayed so long that it is an alarm now, or advice."""
        return self._lessons.ripened(t_us) or (self._ripens_us is not None and t_us >= self._ripens_us)

    def _scene(self) -> Scene:
        """Return the scene, drawn again if the game has changed; most messages of stations change nothing."""
        seen, play = self._play.seen, self._play
        moved = (seen.position, seen.provisional_position, tuple(play.actions), play.start)
        if self._drawn is None or self._drawn[:2] != (moved, play.game.edition):
            self._drawn = (moved, play.game.edition, play.game.scene(*moved))
        return self._named(self._drawn[2])

    def _named(self, scene: Scene) -> Scene:
        if not self._play.names:
            return scene
        named = (replace(one, name=name) for one, name in zip(scene.players, self._play.names, strict=False))
        return replace(scene, players=(*named, *scene.players[len(self._play.names) :]))

    def _health(self, health: Health) -> Health:
        found = self._play.senses.complaints().get(health.station)
        return replace(health, faults=(*health.faults, *found)) if found else health

    def _provisional(self) -> tuple[Provisional, ...]:
        asked = {question.about for question in self._play.umpire.questions}
        return tuple(
            Provisional(
                action=one.action,
                stage="asked" if one.action in asked else "sure" if one.certain else "seen",
                spots=one.spots,
                confidence=one.confidence.value,
                grounds=one.confidence.grounds,
                doubts=one.confidence.doubts,
                breaks=one.breaks,
            )
            for one in self._play.seen.provisional
        )

    def _held(self, status: Status) -> tuple[Held, ...]:
        """Return the building in a hand that belongs to a player's place and was built there."""
        observed = self._play.seen.observed
        held = []
        for one in status.disagreements:
            if one.state != "in_hand" or one.thing in observed.read:
                continue
            seats = {seat_of(spot) for spot in one.to}
            seat = seats.pop() if len(seats) == 1 else None
            height, count = observed.heights.get(one.thing), observed.counts.get(one.thing)
            if seat is not None and count is not None and count.n > 0:
                low_mm, high_mm = (height.low_mm, height.high_mm) if height else (None, None)
                held.append(Held(one.thing, seat, low_mm, high_mm, count.n, count.unsure))
        return tuple(held)

    def _live(self) -> tuple[Live, ...]:
        observed = self._play.seen.observed
        spots = sorted(set(observed.lying) | set(observed.mass_g))
        return tuple(self._live_spot(spot) for spot in spots)

    def _live_spot(self, spot: Spot) -> Live:
        observed = self._play.seen.observed
        things = sorted(thing for thing in observed.at(spot) if not thing.startswith("?"))
        height = next((observed.heights[thing] for thing in things if thing in observed.heights), None)
        count = next((observed.counts[thing] for thing in things if thing in observed.counts), None)
        mass_g = observed.mass_g.get(spot)
        return Live(
            spot=spot,
            thing=things[0] if things else None,
            mass_g=None if mass_g is None else round(mass_g, 1),
            moving=spot in observed.moving,
            low_mm=height.low_mm if height else None,
            high_mm=height.high_mm if height else None,
            pieces=count.n if count else None,
            pieces_unsure=count.unsure if count else False,
        )
