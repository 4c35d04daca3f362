"""Acts of a maker at the table: plugs, weights, gauge blocks, and faults on a bench."""

from tabletwin.hands.hand import Hand, Result, act
from tabletwin.scheduler import Impossible
from tabletwin.things import Weight


@act
async def put_weight(hand: Hand, spot: str, grams: float | int) -> Result:
    """A calibration weight on a spot."""
    hand.world.lying(spot)
    await hand.lay_down(spot, Weight(float(grams)))
    return {}


@act
async def take_weight(hand: Hand, spot: str) -> Result:
    """The calibration weight off a spot again."""
    weight = hand.world.top(spot)
    if not isinstance(weight, Weight):
        raise Impossible(f"on {spot} lies no weight but {weight}")
    await hand.pick_up(spot, weight)
    return {"grams": weight.mass_g}


@act
async def lower_paddle(hand: Hand, spot: str, mm: float | int) -> Result:
    """The paddle of a crane on a gauge block, or with 0 on the bare platform."""
    hand.world.cranes[spot] = float(mm)
    return {}


@act
async def raise_paddle(hand: Hand, spot: str) -> Result:
    """The paddle of a crane up to its stop again."""
    if spot not in hand.world.cranes:
        raise Impossible(f"the paddle over {spot} is up")
    del hand.world.cranes[spot]
    return {}


@act
async def unplug_cell(hand: Hand, spot: str, cell: int) -> Result:
    """Pull the plug of a load cell's converter."""
    hand.world.cell(spot, cell).unplug()
    return {}


@act
async def plug_in_cell(hand: Hand, spot: str, cell: int) -> Result:
    """Put the plug in again."""
    hand.world.cell(spot, cell).plug_in()
    return {}


@act
async def disturb_cell(hand: Hand, spot: str, cell: int, factor: float | int) -> Result:
    """Lay a humming cable beside a load cell's: so many times its noise."""
    hand.world.cell(spot, cell).disturb(float(factor))
    return {}
