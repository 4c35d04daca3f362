"""What the stations page may do for the host: see loads and tags, and let lights blink."""

import pytest

pytestmark = pytest.mark.asyncio


async def test_the_host_sees_what_weighs_on_a_station(site):
    async with site.session.get(site.url("/api/stations/park/load")) as response:
        told = await response.json()
    assert (response.status, told["until_us"] - told["from_us"]) == (200, 6_000_000)
    async with site.session.get(site.url("/api/stations/nowhere/load")) as response:
        assert (response.status, "nowhere" in (await response.json())["text"]["en"]) == (404, True)


async def test_the_host_sees_what_the_readers_of_a_station_read(site):
    async with site.session.get(site.url("/api/stations/park/tags")) as response:
        told = await response.json()
    assert told == [
        {"spot": "city/0/0", "uid": "04aa", "thing": "central-park"},
        {"spot": "city/0/0", "uid": "04bb", "thing": None},
    ]
    async with site.session.get(site.url("/api/stations/nowhere/tags")) as response:
        assert response.status == 404


async def test_the_host_lets_a_station_blink(site):
    async with site.session.post(site.url("/api/stations/park/identify"), json={}) as response:
        assert response.status == 202
    async with site.session.post(site.url("/api/stations/nowhere/identify"), json={}) as response:
        assert response.status == 404
    assert site.heard.blinking == ["park", "nowhere"]


async def test_the_host_tries_the_leds_of_a_station(site):
    for station, trial, status in (("park", "red", 202), ("park", "end", 202), ("nowhere", "round", 404)):
        async with site.session.post(site.url(f"/api/stations/{station}/lights/{trial}"), json={}) as response:
            assert response.status == status
    assert site.heard.blinking == ["park red", "park end", "nowhere round"]
