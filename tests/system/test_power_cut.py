"""The plug of a whole playing hub is pulled, with messages in flight: nothing is lost, nothing happens twice.

`tools/power_cut.py --instants 200` does the same for as long as one likes.
"""

import pytest

pytestmark = pytest.mark.long(14)

INSTANTS = 3
SEED = 8


@pytest.fixture(scope="module")
def power_cut(load_tool):
    return load_tool("power_cut")


@pytest.mark.broker
async def test_a_hub_that_is_killed_again_and_again_loses_nothing_and_says_that_it_is_back(power_cut):
    evening = await power_cut.cut_off(SEED, INSTANTS)
    assert sum(evening.cuts.values()) == INSTANTS
    assert evening.turns >= power_cut.TURNS_AFTER
    assert evening.screen.said_so == evening.screen.returns > 0


def test_a_screen_that_came_back_to_the_same_hub_is_no_return_of_the_hub(power_cut):
    hub = power_cut.Hub.__new__(power_cut.Hub)
    hub.port = 0
    screen = power_cut.Screen(hub)
    for start, line in [(1, "action.end_turn"), (1, "action.end_turn"), (2, "sensed.hub_came"), (2, "action.end_turn")]:
        screen._read({"type": "snapshot", "data": {"happened": [{"key": line}]}}, start)
    assert (screen.snapshots, screen.returns, screen.said_so) == (4, 1, 1)


def test_what_was_acknowledged_and_is_not_in_the_journal_is_noticed(power_cut, tmp_path):
    hub = power_cut.Hub.__new__(power_cut.Hub)
    hub.journal = tmp_path / "journal.sqlite3"
    heard = power_cut.Heard()
    heard.take("citytable/1/table/park/ack", b'{"v": 1, "type": "ack", "boot": 7, "event_seq": 3}')
    evening = power_cut.Evening(hub, heard, screen=None, rng=None)
    with pytest.raises(power_cut.Lost, match="was told that 3 is safe, and the journal knows 0"):
        evening.look()
