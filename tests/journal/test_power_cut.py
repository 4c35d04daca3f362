"""The plug is pulled: what was acknowledged is there, nothing is there twice, and what is left is a sound beginning."""

import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text
from citytable.hub import replayed
from citytable.journal.entry import ActionConfirmed, Draft, GameStarted
from citytable.journal.store import Commit, Store

pytestmark = pytest.mark.long(34)

RECORDED = Path(__file__).parents[1] / "games" / "playthroughs"
FROM_THE_DEAL_ON = [path for path in sorted(RECORDED.glob("*.jsonl")) if "set_up" in path.read_text(encoding="utf-8")]
KILLS = 40
LOOK_EVERY = 10  # entries between two replays
WRITER = """
import sys
from pathlib import Path
from citytable.journal.entry import ActionConfirmed, Draft, GameStarted
from citytable.journal.store import Commit, Store
store = Store.open(Path(sys.argv[1]))
if not store.games():
    store.append(Commit("g", (Draft(0, "system", GameStarted(game="counting")),)))
n = len(store.entries("g").entries)
while True:
    n += 1
    action = Draft(n, "sensor", ActionConfirmed(action=str(n)))
    store.append(Commit("g", (action,), {("park", 7): n}))
    print(n, flush=True)
"""


def test_a_writer_that_is_killed_at_any_moment_has_lost_nothing_it_acknowledged(path):
    rng = random.Random(1)
    acknowledged = 1
    for _ in range(KILLS):
        with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
            for _ in range(rng.randrange(1, 40)):
                acknowledged = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            acknowledged = max([acknowledged, *(int(line) for line in writer.stdout.read().split("\n")[:-1])])
        with Store.open(path) as store:
            assert store.damage == ()
            entries, marks = store.entries("g"), store.marks()
        assert entries.damage == ""
        assert len(entries.entries) >= acknowledged
        told = [entry.body.action for entry in entries.entries[1:]]
        assert told == [str(n) for n in range(2, len(entries.entries) + 1)]
        assert marks == {("park", 7): len(entries.entries)}  # the mark came with its effect, or neither did


@pytest.mark.parametrize("recorded", FROM_THE_DEAL_ON[:10], ids=lambda recorded: recorded.stem)
def test_after_every_single_entry_the_files_hold_the_game_so_far(path, recorded, tmp_path):
    """What lies on the medium after a commit is what a killed process leaves: the database and its log, as they are."""
    first, *actions, _ = [json.loads(line) for line in recorded.read_text(encoding="utf-8").splitlines()]
    game = MegaCity.from_position(position_from_text(first["position"]))
    options = BOX.written(game.position.options)
    with Store.open(path) as store:
        store.append(Commit("g", (Draft(0, "system", GameStarted(game="megacity", options=options)),)))
        for n, line in enumerate(actions, start=2):
            body = ActionConfirmed(action=line["action"])
            store.append(Commit("g", (Draft(n, "sensor", body),), {("park", 7): n}))
            game.push(action_from_text(line["action"]))
            left = _left_behind(path, tmp_path / "left")
            with Store.open(left) as again:
                assert again.damage == ()
                entries = again.entries("g").entries
                assert (len(entries), again.marks()) == (n, {("park", 7): n})
            if n % LOOK_EVERY == 0 or n == len(actions) + 1:
                assert replayed(entries, BOX).position == game.position


def _left_behind(path, folder):
    """The files of a database as they lie there now."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(path.with_name(path.name + suffix), folder)
    return folder / path.name
