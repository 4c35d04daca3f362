"""docs/howto/home-assistant.md names what there is."""

import json
import re
import subprocess

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from citytable.views.home_assistant import Firmware, announcement

pytestmark = pytest.mark.long(8)


@pytest.fixture
def howto(root):
    return (root / "docs/howto/home-assistant.md").read_text("utf-8")


def test_every_entity_it_names_is_announced(howto):
    plan = full_plan("table", 2, shared_spots(("public",)), ())
    there = {json.loads(config)["default_entity_id"] for config in announcement(plan, Firmware("")).values()}
    named = set(re.findall(r"\b[a-z_]+\.citytable_table_[a-z0-9_]+", howto))
    assert len(named) > 10
    assert named - there == set()


def test_the_decision_counts_the_entities_of_a_full_table_for_two(root):
    count = len(announcement(full_plan("table", 2, shared_spots(("public",)), ()), Firmware("")))
    assert (
        f"A full\n  table for two has {count} entities" in (root / "docs/decisions/0020-home-assistant.md").read_text()
    )


@pytest.fixture
def automations(howto, root):
    """The examples, read as Home Assistant reads them."""
    to_json = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
    python = root / "tests/home_assistant/.venv/bin/python"
    examples = re.findall(r"```yaml\n(.*?)```", howto, re.DOTALL)
    read = (
        subprocess.run([python, "-c", to_json], input=one, capture_output=True, text=True, check=True)
        for one in examples
    )
    return [json.loads(done.stdout) for done in read]


@pytest.mark.home_assistant
async def test_home_assistant_would_run_its_automations(automations, house):
    assert len(automations) == 2
    for automation in automations:
        parts = {part: automation[part] for part in ("trigger", "condition", "action") if part in automation}
        for part, verdict in (await house.ask("validate_config", **parts)).items():
            assert verdict["valid"], f"{part}: {verdict['error']}"
