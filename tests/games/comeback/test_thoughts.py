"""What the player may think of: a kind of which nothing is allowed is refused by the rule that forbids it."""

import pytest

from citytable.games.comeback.deck import EARLIER
from citytable.games.comeback.position import Bonus
from citytable.games.comeback.table_side import ComebackTable
from citytable.umpire.declining import declined
from citytable.umpire.whole_game import whole

GAME = whole(ComebackTable(EARLIER[0]))
CITY = "R01 C01|R02 G01|R03 I01|R04 C02|R05 G02|R06 I02"


def refusals(position):
    """The rule and the sentence that forbid the kinds of which nothing is allowed, by kind."""
    return {action.split()[1]: (refusal.rule, refusal.text["en"]) for action, refusal in declined(GAME, position)}


def test_before_a_card_is_flipped_nothing_is_built_or_discarded(table):
    reason = ("CR4", "No card is flipped. Flip the next card.")
    assert refusals(table.position(CITY, phase="build", action_points=0)) == {"build": reason, "discard": reason}


def test_the_rebuild_says_what_keeps_each_of_its_acts_from_the_player(table):
    reasons = refusals(table.position(CITY, helpers=["maintenance_crew"], plant_works=False))
    assert reasons["restore"] == ("CR24", "There is no rubble in the city.")
    assert reasons["repair"] == ("CR25", "The pool cannot pay for this repair.")
    assert reasons["mend"] == ("CR25", "There is nothing to repair.")
    assert reasons["throw_out"][0] == "CR26"
    assert reasons["finish"][0] == "CR30"
    assert "guard" not in reasons  # no helper does it


def test_rubble_that_the_pool_does_not_pay_for_is_named(table):
    assert refusals(table.position("R09*|R02 G01|R03 C02"))["restore"][0] == "CR24"


def test_a_disaster_is_over_only_after_it_struck_and_a_bonus_waits_for_being_completed(table):
    bonuses = tuple(Bonus(card=card) for card in sorted(EARLIER[0].bonuses)[:2])
    position = table.position(CITY, phase="disaster", disaster="earthquake", bonuses=bonuses)
    reasons = {kind: rule for kind, (rule, _) in refusals(position).items()}
    assert reasons == {"shake": "CR14", "rebuild": "CR20", "claim": "CR12"}


@pytest.mark.seeds("seed", [0, 1], soak=20)
def test_whatever_is_declined_is_of_no_kind_that_is_allowed_and_has_two_languages(played, seed):
    for game, _ in played(seed):
        allowed = {str(decision).split()[1] for decision in game.legal_actions}
        for action, refusal in declined(GAME, game.position):
            assert action.split()[1] not in allowed
            assert refusal.rule.startswith("CR")
            assert refusal.text["en"] != refusal.text["fr"]
