"""Whether the hub is well, for a supervisor; and its vital signs, read by Prometheus' own parser."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from citytable.table.health import Health
from citytable.views.vitals import IDLE_MAX_S

PARK = Health("park", True, 7, "0.1.0", 0, 8_000_000, samples_lost=12, events_lost=1, faults=({"en": "no field"},))


async def signs(site: Any) -> dict[tuple[str, ...], float]:
    """The value of each sample, by its name and the values of its labels."""
    async with site.session.get(site.url("/metrics")) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/plain")
        families = text_string_to_metric_families(await answer.text())
        return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


async def test_a_hub_that_is_well_says_so(site: Any) -> None:
    async with site.browser() as stranger, stranger.get(site.url("/healthz")) as answer:
        assert (answer.status, await answer.json()) == (200, {"ok": True, "wrong": []})


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"troubles": ("broker",)}, ["broker"]),
        ({"troubles": ("broker", "journal")}, ["broker", "journal"]),
        ({"idle_s": IDLE_MAX_S + 1}, ["stuck"]),
        ({"idle_s": IDLE_MAX_S + 1, "troubles": ("journal",)}, ["journal"]),
    ],
)
async def test_what_is_wrong_is_named(site: Any, changes: dict[str, Any], wrong: list[str]) -> None:
    site.heard.vitals = replace(site.heard.vitals, **changes)
    async with site.session.get(site.url("/healthz")) as answer:
        assert (answer.status, await answer.json()) == (503, {"ok": False, "wrong": wrong})
    assert {kind for (name, *kinds) in await signs(site) if name == "citytable_trouble" for kind in kinds} == {
        "broker",
        "journal",
        "stuck",
    }
    found = await signs(site)
    assert [kind for kind in ("broker", "journal", "stuck") if found["citytable_trouble", kind]] == wrong


@pytest.mark.parametrize("failed", [False, True])
async def test_a_backup_that_failed_is_a_sign_and_does_not_make_the_hub_unwell(site: Any, failed: bool) -> None:
    site.heard.vitals = replace(site.heard.vitals, backup_failed=failed)
    assert (await signs(site))["citytable_backup_failed",] == failed
    async with site.session.get(site.url("/healthz")) as answer:
        assert answer.status == 200


async def test_the_signs_are_those_of_the_table(site: Any) -> None:
    site.heard.vitals = replace(site.heard.vitals, stations=(PARK,))
    async with site.session.ws_connect(site.url("/feed")):
        found = await signs(site)
    assert found["citytable_readers",] == 1
    assert found["citytable_messages_discarded_total",] == 3
    assert found["citytable_station_online", "park"] == 1
    assert found["citytable_station_silent_seconds", "park"] == 1
    assert found["citytable_station_faults", "park"] == 1
    assert found["citytable_station_samples_lost_total", "park"] == 12
    assert found["citytable_station_events_lost_total", "park"] == 1
    assert found["process_open_fds",] > 3
    assert found["citytable_written_bytes_total",] >= 0


async def test_the_dashboard_asks_for_signs_that_there_are(site: Any, root: Path) -> None:
    site.heard.vitals = replace(site.heard.vitals, stations=(PARK,))
    names = {name for name, *_ in await signs(site)}
    dashboard = json.loads((root / "hub/deploy/grafana.json").read_text("utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(asked) > 6
    assert [expression for expression in asked if not any(name in expression for name in names)] == []
