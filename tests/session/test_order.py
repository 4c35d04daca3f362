"""Stations are heard in any order: what they tell comes to the same game while nobody is later than the window.

What stations say goes the way of a live hub: sensed when it has come, judged in its order.
"""

import random
from itertools import accumulate, pairwise

import pytest
from hypothesis import Phase, given, settings, target
from hypothesis import strategies as st

from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import TYPES, Options
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.link.inbox import Inbox
from citytable.link.registry import SILENT_US, Registry
from citytable.link.table_link import WINDOW_US
from citytable.link.wire_in import Birth, Clock, Quiet, QuietCell, TagSeen
from citytable.session.play import Play
from citytable.table.plan import full_plan, tag_uid

pytestmark = pytest.mark.long(4)

SECOND_US = 1_000_000
BEGIN_US, END_US = 1_000_000, 4_000_000
ROUND_US = 25_000  # from one look of the hub to the next, while nothing comes
REST_US = 150_000  # hands are not faster
READ_US = 30_000  # a reader may see a thing this long before another one misses it
PLACES = ("seat/1/pad/0", "seat/1/pad/1", "seat/2/pad/0", "city/1/0", "supply/platform/0")
SLOTS = ("seat/1/card/0", "seat/1/card/1", "seat/2/card/0", "supply/contract/public")


class Dealt:
    """A game for two after its set-up, and where everything lies then."""

    def __init__(self):
        game = MegaCity(Options(players=2), HOUSE)
        self.deal = Dealer(random.Random(1)).outcome(game, next(iter(game.legal_actions)))
        game.push(self.deal)
        self.position = game.position
        self.plan = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))
        self.station = self.plan.station_of()
        self.platform, *others = (f"platform/{face.platform}/{face.up}" for face in self.deal.supply)
        self.card, *below = (f"contract/{contract}" for contract in self.deal.columns[0])
        self.next_card = below[0]
        self.bag = f"seat/{self.deal.start}/bag"
        self.lying = {
            "city/0/0": "central-park",
            "supply/platform/0": self.platform,
            **{f"supply/platform/{k}": thing for k, thing in enumerate(others, start=1)},
            **{f"supply/contract/{TYPES[k]}": f"contract/{column[0]}" for k, column in enumerate(self.deal.columns)},
            self.bag: "bag",
        }  # fmt: skip


@pytest.fixture(scope="module")
def dealt():
    return Dealt()


class Hands:
    """What readers saw: (moment, spot, thing, whether it came)."""

    def __init__(self, dealt):
        self.seen = [(0, spot, thing, True) for spot, thing in dealt.lying.items()]

    def carry(self, thing, way, draw):
        """From spot to spot, and never faster than a hand; the next card shows where one was taken."""
        t_us = BEGIN_US
        for before, spot in pairwise(way):
            t_us += REST_US + draw(st.integers(0, 60_000))
            if spot != before:
                self.seen.append((t_us + draw(st.integers(-100_000, READ_US)), before, thing, False))
                self.seen.append((t_us, spot, thing, True))

    def messages(self, dealt):
        """(moment, station, message) of every station, in its order."""
        seqs = dict.fromkeys(dealt.station.values(), 0)
        for t_us, spot, thing, here in sorted(self.seen):
            station = dealt.station[spot]
            seqs[station] += 1
            uid, at = tag_uid(thing), Clock(0, t_us)
            yield (
                t_us,
                station,
                TagSeen(boot=7, event_seq=seqs[station], at=at, spot=spot, uid=uid, here=here),
            )


def arrivals(dealt, hands, late_us):
    """(arrival, station, message), every station's in its order, as late as `late_us()` says."""
    told = list(hands.messages(dealt))
    for station in sorted({name for _, name, _ in told}):
        mine = [(t_us, message) for t_us, name, message in told if name == station]
        came = accumulate((t_us + (late_us() if t_us else 0) for t_us, _ in mine), max)
        yield from ((arrived_us, station, message) for arrived_us, (_, message) in zip(came, mine, strict=True))


def played(dealt, arrived):
    """The play after it has heard all of that as a live hub hears it, and the actions it confirmed."""
    play, inbox = Play(MegaCityTable(HOUSE), dealt.plan, dealt.position), Inbox(Registry())
    for station in sorted(set(dealt.station.values())):
        inbox.take(station, Birth(boot=7, kind="seat", firmware="test", at=Clock(0, 0), spots=()), 0)
    coming = sorted(arrived, key=lambda one: one[:2])
    rounds = [*((now_us, None, None) for now_us in range(0, END_US, ROUND_US)), *coming]
    for now_us, station, message in sorted(rounds, key=lambda one: one[0]):
        if message is not None:
            inbox.take(station, message, now_us)
            play.glimpse(inbox.fresh())
        else:
            play.hear(inbox.release(now_us - WINDOW_US), now_us)
    return play


def the_way(draw, start, others, end):
    """A hand hesitates, or does nothing after all."""
    hesitating = draw(st.lists(st.sampled_from(others), max_size=2))
    return [start, *hesitating, draw(st.sampled_from([start, end]))]


# to shrink an example would take minutes
@settings(max_examples=settings().max_examples // 2, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data())
def test_in_whatever_order_stations_are_heard_the_game_is_the_same(dealt, data):
    hands, mine, other = Hands(dealt), dealt.deal.start, 3 - dealt.deal.start
    column, slot = "supply/contract/public", f"seat/{mine}/card/0"
    hands.carry(dealt.platform, the_way(data.draw, "supply/platform/0", PLACES, f"seat/{mine}/pad/0"), data.draw)
    way = the_way(data.draw, column, SLOTS, slot)
    hands.carry(dealt.card, way, data.draw)
    if way[-1] == slot:
        hands.seen.append((max(t_us for t_us, *_ in hands.seen) - 20_000, column, dealt.next_card, True))
    passed_us = max(BEGIN_US, *(t_us for t_us, *_ in hands.seen)) + data.draw(st.integers(-40_000, 40_000))
    hands.seen += [(passed_us - 300_000, dealt.bag, "bag", False), (passed_us, f"seat/{other}/bag", "bag", True)]
    late = st.integers(0, WINDOW_US - 1)
    at_once, anyhow = (played(dealt, arrivals(dealt, hands, one)) for one in (lambda: 0, lambda: data.draw(late)))
    assert lying(anyhow) == lying(at_once)
    assert anyhow.umpire.status() == at_once.umpire.status()
    assert anyhow.umpire.provisional == at_once.umpire.provisional
    assert anyhow.actions == at_once.actions
    assert anyhow.seen is anyhow.umpire
    target(len(anyhow.actions))


def lying(play):
    return {spot: there for spot, there in play.umpire.observed.lying.items() if there}


def test_what_may_be_said_follows_what_is_seen_also_before_it_counts(dealt):
    hands, mine = Hands(dealt), dealt.deal.start
    hands.seen += [
        (BEGIN_US, "supply/contract/public", dealt.card, False),
        (BEGIN_US + 20_000, "supply/contract/public", dealt.next_card, True),
        (BEGIN_US + 900_000, f"seat/{mine}/card/0", dealt.card, True),
    ]
    arrived = sorted(arrivals(dealt, hands, lambda: 0), key=lambda one: one[:2])
    play, inbox = Play(MegaCityTable(HOUSE), dealt.plan, dealt.position), Inbox(Registry())
    for station in sorted(set(dealt.station.values())):
        inbox.take(station, Birth(boot=7, kind="seat", firmware="test", at=Clock(0, 0), spots=()), 0)
    play.hear(inbox.release(0), 0)
    taken = f"p{mine} take_contract contract={dealt.card.split('/')[1]}"
    assert taken in play.sayable()
    for now_us, station, message in arrived:
        inbox.take(station, message, now_us)
        play.glimpse(inbox.fresh())
    assert play.umpire.provisional == ()
    assert taken not in play.sayable()


def test_a_hub_that_slept_knows_what_rests_on_its_scales_once_it_has_read_what_came_meanwhile(dealt):
    """It gave its stations up as it woke, before it read what lay there; they would have moved for ever."""
    play, registry = Play(MegaCityTable(HOUSE), dealt.plan, dealt.position), Registry()
    inbox, scale = Inbox(registry), "city/0/0"
    inbox.take("park", Birth(boot=7, kind="park", firmware="test", at=Clock(0, 0), spots=()), 0)

    def rests(seq, said_us, arrived_us):
        cell = QuietCell(spot=scale, cell=0, n=80, mean=0.0, spread=20.0, min=-60, max=60, lost=0)
        inbox.take("park", Quiet(boot=7, sample_seq=seq, at=Clock(0, said_us), cells=(cell,)), arrived_us)
        play.glimpse(inbox.fresh())

    woken_us = 2 * SILENT_US
    for seq in (1, 2, 3):
        rests(seq, seq * SECOND_US, seq * SECOND_US)
    play.hear(inbox.release(woken_us - 1), woken_us - 1)
    inbox.tend(woken_us)
    play.glimpse(inbox.fresh())
    for seq in (4, 5, 6):
        rests(seq, seq * SECOND_US, woken_us)
    play.hear(inbox.release(woken_us), woken_us)
    assert not registry.fallen_silent(woken_us)
    assert scale not in play.umpire.observed.moving
