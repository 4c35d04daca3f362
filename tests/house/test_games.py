"""Games are found by their folders: one list in each program, and all lists are equal."""

import ast
import re

from citytable import games
from tabletwin.hands.games import GAMES

FOLDERS = ("hub/citytable/games", "hub/citytable/rehearsal", "firmware/tabletwin/hands")


def _folders(root, room):
    return {path.parent.name for path in (root / room).glob("*/__init__.py")}


def test_every_folder_of_a_game_is_in_the_list_and_every_game_of_the_list_has_its_folders(root):
    assert all(_folders(root, room) == set(games.NAMES) for room in FOLDERS)


def test_the_screens_of_every_game_stand_in_a_folder_of_its_name(root):
    """The dashboard's list is made of the folders themselves (`dashboard/src/games/index.ts`)."""
    assert {path.parent.name for path in (root / "dashboard/src/games").glob("*/index.ts")} == set(games.NAMES)


def test_the_hub_and_the_virtual_table_know_the_same_games():
    assert GAMES == games.NAMES


def test_every_game_has_a_box_with_its_name():
    assert [games.box_of(name).name for name in games.NAMES] == list(games.NAMES)


def test_nothing_outside_its_folders_names_a_game(root, sources):
    """Texts for people may name one (a docstring, a help text); code and messages between programs may not."""
    words = re.compile("|".join(games.NAMES), re.IGNORECASE)
    lists = {"hub/citytable/games/__init__.py", "firmware/tabletwin/hands/games.py"}
    named = []
    for path in sources:
        inside = set(path.parts) & set(games.NAMES)
        if path.suffix != ".py" or path.parts[0] not in {"hub", "firmware"} or inside or str(path) in lists:
            continue
        tree = ast.parse((root / path).read_text("utf-8"))
        texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            names = (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "module", "") or "")
            value = node.value if isinstance(node, ast.Constant) and id(node) not in texts else ""
            if any(words.search(str(word)) for word in (*names, value)):
                named.append(f"{path}:{getattr(node, 'lineno', 0)}")
    assert named == []
