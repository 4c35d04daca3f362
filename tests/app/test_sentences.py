"""What a person can put right is told in one sentence: which thing, what was seen, what to do."""

import socket

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from citytable import cli
from citytable.link import broker, embedded
from citytable.table.plan import starter_plan

pytestmark = pytest.mark.long(34)

PLANLESS = '{"table": "salon", "seats": "two"}'


@pytest.fixture
def busy_port():
    """A port that somebody listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield str(other.getsockname()[1])


def _one_sentence(done) -> str:
    assert done.returncode in {1, 2}
    (line,) = done.stderr.splitlines()
    assert line.startswith("citytable: ")
    return line


@pytest.mark.broker
def test_a_busy_page_port(citytable, busy_port):
    said = _one_sentence(citytable("run", "--no-open", "--port", busy_port))
    assert f"port {busy_port}" in said
    assert "--port" in said


def test_a_busy_broker_port(citytable, busy_port):
    said = _one_sentence(citytable("run", "--no-open", "--port", "0", "--broker-port", busy_port))
    assert f"port {busy_port}" in said
    assert "choose another port" in said


def test_a_broker_that_does_not_answer(citytable, busy_port):
    said = _one_sentence(citytable("run", "--no-open", "--port", "0", "--broker", "127.0.0.1:1"))
    assert "no MQTT broker answers at 127.0.0.1:1" in said


def test_an_address_that_is_none(citytable):
    assert "'somewhere' is not host:port" in _one_sentence(citytable("run", "--broker", "somewhere"))


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--port"),
        ("run", "--broker-port"),
        ("venue", "serve", "--port"),
    ],
)
@pytest.mark.parametrize(
    ("port", "why"),
    [("99999999", "should be less than or equal to 65535"), ("-5", "should be greater than or equal to 0")],
)
def test_a_port_that_is_none(words, port, why):
    """99999999 was the port 57599, and -5 a traceback."""
    done = CliRunner().invoke(cli.app, [*words, port], catch_exceptions=False)
    assert done.exit_code == 2
    said = " ".join(done.output.replace("│", " ").split())
    assert f"Invalid value for '--{words[-1][2:]}': Input {why}" in said


@pytest.mark.broker
@pytest.mark.parametrize(
    ("program", "why"), [("", "No module named"), ("raise SystemExit('no table here')", "no table")]
)
def test_a_virtual_table_that_does_not_start(citytable, tmp_path, program, why):
    (tmp_path / "tabletwin").mkdir()
    (tmp_path / "tabletwin/__init__.py").touch()
    if program:
        for name in ("__main__", "visited"):
            (tmp_path / f"tabletwin/{name}.py").write_text(program)
    for command in (("rehearse",), ("run", "--no-open", "--port", "0")):
        said = _one_sentence(citytable(*command, PYTHONPATH=str(tmp_path)))
        assert "the virtual table ended with code 1" in said
        assert said.index(why) < said.index("while asked for")


def test_a_plan_that_is_none(citytable, tmp_path):
    (tmp_path / "plan.json").write_text(PLANLESS)
    said = _one_sentence(citytable("run", "--no-twin", "--plan", tmp_path / "plan.json"))
    assert "plan.json: Expected `int`, got `str` - at `$.seats`" in said
    assert "No such file" in _one_sentence(citytable("run", "--no-twin", "--plan", tmp_path / "nowhere.json"))


def test_a_plan_without_a_table_of_ones_own(citytable, tmp_path):
    assert "--no-twin" in _one_sentence(citytable("run", "--plan", tmp_path / "plan.json"))


@pytest.mark.parametrize("command", [("run", "--no-twin"), ("rehearse",), ("level",)])
def test_a_plan_with_a_cell_that_was_never_calibrated(citytable, tmp_path, command):
    plan = starter_plan("salon", 3, ())
    first, *others = plan.stations
    pad, *spots = first.spots
    cell, *cells = pad.cells
    pad = replace(pad, cells=(cell, replace(cell, counts_per_g=0.0), *cells[1:]))
    plan = replace(plan, stations=(replace(first, spots=(pad, *spots)), *others))
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
    said = _one_sentence(citytable(*command, "--plan", tmp_path / "plan.json"))
    assert "plan.json: counts_per_g is 0 at seat/1/pad/0: run citytable calibrate" in said


def test_a_plan_with_too_few_seats(citytable, tmp_path):
    (tmp_path / "plan.json").write_text('{"table": "salon", "seats": 2, "stations": [], "tags": {}}')
    said = _one_sentence(citytable("run", "--no-twin", "--players", "3", "--plan", tmp_path / "plan.json"))
    assert "this table has 2 seats, which are too few for 3 players" in said


def test_a_rehearsal_of_a_plan_with_one_station_for_two_players(citytable, tmp_path):
    """The plan of a maker's first seat: it ended with a rule's refusal in the middle of the game."""
    plan = starter_plan("cafe", 4, ())
    (tmp_path / "cafe.json").write_bytes(msgspec.json.encode(replace(plan, stations=plan.stations[:1])))
    said = _one_sentence(citytable("rehearse", "--players", "2", "--plan", tmp_path / "cafe.json"))
    assert "cafe.json: it has no seat-2, and a rehearsal needs a station at every player's seat or at none" in said
    assert "adopt what is missing, or leave out --plan" in said


@pytest.mark.parametrize("command", [("run", "--no-open", "--port", "0"), ("rehearse",)])
def test_a_journal_that_cannot_be(citytable, tmp_path, command):
    (tmp_path / "letter.txt").write_text("dear diary, this is no database " * 40)
    assert "is not a journal" in _one_sentence(citytable(*command, "--journal", tmp_path / "letter.txt"))
    assert "directory" in _one_sentence(citytable(*command, "--journal", tmp_path / "nowhere/journal.sqlite3"))


@pytest.mark.parametrize("command", [("run",), ("rehearse",)])
def test_a_deck_that_is_none(citytable, tmp_path, command):
    (tmp_path / "deck.json").write_text("[1, 2")
    assert "deck.json" in _one_sentence(citytable(*command, "--deck", tmp_path / "deck.json"))


def test_a_game_that_is_not_here(citytable):
    assert "there is no game 'chess' here" in _one_sentence(citytable("rehearse", "--game", "chess"))


@pytest.fixture
def no_mosquitto(monkeypatch):
    monkeypatch.setattr(broker, "find_mosquitto", lambda: None)


def _fails(capsys, *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.app(list(words))
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_no_broker_at_all(no_mosquitto, monkeypatch, capsys):
    monkeypatch.setattr(embedded, "is_installed", lambda: False)
    said = _fails(capsys, "rehearse")
    assert said.startswith("citytable: no MQTT broker is installed: install mosquitto")


def test_what_looks_like_markup_is_printed_as_it_is(capsys):
    cli.warn("port [bold]7[/nonsense] is busy")
    assert capsys.readouterr().err == "citytable: port [bold]7[/nonsense] is busy\n"
