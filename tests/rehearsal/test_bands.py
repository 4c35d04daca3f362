"""What confidence is worth: counted from what was shown and what became of it."""

from citytable.rehearsal.bands import Bands
from citytable.rehearsal.megacity.acts import settled
from citytable.views.state import Provisional, View

DRAWN = "p1 take_pieces drawn=unknown:3"


def shown(bands: Bands, **acts: float) -> None:
    provisional = tuple(Provisional(name, "seen", confidence=sure) for name, sure in acts.items())
    bands.show(View(t_us=0, table="salon", provisional=provisional))


def counted(bands: Bands) -> dict[float, tuple[int, int]]:
    found = {band.low: (band.confirmed, band.dissolved) for band in bands.counted()}
    return {low: numbers for low, numbers in found.items() if any(numbers)}


def test_an_act_counts_once_in_every_band_it_was_shown_in() -> None:
    confirmed: list[str] = []
    bands = Bands(lambda: confirmed)
    for sure in (0.6, 0.6, 0.98):
        shown(bands, **{DRAWN: sure})
    confirmed.append(DRAWN)
    shown(bands)
    assert counted(bands) == {0.5: (1, 0), 0.95: (1, 0)}


def test_what_is_gone_and_was_not_confirmed_has_dissolved() -> None:
    bands = Bands(tuple)
    shown(bands, **{DRAWN: 0.98})
    shown(bands)
    assert counted(bands) == {0.95: (0, 1)}


def test_what_comes_to_light_meanwhile_makes_no_other_act_of_it() -> None:
    confirmed: list[str] = []
    bands = Bands(lambda: confirmed, settled)
    shown(bands, **{"p1 refresh revealed=?": 0.7})
    shown(bands, **{"p1 refresh revealed=7/public": 0.9})
    confirmed.append("p1 refresh revealed=7/public")
    shown(bands)
    assert counted(bands) == {0.7: (1, 0), 0.9: (1, 0)}
