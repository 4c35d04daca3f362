"""A person plays in the terminal: whatever he types, he reads what it did, or which rule it broke."""

import re

import pytest

from citytable.games.megacity.actions import Deliver

pytestmark = pytest.mark.long(3)


def first(prompt: str) -> str:
    """Always the first decision, and chance for everything else."""
    return "1" if prompt.startswith("seat") else ""


@pytest.mark.parametrize(("players", "simplified"), [(2, False), (3, False), (4, False), (2, True)])
def test_a_whole_game_by_always_playing_the_first_decision(typed, players, simplified):
    played = typed(first, players, simplified=simplified)
    assert played.game.outcome() is not None
    assert "points" in played.said
    assert len(played.asked) > 10


def test_a_decision_that_is_played_is_told(typed):
    played = typed(["4"])
    assert str(played.game.actions[-1]) == "p1 take_contract contract=RE4"
    assert re.search(r"^  seat 1: take contract RE4: residential", played.said, re.MULTILINE)


def test_what_chance_gave_is_told(typed):
    played = typed(["8"])
    assert "seat 1: draw pieces at random; drawn: " in played.said


def test_an_action_against_the_rules_is_refused_with_its_rule(typed):
    played = typed(["p1 deliver contract=PU3 platform=1 at=1/0", "p2 end_turn"])
    refusals = re.findall(r"\bR\d+\b", played.said)
    assert len(refusals) >= 2
    assert played.game.position.player == 1
    assert all(action.player != 1 for action in played.game.actions[1:])


@pytest.mark.parametrize("nonsense", ["p1 take_contract contract=ZZZ", "fly", "99", "0", "p1 take_contract", "[/b]"])
def test_nonsense_is_quoted_and_changes_nothing(typed, nonsense):
    played = typed([nonsense])
    assert played.game.position.players[0].contracts == ()
    assert len(played.asked) == 2
    assert "Traceback" not in played.said
    assert nonsense.split()[-1].split("=")[-1] in played.said.split("refused with the rule's number", 1)[1]


def test_help_lists_and_scores_play_nothing(typed):
    played = typed(["", "help", "?", "all", "city", "score"])
    mine = [action for action in played.game.actions if getattr(action, "player", 0) == 1]
    assert mine == []
    assert played.said.count("refused with the rule's number") == 4
    assert "  17  " in played.said


def test_leaving_ends_the_game_with_the_points(typed):
    played = typed(["quit"])
    assert played.game.outcome() is None
    assert "you left the table" in played.said
    assert "points" in played.said


def test_the_end_of_the_input_is_leaving(typed):
    def ended(_: str) -> str:
        raise EOFError

    assert "you left the table" in typed(ended).said


@pytest.fixture
def builds(typed):
    """`builds(*answers)`: a person who collects what a delivery needs, delivers, and says how it came out."""

    def play(*answers: str):
        said = list(answers)
        deliveries = []

        def answer(prompt: str) -> str:
            if not prompt.startswith("seat"):
                deliveries.append(prompt)
                return said.pop(0)
            return "quit" if deliveries else next(steps)

        def collect():
            yield "p1 take_contract contract=RE4"
            yield "p1 take_contract contract=CO3"
            yield "p1 take_platform platform=16"
            yield "p1 end_turn"
            for _ in range(3):
                yield "p1 take_pieces"
            yield "p1 end_turn"
            yield "p1 deliver contract=CO3 platform=16 at=1/0"

        steps = collect()
        return typed(answer)

    return play


def test_a_delivery_left_to_chance_comes_out_somehow(builds):
    delivery = builds("").game.actions[-1]
    assert isinstance(delivery, Deliver)
    assert delivery.stood is not None


def test_a_delivery_may_fall_as_the_person_says(builds):
    played = builds("fell")
    assert played.game.actions[-1].stood is False
    assert "it fell" in played.said


def test_a_delivery_stands_as_high_as_the_person_says(builds):
    played = builds("44", "", "", "")
    assert (played.game.actions[-1].stood, played.game.actions[-1].height_mm) == (True, 44)
    assert "44 mm of " in played.said


@pytest.mark.parametrize(
    ("answers", "rule"),
    [(("3", "", "", ""), "R18"), (("44", "1", "0", "0"), "R17"), (("tall",), "'tall' is not a height")],
)
def test_a_delivery_that_breaks_a_rule_is_refused_with_it(builds, answers, rule):
    played = builds(*answers)
    assert rule in played.said
    assert not isinstance(played.game.actions[-1], Deliver)


def test_the_goal_the_map_and_what_is_left_of_the_turn_are_shown(typed):
    played = typed(["8", "8"])
    assert "You win with the most points" in played.said
    assert re.search(r"\. +-1/0 +CP +1/0 +\. ", played.said)  # where one may deliver
    assert re.findall(r"^turn [12]: (.*)$", played.said, re.MULTILINE)[:3] == [
        "3 actions left, or one delivery",
        "2 actions left",
        "1 action left",
    ]


def test_the_simplified_game_has_another_goal(typed):
    assert "a park that you did not place" in typed([], simplified=True).said


def test_a_hint_is_a_legal_decision_by_its_number_and_changes_nothing(typed):
    asked, plain = typed(["hint", "hint", "8"]), typed(["8"])
    hints = re.findall(r"a bot would play (\d+): (.*)$", asked.said, re.MULTILINE)
    assert len(hints) == 2
    number, words = hints[0]
    assert re.search(rf"^ +{number}  {re.escape(words)}$", asked.said, re.MULTILINE)
    assert asked.game.actions == plain.game.actions


def test_the_rival_is_whom_one_chooses(typed):
    class Last:
        def choose(self, game, decisions):
            return decisions[-1]

    played = typed(["p1 end_turn"], rival=Last())
    theirs = next(action for action in played.game.actions if getattr(action, "player", 0) == 2)
    assert str(theirs) == "p2 end_turn"
