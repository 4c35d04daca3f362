"""Child processes that die with the hub, even when the hub is killed.

On Linux the kernel sends a child SIGKILL at the death of its parent (`PR_SET_PDEATHSIG`, prctl(2)). The signal belongs
to the *thread* that forked, here the event loop's, which lives as long as the hub; and it is forgotten when a process
changes its user, so a hub run by root keeps its children at root too.
"""

import os
import sys

# The child's first act: ask for SIGKILL at the parent's death, leave if the parent is already gone, become the program.
_DIE_WITH_PARENT = """
import ctypes, os, sys
parent, program = int(sys.argv[1]), sys.argv[2]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
if os.getppid() == parent:
    os.execv(program, sys.argv[2:])
"""


def dying_with_us(program: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a program (its path) so that it dies with this process."""
    return (sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid()), program, *arguments)
