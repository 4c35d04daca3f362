"""Every line of the threat model names the test that does what it says, or says that nothing stops it."""

import ast
import re
from pathlib import Path

PAGE = Path("docs/reference/security.md")
ROW = re.compile(r"^\| (?!what they|---)(.*) \| (.*) \| ?(.*?) ?\|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def _tests_of(path: Path) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, functions)}


def test_every_line_names_its_test_or_says_that_nothing_stops_it(documents):
    rows = ROW.findall(documents[PAGE])
    assert len(rows) > 20
    assert [
        tried for tried, happens, tests in rows if not TEST.search(tests) and "**not stopped**" not in happens
    ] == []


def test_every_test_that_is_named_exists(documents, root):
    named = TEST.findall(documents[PAGE])
    assert [f"{path}::{name}" for path, name in named if name not in _tests_of(root / path)] == []
