"""The command's first moments: it loads its parts, and may be stopped meanwhile."""

import sys

import pytest

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
