"""Work out from facts which actions were taken: provisional and confirmed actions, questions, the table's status.

Where things should be comes from the game as a layout; the umpire itself knows no game."""
