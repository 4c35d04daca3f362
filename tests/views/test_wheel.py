import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "hub/citytable/views/static"
DATA = ("roles.json", "refusals.json")


def missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"{what} missing on this machine, and in CI no test may be skipped", pytrace=False)
    pytest.skip(f"{what} missing on this machine")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """sdist and wheel as they would be published: the wheel is built from the sdist. Needs nothing from the network."""
    uv = shutil.which("uv", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(ROOT / ".uv/bin")]))
    if uv is None:
        missing("uv")
    if not (STATIC / "index.html").exists():
        missing("the built screens (make setup)")
    out = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [str(uv), "build", "--offline", "--out-dir", str(out), str(ROOT)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return out


def test_the_wheel_holds_the_screens_and_the_data_files(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    built = {f"citytable/views/static/{file.relative_to(STATIC)}" for file in STATIC.rglob("*") if file.is_file()}
    assert "citytable/views/static/index.html" in built
    assert built <= inside
    assert {f"citytable/views/{name}" for name in DATA} <= inside


def test_what_is_published_carries_no_node_modules(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "node_modules" in name]
