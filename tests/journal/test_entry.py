"""Entries of every kind go in and come out as they were."""

import re

import msgspec
import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.journal.entry import (
    ActionConfirmed,
    Asked,
    BadEntry,
    Body,
    Draft,
    FactNoted,
    GameStarted,
    checked_entry,
    stored_row,
)
from citytable.journal.store import Commit
from citytable.journal.upcasting import VERSION
from citytable.table.fact import Fell, MassSettled, TagCame
from citytable.table.plan import full_plan
from citytable.table.question import Field, Question
from citytable.table.word import (
    Amendment,
    Answer,
    Approval,
    ClearUp,
    Insertion,
    ModeChoice,
    PiecesSaid,
    PositionSet,
    Ruling,
    Statement,
    Strike,
    TableStays,
    TagNamed,
    Undo,
    UndoReplied,
    UndoRequested,
)

FACTS = (
    Fell(t_us=7, spot="city/0/0", lost_g=20.5, stage="alert"),
    TagCame(t_us=5, spot="city/1/0", uid="04aa", thing=None, confidence=0.5),
    MassSettled(t_us=9, spot="city/1/0", mass_g=81.25, step_g=-3.5, error_g=0.4),
)
QUESTION = Question(
    id="q1",
    seat=2,
    prompt="height",
    words={"thing": "platform/3"},
    fields=(Field("mm", "mm", 240),),
    about="p1 deliver",
)
BODIES = [
    GameStarted(
        game="megacity",
        options={"players": 3},
        deck="house",
        plan=full_plan("demo", 2, shared_spots(("public",)), ("p/1",)),
    ),
    ActionConfirmed(action="p1 take_contract contract=CO5", by="seat 1", breaks="R8"),
    *(FactNoted(fact=fact) for fact in FACTS),
    Asked(question=QUESTION),
    Answer(question="q1", values={"mm": 240, "sure": True, "who": "seat 2"}, by="seat 2"),
    Statement(action="p1 end_turn", by="table"),
    Approval(actions=("p1 end_turn",), by="seat 1"),
    PiecesSaid(spot="seat/1/pad/0", n=6, by="seat 1"),
    TagNamed(uid="04c0ffee000001", thing="bag", by="host"),
    ModeChoice(mode="advise", by="host"),
    UndoRequested(by="seat 1", to=2, why="slipped", under_way=("p2 end_turn",)),
    UndoReplied(by="seat 2", agrees=True),
    ClearUp(do="begin", by="host"),
    ClearUp(do="close", by="host"),
    PositionSet(position="whatever", by="host"),
    Ruling(action="p1 take_contract contract=CO5", by="host", why="it is late"),
    TableStays(by="host"),
    Undo(to=2, by="host", why="an elbow"),
    Amendment(entry=2, action="p1 end_turn", by="host", why="misread"),
    Insertion(before=2, action="p1 end_turn", by="host", why="forgotten"),
    Strike(entry=2, by="host", why="it never was"),
]


def test_every_kind_of_body_comes_back_as_it_was(store):
    store.append(Commit("g", tuple(Draft(n, "player", body) for n, body in enumerate(BODIES))))
    read = store.entries("g")
    assert read.damage == ""
    assert [entry.body for entry in read.entries] == BODIES
    assert [entry.at_us for entry in read.entries] == list(range(len(BODIES)))


def test_a_changed_bit_anywhere_is_noticed(drafts, store):
    (entry,) = store.append(Commit("g", (drafts.started,)))
    row = stored_row("g", entry)
    assert checked_entry("g", row, 1) == entry
    for changed in (
        msgspec.structs.replace(row, at_us=row.at_us ^ 1),
        msgspec.structs.replace(row, cause="player"),
        msgspec.structs.replace(row, body=row.body.replace("none", "nond")),
        msgspec.structs.replace(row, crc=row.crc ^ 4),
    ):
        with pytest.raises(BadEntry, match="entry 1 was damaged on disk"):
            checked_entry("g", changed, 1)
    with pytest.raises(BadEntry, match="was damaged"):
        checked_entry("another game", row, 1)


def test_an_entry_of_a_newer_program_says_to_update(drafts, store):
    (entry,) = store.append(Commit("g", (drafts.started,)))
    newer = msgspec.structs.replace(entry, ver=VERSION + 1)
    with pytest.raises(BadEntry, match=rf"version {VERSION + 1}, this program reads up to {VERSION}: update citytable"):
        checked_entry("g", stored_row("g", newer), 1)


def test_the_reference_lists_every_kind_and_every_field(root):
    page = (root / "docs/reference/journal.md").read_text()
    described = re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
    fields = {tag: re.findall(r"`(\w+)`", cell) for tag, cell in described}
    kinds = {
        kind.__struct_config__.tag: [field.encode_name for field in msgspec.structs.fields(kind)]
        for kind in Body.__args__
    }
    assert fields == kinds
