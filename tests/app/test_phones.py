"""A table without sensors: what `citytable run --phones` refuses, keeps and goes on with."""

import signal

import pytest

from citytable import cli

RUN = ("run", "--phones", "--no-open", "--port", "0")


def _fails(capsys, code: int, *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.app(["run", "--phones", *words])
    assert ended.value.code == code
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--plan", "cafe.json"), "with a --plan of your own give --no-twin instead"),
        (("--no-twin",), "leave out --no-twin"),
        (("--broker", "x:1", "--serial", "", "--speed", "2"), "leave out --broker, --serial, --speed"),
        (("--starter", "--faults", "--seed", "1"), "leave out --starter, --faults, --seed"),
        (("--listen", "0.0.0.0:1883", "--home-assistant"), "leave out --listen, --home-assistant"),
        (("--table", "one", "--table", "two"), "give --table once"),
    ],
)
def test_what_is_about_stations_or_bots_is_refused_in_one_sentence(capsys, words, sentence):
    assert sentence in _fails(capsys, 2, *words)


def test_a_theme_is_for_such_a_table_too(capsys):
    assert _fails(capsys, 1, "--theme", "none.json").startswith("citytable: theme none.json: No such file")


def test_a_folder_that_cannot_be_made_is_named(capsys, monkeypatch, tmp_path):
    (tmp_path / "citytable").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    said = _fails(capsys, 1)
    assert str(tmp_path / "citytable/phones") in said
    assert "give a --journal somewhere else" in said


def test_a_game_goes_on_at_the_next_start_whoever_was_counted(started, tmp_path):
    data = {"XDG_DATA_HOME": str(tmp_path)}
    running = started(*RUN, "--players", "4", **data)
    running.says("journal  ")
    assert running.end(signal.SIGINT) == 0
    again = started(*RUN, **data)
    assert again.says("going on with game")
    (host,) = again.hosts()
    assert len(host.view()["scene"]["players"]) == 4
