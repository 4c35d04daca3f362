"""The report on many evenings: what was confirmed wrongly, by habit and over all, and what it cost people."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from citytable.evenings.judging import Result

Z = 1.96  # 95 %
FEW_TAPS = 3
TURNS_OF_A_GAME = 52  # turns of a game of three that Greedy plays against itself, seed 3

SHOWN_MIN = 20  # acts, to be counted by what spoke for them


def bounds(wrong: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share.

    >>> low, high = bounds(0, 100)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    """
    if not of:
        return 0.0, 1.0
    share = wrong / of
    middle = share + Z * Z / (2 * of)
    reach = Z * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    scale = 1 + Z * Z / of
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def share_text(wrong: int, of: int) -> str:
    """Return a share with its interval as text."""
    low, high = bounds(wrong, of)
    return f"{wrong / of if of else 0:.4f}  {wrong}/{of}  95 % {low:.4f} to {high:.4f}"


def _at(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def overall(results: Sequence[Result]) -> Iterator[tuple[str, str]]:
    """Yield the results over all evenings, line by line."""
    ends = Counter(one.end for one in results)
    turns = sum(one.turns for one in results)
    yield "evenings", f"{len(results)}: " + ", ".join(f"{end} {n}" for end, n in sorted(ends.items()))
    yield "wrong confirmations per evening", share_text(ends["wrong"], len(results))
    yield "wrong confirmations per turn", share_text(ends["wrong"], turns + ends["wrong"])
    yield "stuck evenings", share_text(ends["stuck"], len(results))
    if went_on := Counter(one.set_right for one in results if one.set_right):
        yield (
            "stuck ones, once the host has set the table",
            ", ".join(f"{end} {n}" for end, n in sorted(went_on.items())),
        )
    for which, end in (("wrong", "wrong"), ("spoilt", "fine")):
        taps = chain.from_iterable(one.taps for one in results if one.end == end)
        yield f"taps that put a {which} turn right", _taps_text(list(taps))
    yield from _talk(results, turns)
    waits = list(chain.from_iterable(one.waits_s for one in results))
    yield "act to confirmation, s", f"p50 {_at(waits, 0.5):.1f}, p95 {_at(waits, 0.95):.1f}, of {len(waits)}"
    due, in_time = sum(one.turns_due for one in results), sum(one.turns_in_time for one in results)
    yield "turns confirmed before that player's next", share_text(in_time, due)
    unanswered = sum(one.turns_unanswered for one in results)
    yield "the others, where people had not answered yet", share_text(unanswered, due - in_time)
    yield "acts without evidence", str(sum(one.unseen for one in results))
    for when, widths in (
        ("at a delivery", list(chain.from_iterable(one.delivery_widths for one in results))),
        ("at the end", list(chain.from_iterable(one.end_widths for one in results))),
    ):
        yield f"a hand's pieces {when}", _width_text(widths)
    cost_s = sum(one.cost_s for one in results)
    if cost_s:
        games = turns / TURNS_OF_A_GAME / cost_s * 60
        yield "speed", f"{len(results) / cost_s * 60:.0f} evenings or {games:.1f} whole games a minute on one core"


def _taps_text(taps: Sequence[int | None]) -> str:
    few = sum(n is not None and n <= FEW_TAPS for n in taps)
    by_form = sum(n is None for n in taps)
    return f"at most {FEW_TAPS} in {few} of {len(taps)}, more in {len(taps) - few - by_form}, by a form {by_form}"


def _width_text(widths: Sequence[int]) -> str:
    exact = sum(width == 0 for width in widths)
    return (
        f"exact {exact}/{len(widths)}, range wide on average {sum(widths) / max(1, len(widths)):.2f}, "
        f"p95 {_at(widths, 0.95):.0f}, at most {max(widths, default=0)}"
    )


def _talk(results: Sequence[Result], turns: int) -> Iterator[tuple[str, str]]:
    asked = [question for one in results for question in one.questions]
    deliveries = sum(one.deliveries for one in results)
    of_deliveries = sum(one.delivery_questions for one in results)
    others = [one for one in asked if one.prompt not in {"deliver", "where"}]
    yield (
        "questions per turn",
        f"{len(asked) / max(1, turns):.3f}, without deliveries' {len(others) / max(1, turns):.3f}",
    )
    yield "questions per delivery", f"{of_deliveries / max(1, deliveries):.2f} of {deliveries}"
    for prompt, n in sorted(Counter(one.prompt for one in asked).items()):
        right = sum(one.proposed_right for one in asked if one.prompt == prompt)
        yield f"  {prompt}", f"{n}, proposed rightly {right}"


def by_habit(results: Sequence[Result]) -> list[tuple[str, int, int, int]]:
    """Return for each habit the evenings with it, those that went wrong while it was in play, and the stuck ones."""
    shown = Counter(chain.from_iterable(one.habits for one in results))
    wrong = Counter(chain.from_iterable(one.around for one in results if one.end == "wrong"))
    stuck = Counter(chain.from_iterable(one.around for one in results if one.end == "stuck"))
    rows = [(habit, n, wrong[habit], stuck[habit]) for habit, n in shown.items()]
    return sorted(rows, key=lambda row: (-row[2] / row[1], row[0]))


def bands(results: Iterable[Result]) -> list[tuple[str, int, int]]:
    """Return for each band of confidence how many acts shown with it were true, and how many were not."""
    found: dict[str, list[int]] = {}
    for one in results:
        for low, (true, untrue) in one.bands.items():
            counts = found.setdefault(low, [0, 0])
            counts[0] += true
            counts[1] += untrue
    return [(low, true, untrue) for low, (true, untrue) in sorted(found.items())]


def shown_by(results: Iterable[Result]) -> list[tuple[str, int, float, float]]:
    """Return for each kind of evidence and doubt how many acts had it, their confidence, and how many were true.

    The last two are shares; kinds that were seldom shown are left out.
    """
    found: dict[str, list[float]] = {}
    for one in results:
        for by, counted in one.shown_by.items():
            found[by] = [have + more for have, more in zip(found.get(by, [0, 0, 0]), counted, strict=True)]
    rows = [(by, int(true + untrue), sure, true) for by, (true, untrue, sure) in found.items()]
    often = [(by, n, sure / n, true / n) for by, n, sure, true in rows if n >= SHOWN_MIN]
    return sorted(often, key=lambda row: -row[1])
