"""One game on one table: what the wire brings goes through sensing, umpire and journal to the views, in that order."""
