"""Pages whose figures are printed by commands: what is put where, and that the commands exist."""

import re
import sys

import pytest


@pytest.fixture(scope="module")
def tool(load_tool):
    return load_tool("write_printed")


def test_a_place_is_filled_and_filled_again(tool, tmp_path, monkeypatch):
    page, before = (
        tmp_path / "page.md",
        "# Page\n\n<!-- printed by: python -c \"print('| a |')\" -->\n<!-- end -->\nmore\n",
    )
    page.write_text(before)
    monkeypatch.setattr(sys, "argv", ["write_printed", str(page)])
    for _ in range(2):
        tool.main()
        assert page.read_text() == before.replace("<!-- end", "\n| a |\n\n<!-- end")


def test_tables_stay_tables_and_long_lists_are_cut(tool):
    told = "said\n\n| a |\n|---|\n\nfalse: 25\n" + "".join(f"  {number}\n" for number in range(25))
    lines = tool.as_markdown(told).splitlines()
    assert lines[:7] == ["```text", "said", "```", "", "| a |", "|---|", ""]
    assert lines[-3:] == ["  19", "  and 5 more", "```"]


def test_every_page_names_commands_that_exist(documents, help_of):
    places = [place for text in documents.values() for place in re.findall(r"<!-- printed by: (.+?) -->", text)]
    commands = [re.match(r"[a-z ]+(?![\w./-])", place)[0] for place in places if place.startswith("citytable")]
    named = {tuple(words.split()[:3]) for words in commands}
    assert {words[:2] for words in named} >= {("citytable", "balance"), ("citytable", "sense")}
    others = {place.split()[0] for place in places if not place.startswith("citytable")}
    assert others <= {"COMMAND", "python"}
    assert [words for words in named if help_of(words[1:])[0] != 0] == []
