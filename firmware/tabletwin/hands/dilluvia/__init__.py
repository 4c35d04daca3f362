"""The hands of people who play Dilluvia Project: they bring tiles and put them away, as all hands can."""

BY_HAND = ("move", "lay_off", "turn_up")
"""The acts that a person at a browser may ask for, beside those of every game."""
