"""Counted trees: how many sequences of filled-in actions there are from a named position, over a named set of outcomes.

`walks/*.json` has the position, the outcomes' name and the counts for depth 1, 2, ...; `brute_force.py` describes the
sets of outcomes and counts the first depths over again without any code of the engine.
"""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_from_text
from citytable.games.megacity.position import MATERIALS, Face, Pieces

pytestmark = pytest.mark.long(11)

WALKS = sorted(Path(__file__).parent.joinpath("walks").glob("*.json"))
BRUTE_NODES_MAX = 60


def first_tiles(game, count):
    position = game.position
    seen = {face.platform for faces in (position.supply, *position.returned) for face in faces}
    seen |= {face.platform for player in position.players for face in player.platforms}
    seen |= {building.face.platform for building in position.buildings}
    unseen = [number for number in game.deck.platforms if number not in seen]
    return tuple(Face(number, game.deck.platforms[number][0]) for number in unseen[:count])


def first_pieces(hand, count, without=()):
    chosen = {}
    for kind in (*MATERIALS, "unknown"):
        if kind not in without:
            chosen[kind] = min(count, getattr(hand, kind))
            count -= chosen[kind]
    return Pieces(**chosen)


def draws(game, action, name):
    count = min(3, game.position.bag)
    if not count:
        return [Pieces()]
    if action.announced:
        return [Pieces(**{action.announced: 1})]
    return [Pieces(steel=count)] if name == "plain" else [Pieces(**{k: count}) for k in ("steel", "glass", "unknown")]


def stands(game, action, name):
    card = game.deck.contracts[action.contract]
    hand = replace(game.position.players[action.player - 1].pieces, unknown=0)
    pieces = first_pieces(hand, card.pieces, card.forbidden)
    if pieces.total < card.pieces:
        return []
    return [
        replace(action, stood=True, height_mm=card.height_mm + more, pieces=pieces, judged=True)
        for more in ([0] if name == "plain" else [0, 1])
    ]


def outcomes(game, action, name):
    match action:
        case TakePlatform():
            return [replace(action, revealed=first_tiles(game, min(1, len(game.position.stack))))]
        case Refresh():
            return [replace(action, revealed=first_tiles(game, min(3, len(game.position.stack))))]
        case TakePieces():
            return [replace(action, drawn=drawn) for drawn in draws(game, action, name)]
        case ReturnPieces():
            hand = game.position.players[action.player - 1].pieces
            return [replace(action, returned=first_pieces(hand, hand.total - 15))]
        case PlaceMonument() | PlaceCentralParkMonument():
            return [replace(action, piece=first_pieces(game.position.players[action.player - 1].pieces, 1))]
        case Deliver():
            return [replace(action, stood=False), *stands(game, action, name)]
    return [action]


def walk(game, depth, name):
    count = 0
    for decision in game.legal_actions:
        for action in outcomes(game, decision, name):
            game.push(action)
            count += 1 if depth == 1 else walk(game, depth - 1, name)
            game.pop()
    return count


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WALKS, ids=lambda path: path.stem)
def test_the_tree_has_the_counts_written_down(path):
    tree = read(path)
    game = MegaCity.from_position(position_from_text(tree["position"]))
    assert [walk(game, depth, tree["outcomes"]) for depth in range(1, len(tree["counts"]) + 1)] == tree["counts"]


@pytest.mark.parametrize("path", WALKS, ids=lambda path: path.stem)
def test_an_independent_brute_force_counts_the_same_tree(path, brute):
    tree = read(path)
    state = brute.load(tree["position"])
    depths = [1, *(k + 2 for k, count in enumerate(tree["counts"][:-1]) if count <= BRUTE_NODES_MAX)]
    assert [brute.walk(state, depth, tree["outcomes"]) for depth in depths] == tree["counts"][: len(depths)]


def test_there_are_trees_of_every_phase_and_ending():
    assert len(WALKS) >= 8
    assert {read(path)["outcomes"] for path in WALKS} == {"plain", "mixed"}
