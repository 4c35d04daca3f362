"""Commands in the documents exist: make's targets, citytable's commands and their options, scripts."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.long(6)

MENTION = re.compile(r"(?:^|[\s/])citytable((?: [a-z]+)+)(.*)")


def _mentions(commands) -> list[tuple[Path, tuple[str, ...], tuple[str, ...]]]:
    """Where, which command, which options."""
    found = []
    for path, line in commands:
        match = MENTION.search(line)
        if match and "://" not in line:
            found.append((path, tuple(match[1].split()), tuple(re.findall(r"--[a-z][a-z-]*", match[2]))))
    return found


def test_every_target_of_make_that_is_mentioned_exists(root, commands):
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE))
    mentioned = {(path, word) for path, line in commands for word in re.findall(r"^make ([a-z-]+)", line)}
    assert {path.name for path, _ in mentioned} >= {"README.md", "CONTRIBUTING.md"}
    assert {(str(path), word) for path, word in mentioned if word not in targets} == set()


def test_every_command_of_citytable_that_is_mentioned_exists(commands, help_of):
    mentions = _mentions(commands)
    assert len(mentions) > 3
    wrong = {f"{path}: citytable {' '.join(words)}" for path, words, _ in mentions if help_of(words)[0] != 0}
    assert wrong == set()


def test_every_option_that_is_mentioned_exists(commands, help_of):
    wrong = {
        f"{path}: citytable {' '.join(words)} {option}"
        for path, words, options in _mentions(commands)
        for option in options
        if option not in help_of(words)[1]
    }
    assert wrong == set()


def test_every_script_that_is_mentioned_exists(root, commands):
    mentioned = {word for _, line in commands for word in re.findall(r"(?<![\w./])(?:tools/\w+\.\w+|\.ci/\w+)", line)}
    assert "tools/soak.py" in mentioned
    assert sorted(word for word in mentioned if not (root / word).exists()) == []
