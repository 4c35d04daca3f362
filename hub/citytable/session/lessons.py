"""A guided game: the advice at each moment, derived from the position and not from a script."""

from typing import Generic, TypeVar

from msgspec.structs import replace

from citytable.languages.sentences import Sentences
from citytable.session.play import Play
from citytable.table.lesson import Lesson, Step
from citytable.table.spot import Spot

A = TypeVar("A")
P = TypeVar("P")

_SENTENCES = Sentences(__package__, "lessons.json")
NOTHING = Lesson()
STEADY_US = 1_500_000
"""How long advice has to stay the same before it takes the place of other advice: a card in a hand moves for less."""


class Lessons(Generic[A, P]):
    """The lessons of one play, as the game in its box makes them."""

    def __init__(self, play: Play[A, P]) -> None:
        self._play = play
        self._sensed = frozenset(play.plan.spot_plans())
        self._made: tuple[P, int, Step | None] | None = (
            None  # for the position and the cards for which it was last made
        )
        self._shown: Lesson | None = None
        self._coming: tuple[Lesson, int] | None = None  # the next advice, and since when it has been steady

    def at(self, t_us: int) -> Lesson | None:
        """Return the advice at this time; readings of a moving hand change nothing yet."""
        wanted = self.now()
        if wanted is None or self._shown is None or wanted == self._shown or not self._sensed:
            self._shown, self._coming = wanted, None
        elif self._coming is None or self._coming[0] != wanted:
            self._coming = (wanted, t_us)
        elif t_us >= self._coming[1] + STEADY_US:
            self._shown, self._coming = wanted, None
        return self._shown

    def ripened(self, t_us: int) -> bool:
        """Return whether other advice has been steady long enough to be shown, or a bot has decided."""
        if self._play.bot is not None and self._play.bot.has_news():
            return True
        return self._coming is not None and t_us >= self._coming[1] + STEADY_US

    def now(self) -> Lesson | None:
        """Return the advice for the table as it is seen at this moment; None if nobody asked for advice."""
        play = self._play
        if not (play.guided or play.empty):
            return None
        told = NOTHING if play.clearing is not None or play.seen.restoring else self._next()
        if told.seat not in play.empty and not play.guided:
            told = NOTHING
        return replace(told, guided=play.guided, empty=tuple(sorted(play.empty)))

    def _next(self) -> Lesson:
        play = self._play
        if play.questions:
            return Lesson(seat=play.questions[0].seat, topic="answer", do=_SENTENCES.text("answer"))
        position = play.seen.provisional_position
        step = self._step(position)
        return NOTHING if step is None else self._told(step, play.game.seat(position) or None)

    def _step(self, position: P) -> Step | None:
        """Return the bot's step at an empty seat, None while it thinks, and elsewhere the game's advice."""
        bot, edition, sensed = self._play.bot, self._play.game.edition, bool(self._sensed)
        if bot is not None and self._play.game.seat(position) in self._play.empty:
            step, is_thinking = bot.step(position, edition, sensed=sensed)
            if step is not None or is_thinking:
                return step
        if self._made is None or self._made[:2] != (position, edition):
            self._made = (position, edition, self._play.game.step(position, sensed=sensed))
        return self._made[2]

    def _told(self, step: Step, seat: int | None) -> Lesson:
        places = self._places(step)
        return Lesson(
            seat=seat,
            topic=step.topic,
            new=step.topic not in self._met(seat),
            rule=step.rule,
            do=step.do,
            report=step.action if self._is_unseen(step.action, places) else "",
            spots=places,
        )

    def _met(self, seat: int | None) -> set[str]:
        """Return the topics that a seat has met in its actions, including those not confirmed yet."""
        game, own = self._play.game, f"p{seat} "
        done = [*self._play.actions, *(game.action(one.action) for one in self._play.seen.provisional)]
        return {game.topic(action) for action in done if game.text(action).startswith(own)}

    def _places(self, step: Step) -> tuple[Spot, ...]:
        """Return the spots of the step, and those of its things."""
        lying = self._play.seen.observed.lying
        there = (spot for spot, found in lying.items() if not found.isdisjoint(step.things))
        return tuple(sorted({*step.spots, *there}))

    def _is_unseen(self, action: str, places: tuple[Spot, ...]) -> bool:
        """Return whether no sensor shows that the action was done."""
        if not action:
            return False
        return self._play.game.needs_word(self._play.game.action(action)) or self._sensed.isdisjoint(places)
