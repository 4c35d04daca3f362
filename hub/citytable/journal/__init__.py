"""The journal: append-only entries, the truth of a game. SQLite keeps it, replay gives the game back."""
