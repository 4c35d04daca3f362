"""Reliability of the confidence shown: counted from the views and from what was confirmed."""

from citytable.rehearsal.megacity.acts import settled
from citytable.rehearsal.reliability import Reliability
from citytable.views.state import Provisional, View

DRAWN = "p1 take_pieces drawn=unknown:3"


def shown(reliability: Reliability, **acts: float) -> None:
    provisional = tuple(Provisional(name, "seen", confidence=sure) for name, sure in acts.items())
    reliability.show(View(t_us=0, table="salon", provisional=provisional))


def counted(reliability: Reliability) -> dict[float, tuple[int, int]]:
    found = {one.low: (one.confirmed, one.dissolved) for one in reliability.counted()}
    return {low: numbers for low, numbers in found.items() if any(numbers)}


def test_an_act_counts_once_in_every_bin_it_was_shown_in() -> None:
    confirmed: list[str] = []
    reliability = Reliability(lambda: confirmed)
    for sure in (0.6, 0.6, 0.98):
        shown(reliability, **{DRAWN: sure})
    confirmed.append(DRAWN)
    shown(reliability)
    assert counted(reliability) == {0.5: (1, 0), 0.95: (1, 0)}


def test_what_is_gone_and_was_not_confirmed_has_dissolved() -> None:
    reliability = Reliability(tuple)
    shown(reliability, **{DRAWN: 0.98})
    shown(reliability)
    assert counted(reliability) == {0.95: (0, 1)}


def test_what_comes_to_light_meanwhile_makes_no_other_act_of_it() -> None:
    confirmed: list[str] = []
    reliability = Reliability(lambda: confirmed, settled)
    shown(reliability, **{"p1 refresh revealed=?": 0.7})
    shown(reliability, **{"p1 refresh revealed=7/public": 0.9})
    confirmed.append("p1 refresh revealed=7/public")
    shown(reliability)
    assert counted(reliability) == {0.7: (1, 0), 0.9: (1, 0)}
