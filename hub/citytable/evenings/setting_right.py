"""Setting right: whether an evening that got stuck goes on once the host has set the table as it stands.

The same people play the same evening once more, this time with a host who looks at the display. When turns
have waited for `PATIENCE_US` and it says that something is wrong, they set the table to what people did, as soon as a
turn has ended.
"""

from collections.abc import Mapping, Sequence

from citytable.evenings.judging import Judge, Referee
from citytable.evenings.performance import Done, Heard, Performance
from citytable.rules.errors import IllegalAction
from citytable.table.word import Statement

WAITING_TURNS = 2
PATIENCE_US = 30_000_000


class HostedJudge(Judge):
    """Judge an evening with a host. `times`: how often they set the table."""

    def __init__(self, performance: Performance, referee: Referee, rates: Mapping[str, float]) -> None:
        super().__init__(performance, referee, rates)
        self.times = 0
        self._well_us = 0  # until when no turns waited
        self._turns_ended = 0

    def _goes_on(self) -> bool:
        """Return whether judging goes on: a host does not give up."""
        self._behind_us = self.now_us
        return super()._goes_on()

    def _step(
        self, facts: list[Heard], words: list[tuple[int, Statement]]
    ) -> tuple[list[Heard], list[tuple[int, Statement]]]:
        left = super()._step(facts, words)
        if self._behind() < WAITING_TURNS:
            self._well_us = self.now_us
        done = self._done()
        ended = sum(self._referee.ends_turn(one.action) for one in done)
        has_ended, self._turns_ended = ended > self._turns_ended, ended
        is_asked_to = self.now_us - self._well_us > PATIENCE_US and self.is_told()
        if has_ended and is_asked_to and not self._truth.wrong:
            self._set_right(done)
        return left

    def is_told(self) -> bool:
        """Return whether the display now says that something is wrong."""
        return bool(self._door.complaints())

    def _set_right(self, done: Sequence[Done]) -> None:
        try:
            self._door.set_as_it_stands([one.action for one in done])
        except IllegalAction:  # somebody built with a neighbour's pieces: who has how many, the acts do not say
            return
        self._truth.set_right(done, self.now_us)
        self.times += 1
        self._well_us = self.now_us


def end_with_host(performance: Performance, referee: Referee, rates: Mapping[str, float]) -> str:
    """Return how the evening ends with a host who could set the table; if they never could, the reason.

    `over`: the evening ended before a turn did. `untold`: the display did not say that something was wrong.
    """
    judge = HostedJudge(performance, referee, rates)
    end = judge.run().end
    if end != "stuck" or judge.times:
        return end
    return "over" if judge.is_told() else "untold"
