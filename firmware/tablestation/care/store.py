"""Files on a board's flash. A power cut at any byte leaves the old content of a file or the new.

Names are relative to the root and use `/`. If the flash fails (full, worn out), the caller gets an OSError.
"""

_FOLDER = 0x4000  # in the mode of a stat


class Files:
    """The files below a folder. `os` and `open` are the platform's, or a model's."""

    def __init__(self, os, open_file, root=""):
        self._os = os
        self._open = open_file
        self._root = root

    def read(self, name):
        """Return the whole content, or None if there is no such file."""
        try:
            with self._open(self._root + name, "rb") as file:
                return file.read()
        except OSError:
            return None

    def open(self, name):
        """Open a file for reading; raise OSError."""
        return self._open(self._root + name, "rb")

    def write(self, name, data):
        """Replace the content of a file; a power cut leaves the old content or the new."""
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
        """Create a file and the folders it needs. Its content is safe only once it is closed."""
        self._make_folders(name)
        return self._open(self._root + name, "wb")

    def write_at(self, name, offset, data):
        """Write at an offset of a file; create the file if there is none and `offset` is 0."""
        with self._open(self._root + name, "r+b" if self.size(name) is not None else "wb") as file:
            file.seek(offset)
            file.write(data)
            self._settle(file)

    def size(self, name):
        """Return the size of a file in bytes, or None if there is no such file."""
        try:
            return self._os.stat(self._root + name)[6]
        except OSError:
            return None

    def remove(self, name):
        """Remove a file; a missing one is fine."""
        if self.size(name) is not None:
            self._os.remove(self._root + name)

    def remove_folder(self, name):
        """Remove a folder with its contents; a missing one is fine."""
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
        """Return the free space in bytes."""
        reported = self._os.statvfs(self._root or "/")
        return reported[1] * reported[4]

    def _make_folders(self, name):
        at = name.find("/")
        while at > 0:
            try:
                self._os.mkdir(self._root + name[:at])
            except OSError:  # it is there already, or writing the file will say what is wrong
                pass
            at = name.find("/", at + 1)

    def _settle(self, file):
        """Flush a file to the medium. MicroPython's flash does that on closing; other systems need to be asked."""
        if hasattr(self._os, "fsync"):
            file.flush()
            self._os.fsync(file.fileno())
