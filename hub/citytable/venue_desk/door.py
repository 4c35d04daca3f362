"""A page that wants a key: it comes with the link, and the browser keeps it in a cookie that no script reads."""

import hmac
import secrets

from aiohttp import web

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with none, a form of ours would come from "null"
    "Cache-Control": "no-store",
}
COOKIE_S = 12 * 3600  # an evening


class Door:
    """Keep the key of one page; without a key, no link opens it."""

    def __init__(self, key: str, cookie: str) -> None:
        self._key = key or secrets.token_hex(16)
        self._cookie = cookie

    def opened(self, request: web.Request) -> web.Response | None:
        """Return the way to the page without the key, where the link has the right one; else None."""
        if not self._fits(request.query.get("key", "")):
            return None
        there = web.Response(status=303, headers={**HEADERS, "Location": request.path})
        there.set_cookie(self._cookie, self._key, max_age=COOKIE_S, httponly=True, samesite="Lax", path=request.path)
        return there

    def lets_in(self, request: web.Request) -> bool:
        """Report whether the browser has come with the right link before."""
        return self._fits(request.cookies.get(self._cookie, ""))

    def _fits(self, word: str) -> bool:
        return hmac.compare_digest(word.encode(errors="replace"), self._key.encode())
