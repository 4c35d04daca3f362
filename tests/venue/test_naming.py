"""Names that are put right: standings and the season follow."""

import pytest

from citytable.venue.evening import after, evening_of
from citytable.venue.facts import (
    EveningBegun,
    GamePlayed,
    PlayerCame,
    PlayerRenamed,
    PlayerShown,
    PlayersMerged,
    Refused,
    RoundDrawn,
    Seating,
    TableOpened,
)
from citytable.venue.naming import erasing, merging, renaming, showing
from citytable.venue.season import season
from citytable.venue.standings import standings


def evening(*names, seated=None, out=()):
    """One round, which the first one of those who were seated has won."""
    seated = seated or names
    drawn = RoundDrawn(1, (Seating("north", seated),), out)
    points = tuple(range(9, 9 - len(seated), -1))
    begun = [EveningBegun(2, 4, 3, 1), TableOpened("north"), *map(PlayerCame, names)]
    return evening_of([*begun, drawn, GamePlayed("north", "g1", 1, points)])


def put_right(decide, **evenings):
    decided = decide(evenings)
    return {at: after(one, decided[at]) if at in decided else one for at, one in evenings.items()}


def points(found):
    return {line.player: float(line.points) for line in standings(found)}


def test_a_player_with_another_name_keeps_what_they_have_played_in_the_whole_season():
    now = put_right(
        renaming("Bne", " Ben "), friday=evening("Bne", "Ada"), monday=evening("Ada", "Bne"), may=evening("Ada", "Cleo")
    )
    assert points(now["friday"]) == {"Ben": 1, "Ada": 0}
    assert {line.player: float(line.points) for line in season(list(now.values()))} == {"Ada": 2, "Ben": 1, "Cleo": 0}
    assert now["friday"].present == {"Ben", "Ada"}


def test_two_names_of_one_person_become_one_player_on_every_evening():
    now = put_right(merging("Ada L.", "Ada"), friday=evening("Ada", "Ben"), monday=evening("Ada L.", "Ben"))
    assert {line.player: float(line.points) for line in season(list(now.values()))} == {"Ada": 2, "Ben": 0}


def test_somebody_who_came_twice_and_sat_out_as_the_other_played_once():
    twice = evening("quin", "Ben", "Quin", seated=("Ben", "quin"), out=("Quin",))
    now = after(twice, PlayersMerged("quin", "Quin"))
    assert points(now) == {"Ben": 1, "Quin": 0}
    assert now.rounds[0].sitting_out == ()
    assert now.players == ("Quin", "Ben")


def test_who_has_a_namesake_keeps_their_name_until_the_host_says_that_both_are_one():
    evenings = {"friday": evening("Ben", "Ada"), "monday": evening("Bne", "Ada")}
    with pytest.raises(Refused, match="Ben has come on friday: if both are one person"):
        renaming("Bne", "ben")(evenings)
    assert renaming("Ben", "ben")(evenings) == {"friday": PlayerRenamed("Ben", "ben")}, "another spelling of oneself"
    assert merging("Bne", "Ben")(evenings) == {"monday": PlayerRenamed("Bne", "Ben")}


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (PlayerRenamed("Zoe", "Zoé"), "Zoe has not come"),
        (PlayerRenamed("Ada", "  "), "needs a name"),
        (PlayerRenamed("Ada", "Ben"), "Ben has come already"),
        (PlayersMerged("Ada", "Zoe"), "Zoe has not come"),
        (PlayersMerged("Ada", "Ben"), "both play in round 1: they are two people"),
    ],
)
def test_what_is_no_name_or_no_person_is_refused(fact, why):
    with pytest.raises(Refused, match=why):
        after(evening("Ada", "Ben"), fact)


def test_names_that_nobody_has_are_refused():
    evenings = {"friday": evening("Ben", "Ada")}
    for decide in (renaming("Zoe", "Zoé"), merging("Zoe", "Ada"), merging("Ada", "Zoe")):
        with pytest.raises(Refused, match="Zoe has come on no evening of this season"):
            decide(evenings)
    with pytest.raises(Refused, match="Ada is one person already"):
        merging("Ada", "Ada")(evenings)


def facts_of(*more):
    drawn = RoundDrawn(1, (Seating("north", ("Bne", "Ada")),), ("Cleo",))
    came = [EveningBegun(2, 4, 3, 1), TableOpened("north"), *map(PlayerCame, ("Bne", "Ada", "Cleo")), drawn]
    return [*came, GamePlayed("north", "g1", 1, (9, 4)), *more]


def test_who_wants_to_be_forgotten_is_in_no_fact_any_more_and_their_points_stay():
    friday = facts_of(PlayerRenamed("Bne", "Ben"), PlayerCame("Bne"), PlayersMerged("Ben", "Benjamin"))
    friday.insert(-1, PlayerCame("Benjamin"))
    monday = facts_of()
    erased = erasing("Benjamin")({"friday": friday, "monday": monday})
    assert set(erased) == {"friday"}
    assert not [fact for fact in erased["friday"] if "Ben" in str(fact)]
    assert PlayerCame("Bne") in erased["friday"], "somebody else, who came under that name later"
    assert erased["friday"].count(PlayerCame("Bne")) == 1
    before, now = (points(evening_of(facts)) for facts in (friday, erased["friday"]))
    assert sorted(before.values()) == sorted(now.values())
    assert before.keys() - now.keys() == {"Benjamin"}


def test_somebody_gets_a_number_that_nobody_has():
    taken = [*facts_of(), PlayerCame("somebody 1")]
    (facts,) = erasing("Ada")({"friday": taken}).values()
    assert "somebody 2" in evening_of(facts).players
    assert "somebody 1" in evening_of(facts).players


def test_nobody_can_be_forgotten_who_never_came():
    with pytest.raises(Refused, match="Dot has come on no evening"):
        erasing("Dot")({"friday": facts_of()})


def agreed(found):
    return {line.player for line in season(list(found.values())) if line.by_name}


def test_a_yes_goes_with_its_player_and_of_two_names_that_of_the_one_that_stays_counts():
    yes = put_right(showing("Bne", by_name=True), friday=evening("Bne", "Ada"), monday=evening("Ada", "Bne"))
    assert agreed(yes) == {"Bne"}
    assert agreed(put_right(renaming("Bne", "Ben"), **yes)) == {"Ben"}
    apart = evening("Bne", "Ada", "Cleo", seated=("Bne", "Cleo"), out=("Ada",))
    for stays in (True, False):
        both = after(after(apart, PlayerShown("Bne", by_name=not stays)), PlayerShown("Ada", by_name=stays))
        assert agreed(put_right(merging("Bne", "Ada"), friday=both)) == ({"Ada"} if stays else set())


def test_a_yes_holds_on_later_evenings_and_without_one_there_is_a_number():
    first = after(evening("Ada", "Ben"), PlayerShown("Ben", by_name=True))
    lines = season([first, evening("Cleo", "Ben")])
    assert {line.player: (line.number, line.by_name) for line in lines} == {
        "Ada": (1, False),
        "Ben": (2, True),
        "Cleo": (3, False),
    }
    with pytest.raises(Refused, match="Zoe has not come"):
        after(first, PlayerShown("Zoe", by_name=True))
