"""The venue's theme on the pages that a room or a stream sees: one more style sheet, which other pages do not fetch."""

from pathlib import Path

from aiohttp import web

from citytable.views.refusals import refused
from citytable.views.theme import Theme

THEMED = frozenset({"/", "/display", "/announcer", "/card", "/overlay"})
_LINK = '<link rel="stylesheet" href="/theme/theme.css" /></head>'
_FRESH = {"Cache-Control": "no-cache"}


class ThemePages:
    """Answers with the files of a theme, and with pages that have it; None: no theme."""

    def __init__(self, theme: Theme | None) -> None:
        self._theme = theme

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the addresses; everybody may read them."""
        router.add_get("/theme/theme.css", self._get_css)
        router.add_get("/theme/logo", self._get_logo)
        router.add_get("/theme/font", self._get_font)

    def page(self, file: Path, path: str) -> web.StreamResponse:
        """Return the answer with a built page, for its address."""
        if self._theme is None or path not in THEMED:
            return web.FileResponse(file, headers=_FRESH)
        text = file.read_text("utf-8").replace("</head>", _LINK, 1)
        return web.Response(text=text, content_type="text/html", headers=_FRESH)

    async def _get_css(self, _request: web.Request) -> web.Response:
        return _answer(b"" if self._theme is None else self._theme.css.encode(), "text/css")

    async def _get_logo(self, _request: web.Request) -> web.Response:
        theme = self._theme
        return _answer(b"", "") if theme is None else _answer(theme.logo, theme.logo_kind)

    async def _get_font(self, _request: web.Request) -> web.Response:
        return _answer(b"" if self._theme is None else self._theme.font, "font/woff2")


def _answer(body: bytes, kind: str) -> web.Response:
    if not body:
        raise refused(404, "no_theme")
    charset = "utf-8" if kind == "text/css" else None
    return web.Response(body=body, content_type=kind, charset=charset, headers=_FRESH)
