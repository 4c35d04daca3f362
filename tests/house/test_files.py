"""What may not stand in the repository's files, and what must."""

import re
import tomllib
from pathlib import Path

import pytest

from tablestation import FIRMWARE

BINARY = {".png", ".jpg", ".ico", ".woff2", ".ttf", ".npz", ".gz", ".sqlite3", ".xz"}
EXPORTS = {".stl", ".gbr", ".drl", ".step"}
UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X)\b|pragma: no[ ]cover")
SOMEBODYS_MACHINE = re.compile(r"(?<![\w.~-])/(root|work|home/\w+|Users/\w+)/|\.\./shared\b")
REGISTRIES = re.compile(r"registry\.npm[j]s|py[p]i\.(org|io)|python[h]osted\.org|deb\.debia[n]\.org")
LOCKS = {"uv.lock"}


def _lines(root: Path, sources: tuple[Path, ...], pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in sources:
        if path.suffix in BINARY or path.name in LOCKS:
            continue
        text = (root / path).read_text("utf-8")
        found += [f"{path}:{no}: {line[:120]}" for no, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
    return found


def test_nothing_is_left_unfinished(root, sources):
    assert _lines(root, sources, UNFINISHED) == []


def test_no_path_leads_to_somebodys_machine(root, sources):
    assert _lines(root, sources, SOMEBODYS_MACHINE) == []


def test_only_the_lock_file_names_a_package_registry(root, sources):
    assert _lines(root, sources, REGISTRIES) == []


def test_sources_are_kept_and_exports_are_not(sources):
    assert [str(path) for path in sources if path.suffix in EXPORTS or path.name == ".DS_Store"] == []


def test_every_pattern_finds_what_it_is_for():
    assert UNFINISHED.search("# TO" + "DO later")
    assert SOMEBODYS_MACHINE.search("see /home" + "/anna/table.json")
    assert REGISTRIES.search("https://py" + "pi.org/simple")


@pytest.fixture(scope="module")
def version(root):
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@pytest.fixture(scope="module")
def changelog(root):
    return (root / "CHANGELOG.md").read_text("utf-8")


def _releases(changelog):
    """Return the parts of a changelog as (version, day, text), the newest first; what is not released has no day."""
    heading = re.compile(r"^## \[(Unreleased|\d+\.\d+\.\d+)\](?: - (\d{4}-\d\d-\d\d))?$", re.MULTILINE)
    _, *parts = heading.split(changelog)
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def _newest(changelog):
    """Return the newest release; above it at most one part may stand, of what is not released yet."""
    releases = _releases(changelog)
    above = releases[0][0] == "Unreleased"
    assert all(day for _, day, _ in releases[above:]), "a release without its day"
    return releases[above]


def test_version_is_the_changelogs(version, changelog):
    assert _newest(changelog)[0] == version


@pytest.mark.parametrize("above", ["", "## [Unreleased]\n\n### Fixed\n\n- it\n\n"])
def test_the_newest_release_is_found_after_it_and_when_something_is_new_again(above):
    assert _newest(f"# Changelog\n\n{above}## [0.2.0] - 2026-02-03\n\n- old\n")[:2] == ("0.2.0", "2026-02-03")


def test_each_heading_stands_once_in_its_part_of_the_changelog(changelog):
    for version, _, text in _releases(changelog):
        headings = re.findall(r"^### .+", text, re.MULTILINE)
        assert [one for one in headings if headings.count(one) > 1] == [], version


def test_whatever_names_the_version_names_this_one(root, version, changelog):
    citation = (root / "CITATION.cff").read_text("utf-8")
    said = re.search(r"^version: (\S+)\ndate-released: (\S+)$", citation, re.MULTILINE)
    assert said is not None
    assert said.groups() == _newest(changelog)[:2]
    assert version == FIRMWARE, "firmware/tablestation/__init__.py"
    named = re.compile(r"\bcitytable(?:_lab)?-(\d+\.\d+\.\d+)")
    for folder in ("docs", "hub/deploy", "lab"):
        files = [path for path in (root / folder).rglob("*") if path.suffix in (".md", ".sh")]
        for path in files:
            assert set(named.findall(path.read_text("utf-8"))) <= {version}, path


def test_licence_leaves_the_games_to_their_owners(root):
    text = (root / "LICENSE").read_text("utf-8")
    assert text.startswith("MIT License")
    assert "covers the software" in text
    assert re.search(r"titles,\s+rule\s+texts,\s+card texts,\s+artwork", text)
