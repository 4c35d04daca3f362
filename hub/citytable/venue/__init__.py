"""Plan an evening of many tables and compute its standings: rounds, opponents, seats. Pure: no input or output."""
