"""The ticker: the latest events at the table, which the screens put into words.

A fall that is only suspected is a provisional line; it is confirmed or disappears. A corrected action keeps its line
and the line's number, so that nobody announces it again; the line of one that never happened disappears.
"""

from collections import deque
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from citytable.table.fact import Fact, Fell, StationCame, StationWent
from citytable.table.spot import Spot, seat_of
from citytable.views.state import Happened
from citytable.views.wording import happened

LINES_KEPT = 40
SHOWN = 0.7  # a less likely alert is no line: most of them are withdrawn before anybody has read them


class Ticker:
    """Remembers lines."""

    def __init__(self) -> None:
        self._lines: deque[Happened] = deque(maxlen=LINES_KEPT)
        self._said = 0
        self._suspected: dict[Spot, Happened] = {}
        self._gone: set[str] = set()
        self._acts: dict[int, int] = {}  # the entry of each line, by the line's number

    @property
    def lines(self) -> tuple[Happened, ...]:
        """Return the lines, oldest first."""
        return tuple(self._lines)

    def act(self, action: str, t_us: int, entry: int) -> None:
        """Add a confirmed action, written as this entry."""
        self._said += 1
        self._acts[self._said] = entry
        self._lines.append(happened(self._said, t_us, action))

    def put_right(self, stands: Mapping[int, str]) -> None:
        """Take a correction: these actions count now, by their entries. An inserted action gets no line."""
        kept_acts = {None, *stands}
        kept = [line for line in self._lines if self._acts.get(line.no) in kept_acts]
        self._acts = {line.no: self._acts[line.no] for line in kept if line.no in self._acts}
        self._lines.clear()
        for line in kept:
            entry = self._acts.get(line.no)
            self._lines.append(line if entry is None else happened(line.no, line.t_us, stands[entry]))

    def begin(self, players: int, t_us: int) -> None:
        """Begin another game. The numbers continue, so that a screen knows that the next lines are new."""
        self._lines.clear()
        self._acts.clear()
        self._suspected.clear()
        self._add("sensed.game_began", t_us, {"players": str(players)})

    def resumed(self, actions: int, t_us: int) -> None:
        """Report that the hub was away, and continues a game after this number of actions."""
        self._add("sensed.hub_came", t_us, {"actions": str(actions)})

    def notice(self, facts: Iterable[Fact]) -> None:
        """Report facts that everybody may know: falls in the city, stations that went, and came back."""
        for fact in facts:
            match fact:
                case Fell() if seat_of(fact.spot) is None:
                    self._fell(fact)
                case StationWent(station=station):
                    self._gone.add(station)
                    self._add("sensed.station_went", fact.t_us, {"station": station})
                case StationCame(station=station) if station in self._gone:
                    self._gone.discard(station)
                    self._add("sensed.station_came", fact.t_us, {"station": station})

    def _add(self, key: str, t_us: int, words: dict[str, str], *, provisional: bool = False) -> Happened:
        self._said += 1
        line = Happened(no=self._said, t_us=t_us, key=key, words=words, provisional=provisional)
        self._lines.append(line)
        return line

    def _fell(self, fell: Fell) -> None:
        if fell.stage == "alert" and fell.confidence < SHOWN:
            return
        words = {"spot": fell.spot, "lost_g": str(round(fell.lost_g))}
        suspected = self._suspected.pop(fell.spot, None)
        if suspected in self._lines and suspected is not None:
            at = self._lines.index(suspected)
            if fell.stage == "withdrawn":
                del self._lines[at]
                return
            line = replace(suspected, words=words, provisional=fell.stage == "alert")
            self._lines[at] = line
        elif fell.stage == "withdrawn":
            return
        else:
            line = self._add("sensed.fell", fell.t_us, words, provisional=fell.stage == "alert")
        if line.provisional:
            self._suspected[fell.spot] = line
