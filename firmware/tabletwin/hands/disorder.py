"""Acts besides playing, in every game: leaning, waiting, pulling plugs, laying down unknown tags."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible, sleep_us
from tabletwin.things import LooseTag


@act
async def lean(hand: Hand, spot: str) -> Result:
    """An elbow on a spot."""
    hand.world.lying(spot)
    hand.world.push(spot, hand.rng.uniform(50.0, 400.0), int(hand.rng.uniform(0.8e6, 3.0e6)), 0.1)
    await hand.spend(0.8, 3.0)
    return {}


@act
async def miss_tag(hand: Hand, spot: str, ms: int) -> Result:
    """A reader sees nothing for a while."""
    hand.world.lying(spot)
    hand.world.missed_until_us[spot] = hand.table.now_us + ms * 1000
    await sleep_us(ms * 1000)
    return {}


async def _reach_for_the_plug(hand: Hand, station: str) -> None:
    """Raises Impossible when there is none, or it is out already."""
    if station not in hand.table.stations:
        raise Impossible(f"this table has no station {station!r}: {', '.join(hand.table.stations)}")
    await hand.take_turns(f"plug {station}")
    if hand.table.stations[station].program is None:
        raise Impossible(f"station {station} is switched off already")


@act
async def reboot(hand: Hand, station: str) -> Result:
    """Pull a station's plug and put it in again."""
    await _reach_for_the_plug(hand, station)
    hand.power.cut(station)
    await hand.spend(1.5, 4.0)
    hand.power.restore(station)
    await hand.spend(1.5, 2.0)
    return {}


@act
async def switch_off(hand: Hand, station: str) -> Result:
    """Pull a station's plug and leave it out."""
    await _reach_for_the_plug(hand, station)
    hand.power.cut(station)
    await hand.spend(1.5, 2.0)
    return {}


@act
async def wait(hand: Hand, ms: int) -> Result:  # noqa: ARG001 (waiting needs no hand, but every act has one)
    """Nothing happens."""
    await sleep_us(ms * 1000)
    return {}


@act
async def lay_tag(hand: Hand, spot: str, uid: str) -> Result:
    """A bare tag on a spot."""
    hand.world.lying(spot)
    await hand.lay_down(spot, LooseTag(uid))
    return {}


@act
async def lift_tag(hand: Hand, spot: str) -> Result:
    """Take a bare tag off a spot again."""
    tag = hand.world.top(spot)
    if not isinstance(tag, LooseTag):
        raise Impossible(f"on {spot} lies no bare tag but {tag}")
    await hand.pick_up(spot, tag)
    return {"uid": tag.uid}
