"""Sensing: readings in, facts out; streaming and pure.

`table_sense.TableSense` is the whole table, `spot_weight.SpotWeight` one of its spots, `detector` one spot for a trace
or a stream.
"""

from citytable.sensing.spot_detector import Detector, detector

__all__ = ["Detector", "detector"]
