from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.table.status import Status
from citytable.views.feed import Feed, FeedEvent
from citytable.views.state import Happened, Live, View
from citytable.views.viewer import PUBLIC, Seen, seen_by

EMPTY = seen_by(PUBLIC, View(t_us=0, table="salon"))
SEENS = st.builds(
    lambda mass, lines, agrees: replace(
        EMPTY,
        live=tuple(Live("city/0/0", mass_g=float(mass)) for _ in range(mass % 2)),
        happened=tuple(Happened(no, no, "action.end_turn") for no in range(lines)),
        status=Status() if agrees else EMPTY.status,
    ),
    st.integers(0, 9),
    st.integers(0, 4),
    st.booleans(),
)


def applied(seen: dict[str, Any], events: tuple[FeedEvent, ...]) -> dict[str, Any]:
    """What a screen shows that has read these events, as JSON."""
    for event in events:
        data = msgspec.to_builtins(event.data)
        if event.type == "snapshot":
            seen = data
        elif event.type == "change":
            seen = {**seen, **data}
    return seen


def as_json(seen: Seen) -> dict[str, Any]:
    return {name: part for name, part in msgspec.to_builtins(seen).items() if name != "t_us"}


@given(st.lists(SEENS, max_size=12), st.integers(0, 12), st.integers(1, 6))
def test_a_reader_who_comes_back_any_time_sees_what_the_table_shows(seens: list[Seen], left_at: int, kept: int) -> None:
    feed = Feed(EMPTY, first_seq=50, kept=kept)
    (snapshot,) = feed.since(None)
    screen, read = applied({}, (snapshot,)), snapshot.seq
    for number, seen in enumerate(seens):
        events = feed.show(seen)
        if number < left_at and events:
            screen, read = applied(screen, events), events[-1].seq
    screen = applied(screen, feed.since(read))
    screen.pop("t_us", None)
    assert screen == as_json(feed.seen)


@given(st.lists(SEENS, max_size=12))
def test_events_are_numbered_without_holes(seens: list[Seen]) -> None:
    feed = Feed(EMPTY, first_seq=50)
    numbers = [event.seq for seen in seens for event in feed.show(seen)]
    assert numbers == list(range(51, 51 + len(numbers)))


def test_time_alone_is_no_event() -> None:
    feed = Feed(EMPTY, first_seq=1)
    assert feed.show(replace(EMPTY, t_us=5)) == ()


def test_a_number_of_an_earlier_run_gets_a_snapshot() -> None:
    feed = Feed(EMPTY, first_seq=2000)
    feed.show(replace(EMPTY, table="parlour"))
    assert [event.type for event in feed.since(1004)] == ["snapshot"]
    assert [event.type for event in feed.since(9999)] == ["snapshot"]


def test_a_change_holds_only_the_parts_that_changed_and_each_of_them_whole(midgame: View) -> None:
    feed = Feed(seen_by(PUBLIC, midgame), first_seq=1)
    (event,) = feed.show(seen_by(PUBLIC, replace(midgame, live=())))
    assert event.data == {"live": ()}
    assert event.provisional


def test_a_confirmed_position_is_not_provisional(midgame: View) -> None:
    feed = Feed(seen_by(PUBLIC, midgame), first_seq=1)
    later = replace(midgame, scene=replace(midgame.scene, turn=20), live=())
    (event,) = feed.show(seen_by(PUBLIC, later))
    assert event.data.keys() == {"scene", "live"}
    assert not event.provisional


def test_a_line_is_told_provisionally_and_again_when_it_is_confirmed() -> None:
    feed = Feed(EMPTY, first_seq=1)
    first = Happened(7, 1, "action.deliver", {}, 2, True)
    told = feed.show(replace(EMPTY, happened=(first,)))
    confirmed = feed.show(replace(EMPTY, happened=(replace(first, provisional=False),)))
    assert [(event.type, event.provisional) for event in told] == [("change", True), ("happened", True)]
    assert [(event.type, event.provisional) for event in confirmed] == [("change", True), ("happened", False)]
