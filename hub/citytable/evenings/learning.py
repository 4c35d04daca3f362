"""Learning: how often people have the habits that the umpire has rates for, counted from what they really did.

Nothing is judged for it: an evening is performed, and its own record says how often each habit showed. What no evening
shows, such as how often a scale feels nothing of an act, stays an assumption.
"""

from citytable.evenings.troupe import Settings, Troupe
from citytable.table.likelihood import Often


def learned(troupe: Troupe, first_seed: int, count: int, settings: Settings) -> dict[str, Often]:
    """Return for each rate how often these evenings showed it, in how many cases; raise `ValueError` if none count."""
    if troupe.counts is None:
        raise ValueError("nobody counts what these people do")
    total: dict[str, Often] = {}
    for seed in range(first_seed, first_seed + count):
        for name, often in troupe.counts(troupe.perform(seed, settings)).items():
            before = total.get(name, Often(0, 0))
            total[name] = Often(before.n + often.n, before.of + often.of)
    return total
