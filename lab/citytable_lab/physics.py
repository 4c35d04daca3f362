"""Simulate falls of towers by rigid-body physics.

An episode is drawn from its seed alone: a tower, pieces, a tile, a trigger. The same seed gives the same recording on
the same machine.
"""

import math
import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from citytable_lab.episode import Episode
from citytable_lab.fall_labels import Verdict, judge
from citytable_lab.recording import DT_S, Floats, Outcome, PieceCast, Recording
from citytable_lab.scene import random_surface
from citytable_lab.tower import random_tower
from citytable_lab.triggers import TriggerName, plan_trigger

if TYPE_CHECKING:
    from citytable_lab.episode import Played

PATIENCE = 3  # a trigger is tried so often on one tower, gentler or rougher each time
WIDE_SHARE = 0.25  # of tiles so wide that what falls often stays on them
STILL_S = 0.01  # before a trigger
TOWERS = 10  # and so many towers are tried
Wish = str

# small falls are the hardest to detect, so they are aimed for most often
WISHES: dict[Wish, float] = {"collapse": 0.2, "several": 0.24, "single": 0.28, "stood": 0.12, "pulled": 0.16}
ENDINGS: dict[Wish, str] = {
    "collapse": "collapsed",
    "several": "lost several pieces",
    "single": "lost one",
    "stood": "stood",
    "pulled": "had one pulled out",
}
SEVERITY: dict[Wish, int] = {"stood": 0, "pulled": 0, "single": 1, "several": 2, "collapse": 3}
FIRST_STRENGTH: dict[Wish, float] = {"stood": 0.5, "pulled": 1.0, "single": 1.0, "several": 1.1, "collapse": 1.7}
FEWEST_PIECES: dict[Wish, int] = {"stood": 3, "pulled": 3, "single": 5, "several": 7, "collapse": 3}
TRIGGERS: dict[Wish, dict[TriggerName, float]] = {
    "collapse": {"push": 5, "slide": 4, "misplace": 2, "pull": 4, "bump": 3, "sweep": 3, "topple": 2, "drop": 1},
    "several": {"push": 4, "slide": 3, "misplace": 3, "pull": 3, "bump": 3, "topple": 2, "drop": 2, "nudge": 1},
    "single": {"nudge": 7, "misplace": 4, "drop": 3, "topple": 3, "bump": 1},
    "stood": {"bump": 4, "slide": 4, "push": 3, "misplace": 2, "topple": 1, "nudge": 2},
    "pulled": {"pull": 1},
}
LOOSE: dict[Wish, float] = {"single": 0.75, "stood": 0.1}  # how often a piece is left at an edge
LOADED: dict[Wish, float] = {"collapse": 0.95, "several": 0.9, "single": 0.1, "stood": 0.5, "pulled": 0.2}


def draw_fall(seed: int) -> Recording:
    """Draw the episode of that seed.

    It aims for one ending on a few towers in turn, and takes any ending on the last.
    """
    wish = str(np.random.default_rng(seed).choice(list(WISHES), p=list(WISHES.values())))
    attempt = 0
    while True:
        last = attempt >= TOWERS - 1
        recording = _try(np.random.default_rng([seed, attempt]), seed, wish, any_end=last)
        if recording is not None and (last or _kind(recording.outcome, recording.n_fallen) == wish):
            return recording
        attempt += 1


def draw_falls(seed: int, count: int, processes: int = 1) -> Iterator[Recording]:
    """Draw the episodes of `count` seeds from `seed` on, in their order."""
    seeds = range(seed, seed + count)
    if processes == 1:
        yield from map(draw_fall, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(draw_fall, seeds, chunksize=4)


def endings_in_words(recordings: Sequence[Recording]) -> str:
    """Return a few words on how many episodes ended in which way."""
    kinds = Counter(_kind(recording.outcome, recording.n_fallen) for recording in recordings)
    return ", ".join(f"{kinds[wish]} {words}" for wish, words in ENDINGS.items() if kinds[wish])


def _try(rng: Generator, seed: int, wish: Wish, any_end: bool) -> Recording | None:
    wide = rng.random() < WIDE_SHARE
    fewest = FEWEST_PIECES[wish]
    tile_mm = rng.uniform(115, 140) if wide else rng.uniform(80, 105)
    tower = random_tower(rng, tile_mm, int(rng.integers(fewest, 16)), loose=rng.random() < LOOSE.get(wish, 0.0))
    if len(tower.pieces) < fewest:
        return None
    options = TRIGGERS[wish]
    weights = np.array(list(options.values()))
    trigger: TriggerName = list(options)[rng.choice(len(options), p=weights / weights.sum())]
    plan = plan_trigger(rng, tower, trigger, loaded=rng.random() < LOADED[wish])
    episode = Episode(tower, plan, random_surface(rng))
    if not episode.stands():
        return None
    last = _play_as_wished(episode, wish, len(tower.pieces) if any_end else _most(wish, len(tower.pieces)))
    return None if last is None else _recording(seed, episode, *last)


def _most(wish: Wish, pieces: int) -> int:
    """Return how many pieces may fall before a play need not be run to its end."""
    return {"stood": 0, "pulled": 0, "single": 1, "several": pieces // 2}.get(wish, pieces)


def _play_as_wished(episode: Episode, wish: Wish, most: int) -> "tuple[Played, Verdict] | None":
    """Play gentler after too many falls, rougher after too few, and return the last play as it is."""
    weak, strong, last = 0.0, math.inf, None
    strength = FIRST_STRENGTH[wish]
    for _ in range(PATIENCE):
        played = episode.play(strength, most)
        verdict = None if played is None else judge(played.course)
        if played is not None and verdict is not None and verdict.clear:
            last = (played, verdict)
        off_by = 1 if verdict is None else SEVERITY[_kind(verdict.outcome, verdict.fallen)] - SEVERITY[wish]
        if off_by == 0 and last is not None:
            break
        weak, strong = (weak, strength) if off_by > 0 else (strength, strong)
        strength = min(max(math.sqrt(weak * strong), strength / 2), strength * 2) if weak else strength / 2
    return last


def _kind(outcome: Outcome, fallen: int) -> Wish:
    if outcome == "partial_collapse":
        return "single" if fallen == 1 else "several"
    return outcome


def _recording(seed: int, episode: Episode, played: "Played", verdict: Verdict) -> Recording:
    tower, plan = episode.tower, episode.plan
    pieces = [*tower.pieces, *([plan.newcomer] if plan.newcomer is not None else [])]
    return Recording(
        seed=seed,
        trigger=plan.trigger,
        outcome=verdict.outcome,
        pieces=tuple(PieceCast(piece.shape, piece.material, round(piece.mass_g, 3)) for piece in pieces),
        t_trigger_s=played.course.trigger_s,
        t_onset_s=verdict.onset_s,
        t_impact_s=verdict.impact_s,
        t_end_s=verdict.end_s,
        mass_before_g=verdict.before_g,
        mass_after_g=verdict.after_g,
        height_before_mm=played.course.height_mm[0],
        height_after_mm=played.course.height_mm[1],
        n_pieces=len(tower.pieces),
        n_fallen=verdict.fallen,
        n_off=verdict.off,
        tile_mm=tower.tile_mm,
        friction=episode.surface.friction,
        wrench=_calm(played.wrench, min(played.course.trigger_s, verdict.onset_s or math.inf) - STILL_S, verdict.end_s),
        top_mm=played.top_mm,
        hand_mm=played.hand_mm,
    )


def _calm(wrench: Floats, begin_s: float, end_s: float) -> Floats:
    """Replace the signal at rest, before and after, by its mean, because a simulated tower hums a little."""
    begin, end = max(round(begin_s / DT_S), 1), min(round(end_s / DT_S), len(wrench) - 1)
    calm = wrench.copy()
    calm[:begin], calm[end:] = wrench[:begin].mean(axis=0), wrench[end:].mean(axis=0)
    return calm
