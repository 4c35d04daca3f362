"""The screens use no colour or length that is defined nowhere: a browser says nothing, and draws without it."""

import re

USED = re.compile(r"var\((--[a-z-]+)\)")  # what has a fallback may be missing
DEFINED = re.compile(r"(--[a-z-]+)[\"']?\s*[:=,]")


def test_every_variable_of_the_styles_is_defined_somewhere(root):
    styled = [path for path in (root / "dashboard/src").rglob("*") if path.suffix in {".svelte", ".css", ".ts"}]
    texts = {path.relative_to(root): path.read_text(encoding="utf-8") for path in styled}
    defined = {name for text in texts.values() for name in DEFINED.findall(text)}
    used = {(str(path), name) for path, text in texts.items() for name in USED.findall(text)}
    assert len(used) > 100
    assert sorted((path, name) for path, name in used if name not in defined) == []
