"""A height is told with its crane's beam: from the station's message to what the table knows."""

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.link.inbox import Received
from citytable.link.wire_in import Clock, Height
from citytable.sensing.table_sense import TableSense
from citytable.session.readings import readings
from citytable.table.fact import HeightMeasured, SensorFault
from citytable.table.plan import full_plan

PAD = "seat/1/pad/0"


@pytest.mark.parametrize(("contact", "told"), [(True, HeightMeasured), (None, HeightMeasured), (False, SensorFault)])
def test_a_height_whose_beam_stayed_clear_is_unsure(contact, told):
    plan = full_plan("cafe", 2, shared_spots(), ())
    message = Height(
        boot=1, event_seq=1, at=Clock(0, 0), spot=PAD, range_mm=240.0, spread_mm=0.5, n=12, contact=contact
    )
    sense = TableSense(plan)
    facts = [
        fact for reading in readings(Received("seat-1", 1, message, 5, 5, 1), (PAD,)) for fact in sense.feed(reading)
    ]
    assert [type(fact) for fact in facts] == [told]
