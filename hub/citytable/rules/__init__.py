"""What a game is: actions, legal actions, positions, outcomes. No hexes, no tables, no I/O, no randomness."""
