"""Care: stores a station's program and secrets, installs new ones, and goes back to old ones when new ones fail.

`store.py` and `slots.py` stand alone: they also lie beside `boot.py` on a board, where only USB can change them.
"""
