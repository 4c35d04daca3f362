"""The check of plain English finds our dialect, and no more of it comes in."""

import pytest

SOURCE = '''"""What the module is for may be said like this."""

class Seat:
    """Who sits there."""

    def name(self):
        """Return the name that is told to nobody."""

    def whereabouts(self):
        """Whereabouts is a word of its own."""

def legal():
    """Whether it is legal; what is told
    tells of his move."""
'''


@pytest.fixture(scope="module")
def english(load_tool):
    return load_tool("check_english")


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "hub/node_modules").mkdir(parents=True)
    (tmp_path / "dashboard/src/words").mkdir(parents=True)
    (tmp_path / "hub/seat.py").write_text(SOURCE)
    (tmp_path / "hub/node_modules/theirs.py").write_text(SOURCE)
    (tmp_path / "README.md").write_text(
        "# Start\n\nWho cannot scan opens it.\nWho wins? It installs the rest.\n"
        "Keep hands off, look whether it rests: below stands what to check.\nBegin anew with `--anew` (`anew?`).\n"
        "A copy called so is not let in when nobody is there; what is made of it?\n"
        "What was done besides, and what the hub makes of it, is sent in clear upon an answer.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text("It is told.\n")
    (tmp_path / "dashboard/src/words/en.json").write_text('{\n"a": "it gets by itself"\n}\n')
    return tmp_path


def test_each_fault_is_found_where_it_stands(english, repository):
    found, count = english.places(repository)
    assert count == 4
    assert [(place.line, place.seen[:5]) for place in found[english.FIRST_WORD]] == [(4, "Who s"), (13, "Wheth")]
    lines = {name.split(":")[0]: [(str(one.path), one.line) for one in there] for name, there in found.items() if there}
    assert lines["is told"] == [("hub/seat.py", 13)]
    assert lines["what is told, what it tells"] == [("hub/seat.py", 13)]
    assert lines["tells of, tells that"] == [("hub/seat.py", 14)]
    assert lines["he, him, his"] == [("hub/seat.py", 14)]
    assert lines["gets by itself"] == [("dashboard/src/words/en.json", 2)]
    assert lines["who ... in place of a noun"] == [("README.md", 3), ("hub/seat.py", 4)]
    assert (
        lines["keep hands off"] == lines["look whether"] == lines["below it stands what to check"] == [("README.md", 5)]
    )
    assert lines["anew"] == [("README.md", 6)]
    for name in ("called so", "nobody is there", "what is made of", "not let in"):
        assert lines[name] == [("README.md", 7)]
    for name in ("done besides", "what it makes of the facts", "in clear", "upon"):
        assert lines[name] == [("README.md", 8)]


def test_a_fault_fails_and_shows_where(english, repository, monkeypatch, capsys):
    monkeypatch.setattr(english, "ROOT", repository)
    assert english.main() == 1
    printed = capsys.readouterr().out
    assert "hub/seat.py:4: Who sits there." in printed
    assert "README.md:3: " in printed


def test_a_house_without_faults_passes(english, tmp_path, monkeypatch, capsys):
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub/seat.py").write_text('def seat():\n    """Return the seat."""\n')
    monkeypatch.setattr(english, "ROOT", tmp_path)
    assert english.main() == 0
    assert capsys.readouterr().out == ""
