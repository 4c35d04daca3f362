"""The tutorial's station, typed by a person: what it says is on the wire's terms, and the senses see a tower fall."""

import shutil
import subprocess

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.sensing.reading import CellQuiet, CellSamples, Inventory, StationUp, TagRead
from citytable.sensing.table_sense import TableSense
from citytable.table.fact import Fell, TagCame
from citytable.table.plan import full_plan, tag_uid
from tablewire import messages, topics

TUTORIAL = "docs/tutorial/first-table.md"
THING = "platform/7/public"

# `date` tells a time that only `sleep` moves on, `mosquitto_pub` writes down what it was to say
DATE = 'read -r seconds < clock; echo "$((1000000000 + seconds))000000000"'
SLEEP = 'read -r seconds < clock; echo "$((seconds + $1))" > clock'
MOSQUITTO_PUB = 'printf "%s\\0" "$@" >> said; printf "\\n\\0" >> said'


@pytest.fixture
def typed(blocks, tmp_path):
    """Types the tutorial's station blocks; `pause_s` is how long the typist waits between two of them."""
    station = [block.text for block in blocks(TUTORIAL) if (block.language, block.name) == ("bash", "station")]
    for name, script in (("date", DATE), ("sleep", SLEEP), ("mosquitto_pub", MOSQUITTO_PUB)):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        program.chmod(0o755)

    def run(pause_s: int) -> list[tuple[str, dict, bool]]:
        (tmp_path / "clock").write_text("0\n")
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"RANDOM=7\n{f'sleep {pause_s}{chr(10)}'.join(station)}"],
            cwd=tmp_path,
            env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return [_said(line) for line in (tmp_path / "said").read_text().split("\n\0") if line]

    return run


def _said(words: str) -> tuple[str, dict, bool]:
    """Channel, message and whether it is retained, of one `mosquitto_pub`."""
    arguments = words.rstrip("\0").split("\0")
    table, station, channel = topics.split(arguments[arguments.index("-t") + 1])
    assert (table, station) == ("table", "sector-1")
    payload = arguments[arguments.index("-m") + 1]
    return channel, messages.decode(channel, payload.encode()), "-r" in arguments


def _t_us(message: dict) -> int:
    return message["at"][0] * messages.TICKS_PERIOD + message["at"][1]


def _readings(said):
    for _, message, _ in said:
        match message["type"]:
            case "birth":
                yield StationUp(_t_us(message), "sector-1", message["boot"])
            case "inventory":
                yield Inventory(_t_us(message), "sector-1", ("city/1/0",), ())
            case "tag":
                yield TagRead(_t_us(message), message["spot"], message["uid"], message["here"])
            case "quiet":
                (cell,) = message["cells"]
                rest = (cell["n"], cell["mean"], cell["spread"], cell["min"], cell["max"])
                yield CellQuiet(cell["spot"], cell["cell"], _t_us(message), *rest)
            case "samples":
                t_us = [_t_us(message)]
                for dt_us in message["dt_us"]:
                    t_us.append(t_us[-1] + dt_us)
                yield CellSamples(message["spot"], message["cell"], tuple(t_us), tuple(message["counts"]))


@pytest.fixture
def facts():
    """What the senses of the virtual table tell about what was said."""

    def tell(said):
        senses = TableSense(full_plan("table", 2, shared_spots(()), (THING,)))
        told = []
        for reading in _readings(said):
            newest_us = reading.t_us[-1] if isinstance(reading, CellSamples) else reading.t_us
            told += [*senses.advance(newest_us), *senses.feed(reading)]
        return told

    return tell


def test_the_station_says_what_a_station_says(typed):
    said = typed(pause_s=0)
    kinds = [message["type"] for _, message, _ in said]
    assert kinds == ["birth", "inventory", "tag", *["quiet"] * 5, "samples", "death"]
    assert [retained for _, _, retained in said] == [kind in {"birth", "death"} for kind in kinds]
    assert [message["event_seq"] for _, message, _ in said if "event_seq" in message] == [1, 2]
    assert [message["sample_seq"] for _, message, _ in said if "sample_seq" in message] == [1, 2, 3, 4, 5, 6]
    assert len({message["boot"] for _, message, _ in said}) == 1


@pytest.mark.parametrize("pause_s", [0, 1, 60, 2000])
def test_the_senses_see_the_platform_and_the_fall_however_slowly_one_types(typed, facts, pause_s):
    told = facts(typed(pause_s))
    assert [fact.thing for fact in told if isinstance(fact, TagCame)] == [THING]
    (fell,) = [fact for fact in told if isinstance(fact, Fell) and fact.stage == "confirmed"]
    assert fell.spot == "city/1/0"
    assert fell.lost_g == pytest.approx(150, abs=1)


def test_the_tag_is_the_one_of_the_virtual_table(typed):
    (uid,) = [message["uid"] for _, message, _ in typed(pause_s=0) if message["type"] == "tag"]
    assert uid == tag_uid(THING)


def test_every_block_of_bash_is_bash(blocks):
    for block in blocks(TUTORIAL):
        assert block.language == "bash"
        checked = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True, check=False)
        assert checked.stderr == ""
