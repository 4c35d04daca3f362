"""Whoever plays at /table in French reads in French why their hands could not do something."""

import ast
from pathlib import Path

import pytest

from tabletwin import hands
from tabletwin.frames import Refusal, in_french
from tabletwin.scheduler import Impossible

HANDS = Path(hands.__file__).parent
FOR_REHEARSALS = {"bench.py", "disorder.py", "hesitating.py", "setup.py"}  # acts that no page asks for
ASKED = [HANDS.parent / "world.py", *(path for path in HANDS.rglob("*.py") if path.name not in FOR_REHEARSALS)]


def said(text):
    """What a sentence in the code may be when it is said."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "'7'" for part in parts)


def raised():
    for path in ASKED:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Impossible":
                yield f"{path.name}:{node.lineno}", said(node.args[0])


@pytest.mark.parametrize(("where", "why"), list(raised()))
def test_every_reason_of_hands_has_its_french(where, why):
    assert in_french(why) != why, f"{where}: write it into impossible.json"


def test_an_empty_pile_is_refused_in_both_languages():
    why = Impossible("no card is left on the pile 'deck': shuffle another pile into it")
    text = Refusal("impossible", 7, seen=why).text
    assert text["en"] == "That cannot be done: no card is left on the pile 'deck': shuffle another pile into it."
    assert text["fr"] == "C'est impossible : il n'y a plus de carte dans cette pile : mélangez-y une autre pile."


def test_what_nobody_wrote_in_french_is_said_in_english():
    assert in_french("the moon is full") == "the moon is full"
