"""Whatever people say, it is taken or refused with a sentence, and a hub that comes back knows it."""

import random
from contextlib import suppress
from typing import get_args

import msgspec
import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.rules.errors import LocalisedError
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.session.session import Session
from citytable.table.word import NextGame, PlayAgain, Recorded, Word
from citytable.views.post import read_word

pytestmark = pytest.mark.long(7)

WORDS = 30
KINDS = [kind for kind in get_args(Word) if kind not in (NextGame, PlayAgain)]  # that game has a journal of its own


def any_word(rng, session, actions):
    """Return a word of any kind about what may be there or not."""
    count = session.play.actions
    number, action = rng.randrange(1, len(count) + 4), rng.choice(actions)
    fields = {
        "to": number,
        "entry": number,
        "before": number,
        "action": action,
        "actions": [action],
        "why": rng.choice(["", "an elbow"]),
        "mode": rng.choice(["enforce", "advise", "record"]),
        "agrees": rng.random() < 0.5,
        "do": rng.choice(["begin", "stop", "close"]),
        "names": rng.choice([[], ["Anna", " Tom  B."]]),
        "paper": rng.choice([{}, session.play.paper()]),
        "question": "no such question",
        "values": {},
        "spot": rng.choice(["city/9/9", *sorted(session.play.umpire.observed.lying)]),
        "n": rng.randrange(12),
        "on": rng.random() < 0.5,
        "seats": rng.choice([[], [2], [1, 2]]),
        "by": rng.choice(["host", "seat 1", "seat 2"]),
    }
    kind = rng.choice(KINDS)
    names = [one.name for one in msgspec.structs.fields(kind)]
    return read_word(
        msgspec.json.encode({"type": kind.__struct_config__.tag, **{name: fields[name] for name in names}})
    )


def known(session):
    """Everything that words can change."""
    play = session.play
    return {
        "position": play.umpire.position,
        "actions": play.actions,
        "mode": play.umpire.mode,
        "counts": play.umpire.observed.counts,
        "restoring": play.umpire.restoring,
        "names": play.names,
        "guided": play.guided,
        "empty": play.empty,
        "cleared": None
        if play.clearing is None
        else (play.clearing.closed, play.clearing.checklist(play.umpire.observed).unseen),
        "undo": session.view().undo,
        "under way": [one.action for one in play.umpire.provisional],
    }


async def come_back(session, there, journal, wire):
    """Return the session of a hub that was killed and knows what the journal knows."""
    entries = (await journal.entries("g")).entries
    play = Play(there.play.game, there.play.plan, MegaCity(Options(players=2), HOUSE).position)
    recall(play, entries, session._replay)
    again = Session("g", play, wire, session._journal, replay=session._replay, now_us=session.now_us)
    again.resumed(entries)
    return again


@pytest.mark.parametrize("seed", range(4))
async def test_any_words_are_taken_or_refused_and_known_after_a_restart(evening, no_wire, seed):
    there, journal = evening[1:]
    session = await come_back(*evening, no_wire)
    rng, taken = random.Random(seed), 0
    actions = ["p1 fly", "p1 end_turn", "p2 end_turn", *map(str, there.play.actions[-6:])]
    for _ in range(WORDS):
        actions += session.play.sayable()[:3]
        before = (await journal.entries("g")).entries
        receipt = None
        with suppress(LocalisedError):
            receipt = await session.say(any_word(rng, session, actions))
        entries = (await journal.entries("g")).entries
        if receipt is None:
            assert entries == before
            continue
        assert (receipt.was, receipt.now) == (len(before), len(entries))
        assert entries[: len(before)] == before
        taken += isinstance(entries[-1].body, Recorded)
        again = await come_back(session, there, journal, no_wire)
        assert known(again) == known(session), entries[-1].body
    assert taken > WORDS // 6
