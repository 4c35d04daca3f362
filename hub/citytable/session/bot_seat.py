"""The bot's moves for an empty seat: it looks ahead in a separate thread, and the hub never waits for it."""

import logging
import random
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Protocol, runtime_checkable

from citytable.bots.bot import Advised
from citytable.bots.planner import ChanceOf, Planner
from citytable.rules.budget import Budget
from citytable.table.lesson import Ahead, Step

_log = logging.getLogger(__name__)
Decided = Future[Any]
Submit = Callable[[Callable[[], Any]], Decided]


@runtime_checkable
class LooksAhead(Protocol):
    """A box with a bot for empty seats."""

    @property
    def budget(self) -> Budget:
        """Return how far the bot looks ahead."""
        ...

    @property
    def ahead(self) -> Ahead:
        """Return what the bot needs of the game."""
        ...


class BotSeat:
    """The bot of one table. `box` returns the box as it is now, `submit` runs a call in another thread.

    There is no step if the box has no bot, if there is nothing to decide, or if looking ahead fails: then the game's
    own advice applies.
    """

    def __init__(self, box: Callable[[], object], chance_of: ChanceOf, submit: Submit) -> None:
        self._box = box
        self._chance_of = chance_of
        self._submit = submit
        self._asked: tuple[Any, int] | None = None  # the position, and the edition of the cards
        self._decided: Decided | None = None
        self._is_told = True

    def step(self, position: Any, edition: int, *, sensed: bool) -> tuple[Step | None, bool]:
        """Return the bot's step in this position, and whether it is still thinking."""
        box = self._box()
        if not isinstance(box, LooksAhead):
            return None, False
        if self._asked != (position, edition) or self._decided is None:
            if self._decided is not None:
                self._decided.cancel()  # hands in motion make many positions: only the last one matters
            self._asked, self._is_told = (position, edition), False
            self._decided = self._submit(partial(self._decision, box, position))
        if not self._decided.done():
            return None, True
        self._is_told = True
        if (error := self._decided.exception()) is not None:
            _log.info("a bot could not look ahead: %s", error)
            return None, False
        decision = self._decided.result()
        return (None if decision is None else box.ahead.step_of(position, decision, sensed=sensed)), False

    def has_news(self) -> bool:
        """Return whether the bot has made up its mind since it was last asked."""
        return not self._is_told and self._decided is not None and self._decided.done()

    def _decision(self, box: LooksAhead, position: Any) -> Any:
        """Look ahead, always with the same luck, so that a position gives the same decision whenever it comes up."""
        game: Advised[Any] = box.ahead.going_on(position)
        decisions = list(game.legal_actions)
        if not game.player or not decisions:
            return None
        return Planner(random.Random(0), self._chance_of, box.budget).choose(game, decisions)
