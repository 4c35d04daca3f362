"""What the entities show: a pure function of what the public sees."""

import json
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.session.ticker import Ticker
from citytable.table.fact import Fell
from citytable.views.home_assistant import Firmware
from citytable.views.home_assistant_states import collapses, states
from citytable.views.lamp import Lamp
from citytable.views.state import Live, View

OURS = Firmware("0.1.0", "0.1.0")


@pytest.fixture(scope="session")
def told(plan, seen):
    """`told(view)`: what the house is told, by channel."""

    def tell(view: View, lamp: Lamp = Lamp(), versions: dict[str, str] = {}):  # noqa: B006, B008
        messages = states(plan, seen(view), lamp, OURS, versions)
        return {topic.rsplit("/", 1)[1]: json.loads(payload) for topic, payload in messages.items()}

    return tell


def test_a_small_table_shows_what_was_agreed(small_plan, midgame, seen, golden):
    golden("states.json", states(small_plan, seen(midgame), Lamp(on=False, brightness=40), OURS, {"park": "0.0.9"}))


def test_the_tallest_building_is_the_tallest_of_the_confirmed_ones(told, midgame):
    heights = midgame.scene.heights_mm
    table = told(midgame)["table"]
    assert table["tallest_mm"] == max(heights.values())
    assert heights[table["tallest_spot"]] == table["tallest_mm"]
    assert table["buildings"] == len(heights)


def test_before_a_game_nothing_is_known_and_nothing_is_made_up(told):
    empty = told(View(t_us=0, table="salon"))
    assert empty["table"] == {
        "tallest_mm": None,
        "tallest_spot": None,
        "buildings": 0,
        "seat": None,
        "phase": None,
        "questions": 0,
        "disagreements": 0,
    }
    assert empty["spot-city-1--1"] == {"height_mm": None, "load_g": None, "moving": False}
    assert empty["station-park"] == {"online": False, "faults": [], "firmware": {"latest_version": "0.1.0"}}


def test_what_fell_has_no_height(told, midgame):
    spot, height_mm = next(iter(midgame.scene.heights_mm.items()))
    others = {other: mm for other, mm in midgame.scene.heights_mm.items() if other != spot}
    fallen = replace(midgame, scene=replace(midgame.scene, heights_mm=others))
    channel = f"spot-{spot.replace('/', '-')}"
    assert told(midgame)[channel]["height_mm"] == height_mm
    assert told(fallen)[channel]["height_mm"] is None


def test_a_load_is_told_in_whole_grams_with_whether_it_moves(told, midgame):
    moving = replace(midgame, live=(Live(spot="city/1/-1", mass_g=41.7, moving=True),))
    assert told(moving)["spot-city-1--1"]["load_g"] == 42
    assert told(moving)["spot-city-1--1"]["moving"] is True


@given(mass_g=st.floats(0, 3000), spot=st.sampled_from(["seat/1/pad/0", "seat/2/bag", "seat/3/card/1"]))
def test_what_happens_at_a_seat_changes_nothing_that_is_told(told, midgame, mass_g, spot):
    live = Live(spot=spot, thing="contract/CO5", mass_g=mass_g, moving=True, low_mm=90.0, high_mm=95.0)
    others = tuple(one for one in midgame.live if one.spot != spot)
    assert told(replace(midgame, live=(*others, live))) == told(midgame)


def test_no_thing_no_card_and_no_score_is_told(plan, midgame, seen):
    text = b" ".join(states(plan, seen(midgame), Lamp(), OURS, {}).values())
    public = msgspec.to_builtins(midgame.scene)
    names = {card["name"] for area in public["board"]["areas"] for card in area["open_contracts"]}
    things = {live.thing for live in midgame.live if live.thing}
    assert names
    assert things
    assert not [name for name in names | things if name.encode() in text]


@pytest.fixture(scope="session")
def ticked(seen):
    """`ticked(fell, ...)`: what the public sees after each of these facts."""

    def tick(*facts: Fell):
        ticker, views = Ticker(), [View(t_us=0, table="salon")]
        for fact in facts:
            ticker.notice([fact])
            views.append(View(t_us=fact.t_us, table="salon", happened=ticker.lines))
        return [seen(view) for view in views]

    return tick


def fell(stage, spot="city/1/-1", lost_g=31.6) -> Fell:
    return Fell(t_us=1, spot=spot, lost_g=lost_g, stage=stage)


def events(before, after):
    told = collapses("salon", before, after)
    assert {topic for topic, _ in told} <= {"citytable/1/salon/home/collapse"}
    return [json.loads(payload) for _, payload in told]


def test_a_fall_is_suspected_and_then_confirmed(ticked):
    nothing, alert, sure = ticked(fell("alert"), fell("confirmed", lost_g=40.2))
    assert events(nothing, alert) == [{"event_type": "suspected", "spot": "city/1/-1", "lost_g": 32}]
    assert events(alert, sure) == [{"event_type": "confirmed", "spot": "city/1/-1", "lost_g": 40}]
    assert events(sure, sure) == []


def test_a_suspicion_may_be_withdrawn(ticked):
    _, alert, gone = ticked(fell("alert"), fell("withdrawn"))
    assert events(alert, gone) == [{"event_type": "withdrawn", "spot": "city/1/-1", "lost_g": 32}]


def test_a_suspicion_is_withdrawn_also_when_something_else_happened_since(ticked):
    _, alert, _, gone = ticked(fell("alert"), fell("confirmed", "city/2/0"), fell("withdrawn"))
    assert events(alert, gone) == [
        {"event_type": "confirmed", "spot": "city/2/0", "lost_g": 32},
        {"event_type": "withdrawn", "spot": "city/1/-1", "lost_g": 32},
    ]


def test_what_came_and_went_between_two_looks_is_told_as_it_ended(ticked):
    nothing, _, sure = ticked(fell("alert"), fell("confirmed"))
    assert [event["event_type"] for event in events(nothing, sure)] == ["confirmed"]
    nothing, _, gone = ticked(fell("alert"), fell("withdrawn"))
    assert events(nothing, gone) == []


def test_a_fall_at_a_seat_is_nobody_elses_business(ticked):
    nothing, one = ticked(fell("confirmed", "seat/1/pad/0"))
    assert events(nothing, one) == []


@given(
    stages=st.lists(st.tuples(st.sampled_from(["alert", "confirmed", "withdrawn"]), st.integers(-3, 3)), max_size=30)
)
def test_nobody_is_left_with_a_suspicion_that_was_dropped(ticked, stages):
    views = ticked(*(fell(stage, f"city/{q}/0") for stage, q in stages))
    open_: list[str] = []
    for before, after in pairwise(views):
        for event in events(before, after):
            if event["event_type"] == "suspected":
                open_.append(event["spot"])
            elif event["spot"] in open_:
                open_.remove(event["spot"])
            else:
                assert event["event_type"] == "confirmed"
    assert len(open_) == sum(line.provisional for line in views[-1].happened)
