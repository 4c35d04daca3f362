"""A hub that was stopped comes back to what it knew: position, acts under way, questions, what every scale weighed."""

from random import Random

import pytest

from citytable import app
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.journal import Journal
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.settings import Settings

pytestmark = pytest.mark.broker

TURNS = 8
EVERY = 9  # commits


class EnoughTurns(Exception):
    """The evening may end here."""


def known(play):
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
    }


@pytest.mark.parametrize(("players", "seed", "faults"), [(2, 11, False), (3, 12, True)])
async def test_at_any_moment_of_a_game_the_journal_brings_back_what_was_known(players, seed, faults, monkeypatch):
    settings = Settings(options=Options(players=players), seed=seed, faults=faults)
    deck, plan = settings.deck(), settings.plan()
    snapshots, turns, commits = [], [], []
    write = Journal.commit

    async def commit(journal, game_id, drafts, high_water=None):
        written = await write(journal, game_id, drafts, high_water)
        commits.append(len(written))
        if written and hubs and Random(len(commits)).randrange(EVERY) == 0:
            snapshots.append((written[-1].seq, known(hubs[0].play)))
        return written

    def on_turn(_):
        turns.append(1)
        if len(turns) > TURNS:
            raise EnoughTurns

    hubs = []
    monkeypatch.setattr(Journal, "commit", commit)
    async with app.running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        hubs.append(hub)
        with pytest.raises(EnoughTurns):
            await app.company(settings, hub, twin, on_turn).play()
        entries = (await hub.journal.entries(hub.game_id)).entries
    assert len(snapshots) > TURNS
    for seq, before in snapshots:
        again = Play(MegaCityTable(deck), plan, MegaCity(settings.options, deck).start)
        monkeypatch.setattr(again, "went_away", lambda _: None)
        recall(again, entries[:seq], lambda told: replayed(told, deck))
        assert known(again) == before, f"after entry {seq}"
