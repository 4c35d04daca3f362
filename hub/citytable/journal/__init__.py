"""Store the record of a game as append-only entries in SQLite, and replay it."""
