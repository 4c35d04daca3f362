"""A hub comes back: what its stations saw meanwhile is told in any order over two lines, and means what happened."""

import pytest

from citytable.link.inbox import Inbox
from citytable.link.registry import Registry
from citytable.link.roll_call import RollCall
from citytable.link.wire_in import Birth, Clock, Inventory, Lying, Pong, TagSeen
from citytable.session.play import Play
from citytable.table.fact import StationCame, TagCame, TagLeft
from citytable.table.plan import tag_uid

BAG = tag_uid("bag")
BOOT, S_US = 7, 1_000_000
ENDED_US, BACK_US, PATIENCE_US = 100 * S_US, 110 * S_US, 5 * S_US
OFFSETS_US = {"seat-1": 40 * S_US, "seat-2": -1_000 * S_US}
"""Hub time minus station time: these two were switched on at different times."""


class Station:
    """Says in its own time what it saw; `told` is what it has repeated, `answer` what it says to the clock question."""

    def __init__(self, name: str) -> None:
        self.name, self._seq = name, 0
        self.bag = f"seat/{name[-1]}/bag"

    def at(self, t_us: int) -> Clock:
        return Clock(0, t_us - OFFSETS_US[self.name])

    def birth(self) -> Birth:
        return Birth(boot=BOOT, kind="seat", firmware="test", at=Clock(0, 5), spots=())

    def inventory(self, t_us: int, *, bag: bool) -> Inventory:
        self._seq += 1
        tags = (Lying(self.bag, BAG),) if bag else ()
        return Inventory(boot=BOOT, event_seq=self._seq, at=self.at(t_us), tags=tags)

    def tag(self, t_us: int, *, here: bool) -> TagSeen:
        self._seq += 1
        return TagSeen(boot=BOOT, event_seq=self._seq, at=self.at(t_us), spot=self.bag, uid=BAG, here=here)


class Hub:
    """The way from what arrives to the facts, at a hub that has just come back."""

    def __init__(self, play: Play, marks: dict[tuple[str, int], int]) -> None:
        self.play, self.registry = play, Registry()
        self.inbox = Inbox(self.registry, marks, RollCall(OFFSETS_US, BACK_US, BACK_US + PATIENCE_US))
        self.now_us = BACK_US

    def take(self, station: Station, *said, retained: bool = False) -> None:
        for message in said:
            self.now_us += 1_000
            self.inbox.take(station.name, message, self.now_us, retained=retained)

    def asks_and_hears(self, stations: list[Station]) -> None:
        """The clock questions, each answered two milliseconds later."""
        asked_us = self.now_us
        self.now_us += 2_000
        for name, question in self.registry.pings_due(asked_us):
            (station,) = [one for one in stations if one.name == name]
            heard = station.at(asked_us + 1_000)
            self.take(station, Pong(boot=BOOT, id=question, received=heard, sent=heard))

    def bag_facts(self) -> list[tuple[str, str]]:
        """What became of the bag, by what is given out now."""
        self.inbox.tend(self.now_us)
        self.play.hear(self.inbox.release(self.now_us), self.now_us)
        facts = self.play.take_facts()
        return [(type(one).__name__, one.spot) for one in facts if isinstance(one, TagCame | TagLeft)]


@pytest.mark.parametrize("repeats", [[0, 1], [1, 0]])
@pytest.mark.parametrize("answers", [[0, 1], [1, 0]])
def test_a_bag_that_was_passed_while_the_hub_was_away_went_once(table, repeats, answers):
    """What seat 1 still has to say begins with the bag lying there: that was before seat 2 had it."""
    one, two = stations = [Station("seat-1"), Station("seat-2")]
    hub = Hub(table().play, {("seat-1", BOOT): 0, ("seat-2", BOOT): 0})
    hub.play.recall(TagCame(t_us=ENDED_US, confidence=1.0, spot="seat/1/bag", uid=BAG, thing="bag"))
    one_says = (
        one.inventory(101 * S_US, bag=True),
        one.tag(103 * S_US, here=False),
        one.inventory(BACK_US + 500, bag=False),
    )
    two_says = (two.inventory(101 * S_US, bag=False), two.tag(105 * S_US, here=True))
    two_says += (two.inventory(BACK_US + 500, bag=True),)
    for station in stations:
        hub.take(station, station.birth(), retained=True)
    for k in repeats:
        hub.take(stations[k], *(one_says, two_says)[k])
        assert hub.bag_facts() == []
    hub.asks_and_hears([stations[k] for k in answers])
    assert hub.bag_facts() == [("TagLeft", "seat/1/bag"), ("TagCame", "seat/2/bag")]


def test_the_journal_tells_of_the_silence_before_what_is_heard_after_it(table):
    """A hub that is cut off once more must know which weights come from before the first time."""
    told = table()
    told.play.recall(StationCame(t_us=0, station="park", boot=BOOT, spots=("city/0/0",)))
    told.play.went_away(ENDED_US)
    assert told.play.take_facts() == ()
    told.hear("seat-1", told.tag("seat/1/bag", BAG), t_us=BACK_US)
    told.hear("seat-1", told.tag("seat/1/card/0", tag_uid("contract/PU1")), t_us=BACK_US + S_US)
    assert [type(fact).__name__ for fact in told.play.take_facts()] == ["StationWent", "TagCame", "TagCame"]
