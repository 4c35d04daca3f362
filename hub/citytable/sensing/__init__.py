"""Sensing: readings in, facts out; streaming and pure.

`table_sense.TableSense` is the whole table, `spot_weight.SpotWeight` one spot.
"""
