"""Nothing in the hub asks for Unix before somebody uses what only Unix has."""

import ast

UNIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


def _asked_at_once(tree: ast.Module) -> set[str]:
    """The modules that a file imports whenever it is imported itself; what stands in an `if` is a choice."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_no_module_of_the_hub_imports_what_only_unix_has(root, sources):
    hub = [path for path in sources if path.suffix == ".py" and path.parts[:2] == ("hub", "citytable")]
    asked = {str(path): UNIX_ONLY & _asked_at_once(ast.parse((root / path).read_text("utf-8"))) for path in hub}
    assert len(asked) > 100
    assert {path: names for path, names in asked.items() if names} == {}
