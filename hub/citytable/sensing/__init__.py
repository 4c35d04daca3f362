"""Turn the readings of sensors into facts, one after the other, without input or output.

`table_sense.TableSense` handles the whole table, `spot_weight.SpotWeight` one of its spots, and `detector` a single
spot for a trace or a stream.
"""

from citytable.sensing.spot_detector import Detector, detector

__all__ = ["Detector", "detector"]
