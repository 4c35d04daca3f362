"""docs/reference/asyncapi.json says of the wire what tablewire checks, in a form that other programs read."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from tablewire.messages import SCHEMA, BadMessage, check
from tablewire.topics import FROM_STATION, TO_STATION

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((ROOT / "docs/reference/asyncapi.json").read_text("utf-8"))
GOLDEN = {path.stem: json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "golden-v1").glob("*")}
ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({}) | st.just("a" * 201)


def judge(kind: str) -> Draft7Validator:
    return Draft7Validator(
        {**DOCUMENT["components"]["messages"][kind]["payload"], "components": DOCUMENT["components"]}
    )


def references(part: object) -> list[str]:
    """Every `$ref` in a part of the document."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    found = [reference for thing in inner for reference in references(thing)]
    if isinstance(part, dict) and "$ref" in part:
        found.append(part["$ref"])
    return found


def test_the_file_is_what_the_command_writes(load_tool):
    assert load_tool("write_asyncapi").main(["--check"]) == 0, "run python tools/write_asyncapi.py"


def test_every_reference_leads_somewhere():
    leads = references(DOCUMENT)
    assert leads
    for reference in leads:
        part = DOCUMENT
        for word in reference.removeprefix("#/").split("/"):
            part = part[word]


def test_every_type_travels_on_its_channel_and_every_channel_has_its_direction():
    assert set(DOCUMENT["channels"]) == {*FROM_STATION, *TO_STATION, "tick", "tock"}
    for kind, (channel, _) in SCHEMA.items():
        told = DOCUMENT["channels"][channel]
        assert told["messages"][kind] == {"$ref": f"#/components/messages/{kind}"}
        assert set(told["parameters"]) == {word for word in ("table", "station") if f"{{{word}}}" in told["address"]}
    for operation in DOCUMENT["operations"].values():
        sent = operation["channel"]["$ref"].removeprefix("#/channels/") in {*TO_STATION, "tock"}
        assert operation["action"] == ("send" if sent else "receive")


@pytest.mark.parametrize("kind", sorted(SCHEMA))
def test_every_description_is_itself_a_schema(kind):
    Draft7Validator.check_schema(judge(kind).schema)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_every_golden_message_is_as_described(name):
    judge(GOLDEN[name]["message"]["type"]).validate(GOLDEN[name]["message"])


@given(st.sampled_from(sorted(GOLDEN)), st.data())
def test_description_and_stations_judge_alike(name, data):
    """But for what no schema can say: that counts or peaks and gaps, or bytes and chunks, agree."""
    channel, message = GOLDEN[name]["channel"], GOLDEN[name]["message"]
    field = data.draw(st.sampled_from(sorted(set(message) - {"type", "counts", "peak_mg", "dt_us", "bytes", "chunks"})))
    changed = {**message, field: data.draw(ODD)}
    if data.draw(st.booleans()):
        del changed[field]
    try:
        check(channel, changed)
    except BadMessage:
        assert not judge(message["type"]).is_valid(changed)
    else:
        judge(message["type"]).validate(changed)
