"""From a play to the view that screens and rings are drawn from."""

from collections import deque
from typing import Generic, TypeVar

from citytable.link.table_link import TableLink
from citytable.session.play import Play
from citytable.umpire.umpire import Confirmed
from citytable.views.state import Happened, Live, Provisional, View
from citytable.views.wording import happened

A = TypeVar("A")
P = TypeVar("P")

LINES_KEPT = 40
SURE, LIKELY = 0.95, 0.6  # quiet and agreeing, or still contradicted by something


class Display(Generic[A, P]):
    """Makes views of a play, and remembers the lines of its ticker."""

    def __init__(self, play: Play[A, P], link: TableLink) -> None:
        self._play = play
        self._link = link
        self._lines: deque[Happened] = deque(maxlen=LINES_KEPT)
        self._said = 0

    def tell(self, confirmed: tuple[Confirmed[A, P], ...], t_us: int) -> None:
        """Add confirmed actions to the ticker."""
        for one in confirmed:
            self._said += 1
            self._lines.append(happened(self._said, t_us, one.text))

    def view(self, t_us: int) -> View:
        """The whole table now."""
        umpire = self._play.umpire
        game = self._play.game
        return View(
            t_us=t_us,
            table=self._play.plan.table,
            scene=game.scene(umpire.position, umpire.provisional_position, self._play.actions),
            provisional=self._provisional(),
            status=umpire.status(),
            questions=umpire.questions,
            health=self._link.health(),
            live=self._live(),
            happened=tuple(self._lines),
        )

    def _provisional(self) -> tuple[Provisional, ...]:
        umpire = self._play.umpire
        asked = {question.about for question in umpire.questions}
        return tuple(
            Provisional(
                action=one.action,
                stage="asked" if one.action in asked else "sure" if one.certain else "seen",
                confidence=SURE if one.certain else LIKELY,
                spots=one.spots,
            )
            for one in umpire.provisional
        )

    def _live(self) -> tuple[Live, ...]:
        observed = self._play.umpire.observed
        spots = sorted(set(observed.lying) | set(observed.mass_g))
        return tuple(self._live_spot(spot) for spot in spots)

    def _live_spot(self, spot: str) -> Live:
        observed = self._play.umpire.observed
        things = sorted(thing for thing in observed.at(spot) if not thing.startswith("?"))
        height = next((observed.heights[thing] for thing in things if thing in observed.heights), None)
        mass_g = observed.mass_g.get(spot)
        return Live(
            spot=spot,
            thing=things[0] if things else None,
            mass_g=None if mass_g is None else round(mass_g, 1),
            moving=spot in observed.moving,
            low_mm=height.low_mm if height else None,
            high_mm=height.high_mm if height else None,
        )
