"""Flash a board over USB: MicroPython as a UF2 file, then the station program with MicroPython's own `mpremote`.

These files are put on the board. Later bundles leave them as they are:

    boot.py main.py           start the station
    store.mpy slots.mpy       choose the program to run (tablestation/care, without the rest of its package)
    base/                     the program as it is now
    slots.json                only `base` is to be started
    secrets.json              the way to the broker: as a newcomer, until the station is adopted
    keys.json                 whose bundles the board takes over the link
    serial                    the time of the flash: no bundle that was signed before is taken
    tls.json                  the certificate that its broker has to show; empty for a broker without TLS
"""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from citytable.doctor.bundle import NoBundle, compiled, package_folder, program_files
from citytable.doctor.pinning import Pinned

ALONE = ("store", "slots")
STARTERS = ("boot.py", "main.py")
BASE = "base"
SECRETS = "secrets.json"
KEYS = "keys.json"
SERIAL = "serial"
TLS = "tls.json"
BOOT_DRIVE_SIGN = "INFO_UF2.TXT"
PATIENCE_S = 300


class NotFlashed(RuntimeError):
    """A board could not be flashed; the text says why and what to do."""


class Secrets(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold how a board finds its broker before it is adopted; all empty for a station on a USB cable."""

    host: str = ""
    port: int = 0
    ssid: str = ""
    key: str = ""
    country: str = ""
    user: str = ""
    password: str = ""


def starters_folder() -> Path:
    """Return the folder of `boot.py` and `main.py`.

    In the repository it is beside the packages, in a wheel beside this file.
    """
    for folder in (package_folder("tablestation").parent / "flash", Path(__file__).with_name("flash")):
        if all((folder / name).exists() for name in STARTERS):
            return folder
    raise NoBundle(f"{' and '.join(STARTERS)} are missing: reinstall citytable")


def stage(folder: Path, secrets: Secrets, keys: tuple[str, ...], tls: Pinned, now_s: int) -> tuple[Path, ...]:
    """Lay out a board's files in a folder and return what is in its root; raise `NoBundle`.

    `keys` are the public keys, in hex, whose bundles the board will take; `tls` is what its broker has to show.
    `now_s` is the time in seconds since 1970.
    """
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
    (folder / KEYS).write_bytes(msgspec.json.encode(keys))
    (folder / TLS).write_bytes(msgspec.json.encode(tls))
    (folder / SERIAL).write_text(str(now_s), "utf-8")
    return tuple(sorted(folder.iterdir()))


def mpremote() -> str:
    """Return the path of `mpremote`; raise `NotFlashed`."""
    found = shutil.which("mpremote") or shutil.which("mpremote", path=str(Path(sys.executable).parent))
    if found is None:
        raise NotFlashed("mpremote is missing: install citytable with its extra `maker`, as hub/deploy/install.sh does")
    return found


def copy_commands(port: str, staged: tuple[Path, ...], kept: tuple[str, ...] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the calls of mpremote that copy the staged files, but those to be kept, to a board, and restart it."""
    files = tuple(str(path) for path in staged if path.name not in kept)
    connect = ("mpremote", "connect", port)
    return (
        (*connect, "fs", "cp", "-r", *files, ":"),
        (*connect, "reset"),
    )


def run_commands(commands: tuple[tuple[str, ...], ...]) -> None:
    """Run commands one after the other; raise `NotFlashed` with mpremote's own message."""
    program = mpremote()
    for command in commands:
        try:
            done = subprocess.run(
                [program, *command[1:]], capture_output=True, text=True, check=False, timeout=PATIENCE_S
            )
        except subprocess.TimeoutExpired:
            raise NotFlashed(
                f"{' '.join(command[:5])} did not finish within {PATIENCE_S} s: unplug the board, plug it in and try "
                "again"
            ) from None
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise NotFlashed(
                f"{' '.join(command[:5])} failed with {(said[-1] if said else 'no message')!r}: check that the board "
                "is plugged in there, that MicroPython is on it, and that no other program uses the port"
            )


def put_micropython(uf2: Path, drive: Path) -> None:
    """Copy a UF2 file to the drive of a board that was plugged in with BOOTSEL held; raise `NotFlashed`."""
    if not (drive / BOOT_DRIVE_SIGN).exists():
        raise NotFlashed(
            f"{drive} is not a board's boot drive (it has no {BOOT_DRIVE_SIGN}): hold BOOTSEL while you plug the "
            "board in, and give the drive that appears"
        )
    try:
        with uf2.open("rb") as file:
            if file.read(4) != b"UF2\n":
                raise NotFlashed(f"{uf2} is not a UF2 file: download MicroPython's for this board")
        shutil.copyfile(uf2, drive / uf2.name)
    except OSError as error:
        raise NotFlashed(f"{uf2} could not be copied to {drive}: {error.strerror}: try another cable") from error
