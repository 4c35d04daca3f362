"""Foreign web pages, and other people's names for the hub: what a browser would send for them is refused."""

from typing import Any

import aiohttp
import pytest

from citytable.views.origin import is_ours

STATEMENT = {"type": "statement", "action": "p2 rezone platform=1", "by": "seat 2"}
FOREIGN = ["https://evil.example", "http://127.0.0.1:1", "null", "http://evil.example:8080"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_page_of_another_site_sends_no_word_reads_no_feed_and_enters_nowhere(site: Any, origin: str) -> None:
    headers = {"Origin": origin}
    for path, body in (("/api/say", STATEMENT), ("/api/enter", {"as": "host", "key": "000000"})):
        async with site.session.post(site.url(path), json=body, headers=headers) as answer:
            assert answer.status == 403
            assert "Open the table's own page" in (await answer.json())["text"]["en"]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await site.session.ws_connect(site.url("/feed"), headers=headers)
    assert refusal.value.status == 403
    assert site.heard.words == []


async def test_our_own_page_does_all_that(site: Any) -> None:
    headers = {"Origin": f"http://127.0.0.1:{site.port}"}
    async with site.session.ws_connect(site.url("/feed"), headers=headers) as feed:
        assert (await feed.receive_json())["type"] == "snapshot"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "raspberrypi.evil.example", "a b", "[zz]"])
async def test_a_site_that_lets_its_own_name_point_at_the_hub_reads_nothing(site: Any, host: str) -> None:
    for path in ("/display", "/api/view", "/api/stations", "/feed"):
        async with site.session.get(site.url(path), headers={"Host": host}) as answer:
            assert answer.status == 421
            assert "--name" in (await answer.json())["text"]["en"]


@pytest.mark.parametrize(
    "host",
    ["192.168.1.20:8080", "[fe80::1]:8080", "[::1]", "localhost", "salon", "salon.local:8080", "hub.lan", "HUB.LAN."],
)
def test_addresses_and_names_that_networks_give_out_themselves_are_ours(host: str) -> None:
    assert is_ours(host)


def test_a_name_that_the_installer_gave_is_ours() -> None:
    assert not is_ours("table.example.org")
    assert is_ours("table.example.org:443", {"table.example.org"})


@pytest.mark.parametrize("path", ["/", "/display", "/assets/missing.js", "/api/view", "/api/stations", "/nothing"])
async def test_every_response_forbids_what_our_pages_do_not_need(site: Any, path: str) -> None:
    async with site.session.get(site.url(path)) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    rules = dict(rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";"))
    assert rules["default-src"] == "'self'"
    assert "script-src" not in rules, "scripts are under default-src: from our own files only"
    assert rules["frame-ancestors"] == "'self'"
    assert rules["object-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert f"ws://127.0.0.1:{site.port}" in rules["connect-src"]
    assert "Server" not in headers


async def test_an_asset_carries_few_headers(site: Any) -> None:
    """Each phone fetches seventeen, and the policy of the page holds for its scripts and styles."""
    async with site.session.get(site.url("/assets/a.js")) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not headers.keys() & {"Content-Security-Policy", "Referrer-Policy", "Server"}
