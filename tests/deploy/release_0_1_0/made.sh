#!/usr/bin/env bash
# Makes the files beside this one: what a table of version 0.1.0 leaves to the version after it.
#
#   made.sh CHECKOUT FOLDER     CHECKOUT: that of v0.1.0 (65e2e092), in which `make run` has been run
#
# A whole game is rehearsed and exported; another one is played on the virtual table until the hub is killed, so that most of
# its journal lies in the log that SQLite keeps beside the database. No test runs this.
set -euo pipefail
bin=$(realpath "$1/.venv/bin")
mkdir -p "$2" && cd "$2"
"$bin/citytable" rehearse --players 2 --seed 7 --simplified --export whole.jsonl >/dev/null
timeout -s KILL 40 "$bin/citytable" run --players 2 --seed 5 --speed 10 --port 0 --no-open --journal journal.sqlite3 || true
"$bin/python" - <<'PYTHON'
import json, lzma, pathlib
import msgspec
from citytable.app import replayed
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.journal.export import read_export
from citytable.journal.store import Store
from citytable.settings import Settings

def known(game_id, entries):
    game = replayed(entries, HOUSE)
    outcome = game.outcome()
    return {
        "id": game_id,
        "entries": len(entries),
        "actions": [str(action) for action in game.actions],
        "position": position_to_text(game.position),
        "prestige": {str(seat): score.total for seat, score in game.scores().items()},
        "winners": None if outcome is None else outcome.winners,
    }

folder = pathlib.Path()
FILES = {"journal": "journal.sqlite3", "log": "journal.sqlite3-wal", "plan": "plan.json", "whole": "whole.jsonl"}
(folder / "plan.json").write_bytes(msgspec.json.encode(Settings(options=Options(players=2)).plan()))
for name, file in FILES.items():  # before the journal is read: that writes the log into it
    (folder / f"{name}.xz").write_bytes(lzma.compress((folder / file).read_bytes(), preset=9))
exported = read_export(folder / "whole.jsonl")
with Store.read(folder / "journal.sqlite3") as store:
    (row,) = store.games()
    cut = known(row.id, store.entries(row.id).entries)
    marks = [[*key, seq] for key, seq in sorted(store.marks().items())]
known = {"whole": known("table-seed-7", exported.entries), "cut": cut, "marks": marks}
(folder / "known.json").write_text(json.dumps(known, indent=1) + "\n")
PYTHON
rm -f journal.sqlite3 journal.sqlite3-wal journal.sqlite3-shm journal.sqlite3.lock plan.json whole.jsonl
