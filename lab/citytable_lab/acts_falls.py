"""Act out falls: recorded ones, spliced into a trace, and drawn ones of more kinds than physics can simulate."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.acts_pieces import knock
from citytable_lab.plate import G_OF_N, Floats
from citytable_lab.recording import Recording
from citytable_lab.sight import VIEW_MS
from citytable_lab.stage import Building, Piece, Stage, lever
from citytable_lab.touch import holding, landing, let_go, press, ramp, restless, spread

QUIET_S = 0.05  # at both ends of a recording, from which the resting wrench is read
MM_OF_M = 1000
UNSEEN = 0.25  # share of recorded hands that come from where no range sensor looks
PRESSED = 0.35  # share of recorded falls that begin under a hand that presses, and lets go
SOFT = 0.5  # share of recordings on a softer tile than the solver's, where impacts are weaker
SOFTEST = 0.2  # share of an impact that is left at least
SOFTEST_SWEPT = 0.03  # the same of a sweep: an arm takes pieces away before they land


class Played(msgspec.Struct, frozen=True, eq=False):
    """Hold a recording as a stage plays it: in g, scaled to the trace's pieces, turned about the tile's middle."""

    recording: Recording
    wrench: Floats
    rests_ms: int
    scale: float
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


def prepare(rng: np.random.Generator, recording: Recording, scale: float) -> Played:
    """Prepare `recording` with every mass `scale` times as heavy.

    Rigid bodies move alike whatever their common factor.
    """
    angle = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = recording.wrench @ np.array([[1, 0, 0], [0, cos, sin], [0, -sin, cos]])
    wrench = turned * scale * G_OF_N * np.array([1, MM_OF_M, MM_OF_M])
    quiet = max(1, int(QUIET_S / recording.dt_s))
    first, last = wrench[:quiet].mean(axis=0), wrench[-quiet:].mean(axis=0)
    standing = [piece.mass_g for piece in recording.pieces]
    if sum(standing[:-1]) >= recording.mass_before_g - 0.5:  # the last came by hand
        standing.pop()
    before = _spread_out(rng, standing, recording.mass_before_g * scale, recording.height_before_mm, first)
    left = max(1, recording.n_pieces - recording.n_off) if recording.mass_after_g > 0.05 else 0
    after = _spread_out(rng, [1.0] * left, recording.mass_after_g * scale, recording.height_after_mm, last)
    wrench = _weaker(wrench, first, float(np.exp(rng.uniform(np.log(50), np.log(250)))))
    if rng.random() < SOFT:
        softest = SOFTEST_SWEPT if recording.trigger == "sweep" else SOFTEST
        wrench = _softer(wrench, first, float(np.exp(rng.uniform(np.log(softest), 0))))
    moves, rests = _moving(recording, wrench, first, last)
    wrench[:moves] = first
    wrench[rests:] = last
    return Played(
        recording=recording,
        wrench=wrench,
        rests_ms=rests,
        scale=scale,
        before=tuple(before),
        after=tuple(after),
    )


def _over(values: Floats, width: int) -> Floats:
    """Return the mean over `width` milliseconds around each value."""
    padded = np.pad(values, (width // 2, width - width // 2), mode="edge")
    total = np.cumsum(padded)
    return (total[width:] - total[:-width]) / width


def _weaker(wrench: Floats, first: Floats, strength_g: float) -> Floats:
    """Weaken simulated hands, which move with any force, to real ones, which give way beyond `strength_g`.

    The result never exceeds twice that. Impacts are shorter than the 15 ms for which a force has to last to be
    weakened.
    """
    lasting = np.abs(_over(wrench[:, 0] - first[0], 15))
    share = np.where(lasting > strength_g, strength_g * (2 - strength_g / np.maximum(lasting, strength_g)), lasting)
    return first + (wrench - first) * (share / np.maximum(lasting, 1e-9))[:, None]


def _softer(wrench: Floats, first: Floats, share: float) -> Floats:
    """Reduce the force above the initial load to `share` of it, because the stiffness of a contact is a guess."""
    above = np.maximum(0.0, wrench[:, 0] - first[0])
    kept = (wrench[:, 0] - (1 - share) * above) / np.where(above > 0, wrench[:, 0], 1.0)
    return np.where(above[:, None] > 0, wrench * kept[:, None], wrench)


def _moving(recording: Recording, wrench: Floats, first: Floats, last: Floats) -> tuple[int, int]:
    """Return the milliseconds between which something moves; what the solver shivers before and after is left out.

    The motion is over when means over 40 ms stay within a hundredth of the building's weight.
    """
    moved_s = recording.t_trigger_s if recording.t_onset_s is None else min(recording.t_onset_s, recording.t_trigger_s)
    moves = max(0, int(moved_s / recording.dt_s) - 10)
    far = np.abs(_over(wrench[:, 0] - last[0], 40)) > 0.01 * first[0]
    rests = int(np.flatnonzero(far)[-1]) + 60 if far.any() else moves
    return moves, min(len(wrench), max(rests, moves))


def _spread_out(
    rng: np.random.Generator, weights: list[float], mass_g: float, height_mm: float, rest: Floats
) -> list[Piece]:
    """Return pieces of `mass_g` in total whose common centre of weight is where the resting wrench puts it."""
    if not weights:
        return []
    masses = np.array(weights) * mass_g / sum(weights)
    middle = np.array([rest[2], -rest[1]]) / max(float(rest[0]), 1e-6)
    at = rng.normal(0, 8, (len(masses), 2))
    at += middle - (masses[:, None] * at).sum(axis=0) / mass_g
    rises = rng.dirichlet(np.full(len(masses), 2.0)) * height_mm
    return [
        Piece(float(mass), float(x), float(y), float(rise))
        for mass, (x, y), rise in zip(masses, at, rises, strict=True)
    ]


def play(stage: Stage, played: Played) -> None:
    """Play a recording's fall, wobble or pull now; the stage must hold its tower."""
    recording = played.recording
    start = stage.now_ms
    before = (stage.mass_g, stage.height_mm)
    wrench = _settled_at_the_end(played)
    stage.become(start, list(played.after), wrench)
    stage.sight.top_track(start, recording.top_mm)
    acts_s = recording.t_trigger_s if recording.t_onset_s is None else recording.t_onset_s
    _show_hand(stage, start + int(acts_s * 1000), recording.hand_mm)
    stage.now_ms += len(wrench)
    if recording.trigger == "pull":
        _grip(stage, start + int(recording.t_trigger_s * 1000))
    elif recording.t_onset_s is not None and stage.rng.random() < PRESSED:
        _press_on(stage, start + int(recording.t_onset_s * 1000))
    at = {
        "t_trigger_us": (start + int(recording.t_trigger_s * 1000)) * 1000,
        "trigger": recording.trigger,
        "n_pieces": recording.n_pieces,
        "n_fallen": recording.n_fallen,
        "n_off": recording.n_off,
    }
    _label_recorded(stage, played, start, before, at)


def _show_hand(stage: Stage, acts_ms: int, hand_mm: NDArray[np.float32]) -> None:
    """Show a recorded hand while it acts, at `acts_ms`, and for a random time before and after.

    Some people snatch at a tower and are gone before it falls, some stand over it. The recording gives the height of
    the hand.
    """
    rng = stage.rng
    there = hand_mm[np.isfinite(hand_mm)]
    if not len(there) or rng.random() < UNSEEN:
        return
    comes = int(rng.uniform(60, 1000)) // VIEW_MS
    stays = int(np.exp(rng.uniform(np.log(30), np.log(1500)))) // VIEW_MS
    path = np.interp(np.linspace(0, len(there) - 1, comes + stays + 2), np.arange(len(there)), there)
    coming = path[0] + np.linspace(rng.uniform(0, 60), 0, int(rng.integers(1, 30)))
    going = path[-1] + np.linspace(0, rng.uniform(0, 60), int(rng.integers(1, 30)))
    whole = np.concatenate([coming, path, going]).astype(np.float32)
    stage.sight.hand_track(acts_ms - (comes + len(coming)) * VIEW_MS, whole)


def _grip(stage: Stage, pulls_ms: int) -> None:
    """Close the fingers around a piece before they pull it out: a simulated finger just takes it."""
    rng = stage.rng
    grip = let_go(rng, holding(rng, stage.habits, int(rng.uniform(100, 900)), 1.3), int(rng.uniform(10, 120)))
    stage.push(pulls_ms - len(grip) + int(rng.uniform(0, 60)), grip, *rng.normal(0, 20, 2))


def _press_on(stage: Stage, falls_ms: int) -> None:
    """Press with a hand on a piece that does not hold, or just too hard; the hand gives way when something falls."""
    rng = stage.rng
    peak_g = min(2 * spread(rng, stage.habits.press_g, 0.6), 120.0)
    down, away = int(rng.uniform(40, 400)), int(rng.uniform(8, 90))
    force = peak_g * np.concatenate([ramp(rng, down), 1 - ramp(rng, away)])
    stage.push(falls_ms - down + int(rng.uniform(-20, 80)), force, *rng.normal(0, 20, 2))


def _settled_at_the_end(played: Played) -> Floats:
    """Lead the recording's wrench, over its last 40 ms, to the weight of the pieces that are left.

    A hand that is still there at the end lets go in that time.
    """
    n = 40
    wrench = played.wrench.copy()
    rest = np.zeros(3)
    for piece in played.after:
        rest += piece.mass_g * lever(piece.x_mm, piece.y_mm)
    share = np.linspace(0, 1, n)[:, None]
    wrench[-n:] = wrench[-n:] * (1 - share) + rest * share
    return wrench


def _label_recorded(stage: Stage, played: Played, start: int, before: Building, at: dict[str, object]) -> None:
    recording = played.recording
    onset_s = recording.t_trigger_s if recording.t_onset_s is None else recording.t_onset_s
    onset = start + int(onset_s * 1000)
    end = max(onset, start + min(int(recording.t_end_s * 1000), played.rests_ms))
    change_g = round(stage.mass_g - before[0], 3)
    match recording.outcome:
        case "collapse" | "partial_collapse":
            if recording.t_impact_s is not None:
                at["t_impact_us"] = (start + int(recording.t_impact_s * 1000)) * 1000
            stage.label(recording.outcome, "fall", onset, end, before, **at)
        case "pulled":
            stage.label("piece_removed", "pulled", onset, end, before, piece_g=change_g, n=1, **at)
        case _ if change_g > 0.2 * played.scale:
            stage.label("piece_added", "piece", onset, end, before, piece_g=change_g, n=1, **at)
        case _:
            stage.label("disturbance", f"wobble_{recording.trigger}", onset, end, before, **at)


def topple(stage: Stage, *, sweep: bool = False, stays_on: bool = False) -> None:
    """Let some pieces, or all, fall off what they stand on, in one to six steps, for one of many causes."""
    rng = stage.rng
    trigger = "sweep" if sweep else str(rng.choice(["push", "slide", "misplace", "bump", "nudge", "none"]))
    t_trigger = stage.now_ms
    _cause(stage, trigger)
    before = (stage.mass_g, stage.height_mm)
    pieces = list(stage.pieces)
    total = len(pieces)
    fallen = _how_many(rng, total, sweep=sweep)
    falling = pieces[total - fallen :]
    off = [not stays_on and bool(rng.random() < rng.choice([0.55, 0.9, 1.0])) for _ in falling]
    if not stays_on and not any(off) and rng.random() < 0.9:
        off[-1] = True
    onset = stage.now_ms
    end = _let_fall(stage, falling, off, sweep=sweep)
    left = pieces[: total - fallen] + [
        msgspec.structs.replace(piece, rise_mm=0.0) for piece, gone in zip(falling, off, strict=True) if not gone
    ]
    if left and not any(piece.rise_mm for piece in left):
        left[0] = msgspec.structs.replace(left[0], rise_mm=float(rng.uniform(8, 20)))
    stage.pieces = left
    stage.now_ms = end + int(rng.uniform(0, 300))
    more = {"trigger": trigger, "t_trigger_us": t_trigger * 1000}
    label_fall(stage, onset, end, before, more | {"n_pieces": total, "n_fallen": fallen, "n_off": sum(off)})


def label_fall(stage: Stage, onset: int, end: int, before: Building, more: dict[str, object]) -> None:
    """Label a drawn fall, show it, and now and then bring in hands that save what still stands."""
    total, fallen = int(str(more["n_pieces"])), int(str(more["n_fallen"]))
    whole = fallen >= total / 2 or stage.height_mm <= before[1] / 2
    n = max(2, (end - onset) // VIEW_MS)
    way = np.linspace(0, 1, n) ** 1.5
    stage.sight.top_track(onset, (before[1] + (stage.height_mm - before[1]) * way).astype(np.float32))
    stage.sight.top(end, stage.height_mm)
    stage.label("collapse" if whole else "partial_collapse", "fall", onset, end, before, **more)
    if stage.rng.random() < 0.7:
        return
    grab = int(stage.rng.uniform(200, 1500))  # hands come to save what still stands
    stage.push(end, let_go(stage.rng, holding(stage.rng, stage.habits, grab, 1.5), 120), *stage.rng.normal(0, 20, 2))
    stage.sight.hand(end - 100, end + grab, stage.height_mm)
    stage.now_ms = max(stage.now_ms, end + grab)


def _how_many(rng: np.random.Generator, total: int, *, sweep: bool) -> int:
    if sweep:
        return max(1, round(total * rng.uniform(0.6, 1.0)))
    if rng.random() < 0.3:
        return 1
    return int(rng.integers(1, total + 1))


def _cause(stage: Stage, trigger: str) -> None:
    """Act out the cause of a fall, and leave the clock where the first piece starts to move."""
    rng, habits = stage.rng, stage.habits
    lead = int(np.exp(rng.uniform(np.log(10), np.log(900))))
    comes = stage.now_ms - int(rng.uniform(60, 900))
    leaves = stage.now_ms + lead + int(np.exp(rng.uniform(np.log(30), np.log(1500))))
    height = max(stage.height_mm, 20.0)
    match trigger:
        case "push" | "nudge" | "sweep":
            size = {"push": 12.0, "nudge": 4.0, "sweep": 80.0}[trigger]
            force = spread(rng, size, 0.7) * ramp(rng, lead + int(rng.uniform(20, 200)))
            force *= 1 - np.linspace(0, 1, len(force)) ** 6
            side = rng.normal(0, 0.6, 2) * height
            stage.twist(stage.now_ms, force[:, None] * np.array([rng.normal(0, 0.4), *side]))
            stage.sight.hand(comes, leaves, height * float(rng.uniform(0.2, 1)), often=0.6)
        case "slide":
            noise = spread(rng, 5, 0.8) * restless(rng, lead + 200, 4, 20)
            stage.push(stage.now_ms, noise * np.linspace(1, 0, len(noise)), *rng.normal(0, 20, 2))
            stage.sight.hand(comes, leaves, float(rng.uniform(0, 40)), often=0.4)
        case "misplace":
            force = let_go(rng, np.concatenate([press(rng, habits), holding(rng, habits, lead)]), 60)
            stage.push(stage.now_ms, force, *rng.normal(0, 25, 2))
            stage.sight.hand(comes, leaves, height)
        case "bump":
            knock(stage, stage.now_ms)
        case _:
            pass
    sway = spread(rng, 0.4, 0.8) * restless(rng, lead + 50, 2, 9) * np.linspace(0, 1, lead + 50)
    stage.twist(stage.now_ms, sway[:, None] * np.array([0.2, *rng.normal(0, 0.4, 2) * height]))
    stage.now_ms += lead


def _let_fall(stage: Stage, falling: list[Piece], off: list[bool], *, sweep: bool) -> int:
    """Take the weights of `falling` off in groups, and return when all is at rest."""
    rng = stage.rng
    groups = np.sort(rng.integers(0, int(rng.integers(1, 7)), len(falling)))[::-1]
    at, end = stage.now_ms, stage.now_ms
    for group in np.unique(groups)[::-1]:
        slow = 1.0 if sweep else spread(rng, 1.0, 0.5)
        for index in np.flatnonzero(groups == group):
            end = max(end, _one_falls(stage, falling[index], at + int(rng.uniform(0, 40)), slow, gone=off[index]))
        at += int((rng.uniform(10, 60) if sweep else np.exp(rng.uniform(np.log(15), np.log(450)))) * slow)
    return end


def _one_falls(stage: Stage, piece: Piece, at_ms: int, slow: float, *, gone: bool) -> int:
    """Let one piece tip, fly, and land beside the tile or on it; return when it lies still."""
    rng = stage.rng
    own = piece.mass_g * lever(piece.x_mm, piece.y_mm)
    tip = int(np.exp(rng.uniform(np.log(8), np.log(280))) * slow)
    tipping = 1 - ramp(rng, tip) + spread(rng, 0.15, 0.8) * np.sin(np.linspace(0, np.pi, tip))
    drop_mm = max(3.0, rng.uniform(0.05, 1.0) * max(stage.height_mm, 20.0))
    flight = int(np.sqrt(2 * drop_mm / 9.80665e-3))
    where = rng.normal(0, 26, 2)
    end = at_ms + tip + flight
    if gone and rng.random() < 0.55:  # straight down to the table
        stage.step(at_ms, -own, 1 - tipping)
        return end
    hit = landing(rng, piece.mass_g, drop_mm * rng.uniform(0.2, 1.0))
    stage.step(at_ms, -own, 1 - tipping)
    new = piece.mass_g * lever(*where)
    stage.step(end, new, np.ones(2))
    stage.push(end, hit, *where)
    roll = int(np.exp(rng.uniform(np.log(30), np.log(900))))
    rolling = spread(rng, 0.2 * piece.mass_g, 0.7) * restless(rng, roll, 4, 30) * np.linspace(1, 0, roll)
    stage.push(end, rolling, *where)
    end += max(len(hit), roll)
    if gone:  # it hit the tile on its way and goes on
        leave = end - int(rng.uniform(0, 0.6) * roll)
        stage.step(leave, -new, ramp(rng, int(rng.uniform(6, 150))))
        end = max(end, leave + 150)
    return end


def recordings_by(recordings: list[Recording], family: str) -> list[Recording]:
    """Sort recordings by the family of traces that they belong to."""
    fallen = ("collapse", "partial_collapse")
    match family:
        case "sweep":
            return [r for r in recordings if r.trigger == "sweep" and r.outcome in fallen]
        case "fall_on":
            return [r for r in recordings if r.outcome in fallen and r.n_off == 0]
        case "stood":
            return [r for r in recordings if r.outcome not in fallen]
        case _:
            return list(recordings)
