"""The games: one folder each, independent of each other and of all I/O."""
