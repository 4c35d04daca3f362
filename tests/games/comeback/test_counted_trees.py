"""Counted trees: how many sequences of filled-in actions there are from a position, over a named set of outcomes.

The set: the first three cards of the deck, all disasters, three rolls, the first meteors of the box. The engine and the
brute force count the same; the numbers are written down so that both cannot change unseen.
"""

import json

import pytest

from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.deck import DISASTERS
from citytable.games.comeback.notation import position_to_text
from citytable.games.comeback.position import Bonus

SIXTEEN = "R03 G01 R06|C08 G06 C10|I08 I12|G12 R13|C14 C13 I01|R08 I14 C04"
HELPED = {"helpers": ["maintenance_crew", "national_guard"], "broken_roads": (2,), "passed": ("R08", "R09")}


def outcomes(state, line):
    """The ways of a decision in the named set."""
    verb = line.split(" ")[1]
    if verb == "flip":
        cards = state["deck"] or state["discard_pile"] + (state["discarded"] if state["built"] else [])
        return [f"{line} card={card}" for card in sorted(cards)[:3]]
    if verb == "strike":
        return [f"{line} disaster={kind}" for kind in DISASTERS]
    if verb == "roll":
        return [f"{line} blue={blue} white={white}" for blue, white in ((1, 4), (5, 2), (6, 3))]
    if verb == "turn_up":
        return [f"{line} meteors={','.join(f'M{k}' for k in range(1, len(state['meteors']) + 1))}"]
    return [line]


def counted(brute, game, depth):
    """The engine's count; the brute force only names the outcomes."""
    if depth == 0:
        return 1
    total = 0
    state = brute.read(json.loads(position_to_text(game.position)))
    for decision in list(game.legal_actions):
        for line in outcomes(state, str(decision)):
            game.push(action_from_text(line))
            total += counted(brute, game, depth - 1)
            game.pop()
    return total


@pytest.mark.parametrize(
    ("columns", "words", "counts"),
    [
        pytest.param(SIXTEEN, {"phase": "disaster", "action_points": 8}, (5, 16, 29, 69), id="every disaster"),
        pytest.param(
            SIXTEEN,
            {"phase": "disaster", "disaster": "meteors", "bonuses": (Bonus(card="ZR1", completed=True),)},
            (5, 11, 40),
            id="meteors and a bonus",
        ),
        pytest.param("R01 - R02*|C01!|I01|G01|R05|C02", HELPED, (12, 162), id="rebuild with helpers"),
    ],
)
def test_the_engine_and_the_brute_force_count_the_same(table, brute, columns, words, counts):
    game = table.game(columns, **words)
    state = brute.read(json.loads(position_to_text(game.position)))
    depths = range(1, len(counts) + 1)
    by_engine = tuple(counted(brute, game, depth) for depth in depths)
    assert tuple(brute.count(state, depth, outcomes) for depth in depths) == by_engine
    assert by_engine == counts
