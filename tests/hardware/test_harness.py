"""`make harness` draws the cables where Graphviz is installed, and says so where it is not."""

import re
import shutil
import subprocess


def test_without_graphviz_one_sentence_says_what_to_install(root, tmp_path):
    make = shutil.which("make")
    asked = subprocess.run(
        [make, "harness"], cwd=root, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert asked.returncode != 0
    assert re.findall("^make harness needs Graphviz: install it, .*$", asked.stderr, re.MULTILINE)


def test_drawings_of_cables_stay_out_of_git(root):
    makefile = (root / "Makefile").read_text()
    assert "--output-dir var/harness hardware/harness/*.yml" in makefile
    assert {path.suffix for path in (root / "hardware/harness").iterdir() if path.is_file()} == {".yml", ".txt"}
