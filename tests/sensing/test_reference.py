"""The state diagrams in the reference are those of the code."""

import re
from pathlib import Path

import pytest

from citytable.sensing import crane, fall, motion, zero

REFERENCE = Path(__file__).parents[2] / "docs/reference/sensing.md"


def drawn(start):
    text = re.search(rf"stateDiagram-v2\n    \[\*\] --> {start}\n(.*?)```", REFERENCE.read_text("utf-8"), re.DOTALL)
    return re.findall(r"    (\w+) --> (\w+) : (.+)", text[1])


@pytest.mark.parametrize(
    ("start", "transitions"),
    [
        (motion.State.UNKNOWN, motion.TRANSITIONS.items()),
        (fall.State.CALM, [(key, state) for key, (state, _) in fall.TRANSITIONS.items()]),
        (crane.State.UNMEASURED, crane.TRANSITIONS.items()),
        (zero.State.LADEN, zero.TRANSITIONS.items()),
    ],
    ids=["motion", "fall", "crane", "zero"],
)
def test_every_transition_is_drawn_and_nothing_else(start, transitions):
    assert drawn(start.value) == [(state.value, to.value, event.value) for (state, event), to in transitions]


def test_every_event_and_state_of_the_machines_is_reachable():
    for machine in (motion, fall, crane, zero):
        assert {event for _, event in machine.TRANSITIONS} == set(machine.Event)
        assert {state for state, _ in machine.TRANSITIONS} == set(machine.State)
