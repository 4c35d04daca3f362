"""The hands of people who play MegaCity, written from its rulebook. Importing it registers their acts."""

from tabletwin.hands.megacity import bag, building, cards, delivery, hesitating, platforms, putting_back, setup

__all__ = ["bag", "building", "cards", "delivery", "hesitating", "platforms", "putting_back", "setup"]
