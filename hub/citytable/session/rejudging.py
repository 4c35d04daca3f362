"""Rejudging: today's senses judge the raw signals behind a journal's entries again. Pure.

Senses begin each time with the journal's facts about the spots before: the things there and their mass. Only the facts
that an umpire uses are compared: tags, steps of a load, falls, heights and faults, spot by spot, in order.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from citytable.journal.entry import ActionConfirmed, Asked, Entry, FactNoted
from citytable.journal.excerpt import Excerpt
from citytable.sensing.reading import Reading
from citytable.sensing.table_sense import TableSense
from citytable.session.excerpt_recorder import end_us
from citytable.table.fact import Fact, Fell, HeightMeasured, MassSettled, SensorFault, TagCame, TagLeft
from citytable.table.plan import Plan
from citytable.table.spot import Spot

STEP_G = 0.6
"""Two steps of a load that differ by less are the same, and a smaller one is none: a settled load is off by half."""
LOST_G = 2.0
HEIGHT_MM = 1.0
EARLY_US = 500_000
"""What is told longer before the first fact of the journal is how the senses find their feet."""


Judged: TypeAlias = TagCame | TagLeft | MassSettled | Fell | HeightMeasured | SensorFault


class Rejudged(msgspec.Struct, frozen=True):
    """An entry as it was judged then and as it would be today. `differences`: (spot, then, now), either may be ''."""

    seq: int
    what: str
    differences: tuple[tuple[Spot, str, str], ...]


def what(entry: Entry) -> str:
    """Return the part of an entry that is judged again: an action, a question or a fall; empty for any other."""
    match entry.body:
        case ActionConfirmed(action=action):
            return action
        case Asked(question=question):
            return f"question: {question.about}"
        case FactNoted(fact=Fell(spot=spot, stage=stage)):
            return f"fall on {spot}: {stage}"
        case _:
            return ""


def rejudged(entry: Entry, excerpts: Sequence[Excerpt], plan: Plan, entries: Iterable[Entry]) -> Rejudged:
    """Judge an entry of a game's `entries` again, by the `excerpts` it rests on."""
    facts = [one.body.fact for one in entries if isinstance(one.body, FactNoted)]
    differences: list[tuple[Spot, str, str]] = []
    for chain in _chains(excerpts):
        recorded = [fact for fact in facts if _counts(fact, chain)]
        since_us = min((fact.t_us for fact in recorded), default=chain[0].from_us) - EARLY_US
        now = [fact for fact in _sensed(chain, excerpts, plan, facts) if _counts(fact, chain)]
        again = [fact for fact in now if fact.t_us >= since_us]
        recorded, again = sorted(recorded, key=_when), sorted(again, key=_when)
        differences += [(chain[0].spot, *pair) for pair in _differences(recorded, again)]
    return Rejudged(entry.seq, what(entry), tuple(differences))


def _chains(excerpts: Sequence[Excerpt]) -> Iterator[tuple[Excerpt, ...]]:
    """Return the excerpts of each spot in groups without a gap, because readings are missing across one."""
    for spot in sorted({one.spot for one in excerpts}):
        chain: list[Excerpt] = []
        for one in (one for one in excerpts if one.spot == spot):
            if chain and one.from_us > chain[-1].until_us:
                yield tuple(chain)
                chain = []
            chain.append(one)
        yield tuple(chain)


def _sensed(chain: Sequence[Excerpt], excerpts: Sequence[Excerpt], plan: Plan, facts: Iterable[Fact]) -> Iterator[Fact]:
    """Return the facts of today's senses by a chain and the other spots' readings, after the journal's facts."""
    from_us, until_us = chain[0].from_us, chain[-1].until_us
    meanwhile = [one for one in excerpts if one.from_us <= until_us and one.until_us >= from_us]
    sense = TableSense(_only(plan, {one.spot for one in meanwhile}))
    for fact in facts:
        if fact.t_us < from_us:
            sense.recall(fact)
    readings: dict[Reading, None] = dict.fromkeys(reading for one in meanwhile for reading in one.readings)
    for reading in sorted(readings, key=end_us):
        yield from sense.feed(reading)
        yield from sense.advance(end_us(reading))


def _only(plan: Plan, spots: Iterable[Spot]) -> Plan:
    """Return the plan without the other spots: nothing is known of them here, and they must not be reported missing."""
    wanted = frozenset(spots)
    stations = (replace(one, spots=tuple(s for s in one.spots if s.spot in wanted)) for one in plan.stations)
    return replace(plan, stations=tuple(one for one in stations if one.spots))


def _counts(fact: Fact, mine: Sequence[Excerpt]) -> bool:
    """Return whether an umpire uses a fact, and one of a spot's excerpts contains it."""
    if not isinstance(fact, Judged) or fact.spot != mine[0].spot:
        return False
    if isinstance(fact, MassSettled) and abs(fact.step_g) <= STEP_G:
        return False
    return any(one.from_us <= fact.t_us <= one.until_us for one in mine)


def _when(fact: Fact) -> int:
    return fact.t_us


def _differences(recorded: list[Fact], again: list[Fact]) -> Iterator[tuple[str, str]]:
    """Return the items that are in only one of two sequences, in order, outside their longest common part."""
    left: list[list[int]] = [[0] * (len(again) + 1) for _ in range(len(recorded) + 1)]  # in common from (k, m) on
    for k, m in product(reversed(range(len(recorded))), reversed(range(len(again)))):
        longer = max(left[k + 1][m], left[k][m + 1])
        left[k][m] = left[k + 1][m + 1] + 1 if _same(recorded[k], again[m]) else longer
    k = m = 0
    while k < len(recorded) or m < len(again):
        if k < len(recorded) and m < len(again) and _same(recorded[k], again[m]):
            k, m = k + 1, m + 1
        elif m == len(again) or (k < len(recorded) and left[k + 1][m] >= left[k][m + 1]):
            yield _words(recorded[k]), ""
            k += 1
        else:
            yield "", _words(again[m])
            m += 1


def _same(then: Fact, now: Fact) -> bool:
    match then, now:
        case MassSettled(), MassSettled():
            return abs(then.step_g - now.step_g) <= STEP_G
        case Fell(), Fell():
            return then.stage == now.stage and abs(then.lost_g - now.lost_g) <= LOST_G
        case HeightMeasured(), HeightMeasured():
            return max(abs(then.low_mm - now.low_mm), abs(then.high_mm - now.high_mm)) <= HEIGHT_MM
        case SensorFault(), SensorFault():
            return (then.sensor, then.what, then.on) == (now.sensor, now.what, now.on)
        case TagCame() | TagLeft(), TagCame() | TagLeft():
            return type(then) is type(now) and then.uid == now.uid
        case _:
            return False


def _words(fact: Fact) -> str:
    at = f"at {fact.t_us / 1e6:.2f} s"
    match fact:
        case MassSettled(step_g=step_g):
            return f"{step_g:+.1f} g {at}"
        case Fell(lost_g=lost_g, stage=stage):
            return f"fall {stage}, {lost_g:.1f} g {at}"
        case HeightMeasured(low_mm=low_mm, high_mm=high_mm):
            return f"height {low_mm:.0f} to {high_mm:.0f} mm {at}"
        case SensorFault(sensor=sensor, what=fault, on=on):
            return f"{sensor} {fault} {'begins' if on else 'ends'} {at}"
        case TagCame(uid=uid, thing=thing):
            return f"{thing or uid} came {at}"
        case TagLeft(uid=uid, thing=thing):
            return f"{thing or uid} left {at}"
        case _:
            raise AssertionError(f"nobody goes by a {type(fact).__name__}")
