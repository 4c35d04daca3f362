"""The people at a virtual table: bots with their own copy of the game, hands told what to do, answers like anybody's.

Nothing here looks into the hub. People see what a display shows (`Door.questions`, `Door.status`, whose turn it is).
"""
