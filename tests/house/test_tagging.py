"""A release is tagged with what is new in it, and not at all where something does not fit."""

import os
import subprocess
from pathlib import Path

import pytest

CHANGELOG = (
    "# Changelog\n\n{}\n\n### Added\n\n- # a line that begins like a comment\n\n## [0.1.0] - 2026-01-01\n\n- old\n"
)


def git(folder: Path, *words: str) -> str:
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    people = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    command = ["git", *people, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=env).stdout


@pytest.fixture
def tag(root: Path, tmp_path: Path):
    """`tag("## [0.2.0] - 2026-02-03")`: what became of tagging version 0.2.0 with a changelog that begins like this."""

    def tagged(head: str, *words: str, dirty: bool = False) -> subprocess.CompletedProcess[str]:
        if not (tmp_path / ".git").exists():
            git(tmp_path, "init", "-q")
        (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
        (tmp_path / "CHANGELOG.md").write_text(CHANGELOG.format(head))
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "release: 0.2.0")
        if dirty:
            (tmp_path / "new").write_text("")
        env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        env |= {f"GIT_COMMITTER_{what}": "ada@example.org" for what in ("NAME", "EMAIL")}
        command = [root / "tools/tag_release.sh", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=env)

    return tagged


def test_the_tag_holds_what_is_new_and_is_made_once(tag, tmp_path):
    assert tag("## [0.2.0] - 2026-02-03", "--check").returncode == 0
    assert git(tmp_path, "tag") == ""
    done = tag("## [0.2.0] - 2026-02-03")
    assert done.returncode == 0, done.stderr
    assert git(tmp_path, "tag").split() == ["v0.2.0"]
    told = git(tmp_path, "tag", "--list", "--format=%(contents)")
    assert "citytable 0.2.0" in told
    assert "- # a line that begins like a comment" in told
    assert "old" not in told
    again = tag("## [0.2.0] - 2026-02-03")
    assert (again.returncode, "tagged already" in again.stderr) == (1, True)


@pytest.mark.parametrize(
    ("head", "dirty", "why"),
    [
        ("## [Unreleased]", False, "give it the version"),
        ("## [0.3.0] - 2026-02-03", False, "give it the version"),
        ("## [0.2.0]", False, "give it the version"),
        ("## [0.2.0] - 2026-02-03", True, "not committed"),
    ],
)
def test_what_is_no_release_gets_no_tag(tag, tmp_path, head, dirty, why):
    done = tag(head, dirty=dirty)
    assert done.returncode == 1
    assert why in done.stderr
    assert git(tmp_path, "tag") == ""
