"""Define what a game is: actions, legal actions, positions, outcomes.

No hexes, no tables, no input or output, no randomness."""
