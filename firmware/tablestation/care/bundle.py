"""A bundle: the whole station program in one file.

    citytable-bundle 1 <wire version> <firmware> <how many files>
    <sha256> <bytes> <path>          one such line for each file, sorted by path
    <the contents, one after the other>

Its name is the sha256 of the whole file. Paths lie in `tablewire/` and `tablestation/` and end in `.mpy`: a bundle
cannot write anything else on a board.
"""

import hashlib

from tablestation.care.slots import digest, hashing

FORMAT = "citytable-bundle 1 "
FILES_MAX = 150
LINE_MAX = 200
_BLOCK = 512
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_/."


class BadBundle(ValueError):
    """A file that is not a bundle, or not the one it claims to be. The text goes to the sender."""


class Manifest:
    """The description of a bundle: `wire`, `firmware`, and `lines`, one for each file."""

    def __init__(self, wire, firmware, lines):
        self.wire = wire
        self.firmware = firmware
        self.lines = lines

    def text(self):
        """Return the lines as they stand in the bundle."""
        return "".join([line + "\n" for line in self.lines])

    def size(self):
        """Return the size of all contents in bytes."""
        return sum([int(line.split(" ", 2)[1]) for line in self.lines])


def read_manifest(file):
    """Return the manifest at the beginning of an open file, leaving it at the first content; raise BadBundle."""
    head = _line(file)
    words = head[len(FORMAT) :].split(" ")
    if not head.startswith(FORMAT) or len(words) != 3 or not words[0].isdigit() or not words[2].isdigit():
        raise BadBundle("it does not begin like a bundle but with {!r}".format(head[:40]))
    count = int(words[2])
    if not 0 < count <= FILES_MAX:
        raise BadBundle("{} files, at most {} are accepted".format(count, FILES_MAX))
    lines = [_checked(_line(file)) for _ in range(count)]
    return Manifest(int(words[0]), words[1], lines)


def unpack(files, name, bundle, slot):
    """Unpack a bundle into a slot, one step per `next`; the last step yields the manifest's text.

    Raise BadBundle if the file is not what its name or manifest says, OSError if the flash fails. Nothing in the slot
    counts until the caller seals it.
    """
    reported = None
    for step in hashing(files, name):
        reported = step
        yield None
    if reported != bundle:
        raise BadBundle("the file received is not the one offered: its sha256 differs")
    with files.open(name) as file:
        manifest = read_manifest(file)
        for line in manifest.lines:
            reported, size, path = line.split(" ", 2)
            _copy(file, files, slot + "/" + path, int(size), reported)
            yield None
        if file.read(1):
            raise BadBundle("it contains more than its manifest lists")
    yield manifest.text()


def _copy(file, files, name, left, reported):
    hashed = hashlib.sha256()
    with files.create(name) as copy:
        while left:
            block = file.read(min(left, _BLOCK))
            if not block:
                raise BadBundle("it ends in the middle of {}".format(name))
            hashed.update(block)
            copy.write(block)
            left -= len(block)
    if digest(hashed) != reported:
        raise BadBundle("{} does not match the manifest".format(name))


def _line(file):
    line = file.readline(LINE_MAX)
    if not line.endswith(b"\n"):
        raise BadBundle("its manifest ends in the middle of a line")
    try:
        return line[:-1].decode()
    except UnicodeError:
        raise BadBundle("its manifest is not text") from None


def _checked(line):
    """Check that a line of a manifest is harmless, and return it."""
    words = line.split(" ", 2)
    good = len(words) == 3 and len(words[0]) == 64 and words[1].isdigit() and words[2].endswith(".mpy")
    good = good and (words[2].startswith("tablewire/") or words[2].startswith("tablestation/"))
    if not good or ".." in line or not all(letter in _LETTERS for letter in words[2]):
        raise BadBundle("its manifest has the line {!r}".format(line[:60]))
    return line
