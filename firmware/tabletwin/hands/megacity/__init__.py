"""The hands of people who play MegaCity, written from its rulebook. Importing it registers their acts."""

from tabletwin.hands.megacity import bag, building, cards, delivery, hesitating, platforms, playing, putting_back, setup

__all__ = ["bag", "building", "cards", "delivery", "hesitating", "platforms", "playing", "putting_back", "setup"]

BY_HAND = (
    *("carry", "add_piece", "add_cube", "take_off", "topple"),
    *("take_pieces", "measure", "finish_contract", "rezone", "refresh", "reorganise", "recycle"),
    *("place_park", "lay_out_landmarks"),
)
"""The acts that a person at a browser may ask for, besides those of every game."""
