"""docs/reference/feed.md describes the feed as the program sends it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from citytable.games.megacity.board import Board
from citytable.table.lesson import Lesson
from citytable.table.question import Field
from citytable.table.scene import Pile, PlayerScene, Scene
from citytable.table.word import Name, Text, Why, Word
from citytable.views.answers import Written
from citytable.views.collapse import Collapse
from citytable.views.exchange import BODY_SECONDS_MAX
from citytable.views.feed import SCHEMA, FeedEvent
from citytable.views.gate import MAY_SAY
from citytable.views.post import BODY_BYTES_MAX
from citytable.views.state import Happened, Live, View
from citytable.views.viewer import Asked, Clearing, Seen, Trying, Undo

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/feed.md").read_text("utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)]


def names(kind: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind)]


DESCRIBED = [Seen, Scene, PlayerScene, Pile, Board, Trying, Asked, Undo, Clearing, Live, Happened, Collapse, Written]
DESCRIBED = [Seen, Scene, PlayerScene, Pile, Board, Trying, Asked, Undo, Clearing, Lesson, Live, Happened, Written]


@pytest.mark.parametrize("kind", DESCRIBED)
def test_every_field_is_described_and_no_other(kind: type[msgspec.Struct]) -> None:
    section = next(text for text in re.split(r"^##+ ", PAGE, flags=re.MULTILINE) if f"(`{kind.__name__}`)" in text[:60])
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == names(kind)


def test_the_envelope_is_described() -> None:
    section = PAGE.split("## Events")[1].split("## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == names(FeedEvent)
    assert f"now {SCHEMA}" in section


def test_a_questions_field_is_described_whole() -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `fields` |")]
    assert set(names(Field)) <= set(re.findall(r"`(\w+)`", row))


def test_the_examples_are_what_the_program_reads_and_sends() -> None:
    change, answer, statement, tap, _, correction = EXAMPLES
    assert list(msgspec.convert(change, FeedEvent).data) == ["live"]
    assert change["schema"] == SCHEMA
    msgspec.convert(change["data"]["live"], list[Live])
    assert list(change["data"]["live"][0]) == names(Live)
    for word in (answer, statement, tap, correction):
        msgspec.convert(word, Word)


def test_every_word_is_described_with_its_fields_and_its_speakers() -> None:
    section = PAGE.split("## Speaking")[1].split("## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (all|host|seat) \|", section, re.MULTILINE)
    described = {tag: (re.findall(r"`(\w+)`", fields), speakers) for tag, fields, speakers in rows}
    assert described == {
        str(kind.__struct_config__.tag): (
            [name for name in names(kind) if name != "by"],
            "all" if len(MAY_SAY[kind]) > 1 else next(iter(MAY_SAY[kind])),
        )
        for kind in get_args(Word)
    }


def test_the_limits_are_the_programs() -> None:
    assert f"at most {BODY_BYTES_MAX} bytes" in PAGE
    assert "within five seconds" in PAGE
    assert BODY_SECONDS_MAX == 5
    lengths = [get_args(kind)[1].max_length for kind in (Why, Name, Text)]
    page = " ".join(PAGE.split())
    said = re.search(r"`why` .{,20} at most (\d+) characters, a name (\d+), and every other text (\d+)", page)
    assert said is not None
    assert [int(length) for length in said.groups()] == lengths


@pytest.mark.parametrize("name", ["early", "midgame", "final"])
def test_the_recorded_views_are_whole_and_their_scores_add_up(recorded: Callable[[str], View], name: str) -> None:
    scene = recorded(name).scene
    assert scene is not None
    for player in scene.players:
        assert player.score == sum(line.points for line in player.lines)
