"""Writes the versions that an installation gets into hub/citytable/constraints.txt, which travels in the wheel.

    python tools/write_constraints.py

They are those of uv.lock, with which every test was run, for all extras. pip takes the file with `--constraint`, as
hub/deploy/install.sh does. It needs uv and no network.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "hub/citytable/constraints.txt"
EXTRAS = (("bots", "demo", "maker", "obs", "pi", "print", "venue"), ("pi5",))
"""Groups of extras that can be installed together."""
HEAD = "# What was tested with this wheel: the versions of uv.lock. Written by tools/write_constraints.py\n"


def constraints() -> str:
    """Return the text of the file."""
    lines = {line for extras in EXTRAS for line in _exported(extras)}
    return HEAD + "".join(f"{line}\n" for line in sorted(lines))


def _exported(extras: tuple[str, ...]) -> list[str]:
    uv = shutil.which("uv", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(ROOT / ".uv/bin")]))
    if uv is None:
        sys.exit("write_constraints.py: uv is missing: run make setup")
    words = [word for extra in extras for word in ("--extra", extra)]
    command = [uv, "export", "--quiet", "--offline", "--frozen", "--no-dev", "--package", "citytable", *words]
    command += ["--no-emit-workspace", "--no-hashes", "--no-annotate", "--no-header"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()


if __name__ == "__main__":
    FILE.write_text(constraints(), "utf-8")
