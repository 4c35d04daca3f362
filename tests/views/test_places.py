"""Who may still connect while others try to take every place."""

import pytest

from citytable.views.places import KNOWN_MAX, LIMITS, Places, place_of

ROOM = LIMITS.connections


def grabbed(places, addresses):
    """Let each address connect in turn until none gets another place; how many each has."""
    taken = dict.fromkeys(addresses, 0)
    while True:
        before = sum(taken.values())
        for address in addresses:
            free = places.free(address, ROOM, sum(taken.values()))
            taken[address] += free > 0 and taken[address] < places.share(free)
        if sum(taken.values()) == before:
            return taken


@pytest.mark.parametrize("crowd", [1, 8, 40])
def test_what_greedy_addresses_leave_is_enough_for_a_browser(crowd):
    places = Places(LIMITS)
    taken = sum(grabbed(places, [f"10.0.0.{n}" for n in range(crowd)]).values())
    assert places.free("10.0.1.1", ROOM, taken) >= LIMITS.fewest


def test_the_places_of_those_with_a_key_stay_free_however_many_addresses_come():
    places = Places(LIMITS)
    places.know("192.168.1.5")
    taken = sum(grabbed(places, [f"10.0.{n // 250}.{n % 250}" for n in range(500)]).values())
    assert places.free("10.9.9.9", ROOM, taken) <= 0
    assert places.free("192.168.1.5", ROOM, taken) == LIMITS.kept_for_known


def test_only_the_last_addresses_that_showed_a_key_are_known():
    places = Places(LIMITS)
    for n in range(KNOWN_MAX + 1):
        places.know(f"10.0.0.{n}")
        places.know("10.0.9.9")
    kept = places.free("10.0.9.9", ROOM, 0) - places.free("10.0.0.0", ROOM, 0)
    assert kept == LIMITS.kept_for_known


def test_one_device_has_one_place_whatever_address_of_its_network_it_takes():
    assert place_of("2001:db8:1:2::5") == place_of("2001:db8:1:2:ffff::1%wlan0") != place_of("2001:db8:1:3::5")
    assert place_of("::ffff:10.0.0.7") == place_of("10.0.0.7") != place_of("10.0.0.8")
    assert place_of("a socket") == "a socket"
