"""The record book: who holds which record of a table; names only of people who agreed, until they are erased."""

import json
import re
from pathlib import Path

import pytest

from citytable.games.comeback.box import BOX as COMEBACK
from citytable.games.dilluvia.box import BOX as DILLUVIA
from citytable.games.megacity.box import BOX
from citytable.journal.entry import ABANDONED, Draft, Entry, GameEnded, GameStarted
from citytable.session.records import RecordBook, Told, marks_of, told
from citytable.table.mark import Mark
from citytable.views.records import NameWish

PLAYED = Path(__file__).resolve().parents[1] / "games/playthroughs/2p-falls-1.jsonl"


def game_of(path):
    _, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    game = BOX.begin(BOX.options(2))
    for line in lines:
        if "action" in line:
            game.push(BOX.action(line["action"]))
    return game


@pytest.fixture
def book(tmp_path):
    """Two games of the table, the second one still on it."""
    book = RecordBook(tmp_path / "salon.records.json", BOX)
    book.note("g1", Told("megacity", "2026-11-01", (Mark("points", 40, 2), Mark("tallest", 61, 1))))
    book.note("g2", Told("megacity", "2026-11-08", (Mark("points", 44, 1), Mark("tallest", 61, 2))))
    book.on_table, book.players = "g2", ("Ada", "Ben")
    return book


def held(book, *, over=True):
    return {one.key: (one.value, one.seat, one.name, one.day, one.fresh) for one in book.shown(over=over).records}


def test_a_record_belongs_to_the_first_who_reached_it(book):
    assert held(book) == {
        "points": (44, 1, "", "2026-11-08", True),
        "tallest": (61, 1, "", "2026-11-01", False),
    }


def test_a_game_whose_end_the_public_has_not_seen_has_no_records_yet(book):
    assert held(book, over=False)["points"] == (40, 2, "", "2026-11-01", False)


def test_a_name_is_kept_only_when_its_owner_agrees_and_erased_everywhere(book, tmp_path):
    assert book.names().offered == ("Ada", "Ben")
    assert "Ada" not in (tmp_path / "salon.records.json").read_text()
    book.wish(NameWish("Ada", keep=True))
    assert held(book)["points"][2] == "Ada"
    assert (book.names().offered, book.names().kept) == (("Ben",), ("Ada",))
    again = RecordBook(tmp_path / "salon.records.json", BOX)
    assert again.names().kept == ("Ada",)
    book.wish(NameWish("Ada", keep=False))
    assert held(book)["points"][2] == ""
    assert "Ada" not in (tmp_path / "salon.records.json").read_text()


def test_a_file_that_cannot_be_read_costs_names_and_no_records(book, tmp_path, caplog):
    (tmp_path / "salon.records.json").write_text("{")
    again = RecordBook(tmp_path / "salon.records.json", BOX)
    assert (again.names().kept, "without names" in caplog.text) == ((), True)
    again.note("g1", Told("megacity", "2026-11-01", (Mark("points", 40, 2),)))
    assert held(again)["points"][0] == 40


def test_nobody_keeps_a_name_that_nobody_at_the_table_has(book):
    with pytest.raises(ValueError, match="nobody at the table is called 'Eve'"):
        book.wish(NameWish("Eve", keep=True))


def test_a_game_that_goes_on_is_taken_out(book):
    book.forget("g2")
    assert held(book)["points"][0] == 40
    assert book.known == {"g1"}


def test_other_games_of_the_same_table_have_records_of_their_own(book):
    book.note("d1", Told("dilluvia", "2026-11-09", (Mark("points", 99, 1),)))
    assert held(book)["points"][0] == 44


def test_a_game_is_remembered_by_its_points_its_towers_its_length_and_its_falls():
    found = {mark.key: (mark.value, mark.seat) for mark in marks_of(BOX, game_of(PLAYED))}
    text = PLAYED.read_text()
    heights = [int(mm) for mm in re.findall(r" deliver .*?stood=yes height=(\d+)mm", text)]
    assert found["falls"][0] == text.count("_fell ") + text.count("pieces_lost") + text.count("stood=no")
    assert found["tallest"][0] == max(heights)
    assert 1 < found["longest"][0] <= 7
    assert found["points"][0] > 0


@pytest.mark.parametrize("box", [COMEBACK, DILLUVIA], ids=lambda box: box.name)
def test_every_game_has_marks_of_its_own(box):
    marks = marks_of(box, box.begin(box.options(box.players.start)))
    assert {mark.key for mark in marks} > {"points"}


def test_a_game_that_was_given_up_holds_no_record():
    game = game_of(PLAYED)
    begun = Entry(1, 1_700_000_000_000_000, "system", GameStarted(game="megacity"))
    for how, held_any in ((ABANDONED, False), ("landmark", True)):
        end = Draft(5, "system", GameEnded(termination=how))
        one = told((begun, Entry(2, end.at_us, end.cause, end.body)), BOX, game)
        assert (one.game, one.day, bool(one.marks)) == ("megacity", "2023-11-14", held_any)
