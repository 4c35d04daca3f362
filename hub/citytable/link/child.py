"""Child processes that die with the hub, even when the hub is killed.

On Linux the kernel sends a child SIGKILL at the death of its parent (`PR_SET_PDEATHSIG`, prctl(2)). The signal belongs
to the *thread* that forked, here the event loop's, which lives as long as the hub; and it is forgotten when a process
changes its user, so a hub run by root keeps its children at root too.
"""

import os
import sys

# The child's first act: ask for SIGKILL at the parent's death, leave if the parent is already gone, become the program.
_DIE_WITH_PARENT = """
import ctypes, os, resource, sys
parent, many_files, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
if many_files == "many":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
os.environ.pop("NOTIFY_SOCKET", None)  # a child that is ready is not the hub that is ready
if os.getppid() == parent:
    os.execv(program, sys.argv[3:])
"""


def dying_with_us(program: str, *arguments: str, many_files: bool = False) -> tuple[str, ...]:
    """Return the command that runs a program (its path) so that it dies with this process.

    With `many_files` it may open as many as the system lets it (the hard limit).
    """
    files = "many" if many_files else "few"
    return (sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid()), files, program, *arguments)
