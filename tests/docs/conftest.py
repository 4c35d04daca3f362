"""What the documents say, as values: fenced blocks, code spans, links."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from citytable.cli import app

FENCE = re.compile(r"^```(\w*)[ ]?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the name that may follow it, and its text."""

    language: str
    name: str
    text: str


@pytest.fixture(scope="session")
def documents(root: Path, sources: tuple[Path, ...]) -> dict[Path, str]:
    """Every Markdown file of the repository."""
    return {path: (root / path).read_text("utf-8") for path in sources if path.suffix == ".md"}


@pytest.fixture(scope="session")
def help_of() -> Callable[[tuple[str, ...]], tuple[int, str]]:
    """`help_of(("station", "list"))`: the exit code and the words of a command's `--help`."""

    @cache
    def asked(words: tuple[str, ...]) -> tuple[int, str]:
        done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"})
        return done.exit_code, done.output

    return asked


@pytest.fixture(scope="session")
def blocks(documents: dict[Path, str]) -> Callable[[str], list[Block]]:
    """`blocks(path)`: the fenced blocks of one document."""
    return lambda path: [Block(*found) for found in FENCE.findall(documents[Path(path)])]


@pytest.fixture(scope="session")
def commands(root: Path, sources: tuple[Path, ...], documents: dict[Path, str]) -> list[tuple[Path, str]]:
    """Every command line in a document (lines of bash blocks, code spans) or a systemd unit, with where it stands."""
    found = []
    for unit in (path for path in sources if path.suffix == ".service"):
        found += [(unit, line) for line in (root / unit).read_text("utf-8").splitlines() if line.startswith("Exec")]
    for path, text in documents.items():
        for block in (Block(*match) for match in FENCE.findall(text)):
            if block.language == "bash":
                found += [(path, line.strip()) for line in block.text.splitlines()]
        found += [(path, span) for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", text))]
    return found
