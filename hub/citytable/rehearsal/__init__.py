"""Simulate the people at a virtual table: bots with their own copy of the game move its hands and answer questions.

Nothing here looks into the hub. These people see only what a display shows: `Door.questions`, `Door.status`
and whose turn it is.
"""
