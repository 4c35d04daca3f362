"""What may not stand in the repository's files, and what must."""

import re
import tomllib
from pathlib import Path

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


def test_version_is_the_changelogs(root):
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    headings = re.findall(r"^## \[?(Unreleased|[\d.]+)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert version in headings, f"CHANGELOG.md has no section for {version}"


def test_licence_leaves_the_games_to_their_owners(root):
    text = (root / "LICENSE").read_text("utf-8")
    assert text.startswith("MIT License")
    assert "covers the software" in text
    assert re.search(r"titles,\s+rule\s+texts,\s+card texts,\s+artwork", text)
