"""An evening with troubles: the same people and motions, but the hub receives only what its wire lets through."""

import random

from msgspec.structs import replace

from citytable.evenings.people import Noted
from citytable.evenings.performance import Done, Performance, Saying
from citytable.evenings.troubles import drawn_troubles
from citytable.evenings.wire import Wire

TRIES_AGAIN_S = (1.0, 6.0)  # a phone that finds no hub says so, and whoever holds it taps once more


def with_troubles(performance: Performance) -> Performance:
    """Return the evening as a hub receives it while parts of it fail; its troubles are noted among the habits."""
    rng = random.Random(f"{performance.seed} troubles")
    troubles = drawn_troubles(rng, performance.plan, performance.ended_us)
    wire = Wire(performance.plan, rng)
    heard = wire.heard(performance.facts, troubles)
    away_us = tuple(wire.away_us)
    said: dict[int, int] = {}  # when something was said, and when the hub was there to hear it
    for one in performance.said:
        back_us = next((until_us for from_us, until_us in away_us if from_us <= one.t_us < until_us), None)
        said[one.t_us] = one.t_us if back_us is None else back_us + round(1e6 * rng.uniform(*TRIES_AGAIN_S))
    noted = (*performance.noted, *(Noted(one.from_us, one.kind, 0) for one in troubles))
    return replace(
        performance,
        heard=heard,
        away_us=away_us,
        said=tuple(sorted((Saying(said[one.t_us], one.word) for one in performance.said), key=lambda one: one.t_us)),
        done=tuple(_evident(one, said) for one in performance.done),
        noted=tuple(sorted(noted, key=lambda one: one.t_us)),
    )


def _evident(done: Done, said: dict[int, int]) -> Done:
    """Return what was done, evident from the time at which the hub receives the statements about it."""
    return replace(done, evident_us=said.get(done.evident_us, done.evident_us))
