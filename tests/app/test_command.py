"""The `citytable` command loads what a command needs, and says the same as when all is loaded."""

import pytest
import typer
from typer.testing import CliRunner

from citytable import cli
from citytable.command import MODULES, loaded


@pytest.mark.parametrize("name", MODULES)
def test_a_command_by_itself_says_the_same_as_among_all(name):
    command = loaded(name)
    assert isinstance(command, typer.Typer)
    assert command is not cli.app
    alone, among = (CliRunner().invoke(app, [name, "--help"]) for app in (command, cli.app))
    assert alone.exit_code == among.exit_code == 0
    assert alone.output == among.output


@pytest.mark.parametrize("name", ["run", "play", "replay", "rehearse", "host", "", "nonsense"])
def test_everything_else_is_looked_for_among_all(name):
    assert loaded(name) is cli.app
