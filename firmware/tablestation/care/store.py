"""Files on a board's flash, written so that a cut of power at any byte leaves the old content or the new.

Names are relative to the root and use `/`. Whatever the flash refuses (full, worn out) is an OSError to the caller.
"""

_FOLDER = 0x4000  # in the mode of a stat


class Files:
    """The files below a folder. `os` and `open` are handed in: the platform's, or a model's."""

    def __init__(self, os, open_file, root=""):
        self._os = os
        self._open = open_file
        self._root = root

    def read(self, name):
        """The whole content, or None when there is no such file."""
        try:
            with self._open(self._root + name, "rb") as file:
                return file.read()
        except OSError:
            return None

    def open(self, name):
        """A file to be read bit by bit; raises OSError."""
        return self._open(self._root + name, "rb")

    def write(self, name, data):
        """Put this content in the place of the old one: at no moment is there half of it."""
        fresh = self._root + name + ".new"
        try:
            with self._open(fresh, "wb") as file:
                file.write(data)
                self._settle(file)
        except OSError:
            self.remove(name + ".new")  # it did not fit: what is left of it would take room
            raise
        self._os.rename(fresh, self._root + name)

    def create(self, name):
        """A new file to be written bit by bit, with the folders it needs. Nobody may rely on it before it is closed."""
        self._make_folders(name)
        return self._open(self._root + name, "wb")

    def write_at(self, name, offset, data):
        """Write over or behind what a file has; it is made when there is none and `offset` is 0."""
        with self._open(self._root + name, "r+b" if self.size(name) is not None else "wb") as file:
            file.seek(offset)
            file.write(data)
            self._settle(file)

    def size(self, name):
        """How many bytes a file has, or None when there is no such file."""
        try:
            return self._os.stat(self._root + name)[6]
        except OSError:
            return None

    def remove(self, name):
        """Forget a file; one that is not there is fine."""
        if self.size(name) is not None:
            self._os.remove(self._root + name)

    def remove_folder(self, name):
        """Forget a folder with all that is in it; one that is not there is fine."""
        try:
            names = self._os.listdir(self._root + name)
        except OSError:
            return
        for inner in names:
            inner = name + "/" + inner  # noqa: PLW2901 (the path is what is meant from here on)
            if self._os.stat(self._root + inner)[0] & _FOLDER:
                self.remove_folder(inner)
            else:
                self._os.remove(self._root + inner)
        self._os.rmdir(self._root + name)

    def free_bytes(self):
        """How much more fits."""
        told = self._os.statvfs(self._root or "/")
        return told[1] * told[4]

    def _make_folders(self, name):
        at = name.find("/")
        while at > 0:
            try:
                self._os.mkdir(self._root + name[:at])
            except OSError:  # it is there already, or writing the file will say what is wrong
                pass
            at = name.find("/", at + 1)

    def _settle(self, file):
        """MicroPython's flash has it when the file is closed; other systems must be told to write it down now."""
        if hasattr(self._os, "fsync"):
            file.flush()
            self._os.fsync(file.fileno())
