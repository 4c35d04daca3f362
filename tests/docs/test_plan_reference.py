"""docs/reference/plan.md describes the plan file as the program reads it."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from citytable.table.plan import CellPlan, Misconfigured, Plan, SpotPlan, StationPlan, load_plan
from citytable.table.spot import is_spot

PAGE = Path("docs/reference/plan.md")


@pytest.mark.parametrize("kind", [Plan, StationPlan, SpotPlan, CellPlan])
def test_every_field_is_described_and_no_other(documents, kind):
    sections = re.split(r"^## ", documents[PAGE], flags=re.MULTILINE)
    section = next(text for text in sections if f"`{kind.__name__}`" in text.splitlines()[0])
    described = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert described == [field.name for field in msgspec.structs.fields(kind)]


def test_the_example_is_a_plan(blocks, tmp_path):
    (example,) = [block.text for block in blocks(PAGE) if block.language == "json"]
    (tmp_path / "plan.json").write_text(example)
    plan = load_plan(tmp_path / "plan.json")
    assert plan.station_of() == {"city/1/0": "sector-1", "seat/1/bag": "seat-1"}
    assert all(is_spot(spot) for spot in plan.spot_plans())


def test_the_error_it_quotes_is_the_one_that_comes(blocks, documents, tmp_path):
    (example,) = [block.text for block in blocks(PAGE) if block.language == "json"]
    (tmp_path / "plan.json").write_text(json.dumps(json.loads(example) | {"seats": "two"}))
    with pytest.raises(Misconfigured) as refusal:
        load_plan(tmp_path / "plan.json")
    quoted = re.search(r"`(Expected [^`]+)`", documents[PAGE])
    assert quoted is not None
    assert quoted[1] in str(refusal.value).replace("`", "")
