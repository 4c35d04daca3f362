"""The witness: keeps the raw signals of a play beside its journal, and returns those behind an entry."""

from collections.abc import Iterable
from typing import Generic, Self, TypeVar

from citytable.journal.entry import Entry, FactNoted
from citytable.journal.traces import Traces
from citytable.session.evidence import rests_on
from citytable.session.excerpt_recorder import TRAIL_US
from citytable.session.play import Play
from citytable.umpire.acts import Confirmed
from citytable.views.signal import NoEntry, Signal, signal

A = TypeVar("A")
P = TypeVar("P")


class Witness(Generic[A, P]):
    """The witness of one play."""

    def __init__(self, game_id: str, play: Play[A, P]) -> None:
        self._game_id = game_id
        self._play = play
        self.traces: Traces | None = None
        """Where signals are kept; None: nowhere."""
        self._before = play.umpire.position

    def of(self, game_id: str, play: Play[A, P]) -> Self:
        """Return the witness of another play that keeps signals in the same place."""
        other = type(self)(game_id, play)
        other.traces = self.traces
        return other

    def stands(self, position: P) -> None:
        """Take a correction: this is the confirmed position now."""
        self._before = position

    def saw(self, entries: Iterable[Entry], confirmed: Iterable[Confirmed[A, P]], now_us: int) -> None:
        """Note that these entries were written, with these confirmed actions among them."""
        umpire = self._play.umpire
        links = self._play.evidence.links(entries, confirmed, self._before, umpire.provisional_position)
        self._before = umpire.position
        excerpts = self._play.senses.recorder.over(now_us)
        if self.traces is not None and (links or excerpts):
            self.traces.keep(self._game_id, [*excerpts, *links])

    def leave(self, now_us: int) -> None:
        """Stop listening; unfinished excerpts are kept as they are."""
        self.saw((), (), now_us + TRAIL_US)

    async def signal(self, seq: int, entries: tuple[Entry, ...]) -> Signal:
        """Return the signal behind entry `seq` of the game's `entries`; without curves if none is kept.

        Raises `NoEntry`, and `BadExcerpt` with a sentence if there may be one that cannot be read.
        """
        entry = next((one for one in entries if one.seq == seq), None)
        if entry is None:
            raise NoEntry(seq)
        source = rests_on(entry, entries)
        if source is None or self.traces is None:
            return signal(seq, (), (), {})
        excerpts = await self.traces.of_entry(self._game_id, source.seq, source.at_us)
        facts = [one.body.fact for one in entries if isinstance(one.body, FactNoted)]
        cells = {spot: sensors.cells for spot, sensors in self._play.plan.spot_plans().items()}
        return signal(seq, excerpts, facts, cells)
