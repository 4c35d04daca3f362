"""Run one game on one table: pass messages from the stations to sensing, umpire, journal and views, in that order."""
