"""The state diagrams in the reference are drawn from the tables in the code."""

import re

import pytest

from citytable.sensing import cell, crane, fall, motion, occlusion, piece_states, tower_counts, trust, zero

MACHINES = (cell, motion, fall, piece_states, occlusion, trust, crane, zero, tower_counts)


@pytest.fixture(scope="module")
def tool(load_tool):
    return load_tool("draw_states")


def test_the_page_is_as_the_tables_draw_it(tool, root):
    page = (root / "docs/reference/sensing.md").read_text("utf-8")
    assert re.findall(r"<!-- drawn from: ([\w.]+) -->", page) == [machine.__name__ for machine in MACHINES]
    assert page.count("stateDiagram") == len(MACHINES)
    assert tool.drawn(page) == page


def test_a_diagram_begins_at_the_first_state_and_has_every_transition(tool):
    lines = tool.diagram("citytable.sensing.zero").splitlines()
    assert lines[:4] == ["```mermaid", "stateDiagram-v2", "    [*] --> laden", "    laden --> bare : rests bare"]
    assert len(lines) == len(zero.TRANSITIONS) + 4


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.__name__)
def test_every_event_and_state_of_the_machines_is_reachable(machine):
    assert {event for _, event in machine.TRANSITIONS} == set(machine.Event)
    assert {state for state, _ in machine.TRANSITIONS} == set(machine.State)
    ends = {to if isinstance(to, machine.State) else to[0] for to in machine.TRANSITIONS.values()}
    assert ends | {next(iter(machine.State))} == set(machine.State)
