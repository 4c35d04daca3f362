"""A hub that was killed comes back to what it knew: position, acts under way, questions, what every scale weighed.

`tools/every_entry.py --games 10` does the same after every single commit of whole games.
"""

from types import SimpleNamespace

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.journal.entry import Draft, GameStarted
from citytable.journal.store import Commit, Store
from citytable.session.play import Play
from citytable.settings import Settings

pytestmark = pytest.mark.long(12)

TURNS = 5
RECALL_ONE_IN = 8  # commits; the files are looked at after each of them
STARTED = GameStarted(game="megacity", options={"players": 2})


@pytest.fixture(scope="module")
def every_entry(load_tool):
    return load_tool("every_entry")


@pytest.mark.broker
@pytest.mark.seeds("players, seed, faults", [(3, 12, True), pytest.param(2, 11, False, marks=pytest.mark.soak)], soak=4)
async def test_at_any_moment_of_a_game_the_journal_brings_back_what_was_known(every_entry, players, seed, faults):
    counts = await every_entry.played(players, seed, faults=faults, turns=TURNS, recall_one_in=RECALL_ONE_IN)
    assert counts["turns"] == TURNS
    assert counts["commits"] > counts["recalled"] > TURNS


@pytest.fixture
def looks(every_entry, tmp_path):
    return every_entry.Looks(Settings(options=Options(players=2)), tmp_path)


@pytest.fixture
def store(every_entry, tmp_path):
    with Store.open(tmp_path / every_entry.JOURNAL) as store:
        yield store


def _written(store, marks):
    return store.append(Commit("g", (Draft(0, "system", STARTED),), marks))


def test_an_entry_that_did_not_get_to_the_files_is_noticed(every_entry, looks, store):
    written = _written(store, {})
    looks.look(written, {})
    with pytest.raises(every_entry.Lost, match="of 2 entries 1 are left"):
        looks.look(written, {})


def test_a_mark_that_did_not_get_to_the_files_is_noticed(every_entry, looks, store):
    with pytest.raises(every_entry.Lost, match=r"after entry 1: .* not .*7"):
        looks.look(_written(store, {("park", 1): 6}), {("park", 1): 7})


def test_a_hub_that_comes_back_to_something_else_is_noticed(every_entry, looks, store):
    game = MegaCityTable(HOUSE)
    of_three = Options(players=3)
    plan = Settings(options=of_three).plan()
    looks.hub = SimpleNamespace(play=Play(game, plan, MegaCity(of_three, HOUSE).start))
    with pytest.raises(every_entry.Lost, match="after entry 1, position"):
        looks.look(_written(store, {}), {})
