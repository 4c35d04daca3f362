"""`python without_unix.py run --phones …`: citytable as far as this machine can play Windows.

What only Unix has is not there: its modules cannot be imported, its functions and signals are gone, an event loop takes
neither signal handlers nor file descriptors, no folder can be opened, and text has the encoding that the program names
or fails. The modules of citytable take the branches that they have for Windows, whose `msvcrt` is stood in for.
"""

import ast
import asyncio
import fcntl
import importlib.abc
import importlib.machinery
import os
import select
import shutil
import signal
import sys
import types
import warnings
from pathlib import Path

import serial.tools.list_ports  # has a part of its own for Windows, and takes that for Unix as it is imported here

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
CALLS = (
    *("chown", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg"),
    *("getpgid", "getpgrp", "getsid", "getuid", "killpg", "mkfifo", "mknod", "nice", "openpty", "posix_fadvise"),
    *("pread", "preadv", "pwrite", "pwritev", "sched_getaffinity", "sched_yield", "sendfile", "setgid", "setpgid"),
    *(
        "setpriority",
        "setsid",
        "setuid",
        "statvfs",
        "sync",
        "uname",
        "wait",
        "wait3",
        "wait4",
        "O_NOCTTY",
        "O_NONBLOCK",
    ),
    *("O_DIRECTORY", "O_NOFOLLOW", "O_SYNC"),
)
SIGNALS = ("SIGALRM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "alarm", "pthread_sigmask", "setitimer")
LOOP = ("add_reader", "add_signal_handler", "add_writer", "create_unix_connection", "create_unix_server")


class OnWindows(ast.NodeTransformer):
    """`sys.platform` as Windows has it."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Put the constant in its place."""
        if node.attr == "platform" and isinstance(node.value, ast.Name) and node.value.id == "sys":
            return ast.copy_location(ast.Constant("win32"), node)
        return node


class Loader(importlib.machinery.SourceFileLoader):
    """Reads a module of citytable as Windows would."""

    def get_code(self, fullname):
        """Compile what asks for the platform anew each time, and keep nothing of it."""
        path = self.get_filename(fullname)
        source = self.get_data(path)
        if b"platform" not in source:
            return super().get_code(fullname)
        tree = OnWindows().visit(ast.parse(source))
        return compile(ast.fix_missing_locations(tree), path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of citytable."""

    def find_spec(self, fullname, path, target=None):
        """Return how to load one; None for modules of others."""
        if fullname.partition(".")[0] != "citytable":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(fullname, spec.loader.path)
        return spec


def msvcrt() -> types.ModuleType:
    """Return the part of it that the hub asks for: a lock that is refused at once."""
    module = types.ModuleType("msvcrt")
    module.LK_NBLCK = 2

    def locking(handle: int, _mode: int, _count: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(13, "Permission denied") from error

    module.locking = locking
    return module


def refused(*_args: object, **_words: object) -> None:
    """Stand in for what Windows does not do, or does otherwise."""
    raise NotImplementedError


def without_folders(path, flags, mode=0o777, *, dir_fd=None):
    """Open a file as `os.open` does; Windows opens no folder."""
    if dir_fd is not None or Path(path).is_dir():
        raise PermissionError(13, "Permission denied", path)
    return OPEN(path, flags, mode)


OPEN = os.open


def become_windows() -> None:
    """Take away what Windows has not."""
    for name in MODULES:
        sys.modules[name] = None
    sys.modules["msvcrt"] = msvcrt()
    for name in CALLS:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        delattr(signal, name)
    for name in ("epoll", "poll"):
        delattr(select, name)
    for name in LOOP:
        setattr(asyncio.SelectorEventLoop, name, refused)
    os.kill = refused  # there it ends a process, whatever the signal
    os.open = without_folders
    shutil._use_fd_functions = False
    warnings.filterwarnings("error", category=EncodingWarning, module="citytable")
    sys.meta_path.insert(0, Finder())


if __name__ == "__main__":
    assert serial.tools.list_ports
    become_windows()
    from citytable.command import main

    sys.exit(main())
