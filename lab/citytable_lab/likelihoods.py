"""Likelihoods for the umpire: how often the senses were wrong, by what happened, counted over the scores of a run."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from citytable.table import likelihood
from citytable.table.likelihood import LIGHTER_G, OfAct, OfFall, Often, Senses
from citytable_lab.score import STEPS, FallScore, TraceScore, act_of
from citytable_lab.score_table import HOUR_US

LIKELIHOODS = Path(likelihood.__file__).parent / "likelihoods.json"
WHAT_FELL: dict[str, Callable[[FallScore], bool]] = {
    "one piece": lambda fall: fall.label.n_fallen == 1 and fall.label.kind != "collapse",
    "several pieces": lambda fall: fall.label.n_fallen > 1 and fall.label.kind != "collapse",
    "collapse": lambda fall: fall.label.kind == "collapse",
}


def senses_of(scores: Sequence[TraceScore]) -> Senses:
    """Return the likelihoods behind a run's scores."""
    falls = [fall for score in scores for fall in score.falls]
    return Senses(
        traces=len(scores),
        play_h=round(sum(score.play_us for score in scores) / HOUR_US, 2),
        falls={name: _of_falls([fall for fall in falls if fits(fall)]) for name, fits in WHAT_FELL.items()},
        acts=_of_acts(scores),
        lighter=Often(sum(map(sum, (score.lighter for score in scores))), sum(len(score.lighter) for score in scores)),
    )


def _of_falls(falls: Sequence[FallScore]) -> OfFall:
    finals = [(fall.final.event, fall.label) for fall in falls if fall.final is not None]
    return OfFall(
        unreported=Often(sum(fall.found is None for fall in falls), len(falls)),
        wrong_kind=Often(sum(event.kind != label.kind for event, label in finals), len(finals)),
        wrong_count=Often(sum(event.n != label.n_off for event, label in finals), len(finals)),
    )


def _of_acts(scores: Sequence[TraceScore]) -> dict[str, OfAct]:
    acts = [act for score in scores for act in score.acts]
    alarms = [alarm.act for score in scores for alarm in score.false_alarms]
    steps = [step for score in scores for step in score.steps]
    out: dict[str, OfAct] = {}
    for act in sorted(set(acts)):
        of = acts.count(act)
        missed = [step.found is None for step in steps if act_of(step.label) == act]
        unreported = Often(sum(missed), len(missed)) if act.split()[0] in STEPS else None
        out[act] = OfAct(called_fall=Often(min(of, alarms.count(act)), of), unreported=unreported)
    return out


def likelihood_lines(senses: Senses) -> list[str]:
    """Return Markdown tables: what falls are missed or misjudged, what is taken for falls, and what a loss means."""
    lines = ["| what fell | unreported | kind wrong | count wrong |", "|---|---:|---:|---:|"]
    lines += [
        f"| {name} | {_share(of.unreported)} | {_share(of.wrong_kind)} | {_share(of.wrong_count)} |"
        for name, of in senses.falls.items()
    ]
    lines += ["", "| what happened | called a fall | unreported |", "|---|---:|---:|"]
    for name, act in senses.acts.items():
        unreported = "" if act.unreported is None else _share(act.unreported)
        lines.append(f"| {name} | {_share(act.called_fall)} | {unreported} |")
    if senses.lighter.of:
        lines += ["", "| what the load did | something fell |", "|---|---:|"]
        lines.append(f"| {LIGHTER_G:g} g or more are gone, and nothing was reported | {_share(senses.lighter)} |")
    return lines


def save_senses(path: Path, configuration: str, senses: Senses) -> None:
    """Write the likelihoods of a configuration into the file beside those of others; raise OSError or DecodeError."""
    known = msgspec.json.decode(path.read_bytes(), type=dict[str, Senses]) if path.exists() else {}
    text = msgspec.json.encode({**known, configuration: senses}, order="sorted")
    path.write_bytes(msgspec.json.format(text, indent=1) + b"\n")


def _share(often: Often) -> str:
    return f"{often.n} / {often.of}" if often.of else "-"
