"""A board's flash: files in memory, bounded, where the power can be cut at any byte.

It stands in for `os` and `open` behind the station's own `Files`. It is harsher than the real file system, which shows
nothing of a file before it is closed: here every byte is there at once.
"""

import io
from types import TracebackType
from typing import Self

BLOCK = 4096
CAPACITY_BLOCKS = 212  # what a Pico W has besides MicroPython: 848 KB
_FOLDER, _FILE = 0x4000, 0x8000


class PowerCut(Exception):
    """The power is gone in the middle of something."""


class Flash:
    """`files` survives a cut; `steps_left` is how many bytes and operations the power lasts for (None: for ever)."""

    def __init__(self, capacity_blocks: int = CAPACITY_BLOCKS) -> None:
        self.files: dict[str, bytearray] = {}
        self.folders: set[str] = set()
        self.capacity_blocks = capacity_blocks
        self.steps_left: int | None = None
        self.steps = 0

    def step(self) -> None:
        """Count one byte or one operation."""
        self.steps += 1
        if self.steps_left is not None:
            if self.steps_left <= 0:
                raise PowerCut
            self.steps_left -= 1

    def room(self) -> int:
        """Return the free bytes: a file takes whole blocks."""
        used = sum(-(-len(data) // BLOCK) for data in self.files.values())
        return (self.capacity_blocks - used) * BLOCK

    def open(self, path: str, mode: str) -> "io.BytesIO | Writing":
        """Open a file; raise OSError like the real one."""
        if mode == "rb":
            return io.BytesIO(self._content(path))
        folder = path.rpartition("/")[0]
        if folder and folder not in self.folders:
            raise OSError(2, f"no folder {folder}")
        if mode == "wb":
            self.step()
            self.files[path] = bytearray()
        return Writing(self, self._content(path))

    def rename(self, old: str, new: str) -> None:
        """Rename in one step, also over an existing file."""
        content = self._content(old)
        self.step()
        self.files[new] = content
        del self.files[old]

    def remove(self, path: str) -> None:
        """Forget a file."""
        self._content(path)
        self.step()
        del self.files[path]

    def mkdir(self, path: str) -> None:
        """Make a folder."""
        if path in self.folders:
            raise OSError(17, f"folder {path} is there")
        self.step()
        self.folders.add(path)

    def rmdir(self, path: str) -> None:
        """Forget an empty folder."""
        if path not in self.folders or self.listdir(path):
            raise OSError(39, f"folder {path} is not empty")
        self.step()
        self.folders.discard(path)

    def listdir(self, path: str) -> list[str]:
        """Return the names in a folder."""
        if path not in self.folders:
            raise OSError(2, f"no folder {path}")
        inner = (*self.files, *self.folders)
        return [name[len(path) + 1 :] for name in inner if name.rpartition("/")[0] == path]

    def stat(self, path: str) -> tuple[int, ...]:
        """Return kind and size."""
        if path in self.folders:
            return (_FOLDER, 0, 0, 0, 0, 0, 0)
        return (_FILE, 0, 0, 0, 0, 0, len(self._content(path)))

    def statvfs(self, _path: str) -> tuple[int, ...]:
        """Return the block size twice, the blocks, and the free blocks twice."""
        free = self.room() // BLOCK
        return (BLOCK, BLOCK, self.capacity_blocks, free, free)

    def _content(self, path: str) -> bytearray:
        if path not in self.files:
            raise OSError(2, f"no file {path}")
        return self.files[path]


class Writing:
    """A file that is being written."""

    def __init__(self, flash: Flash, content: bytearray) -> None:
        self._flash = flash
        self._content = content
        self._at = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def seek(self, offset: int) -> None:
        """Go to a byte."""
        self._at = offset

    def write(self, data: bytes) -> int:
        """Write byte by byte; raise OSError when the flash is full."""
        for byte in data:
            if self._flash.room() <= 0 and self._at >= len(self._content) and len(self._content) % BLOCK == 0:
                raise OSError(28, "no space left on flash")
            self._flash.step()
            self._content[self._at : self._at + 1] = bytes((byte,))
            self._at += 1
        return len(data)
