"""A second generator of traces, which shares with the first only the file format and the words of the labels.

It is the cross-check: nothing is trained on it. Pieces are points that tip like pendulums, fly, and land on damped
springs. Hands are muscles: targets that a slow second-order system follows, with noise that grows with the force.
"""
