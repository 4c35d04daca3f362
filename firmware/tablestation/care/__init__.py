"""Care: what keeps a station's program and secrets, brings new ones, and gets back to old ones when new ones fail.

`store.py` and `slots.py` stand alone: they also lie beside `boot.py` on a board, where nothing but USB can change them.
"""
