"""An export that is passed on has no tag of the owner's things in it, and tells the same game."""

import lzma
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.megacity.box import MegaCityBox
from citytable.games.megacity.pieces import HOUSE, load_deck
from citytable.hub import replayed
from citytable.journal.entry import Entry, FactNoted
from citytable.journal.export import exported_bytes, parse_export
from citytable.journal.sharing import without_tags
from citytable.journal.store import Store
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.table.fact import TagCame, TagLeft
from citytable.table.plan import Plan
from citytable.table.word import TagNamed

pytestmark = pytest.mark.long(7)

CARD, NEW, STRANGE = "04c0ffee000001", "04A2B3C4D5E6F7", "04deadbeef0003"
GOLDEN = Path(__file__).parent / "golden"
ANY_TAG = re.compile(r"(?<![0-9a-f.])04[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)  # no digits of a measured number


def told(drafts):
    """A game in which a tag was read, one was enrolled, and one is of nobody."""
    started = replace(drafts.started.body, plan=Plan("table", 2, (), {CARD: "card/1"}))
    bodies = (
        started,
        FactNoted(fact=TagCame(t_us=1, spot="market/1", uid=CARD, thing="card/1")),
        FactNoted(fact=TagCame(t_us=2, spot="market/2", uid=NEW.lower(), thing=None)),
        TagNamed(uid=NEW, thing="card/2", by="host"),
        FactNoted(fact=TagLeft(t_us=3, spot="market/2", uid=NEW.lower(), thing="card/2")),
        drafts.action(f"lays ?{STRANGE}").body,
    )
    return tuple(Entry(seq, seq, "system", body) for seq, body in enumerate(bodies, start=1))


def test_each_tag_has_one_stand_in_throughout_and_all_else_stays(drafts):
    entries = told(drafts)
    shared = without_tags("g", entries)
    plan, came, unknown, named, left, strange = (entry.body for entry in shared)
    assert plan.plan.tags == {came.fact.uid: "card/1"}
    assert unknown.fact.uid == named.uid == left.fact.uid != came.fact.uid
    assert (named.thing, unknown.fact.thing, left.fact.thing) == ("card/2", None, "card/2")
    assert strange == entries[-1].body  # no fact has that tag: it is none of the game
    assert [(entry.seq, entry.at_us, entry.cause) for entry in shared] == [(n, n, "system") for n in range(1, 7)]
    file = exported_bytes("g", shared)
    assert not {CARD, NEW.lower()} & set(ANY_TAG.findall(file.decode().lower()))
    assert parse_export(file, "g").entries == shared


def test_a_game_without_tags_is_as_it_was(drafts):
    entries = tuple(
        Entry(seq, 1, "system", one.body) for seq, one in enumerate((drafts.started, drafts.ended), start=1)
    )
    assert without_tags("g", entries) == entries


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The games of an older program, whose entries hold the tags of its table."""
    path = tmp_path_factory.mktemp("golden") / "journal.sqlite3"
    path.write_bytes(lzma.decompress((GOLDEN / "version-1.sqlite3.xz").read_bytes()))
    with Store.read(path) as store:
        return {row.id: store.entries(row.id).entries for row in store.games()}


def box_of(entries):
    is_house = entries[0].body.deck == HOUSE.name
    return MegaCityBox(HOUSE if is_house else load_deck(GOLDEN / "version-1-owners-deck.json"))


def recalled(entries, box):
    play = Play(box.table(), entries[0].body.plan, replayed(entries[:1], box).start)
    recall(play, entries, lambda some: replayed(some, box))
    return play


def test_whole_games_replay_and_come_back_as_they_were(evening):
    games = 0
    for game_id, entries in evening.items():
        box = box_of(entries)
        shared = parse_export(exported_bytes(game_id, without_tags(game_id, entries)), game_id).entries
        assert not ANY_TAG.search("".join(entry.original for entry in shared))
        assert [entry.ver for entry in shared] == [entry.ver for entry in entries]
        assert replayed(shared, box).position == replayed(entries, box).position
        again, before = recalled(shared, box), recalled(entries, box)
        assert again.umpire.position == before.umpire.position
        assert again.umpire.observed.lying == before.umpire.observed.lying
        assert again.questions == before.questions
        games += ANY_TAG.search("".join(entry.original for entry in entries)) is not None
    assert games
