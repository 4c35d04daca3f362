"""A venue's theme: what is refused, by name and figure, and which pages it is on."""

import json
import re
import struct
from pathlib import Path

import pytest
from typer.testing import CliRunner

from citytable.cli import app
from citytable.table.plan import Misconfigured
from citytable.views.theme import ALARM, GOOD, Brand, Colours, Theme, contrast, contrasts, css_of, too_low
from citytable.views.theme_file import FONT_BYTES_MAX, LOGO_BYTES_MAX, read_theme
from citytable.views.theme_pages import THEMED, ThemePages

ROOT = Path(__file__).resolve().parents[2]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"/>'
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 300, 100)
OTHER_NAMES = {"raised": "panel-high", "accent": "brass"}


@pytest.fixture
def written(tmp_path):
    """`written(name="Salon", files={"logo.svg": ...})`: the path of a theme with files beside it."""

    def write(files=None, **theme):
        for name, content in (files or {}).items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        path = tmp_path / "salon.json"
        path.write_text(json.dumps(theme))
        return path

    return write


def test_the_colours_that_a_theme_starts_from_are_those_of_the_pages():
    css = (ROOT / "dashboard/src/app.css").read_text("utf-8")
    values = dict(re.findall(r"--([a-z-]+): ([^;]+);", css.split("}")[0]))
    values["text"] = values[values["text"].removeprefix("var(--").removesuffix(")")]
    for name in Colours.__struct_fields__:
        assert getattr(Colours(), name) == values[OTHER_NAMES.get(name, name.replace("_", "-"))], name
    assert (values["alarm"], values["good"]) == (ALARM, GOOD)


def test_the_pages_own_colours_are_far_enough_apart():
    assert too_low(Colours()) == ()
    assert len(list(contrasts(Colours()))) == 30


def test_contrast_is_what_the_recommendation_says():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")
    assert contrast("#0b1b22", "#0b1b22") == 1


@pytest.mark.parametrize(
    ("theme", "files", "said"),
    [
        ({"colours": {"quiet": "#445566"}}, {}, "quiet on ground has a contrast of 2.3 and needs 4.5"),
        ({"colours": {"ground": "#f3eee2"}}, {}, "the colour of seat 4 on ground has a contrast of 1.0 and needs 3.0"),
        ({"colours": {"ground": "navy"}}, {}, r"Expected `str` matching regex .* at `$.colours.ground`"),
        ({"colors": {}}, {}, "unknown field `colors`"),
        ({"name": "x" * 25}, {}, "length <= 24"),
        ({"logo": "none.svg"}, {}, "none.svg: No such file or directory: put the file beside the theme"),
        ({"logo": "a.svg"}, {"a.svg": "GIF89a"}, "a.svg: this is neither a PNG picture nor an SVG drawing"),
        ({"logo": "a.svg"}, {"a.svg": "<p/>"}, "a.svg: this is neither a PNG picture nor an SVG drawing"),
        ({"logo": "a.svg"}, {"a.svg": SVG.replace("viewBox", "box")}, "a.svg: the drawing has no viewBox"),
        ({"logo": "a.svg"}, {"a.svg": SVG.replace("120 80", "900 80")}, "a.svg: 900 by 80 is too narrow or empty"),
        ({"logo": "a.png"}, {"a.png": PNG[:12]}, "a.png: 0 by 0 is too narrow or empty"),
        ({"logo": "a.png"}, {"a.png": PNG + bytes(LOGO_BYTES_MAX)}, "a.png: 100024 bytes are more than the 100000"),
        ({"font": "a.woff2"}, {"a.woff2": b"OTTO"}, "a.woff2: this is no WOFF2 file"),
        ({"font": "a.woff2"}, {"a.woff2": bytes(FONT_BYTES_MAX + 1)}, "a.woff2: 200001 bytes are more than the 200000"),
    ],
)
def test_what_is_wrong_is_refused_by_name_and_figure(written, theme, files, said):
    with pytest.raises(Misconfigured, match=re.escape(said) if "regex" not in said else "at `\\$.colours.ground`"):
        read_theme(written(files, **theme))


def test_a_theme_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Misconfigured, match=r"none\.json: No such file or directory"):
        read_theme(tmp_path / "none.json")


def test_the_example_of_the_page_can_be_read(written):
    (text,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs/howto/theme.md").read_text("utf-8"), re.DOTALL)
    theme = read_theme(written({"logo.svg": SVG, "own.woff2": b"wOF2"}, **json.loads(text)))
    assert "Caf" in theme.css


def test_the_command_prints_every_contrast_and_then_what_is_wrong(written):
    told = CliRunner().invoke(app, ["theme", str(written(colours={"quiet": "#445566"}))])
    assert told.exit_code == 1
    assert told.stdout.count("\n") == 32
    assert "| quiet | panel | 2.0 | 4.5 |" in told.stdout
    assert "quiet on panel has a contrast of 2.0 and needs 4.5" in " ".join(told.stderr.split())


@pytest.mark.parametrize(("name", "content", "kind"), [("a.svg", SVG, "image/svg+xml"), ("a.png", PNG, "image/png")])
def test_a_logo_is_taken_for_what_it_is(written, name, content, kind):
    theme = read_theme(written({name: content}, logo=name))
    assert (theme.logo_kind, bool(theme.logo)) == (kind, True)


def test_a_name_stays_a_name_in_the_style_sheet():
    css = css_of(Colours(), Brand('"} body { display: none } \\', "é", 0), font=False)
    contents = re.findall(r'content:"([^"]*)"', css)
    assert len(contents) == 2
    for content in contents:
        assert not set('{}"') & set(content)
        assert "é" in content
    assert css.count("{") == css.count("}")


def test_a_theme_is_on_the_pages_of_the_room_and_on_no_others(tmp_path):
    (tmp_path / "index.html").write_text("<head><title>x</title></head>")
    pages = ThemePages(Theme(css=":root{}"))
    for path in ("/host", "/seat/1", "/stations", "/table"):
        assert not hasattr(pages.page(tmp_path / "index.html", path), "text"), "the file as it was built"
    for path in THEMED:
        assert (
            '<link rel="stylesheet" href="/theme/theme.css" /></head>' in pages.page(tmp_path / "index.html", path).text
        )
        assert not hasattr(ThemePages(None).page(tmp_path / "index.html", path), "text")
