"""The first flash, over USB: MicroPython as a UF2 file, then the station program with MicroPython's own `mpremote`.

What is put on a board, and stays as it is whatever bundles come later:

    boot.py main.py           what starts it
    store.mpy slots.mpy       what chooses the program (tablestation/care, standing alone)
    base/                     the program of this moment
    slots.json                nothing but `base` is to be started
    secrets.json              how it finds its broker: as a newcomer, until it is adopted
"""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from citytable.doctor.bundle import NoBundle, compiled, package_folder, program_files

ALONE = ("store", "slots")
STARTERS = ("boot.py", "main.py")
BASE = "base"
SECRETS = "secrets.json"
BOOT_DRIVE_SIGN = "INFO_UF2.TXT"
PATIENCE_S = 300


class NotFlashed(RuntimeError):
    """A board could not be flashed: the text says why and what to do."""


class Secrets(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a board finds its broker before anybody has adopted it; nothing for a station on a USB cable."""

    host: str = ""
    port: int = 0
    ssid: str = ""
    key: str = ""
    country: str = ""
    user: str = ""
    password: str = ""


def starters_folder() -> Path:
    """Where `boot.py` and `main.py` are: beside the packages in the repository, beside this file in a wheel."""
    for folder in (package_folder("tablestation").parent / "flash", Path(__file__).with_name("flash")):
        if all((folder / name).exists() for name in STARTERS):
            return folder
    raise NoBundle(f"{' and '.join(STARTERS)} are missing: install citytable anew")


def stage(folder: Path, secrets: Secrets) -> tuple[Path, ...]:
    """Lay out a board's files in a folder; gives what is in its root. Raises `NoBundle`."""
    for name, source in program_files().items():
        target = folder / BASE / f"{name}.mpy"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compiled(source, name))
    for name in ALONE:
        source = package_folder("tablestation") / "care" / f"{name}.py"
        (folder / f"{name}.mpy").write_bytes(compiled(source, name))
    for name in STARTERS:
        shutil.copyfile(starters_folder() / name, folder / name)
    (folder / "slots.json").write_text("{}", "utf-8")
    (folder / SECRETS).write_bytes(msgspec.json.encode(secrets))
    return tuple(sorted(folder.iterdir()))


def mpremote() -> str:
    """Where `mpremote` is; raises `NotFlashed`."""
    found = shutil.which("mpremote") or shutil.which("mpremote", path=str(Path(sys.executable).parent))
    if found is None:
        raise NotFlashed("mpremote is missing: pip install 'citytable[maker]'")
    return found


def copy_commands(port: str, staged: tuple[Path, ...], *, keep_secrets: bool) -> tuple[tuple[str, ...], ...]:
    """The calls of mpremote that put the staged files on the board at a port and start it."""
    files = tuple(str(path) for path in staged if not (keep_secrets and path.name == SECRETS))
    connect = ("mpremote", "connect", port)
    return (
        (*connect, "fs", "cp", "-r", *files, ":"),
        (*connect, "reset"),
    )


def run_commands(commands: tuple[tuple[str, ...], ...]) -> None:
    """Run them one after the other; raises `NotFlashed` with what mpremote said."""
    program = mpremote()
    for command in commands:
        try:
            done = subprocess.run(
                [program, *command[1:]], capture_output=True, text=True, check=False, timeout=PATIENCE_S
            )
        except subprocess.TimeoutExpired:
            raise NotFlashed(
                f"{' '.join(command[:5])} did not end within {PATIENCE_S} s: unplug the board and plug it in again"
            ) from None
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise NotFlashed(
                f"{' '.join(command[:5])} failed, saying {(said[-1] if said else 'nothing')!r}: is the board plugged "
                "in there, with MicroPython on it, and does no other program use it?"
            )


def put_micropython(uf2: Path, drive: Path) -> None:
    """Copy a UF2 file to the drive a board shows while its BOOTSEL button was held; raises `NotFlashed`."""
    if not (drive / BOOT_DRIVE_SIGN).exists():
        raise NotFlashed(
            f"{drive} is no board's boot drive (there is no {BOOT_DRIVE_SIGN} on it): hold BOOTSEL while plugging the "
            "board in, and give the drive that appears"
        )
    try:
        with uf2.open("rb") as file:
            if file.read(4) != b"UF2\n":
                raise NotFlashed(f"{uf2} is no UF2 file: take MicroPython's for this board")
        shutil.copyfile(uf2, drive / uf2.name)
    except OSError as error:
        raise NotFlashed(f"{uf2} could not be copied to {drive}: {error.strerror}: try another cable") from error
