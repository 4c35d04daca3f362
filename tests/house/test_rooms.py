"""The rooms of the house: who may import whom, and how big a thing may grow before it is two things."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("hub", "firmware", "lab")
ATTICS = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "managers"}
APP_LINES = 150
FILE_LINES = 600
FUNCTION_LINES = 60
CLASS_LINES = 400
PUBLIC_METHODS = 20
PROGRAMS = ("hub", "lab", "firmware")
REASON = "one piece:"  # begins the comment above a function that is rightly longer


def _python(sources: tuple[Path, ...], *rooms: str) -> list[Path]:
    return [path for path in sources if path.suffix == ".py" and path.parts[0] in rooms]


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines without the docstring."""
    first = function.body[0]
    is_doc = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    doc = (first.end_lineno or 0) - first.lineno + 1 if is_doc else 0
    return (function.end_lineno or 0) - function.lineno + 1 - doc


def _says_why(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> bool:
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return REASON in lines[first - 2]


def test_imports_keep_to_both_arrows(root):
    lint = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert lint.returncode == 0, lint.stdout + lint.stderr


def test_no_file_or_folder_is_an_attic(sources):
    code = [path for path in sources if path.suffix in {".py", ".ts", ".svelte", ".js"}]
    assert [str(path) for path in code if ATTICS & {path.stem, *path.parts[:-1]}] == []


def test_the_composition_root_only_wires(root):
    app = root / "hub/citytable/app.py"
    lines = len(app.read_text("utf-8").splitlines()) if app.exists() else 0
    assert lines < APP_LINES, f"app.py has {lines} lines: what it decides belongs to a room"


def test_no_file_outgrows_its_noun(root, sources):
    long = {str(path): len((root / path).read_text("utf-8").splitlines()) for path in _python(sources, *PROGRAMS)}
    assert {path: lines for path, lines in long.items() if lines > FILE_LINES} == {}


def _size(one: ast.ClassDef) -> tuple[int, int]:
    """Return the number of its public methods, and of its lines."""
    methods = {node.name for node in one.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return sum(not name.startswith("_") for name in methods), (one.end_lineno or 0) - one.lineno + 1


def test_no_class_is_two_classes(root, sources):
    larger = {}
    for path in _python(sources, *ROOMS):
        for node in ast.walk(ast.parse((root / path).read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                methods, lines = _size(node)
                if methods > PUBLIC_METHODS or lines > CLASS_LINES:
                    larger[f"{path} {node.name}"] = (methods, lines)
    assert larger == {}, f"at most {PUBLIC_METHODS} public methods and {CLASS_LINES} lines"


def test_a_long_function_says_why_it_is_one_piece(root, sources):
    long = []
    for path in _python(sources, *PROGRAMS):
        text = (root / path).read_text("utf-8")
        long += [
            f"{path}:{function.lineno} {function.name}: {_length(function)} lines"
            for function in _functions(ast.parse(text))
            if _length(function) > FUNCTION_LINES and not _says_why(function, text.splitlines())
        ]
    assert long == [], f"split them, or put a comment '# {REASON} <why>' above them"


def test_no_test_waits_on_the_clock_of_the_wall(root, sources):
    sleep = "time." + "sleep("
    fakes = "fake_pi"  # the library of a Pi's pins, in a process of its own: there the package that uses it sleeps
    waiting = [path for path in _python(sources, "tests") if sleep in (root / path).read_text("utf-8")]
    assert [str(path) for path in waiting if fakes not in path.parts] == []
