"""After every commit of whole games, open what a hub killed there leaves, and fail unless it knows what it knew.

    .venv/bin/python tools/every_entry.py --games 10

Bots play on a virtual table in lock-step. Whatever a commit wrote was written at once, so these are all the states in
which a kill can leave the database: its files, with their log, are copied as they lie, opened as a hub opens them, and
a play recalls the game from them. It must come to the position, the acts under way, the questions, what lies where,
the scales and the instructions that the hub had, and what was told to a station as safe must be marked. Coming back
must not confirm anything: nobody would write it down.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from citytable import app
from citytable.games.megacity.position import Options
from citytable.hub import AnyPlay, Hub, replayed
from citytable.journal.entry import Draft, Entry
from citytable.journal.journal import Journal
from citytable.journal.store import Marks, Store
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.settings import Settings

PLAYERS = (2, 3, 4)
JOURNAL = "journal.sqlite3"


class Lost(AssertionError):
    """A hub that comes back knows something else than it knew: after which entry, and what."""


class EnoughTurns(Exception):
    """The game may end here."""


class Recalled(Play):  # type: ignore[type-arg]
    """A play that comes back. `knew` is what it recalled: then all stations are silent until they speak again."""

    knew: Mapping[str, Any] = {}

    def went_away(self, t_us: int) -> None:
        """The end of what is recalled."""
        self.knew = known(self)
        super().went_away(t_us)


def known(play: AnyPlay) -> dict[str, Any]:
    """Everything an umpire goes on from."""
    umpire, observed = play.umpire, play.umpire.observed
    return {
        "position": umpire.position,
        "under way": umpire.provisional,
        "questions": umpire.questions,
        "lying": {spot: things for spot, things in observed.lying.items() if things},
        "loads": dict(observed.mass_g),
        "steps": [(step.spot, step.grams) for step in observed.steps],
        "heights": dict(observed.heights),
        "status": umpire.status(),
        "piece": observed.piece,
    }


class Looks:
    """Looks at the files of a journal after its commits, and recalls one in `recall_one_in` of them."""

    def __init__(self, settings: Settings, folder: Path, recall_one_in: int = 1) -> None:
        self._settings = settings
        self._path = folder / JOURNAL
        self._left = folder / "left"
        self._recall_one_in = recall_one_in
        self._marks: Marks = {}
        self._reported = 0
        self._recalled: Mapping[str, Any] | None = None  # and not compared yet
        self.hub: Hub | None = None
        """Whose play is compared; None before it has one."""
        self.counts: Counter[str] = Counter()

    def look(self, written: tuple[Entry, ...], marks: Marks) -> None:
        """What was just written is there; a play that recalls it is where the hub is. Raises `Lost`."""
        self._marks |= marks
        self._reported += len(written)
        with Store.open(self._copied()) as store:
            if store.damage or store.marks() != self._marks:
                raise Lost(f"after entry {self._reported}: {store.damage} and {store.marks()}, not {self._marks}")
            entries = store.entries(store.games()[0].id).entries
        if entries[len(entries) - len(written) :] != written or len(entries) != self._reported:
            raise Lost(f"of {self._reported} entries {len(entries)} are left, and the last is {entries[-1]}")
        self.counts["commits"] += 1
        self.counts["entries"] += len(written)
        if self.hub is not None and random.Random(self._reported).randrange(self._recall_one_in) == 0:
            self._recalled = self._recall(entries)
            self.compare()

    def compare(self) -> None:
        """What was recalled last, unless that was done already, with what the hub knows; raises `Lost`."""
        if self.hub is None or self._recalled is None:
            return
        for name, was in known(self.hub.play).items():
            if (now := self._recalled[name]) != was:
                raise Lost(f"after entry {self._reported}, {name}:\nthe hub knew\n{was}\nand comes back to\n{now}")
        self._recalled = None
        self.counts["recalled"] += 1

    def _copied(self) -> Path:
        shutil.rmtree(self._left, ignore_errors=True)
        self._left.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(self._path.with_name(self._path.name + suffix), self._left)
        return self._left / JOURNAL

    def _recall(self, entries: tuple[Entry, ...]) -> Mapping[str, Any]:
        box = self._settings.box
        again = Recalled(box.table(), self._settings.plan(), box.begin(self._settings.options).start)
        recall(again, entries, lambda reported: replayed(reported, box))
        if again.umpire.position != again.knew["position"]:
            raise Lost(
                f"after entry {self._reported}: coming back confirmed {again.actions[-1]}, and nobody wrote it down"
            )
        return again.knew


@asynccontextmanager
async def looked_at(looks: Looks, settings: Settings) -> AsyncIterator[Hub]:
    """A hub whose journal is looked at after every commit."""
    write = Journal.commit

    async def commit(
        journal: Journal, game_id: str, drafts: Iterable[Draft], high_water: Marks | None = None
    ) -> tuple[Entry, ...]:
        looks.compare()
        written = await write(journal, game_id, drafts, high_water)
        if written or high_water:
            looks.look(written, high_water or {})
        return written

    with patch.object(Journal, "commit", commit):
        async with app.running_hub(settings) as hub:
            looks.hub = hub
            yield hub


async def played(
    players: int, seed: int, *, faults: bool, turns: int | None = None, recall_one_in: int = 1
) -> Counter[str]:
    """One game, whole or its first turns, looked at all the way; what was counted. Raises `Lost`."""
    with tempfile.TemporaryDirectory(prefix="citytable-every-") as scratch:
        folder, done = Path(scratch), 0
        settings = Settings(options=Options(players=players), seed=seed, faults=faults, journal_path=folder / JOURNAL)
        looks = Looks(settings, folder, recall_one_in)

        def on_turn(_: object) -> None:
            nonlocal done
            done += 1
            if done == turns:
                raise EnoughTurns

        async with looked_at(looks, settings) as hub, app.virtual_table(settings, hub) as twin:
            with suppress(EnoughTurns):
                await app.company(settings, hub, twin, on_turn).play()
            return looks.counts + Counter(turns=done)


def main() -> int:
    """Play and look, game after game, and count."""
    parser = argparse.ArgumentParser(description="look at a journal after each of its commits")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true", help="with falls, wrong hexes, third contracts and reboots")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    began_s = time.monotonic()
    for number in range(options.games):
        players, seed = PLAYERS[number % len(PLAYERS)], options.first_seed + number // len(PLAYERS)
        game = asyncio.run(played(players, seed, faults=options.faults))
        print(f"{players} players, seed {seed}: {dict(game)}", flush=True)
        counts += game
    print(f"{options.games} games, {dict(counts)}, {time.monotonic() - began_s:.0f} s:")
    print("after every single one a hub that comes back knows what it knew, and what was acknowledged is marked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
