"""The first bench day measures what commands can measure, asks for the rest, and its report keeps what is known."""

import asyncio
import json
import re
import shlex
import subprocess
import sys

import pytest
from typer.main import get_command

from citytable.cli import app
from tabletwin.desk import FREE_BYTES

ENTER, SKIP, AGAIN = "", "s", "m"


@pytest.fixture
def todo(day, root):
    """The procedures of the page."""
    return day.procedures((root / "hardware/NEVER-TRIED.md").read_text())


@pytest.fixture
def bench(day):
    return day.Bench("seat-1", "cafe.json", "127.0.0.1:1884")


class Maker:
    """A person who answers by what is asked, and commands that say what they are told to."""

    def __init__(self, day, answers=(), said='{"findings": []}', code=0):
        self.ran, self.asked, self.shown = [], [], []
        self._answers, self._said, self._code = dict(answers), said, code
        self.ways = day.Maker(self._ask, self.shown.append, self._run)

    def _ask(self, question):
        self.asked.append(question)
        answer = self._answers.get(len(self.asked), self._answers.get("else", ENTER))
        if answer is EOFError:
            raise EOFError
        return answer

    def _run(self, words):
        self.ran.append(words)
        return self._code, self._said


def doctor_said(**seen):
    findings = [{"what": f"city/0/0 {what}", "seen": text, "check": "", "ok": True} for what, text in seen.items()]
    return json.dumps({"findings": findings})


def test_every_line_of_the_page_is_a_procedure_with_an_assumption(todo, root):
    lines = [line for line in (root / "hardware/NEVER-TRIED.md").read_text().splitlines() if line.startswith("| ")]
    assert len(todo) == len(lines) - 1  # the head
    assert all(one.what and one.how and one.assumed for one in todo)


def test_a_doctor_that_measures_gets_the_plan_and_the_broker_of_this_bench(day, todo, bench):
    found = {one.what: day.measure_of(one, None, bench) for one in todo}
    noise = found["noise of an empty cell, in grams"]
    at = ("--plan", "cafe.json", "--broker", "127.0.0.1:1884")
    assert (noise.command, noise.line) == (("citytable", "doctor", "seat-1", *at, "--json"), "noise")
    hour = found["longest pause of the sampler in an hour"]
    assert hour.command[:5] == ("citytable", "doctor", "seat-1", "--seconds", "3600")
    assert found["counts for a gram against 2147"] is None
    measured = [one for one in found.values() if one is not None and one.command[1] == "doctor"]
    assert all(one.line for one in measured), "a doctor's figure stands in a line with a name"


def test_the_same_is_measured_as_before_while_something_else_goes_on(day, todo, bench):
    before, found = None, {}
    for one in todo:
        found[one.what] = day.measure_of(one, before, bench)
        before = found[one.what] or before
    rings = found["the same while the rings march"]
    assert (rings.command[1], rings.line) == ("doctor", "noise")
    assert [words[:4] for words in rings.meanwhile] == [("citytable", "station", "identify", "seat-1")]
    assert found["noise with cell wires of 200, 400 and 800 mm"].line == "noise"
    assert found["current of a station, rings dark and bright"] is None


def test_the_figure_is_what_the_doctor_saw_and_may_be_measured_again(day, bench):
    procedure = day.Procedure("noise", "`citytable doctor park`, line *noise*, three cables", "0.1 g")
    maker = Maker(day, {2: AGAIN}, doctor_said(**{"cell 0 noise": "0.018 g", "free memory": "240000 bytes"}))
    entries = []
    day.walk([procedure], bench, maker.ways, entries.append)
    assert [(one.procedure.what, one.figure) for one in entries] == [("noise", "0.018 g; 0.018 g")]
    assert len(maker.ran) == 2
    assert "cell 0 noise" in entries[0].printed
    assert "'0.018 g'" in maker.asked[1]


def test_a_doctor_without_an_answer_leaves_the_figure_to_people_and_says_why(day, bench):
    procedure = day.Procedure("noise", "`citytable doctor park`, line *noise*", "0.1 g")
    maker = Maker(day, {2: "0.02 g"}, "citytable: no MQTT broker answers at 127.0.0.1:1884", code=1)
    entries = []
    day.walk([procedure], bench, maker.ways, entries.append)
    assert entries[0].figure == "0.02 g"
    assert any("no MQTT broker answers" in line for line in maker.shown)


def test_not_today_runs_nothing_and_a_day_that_ends_early_keeps_what_was_measured(day, todo, bench):
    maker, entries = Maker(day, {"else": SKIP, 4: EOFError}, ""), []
    day.walk(todo, bench, maker.ways, entries.append)
    assert maker.ran == []
    assert len(entries) == 3


def test_commands_that_people_run_are_shown_whole(day, bench):
    procedure = day.Procedure("counts", "`citytable calibrate park`", "10 %")
    maker = Maker(day)
    day.walk([procedure], bench, maker.ways, lambda entry: None)
    assert maker.ran == []
    (shown,) = [line for line in maker.shown if "in another terminal" in line]
    assert "calibrate seat-1 --grams 500 --second 200 --plan cafe.json --broker 127.0.0.1:1884" in shown


def test_every_command_of_the_page_is_one_that_citytable_understands(day, todo, bench):
    """Updates were asked for without the station's name."""
    shown = [day.completed(text, bench)[1:] for one in todo for text in day.COMMAND.findall(one.how)]
    assert len(shown) > 10
    for words in shown:
        command, rest = get_command(app), list(words)
        while hasattr(command, "commands"):
            command = command.commands[rest.pop(0)]
        command.make_context(shlex.join(words), rest)


def test_ctrl_c_ends_the_day_as_ctrl_d_does(day, monkeypatch, tmp_path, capsys):
    """It ended in a traceback, though the report was written."""
    (tmp_path / "cafe.json").write_text("{}")
    answers = iter([ENTER, "yes", KeyboardInterrupt])

    def answer(_text):
        if (one := next(answers)) is KeyboardInterrupt:
            raise KeyboardInterrupt
        return one

    monkeypatch.setattr("builtins.input", answer)
    words = ["day", "--plan", str(tmp_path / "cafe.json"), "--report", str(tmp_path / "report.md")]
    monkeypatch.setattr(sys, "argv", words)
    assert day.main() == 0
    assert "| yes |" in (tmp_path / "report.md").read_text()
    assert "has the report" in capsys.readouterr().out


def test_a_whole_day_reads_well_at_80_columns_and_names_the_station_on_the_bench(day, todo, bench, capsys):
    maker = Maker(day, {"else": SKIP})
    day.walk(todo, bench, maker.ways, lambda entry: None)
    shown = "\n".join(maker.shown)
    assert "citytable doctor seat-1" in shown
    assert "citytable doctor park" not in shown
    lines = [line for text in maker.shown for line in day.folded(text).split("\n") if ".venv/bin" not in line]
    assert [line for line in lines if len(line) > 79] == []
    assert " ".join("\n".join(lines).split()) == " ".join(re.sub(r".*[.]venv/bin.*", "", shown).split())


def test_a_long_question_is_asked_in_lines_that_fit(day, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or "4.5")
    assert day._ask("one\n  .venv/bin/citytable " + "--plan cafe.json " * 6 + "\n" + "word " * 30) == "4.5"
    *before, last = (capsys.readouterr().out + asked[0]).split("\n")
    assert [line for line in (*before, last) if len(line) > 80 and ".venv" not in line] == []
    assert last.endswith(" ")


def test_without_a_port_the_scenarios_are_left_out_and_with_one_hil_plays_them(day, bench):
    maker = Maker(day, said="rest   ok")
    assert day.scenarios(bench, [], maker.ways) == ""
    assert maker.ran == []
    played = day.scenarios(bench._replace(port="/dev/ttyACM0", player="/dev/ttyACM1"), ["--only", "rest"], maker.ways)
    assert played == "rest   ok"
    assert maker.ran[0][1].endswith("tools/hil.py")
    assert maker.ran[0][2:] == ("--port", "/dev/ttyACM0", "--player", "/dev/ttyACM1", "--only", "rest")


def test_a_broken_line_of_the_page_is_quoted(day):
    with pytest.raises(ValueError, match=r"the line '\| a \| b \|' has 2 columns, of 4"):
        day.procedures("| a | b |\n")


def test_the_makefile_hands_the_bench_on(root):
    words = ["STATION=seat-1", "PLAN=t.json", "BROKER=hub:1883", "PORT=/dev/ttyACM0", "ARGS=--only rest"]
    done = subprocess.run(["make", "-n", "bench-day", *words], cwd=root, capture_output=True, text=True, check=True)
    asked = "--station 'seat-1' --plan 't.json' --broker 'hub:1883' --port '/dev/ttyACM0' --player '' --only rest"
    assert asked in done.stdout


@pytest.mark.soak
@pytest.mark.broker
async def test_a_whole_day_with_a_board_of_models_and_the_real_vm(day, todo, root, load_tool, board_of_vm, tmp_path):
    """The script as `make bench-day` starts it: scenarios on the VM, the doctor at an adopted board, answers typed."""
    memory, noise = "free memory of a Pico 2 W with the program running", "noise of an empty cell, in grams"
    weight = "how much 500 g seem to weigh after an hour"
    by_hand = "counts for a gram against 2147"
    answers, before = [ENTER, ENTER], None  # the scenarios, and the hub that runs
    for one in todo:
        found = day.measure_of(one, before, day.Bench("park", "", ""))
        before = found or before
        if one.what == by_hand:
            answers.append("2139 at city/0/0")
        elif found is None:
            answers.append(ENTER)
        else:
            answers += [ENTER, ENTER] if one.what in (memory, noise, weight) else [SKIP]
    report = tmp_path / "bench-day.md"
    async with load_tool("doctor_of_models").adopted_board("park") as table:
        script = await asyncio.create_subprocess_exec(
            *(sys.executable, root / "tools/first_bench_day.py", "--station", "park", *table),
            *("--port", board_of_vm("1.29"), "--only", "rest", "--report", report),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        shown, _ = await asyncio.wait_for(script.communicate("".join(f"{one}\n" for one in answers).encode()), 240)
    assert script.returncode == 0, shown.decode()
    page = report.read_text()
    rows = {what: figure for what, _, figure in re.findall(r"^\| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)}
    assert len(rows) == len(todo) + 1  # the head
    assert rows[memory] == f"{FREE_BYTES} bytes"
    assert re.fullmatch(r"0\.\d+ g \(up to 0\.10 g\)", rows[noise])
    assert rows[weight] == "city/0/0 10.1 g", "nothing lies there, and its zero was never measured"
    assert rows[by_hand] == "2139 at city/0/0"
    assert list(rows.values()).count("not measured") == len(todo) - 4
    assert re.search(r"^rest +ok$", page, re.MULTILINE)
    assert page.count("$ citytable doctor park --plan") == 2
