"""The command's first moments: it loads its parts, and may be stopped meanwhile."""

import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from citytable import command


@pytest.mark.parametrize("name", ["calibrate", "station"])
def test_ctrl_c_while_a_command_is_loaded_says_so_and_shows_no_traceback(monkeypatch, capsys, name):
    def stopped(_module):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["citytable", name, "list"])
    monkeypatch.setattr(command, "import_module", stopped)
    monkeypatch.setattr(command.gc, "disable", lambda: None)
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "citytable: stopped\n"


@pytest.mark.parametrize("name", ["--version", "station"])
def test_the_command_prints_its_version(name):
    done = CliRunner().invoke(command.loaded(name), ["--version"])
    assert (done.exit_code, done.output) == (0, f"{version('citytable')}\n")
