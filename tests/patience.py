"""How long tests wait for something outside of them, before they give up.

A wait ends as soon as it is fulfilled. This is far more than anything takes on a busy machine, and less than the time
limit of one test.
"""

PATIENCE_S = 200
WAIT_MS = 1000 * PATIENCE_S
