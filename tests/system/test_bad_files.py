"""Files that were cut or mistyped: the command says which file, where in it, and what is missing."""

import re
import shutil
from pathlib import Path

import pytest
import pytest_asyncio

from citytable import cli
from citytable.games.megacity.actions import TakePieces
from citytable.hub import running_hub
from citytable.journal.export import write_export
from citytable.settings import Settings

pytestmark = pytest.mark.long(4)

HOUSE = Path(cli.__file__).parent / "games/megacity/house_deck.json"


@pytest.fixture
def said(capsys):
    """`said("replay", path)`: exit code, what it printed, what it said on standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.app([str(word) for word in words])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(open_table, tmp_path_factory) -> tuple[Path, Path]:
    """Two turns of a game, played once and only read from then on: the journal's database, and its export."""
    folder = tmp_path_factory.mktemp("played")
    database, export = folder / "journal.sqlite3", folder / "game.jsonl"
    async with open_table(journal_path=database) as table:
        await table.deal()
        for _ in range(2):
            await table.do(TakePieces(player=table.game.position.player))
            await table.pass_bag()
        found = await table.hub.journal.entries(table.hub.game_id)
        write_export(export, table.hub.game_id, found.entries)
    return database, export


@pytest.mark.broker
def test_a_whole_export_is_replayed_without_a_word_of_complaint(played, said):
    code, out, err = said("replay", played[1])
    assert (code, err) == (0, "")
    assert "seat 1" in out


@pytest.mark.broker
def test_an_export_cut_in_the_middle_is_replayed_as_far_as_it_goes_and_says_so(played, said, tmp_path):
    _, export = played
    lines = export.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:4]) + lines[4][:40])
    code, out, err = said("replay", cut)
    assert code == 1
    assert "seat 1" in out
    assert f"{cut}: entries 1 to 3 are sound; line 5 is not sound" in err


@pytest.mark.broker
def test_an_export_in_which_one_letter_was_changed_is_not_believed_from_there_on(played, said, tmp_path):
    _, export = played
    spoilt = tmp_path / "spoilt.jsonl"
    spoilt.write_bytes(export.read_bytes().replace(b"unknown:3", b"unknown:9", 1))
    code, _, err = said("replay", spoilt)
    assert code == 1
    assert re.search(r"entries 1 to \d+ are sound; line \d+ is not sound", err)


@pytest.mark.broker
def test_a_database_is_no_export_and_is_said_to_be_none(played, said):
    code, _, err = said("replay", played[0])
    assert code == 1
    assert "journal.sqlite3 is not an exported journal" in err
    assert err.count("\n") == 1


@pytest.mark.broker
async def test_a_database_cut_in_the_middle_is_kept_aside_and_the_hub_says_what_is_lost(played, tmp_path):
    database, _ = played
    cut = tmp_path / "cut.sqlite3"
    shutil.copyfile(database, cut)
    whole = cut.read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    async with running_hub(Settings(twin=False, speed=1.0, journal_path=cut)) as hub:
        told = " ".join(hub.notices)
    assert f"journal {cut} was damaged" in told
    assert "lost" in told or "cannot be read" in told
    (aside,) = [
        path
        for path in tmp_path.iterdir()
        if path.name.startswith("cut") and path.read_bytes()[:6] == whole[:6] and path.stat().st_size == len(whole) // 2
    ]
    assert str(aside) in told


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ('"height_mm": 45', '"height_mm": "tall"', r"line 36: contracts\[4\]\.height_mm: 'tall'"),
        ('"height_mm": 45, ', "", r"line 36: contracts\[4\]\.height_mm: missing"),
        (
            '"requirements": ["courtyard"]',
            '"requirements": ["moat"]',
            r"line 36: contracts\[4\]\.requirements\[0\]: 'moat'",
        ),
        ('"id": "PU2"', '"id": "PU1"', r"line 33: contracts\[1\]\.id: 'PU1' appears twice"),
        ('"steel": 50', '"steel": 50, "wood": 3', r"line 4: pieces: .*'wood': 3"),
        ('"contracts": [', '"contracts": ', r"line \d+: "),
    ],
)
@pytest.mark.parametrize("command", ["rehearse", "run", "replay"])
def test_a_mistyped_deck_is_refused_with_file_line_and_field(said, tmp_path, command, right, wrong, why):
    deck = tmp_path / "mine.json"
    deck.write_text(HOUSE.read_text().replace(right, wrong, 1))
    export = tmp_path / "game.jsonl"
    export.write_bytes(b'{"citytable_journal": 1, "game_id": "g", "game": "megacity"}\n')
    words = {"rehearse": (), "run": ("--no-open", "--port", "0"), "replay": (export,)}[command]
    code, _, err = said(command, *words, "--deck", deck)
    assert code == 1
    assert err.count("\n") == 1
    assert re.search(re.escape(f"citytable: deck {deck}: ") + why, err), err
