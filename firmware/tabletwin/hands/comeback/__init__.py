"""The hands of a person who plays Comeback City: they bring cards and put them away, as all hands do."""

BY_HAND = ("move", "lay_off", "turn_up", "shuffle")
"""The acts that a person at a browser may ask for, beside those of every game."""
