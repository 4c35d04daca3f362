"""Build the wheels of both packages and print how large they are: `python tools/wheel_size.py`.

Needs uv, and the built screens (`make setup`): a wheel without them is no wheel of the hub.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("citytable", "citytable-lab")
SCREENS = "citytable/views/static"


def main() -> None:
    """Print a table with a line for each wheel, and one for each part of it."""
    uv = shutil.which("uv", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(ROOT / ".uv/bin")]))
    if uv is None:
        sys.exit("uv is missing: run `make setup`")
    if not (ROOT / "hub" / SCREENS / "index.html").exists():
        sys.exit("the screens are not built: run `make setup`")
    print("| wheel | part | bytes packed | bytes unpacked |")
    print("|---|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            _build(uv, package, Path(folder))
            (wheel,) = Path(folder).glob(f"{package.replace('-', '_')}-[0-9]*.whl")
            _print_parts(package, wheel)


def _build(uv: str, package: str, folder: Path) -> None:
    words = [uv, "build", "--wheel", "--package", package, "--out-dir", folder, ROOT]
    built = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False)
    if built.returncode:
        sys.exit(f"uv could not build {package}:\n{built.stderr}")


def _print_parts(package: str, wheel: Path) -> None:
    packed: Counter[str] = Counter()
    unpacked: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            packed[_part(member.filename)] += member.compress_size
            unpacked[_part(member.filename)] += member.file_size
    print(f"| {package} | | {wheel.stat().st_size:,} | {unpacked.total():,} |")
    for part, size in packed.most_common():
        print(f"| | {part} | {size:,} | {unpacked[part]:,} |")


def _part(path: str) -> str:
    """Return the part of the product that a file of a wheel belongs to."""
    top, _, rest = path.partition("/")
    if path.startswith(SCREENS):
        return "the screens"
    if top.endswith(".dist-info"):
        return "about the package"
    return f"`{top}/{rest.split('/')[0]}/`" if top == "citytable" and "/" in rest else f"`{top}/`"


if __name__ == "__main__":
    main()
